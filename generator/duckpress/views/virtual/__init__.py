"""A game's faces -> files for virtual tables: sprite sheets, decks to load, and a table set up for play."""
