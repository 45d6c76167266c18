"""What a page paints held against the side that was planned: faces, marks, footer and code, in their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest

from duckpress.core.frame import Item
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.core.problems import Problem
from duckpress.impose import Layer, Placement, Side
from duckpress.proof.expected import FrameOfCard, fault
from duckpress.proof.streams.item_differences import difference
from duckpress.proof.streams.page_paint import BitMask, PagePaint, PlacedFace
from duckpress.proof.streams.wanted_items import wanted_items, wanted_matrix

_TURNS = {0: (1, 0, 0, 1), 90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}
_LAST_DECIMAL_MM = 0.00011
_FINEST = (1e-5, 1e-5, 1e-5, 1e-5, 0.001, 0.001)


def check_paint(
    number: int, paint: PagePaint, side: Side, frames: Mapping[str, FrameOfCard], to_page: Matrix
) -> Iterator[Problem]:
    """Yield a `proof-page` for what a page paints otherwise than its side asks for; `to_page` takes points to mm."""
    whole = to_page.after(paint.matrix)
    if any(abs(one - other) > finest for one, other, finest in zip(whole, side.map, _FINEST, strict=True)):
        yield fault("proof-page", f"page {number} is placed by {_shown(whole)}, not by {_shown(side.map)}")
    for face, placement in zip_longest(paint.faces, side.placements):
        if placement is None:
            yield fault("proof-page", f"page {number} shows a face ({face.frame}) that was not to be there")
            continue
        frame, card, of_card = frames[placement.frame]
        wanted = _placed(placement, frame.trim, frame.bleed_mm)
        if face is None or not _is_at(face, wanted):
            found = "is missing" if face is None else f"is face {face.frame} at {_shown(face.matrix)}"
            what = f"page {number}: the {of_card} of {card} at {_shown(wanted.matrix)} {found}, or cut off otherwise"
            yield fault("proof-page", what)
    asked = _layers(side.items)
    if [layer for layer, _ in paint.layers] != [layer for layer, _ in asked]:
        yield fault("proof-page", f"page {number} has other layers than {', '.join(name or '-' for name, _ in asked)}")
    else:
        for (_, painted), (_, items) in zip(paint.layers, asked, strict=True):
            what_else = difference(painted, items)
            if what_else is not None:
                yield fault("proof-page", f"page {number} {what_else}")
    if paint.masks != _masks(side):
        yield fault("proof-page", f"page {number} shows another code than its sheet's, or elsewhere")


def _layers(items: Sequence[Item | Layer]) -> list[tuple[str, tuple[Item, ...]]]:
    """Return the items of a side with the names of their layers, as they follow each other."""
    layers: list[tuple[str, tuple[Item, ...]]] = []
    for item in items:
        if isinstance(item, Layer):
            layers.append((f"L-{item.name}", item.items))
        elif layers and not layers[-1][0]:
            layers[-1] = ("", (*layers[-1][1], item))
        else:
            layers.append(("", (item,)))
    return [layer for layer in layers if any(True for _ in wanted_items(layer[1]))]


def _masks(side: Side) -> tuple[BitMask, ...]:
    """Return the code of a side as bits: four to a module across, as viewers that smooth pictures need them."""
    code = side.code
    if code is None:
        return ()
    count = len(code.rows)
    rows = [row for bits in code.rows for row in [int(f"{bits:b}".replace("1", "F"), 16)] * 4]
    x_mm, y_mm, width_mm, height_mm = code.box
    matrix = wanted_matrix(Matrix(width_mm, 0.0, 0.0, -height_mm, x_mm, y_mm + height_mm))
    return (BitMask(tuple(rows), 4 * count, matrix, code.colour),)


def _placed(placement: Placement, trim: Size, bleed_mm: float) -> PlacedFace:
    """Return where a face has to lie, and where it has to be cut off."""
    return _place(placement._replace(face=0, is_back=False), trim, bleed_mm)


@lru_cache(maxsize=4096)
def _place(placement: Placement, trim: Size, bleed_mm: float) -> PlacedFace:
    """Return the same of a placement: its trim is turned about its middle, and shows so much beyond its edges."""
    width_mm, height_mm = trim
    a, b, c, d = _TURNS[placement.turn_degrees]
    middle_x, middle_y = placement.x_mm + width_mm / 2, placement.y_mm + height_mm / 2
    e, f = middle_x - (a * width_mm + c * height_mm) / 2, middle_y - (b * width_mm + d * height_mm) / 2
    clip = None
    if min(placement.bleed) < bleed_mm:
        left, top, right, bottom = (min(bleed_mm, edge) for edge in placement.bleed)
        across_mm, down_mm = trim if a else (height_mm, width_mm)
        x_mm, y_mm = middle_x - across_mm / 2 - left, middle_y - down_mm / 2 - top
        clip = Rect(x_mm, y_mm, across_mm + left + right, down_mm + top + bottom)
    return PlacedFace(placement.frame, Matrix(a, b, c, d, e, f), clip)


def _is_at(face: PlacedFace, wanted: PlacedFace) -> bool:
    """Return whether a face lies where it should, and is cut off there, to the last decimal that is written."""
    if face.frame != wanted.frame or (face.clip is None) is not (wanted.clip is None):
        return False
    pairs = [*zip(face.matrix, wanted.matrix, strict=True), *zip(face.clip or (), wanted.clip or (), strict=True)]
    return all(abs(one - other) < _LAST_DECIMAL_MM for one, other in pairs)


def _shown(matrix: Matrix) -> str:
    return " ".join(f"{part:g}" for part in matrix)
