"""Words -> lines that fit their box: a `Typesetter` sets light markup in a `TextStyle`, shrinking it only so far."""

from duckpress.text.style import Fitted, IconGlyph, Line, TextStyle
from duckpress.text.typesetter import STEP_PT, Typesetter

__all__ = ["STEP_PT", "Fitted", "IconGlyph", "Line", "TextStyle", "Typesetter"]
