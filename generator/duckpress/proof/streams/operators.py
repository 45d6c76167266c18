"""Lines of a content stream -> the operators in them, with their operands.

It knows the operators that `render` writes, and no others: an operator it does not know, or operands it cannot count,
make the stream unreadable, so that nothing is drawn past the proof. Each line is taken apart once: most recur from
face to face. Source of the operators: ISO 32000-1, Annex A.
"""

from __future__ import annotations

import re
from functools import lru_cache

from duckpress.core.geometry import Matrix
from duckpress.core.paths import Path
from duckpress.core.units import added

_GLYPHS = re.compile(r"<([0-9A-Fa-f]*)>").findall
_BETWEEN_GLYPHS = re.compile(r"<[0-9A-Fa-f]*>")
_TOKENS = re.compile(rb"\[[^\]]*\]|[^\s\[\]]+").findall
_NUMBER = re.compile(rb"-?(?:\d+(?:\.\d*)?|\.\d+)").fullmatch
_DECIMAL = rb"-?\d+(?:\.\d*)?"
_RECTANGLES = re.compile(
    rb"(%b %b %b) rg ((?:%b %b %b %b re )+)f" % ((_DECIMAL,) * 7)
).fullmatch  # so many as dots of a copy are: read at once
_SEGMENTS = {b"m": ("m", 2), b"l": ("l", 2), b"c": ("c", 6), b"h": ("h", 0), b"re": ("r", 4)}
PAINTS = {
    "f": (True, False, False),
    "f*": (True, False, True),
    "S": (False, True, False),
    "B": (True, True, False),
    "B*": (True, True, True),
}
"""What an operator that ends a path does: whether it fills, strokes, and fills by the even-odd rule."""
LONG_LINE = 2000
"""So long a line is seldom met twice: what was read of it is not kept."""
_OPERANDS = {"rg": 3, "RG": 3, "w": 1, "J": 1, "j": 1, "M": 1, "cm": 6, "q": 0, "Q": 0, "W": 0, "n": 0}
_OPERANDS |= dict.fromkeys(PAINTS, 0)

Step = tuple[str, tuple[float, ...] | Path | str]
"""An operator and its operands; `path` stands for all that builds a path, `gs` has the name of a state."""


class StrangeStreamError(Exception):
    """A stream with something that `render` never writes."""


@lru_cache(maxsize=16384)
def matrix_of(written: bytes) -> Matrix:
    """Return the matrix in six numbers that are written out. Raises `StrangeStreamError`."""
    numbers = written.split()
    if not all(map(_NUMBER, numbers)):
        raise StrangeStreamError(f"the matrix {written.decode('latin-1')[:60]!r}")
    return Matrix(*map(float, numbers))


@lru_cache(maxsize=1024)
def colour_of(parts: tuple[float, ...]) -> str:
    """Return a colour of three shares of 1 as `#rrggbb`. Raises `StrangeStreamError` where it is none of those."""
    numbers = [part * 255 for part in parts]
    if any(abs(number - round(number)) > 0.02 or not 0 <= round(number) <= 255 for number in numbers):
        raise StrangeStreamError(f"the colour {parts}")
    return "#" + "".join(f"{round(number):02x}" for number in numbers)


def steps_of(line: bytes) -> tuple[Step, ...]:
    """Return the operators of a line with their operands. Raises `StrangeStreamError`."""
    return (_known_steps if len(line) < LONG_LINE else _steps)(line)


def _steps(line: bytes) -> tuple[Step, ...]:
    dots = _RECTANGLES(line)
    if dots is not None:
        sides = tuple(map(float, dots[2].replace(b" re", b"").split()))
        colour = tuple(map(float, dots[1].split()))
        return ("rg", colour), ("path", Path("r" * (len(sides) // 4), sides)), ("f", ())
    steps: list[Step] = []
    kinds: list[str] = []
    numbers: list[float] = []
    operands: list[bytes] = []
    for token in _TOKENS(line):
        if _NUMBER(token) or token[:1] in b"/[":
            operands.append(token)
            continue
        if token in _SEGMENTS:
            kind, count = _SEGMENTS[token]
            kinds.append(kind)
            numbers += _floats(token.decode(), operands, count)
        else:
            if kinds:
                steps.append(("path", Path("".join(kinds), tuple(numbers))))
                kinds, numbers = [], []
            steps.append(_step(token.decode("latin-1"), operands))
        operands = []
    if operands or kinds:
        raise StrangeStreamError(f"operands without an operator: {line[:60]!r}")
    return tuple(steps)


_known_steps = lru_cache(maxsize=16384)(_steps)


def _step(operator: str, operands: list[bytes]) -> Step:
    if operator in _OPERANDS:
        return operator, _floats(operator, operands, _OPERANDS[operator])
    if operator == "gs" and len(operands) == 1 and operands[0][:1] == b"/":
        return operator, operands[0][1:].decode("latin-1")
    if operator == "d" and len(operands) == 2 and operands[0][:1] == b"[" and _NUMBER(operands[1]):
        lengths = operands[0][1:-1].split()
        if len(lengths) % 2 == 0:  # an odd number says where it begins
            lengths += [operands[1]] if operands[1] != b"0" else []
            return operator, _floats(operator, lengths, len(lengths))
    raise StrangeStreamError(f"the operator {operator!r} with {len(operands)} operands")


def _floats(operator: str, operands: list[bytes], count: int) -> tuple[float, ...]:
    if len(operands) != count or not all(map(_NUMBER, operands)):
        raise StrangeStreamError(f"{b' '.join(operands)[:60].decode('latin-1')} {operator}")
    return tuple(map(float, operands))


def glyphs_of(body: str) -> bytes:
    """Return the glyph numbers in the body of a `TJ` array, two bytes each."""
    return bytes.fromhex("".join(_GLYPHS(body)))


def kerning_of(body: str) -> float:
    """Return the sum of the numbers between the glyphs: thousandths of an em by which the run is shorter."""
    return added(map(float, _BETWEEN_GLYPHS.sub(" ", body).split()))
