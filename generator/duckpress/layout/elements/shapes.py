"""SVG's shapes in a layout -> painted outlines; containers -> the cells of their children.

The coordinates of a shape count from the top left of its cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from duckpress.art import BadArt
from duckpress.art.svg.paths import parse_path, parse_points
from duckpress.art.values import CAPS, JOINS, dash_lengths, parse_number, parse_numbers, parse_transform, rounded
from duckpress.core import paths
from duckpress.core.frame import Group, Item, Outline, Paint
from duckpress.core.geometry import IDENTITY, Matrix, Point, Rect, added, translation
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.paths import NO_PATH, Path, rectangle
from duckpress.layout.elements.layout_context import Attributes, LayoutContext, first_words, whole_number
from duckpress.layout.face_xml import FaceNode

Leaf = Callable[[LayoutContext, Attributes, Rect], tuple[Item, ...]]

DEFAULT_STROKE_MM = 0.25


def read_paint(context: LayoutContext, attributes: Attributes, fill: str = "none", stroke: str = "none") -> Paint:
    """Return the paint of a shape; `fill` and `stroke` are its default colours.

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
    """Return a path as an item; no item if it would be invisible."""
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
    """Return a path painted by its attributes; `stroke` is the default colour."""
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
    """Return a straight line; by default it runs along the top of the cell."""
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
    """Return the element function of a shape, from the function that makes its path in a cell.

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
    """Return the path in an attribute; problem `bad-path`."""
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
    """Return the points in `points`, two or more; problem `bad-path`."""
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


Height = Callable[[FaceNode, Rect], float]
# A track is a row or a column: (fixed mm, weight of its share); one of the two is 0.
Track = tuple[float, float]

_TINY_MM = 1e-6
# What its own points place wants no room; and a text says itself that it does not fit.
_NEEDS_NO_ROOM = ("ground", "g", "line", "polyline", "polygon", "path", "text")


def panel(context: LayoutContext, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return a container's own background and edge."""
    if "fill" not in attributes and "stroke" not in attributes:
        return ()
    box = context.box(attributes, cell)
    path = rectangle(*box, context.size(attributes, "rx", 0.0))
    return drawn(context, attributes, path)


def inner_box(context: LayoutContext, attributes: Attributes, cell: Rect) -> Rect:
    """Return the box for a container's children: its own box without the padding.

    Problems: `bad-length`, and `box-overflow` where the padding leaves nothing of the box, which is then given whole.
    """
    box = context.box(attributes, cell)
    if "padding" not in attributes:
        return box
    numbers = parse_numbers(attributes["padding"])
    if numbers is None or len(numbers) not in (1, 2, 4) or min(numbers) < 0:
        what = f"padding={attributes['padding'][:40]!r} is not one, two or four lengths"
        context.say("bad-length", what, "write all, or 'v h', or 't r b l'")
        return box
    top, right, bottom, left = (numbers * 4)[:4] if len(numbers) < 4 else numbers
    for room_mm, taken_mm, way in ((box.width_mm, left + right, "wide"), (box.height_mm, top + bottom, "high")):
        if room_mm > 0 and taken_mm > room_mm - _TINY_MM:
            what = f"the padding takes {taken_mm:.4g} mm of a box that is {room_mm:.4g} mm {way}"
            context.say("box-overflow", what, "make the padding smaller, or the box larger")
            return box
    width_mm, height_mm = max(0.0, box.width_mm - left - right), max(0.0, box.height_mm - top - bottom)
    return Rect(box.x_mm + left, box.y_mm + top, width_mm, height_mm)


def line_cells(context: LayoutContext, parent: FaceNode, box: Rect, height: Height) -> list[Rect]:
    """Return the cells of a row's children, side by side, or of a column's, one below the other.

    They are fixed (`width` or `height`), `auto` (texts of a column: as high as they are), or a share of the rest
    weighted by `grow`. Texts that would together be higher than the room left for them share it, and shrink as far as
    they may.
    """
    is_row = parent.tag == "row"
    name, way, room_mm = ("width", "wide", box.width_mm) if is_row else ("height", "high", box.height_mm)
    gap_mm = context.size(parent.attrib, "gap", 0.0)
    tracks = []
    natural: list[int] = []
    for index, child in enumerate(parent.children):
        context.go_to(child.at)
        if not is_row and child.tag == "text" and child.attrib.get("height") == "auto":
            natural.append(index)
            tracks.append((height(child, box._replace(height_mm=1000.0)), 0.0))
        else:
            tracks.append(_track(context, child, name))
    if natural:
        fixed_mm = added(tracks[index][0] for index in range(len(tracks)) if index not in natural)
        left_mm = max(0.0, room_mm - fixed_mm - gap_mm * (len(tracks) - 1))
        wanted_mm = added(tracks[index][0] for index in natural)
        if wanted_mm > left_mm:
            for index in natural:
                tracks[index] = (tracks[index][0] * left_mm / wanted_mm, 0.0)
    context.go_to(parent.at)
    spans = _spans(context, tracks, room_mm, gap_mm, way, [(child,) for child in parent.children])
    if is_row:
        return [Rect(box.x_mm + start, box.y_mm, length, box.height_mm) for start, length in spans]
    return [Rect(box.x_mm, box.y_mm + start, box.width_mm, length) for start, length in spans]


def grid_cells(context: LayoutContext, parent: FaceNode, box: Rect, _height: Height) -> list[Rect]:
    """Return all cells of a grid, row by row; problem `bad-grid`, also for more children than cells."""
    attributes = parent.attrib
    columns = _tracks(context, attributes, "columns", 1)
    rows = _tracks(context, attributes, "rows", -(-len(parent.children) // len(columns)) or 1)
    if len(parent.children) > len(columns) * len(rows):
        grid = f"{len(columns)} column{'s' * (len(columns) != 1)} and {len(rows)} row{'s' * (len(rows) != 1)}"
        what = f"{len(parent.children)} children do not fit a grid of {grid}"
        context.say("bad-grid", what, "add rows or columns")
    gap_mm = context.size(attributes, "gap", 0.0)
    many, children = len(columns), parent.children
    in_columns = [children[column::many] for column in range(many)]
    in_rows = [children[row * many : (row + 1) * many] for row in range(len(rows))]
    across = _spans(context, columns, box.width_mm, gap_mm, "wide", in_columns)
    down = _spans(context, rows, box.height_mm, gap_mm, "high", in_rows)
    return [Rect(box.x_mm + x, box.y_mm + y, width, high) for y, high in down for x, width in across]


CELLS: dict[str, Callable[[LayoutContext, FaceNode, Rect, Height], list[Rect]]] = {
    "stack": lambda _context, parent, box, _height: [box] * len(parent.children),
    "row": line_cells,
    "column": line_cells,
    "grid": grid_cells,
}


def _track(context: LayoutContext, child: FaceNode, name: str) -> Track:
    written = child.attrib.get(name)
    if written == "auto":
        fix = "give it a length, or none for a share of the space"
        context.say("bad-length", f"{name}='auto' is only for the height of texts in a column", fix)
    elif written is not None:
        return context.size(child.attrib, name, 0.0), 0.0
    return 0.0, context.number(child.attrib, "grow", 1.0, 0.001, 1000.0)


def _tracks(context: LayoutContext, attributes: Attributes, name: str, default: int) -> list[Track]:
    words = attributes.get(name, str(default)).split()
    most = limit("grid-tracks")
    number = whole_number(words[0]) if len(words) == 1 else None
    if number is not None and 1 <= number <= most:
        return [(0.0, 1.0)] * number
    if len(words) > most or (number is not None and number > most):
        fix = f"take fewer; {how_to_raise('grid-tracks')}"
        context.say("bad-grid", f"a grid has at most {most} {name}", fix)
        return [(0.0, 1.0)]
    tracks: list[Track] = []
    for word in words:
        length = parse_number(word.removesuffix("*") or "1")
        if length is None or length <= 0:
            tracks = []
            break
        tracks.append((0.0, length) if word.endswith("*") else (length, 0.0))
    if not tracks:
        what = f"{name}={attributes.get(name, '')[:40]!r} is neither a number of {name} nor a list such as '20 * 2*'"
        context.say("bad-grid", what, f"write how many {name}, or their sizes")
        return [(0.0, 1.0)] * default
    return tracks


def _needs_room(child: FaceNode) -> bool:
    """Return whether a child takes room in its container: not a spacer, nor a shape with points of its own."""
    if child.tag in CELLS and not {"fill", "stroke"} & child.attrib.keys():
        return any(map(_needs_room, child.children))
    return child.tag not in _NEEDS_NO_ROOM


def _spans(
    context: LayoutContext,
    tracks: Sequence[Track],
    room_mm: float,
    gap_mm: float,
    way: str,
    children: Sequence[Sequence[FaceNode]],
) -> list[tuple[float, float]]:
    """Return start and length of every track; `children` are the elements in each.

    Problem `box-overflow` where the fixed ones are longer than the room, or leave nothing to what needs a share of it.
    """
    fixed_mm = added(fixed for fixed, _ in tracks) + gap_mm * max(0, len(tracks) - 1)
    weights = added(weight for _, weight in tracks)
    free_mm = room_mm - fixed_mm
    if free_mm < -_TINY_MM:
        what = f"the children are {fixed_mm:.4g} mm {way} together; the room is {room_mm:.4g} mm"
        context.say("box-overflow", what, "make them smaller, or the gap")
    elif room_mm > 0 and free_mm < _TINY_MM:
        left_out = [child for (_, weight), some in zip(tracks, children, strict=True) if weight for child in some]
        if any(map(_needs_room, left_out)):
            what = f"sizes and gaps take all of the room, {room_mm:.4g} mm {way}: what shares the rest gets nothing"
            context.say("box-overflow", what, "make the sizes or the gap smaller, or the box larger")
    share_mm = max(0.0, free_mm) / weights if weights else 0.0
    spans = []
    start_mm = 0.0
    for fixed, weight in tracks:
        length_mm = fixed or weight * share_mm
        spans.append((start_mm, length_mm))
        start_mm += length_mm + gap_mm
    return spans
