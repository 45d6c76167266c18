"""`VectorArt` -> a `Drawing`: one look of an SVG file, its classes repainted, its transforms and clips kept.

A clip is one simple shape; any other is the problem `svg-unsupported` at its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.art.attribute_values import is_drawable, length, parse_transform, rounded
from duckpress.art.bad_art import BadArt, TooMuchArt, refuse_more
from duckpress.art.svg import svg_style as svgstyle
from duckpress.art.svg.svg_file import Complaints, VectorArt, numbers_box
from duckpress.art.svg.svg_gradients import Rgba, Stop, gradient_chain, gradient_steps, read_gradient
from duckpress.art.svg.svg_paint import Painter, Paints, parse_opacity
from duckpress.art.svg.svg_paths import DESCRIPTIVE, SHAPES, placed_view, shape_path
from duckpress.art.svg.svg_reader import LINK, SvgNode
from duckpress.core.bounds import flattened, items_bounds
from duckpress.core.frame import MITER_LIMIT, MOST_FAINT, Drawing, Group, Item, Outline, Paint
from duckpress.core.geometry import IDENTITY, Matrix, Rect, translation
from duckpress.core.inks import INKS
from duckpress.core.paths import NO_PATH, Path, rectangle
from duckpress.core.problems import Problem

_CONTAINERS = ("svg", "g", "a", "symbol")
# Definitions and words: they show nothing where they stand.
_UNSEEN = frozenset(
    (
        "title", "desc", "metadata", "defs", "style", "symbol", "clipPath", "linearGradient", "radialGradient",
        "pattern", "mask", "filter", "marker",
    )
)  # fmt: skip
_CONDITIONS = ("systemLanguage", "requiredExtensions")
_FARTHEST = 1e9  # in the file's units

_Items = tuple[Item, ...]
_Draw = Callable[[SvgNode, dict[str, str], int], _Items]

_URL = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)")
_INK_CLASS = "ink-"  # what has the class ink-color shows in that ink only; several such classes are several inks
_INK_CLASSES = frozenset(_INK_CLASS + ink for ink in INKS)


def draw_art(art: VectorArt, repaint: dict[str, str], paints: Paints) -> tuple[Drawing, int, list[Problem]]:
    """Return one look of the art, how many segments its paths have, and its problems.

    `repaint` maps `class` or `class.stroke` to `#rrggbb`. What reaches outside the art's box is cut off, as every
    viewer does. Drawn in lines, every area is white with a line around it, but for those that are repainted. Art of
    which there is too much is not drawn at all.
    """
    artist = _Artist(art, repaint, paints)
    try:
        items = artist.whole()
        bounds = items_bounds(items, {})
        if bounds is not None and not all(abs(value) < _FARTHEST for value in bounds):
            raise TooMuchArt("something in it is larger than anything", "correct the file")
    except TooMuchArt as error:
        artist.complaints.complain(art.root, f"{art.path!r}: {error}", error.fix)
        return Drawing(art.box, ()), 0, artist.complaints.problems
    if bounds is not None and not art.box.holds(bounds, 1e-3 * max(art.box.width_mm, art.box.height_mm)):
        items = (Group(items, clip=rectangle(*art.box)),)
    return Drawing(art.box, items), artist.segments, artist.complaints.problems


def _paint_order(text: str) -> tuple[str, str] | None:
    """Return in which order an area and its line are painted (markers are refused), None where it is not understood."""
    words = text.split()
    if words == ["normal"]:
        return "fill", "stroke"
    if not words or len(set(words)) < len(words) or set(words) - {"fill", "stroke", "markers"}:
        return None
    first = next((word for word in words if word != "markers"), "fill")
    return ("stroke", "fill") if first == "stroke" else ("fill", "stroke")


def _in_colour(paint: Paint, rgba: Rgba) -> Paint:
    """Return a paint of an area or of a line in the colour of a step."""
    colour = "#" + "".join(f"{round(part * 255):02x}" for part in rgba[:3])
    alpha = round(rgba[3], 4)
    if paint.stroke is None:
        return replace(paint, fill=colour, fill_opacity=alpha)
    return replace(paint, stroke=colour, stroke_opacity=alpha)


class _Ramp(NamedTuple):
    """A gradient as it is written: it and those it goes on from, and its stops in this look."""

    chain: list[SvgNode]
    stops: tuple[Stop, ...]


class _Artist:
    """Draws the elements of one file in one look."""

    def __init__(self, art: VectorArt, repaint: dict[str, str], paints: Paints) -> None:
        self.complaints = Complaints(art.path)
        self.segments = 0
        self._painter = Painter(repaint, paints, self.complaints)
        self._art = art
        self._fill = paints.fill
        self._is_lined = paints.lines is not None
        self._ink_class = _INK_CLASS + paints.ink
        self._elements = 0
        self._used: list[str] = []
        self._ramps: dict[str, _Ramp | BadArt | None] = {}
        self._faint = 0  # how many elements around the one at hand are see-through
        self._view = art.box  # what per cent are of

    def whole(self) -> _Items:
        """Return the items of the file; its outermost element is styled like any other, its size is not its own."""
        inherited = {**svgstyle.INHERITED, "fill": self._fill}
        return self._shown(self._art.root, inherited, 0, self.children, is_whole=True)

    def children(self, parent: SvgNode, style: dict[str, str], depth: int) -> _Items:
        """Return the items of an element's children."""
        items: list[Item] = []
        for child in parent.children:
            items += self.element(child, style, depth + 1)
        return tuple(items)

    def element(self, part: SvgNode, style: dict[str, str], depth: int) -> _Items:
        """Return the items of one element under its transform, clip and opacity."""
        if not part.tag or part.tag in _UNSEEN:
            return ()
        self._elements += 1
        refuse_more(self._elements, "svg-drawn", "it draws more elements than a picture may have ({most})")
        refuse_more(depth, "svg-depth", "elements used in it are nested more than {most} deep", "flatten it")
        return self._shown(part, style, depth, self._inner)

    def _shown(
        self, part: SvgNode, style: dict[str, str], depth: int, draw: _Draw, *, is_whole: bool = False
    ) -> _Items:
        """Return what `draw` makes of an element, as its styles say, under its transform, clip and opacity."""
        inks = [name for name in part.attrib.get("class", "").split() if name in _INK_CLASSES]
        if inks and self._ink_class not in inks:
            return ()
        declared = svgstyle.declared_by(part, self._art.rules)
        self._look_for_refused(part, declared, is_whole=is_whole)
        if declared.get("display") == "none":
            return ()
        style = svgstyle.inherited(style, declared | self._painter.repainted(part))
        opacity = self._own_opacity(part, declared)
        self._faint += opacity < 1
        try:
            inner = draw(part, style, depth)
        except TooMuchArt:
            raise
        except BadArt as error:
            self.complaints.complain(part, f"<{part.tag}>: {error}", error.fix)
            return ()
        finally:
            self._faint -= opacity < 1
        if not inner:
            return ()
        matrix = IDENTITY if is_whole else self._matrix(part)
        clip = self._clip(part, declared.get("clip-path", "none"))
        if opacity == 0 or clip is None:
            return ()
        if matrix == IDENTITY and not clip and opacity == 1:
            return inner
        return (Group(inner, matrix, clip, opacity),)

    def _own_opacity(self, part: SvgNode, declared: dict[str, str]) -> float:
        """Return the opacity of an element as a whole."""
        opacity = parse_opacity(declared.get("opacity", "1"))
        if opacity is None:
            self.complaints.refuse(part, f"the opacity {declared['opacity'][:30]!r}")
        elif opacity < 1 and self._faint >= MOST_FAINT:
            self.complaints.refuse(part, f"more than {MOST_FAINT} see-through elements in each other")
            return 1.0
        return 1.0 if opacity is None else opacity

    def _inner(self, part: SvgNode, style: dict[str, str], depth: int) -> _Items:
        tag = part.tag
        if tag == "use":
            return self._use(part, style, depth)
        if tag == "svg":
            return self._viewport(part, part, style, depth)
        if tag in _CONTAINERS:
            return self.children(part, style, depth)
        if tag == "switch":
            return self._chosen(part, style, depth)
        if tag not in SHAPES:
            self.complaints.refuse(part, f"<{tag}>")
            return ()
        for child in part.children:
            if child.tag not in DESCRIPTIVE:
                self.complaints.refuse(child, f"<{child.tag}> in a <{tag}>")
        path = self._path(part)
        if not path or style["visibility"] != "visible":
            return ()
        return self._painted(part, path, style)

    def _painted(self, part: SvgNode, path: Path, style: dict[str, str]) -> _Items:
        """Return a path in its colours and gradients, in the order that they are painted in."""
        try:
            ramps = {name: ramp for name in ("fill", "stroke") if (ramp := self._ramp(style[name])) is not None}
        except BadArt as error:
            self.complaints.refuse(part, str(error))
            return ()
        paint = self._painter.paint(part, style, self._view, ramps)
        if not (paint.fill or paint.stroke):
            return ()
        if self._is_lined:
            ramps = {}
        order = _paint_order(style["paint-order"])
        if order is None:
            self.complaints.refuse(part, f"paint-order: {style['paint-order'][:40]}")
            order = ("fill", "stroke")
        if not ramps and (order[0] == "fill" or not (paint.fill and paint.stroke)):
            return (Outline(path, paint),)
        alone = {"fill": replace(paint, stroke=None, stroke_mm=0.0, dash_mm=()), "stroke": replace(paint, fill=None)}
        items: list[Item] = []
        for name in order:
            if name in ramps:
                items += self._shaded(part, path, alone[name], ramps[name])
            elif getattr(alone[name], name):
                items.append(Outline(path, alone[name]))
        return tuple(items)

    def _ramp(self, text: str) -> _Ramp | None:
        """Return the gradient that a fill or a stroke names, read once for all that name it; raises `BadArt`."""
        match = _URL.match(text)
        if match is None:
            return None
        name = match[1]
        if name not in self._ramps:
            try:
                chain = gradient_chain(self._art, name)
                self._ramps[name] = _Ramp(chain, self._painter.stops(chain, self._art.rules)) if chain else None
            except BadArt as error:
                self._ramps[name] = error
        ramp = self._ramps[name]
        if isinstance(ramp, BadArt):
            raise ramp
        return ramp

    def _shaded(self, part: SvgNode, path: Path, paint: Paint, ramp: _Ramp) -> _Items:
        """Return a path painted with a gradient: its steps inside of an area, or parts of a line in the steps."""
        flat = flattened(path)
        shape_box = Rect(flat.left, flat.top, flat.right - flat.left, flat.bottom - flat.top)
        densest = max((stop.rgba[3] for stop in ramp.stops), default=0.0)
        opacity = densest * (paint.fill_opacity if paint.fill else paint.stroke_opacity)
        if opacity == 0 or ((is_line := paint.stroke is not None) and paint.stroke_mm <= 0):
            return ()
        stops = tuple([Stop(stop.offset, (*stop.rgba[:3], stop.rgba[3] / densest)) for stop in ramp.stops])
        gradient = read_gradient(ramp.chain, stops, shape_box, self._view)
        reach = items_bounds((Outline(path, paint),), {})
        if gradient is None or reach is None:
            return ()
        if is_line and paint.join <= 0:
            reach = reach.grown(paint.stroke_mm * (-paint.join or MITER_LIMIT) / 2)
        is_cut = is_line or paint.even_odd
        try:
            steps = gradient_steps(gradient, reach, max(8, min(64, 20_000 // len(path.kinds))) if is_cut else 64)
        except BadArt as error:
            self.complaints.refuse(part, str(error))
            return ()
        self.segments += sum([len(step.path.kinds) + len(path.kinds) * is_cut for step in steps])
        refuse_more(self.segments, "svg-segments", "it draws more than {most} segments")
        items: list[Item] = []
        for step in steps:
            own = _in_colour(paint, step.rgba)
            if len(steps) == 1:
                items.append(Outline(path, own))
            elif is_cut:
                items.append(Group((Outline(path, own),), clip=step.path))
            else:
                items.append(Outline(step.path, own))
        if len(steps) > 1 and not is_cut:
            items = [Group(tuple(items), clip=path)]
        if opacity < 1 and self._faint >= MOST_FAINT:
            self.complaints.refuse(part, f"more than {MOST_FAINT} see-through elements in each other")
        return (Group(tuple(items), opacity=round(opacity, 4)),) if opacity < 1 else tuple(items)

    def _chosen(self, part: SvgNode, style: dict[str, str], depth: int) -> _Items:
        """Return the items of the first element of a `switch` that asks for no extension."""
        for child in part.children:
            if child.tag not in DESCRIPTIVE and not child.attrib.get("requiredExtensions", ""):
                return self.element(child, style, depth + 1)
        return ()

    def _use(self, part: SvgNode, style: dict[str, str], depth: int) -> _Items:
        href = part.attrib.get("href") or part.attrib.get(LINK, "")
        target = self._art.by_id.get(href[1:]) if href.startswith("#") else None
        if target is None:
            self.complaints.refuse(part, f"<use> of {href[:60]!r}, which is not an element of this file")
            return ()
        if href in self._used:
            self.complaints.refuse(part, f"<use> of {href[:60]!r} inside itself")
            return ()
        x, y = self._corner(part)
        self._used.append(href)
        if target.tag in ("symbol", "svg"):
            items = self._shown(
                target, style, depth + 1, lambda holder, inner, deep: self._viewport(holder, part, inner, deep)
            )
        else:
            items = self.element(target, style, depth + 1)
            items = (Group(items, translation(x, y)),) if items and (x or y) else items
        self._used.pop()
        return items

    def _corner(self, part: SvgNode) -> tuple[float, float]:
        return length(part.attrib, "x", 0.0, self._view), length(part.attrib, "y", 0.0, self._view)

    def _viewport(self, holder: SvgNode, placed: SvgNode, style: dict[str, str], depth: int) -> _Items:
        """Draw a `symbol` or inner `svg` into the rectangle that `placed` gives it."""
        around = self._view
        x, y = self._corner(placed)
        if holder is not placed and holder.tag == "svg":
            x, y = x + self._corner(holder)[0], y + self._corner(holder)[1]
        own = {key: placed.attrib[key] for key in ("width", "height") if key in placed.attrib}
        sizes = holder.attrib | own
        width = length(sizes, "width", around.width_mm, around)
        height = length(sizes, "height", around.height_mm, around)
        if width <= 0 or height <= 0:
            return ()
        written = holder.attrib.get("viewBox")
        view = None if written is None else numbers_box(written)
        if written is not None and view is None:
            raise BadArt(f"viewBox={written[:40]!r} is not four numbers with a size")
        aspect = holder.attrib.get("preserveAspectRatio", "xMidYMid")
        matrix, clip = placed_view(Rect(x, y, width, height), view, aspect)
        if not is_drawable(matrix):
            raise BadArt("it is shown larger than anything")
        self._view = view or clip
        items = self.children(holder, style, depth)
        self._view = around
        if not items:
            return ()
        overflow = svgstyle.declared_by(holder, self._art.rules).get("overflow", "hidden")
        bounds = items_bounds(items, {}) or clip
        is_clipped = overflow in ("hidden", "scroll") and (view is not None or not clip.holds(bounds))
        return (Group(items, rounded(matrix), rectangle(*clip) if is_clipped else NO_PATH),)

    def _look_for_refused(self, part: SvgNode, declared: dict[str, str], *, is_whole: bool) -> None:
        if is_whole:
            # The outermost element's own size is not asked for: whoever shows the file gives it one.
            declared = {name: value for name, value in declared.items() if name not in ("width", "height", "overflow")}
            if part.attrib.get("transform", "").strip():
                self.complaints.refuse(part, "a transform of the whole <svg>")
        for name in _CONDITIONS:
            if name in part.attrib:
                self.complaints.refuse(part, f"an element under a condition ({name})")
        for what in svgstyle.refused_by(part, declared):
            self.complaints.refuse(part, what)

    def _path(self, part: SvgNode) -> Path:
        """Return the path of a shape in the file's units, made once for all looks; raises `BadArt`."""
        key = (part, self._view)
        path = self._art.drawn.get(key)
        if path is None:
            path = self._art.drawn[key] = shape_path(part.tag, part.attrib, self._view)
        self.segments += len(path.kinds)
        refuse_more(self.segments, "svg-segments", "it draws more than {most} segments")
        return path

    def _matrix(self, part: SvgNode) -> Matrix:
        """Return the transform of an element, none where it is not understood; problem `bad-svg`."""
        try:
            return rounded(parse_transform(part.attrib.get("transform", "")))
        except BadArt as error:
            self.complaints.complain(part, f"transform: {error}", error.fix)
            return IDENTITY

    def _clip(self, part: SvgNode, text: str) -> Path | None:
        """Return a clip: empty for no clip, None where it hides everything or is not understood.

        `text` is the element's `clip-path`. Raises `TooMuchArt`; problems: `svg-unsupported`, `bad-svg`.
        """
        if text == "none":
            return NO_PATH
        match = _URL.fullmatch(text)
        holder = self._art.by_id.get(match[1]) if match else None
        inside = holder.children if holder is not None else []
        shapes = [child for child in inside if child.tag not in DESCRIPTIVE]
        shape = shapes[0] if len(shapes) == 1 else None
        if holder is None or shape is None or holder.tag != "clipPath" or shape.tag not in SHAPES:
            self.complaints.refuse(part, f"the clip {text[:40]!r} (a clip may be one simple shape)")
            return None
        declared = svgstyle.declared_by(shape, self._art.rules)
        # An inherited clip-rule reaches the shape only from what holds the clipPath; the usual way is on the shape.
        if (
            holder.attrib.get("clipPathUnits", "userSpaceOnUse") != "userSpaceOnUse"
            or declared.get("clip-rule", "nonzero") != "nonzero"
            or {"clip-path", "transform"} & {*declared, *svgstyle.declared_by(holder, self._art.rules)}
            or declared.get("display") == "none"
            or declared.get("visibility", "visible") != "visible"
        ):
            self.complaints.refuse(part, f"the clip {text[:40]!r} (its units or its rule)")
            return None
        matrix = self._matrix(holder).after(self._matrix(shape))
        try:
            path = self._path(shape)
        except TooMuchArt:
            raise
        except BadArt as error:
            self.complaints.complain(shape, str(error), error.fix)
            return None
        return (path if matrix == IDENTITY else path.mapped(matrix)) or None
