"""A game and a seed -> the packet of a deal: what the host prints, and a file for each player."""
