"""SVG's shapes in a layout -> outlines; coordinates count from the top left of the shape's cell."""

from __future__ import annotations

from collections.abc import Callable

from duckpress.art.attribute_values import parse_transform, rounded
from duckpress.art.bad_art import BadArt
from duckpress.art.svg.path_data import parse_path, parse_points
from duckpress.core import paths
from duckpress.core.frame import Group, Item
from duckpress.core.geometry import IDENTITY, Matrix, Point, Rect, translation
from duckpress.core.paths import NO_PATH, Path
from duckpress.layout.elements.layout_context import Attributes, Desk, first_words
from duckpress.layout.elements.paint import painted, read_paint


def ground(desk: Desk, attributes: Attributes, _cell: Rect) -> tuple[Item, ...]:
    """Return the fill of trim and bleed."""
    whole = Rect(0, 0, *desk.format.trim).grown(desk.format.bleed_mm)
    return painted(paths.rectangle(*whole), read_paint(desk, attributes, fill="ground"))


def rect(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return a rectangle."""
    rx_mm = desk.size(attributes, "rx", 0.0)
    ry_mm = desk.size(attributes, "ry", rx_mm)

    def path_in(at: Rect) -> Path:
        return paths.rectangle(*desk.box(attributes, at), rx_mm or ry_mm, ry_mm)

    return _shape(desk, attributes, cell, path_in)


def circle(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return a circle; without attributes it fills its cell."""

    def path_in(at: Rect) -> Path:
        cx_mm = at.x_mm + desk.length(attributes, "cx", at.width_mm / 2)
        cy_mm = at.y_mm + desk.length(attributes, "cy", at.height_mm / 2)
        r_mm = desk.size(attributes, "r", min(at.width_mm, at.height_mm) / 2)
        return paths.ellipse(cx_mm, cy_mm, r_mm, r_mm) if r_mm else NO_PATH

    return _shape(desk, attributes, cell, path_in)


def ellipse(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return an ellipse; without attributes it fills its cell."""

    def path_in(at: Rect) -> Path:
        cx_mm = at.x_mm + desk.length(attributes, "cx", at.width_mm / 2)
        cy_mm = at.y_mm + desk.length(attributes, "cy", at.height_mm / 2)
        rx_mm = desk.size(attributes, "rx", at.width_mm / 2)
        ry_mm = desk.size(attributes, "ry", at.height_mm / 2)
        return paths.ellipse(cx_mm, cy_mm, rx_mm, ry_mm) if rx_mm and ry_mm else NO_PATH

    return _shape(desk, attributes, cell, path_in)


def line(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return a straight line; what is missing runs along the top of the cell."""

    def path_in(at: Rect) -> Path:
        x1_mm, y1_mm = desk.length(attributes, "x1", 0.0), desk.length(attributes, "y1", 0.0)
        x2_mm, y2_mm = desk.length(attributes, "x2", at.width_mm), desk.length(attributes, "y2", y1_mm)
        return paths.strokes([(at.x_mm + x1_mm, at.y_mm + y1_mm, at.x_mm + x2_mm, at.y_mm + y2_mm)])

    return _shape(desk, attributes, cell, path_in, stroke="ink")


def polyline(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return lines through points."""
    return _points(desk, attributes, cell, is_closed=False)


def polygon(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return a closed line through points."""
    return _points(desk, attributes, cell, is_closed=True)


def path(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return SVG path data as an outline; problem `bad-path`."""
    drawn = read_path(desk, attributes.get("d"), "d")
    return _under(desk, attributes, cell, painted(drawn, read_paint(desk, attributes), desk.opacity(attributes)))


def read_path(desk: Desk, data: str | None, name: str) -> Path:
    """Return the path that an attribute says; problem `bad-path`."""
    if data is None:
        desk.say("bad-path", f"{name} is missing", "write SVG path data, such as d='M0 0 L10 5'")
        return NO_PATH
    try:
        return parse_path(data)
    except BadArt as error:
        desk.say("bad-path", f"{name}={first_words(data[:1000])!r}: {error}", error.fix)
        return NO_PATH


def matrix_of(desk: Desk, attributes: Attributes) -> Matrix:
    """Return the matrix of a `transform` attribute; problem `bad-transform`."""
    text = attributes.get("transform")
    if text is None:
        return IDENTITY
    try:
        return parse_transform(text)
    except BadArt as error:
        desk.say("bad-transform", f"transform: {error}", error.fix)
        return IDENTITY


def read_points(desk: Desk, attributes: Attributes) -> list[Point] | None:
    """Return the points that `points` says, two or more; problem `bad-path`."""
    text = attributes.get("points", "")
    try:
        points = parse_points(text)
    except BadArt as error:
        desk.say("bad-path", f"points={first_words(text[:1000])!r}: {error}", error.fix)
        return None
    if points is None or len(points) < 2:
        what = f"points={first_words(text[:1000])!r} are not two points or more"
        desk.say("bad-path", what, "write points='0,0 10,5'")
        return None
    return points


def _points(desk: Desk, attributes: Attributes, cell: Rect, *, is_closed: bool) -> tuple[Item, ...]:
    points = read_points(desk, attributes)
    if points is None:
        return ()
    drawn = paths.polyline(points, is_closed=is_closed)
    return _under(desk, attributes, cell, painted(drawn, read_paint(desk, attributes), desk.opacity(attributes)))


def _shape(
    desk: Desk, attributes: Attributes, cell: Rect, path_in: Callable[[Rect], Path], stroke: str = "none"
) -> tuple[Item, ...]:
    """Paint a shape whose path is made for a cell: in place, or from 0, 0 where a transform has to move it."""
    paint, opacity = read_paint(desk, attributes, stroke=stroke), desk.opacity(attributes)
    if "transform" not in attributes:
        return painted(path_in(cell), paint, opacity)
    return _under(desk, attributes, cell, painted(path_in(cell._replace(x_mm=0.0, y_mm=0.0)), paint, opacity))


def _under(desk: Desk, attributes: Attributes, cell: Rect, items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Move items from 0, 0 to their cell, under their own transform."""
    matrix = translation(cell.x_mm, cell.y_mm).after(matrix_of(desk, attributes))
    return items if matrix == IDENTITY or not items else (Group(items, rounded(matrix)),)
