"""Markers of SVG files: what stands at the start, the corners and the end of a line, turned as the line runs there.

Source: SVG 1.1, section 11.6; SVG 2, 13.7, for `auto-start-reverse`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from duckpress.art.attribute_values import is_drawable, length, parse_number, rounded
from duckpress.art.bad_art import BadArt, UndrawnArt
from duckpress.art.svg.svg_paint import Masking
from duckpress.art.svg.svg_reader import SvgNode
from duckpress.art.svg.svg_work import Items, Style, SvgWork
from duckpress.core.frame import Group, Item
from duckpress.core.geometry import Point, Rect, rotation, scaling, translation
from duckpress.core.paths import CLOSE, MOVE, NO_PATH, RECTANGLE, Path, rectangle

_MARKED = ("path", "line", "polyline", "polygon")
_MOST_CORNERS = 5_000
_TURNS = {"deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}


class Corner(NamedTuple):
    """A corner of a path: where it is, and the directions (degrees) in which the line comes and goes, None for none."""

    place: Point
    coming: float | None
    going: float | None

    @property
    def turn(self) -> float:
        """The direction in the middle between both, in degrees."""
        if self.coming is None or self.going is None:
            return (self.coming if self.going is None else self.going) or 0.0
        back = (self.going - self.coming + 180) % 360 - 180
        return self.coming + back / 2


def draw_markers(work: SvgWork, part: SvgNode, path: Path, style: Style, depth: int) -> Items:
    """Return the markers of a shape; raises `BadArt`."""
    names = [style[f"marker-{place}"] for place in ("start", "mid", "end")]
    if names == ["none"] * 3 or part.tag not in _MARKED or work.painter.masking is Masking.CLIP:
        return ()
    start, mid, end = (work.target(name, "marker") for name in names)
    if start is mid is end is None:
        return ()
    if len(path.kinds) > _MOST_CORNERS:
        raise UndrawnArt(f"markers on a line of more than {_MOST_CORNERS} corners")
    corners = list(path_corners(path))
    width = length(style, "stroke-width", 1.0, work.view)
    around = work.painter.context
    work.painter.context = {name: style[name] for name in ("fill", "stroke")}
    items: list[Item] = []
    try:
        for index, corner in enumerate(corners):
            holders = [start] if index == 0 else [mid] if index < len(corners) - 1 else []
            holders += [end] if index == len(corners) - 1 else []
            for at, holder in enumerate(holders):
                if holder is not None:
                    items += _marker(work, holder, corner, width, depth, is_start=index == 0 and at == 0)
    finally:
        work.painter.context = around
    return tuple(items)


def _marker(work: SvgWork, holder: SvgNode, corner: Corner, width: float, depth: int, *, is_start: bool) -> Items:
    work.count_element()
    attributes = holder.attrib
    size = [length(attributes, name, 3.0, work.view) for name in ("markerWidth", "markerHeight")]
    if min(size) <= 0:
        return ()
    scale = width if attributes.get("markerUnits", "strokeWidth") != "userSpaceOnUse" else 1.0
    orient = attributes.get("orient", "0").strip()
    turn = corner.turn if orient.startswith("auto") else _degrees(orient)
    if orient == "auto-start-reverse" and is_start:
        turn += 180
    placed = work.placed(Rect(0.0, 0.0, *size), holder)
    with work.using(holder):
        work.view = placed.view
        x, y = placed.matrix.apply(*(_reference(attributes, name, placed.view) for name in ("refX", "refY")))
        inner = work.contents(holder, depth)
        is_clipped = work.declared(holder).get("overflow", "hidden") in ("hidden", "scroll")
    if not inner:
        return ()
    inner = (Group(inner, rounded(placed.matrix), rectangle(*placed.shown) if is_clipped else NO_PATH),)
    at = translation(*corner.place).after(rotation(turn)).after(scaling(scale)).after(translation(-x, -y))
    if not is_drawable(at):
        raise BadArt("a marker is larger than anything")
    return (Group(inner, rounded(at)),)


def _reference(attributes: dict[str, str], name: str, view: Rect) -> float:
    shares = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}
    text = attributes.get(name, "0")
    axis = "x" if name == "refX" else "y"
    corner = (view.x_mm if axis == "x" else view.y_mm) if text in shares else 0.0
    return corner + length({axis: shares.get(text, text)}, axis, 0.0, view)


def _degrees(text: str) -> float:
    unit = next((unit for unit in sorted(_TURNS, key=len, reverse=True) if text.endswith(unit)), "")
    value = parse_number(text.removesuffix(unit))
    if value is None:
        raise BadArt(f"orient={text[:40]!r} is not an angle")
    return value * _TURNS.get(unit, 1.0)


def path_corners(path: Path) -> Iterator[Corner]:
    """Yield the corners of a path, in order: where its segments begin and end."""
    for sub in path.subpaths():
        points: list[Point] = []
        ways: list[tuple[float | None, float | None]] = []  # in which directions each segment begins and ends
        for kind, numbers in sub.segments():
            if kind == RECTANGLE:
                corners = Rect(*numbers).corners
                points += [*corners, corners[0]]
                ways += [(way, way) for way in (0.0, 90.0, 180.0, -90.0)]
                break
            if kind == MOVE:
                points.append((numbers[0], numbers[1]))
                continue
            ends = [points[-1], *zip(numbers[::2], numbers[1::2], strict=True)]
            if kind == CLOSE:
                ends.append(points[0])
            points.append(ends[-1])
            # Backwards, and mirrored, the end is a beginning that points the same way.
            ways.append((_direction(ends), _direction([(-x, -y) for x, y in reversed(ends)])))
        is_closed = sub.kinds[-1] in (CLOSE, RECTANGLE)
        for index, place in enumerate(points):
            coming = ways[index - 1][1] if index else ways[-1][1] if is_closed and ways else None
            going = ways[index][0] if index < len(ways) else ways[0][0] if is_closed and ways else None
            yield Corner(place, coming, going)


def _direction(points: list[Point]) -> float | None:
    """Return the direction from the first of some points to the next that lies elsewhere; None where none does."""
    x, y = points[0]
    away = next((point for point in points if math.dist(point, points[0]) > 1e-9), None)
    return None if away is None else math.degrees(math.atan2(away[1] - y, away[0] - x))
