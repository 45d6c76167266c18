"""The inks a game can be printed in: in colour, with little ink, in greys."""

from __future__ import annotations

PLAIN = "color"
GREY = "grey"
INKS = (PLAIN, "low", GREY)
