"""The state of drawing one look of an SVG file: its painter, counts and open elements, and paths -> items.

Paths are painted in flat colours, or in the steps of a gradient. A clip is that of a group where one path does, else a
mask: what lies inside is white on black. Shapes that do not touch are one clip, which is sharper, and smaller. What
must not go on for ever is counted here. Source: SVG 1.1, chapter 14.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations

from msgspec.structs import replace

from duckpress.art import BadArt, UndrawnArt, refuse_more
from duckpress.art.svg import SvgNode
from duckpress.art.svg.file import Complaints, VectorArt
from duckpress.art.svg.gradients import TAGS, Stop, gradient_chain, gradient_steps
from duckpress.art.svg.paint import Painter
from duckpress.art.svg.paths import shape_path
from duckpress.art.svg.styles import declared_by, inherited
from duckpress.art.values import parse_transform, rounded
from duckpress.core.frame import (
    MITER_LIMIT,
    MOST_FAINT,
    Group,
    Item,
    Outline,
    Paint,
    flattened,
    items_bounds,
    path_bounds,
)
from duckpress.core.geometry import IDENTITY, Matrix, Rect, rect_around
from duckpress.core.paths import NO_PATH, Path, joined
from duckpress.text.fonts import FontLibrary

Style = dict[str, str]
Items = tuple[Item, ...]

_URL = re.compile(r"url\(\s*['\"]?#([^'\")]+)(?:['\"]\s*)?\)\s*")
_FLAT, _MOST_FLAT = 1e-9, 50  # a width, and the segments of a path that may have none
_ORDER = ("fill", "stroke", "markers")
_MOST_APART = 40  # shapes that are looked at in pairs
_NOTHING = Rect(0.0, 0.0, 0.0, 0.0)


class SvgWork(ABC):
    """The drawing of one look of a file; each gradient is read once."""

    def __init__(self, art: VectorArt, painter: Painter, complaints: Complaints, fonts: FontLibrary | None) -> None:
        self.art = art
        self.painter = painter
        self.complaints = complaints
        self.refuse = complaints.refuse
        self.fonts = fonts
        self.segments = 0
        self.view = art.box  # what per cent are of
        self.root_style: Style = {}
        self._faint = 0  # how many elements around the one at hand are blended as a whole
        self._used: list[SvgNode] = []
        self._parents: dict[SvgNode, SvgNode] = {}
        self._ramps: dict[str, tuple[list[SvgNode], tuple[Stop, ...]]] = {}

    @abstractmethod
    def element(self, part: SvgNode, style: Style, depth: int) -> Items:
        """Return the items of one element under its transform, clip and opacity."""

    def count(self, segments: int) -> None:
        """Count drawn segments. Raises `TooMuchArt`."""
        self.segments += segments
        refuse_more(self.segments, "svg-segments", "it draws more than {most} segments")

    def declared(self, part: SvgNode) -> Style:
        return declared_by(part, self.art.rules)

    def target(self, text: str, tag: str = "") -> SvgNode | None:
        """Return the element that a `url(#name)` refers to, or None if it has another tag or is missing."""
        match = _URL.match(text)
        node = self.art.by_id.get(match[1]) if match else None
        return node if node is not None and tag in ("", node.tag) else None

    def is_used(self, node: SvgNode) -> bool:
        """Return whether an element is drawn as part of a `use` or a clip."""
        return node in self._used

    @contextmanager
    def using(self, node: SvgNode) -> Iterator[None]:
        """Draw an element's content in another place; raises `BadArt` if it contains itself."""
        if node in self._used:
            raise UndrawnArt(f"a <{node.tag}> that is shown inside of itself")
        self._used.append(node)
        around = self.view
        try:
            yield
        finally:
            self._used.pop()
            self.view = around

    @contextmanager
    def blended(self, *, if_so: bool = True) -> Iterator[None]:
        """Draw a group that is blended as a whole. Raises `UndrawnArt` if too many are nested."""
        if if_so and self._faint >= MOST_FAINT:
            raise UndrawnArt(f"more than {MOST_FAINT} see-through elements in each other")
        self._faint += if_so
        try:
            yield
        finally:
            self._faint -= if_so

    def path(self, part: SvgNode) -> Path:
        """Return the path of a shape in the file's units, cached for all looks; raises `BadArt`."""
        key = (part, self.view)
        path = self.art.drawn.get(key)
        if path is None:
            path = self.art.drawn[key] = shape_path(part.tag, part.attrib, self.view)
        self.count(len(path.kinds))
        return path

    def matrix(self, part: SvgNode) -> Matrix:
        """Return the transform of an element, the identity for a malformed one; problem `bad-svg`."""
        try:
            return rounded(parse_transform(part.attrib.get("transform", "")))
        except BadArt as error:
            self.complaints.complain(part, f"transform: {error}", error.fix)
            return IDENTITY

    def painted(self, part: SvgNode, path: Path, style: Style, box: Rect | None = None) -> Items:
        """Return a path in its colours and gradients, in the order of painting.

        `box` is what shares of a box are of, if not of the path's. Raises `BadArt`.
        """
        style = {**style, **{name: self._paint_text(style[name]) for name in ("fill", "stroke")}}
        servers: dict[str, SvgNode] = {}
        if not self.painter.is_clip:
            servers = {name: node for name in ("fill", "stroke") if (node := self.target(style[name])) is not None}
        paint = self.painter.paint(part, style, self.view, servers)
        if paint.fill and (paint.stroke is None or paint.dash_mm or servers) and _is_flat(path):
            # PDF viewers show an area of no width as the finest line that there is.
            paint, servers = replace(paint, fill=None), {name: servers[name] for name in servers if name != "fill"}
        if self.painter.is_lined:
            servers = {}
        order = _paint_order(style["paint-order"])
        if order is None:
            self.refuse(part, f"paint-order: {style['paint-order'][:40]}")
            order = _ORDER
        is_plain = order.index("fill") < order.index("stroke") or not (paint.fill and paint.stroke)
        items: list[Item] = []
        alone = {"fill": replace(paint, stroke=None, stroke_mm=0.0, dash_mm=()), "stroke": replace(paint, fill=None)}
        for name in order:
            if name in servers:
                items += self._shaded(path, alone[name], servers[name], box)
            elif is_plain and not servers:
                if name == "fill" and (paint.fill or paint.stroke):
                    items.append(Outline(path, paint))
            elif name != "markers" and getattr(alone[name], name):
                items.append(Outline(path, alone[name]))
        return tuple(items)

    def _paint_text(self, text: str) -> str:
        """Return a paint; for a `url(...)` without a target its fallback, else `none`, as in browsers.

        Raises `UndrawnArt` for a pattern.
        """
        if (match := _URL.match(text)) is None:
            return text
        node = self.art.by_id.get(match[1])
        if node is not None and node.tag == "pattern":
            raise UndrawnArt("a <pattern>")
        if node is None or node.tag not in TAGS:
            return text[match.end() :].strip() or "none"
        return text[: match.end()].strip()

    def _shaded(self, path: Path, paint: Paint, node: SvgNode, box: Rect | None) -> Items:
        """Return a path painted with a gradient: its steps clipped to the area, or parts of its line in each step."""
        if paint.stroke is not None and paint.stroke_mm <= 0:
            return ()
        reach = items_bounds((Outline(path, paint),), {})
        if reach is None:
            return ()
        if paint.stroke is not None and paint.join <= 0:
            reach = reach.grown(paint.stroke_mm * (-paint.join or MITER_LIMIT) / 2)
        name = node.attrib["id"]
        if name not in self._ramps:
            chain = gradient_chain(self.art, name)
            self._ramps[name] = chain, self.painter.stops(chain, self.art.rules)
        chain, written = self._ramps[name]
        densest = max((stop.rgba[3] for stop in written), default=0.0)
        opacity = densest * (paint.fill_opacity if paint.fill else paint.stroke_opacity)
        if opacity == 0:
            return ()
        stops = tuple([Stop(stop.offset, (*stop.rgba[:3], stop.rgba[3] / densest)) for stop in written])
        is_cut = paint.stroke is not None or paint.even_odd
        most = max(8, min(64, 20_000 // len(path.kinds))) if is_cut else 64
        steps = gradient_steps(chain, stops, box or flattened(path).box, self.view, reach, most)
        if steps is None:
            return ()
        self.count(sum([len(area.kinds) + len(path.kinds) * is_cut for area, _ in steps]))
        items: list[Item] = []
        for area, rgba in steps:
            colour, alpha = "#" + "".join(f"{round(part * 255):02x}" for part in rgba[:3]), round(rgba[3], 4)
            if paint.stroke is None:
                own = replace(paint, fill=colour, fill_opacity=alpha)
            else:
                own = replace(paint, stroke=colour, stroke_opacity=alpha)
            if is_cut and len(steps) > 1:
                items.append(Group((Outline(path, own),), clip=area))
            else:
                items.append(Outline(area if len(steps) > 1 else path, own))
        if len(steps) > 1 and not is_cut:
            items = [Group(tuple(items), clip=path)]
        if opacity == 1:
            return tuple(items)
        with self.blended():
            return (Group(tuple(items), opacity=round(opacity, 4)),)

    def clipped(self, part: SvgNode, items: Items, text: str, depth: int) -> tuple[Items, Path]:
        """Return items under the clip that a `clip-path` names, and a second path that clips them as well.

        What names no clip of the file changes nothing, as in browsers. Raises `BadArt`.
        """
        refuse_more(depth, "svg-depth", "clips in it are nested more than {most} deep", "flatten it")
        holder = self.target(text, "clipPath")
        if holder is None:
            if text != "none" and "url(" not in text:
                self.refuse(part, f"the clip {text[:40]!r}")
            return items, NO_PATH
        with self.using(holder), self.painter.clipping():
            inner = [
                item
                for child in holder.children
                if child.tag not in ("g", "a", "svg", "switch")
                for item in self.element(child, self._style_at(holder), depth + 1)
            ]
        matrix = self.matrix(holder)
        if holder.attrib.get("clipPathUnits") == "objectBoundingBox":
            box = _shape_box(items) or _NOTHING
            onto_box = rounded(Matrix(box.width_mm, 0.0, 0.0, box.height_mm, box.x_mm, box.y_mm))
            matrix = rounded(onto_box.after(matrix))
        paths = _paths(tuple(inner), matrix)
        outer = self.declared(holder).get("clip-path", "none")
        if paths is not None:
            if not (path := joined(paths)):
                return (), NO_PATH
            if outer == "none":
                return items, path
            items = (Group(items, clip=path),)
        elif not inner:
            return (), NO_PATH
        else:
            with self.blended():
                items = (Group(items, mask=(Group(tuple(inner), matrix),) if matrix != IDENTITY else tuple(inner)),)
        if outer == "none":
            return items, NO_PATH
        with self.using(holder):
            return self.clipped(holder, items, outer, depth + 1)

    def _style_at(self, part: SvgNode) -> Style:
        """Return the inherited properties of an element at its own place in the file."""
        if not self._parents:
            self._parents = {child: node for node in self.art.root.every() for child in node.children}
        around = [part]
        while (parent := self._parents.get(around[-1])) is not None:
            around.append(parent)
        style = self.root_style
        for node in reversed(around):
            style = inherited(style, self.declared(node))
        return style


def _is_flat(path: Path) -> bool:
    """Return whether a path lies on one horizontal or vertical line, or is one straight line."""
    if path.kinds == "ml" or len(path.kinds) > _MOST_FLAT:
        return path.kinds == "ml"
    flat = flattened(path)
    return flat.right - flat.left < _FLAT or flat.bottom - flat.top < _FLAT


def _paint_order(text: str) -> tuple[str, ...] | None:
    """Return the order in which fill, stroke and markers are painted, None for a malformed value."""
    words = text.split()
    if words == ["normal"]:
        return _ORDER
    if not words or len(set(words)) < len(words) or set(words) - set(_ORDER):
        return None
    return (*words, *(word for word in _ORDER if word not in words))


def _shape_box(items: Items) -> Rect | None:
    """Return the box around shapes without their strokes; for clipped shapes, around the visible part."""
    boxes = []
    for item in items:
        if isinstance(item, Outline):
            flat = flattened(item.path)
            if flat.right >= flat.left:
                boxes.append(flat.box)
        elif isinstance(item, Group) and (inner := _shape_box(item.items)) is not None:
            if item.clip:
                inner = inner.shared(flattened(item.clip).box)
            boxes.append(item.matrix.around(inner))
    return rect_around(boxes) if boxes else None


def _paths(items: Items, matrix: Matrix) -> list[Path] | None:
    """Return the paths of shapes that can form one clip: one, or several that do not touch; else None."""
    paths: list[Path] = []
    for item in items:
        if isinstance(item, Outline) and not item.paint.even_odd:
            paths.append(item.path if matrix == IDENTITY else item.path.mapped(matrix))
        elif isinstance(item, Group) and not (item.clip or item.is_blended):
            inner = _paths(item.items, rounded(matrix.after(item.matrix)))
            if inner is None:
                return None
            paths += inner
        else:
            return None
    if len(paths) > _MOST_APART:
        return None
    pairs = combinations(map(path_bounds, paths), 2)
    return paths if all(one is None or other is None or one.is_apart(other) for one, other in pairs) else None
