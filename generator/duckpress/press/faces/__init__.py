"""Pieces -> finished faces with their identities, and what of them is hard to read."""
