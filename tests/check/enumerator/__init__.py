"""Random setups, and everything that may come of one, worked out without the program that is tested by it."""
