"""Content streams -> what they paint, in order, where it lies on paper. Source: ISO 32000-1, Annex A."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from duckpress.core.geometry import Matrix, Point, Rect, box_of_points
from oracle.reading.marks import Drawn, Lettering, Mark, Painted, SheetCode

_tokens = re.compile(rb"BI .*?\sID\s.*?>\s*EI|\[[^\]]*\]|[^\s\[\]]+", re.DOTALL).findall
_image = re.compile(r"BI /W (\d+) /H (\d+) /IM true /D \[1 0\] /F /AHx ID ([0-9A-F]+)>\s*EI").fullmatch
_glyphs = re.compile(r"<([0-9A-Fa-f]*)>").findall


class StrangeStreamError(Exception):
    """A stream with something that no finished file has."""


class StreamReader:
    """Reads one stream: its operators, and the resources that they name."""

    def __init__(self, resources: Any, matrix: Matrix, clip: Rect | None = None, layer: str = "") -> None:
        self._resources = resources
        self._matrix, self._clip = matrix, clip
        self._kept: list[tuple[Matrix, Rect | None]] = []
        self._layer = layer
        self._parts: list[list[Point]] = []  # of the path at hand; of a rectangle two corners
        self._is_clip = False
        self._font = ""

    def marks(self, content: bytes) -> Iterator[Mark]:
        """Yield what the stream paints. Raises `StrangeStreamError`."""
        operands: list[str] = []
        for token in _tokens(content):
            text = token.decode("latin-1")
            if text[0] in "/[-.0123456789" and not text.startswith("BI"):
                operands.append(text)
                continue
            try:
                yield from self._take(text, operands)
            except (ValueError, KeyError, AttributeError, IndexError, TypeError) as error:
                raise StrangeStreamError(f"{' '.join(operands)[:60]} {text[:20]}: {error}") from error
            operands = []
        if operands or self._kept or self._parts:
            raise StrangeStreamError("q without Q, a path that is not painted, or operands without an operator")

    def _take(self, operator: str, operands: list[str]) -> Iterator[Mark]:
        if operator in ("f", "f*", "S", "B", "B*"):
            boxes = tuple(map(box_of_points, self._taken()))
            yield Painted(self._layer, boxes)
        elif operator == "TJ":
            yield Lettering(self._font, operands[0][1:-1])
        elif operator == "Do":
            yield from self._called(operands[0].removeprefix("/FormXob."))
        elif operator.startswith("BI"):
            yield _code(operator)
        elif operator in ("m", "l", "c", "re"):
            self._extend(operator, list(map(float, operands)))
        else:
            self._set(operator, operands)

    def _extend(self, operator: str, numbers: list[float]) -> None:
        if operator == "re":
            x, y, width, height = numbers
            numbers = [x, y, x + width, y + height]
        if operator in ("m", "re"):
            self._parts.append([])
        self._parts[-1] += zip(numbers[::2], numbers[1::2], strict=True)

    def _taken(self) -> list[list[Point]]:
        parts, self._parts = self._parts, []
        return [[self._matrix.apply(*point) for point in points] for points in parts]

    def _set(self, operator: str, operands: list[str]) -> None:
        """Take what paints nothing by itself."""
        if operator == "q":
            self._kept.append((self._matrix, self._clip))
        elif operator == "Q":
            self._matrix, self._clip = self._kept.pop()
        elif operator == "cm":
            self._matrix = self._matrix.after(Matrix(*map(float, operands)))
        elif operator == "W":
            self._is_clip = True
        elif operator == "n":
            points = [point for part in self._taken() for point in part]
            if self._is_clip:
                box = box_of_points(points)
                self._clip = box if self._clip is None else self._clip.shared(box)
                self._is_clip = False
        elif operator == "Tf":
            self._font = operands[0]
        elif operator in ("BDC", "EMC"):
            self._layer = operands[1][1:] if operator == "BDC" else ""

    def _called(self, name: str) -> Iterator[Mark]:
        thing = self._resources.XObject[f"/FormXob.{name}"]
        if not name.startswith("G-"):
            yield Drawn(name, self._matrix, self._clip)
            return
        inner = StreamReader(thing.get("/Resources", {}), self._matrix, self._clip, self._layer)
        yield from inner.marks(thing.read_bytes())


def _code(image: str) -> SheetCode:
    """Return a mask of bits."""
    found = _image(image)
    if found is None:
        raise StrangeStreamError("an image in a stream that is no code")
    across, down, digits = int(found[1]), int(found[2]), found[3]
    each = len(digits) // down
    rows = (digits[at : at + each] for at in range(0, len(digits), each))
    return SheetCode(tuple(bytes.fromhex(row + "0" * (len(row) % 2)) for row in rows), across)


def glyphs_of(body: str) -> list[int]:
    """Return the glyph numbers in the body of a `TJ` array."""
    digits = "".join(_glyphs(body))
    return [int(digits[at : at + 4], 16) for at in range(0, len(digits), 4)]
