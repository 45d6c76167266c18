"""Paths of SVG files -> items: in flat colours, or in the steps of a gradient.

A clip is that of a group where one path does, else a mask: what lies inside is white on black. Shapes that do not touch
are one clip, which is sharper, and smaller. Source: SVG 1.1, chapter 14.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.art import UndrawnArt, refuse_more
from duckpress.art.svg.gradients import TAGS, Rgba, Stop, gradient_chain, gradient_steps, read_gradient
from duckpress.art.svg.reader import SvgNode
from duckpress.art.svg.work import URL, Items, Style, SvgWork, onto_box, shape_box
from duckpress.art.values import rounded
from duckpress.core.frame import MITER_LIMIT, Group, Item, Outline, Paint, flattened, items_bounds, path_bounds
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.core.paths import NO_PATH, Path, joined

_FLAT, _MOST_FLAT = 1e-9, 50  # a width, and the segments of a path that may have none
_ORDER = ("fill", "stroke", "markers")


class _Ramp(NamedTuple):
    """A gradient as it is written: it and those it goes on from, and its stops in this look."""

    chain: list[SvgNode]
    stops: tuple[Stop, ...]


class Shading:
    """Paints the paths of one look; gradients are read once for all that name them."""

    def __init__(self, work: SvgWork) -> None:
        self._work = work
        self._ramps: dict[str, _Ramp] = {}

    def painted(self, part: SvgNode, path: Path, style: Style, box: Rect | None = None) -> Items:
        """Return a path in its colours and gradients, in the order of painting.

        `box` is what shares of a box are of, if not of the path's. Raises `BadArt`.
        """
        work = self._work
        style = {**style, **{name: self._paint_text(style[name]) for name in ("fill", "stroke")}}
        servers: dict[str, SvgNode] = {}
        if not work.painter.is_clip:
            servers = {name: node for name in ("fill", "stroke") if (node := work.target(style[name])) is not None}
        paint = work.painter.paint(part, style, work.view, servers)
        if paint.fill and (paint.stroke is None or paint.dash_mm or servers) and _is_flat(path):
            # PDF viewers show an area of no width as the finest line that there is.
            paint, servers = replace(paint, fill=None), {name: servers[name] for name in servers if name != "fill"}
        if work.painter.is_lined:
            servers = {}
        order = _paint_order(style["paint-order"])
        if order is None:
            work.refuse(part, f"paint-order: {style['paint-order'][:40]}")
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
        """Return a paint; of a `url(...)` that names nothing what stands behind it, else nothing, as in browsers.

        Raises `UndrawnArt` for a pattern.
        """
        if (match := URL.match(text)) is None:
            return text
        node = self._work.art.by_id.get(match[1])
        if node is not None and node.tag == "pattern":
            raise UndrawnArt("a <pattern>")
        if node is None or node.tag not in TAGS:
            return text[match.end() :].strip() or "none"
        return text[: match.end()].strip()

    def _ramp(self, node: SvgNode) -> _Ramp:
        name = node.attrib["id"]
        if name not in self._ramps:
            chain = gradient_chain(self._work.art, name)
            self._ramps[name] = _Ramp(chain, self._work.painter.stops(chain, self._work.art.rules))
        return self._ramps[name]

    def _shaded(self, path: Path, paint: Paint, node: SvgNode, box: Rect | None) -> Items:
        """Return a path painted with a gradient: its steps inside of an area, or parts of a line in the steps."""
        if paint.stroke is not None and paint.stroke_mm <= 0:
            return ()
        flat = flattened(path)
        box = box or Rect(flat.left, flat.top, flat.right - flat.left, flat.bottom - flat.top)
        reach = items_bounds((Outline(path, paint),), {})
        if reach is None:
            return ()
        if paint.stroke is not None and paint.join <= 0:
            reach = reach.grown(paint.stroke_mm * (-paint.join or MITER_LIMIT) / 2)
        ramp = self._ramp(node)
        densest = max((stop.rgba[3] for stop in ramp.stops), default=0.0)
        opacity = densest * (paint.fill_opacity if paint.fill else paint.stroke_opacity)
        if opacity == 0:
            return ()
        stops = tuple([Stop(stop.offset, (*stop.rgba[:3], stop.rgba[3] / densest)) for stop in ramp.stops])
        gradient = read_gradient(ramp.chain, stops, box, self._work.view)
        if gradient is None:
            return ()
        is_cut = paint.stroke is not None or paint.even_odd
        steps = gradient_steps(gradient, reach, max(8, min(64, 20_000 // len(path.kinds))) if is_cut else 64)
        self._work.count(sum([len(step.path.kinds) + len(path.kinds) * is_cut for step in steps]))
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
        if opacity == 1:
            return tuple(items)
        with self._work.blended():
            return (Group(tuple(items), opacity=round(opacity, 4)),)


def _is_flat(path: Path) -> bool:
    """Return whether a path lies on one level or upright line, or is one straight line."""
    if path.kinds == "ml" or len(path.kinds) > _MOST_FLAT:
        return path.kinds == "ml"
    flat = flattened(path)
    return flat.right - flat.left < _FLAT or flat.bottom - flat.top < _FLAT


def _paint_order(text: str) -> tuple[str, ...] | None:
    """Return in which order an area, its line and its markers are painted, None where it is not understood."""
    words = text.split()
    if words == ["normal"]:
        return _ORDER
    if not words or len(set(words)) < len(words) or set(words) - set(_ORDER):
        return None
    return (*words, *(word for word in _ORDER if word not in words))


def _in_colour(paint: Paint, rgba: Rgba) -> Paint:
    """Return a paint of an area or of a line in the colour of a step."""
    colour = "#" + "".join(f"{round(part * 255):02x}" for part in rgba[:3])
    alpha = round(rgba[3], 4)
    if paint.stroke is None:
        return replace(paint, fill=colour, fill_opacity=alpha)
    return replace(paint, stroke=colour, stroke_opacity=alpha)


_MOST_APART = 40  # shapes that are looked at in pairs
_NOTHING = Rect(0.0, 0.0, 0.0, 0.0)


def clipped(work: SvgWork, part: SvgNode, items: Items, text: str, depth: int) -> tuple[Items, Path]:
    """Return items under the clip that a `clip-path` names, and a path that they have to be clipped by besides.

    What names no clip of the file changes nothing, as in browsers. Raises `BadArt`.
    """
    refuse_more(depth, "svg-depth", "clips in it are nested more than {most} deep", "flatten it")
    holder = work.target(text, "clipPath")
    if holder is None:
        if text != "none" and "url(" not in text:
            work.refuse(part, f"the clip {text[:40]!r}")
        return items, NO_PATH
    with work.using(holder), work.painter.clipping():
        inner = [
            item
            for child in holder.children
            if child.tag not in ("g", "a", "svg", "switch")
            for item in work.draw(child, work.style_at(holder), depth + 1)
        ]
    matrix = work.matrix(holder)
    if holder.attrib.get("clipPathUnits") == "objectBoundingBox":
        matrix = rounded(onto_box(shape_box(items) or _NOTHING).after(matrix))
    paths = _paths(tuple(inner), matrix)
    outer = work.declared(holder).get("clip-path", "none")
    if paths is not None:
        if not (path := joined(paths)):
            return (), NO_PATH
        if outer == "none":
            return items, path
        items = (Group(items, clip=path),)
    elif not inner:
        return (), NO_PATH
    else:
        with work.blended():
            items = (Group(items, mask=(Group(tuple(inner), matrix),) if matrix != IDENTITY else tuple(inner)),)
    if outer == "none":
        return items, NO_PATH
    with work.using(holder):
        return clipped(work, holder, items, outer, depth + 1)


def _paths(items: Items, matrix: Matrix) -> list[Path] | None:
    """Return the paths of shapes that may be joined to one clip: one, or several that do not touch; else None."""
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
    boxes = [path_bounds(path) for path in paths]
    pairs = combinations(boxes, 2)
    return paths if all(one is None or other is None or one.is_apart(other) for one, other in pairs) else None
