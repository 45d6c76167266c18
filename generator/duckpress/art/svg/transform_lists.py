"""SVG transform lists -> one `Matrix`."""

from __future__ import annotations

import math
import re

from duckpress.art.number_lists import parse_numbers
from duckpress.core.geometry import IDENTITY, Matrix, rotation, scaling, translation
from duckpress.core.limits import how_to_raise, limit

_STEP = re.compile(r"[\s,]*([A-Za-z]+)\s*\(([^()]*)\)")
_OPERANDS = {
    "translate": (1, 2), "scale": (1, 2), "rotate": (1, 3), "skewX": (1,), "skewY": (1,), "matrix": (6,),
}  # fmt: skip
_LARGEST = 1e9  # of a matrix: beyond it a drawing is one point, or nothing of it on any paper


class BadTransform(ValueError):
    """A transform list that is not by the grammar, or too much; its words are those of a problem, with the `fix`."""

    def __init__(self, what: str, fix: str = "correct the transform") -> None:
        super().__init__(what)
        self.fix = fix


def parse_transform(text: str) -> Matrix:
    """Return the matrix of a transform list (SVG 1.1, section 7.6), applied right to left; raises `BadTransform`."""
    matrix = IDENTITY
    position = 0
    text = text.strip().rstrip(",")
    most = limit("transform-steps")
    for _ in range(most + 1):
        if position >= len(text):
            if not is_drawable(matrix):
                raise BadTransform(f"{text[:40]!r} makes it larger than anything")
            return matrix
        match = _STEP.match(text, position)
        if match is None:
            raise BadTransform(f"{text[position : position + 30]!r} is not a transform such as 'rotate(45 10 10)'")
        matrix = matrix.after(_step(match[1], match[2]))
        position = match.end()
    raise BadTransform(f"it has more than {most} steps", f"simplify it; {how_to_raise('transform-steps')}")


def is_drawable(matrix: Matrix) -> bool:
    """Return whether a matrix holds numbers that can be drawn with."""
    return all(abs(value) < _LARGEST for value in matrix)  # not "none at least so large": that lets NaN through


def rounded(matrix: Matrix) -> Matrix:
    """Return a matrix to a millionth: equal places get equal numbers on every machine, and zero has no sign."""
    return Matrix(*(round(value, 6) + 0.0 for value in matrix))


def _step(name: str, operands: str) -> Matrix:
    if name not in _OPERANDS:
        raise BadTransform(f"{name!r} is not one of {', '.join(_OPERANDS)}")
    values = parse_numbers(operands)
    if values is None or len(values) not in _OPERANDS[name]:
        wanted = " or ".join(str(count) for count in _OPERANDS[name])
        raise BadTransform(f"'{name}({operands[:30]})' needs {wanted} number{'' if wanted == '1' else 's'}")
    if name == "translate":
        return translation(values[0], values[1] if len(values) == 2 else 0.0)
    if name == "scale":
        return scaling(*values)
    if name == "rotate":
        return rotation(*values)
    if name == "matrix":
        return Matrix(*values)
    slope = math.tan(math.radians(values[0]))
    return Matrix(c=slope) if name == "skewX" else Matrix(b=slope)
