"""Sheets -> faces that touch on them and differ where they touch: a knife half a millimetre off shows a neighbour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from duckpress.core.geometry import Rect, Size
from duckpress.impose.rims import MISCUT_MM, Rims, look_alike
from duckpress.impose.sheets import Placement, Sheet

_TOLERANCE_MM = 1e-3


class Touching(NamedTuple):
    """Two placements of a side that touch, and the side of the first at which the other lies: 2 right, 3 below."""

    one: Placement
    other: Placement
    side: int


def differing_neighbours(sheets: Iterable[Sheet], trims: Mapping[str, Size], rims: Rims) -> Iterator[Touching]:
    """Yield the pairs of faces that lie nearer than twice `MISCUT_MM` and have other colours along that edge.

    Only whole faces of one size that lie exactly beside or below each other can be compared; others never touch, but
    for tiles, which go on in each other.
    """
    known: dict[tuple[str, int, str, int, int], bool] = {}
    for sheet in sheets:
        for side in (sheet.front, sheet.back):
            for one in _touching(side.placements if side is not None else (), trims):
                key = (one.one.frame, one.one.turn_degrees, one.other.frame, one.other.turn_degrees, one.side)
                if key not in known:
                    edges = (rims.edge(*key[:1], one.side, key[1]), rims.edge(key[2], (one.side + 2) % 4, key[3]))
                    known[key] = look_alike(*edges)
                if not known[key]:
                    yield one


def _touching(placements: Sequence[Placement], trims: Mapping[str, Size]) -> Iterator[Touching]:
    boxes = [(placement, placement.trim_box(trims[placement.frame])) for placement in placements]
    for (one, box), (other, beside) in combinations(boxes, 2):
        for (a, first), (b, second) in (((one, box), (other, beside)), ((other, beside), (one, box))):
            if _is_right_of(second, first):
                yield Touching(a, b, 2)
            elif _is_right_of(_flipped(second), _flipped(first)):
                yield Touching(a, b, 3)


def _is_right_of(box: Rect, left: Rect) -> bool:
    is_level = abs(box.y_mm - left.y_mm) < _TOLERANCE_MM and abs(box.height_mm - left.height_mm) < _TOLERANCE_MM
    return is_level and -_TOLERANCE_MM < box.x_mm - left.right_mm < 2 * MISCUT_MM - _TOLERANCE_MM


def _flipped(box: Rect) -> Rect:
    return Rect(box.y_mm, box.x_mm, box.height_mm, box.width_mm)
