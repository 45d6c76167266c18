"""`rules.md` -> blocks, each with its place: filled with the game's numbers, read, compared with a translation."""
