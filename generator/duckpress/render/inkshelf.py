"""What documents share: the ink of faces, drawings and pictures by their hashes, and the subsets of typefaces."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from duckpress.render.booklets import Booklet, Typefaces
from duckpress.render.font_objects import FontInk, font_ink
from duckpress.render.image_objects import PictureInk, picture_ink
from duckpress.render.ink import Ink, ink_of


class InkShelf:
    """Finds ink by key, and makes what was not asked for before.

    `faces` go by the hashes of their frames; whoever draws them puts them there, before a document asks for them.
    """

    def __init__(self, fonts: Typefaces) -> None:
        self.fonts = fonts
        self.faces: dict[str, Ink] = {}
        self._drawings: dict[str, Ink] = {}
        self._pictures: dict[str, PictureInk] = {}
        self._subsets: dict[tuple[str, bytes], FontInk] = {}

    def begin(self, fonts: Typefaces) -> None:
        """Begin another build with what was drawn for the last one; fonts are cut anew, by all that it says."""
        self.fonts = fonts
        self._subsets = {}

    def drawing(self, key: str, booklet: Booklet) -> Ink:
        """Return the ink of a drawing."""
        ink = self._drawings.get(key)
        if ink is None:
            drawing = booklet.drawings[key]
            ink = self._drawings[key] = ink_of(drawing.items, drawing.box)
        return ink

    def picture(self, key: str, booklet: Booklet) -> PictureInk:
        """Return the image of a picture."""
        ink = self._pictures.get(key)
        if ink is None:
            ink = self._pictures[key] = picture_ink(booklet.pictures[key].data)
        return ink

    def subset(self, key: str, glyphs: array[int], said: Iterable[str]) -> FontInk:
        """Return the subset of a typeface."""
        place = (key, glyphs.tobytes())
        ink = self._subsets.get(place)
        if ink is None:
            typeface = self.fonts.load_key(key)
            if typeface is None:
                raise KeyError(f"no typeface {key!r}")
            ink = self._subsets[place] = font_ink(typeface, glyphs, said)
        return ink
