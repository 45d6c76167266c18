"""Patterns of SVG files -> their tiles over a box, each cut off at its edges where it reaches over them.

What fills a tile as one rectangle is painted once below all of them: beside each other, tiles would show their seams.
Source: SVG 1.1, section 13.3.
"""

from __future__ import annotations

import math

from msgspec.structs import replace

from duckpress.art.attribute_values import is_drawable, parse_transform, rounded
from duckpress.art.bad_art import UndrawnArt
from duckpress.art.svg.svg_reader import SvgNode
from duckpress.art.svg.svg_work import UNIT_BOX, Items, SvgWork, onto_box
from duckpress.core.bounds import items_bounds
from duckpress.core.frame import Group, Item, Outline
from duckpress.core.geometry import IDENTITY, Matrix, Rect, translation
from duckpress.core.paths import NO_PATH, RECTANGLE, rectangle

_MOST_TILES = 5_000
_MOST_ITEMS = 60_000  # of all tiles together


def draw_tiles(work: SvgWork, node: SvgNode, box: Rect, reach: Rect, depth: int) -> Items:
    """Return the tiles of a pattern, which shares of a box may be of, so far as they reach; raises `UndrawnArt`."""
    chain = work.chain(node)
    said: dict[str, str] = {}
    for one in reversed(chain):
        said |= {name: value for name, value in one.attrib.items() if name not in ("id", "href")}
    holder = next((one for one in chain if one.children), node)
    written = SvgNode(node.tag, said, node.line, node.column)
    is_of_box = said.get("patternUnits", "objectBoundingBox") != "userSpaceOnUse"
    if is_of_box and (box.width_mm <= 0 or box.height_mm <= 0):
        return ()
    tile = work.region(written, "patternUnits", box, ("0", "0", "0", "0"))
    if tile.width_mm <= 0 or tile.height_mm <= 0:
        return ()
    turned = parse_transform(said.get("patternTransform", ""))
    around = work.view
    with work.using(node):
        matrix = translation(tile.x_mm, tile.y_mm)
        if "viewBox" in said:
            placed = work.placed(tile.moved(-tile.x_mm, -tile.y_mm), written)
            matrix, work.view = matrix.after(placed.matrix), placed.view
        elif said.get("patternContentUnits") == "objectBoundingBox":
            matrix, work.view = onto_box(box), UNIT_BOX
        else:
            matrix, work.view = IDENTITY, around
        inner = work.contents(holder, depth)
    if not inner or abs(turned.a * turned.d - turned.b * turned.c) < 1e-12 or not is_drawable(matrix):
        return ()
    inner = (Group(inner, rounded(matrix)),) if matrix != IDENTITY else inner
    return _laid(work, inner, tile, turned, reach, is_clipped=_is_clipped(work, holder))


def _is_clipped(work: SvgWork, holder: SvgNode) -> bool:
    return work.declared(holder).get("overflow", "hidden") in ("hidden", "scroll")


def _laid(work: SvgWork, inner: Items, tile: Rect, turned: Matrix, reach: Rect, *, is_clipped: bool) -> Items:
    """Return a tile as often as it takes to cover a box."""
    area = turned.inverse().around(reach)
    bounds = items_bounds(inner, {})
    if bounds is None:
        return ()
    if is_clipped:
        bounds = bounds.shared(tile)
    width, height = tile.width_mm, tile.height_mm
    # Those tiles of which something reaches the area.
    first, top = math.floor((area.x_mm - bounds.right_mm) / width), math.floor((area.y_mm - bounds.bottom_mm) / height)
    last, bottom = math.ceil((area.right_mm - bounds.x_mm) / width), math.ceil((area.bottom_mm - bounds.y_mm) / height)
    count = (last - first + 1) * (bottom - top + 1)
    if not count <= _MOST_TILES:
        raise UndrawnArt(f"a pattern of more than {_MOST_TILES} tiles")
    ground, inner = _ground(inner, tile) if is_clipped else (None, inner)
    items: list[Item] = []
    if ground is not None:
        items.append(replace(ground, path=rectangle(*area.grown(max(area.width_mm, area.height_mm) / 100))))
    whole = items_bounds(inner, {})
    if whole is not None:
        if count * _count(inner) > _MOST_ITEMS:
            raise UndrawnArt(f"a pattern of more than {_MOST_ITEMS} shapes")
        work.count(count * _segments(inner))
        clip = rectangle(*tile) if is_clipped and not tile.holds(whole, 1e-4) else NO_PATH
        for row in range(top, bottom + 1):
            for column in range(first, last + 1):
                at = rounded(translation(column * width, row * height))
                here = whole.moved(at.e, at.f)
                if not here.is_apart(area):
                    items.append(Group(inner, at, clip))
    return (Group(tuple(items), rounded(turned)),) if turned != IDENTITY else tuple(items)


def _ground(inner: Items, tile: Rect) -> tuple[Outline | None, Items]:
    """Return what paints a tile as one rectangle before all else, and what is painted over it."""
    first = inner[0]
    if isinstance(first, Group) and len(inner) == 1 and not first.clip and not first.is_blended:
        a, b, c, d, _, _ = first.matrix
        if b == c == 0 and a > 0 and d > 0:
            ground, rest = _ground(first.items, first.matrix.inverse().around(tile))
            return ground, (replace(first, items=rest),) if rest else ()
    if (
        isinstance(first, Outline)
        and first.path.kinds == RECTANGLE
        and first.paint.stroke is None
        and Rect(*first.path.numbers).holds(tile, 1e-4 * max(tile.width_mm, tile.height_mm))
    ):
        return first, inner[1:]
    return None, inner


def _count(items: Items) -> int:
    return sum([1 + (_count(item.items) if isinstance(item, Group) else 0) for item in items])


def _segments(items: Items) -> int:
    return sum([_segments(item.items) if isinstance(item, Group) else len(item.path.kinds)
                for item in items if isinstance(item, Group | Outline)])  # fmt: skip
