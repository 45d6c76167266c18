"""Lines of a content stream -> the operators in them with their operands, painted paths, and the glyphs of a `TJ`.

It knows the operators that `render` writes, and no others: an operator it does not know, or operands it cannot count,
make the stream unreadable, so that nothing is drawn past the proof. Each line is read once: most lines of a document's
pages recur. Source of the operators: ISO 32000-1, Annex A.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from duckpress.core.geometry import Rect, box_of_points, rect_around
from duckpress.core.units import added

_TOKENS = re.compile(rb"\[[^\]]*\]|/[^\s/\[\]<>()]+|[^\s\[\]/]+")
_NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)")
_GLYPHS = re.compile(rb"<([0-9A-Fa-f]*)>").findall
_BETWEEN_GLYPHS = re.compile(rb"<[0-9A-Fa-f]*>")

STROKES = frozenset({b"S", b"B", b"B*"})
"""The operators that draw the line of a path, some of them after filling it."""

_POINTS = {b"m": 2, b"l": 2, b"c": 6, b"re": 4, b"h": 0}
_BEGINS = frozenset({b"m", b"re"})
_FILLS = frozenset({b"f", b"f*"})
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
    **dict.fromkeys(_FILLS | STROKES, 0),
}

# `render` writes each path on a line of its own, with the colours before it and the operator that paints it at its end.
_PAINTED = re.compile(rb"^(?:.* (?:rg|RG|w|d|J|j|M|gs) )?([-0-9. mlcreh]+) (?:f\*?|B\*?|S)(?: Q)?$", re.MULTILINE)
_KINDS = {b"m": "m", b"l": "l", b"c": "c", b"h": "h", b"re": "r"}

PaintedLines = tuple[str, tuple[float, ...]]
"""The kinds of a painted path's segments, and all their numbers, as the paths of frames have them."""

Step = tuple[bytes, tuple[Any, ...]]
"""An operator and its operands, read; `path` stands for what builds a path, with the boxes of its parts."""


class StrangeStreamError(Exception):
    """A stream with an operator or operands that `render` never writes."""


@lru_cache(maxsize=8192)
def read_line(line: bytes) -> tuple[Step, ...]:
    """Return the operators of a line with their operands, without those that move nothing (colours, dashes).

    Raises `StrangeStreamError`.
    """
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
    box = box_of_points(zip(numbers[::2], numbers[1::2], strict=True))
    if operator in _BEGINS or not parts:
        parts.append(box)
    else:
        parts[-1] = rect_around((parts[-1], box))


def painted_paths(operators: bytes) -> Iterator[PaintedLines]:
    """Yield the paths that a stream paints."""
    return map(_painted_path, _PAINTED.findall(operators))


@lru_cache(maxsize=512)
def _painted_path(path: bytes) -> PaintedLines:
    words = path.split()
    kinds = [_KINDS[word] for word in words if word in _KINDS]
    return "".join(kinds), tuple([float(word) for word in words if word not in _KINDS])


def glyphs_of(body: bytes) -> bytes:
    """Return the glyph numbers in the body of a `TJ` array, two bytes each."""
    return bytes.fromhex(b"".join(_GLYPHS(body)).decode("ascii"))


def kerning_of(body: bytes) -> float:
    """Return the sum of the numbers between the glyphs: thousandths of an em by which the run is shorter."""
    return added(map(float, _BETWEEN_GLYPHS.sub(b" ", body).split()))
