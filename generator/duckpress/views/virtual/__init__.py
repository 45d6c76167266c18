"""A game's faces -> files for virtual tables: sheets of sprites, decks that load, and a table that is set."""
