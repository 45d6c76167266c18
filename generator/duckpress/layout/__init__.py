"""`Game` + templates + theme -> frames: every word and shape of a face at its place, with problems of fit.

`lay_out_piece` makes the faces of a piece, `load_theme` reads a theme. `ELEMENTS` is the layout language as a table:
what may stand in a template.
"""

from duckpress.layout.desk import Shrunk
from duckpress.layout.elements import ELEMENTS, ElementKind
from duckpress.layout.pictures import PictureData
from duckpress.layout.piece import Face, LaidOut, lay_out_piece
from duckpress.layout.theme import INKS, Theme, load_theme

__all__ = [
    "ELEMENTS",
    "INKS",
    "ElementKind",
    "Face",
    "LaidOut",
    "PictureData",
    "Shrunk",
    "Theme",
    "lay_out_piece",
    "load_theme",
]
