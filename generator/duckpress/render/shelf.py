"""The cache shared by documents: the inks of faces, drawings and pictures by hash, and subsets of fonts."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

import msgspec

from duckpress.core.frame import Drawing, Frame
from duckpress.files.memo import Pack
from duckpress.pool.parallel import shares, started_parts
from duckpress.render.fonts import FontInk, font_ink
from duckpress.render.pen import Ink, Pen, Words
from duckpress.render.pictures import PictureInk, picture_ink
from duckpress.text.fonts import FontLibrary, Typeface

_FACES_A_PART = 32
_LEAST_PARTS = 12
"""Fewer parts than this are drawn sooner than a process has begun, and both have copied what they write to since."""

_encode = msgspec.msgpack.Encoder().encode
_read_one = msgspec.msgpack.Decoder(Ink).decode
_read = msgspec.msgpack.Decoder(list[Ink]).decode


class Shelf:
    """Finds ink by key, and makes missing ink; only `faces`, by their hashes, are added from outside.

    What earlier builds have drawn is taken from a `pack`, and what is new goes there.
    """

    def __init__(self, fonts: FontLibrary, pack: Pack | None = None) -> None:
        self.fonts = fonts
        self.unpacked: frozenset[str] = frozenset()
        self._pack = Pack() if pack is None else pack
        self._pen = Pen()
        self._faces: dict[str, Ink] = {}
        self._drawings: dict[str, Ink] = {}
        self._pictures: dict[str, PictureInk] = {}
        self._subsets: dict[tuple[str, bytes], FontInk] = {}

    def branch(self) -> Shelf:
        """Return an independent copy of this cache."""
        other = Shelf(self.fonts, self._pack.branch())
        other.unpacked, other._faces = self.unpacked, {**self._faces}
        other._drawings, other._pictures, other._subsets = {**self._drawings}, {**self._pictures}, {**self._subsets}
        return other

    def has_face(self, key: str) -> bool:
        """Return whether a face is drawn already."""
        if key not in self._faces:
            ink = self._packed(f"C{key}")
            if ink is None:
                return False
            self._faces[key] = ink
        return True

    def face(self, key: str) -> Ink:
        return self._faces[key]

    def add_faces(self, inks: Mapping[str, Ink]) -> None:
        """Add drawn faces."""
        self._faces |= inks
        for key, ink in inks.items():
            self._put(f"C{key}", ink)

    def drawing(self, key: str, drawing: Drawing) -> Ink:
        """Return the ink of a drawing."""
        if key not in self._drawings:
            ink = self._packed(f"D{key}")
            if ink is None:
                ink = self._pen.ink(drawing.items, drawing.box)
                self._put(f"D{key}", ink)
            self._drawings[key] = ink
        return self._drawings[key]

    def picture(self, key: str, data: bytes) -> PictureInk:
        """Return the image of a picture."""
        if key not in self._pictures:
            self._pictures[key] = picture_ink(data, is_packed=key not in self.unpacked)
        return self._pictures[key]

    def subset(self, key: str, glyphs: array[int], said: Sequence[Words], language: str) -> tuple[Typeface, FontInk]:
        """Return a typeface and its subset."""
        place, typeface = (key, glyphs.tobytes()), self.fonts.load_key(key)
        if typeface is None:
            raise KeyError(f"no typeface {key!r}")
        if place not in self._subsets:
            self._subsets[place] = font_ink(typeface, glyphs, said, language)
        return typeface, self._subsets[place]

    def _packed(self, name: str) -> Ink | None:
        body = self._pack.get(name.encode())
        with suppress(msgspec.MsgspecError):
            return None if body is None else _read_one(body)
        return None

    def _put(self, name: str, ink: Ink) -> None:
        self._pack.put(name.encode(), _encode(ink))


@contextmanager
def drawing_faces(frames: Sequence[Frame], jobs: int) -> Iterator[Callable[[], list[Ink]]]:
    """Let up to `jobs` processes draw frames, if there are many; the yielded function helps and returns the inks."""
    pen, parts = Pen(), shares(len(frames), -(-len(frames) // _FACES_A_PART))
    if jobs < 2 or len(parts) < _LEAST_PARTS:
        yield lambda: [pen.ink(frame.items, frame.bleed_box) for frame in frames]
        return

    def part(number: int) -> bytes:
        drawn = [pen.ink(frames[at].items, frames[at].bleed_box) for at in parts[number]]
        return _encode(drawn)  # pickle takes ten times as long

    with started_parts(part, len(parts), jobs) as results:
        yield lambda: [ink for written in results() for ink in _read(written)]
