"""Content streams -> what they paint, in order, where it lies on paper: a small interpreter of PDF's operators.

It knows those that a finished file may have, and no others. Source of the operators: ISO 32000-1, Annex A.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from duckpress.core.frame import MITER_LIMIT, Outline, Paint
from duckpress.core.geometry import IDENTITY, Matrix, Rect, box_of_points
from duckpress.core.paths import Path
from oracle.reading.marks import Drawn, Lettering, Mark, SheetCode, painted, points_of_parts

_tokens = re.compile(rb"BI .*?\sID\s.*?>\s*EI|\[[^\]]*\]|[^\s\[\]]+", re.DOTALL).findall
_image = re.compile(rb"BI /W (\d+) /H (\d+) /IM true /D \[1 0\] /F /AHx ID ([0-9A-F]+)>\s*EI").fullmatch
_glyphs = re.compile(r"<([0-9A-Fa-f]*)>").findall
_SEGMENTS = {"m": 2, "l": 2, "c": 6, "h": 0, "re": 4}
_PAINTS = {
    "f": (True, False, False),
    "f*": (True, False, True),
    "S": (False, True, False),
    "B": (True, True, False),
    "B*": (True, True, True),
}


class StrangeStreamError(Exception):
    """A stream with something that no finished file has."""


class _State(NamedTuple):
    matrix: Matrix
    clip: Rect | None = None
    fill: str = ""
    stroke: str = ""
    stroke_mm: float = -1.0
    dash_mm: tuple[float, ...] = ()
    cap: int = 0
    join: int = 0
    miter: float = MITER_LIMIT
    opacity: tuple[float, float] = (1.0, 1.0)

    def paint(self, operator: str) -> Paint:
        """Return what an operator paints with."""
        fills, strokes, is_even_odd = _PAINTS[operator]
        paint = Paint(fill=self.fill if fills else None, even_odd=is_even_odd)
        join = self.join or (0 if self.miter == MITER_LIMIT else -int(self.miter))
        stroke = (self.stroke, self.stroke_mm) if strokes else (None, 0.0)
        opacities = self.opacity[0] if fills else 1.0, self.opacity[1] if strokes else 1.0
        lines = (self.dash_mm, self.cap, join) if strokes else ((), 0, 0)
        return Paint(paint.fill, *stroke, *opacities, *lines, is_even_odd)


class StreamReader:
    """Reads one stream: its operators, and the resources that they name."""

    def __init__(self, resources: Any, matrix: Matrix, clip: Rect | None = None, layer: str = "") -> None:
        self._resources = resources
        self._state = _State(matrix, clip)
        self._kept: list[_State] = []
        self._layer = layer
        self._path: tuple[list[str], list[float]] = [], []
        self._is_clip = False
        self._font, self._text = ("", 0.0), IDENTITY

    def marks(self, content: bytes) -> Iterator[Mark | SheetCode]:
        """Yield what the stream paints. Raises `StrangeStreamError`."""
        operands: list[str] = []
        for token in _tokens(content):
            text = token.decode("latin-1")
            if text[0] in "/[-.0123456789" and not text.startswith("BI"):
                operands.append(text)
                continue
            try:
                yield from self._take(text, operands)
            except (ValueError, KeyError, AttributeError, IndexError) as error:
                raise StrangeStreamError(f"{' '.join(operands)[:60]} {text[:20]}: {error}") from error
            operands = []
        if operands or self._kept or self._path[0]:
            raise StrangeStreamError("q without Q, a path that is not painted, or operands without an operator")

    def _take(self, operator: str, operands: list[str]) -> Iterator[Mark | SheetCode]:
        state = self._state
        if operator in _SEGMENTS:
            numbers = _floats(operands, _SEGMENTS[operator])
            self._path[0].append("r" if operator == "re" else operator)
            self._path[1].extend(numbers)
        elif operator in _PAINTS:
            outline = Outline(self._taken(), state.paint(operator))
            yield painted(outline, state.matrix, self._layer)
        elif operator == "TJ":
            place = state.matrix.after(self._text)
            yield Lettering(*self._font, operands[0][1:-1], place, state.fill)
        elif operator == "Do":
            yield from self._called(operands[0].removeprefix("/FormXob."))
        elif operator.startswith("BI"):
            yield self._code(operator)
        else:
            self._set(operator, operands)

    def _taken(self) -> Path:
        path = Path("".join(self._path[0]), tuple(self._path[1]))
        self._path = [], []
        return path

    def _set(self, operator: str, operands: list[str]) -> None:
        """Take what paints nothing by itself."""
        state = self._state
        if operator == "q":
            self._kept.append(state)
        elif operator == "Q":
            self._state = self._kept.pop()
        elif operator == "cm":
            self._state = state._replace(matrix=state.matrix.after(Matrix(*_floats(operands, 6))))
        elif operator == "W":
            self._is_clip = True
        elif operator == "n":
            path = self._taken()
            if self._is_clip:
                points = [point for _, some in points_of_parts(path) for point in some]
                box = state.matrix.around(box_of_points(points))
                self._state = state._replace(clip=box if state.clip is None else state.clip.shared(box))
                self._is_clip = False
        elif operator in ("Tf", "Tm", "BDC", "EMC"):
            self._name(operator, operands)
        elif operator not in ("BT", "ET"):
            self._state = state._replace(**self._changed(operator, operands))

    def _name(self, operator: str, operands: list[str]) -> None:
        if operator == "Tf":
            if operands[0] not in self._resources.Font:
                raise StrangeStreamError(f"{operands[0]}, which is not there")
            self._font = operands[0][1:], float(operands[1])
        elif operator == "Tm":
            self._text = Matrix(*_floats(operands, 6))
        else:
            self._layer = operands[1][1:] if operator == "BDC" else ""

    def _changed(self, operator: str, operands: list[str]) -> dict[str, Any]:
        if operator in ("rg", "RG"):
            colour = "#" + "".join(f"{round(part * 255):02x}" for part in _floats(operands, 3))
            return {"fill" if operator == "rg" else "stroke": colour}
        if operator == "gs":
            found = self._resources.ExtGState[operands[0]]
            return {"opacity": (float(found.ca), float(found.CA))}
        if operator == "d":
            dashes, phase = [float(part) for part in operands[0][1:-1].split()], float(operands[1])
            return {"dash_mm": (*dashes, *[phase] * (phase != 0))}
        (number,) = _floats(operands, 1)
        names = {"w": "stroke_mm", "J": "cap", "j": "join", "M": "miter"}
        return {names[operator]: int(number) if operator in "Jj" else number}

    def _called(self, name: str) -> Iterator[Mark | SheetCode]:
        state, thing = self._state, self._resources.XObject[f"/FormXob.{name}"]
        if not name.startswith("G-"):
            yield Drawn(name, state.matrix, state.clip)
            return
        inner = StreamReader(thing.get("/Resources", {}), state.matrix, state.clip, self._layer)
        yield from inner.marks(thing.read_bytes())

    def _code(self, image: str) -> SheetCode:
        """Return a mask of bits, which fills the unit square."""
        found = _image(image.encode("latin-1"))
        if found is None:
            raise StrangeStreamError("an image in a stream that is no code")
        across, down, digits = int(found[1]), int(found[2]), found[3].decode()
        each = len(digits) // down
        rows = [digits[at : at + each] for at in range(0, len(digits), each)]
        bits = [row + "0" * (len(row) % 2) for row in rows]
        box = self._state.matrix.around(Rect(0.0, 0.0, 1.0, 1.0))
        return SheetCode(Rect(*(round(edge, 3) for edge in box)), tuple(bytes.fromhex(row) for row in bits), across)


def glyphs_of(body: str) -> list[int]:
    """Return the glyph numbers in the body of a `TJ` array."""
    digits = "".join(_glyphs(body))
    return [int(digits[at : at + 4], 16) for at in range(0, len(digits), 4)]


def kerning_of(body: str) -> float:
    """Return the sum of the numbers between the glyphs: thousandths of an em by which the run is shorter."""
    return sum(map(float, re.sub("<[0-9A-Fa-f]*>", " ", body).split()))


def _floats(operands: list[str], count: int) -> list[float]:
    if len(operands) != count:
        raise StrangeStreamError(f"{len(operands)} operands, not {count}")
    return [float(one) for one in operands]
