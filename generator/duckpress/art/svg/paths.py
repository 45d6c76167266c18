"""SVG path data, shapes and views -> paths, and the matrices that place views.

Grammar of path data: SVG 1.1, section 8.3.9, quirks included: numbers may touch (`1-2`, `.5.5`), arc flags need no
separator (`a1 1 0 0110 10`), repeated operands repeat the command, `m` goes on as `l`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from duckpress.art import BadArt, refuse_more
from duckpress.art.values import MAX_NUMBER, length, parse_numbers
from duckpress.core.geometry import Matrix, Point, Rect, scaling, translation
from duckpress.core.limits import limit
from duckpress.core.paths import CLOSE, NO_PATH, Path, PathBuilder, arc_curves, ellipse, polyline, rectangle, strokes

_OPERANDS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}
_COMMAND = re.compile(r"[\s,]*([MmLlHhVvCcSsQqTtAaZz])")
_NUMBER = re.compile(r"[\s,]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)", re.ASCII)
_FLAG = re.compile(r"[\s,]*([01])")
_BLANK = re.compile(r"[\s,]*")
_CORRECT = "correct the path data"

SHAPES = ("rect", "circle", "ellipse", "line", "polyline", "polygon", "path")
DESCRIPTIVE = ("title", "desc", "metadata", "")
"""Tags of what may stand in a shape and changes nothing about it; the empty one is that of what is not SVG."""

_SHARES = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_ALIGNS = {f"x{across}Y{down}": (_SHARES[across], _SHARES[down]) for across in _SHARES for down in _SHARES}


def shape_path(tag: str, attributes: Mapping[str, str], view: Rect) -> Path:
    """Return the path of a shape in pixels; percentages refer to `view`. Raises `BadArt`."""

    def lengths(*names: str, default: float = 0.0) -> list[float]:
        return [length(attributes, name, default, view) for name in names]

    if tag == "path":
        return parse_path(attributes.get("d", ""))
    if tag in ("polyline", "polygon"):
        points = parse_points(attributes.get("points", ""))
        if points is None:
            raise BadArt(f"points={attributes['points'][:40]!r} are not numbers")
        return polyline(points, is_closed=tag == "polygon")
    if tag == "line":
        x1, y1, x2, y2 = lengths("x1", "y1", "x2", "y2")
        return strokes([(x1, y1, x2, y2)])
    if tag == "rect":
        x, y, width, height = lengths("x", "y", "width", "height")
        rx, ry = lengths("rx", "ry", default=-1.0)
        rx, ry = rx if rx >= 0 else max(ry, 0), ry if ry >= 0 else max(rx, 0)
        return rectangle(x, y, width, height, rx, ry) if width > 0 and height > 0 else NO_PATH
    cx, cy, rx, ry = lengths("cx", "cy", *(("r", "r") if tag == "circle" else ("rx", "ry")))
    return ellipse(cx, cy, rx, ry) if rx > 0 and ry > 0 else NO_PATH


def placed_view(port: Rect, view: Rect | None, aspect: str) -> tuple[Matrix, Rect]:
    """Return the matrix from a view's coordinates to the outer ones, and the visible part of the view.

    The view lies in a port by a `preserveAspectRatio`; without a view, by its corner alone. Raises `BadArt` where
    `aspect` is not understood. Source: SVG 1.1, section 7.8.
    """
    if view is None:
        return translation(port.x_mm, port.y_mm), Rect(0.0, 0.0, port.width_mm, port.height_mm)
    sx, sy = port.width_mm / view.width_mm, port.height_mm / view.height_mm
    align, _, how = aspect.strip().removeprefix("defer ").partition(" ")
    if align != "none":
        if align not in _ALIGNS or how.strip() not in ("", "meet", "slice"):
            raise BadArt(f"preserveAspectRatio={aspect[:40]!r} is not understood")
        sx = sy = max(sx, sy) if how.strip() == "slice" else min(sx, sy)
    across, down = _ALIGNS.get(align, (0.0, 0.0))
    x = port.x_mm + (port.width_mm - view.width_mm * sx) * across
    y = port.y_mm + (port.height_mm - view.height_mm * sy) * down
    matrix = translation(x, y).after(scaling(sx, sy)).after(translation(-view.x_mm, -view.y_mm))
    left, top = (port.x_mm - x) / sx + view.x_mm, (port.y_mm - y) / sy + view.y_mm
    return matrix, Rect(left, top, port.width_mm / sx, port.height_mm / sy)


def parse_path(data: str) -> Path:
    """Return the path of path data. Raises `BadArt` naming the place of the mistake."""
    _refuse_length(data)
    return (_kept_path if len(data) <= _LONGEST_KEPT else _parsed_path)(data, limit("path-segments"))


def _parsed_path(data: str, most: int) -> Path:
    pen = _DataPen(most)
    position, end = 0, len(data)
    while True:
        position = _BLANK.match(data, position).end()  # type: ignore[union-attr]  # it matches the empty text too
        if position >= end:
            return pen.path()
        match = _COMMAND.match(data, position)
        if match is None:
            raise BadArt(f"a command was expected at {data[position : position + 12]!r}", _CORRECT)
        command = match[1]
        if not pen.kinds and command not in "Mm":
            raise BadArt(f"path data begins with 'M', not with {command!r}", _CORRECT)
        position = _run(pen, command, data, match.end())


_LONGEST_KEPT = 2_000  # letters
_kept_path = lru_cache(maxsize=2048)(_parsed_path)  # what all cards of a deck show is the same path


def _run(pen: _DataPen, command: str, data: str, position: int) -> int:
    """Draw a command and its repetitions; return the position after them."""
    kind = command.lower()
    if kind == "z":
        pen.refuse_more()
        pen.close_subpath()
        return position
    is_relative = command == kind
    count = _OPERANDS[kind]
    is_first = True
    while True:
        operands: list[float] = []
        for index in range(count):
            match = (_FLAG if kind == "a" and index in (3, 4) else _NUMBER).match(data, position)
            if match is None:
                if operands or is_first:
                    raise BadArt(f"{command!r} lacks a number at {data[position : position + 12]!r}", _CORRECT)
                return position
            value = float(match[1])
            if abs(value) >= MAX_NUMBER:
                raise BadArt(f"the number {match[1][:20]!r} is not below {MAX_NUMBER:g}", _CORRECT)
            operands.append(value)
            position = match.end()
        pen.refuse_more()
        pen.draw(kind if is_first or kind != "m" else "l", is_relative, operands)
        is_first = False


def parse_points(text: str) -> list[Point] | None:
    """Return a list of points, or None for anything else; a last number without a partner is left out, as in SVG.

    Raises `BadArt` for too many.
    """
    _refuse_length(text)
    numbers = parse_numbers(text, len(text) + 1)
    if numbers is None:
        return None
    refuse_more(-(-len(numbers) // 2), "path-segments", "the line has more than {most} segments", error=BadArt)
    return list(zip(numbers[::2], numbers[1::2], strict=False))


def _refuse_length(data: str) -> None:
    refuse_more(len(data), "path-letters", "its data is longer than {most} letters", error=BadArt)


class _DataPen(PathBuilder):
    """The current point, the start of the subpath and the last control point, while a path is drawn."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self.x = self.y = self.start_x = self.start_y = 0.0
        self.control: tuple[str, float, float] = ("", 0.0, 0.0)  # kind of the last curve and its last control point

    def refuse_more(self) -> None:
        """Raise `BadArt` if another segment would exceed the limit."""
        if len(self.kinds) >= self._most:
            what = "the path has more than {most} segments"
            refuse_more(len(self.kinds) + 1, "path-segments", what, error=BadArt)

    def close_subpath(self) -> None:
        """Close the subpath: the current point returns to its start."""
        self.close()
        self.x, self.y, self.control = self.start_x, self.start_y, ("", 0.0, 0.0)

    def draw(self, kind: str, is_relative: bool, operands: list[float]) -> None:
        """Draw one segment; relative operands are made absolute first."""
        dx, dy = (self.x, self.y) if is_relative else (0.0, 0.0)
        if kind == "h":
            operands = [operands[0] + dx, self.y]
        elif kind == "v":
            operands = [self.x, operands[0] + dy]
        elif kind == "a":
            operands = [*operands[:5], operands[5] + dx, operands[6] + dy]
        else:
            operands = [value + (dy if index % 2 else dx) for index, value in enumerate(operands)]
        if kind == "m":
            self.x, self.y = self.start_x, self.start_y = operands[0], operands[1]
            self.move(self.x, self.y)
            self.control = ("", 0.0, 0.0)
        elif kind == "a":
            rx, ry, turn, large, sweep, x, y = operands
            curves = arc_curves((self.x, self.y), rx, ry, turn, large != 0, sweep != 0, (x, y))
            if curves is None:
                self._line(x, y)
            for control in curves or ():
                self._cubic(*control, "a")
        elif kind in "lhv":
            self._line(*operands)
        else:
            self._curve(kind, operands)

    def _curve(self, kind: str, operands: list[float]) -> None:
        """Draw a curve; the first control point of a smooth one is the mirror image of the last one before it."""
        x0, y0 = self.x, self.y
        if kind in "st":
            last, x, y = self.control
            is_alike = last == ("c" if kind == "s" else "q")
            operands = [*((2 * x0 - x, 2 * y0 - y) if is_alike else (x0, y0)), *operands]
        if kind in "cs":
            x1, y1, x2, y2, x, y = operands
            self._cubic(x1, y1, x2, y2, x, y, "c")
        else:
            qx, qy, x, y = operands
            # Raising the degree: both control points lie two thirds of the way to the quadratic one.
            x1, y1 = x0 + (qx - x0) * 2 / 3, y0 + (qy - y0) * 2 / 3
            self._cubic(x1, y1, x + (qx - x) * 2 / 3, y + (qy - y) * 2 / 3, x, y, "q")
            self.control = ("q", qx, qy)

    def _cubic(self, x1: float, y1: float, x2: float, y2: float, x: float, y: float, kind: str) -> None:
        self._begin_after_close()
        self.x, self.y, self.control = x, y, (kind, x2, y2)
        self.curve(x1, y1, x2, y2, x, y)

    def _line(self, x: float, y: float) -> None:
        self._begin_after_close()
        self.x, self.y, self.control = x, y, ("", 0.0, 0.0)
        self.line(x, y)

    def _begin_after_close(self) -> None:
        # After `z` SVG goes on from the start of the closed subpath; PDF leaves the point undefined.
        if self.kinds[-1] == CLOSE:
            self.move(self.x, self.y)
