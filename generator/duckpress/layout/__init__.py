"""`Game` + templates + theme -> frames: every word and shape of a face placed, with problems of fit.

`lay_out_pieces` makes the faces of pieces, `load_theme` reads a theme. `ELEMENTS` is the layout language as a table:
what may stand in a template.
"""

from duckpress.art.picture_files import PictureData
from duckpress.art.svg.file import VectorArt
from duckpress.core.backs import INKS
from duckpress.layout.elements.art_shelf import ArtShelf, Taken, too_much_art
from duckpress.layout.elements.compose import ELEMENTS
from duckpress.layout.elements.images import NotShown, shown_card, trim_path
from duckpress.layout.faces.face_cache import KnownFaces
from duckpress.layout.faces.piece import face_drawing, lay_out_pieces
from duckpress.layout.faces.results import Batch, Wanted
from duckpress.layout.laid_out import ICON, Face, LaidOut, Origin, Shrunk, digest_of_values
from duckpress.layout.templates import FixedWords, fixed_words, piece_values, plain
from duckpress.layout.theme import Look, Theme, ThemeRule, load_theme, look_of
