"""Gradients of SVG files -> steps of one colour each, laid over each other so that no seam shows between them.

Printed are flat areas, so that a gradient is proven, changed to grey and looked at like anything else: one step for
every `_LEVELS` of 255 that a colour changes by, which no eye parts. Of a gradient that fades, steps lie over each other
as long as it grows denser; what lies below a step is then reckoned out of its colour. Source: SVG 1.1, chapter 13;
SVG 2, 14.2.4, for a focal point that lies outside.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from duckpress.art import UndrawnArt
from duckpress.art.svg import LINK, SvgNode
from duckpress.art.svg.file import VectorArt
from duckpress.art.svg.paths import DESCRIPTIVE
from duckpress.art.values import length, parse_transform
from duckpress.core.geometry import Matrix, Rect, added
from duckpress.core.paths import Path, ellipse, joined, polyline, rectangle

TAGS = ("linearGradient", "radialGradient")
_MOST_STOPS = 100
_NEAREST = 0.99  # how near to the edge of its circle a focal point may lie, in radii
_UNIT_BOX = Rect(0.0, 0.0, 1.0, 1.0)
_COMMON = ("gradientUnits", "gradientTransform", "spreadMethod")
_LEVELS = 4  # of 255: the change of colour that makes a step
_SLIP = 0.02  # how far out of range the colour of a step over others may come, of 1

Rgba = tuple[float, float, float, float]
Step = tuple[Path, Rgba]


class Stop(NamedTuple):
    """A place on a gradient, 0 to 1, and its colour and opacity, 0 to 1 each."""

    offset: float
    rgba: Rgba


class _Band(NamedTuple):
    start: float
    end: float
    rgba: Rgba


def gradient_chain(art: VectorArt, name: str) -> list[SvgNode]:
    """Return a gradient and those that it inherits from by `href`, empty if it is no gradient; raises `UndrawnArt`."""
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


def gradient_steps(
    chain: list[SvgNode], stops: Sequence[Stop], box: Rect, view: Rect, reach: Rect, most: int
) -> list[Step] | None:
    """Return the single-colour areas that paint a gradient in a shape's box, in the order of painting.

    They cover `reach`, and are about as many as `most`. None where the gradient paints nothing; raises `UndrawnArt`.
    """
    said: dict[str, str] = {}
    for node in reversed(chain):
        # Numbers are taken from gradients of the same kind only.
        said |= {name: text for name, text in node.attrib.items() if node.tag == chain[0].tag or name in _COMMON}
    is_of_box = said.get("gradientUnits", "objectBoundingBox") == "objectBoundingBox"
    if is_of_box and (box.width_mm <= 0 or box.height_mm <= 0):
        return None
    matrix = parse_transform(said.get("gradientTransform", ""))
    if is_of_box:
        matrix = Matrix(box.width_mm, 0.0, 0.0, box.height_mm, box.x_mm, box.y_mm).after(matrix)
    is_linear = chain[0].tag == "linearGradient"
    numbers = (_line_of if is_linear else _circle_of)(said, _UNIT_BOX if is_of_box else view)
    if said.get("spreadMethod", "pad") in ("reflect", "repeat"):
        raise UndrawnArt("a gradient that is repeated")
    ordered: list[Stop] = []
    for stop in stops:
        ordered.append(Stop(max(stop.offset, ordered[-1].offset) if ordered else stop.offset, stop.rgba))
    steps: list[Step] | None = None
    if len(ordered) > 1 and abs(_area(matrix)) >= 1e-12:
        steps = (_linear_steps if is_linear else _radial_steps)(numbers, matrix, ordered, reach, most)
    return steps if steps is not None else [(rectangle(*reach), ordered[-1].rgba)]


def _number(said: Mapping[str, str], name: str, share: float, around: Rect) -> float:
    return length({name: said.get(name, f"{share:g}%")}, name, 0.0, around)


def _line_of(said: Mapping[str, str], around: Rect) -> tuple[float, ...]:
    """Return x1 y1 x2 y2 of a gradient along a line."""
    return tuple(_number(said, name, share, around) for name, share in (("x1", 0), ("y1", 0), ("x2", 100), ("y2", 0)))


def _circle_of(said: Mapping[str, str], around: Rect) -> tuple[float, ...]:
    """Return cx cy r fx fy of a gradient around a focal point."""
    cx, cy, r = (_number(said, name, 50, around) for name in ("cx", "cy", "r"))
    fx = _number(said, "fx", 0, around) if "fx" in said else cx
    fy = _number(said, "fy", 0, around) if "fy" in said else cy
    if said.get("fr", "0").strip("%") not in ("0", "0.0"):
        raise UndrawnArt("a focal circle (fr)")
    away = math.hypot(fx - cx, fy - cy)
    if r > 0 and away > r * _NEAREST:
        fx, fy = cx + (fx - cx) * r * _NEAREST / away, cy + (fy - cy) * r * _NEAREST / away
    return cx, cy, r, fx, fy


def _area(matrix: Matrix) -> float:
    return matrix.a * matrix.d - matrix.b * matrix.c


def _linear_steps(
    numbers: tuple[float, ...], matrix: Matrix, stops: list[Stop], reach: Rect, most: int
) -> list[Step] | None:
    """Return strips across a gradient line; None if it has no length."""
    x1, y1, x2, y2 = numbers
    dx, dy = x2 - x1, y2 - y1
    along = dx * dx + dy * dy
    if along < 1e-18:
        return None
    inverse = matrix.inverse()
    corners = [inverse.apply(*corner) for corner in reach.corners]
    ts = [((x - x1) * dx + (y - y1) * dy) / along for x, y in corners]
    across = [((y - y1) * dx - (x - x1) * dy) / along for x, y in corners]
    left, right = min(across), max(across)

    def strip(start: float, end: float) -> Path:
        ends = ((start, left), (end, left), (end, right), (start, right))
        points = [matrix.apply(x1 + t * dx - s * dy, y1 + t * dy + s * dx) for t, s in ends]
        return polyline(points, is_closed=True)

    bands = _bands(stops, min(ts), max(ts), most)
    return [(strip(start, end), rgba) for start, end, rgba in _laid_over(bands)]


def _radial_steps(
    numbers: tuple[float, ...], matrix: Matrix, stops: list[Stop], reach: Rect, most: int
) -> list[Step] | None:
    """Return rings around a point; None if the circle has no size."""
    cx, cy, r, fx, fy = numbers
    if r <= 0:
        return None

    def disc(t: float) -> Path:
        """Return a circle under the matrix, clockwise, rounded after the mapping."""
        if t == math.inf:
            return rectangle(*reach)
        x, y = matrix.apply(fx + (cx - fx) * t, fy + (cy - fy) * t)
        part = r * t / 1000
        unit = ellipse(0.0, 0.0, 1000.0, 1000.0)
        circle = unit.mapped(Matrix(matrix.a * part, matrix.b * part, matrix.c * part, matrix.d * part, x, y))
        return circle if _area(matrix) > 0 else _backwards(circle)

    def ring(start: float, end: float) -> Path:
        # The inner edge runs the other way round, so that what lies in it stays empty.
        return joined([disc(end), _backwards(disc(start))]) if start > 0 else disc(end)

    bands = _bands(stops, 0.0, math.inf, most)
    return [(ring(start, end), rgba) for start, end, rgba in _laid_over(bands, outwards=False)]


def _backwards(path: Path) -> Path:
    """Return a closed path of curves in the opposite direction."""
    numbers = path.numbers
    points = list(zip(numbers[::2], numbers[1::2], strict=True))[::-1]
    return Path(path.kinds, tuple([value for point in points for value in point]))


def _bands(stops: list[Stop], low: float, high: float, most: int) -> list[_Band]:
    """Return adjacent bands of one colour that cover a gradient from `low` to `high`."""
    bands = [_Band(-math.inf, 0.0, stops[0].rgba), *_steps(stops, most), _Band(1.0, math.inf, stops[-1].rgba)]
    cut = [_Band(max(start, low), min(end, high), rgba) for start, end, rgba in bands]
    merged: list[_Band] = []
    for band in cut:
        if band.end <= band.start:
            continue
        if merged and merged[-1].rgba == band.rgba:
            merged[-1] = _Band(merged[-1].start, band.end, band.rgba)
        else:
            merged.append(band)
    return merged


def _steps(stops: list[Stop], most: int) -> Iterator[_Band]:
    if stops[0].offset > 0:
        yield _Band(0.0, stops[0].offset, stops[0].rgba)
    changes = [max(abs(a - b) for a, b in zip(p.rgba, q.rgba, strict=True)) for p, q in pairwise(stops)]
    fewer = min(1.0, most * _LEVELS / 255 / max(added(changes), 1e-9))
    for (here, there), change in zip(pairwise(stops), changes, strict=True):
        count = max(2, math.ceil(change * 255 / _LEVELS * fewer)) if change else 1
        for index in range(count):
            part = (index + 0.5) / count
            rgba = tuple(a + (b - a) * part for a, b in zip(here.rgba, there.rgba, strict=True))
            start, end = (here.offset + (there.offset - here.offset) * at / count for at in (index, index + 1))
            yield _Band(start, end, (rgba[0], rgba[1], rgba[2], rgba[3]))
    if stops[-1].offset < 1:
        yield _Band(stops[-1].offset, 1.0, stops[-1].rgba)


def _laid_over(bands: list[_Band], *, outwards: bool = True) -> Iterator[_Band]:
    """Yield bands in the order of painting, each extended under the bands painted over it.

    Opaque ones go outwards or inwards; others in runs, each from its faintest band to its densest.
    """
    index = 0
    while index < len(bands):
        here = bands[index].rgba[3]
        there = bands[index + 1].rgba[3] if index + 1 < len(bands) else here
        is_rising = outwards if here == there else there > here
        ordered = [bands[index]]
        for band in bands[index + 1 :]:
            lower, upper = (ordered[-1].rgba, band.rgba) if is_rising else (band.rgba, ordered[-1].rgba)
            if _over(lower, upper) is None:
                break
            ordered.append(band)
        below: Rgba = (0.0, 0.0, 0.0, 0.0)
        for band in ordered if is_rising else ordered[::-1]:
            own = _over(below, band.rgba)
            if own is not None and own[3] > 0:
                ends = (band.start, ordered[-1].end) if is_rising else (ordered[0].start, band.end)
                yield _Band(*ends, own)
            below = band.rgba
        index += len(ordered)


def _over(below: Rgba, wanted: Rgba) -> Rgba | None:
    """Return the colour to paint over another to give a wanted colour, or None."""
    if wanted[3] == 1.0 or below[3] == 0.0:
        return wanted
    if wanted[3] < below[3]:
        return None
    alpha = 1 - (1 - wanted[3]) / (1 - below[3])
    if alpha <= 0:
        return (*wanted[:3], 0.0) if wanted == below else None
    parts = []
    for old, new in zip(below[:3], wanted[:3], strict=True):
        value = (new * wanted[3] - old * below[3] * (1 - alpha)) / alpha
        if not -_SLIP <= value <= 1 + _SLIP:
            return None
        parts.append(min(1.0, max(0.0, value)))
    return parts[0], parts[1], parts[2], alpha
