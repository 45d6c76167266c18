"""Elements with places in them (boards, tracks, slots, dice): what they paint, and the cells of what stands in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.frame import Item
from duckpress.core.geometry import Point, Rect
from duckpress.core.paths import Path, PathBuilder
from duckpress.layout.elements.layout_context import Attributes, Desk, first_words
from duckpress.layout.templates.face_xml import FaceNode
from duckpress.layout.theme.theme import NONE


class CellElement(Struct, frozen=True):
    """A cell, and the element whose children fill it."""

    node: FaceNode
    cell: Rect


Part = CellElement | tuple[Item, ...]


class Furnished(NamedTuple):
    """An element in painting order: its own items, then cells and further items, items over all of them, its labels."""

    items: tuple[Item, ...]
    parts: Sequence[Part] = ()
    over: tuple[Item, ...] = ()
    labels: tuple[Item, ...] = ()


def label_items(desk: Desk, attributes: Attributes, text: str, box: Rect, valign: str, align: str) -> tuple[Item, ...]:
    """Return a label in the style of a board's labels; problems `text-overflow`, `missing-glyph`, `right-to-left`."""
    style = desk.style(attributes.get("label-style", "label"))._replace(align=align)
    if style.colour == NONE:
        return ()
    fitted = desk.typesetter.fit(text, style, box, valign=valign)
    label = f"the label {first_words(text)!r}"
    if fitted.over_mm:
        what = f"{label} is {fitted.over_mm:.1f} mm over its cell at {fitted.size_pt:g} pt"
        desk.say("text-overflow", what, "make the label's style smaller, or the cells larger")
    desk.say_unset(label, fitted, "write it otherwise", "draw it")
    return fitted.items


def path_around(polygons: Iterable[list[Point]]) -> Path:
    """Return the outline around polygons that lie side by side, without the edges that two of them share."""
    edges: dict[Point, list[Point]] = {}
    drawn: set[tuple[Point, Point]] = set()
    for polygon in polygons:
        corners = [(round(x, 4) + 0.0, round(y, 4) + 0.0) for x, y in polygon]
        for edge in zip(corners, [*corners[1:], corners[0]], strict=True):
            if (edge[1], edge[0]) in drawn:
                drawn.remove((edge[1], edge[0]))
            else:
                drawn.add(edge)
    for start, end in sorted(drawn):
        edges.setdefault(start, []).append(end)
    builder = PathBuilder()
    while edges:
        start = at = next(iter(edges))
        loop: list[Point] = []
        while True:
            loop.append(at)
            ends = edges[at]
            following = ends.pop()
            if not ends:
                del edges[at]
            at = following
            if at == start or at not in edges:
                break
        builder.polyline(_straightened(loop), is_closed=True)
    return builder.path()


def _straightened(points: list[Point]) -> list[Point]:
    """Return a closed line without the points in the middle of its straight parts."""
    kept: list[Point] = []
    for index, (x, y) in enumerate(points):
        (x1, y1), (x2, y2) = points[index - 1], points[(index + 1) % len(points)]
        if abs((x - x1) * (y2 - y) - (y - y1) * (x2 - x)) > 1e-3:
            kept.append((x, y))
    return kept
