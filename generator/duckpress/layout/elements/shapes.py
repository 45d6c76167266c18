"""SVG's shapes in a layout -> outlines, and how outlines are painted.

The coordinates of a shape count from the top left of its cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace

from duckpress.art import BadArt
from duckpress.art.svg.paths import parse_path, parse_points
from duckpress.art.values import CAPS, JOINS, dash_lengths, parse_transform, rounded
from duckpress.core import paths
from duckpress.core.frame import Group, Item, Outline, Paint
from duckpress.core.geometry import IDENTITY, Matrix, Point, Rect, translation
from duckpress.core.paths import NO_PATH, Path
from duckpress.layout.elements.layout_context import Attributes, LayoutContext, first_words

Leaf = Callable[[LayoutContext, Attributes, Rect], tuple[Item, ...]]

DEFAULT_STROKE_MM = 0.25


def read_paint(context: LayoutContext, attributes: Attributes, fill: str = "none", stroke: str = "none") -> Paint:
    """Return how a shape is painted; `fill` and `stroke` are the colours where the attribute is missing.

    Problems: `unknown-colour`, `bad-length`, `bad-number`, `bad-choice`.
    """
    line = context.colour(attributes.get("stroke", stroke))
    width_mm = context.size(attributes, "stroke-width", DEFAULT_STROKE_MM) if line is not None else 0.0
    if width_mm <= 0:
        line, width_mm = None, 0.0
    return Paint(
        fill=context.colour(attributes.get("fill", fill)),
        stroke=line,
        stroke_mm=width_mm,
        fill_opacity=context.number(attributes, "fill-opacity", 1.0, 0.0, 1.0),
        stroke_opacity=context.number(attributes, "stroke-opacity", 1.0, 0.0, 1.0),
        dash_mm=_dashes(context, attributes),
        cap=CAPS[context.choice(attributes, "stroke-linecap", CAPS, "butt")],
        join=JOINS[context.choice(attributes, "stroke-linejoin", JOINS, "miter")],
        even_odd=context.choice(attributes, "fill-rule", ("nonzero", "evenodd"), "nonzero") == "evenodd",
    )


def _dashes(context: LayoutContext, attributes: Attributes) -> tuple[float, ...]:
    text = attributes.get("stroke-dasharray", "")
    dashes = dash_lengths(text)
    if dashes is None:
        what = f"stroke-dasharray={text[:40]!r} is not a list of lengths"
        context.say("bad-length", what, "write dash and gap: 1.5 1")
    return dashes or ()


def painted(path: Path, paint: Paint, opacity: float = 1.0) -> tuple[Item, ...]:
    """Return a path as an item; nothing where nothing of it would show."""
    if not path or (paint.fill is None and paint.stroke is None) or opacity == 0:
        return ()
    if opacity == 1:
        return (Outline(path, paint),)
    if paint.fill is None or paint.stroke is None:
        fill, stroke = round(paint.fill_opacity * opacity, 4), round(paint.stroke_opacity * opacity, 4)
        return (Outline(path, replace(paint, fill_opacity=fill, stroke_opacity=stroke)),)
    # The inner half of the line lies over the fill: only together may they become transparent.
    return (Group((Outline(path, paint),), opacity=opacity),)


def drawn(context: LayoutContext, attributes: Attributes, path: Path, stroke: str = "none") -> tuple[Item, ...]:
    """Return a path painted as attributes say; `stroke` is the colour where the attribute is missing."""
    return painted(path, read_paint(context, attributes, stroke=stroke), context.opacity(attributes))


def ground(context: LayoutContext, attributes: Attributes, _cell: Rect) -> tuple[Item, ...]:
    """Return the fill of trim and bleed."""
    whole = Rect(0, 0, *context.format.trim).grown(context.format.bleed_mm)
    return painted(paths.rectangle(*whole), read_paint(context, attributes, fill="ground"))


def _rect(context: LayoutContext, attributes: Attributes, cell: Rect) -> Path:
    rx_mm = context.size(attributes, "rx", 0.0)
    ry_mm = context.size(attributes, "ry", rx_mm)
    return paths.rectangle(*context.box(attributes, cell), rx_mm or ry_mm, ry_mm)


def _circle(context: LayoutContext, attributes: Attributes, cell: Rect) -> Path:
    r_mm = context.size(attributes, "r", min(cell.width_mm, cell.height_mm) / 2)
    return paths.ellipse(*_centre(context, attributes, cell), r_mm, r_mm) if r_mm else NO_PATH


def _ellipse(context: LayoutContext, attributes: Attributes, cell: Rect) -> Path:
    rx_mm = context.size(attributes, "rx", cell.width_mm / 2)
    ry_mm = context.size(attributes, "ry", cell.height_mm / 2)
    return paths.ellipse(*_centre(context, attributes, cell), rx_mm, ry_mm) if rx_mm and ry_mm else NO_PATH


def _centre(context: LayoutContext, attributes: Attributes, cell: Rect) -> Point:
    x_mm = cell.x_mm + context.length(attributes, "cx", cell.width_mm / 2)
    return x_mm, cell.y_mm + context.length(attributes, "cy", cell.height_mm / 2)


def _line(context: LayoutContext, attributes: Attributes, cell: Rect) -> Path:
    """Return a straight line; what is missing runs along the top of the cell."""
    x1_mm, y1_mm = context.length(attributes, "x1", 0.0), context.length(attributes, "y1", 0.0)
    x2_mm, y2_mm = context.length(attributes, "x2", cell.width_mm), context.length(attributes, "y2", y1_mm)
    return paths.strokes([(cell.x_mm + x1_mm, cell.y_mm + y1_mm, cell.x_mm + x2_mm, cell.y_mm + y2_mm)])


def _polyline(context: LayoutContext, attributes: Attributes, _cell: Rect, *, is_closed: bool = False) -> Path | None:
    points = read_points(context, attributes)
    return None if points is None else paths.polyline(points, is_closed=is_closed)


def _shape(
    path_in: Callable[[LayoutContext, Attributes, Rect], Path | None],
    stroke: str = "none",
    *,
    is_by_points: bool = False,
) -> Leaf:
    """Return the function of a shape whose path is made for a cell.

    It is made in place; by points of its own, or where a transform has to move it, from 0, 0.
    """

    def shape(context: LayoutContext, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
        is_moved = is_by_points or "transform" in attributes
        path = path_in(context, attributes, cell._replace(x_mm=0.0, y_mm=0.0) if is_moved else cell)
        if path is None:
            return ()
        items = drawn(context, attributes, path, stroke=stroke)
        if not is_moved:
            return items
        matrix = translation(cell.x_mm, cell.y_mm).after(matrix_of(context, attributes))
        return items if matrix == IDENTITY or not items else (Group(items, rounded(matrix)),)

    return shape


SHAPES: Mapping[str, Leaf] = {
    "rect": _shape(_rect),
    "circle": _shape(_circle),
    "ellipse": _shape(_ellipse),
    "line": _shape(_line, stroke="ink"),
    "polyline": _shape(_polyline, is_by_points=True),
    "polygon": _shape(partial(_polyline, is_closed=True), is_by_points=True),
    "path": _shape(lambda context, attributes, _: read_path(context, attributes.get("d"), "d"), is_by_points=True),
}


def read_path(context: LayoutContext, data: str | None, name: str) -> Path:
    """Return the path that an attribute says; problem `bad-path`."""
    if data is None:
        context.say("bad-path", f"{name} is missing", "write SVG path data, such as d='M0 0 L10 5'")
        return NO_PATH
    try:
        return parse_path(data)
    except BadArt as error:
        context.say("bad-path", f"{name}={first_words(data[:1000])!r}: {error}", error.fix)
        return NO_PATH


def matrix_of(context: LayoutContext, attributes: Attributes) -> Matrix:
    """Return the matrix of a `transform` attribute; problem `bad-transform`."""
    text = attributes.get("transform")
    if text is None:
        return IDENTITY
    try:
        return parse_transform(text)
    except BadArt as error:
        context.say("bad-transform", f"transform: {error}", error.fix)
        return IDENTITY


def read_points(context: LayoutContext, attributes: Attributes) -> list[Point] | None:
    """Return the points that `points` says, two or more; problem `bad-path`."""
    text = attributes.get("points", "")
    try:
        points = parse_points(text)
    except BadArt as error:
        context.say("bad-path", f"points={first_words(text[:1000])!r}: {error}", error.fix)
        return None
    if points is None or len(points) < 2:
        what = f"points={first_words(text[:1000])!r} are not two points or more"
        context.say("bad-path", what, "write points='0,0 10,5'")
        return None
    return points
