"""Clips of SVG files -> a clip of a group where one path does, else a mask: what lies inside is white on black.

Shapes that do not touch are one clip, which is sharper, and smaller. Source: SVG 1.1, chapter 14.
"""

from __future__ import annotations

from itertools import combinations

from duckpress.art import refuse_more
from duckpress.art.svg.reader import SvgNode
from duckpress.art.svg.work import Items, SvgWork, onto_box, shape_box
from duckpress.art.values import rounded
from duckpress.core.bounds import path_bounds
from duckpress.core.frame import Group, Outline
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.core.paths import NO_PATH, Path, joined

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
