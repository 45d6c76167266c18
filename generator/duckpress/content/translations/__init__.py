"""A game in another language: the texts of a translation, its gaps, and the translated game."""
