"""A game as one zip for playtesters, and whether one that somebody holds is whole."""
