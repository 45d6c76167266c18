"""Content streams -> where things lie: forms and images with their matrices, and the boxes of everything painted.

A small interpreter of the operators that `render` writes, and of no others: an operator it does not know, or operands
it cannot count, make the stream unreadable, so that nothing is drawn past the proof. It reads line by line, and each
line once: most lines of a document's pages recur. Source of the operators: ISO 32000-1, Annex A.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct

from duckpress.geometry import IDENTITY, Matrix, Rect

_TOKENS = re.compile(rb"\[[^\]]*\]|/[^\s/\[\]<>()]+|[^\s\[\]/]+")
_NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)")
_CALL = re.compile(rb"(q [^/]* cm) /(\S+) Do Q").fullmatch
_STAMP = re.compile(rb"(q [^/]* cm) BI /W (\d+) /H (\d+) /IM true /D \[1 0\] /F /AHx ID ([0-9A-F]++)> EI Q").fullmatch
_GLYPHS = re.compile(rb"<([0-9A-Fa-f]*)>").findall
_BETWEEN_GLYPHS = re.compile(rb"<[0-9A-Fa-f]*>")

_POINTS = {b"m": 2, b"l": 2, b"c": 6, b"re": 4, b"h": 0}
_BEGINS = frozenset({b"m", b"re"})
_FILLS = frozenset({b"f", b"f*"})
_STROKES = frozenset({b"S", b"B", b"B*"})
_IGNORED = {b"rg": 3, b"RG": 3, b"d": 2, b"j": 1, b"M": 1, b"gs": 1, b"BT": 0, b"ET": 0}
_COUNTED = {
    b"n": 0,
    b"W": 0,
    b"EMC": 0,
    b"q": 0,
    b"Q": 0,
    b"w": 1,
    b"J": 1,
    b"cm": 6,
    b"Tm": 6,
    **dict.fromkeys(_FILLS | _STROKES, 0),
}


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
Step = tuple[bytes, tuple[Any, ...]]
"""An operator and its operands, read; `path` stands for what builds a path, with the boxes of its parts."""


class StrangeStreamError(Exception):
    """A stream with an operator or operands that `render` never writes."""


class _State(NamedTuple):
    matrix: Matrix
    clip: Rect | None = None
    line_width: float = 1.0
    cap: int = 0
    font: str = ""
    size: float = 0.0


def read_marks(operators: bytes, matrix: Matrix = IDENTITY) -> list[Mark]:
    """Give what a stream draws, in order, in the coordinates outside `matrix`. Raises `StrangeStreamError`."""
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
        for operator, operands in _read_line(line):
            self._take(operator, operands)

    def _stamp(self, stamp: re.Match[bytes]) -> None:
        """Take a mask of bits: it fills the unit square, as far as its rows of whole bytes reach."""
        across, down = int(stamp[2]), int(stamp[3])
        if len(stamp[4]) != -(-across // 8) * 2 * down:
            raise StrangeStreamError(f"a mask of {across} x {down} bits in {len(stamp[4])} digits")
        matrix, clip = _placed_at(stamp[1], self._state.matrix, self._state.clip)
        box = mapped(matrix, Rect(0.0, 0.0, 1.0, 1.0))
        self.marks.append(Painted(box if clip is None else shared_box(clip, box), self.layer))

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
            if bool(self.layer) is (operator == b"BDC"):
                raise StrangeStreamError("a layer within another, or the end of none")
            self.layer = operands[0] if operands else ""
        elif operator == b"W":
            self._state = state._replace(clip=_clipped(state, self._parts))
        else:
            self._paint(operator)

    def _paint(self, operator: bytes) -> None:
        """End a path: painted, or (for `n`) not."""
        if operator != b"n" and self._parts:
            box = _painted_box(self._state, self._parts, is_stroked=operator in _STROKES)
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
    """Give matrix and clip after the operators that stand before a `Do`."""
    reader = _Reader(matrix)
    reader._state = reader._state._replace(clip=clip)
    for operator, operands in _read_line(head):
        reader._take(operator, operands)
    return reader._state.matrix, reader._state.clip


def _clipped(state: _State, parts: tuple[Rect, ...]) -> Rect:
    if not parts:
        raise StrangeStreamError("W without a path")
    box = mapped(state.matrix, _around(parts))
    return box if state.clip is None else shared_box(state.clip, box)


@lru_cache(maxsize=1024)
def _painted_box(state: _State, parts: tuple[Rect, ...], *, is_stroked: bool) -> Rect:
    """Give the box of a path; a level or upright line with flat ends is wider for its stroke, but not longer."""
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
    box = mapped(state.matrix, _around(parts))
    return box if state.clip is None else shared_box(state.clip, box)


@lru_cache(maxsize=256)
def _mapped_parts(matrix: Matrix, parts: tuple[Rect, ...]) -> tuple[Rect, ...]:
    return tuple(mapped(matrix, part) for part in parts)


@lru_cache(maxsize=8192)
def _read_line(line: bytes) -> tuple[Step, ...]:
    """Give the operators of a line with their operands, without those that move nothing (colours, dashes)."""
    found: list[Step] = []
    parts: list[Rect] = []
    operands: list[bytes] = []
    for token in _TOKENS.findall(line):
        if token[:1] in b"/[" or _NUMBER.fullmatch(token):
            operands.append(token)
            continue
        if token in _POINTS:
            _extend(parts, token, _numbers(token, operands, _POINTS[token]))
        else:
            if parts:
                found.append((b"path", tuple(parts)))
                parts = []
            found += _step(token, operands)
        operands = []
    if operands:
        raise StrangeStreamError(f"operands without an operator: {b' '.join(operands).decode('latin-1')}")
    if parts:
        found.append((b"path", tuple(parts)))
    return tuple(found)


def _step(operator: bytes, operands: list[bytes]) -> tuple[Step, ...]:
    if operator in _IGNORED:
        if len(operands) != _IGNORED[operator]:
            raise StrangeStreamError(f"{operator.decode('latin-1')} with {len(operands)} operands")
        return ()
    if operator in _COUNTED:
        return ((operator, _numbers(operator, operands, _COUNTED[operator])),)
    kinds = b"".join(operand[:1] for operand in operands)
    if operator == b"Do" and kinds == b"/":
        return ((operator, (operands[0][1:].decode("latin-1"),)),)
    if operator == b"BDC" and kinds == b"//" and operands[0] == b"/OC":
        return ((operator, (operands[1][1:].decode("latin-1"),)),)
    if operator == b"TJ" and kinds == b"[":
        return ((operator, (operands[0][1:-1],)),)
    if operator == b"Tf" and kinds[:1] == b"/":
        return ((operator, (operands[0][1:].decode("latin-1"), *_numbers(operator, operands[1:], 1))),)
    raise StrangeStreamError(f"the operator {operator.decode('latin-1')!r} with {len(operands)} operands")


def _numbers(operator: bytes, operands: list[bytes], count: int) -> tuple[float, ...]:
    if len(operands) != count or not all(_NUMBER.fullmatch(operand) for operand in operands):
        shown = b" ".join((*operands, operator)).decode("latin-1")
        raise StrangeStreamError(f"{shown[:60]!r}")
    return tuple(float(operand) for operand in operands)


def _extend(parts: list[Rect], operator: bytes, numbers: tuple[float, ...]) -> None:
    """Add the points of a path operator to the boxes of a path's parts."""
    if operator == b"h":
        return
    if operator == b"re":
        x, y, width, height = numbers
        numbers = (x, y, x + width, y + height)
    xs, ys = numbers[::2], numbers[1::2]
    box = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    if operator in _BEGINS or not parts:
        parts.append(box)
    else:
        parts[-1] = _around((parts[-1], box))


def glyphs_of(body: bytes) -> bytes:
    """Give the glyph numbers in the body of a `TJ` array, two bytes each."""
    return bytes.fromhex(b"".join(_GLYPHS(body)).decode("ascii"))


def kerning_of(body: bytes) -> float:
    """Give the sum of the numbers between the glyphs: thousandths of an em by which the run is shorter."""
    return sum(map(float, _BETWEEN_GLYPHS.sub(b" ", body).split()))


def _around(boxes: tuple[Rect, ...]) -> Rect:
    left, top = min(box.x_mm for box in boxes), min(box.y_mm for box in boxes)
    right, bottom = max(box.right_mm for box in boxes), max(box.bottom_mm for box in boxes)
    return Rect(left, top, right - left, bottom - top)


def shared_box(one: Rect, other: Rect) -> Rect:
    """Give what two boxes have in common; of no size where that is nothing."""
    left, top = max(one.x_mm, other.x_mm), max(one.y_mm, other.y_mm)
    right, bottom = min(one.right_mm, other.right_mm), min(one.bottom_mm, other.bottom_mm)
    return Rect(left, top, max(0.0, right - left), max(0.0, bottom - top))


def mapped(matrix: Matrix, box: Rect) -> Rect:
    """Give the smallest upright box around a box seen through a matrix."""
    corners = [matrix.apply(x, y) for x in (box.x_mm, box.right_mm) for y in (box.y_mm, box.bottom_mm)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
