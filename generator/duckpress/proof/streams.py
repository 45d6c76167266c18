"""Content streams -> where things lie: forms and images with their matrices, and the boxes of everything painted.

A small interpreter of the operators that `stream_operators` reads: it keeps the graphics state (matrix, clip, line,
font) and the layer, and notes what each mark covers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct

from duckpress.core.geometry import IDENTITY, Matrix, Rect, rect_around
from duckpress.proof.stream_operators import STROKES, StrangeStreamError, read_line

_CALL = re.compile(rb"(q [^/]* cm) /(\S+) Do Q").fullmatch
_STAMP = re.compile(rb"(q [^/]* cm) BI /W (\d+) /H (\d+) /IM true /D \[1 0\] /F /AHx ID ([0-9A-F]++)> EI Q").fullmatch


class Drawn(Struct, frozen=True):
    """A form or an image on a page: the name it is called by, its matrix, and the box it is clipped to (None: none)."""

    name: str
    matrix: Matrix
    clip: Rect | None


class Lettering(Struct, frozen=True):
    """A run of glyphs: the name of its font, size, the body of its `TJ`, and its matrix (y upwards in it)."""

    font: str
    size: float
    body: bytes
    matrix: Matrix


class Painted(Struct, frozen=True):
    """A painted path: the box of its points with its stroke, and the box of each of its parts without.

    `layer` is the name of the layer that it belongs to, empty for none.
    """

    box: Rect
    layer: str = ""
    parts: tuple[Rect, ...] = ()


Mark = Drawn | Lettering | Painted


class _State(NamedTuple):
    matrix: Matrix
    clip: Rect | None = None
    line_width: float = 1.0
    cap: int = 0
    font: str = ""
    size: float = 0.0


def read_marks(operators: bytes, matrix: Matrix = IDENTITY) -> list[Mark]:
    """Return what a stream draws, in order, in the coordinates outside `matrix`. Raises `StrangeStreamError`."""
    reader = _Reader(matrix)
    for line in operators.split(b"\n"):
        reader.read(line)
    if reader.saved or reader.layer:
        raise StrangeStreamError("q without Q" if reader.saved else "BDC without EMC")
    return reader.marks


class _Reader:
    def __init__(self, matrix: Matrix) -> None:
        self.marks: list[Mark] = []
        self.saved: list[_State] = []
        self.layer = ""
        self._state = _State(matrix)
        self._text_matrix = IDENTITY
        self._parts: tuple[Rect, ...] = ()

    def read(self, line: bytes) -> None:
        call = _CALL(line)
        if call is not None:
            place = _placed_at(call[1], self._state.matrix, self._state.clip)
            self.marks.append(Drawn(call[2].decode("latin-1"), *place))
            return
        stamp = _STAMP(line)
        if stamp is not None:
            self._stamp(stamp)
            return
        for operator, operands in read_line(line):
            self._take(operator, operands)

    def _stamp(self, stamp: re.Match[bytes]) -> None:
        """Take a mask of bits: it fills the unit square, as far as its rows of whole bytes reach."""
        across, down = int(stamp[2]), int(stamp[3])
        if len(stamp[4]) != -(-across // 8) * 2 * down:
            raise StrangeStreamError(f"a mask of {across} x {down} bits in {len(stamp[4])} digits")
        matrix, clip = _placed_at(stamp[1], self._state.matrix, self._state.clip)
        box = matrix.around(Rect(0.0, 0.0, 1.0, 1.0))
        self.marks.append(Painted(box if clip is None else clip.shared(box), self.layer))

    def _take(self, operator: bytes, operands: tuple[Any, ...]) -> None:
        state = self._state
        if operator == b"path":
            self._parts += operands
        elif operator == b"q":
            self.saved.append(state)
        elif operator == b"Q":
            if not self.saved:
                raise StrangeStreamError("Q without q")
            self._state = self.saved.pop()
        elif operator in _STATE_CHANGES:
            self._state = _STATE_CHANGES[operator](state, operands)
        elif operator == b"Tm":
            self._text_matrix = Matrix(*operands)
        elif operator == b"TJ":
            self.marks.append(Lettering(state.font, state.size, operands[0], state.matrix.after(self._text_matrix)))
        elif operator == b"Do":
            self.marks.append(Drawn(operands[0], state.matrix, state.clip))
        elif operator in (b"BDC", b"EMC"):
            if bool(self.layer) is (operator == b"BDC") or operands[:1] not in ((), ("OC",)):
                raise StrangeStreamError("a layer within another, the end of none, or no layer")
            self.layer = operands[1] if operands else ""
        elif operator == b"W":
            self._state = state._replace(clip=_clipped(state, self._parts))
        else:
            self._paint(operator)

    def _paint(self, operator: bytes) -> None:
        """End a path: painted, or (for `n`) not."""
        if operator != b"n" and self._parts:
            box = _painted_box(self._state, self._parts, is_stroked=operator in STROKES)
            parts = _mapped_parts(self._state.matrix, self._parts) if self.layer else ()
            self.marks.append(Painted(box, self.layer, parts))
        self._parts = ()


_STATE_CHANGES: dict[bytes, Callable[[_State, tuple[Any, ...]], _State]] = {
    b"cm": lambda state, operands: state._replace(matrix=state.matrix.after(Matrix(*operands))),
    b"w": lambda state, operands: state._replace(line_width=operands[0]),
    b"J": lambda state, operands: state._replace(cap=int(operands[0])),
    b"Tf": lambda state, operands: state._replace(font=operands[0], size=operands[1]),
}


@lru_cache(maxsize=4096)
def _placed_at(head: bytes, matrix: Matrix, clip: Rect | None) -> tuple[Matrix, Rect | None]:
    """Return matrix and clip after the operators that stand before a `Do`."""
    reader = _Reader(matrix)
    reader._state = reader._state._replace(clip=clip)
    for operator, operands in read_line(head):
        reader._take(operator, operands)
    return reader._state.matrix, reader._state.clip


def _clipped(state: _State, parts: tuple[Rect, ...]) -> Rect:
    if not parts:
        raise StrangeStreamError("W without a path")
    box = state.matrix.around(rect_around(parts))
    return box if state.clip is None else state.clip.shared(box)


@lru_cache(maxsize=1024)
def _painted_box(state: _State, parts: tuple[Rect, ...], *, is_stroked: bool) -> Rect:
    """Return the box of a path; a level or upright line with flat ends is wider for its stroke, but not longer."""
    if is_stroked:
        half = state.line_width / 2
        grown = []
        for part in parts:
            across = half if part.height_mm > 0 or state.cap else 0.0
            down = half if part.width_mm > 0 or state.cap else 0.0
            grown.append(
                Rect(part.x_mm - across, part.y_mm - down, part.width_mm + 2 * across, part.height_mm + 2 * down)
            )
        parts = tuple(grown)
    box = state.matrix.around(rect_around(parts))
    return box if state.clip is None else state.clip.shared(box)


@lru_cache(maxsize=256)
def _mapped_parts(matrix: Matrix, parts: tuple[Rect, ...]) -> tuple[Rect, ...]:
    return tuple(matrix.around(part) for part in parts)
