"""The geometry of a setup: boards, shapes of spaces, cards with a coordinate, and whether they fit."""
