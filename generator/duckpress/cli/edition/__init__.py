"""The commands that print a game for many people."""
