"""A game in another language: what a translation says, what it lacks, and the game that comes of it."""
