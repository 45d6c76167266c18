"""The stream of a page -> what it paints: faces at their places, items around them in layers or none, masks of bits."""

from __future__ import annotations

import re

from msgspec import Struct

from duckpress.core.frame import Item
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.proof.opened import OpenedPdf, Used
from duckpress.proof.streams.item_reader import ItemReader
from duckpress.proof.streams.operators import StrangeStreamError, matrix_of
from duckpress.proof.streams.passages import SIX, USUAL, DrawingState

_FACE = re.compile(rb"q (?:(\S+ \S+ \S+ \S+) re W n )?" + SIX + rb" cm /(C-\S+) Do Q").fullmatch
_MASK = re.compile(
    rb"q " + SIX + rb" cm BI /W (\d+) /H (\d+) /IM true /D \[1 0\] /F /AHx ID ([0-9A-F]++)> EI Q"
).fullmatch
_LAYER = re.compile(rb"/OC /(\S+) BDC").fullmatch


class PlacedFace(Struct, frozen=True):
    """A face on a page: the hash of its frame, its matrix, and the box that it is clipped to (None: none)."""

    frame: str
    matrix: Matrix
    clip: Rect | None


class BitMask(Struct, frozen=True):
    """Bits painted in a colour, the highest of each row first; they fill the unit square under a matrix."""

    rows: tuple[int, ...]
    across: int
    matrix: Matrix
    fill: str


class PagePaint(Struct, frozen=True):
    """What a page paints under one matrix: faces, then items in layers (by name, empty for none), then masks."""

    matrix: Matrix
    faces: tuple[PlacedFace, ...]
    layers: tuple[tuple[str, tuple[Item, ...]], ...]
    masks: tuple[BitMask, ...]


def read_page(document: OpenedPdf, operators: bytes, used: Used, size: Size) -> PagePaint:
    """Return what a page paints, of this size in the lengths of its stream. Raises `StrangeStreamError`."""
    reader = _PageReader(document, used, Rect(0.0, 0.0, *size), DrawingState(miter=10.0))  # PDF's own
    return reader.paint_of(operators)


class _PageReader(ItemReader):
    """Reads the stream of a page: a matrix for all of it, then faces, items in layers or none, and a mask of bits."""

    def paint_of(self, operators: bytes) -> PagePaint:
        """Return what the stream paints."""
        self._faces: list[PlacedFace] = []
        self._layers: list[tuple[str, list[Item]]] = [("", self._levels[0].items)]
        self._masks: list[BitMask] = []
        self.items_of(operators)
        if self._layers[-1][0]:
            raise StrangeStreamError("BDC without EMC")
        if self._state[3:8] != USUAL[3:8]:  # what a stream behind it begins with
            raise StrangeStreamError(f"a page that ends under {self._state}")
        layers = tuple((name, tuple(items)) for name, items in self._layers if items)
        return PagePaint(self._levels[0].matrix, tuple(self._faces), layers, tuple(self._masks))

    def _read(self, line: bytes) -> None:
        if (face := _FACE(line)) is not None:
            self._refuse_unusual(face[3])
            if any(items for _, items in self._layers):
                raise StrangeStreamError(f"{face[3].decode('latin-1')} over what belongs above it")
            clip = Rect(*map(float, face[1].split())) if face[1] else None
            self._faces.append(PlacedFace(face[3].decode("latin-1")[2:], matrix_of(face[2]), clip))
        elif (mask := _MASK(line)) is not None:
            self._masks.append(_mask(mask, self._state.fill))
        elif (layer := _LAYER(line)) is not None:
            self._begin(layer[1].decode("latin-1"), is_allowed=not self._layers[-1][0])
        elif line == b"EMC":
            self._begin("", is_allowed=bool(self._layers[-1][0]))
        else:
            super()._read(line)

    def _begin(self, layer: str, *, is_allowed: bool) -> None:
        if not is_allowed or len(self._levels) > 1:
            raise StrangeStreamError("a layer within another, or the end of none")
        # Whoever reads the stream may leave out a layer with what it sets.
        self._state = self._state._replace(fill="", stroke="", stroke_mm=-1.0, font="")
        self._levels[0].items = []
        self._layers.append((layer, self._levels[0].items))

    def _place(self, operator: str, operands: tuple[float, ...]) -> None:
        """Take the matrix of the whole page too, before anything is painted."""
        if operator == "cm" and len(self._levels) == 1 and not (self._faces or self._levels[0].items):
            self._levels[0].matrix = self._levels[0].matrix.after(Matrix(*operands))
        else:
            super()._place(operator, operands)


def _mask(mask: re.Match[bytes], fill: str) -> BitMask:
    """Return a mask of bits: it fills the unit square, with rows of whole bytes."""
    across, down = int(mask[2]), int(mask[3])
    digits = -(-across // 8) * 2
    if len(mask[4]) != digits * down:
        raise StrangeStreamError(f"a mask of {across} x {down} bits in {len(mask[4])} digits")
    rows = (mask[4][at : at + digits] for at in range(0, digits * down, digits))
    return BitMask(tuple(int(row, 16) >> (digits * 4 - across) for row in rows), across, matrix_of(mask[1]), fill)
