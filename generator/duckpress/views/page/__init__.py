"""The page of all cards, and its files."""
