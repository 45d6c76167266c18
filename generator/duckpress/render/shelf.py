"""What documents share: the inks of faces, drawings and pictures by their hashes, and subsets of fonts."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager

import msgspec

from duckpress.core.frame import Drawing, Frame
from duckpress.fonts import FontLibrary, Typeface
from duckpress.pool.parallel import shares, started_parts
from duckpress.render.fonts import FontInk, font_ink
from duckpress.render.pen import Ink, Pen
from duckpress.render.pictures import PictureInk, picture_ink

_FACES_A_PART = 32
_LEAST_PARTS = 12
"""Fewer parts than this are drawn sooner than a process has begun, and both have copied what they write to since."""

_encode = msgspec.msgpack.Encoder().encode
_read = msgspec.msgpack.Decoder(list[Ink]).decode


class Shelf:
    """Finds ink by key, and makes what was not asked for before; only `faces`, by their hashes, others put there."""

    def __init__(self, fonts: FontLibrary) -> None:
        self.fonts = fonts
        self.faces: dict[str, Ink] = {}
        self.unpacked: frozenset[str] = frozenset()
        self._pen = Pen()
        self._drawings: dict[str, Ink] = {}
        self._pictures: dict[str, PictureInk] = {}
        self._subsets: dict[tuple[str, bytes], tuple[Typeface, FontInk]] = {}
        self._subsets_before = self._subsets

    def branch(self) -> Shelf:
        """Return a shelf that begins with all that is on this one."""
        other = Shelf(self.fonts)
        other.faces, other.unpacked = {**self.faces}, self.unpacked
        other._drawings, other._pictures, other._subsets = {**self._drawings}, {**self._pictures}, {**self._subsets}
        return other

    def begin(self, fonts: FontLibrary, used: Collection[str]) -> None:
        """Begin another build with what the last one used: these faces, and its fonts."""
        self.fonts = fonts
        self.faces = {key: ink for key, ink in self.faces.items() if key in used or not used}
        self._subsets, self._subsets_before = {}, self._subsets

    def drawing(self, key: str, drawing: Drawing) -> Ink:
        """Return the ink of a drawing."""
        if key not in self._drawings:
            self._drawings[key] = self._pen.ink(drawing.items, drawing.box)
        return self._drawings[key]

    def picture(self, key: str, data: bytes) -> PictureInk:
        """Return the image of a picture."""
        if key not in self._pictures:
            self._pictures[key] = picture_ink(data, is_packed=key not in self.unpacked)
        return self._pictures[key]

    def subset(self, key: str, glyphs: array[int], said: Iterable[str], language: str) -> tuple[Typeface, FontInk]:
        """Return a typeface and its subset."""
        place, typeface = (key, glyphs.tobytes()), self.fonts.load_key(key)
        if typeface is None:
            raise KeyError(f"no typeface {key!r}")
        known = self._subsets.get(place) or self._subsets_before.get(place)
        if known is None or known[0] is not typeface:
            known = typeface, font_ink(typeface, glyphs, said, language)
        self._subsets[place] = known
        return known


@contextmanager
def drawing_faces(frames: Sequence[Frame], jobs: int) -> Iterator[Callable[[], list[Ink]]]:
    """Let up to `jobs` processes draw frames, where there are many; what is yielded helps them and returns the inks."""
    pen, parts = Pen(), shares(len(frames), -(-len(frames) // _FACES_A_PART))
    if jobs < 2 or len(parts) < _LEAST_PARTS:
        yield lambda: [pen.ink(frame.items, frame.bleed_box) for frame in frames]
        return

    def part(number: int) -> bytes:
        drawn = [pen.ink(frames[at].items, frames[at].bleed_box) for at in parts[number]]
        return _encode(drawn)  # pickle takes ten times as long

    with started_parts(part, len(parts), jobs) as results:
        yield lambda: [ink for written in results() for ink in _read(written)]
