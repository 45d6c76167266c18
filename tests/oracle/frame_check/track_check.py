"""Tracks -> what they have to show: spaces in rows, round a ring or along a line, numbers, and what lies on them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from duckpress.art.svg.paths import parse_points
from duckpress.core import paths
from duckpress.core.geometry import Rect
from duckpress.layout.face_xml import FaceNode
from duckpress.layout.theme import Look
from oracle.frame_check.asked_parts import Inside, Label, Part
from oracle.frame_check.asked_values import Attributes, box_in, colour_in, mm, number, paint_in, painted


def track_parts(node: FaceNode, cell: Rect, look: Look) -> Iterator[Part]:
    """Yield what a track has to show: its spaces, the marked ones last, what lies on them, and their numbers."""
    attributes, box = node.attrib, box_in(node.attrib, cell)
    gap_mm, way = mm(attributes, "gap", 0.0), attributes.get("way", "row")
    spaces = _on_line(attributes, box, gap_mm) if way == "path" else _on_lattice(attributes, box, gap_mm, way)
    first, step = int(attributes.get("first", "").strip() or 1), int(attributes.get("step", "").strip() or 1) or 1
    numbers = [first + at * step for at in range(len(spaces))]
    paint, every = paint_in(look, attributes, stroke="ink"), int(attributes.get("every", 0))
    fill = colour_in(look, attributes["every-fill"]) if "every-fill" in attributes else paint.fill
    is_round, rx_mm = attributes.get("shape") == "circle", mm(attributes, "rx", 0.0)
    for is_marked in (False, True):
        chosen = [at for at, counted in enumerate(numbers) if bool(every and counted % every == 0) == is_marked]
        outlines = [
            paths.ellipse(x + wide / 2, y + high / 2, wide / 2, high / 2)
            if is_round
            else paths.rectangle(x, y, wide, high, rx_mm)
            for x, y, wide, high in (spaces[at] for at in chosen)
        ]
        own = replace(paint, fill=fill) if is_marked else paint
        yield painted(paths.joined(outlines), own, number(attributes, "opacity"))
    yield from (Inside(child, spaces[numbers.index(int(child.attrib["at"]))]) for child in node.children)
    where = attributes.get("numbers", "yes")
    for counted, space in zip(numbers, spaces, strict=True):
        if where == "corner":
            yield Label(str(counted), space.grown(-0.08 * space.width_mm), "top", "left")
        elif where != "no":
            yield Label(str(counted), space)


def _on_lattice(attributes: Attributes, box: Rect, gap_mm: float, way: str) -> list[Rect]:
    """Return the spaces of a track in order: in rows, to and fro, or clockwise round a box from its top left."""
    if way == "ring":
        columns, rows = int(attributes["columns"]), int(attributes["rows"])
        top, right = [(x, 0) for x in range(columns - 1)], [(columns - 1, y) for y in range(rows - 1)]
        bottom, left = [(x, rows - 1) for x in range(columns - 1, 0, -1)], [(0, y) for y in range(rows - 1, 0, -1)]
        seats = [*top, *right, *bottom, *left][: int(attributes.get("count", 10**6))]
    else:
        count = int(attributes["count"])
        columns = {"row": count, "column": 1}.get(way) or int(attributes["columns"])
        rows = math.ceil(count / columns)
        seats = [(at % columns, at // columns) for at in range(count)]
        if way == "snake":
            seats = [(columns - 1 - x if y % 2 else x, y) for x, y in seats]
    rooms_mm = (box.width_mm + gap_mm) / columns - gap_mm, (box.height_mm + gap_mm) / rows - gap_mm
    side_mm, origin = mm(attributes, "cell", min(rooms_mm)), attributes.get("origin", "top-left")
    seats = [(columns - 1 - x if "right" in origin else x, rows - 1 - y if "bottom" in origin else y) for x, y in seats]
    step_mm = side_mm + gap_mm
    return [Rect(box.x_mm + x * step_mm, box.y_mm + y * step_mm, side_mm, side_mm) for x, y in seats]


def _on_line(attributes: Attributes, box: Rect, gap_mm: float) -> list[Rect]:
    """Return the spaces of a track in equal steps along a line."""
    points = [(box.x_mm + x, box.y_mm + y) for x, y in parse_points(attributes["points"]) or ()]
    count, lengths = int(attributes["count"]), [math.dist(*ends) for ends in pairwise(points)]
    step_mm = math.fsum(lengths) / (count - 1)
    side_mm = mm(attributes, "cell", max(0.0, step_mm - gap_mm))
    spaces = []
    for at in range(count if side_mm else 0):
        along_mm, leg = at * step_mm, 0
        while leg < len(lengths) - 1 and along_mm > lengths[leg]:
            along_mm, leg = along_mm - lengths[leg], leg + 1
        share = min(along_mm / lengths[leg], 1.0) if lengths[leg] else 0.0
        x_mm, y_mm = (one + (other - one) * share for one, other in zip(points[leg], points[leg + 1], strict=True))
        spaces.append(Rect(x_mm - side_mm / 2, y_mm - side_mm / 2, side_mm, side_mm))
    return spaces
