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

_PATHS = {b"m": "nn", b"l": "nn", b"c": "nnnnnn", b"re": "nnnn", b"h": ""}
_MOVE_NOTHING = {b"rg": "nnn", b"RG": "nnn", b"d": "[n", b"j": "n", b"M": "n", b"gs": "/", b"BT": "", b"ET": ""}
_OPERANDS = {
    **_PATHS,
    **_MOVE_NOTHING,
    **dict.fromkeys((b"f", b"f*", *STROKES, b"n", b"W", b"q", b"Q", b"EMC"), ""),
    b"w": "n",
    b"J": "n",
    b"cm": "nnnnnn",
    b"Tm": "nnnnnn",
    b"Tf": "/n",
    b"TJ": "[",
    b"Do": "/",
    b"BDC": "//",
}
"""The operands of each operator: numbers, names (`/`) and arrays (`[`)."""

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
    steps: list[Step] = []
    parts: list[Rect] = []
    operands: list[bytes] = []
    for token in (*_TOKENS.findall(line), b""):
        if token[:1] in (b"/", b"[") or _NUMBER.fullmatch(token):
            operands.append(token)
            continue
        if token in _PATHS:
            _extend(parts, token, _values(token, operands))
        else:
            if parts:
                steps.append((b"path", tuple(parts)))
                parts = []
            values = _values(token, operands) if token or operands else ()
            if token and token not in _MOVE_NOTHING:
                steps.append((token, values))
        operands = []
    return tuple(steps)


def _values(operator: bytes, operands: list[bytes]) -> tuple[Any, ...]:
    """Return the operands of an operator: numbers, names without their slash, what stands in arrays."""
    kinds = "".join(chr(operand[0]) if operand[:1] in (b"/", b"[") else "n" for operand in operands)
    if kinds != _OPERANDS.get(operator):
        raise StrangeStreamError(f"{b' '.join((*operands, operator)).decode('latin-1')[:60]!r}")
    return tuple(
        float(operand) if kind == "n" else operand[1:].decode("latin-1") if kind == "/" else operand[1:-1]
        for kind, operand in zip(kinds, operands, strict=True)
    )


def _extend(parts: list[Rect], operator: bytes, numbers: tuple[float, ...]) -> None:
    """Add the points of a path operator to the boxes of a path's parts."""
    if operator == b"h":
        return
    if operator == b"re":
        x, y, width, height = numbers
        numbers = (x, y, x + width, y + height)
    box = box_of_points(zip(numbers[::2], numbers[1::2], strict=True))
    if operator in (b"m", b"re") or not parts:
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
