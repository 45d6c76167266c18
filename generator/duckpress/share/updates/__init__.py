"""Versions of a game: freezing one, telling what changed since, and printing only that."""
