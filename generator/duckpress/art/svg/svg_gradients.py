"""SVG gradients as they are written -> their numbers and stops, over the chain of those that they go on from.

Source: SVG 1.1, chapter 13; SVG 2, 14.2.4, for a focal point that lies outside.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from duckpress.art.attribute_values import length, parse_number, parse_transform
from duckpress.art.bad_art import UndrawnArt
from duckpress.art.svg.svg_file import VectorArt
from duckpress.art.svg.svg_paths import DESCRIPTIVE
from duckpress.art.svg.svg_reader import LINK, SvgNode
from duckpress.core.geometry import Matrix, Rect

TAGS = ("linearGradient", "radialGradient")
_MOST_STOPS = 100
_NEAREST = 0.99  # how near to the edge of its circle a focal point may lie, in radii
_UNIT_BOX = Rect(0.0, 0.0, 1.0, 1.0)

Rgba = tuple[float, float, float, float]


class Stop(NamedTuple):
    """A place on a gradient, 0 to 1, and its colour and opacity, 0 to 1 each."""

    offset: float
    rgba: Rgba


class Gradient(NamedTuple):
    """A gradient: its numbers (x1 y1 x2 y2, or cx cy r fx fy) under a matrix, and its stops."""

    numbers: tuple[float, ...]
    matrix: Matrix
    stops: tuple[Stop, ...]


def gradient_chain(art: VectorArt, name: str) -> list[SvgNode]:
    """Return a gradient and those that it goes on from by `href`, empty where it is none; raises `UndrawnArt`."""
    chain: list[SvgNode] = []
    node = art.by_id.get(name)
    while node is not None and node.tag in TAGS:
        if node in chain or len(chain) > _MOST_STOPS:
            raise UndrawnArt(f"the gradient {name[:40]!r} goes on from itself")
        chain.append(node)
        href = node.attrib.get("href") or node.attrib.get(LINK, "")
        if href and not href.startswith("#"):
            raise UndrawnArt(f"a gradient of another file ({href[:40]!r})")
        if len(node.children) > _MOST_STOPS:
            raise UndrawnArt(f"a gradient of more than {_MOST_STOPS} stops")
        if any(child.tag not in (*DESCRIPTIVE, "stop") or child.children for child in node.children):
            raise UndrawnArt("a gradient that holds more than stops")
        node = art.by_id.get(href[1:]) if href.startswith("#") else None
    return chain


def read_gradient(chain: list[SvgNode], stops: tuple[Stop, ...], box: Rect, view: Rect) -> Gradient | None:
    """Return a gradient for a shape with a box; None where it paints nothing. Raises `UndrawnArt`."""
    said: Mapping[str, str] = {}
    for node in reversed(chain):
        # Numbers are taken from gradients of the same kind only.
        own = node.attrib if node.tag == chain[0].tag else _common(node.attrib)
        said = {**said, **own}
    is_of_box = said.get("gradientUnits", "objectBoundingBox") == "objectBoundingBox"
    if is_of_box and (box.width_mm <= 0 or box.height_mm <= 0):
        return None
    around = _UNIT_BOX if is_of_box else view
    matrix = parse_transform(said.get("gradientTransform", ""))
    if is_of_box:
        matrix = Matrix(box.width_mm, 0.0, 0.0, box.height_mm, box.x_mm, box.y_mm).after(matrix)

    def number(name: str, share: float) -> float:
        return length({name: said.get(name, f"{share:g}%")}, name, 0.0, around)

    if chain[0].tag == "linearGradient":
        numbers = tuple(number(name, share) for name, share in (("x1", 0), ("y1", 0), ("x2", 100), ("y2", 0)))
    else:
        cx, cy, r = number("cx", 50), number("cy", 50), number("r", 50)
        fx = number("fx", 0) if "fx" in said else cx
        fy = number("fy", 0) if "fy" in said else cy
        if said.get("fr", "0").strip("%") not in ("0", "0.0"):
            raise UndrawnArt("a focal circle (fr)")
        away = math.hypot(fx - cx, fy - cy)
        if r > 0 and away > r * _NEAREST:
            fx, fy = cx + (fx - cx) * r * _NEAREST / away, cy + (fy - cy) * r * _NEAREST / away
        numbers = (cx, cy, r, fx, fy)
    if said.get("spreadMethod", "pad") in ("reflect", "repeat"):
        raise UndrawnArt("a gradient that is repeated")
    return Gradient(numbers, matrix, stops)


def _common(attributes: Mapping[str, str]) -> dict[str, str]:
    names = ("gradientUnits", "gradientTransform", "spreadMethod")
    return {name: attributes[name] for name in names if name in attributes}


def stop_offset(text: str) -> float:
    """Return the offset of a stop, 0 to 1."""
    value = parse_number(text.strip().removesuffix("%"))
    if value is None:
        return 0.0
    return min(1.0, max(0.0, value / 100 if text.strip().endswith("%") else value))
