"""What a face is made of besides its XML, as it is asked for while the face is laid out: the journal of a face.

A use names what was asked (`("style", "body")`), never what came of it: a later run asks the same again, and where
the answer is the same, so is the face. What is remembered between faces (an element made once, a text set once)
remembers its uses with it, and enters them again for every face it is put on.
"""

from __future__ import annotations

from duckpress.text.styles import FALLBACKS, FONT, OTHERS, Use

COLOUR = "colour"  # a role of the theme or #rrggbb
STYLE = "style"  # a text style of the theme
ART = "art"  # a file, by its href
DRAWING = "drawing"  # a look of a file: its href, and as JSON what is repainted and in which lines
ICON = "icon"  # name and colour
SHOWN = "shown"  # another card, by deck and card
ORNAMENT = "ornament"  # words that nobody has to read, and their colour
WARNED = "warned"
"""What is told of the first card only that shows it: code, file, line, column, what, fix. With such a use a face is
always laid out again."""

ORDER = (COLOUR, STYLE, FONT, FALLBACKS, OTHERS, ORNAMENT, SHOWN, ART, DRAWING, ICON)
"""The order in which answers are compared: drawings last, as to ask for one is to draw it."""

__all__ = [
    "ART", "COLOUR", "DRAWING", "FALLBACKS", "FONT", "ICON", "ORDER", "ORNAMENT", "OTHERS", "SHOWN", "STYLE", "WARNED",
    "Use",
]  # fmt: skip
