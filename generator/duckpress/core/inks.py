"""How a game is printed: its inks (colour, little ink, greys), and its finishes.

A clean game looks as one that is sold; the faces of a prototype say what they are.
"""

from __future__ import annotations

PLAIN = "color"
GREY = "grey"
INKS = (PLAIN, "low", GREY)
CLEAN = "clean"
PROTOTYPE = "prototype"
FINISHES = (CLEAN, PROTOTYPE)
