"""The page of all cards, and the files that it is made of."""
