"""`Game` + templates + theme -> frames: every word and shape of a face at its place, with problems of fit.

`lay_out_piece` makes the faces of a piece, `load_theme` reads a theme. `ELEMENTS` is the layout language as a table:
what may stand in a template.
"""

from duckpress.inks import INKS
from duckpress.layout.art import VectorArt
from duckpress.layout.artshelf import ArtShelf
from duckpress.layout.attributes import ElementKind
from duckpress.layout.budget import TooMuch
from duckpress.layout.context import piece_values, plain
from duckpress.layout.desk import Shrunk
from duckpress.layout.elements import ELEMENTS
from duckpress.layout.face import Face, LaidOut
from duckpress.layout.fixedwords import fixed_words
from duckpress.layout.known import KnownFaces
from duckpress.layout.look import Look, look_of
from duckpress.layout.operators import mapped, rectangle
from duckpress.layout.pictures import PictureData, look_through
from duckpress.layout.piece import Wanted, lay_out_piece, lay_out_pieces
from duckpress.layout.sandbox import TemplateRoom
from duckpress.layout.share import Ahead
from duckpress.layout.theme import StyleRule, Theme, Written, load_theme

__all__ = [
    "ELEMENTS",
    "INKS",
    "Ahead",
    "ArtShelf",
    "ElementKind",
    "Face",
    "KnownFaces",
    "LaidOut",
    "Look",
    "PictureData",
    "Shrunk",
    "StyleRule",
    "TemplateRoom",
    "Theme",
    "TooMuch",
    "VectorArt",
    "Wanted",
    "Written",
    "fixed_words",
    "lay_out_piece",
    "lay_out_pieces",
    "load_theme",
    "look_of",
    "look_through",
    "mapped",
    "piece_values",
    "plain",
    "rectangle",
]
