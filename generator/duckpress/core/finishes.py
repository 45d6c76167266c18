"""The finishes a game can be printed in: clean, as one that is sold, or a prototype, whose faces say what they are."""

from __future__ import annotations

CLEAN = "clean"
PROTOTYPE = "prototype"
FINISHES = (CLEAN, PROTOTYPE)
