"""Letters and numbers along the edges of a board, on any of its sides, and for the player across on their heads."""

from __future__ import annotations

from msgspec import Struct

from duckpress.art.attribute_values import rounded
from duckpress.core.frame import Group, Item
from duckpress.core.geometry import Rect, rotation
from duckpress.core.problems import did_you_mean
from duckpress.core.units import mm_from_pt
from duckpress.layout.elements.board_elements import label_items
from duckpress.layout.elements.coordinate_attributes import Coordinates
from duckpress.layout.elements.layout_context import Attributes, Desk

SIDES = ("top", "right", "bottom", "left")
_ACROSS = {"left": "right", "right": "left"}
_OVER = {"top": "bottom", "bottom": "top"}


class LabelledGrid(Struct, frozen=True):
    """A grid of squares and its names: of its spaces, or (`is_of_points`) of the points around them."""

    names: Coordinates
    left_mm: float
    top_mm: float
    side_mm: float
    is_of_points: bool

    @property
    def shift_mm(self) -> float:
        """How far a label's box lies before its space: half a space, where it is centred on a point."""
        return self.side_mm / 2 if self.is_of_points else 0.0

    @property
    def right_mm(self) -> float:
        """The right edge of the grid."""
        return self.left_mm + self.side_mm * (self.names.columns - self.is_of_points)

    @property
    def bottom_mm(self) -> float:
        """The lower edge of the grid."""
        return self.top_mm + self.side_mm * (self.names.rows - self.is_of_points)


def edge_labels(desk: Desk, attributes: Attributes, grid: LabelledGrid) -> tuple[Item, ...]:
    """Return the labels on the sides that `label-sides` names; problem `bad-choice`."""
    sides = _sides(desk, attributes, "label-sides", ("top", "left"))
    turned = _sides(desk, attributes, "label-turned", ())
    usual_mm = 0.3 * mm_from_pt(desk.style(attributes.get("label-style", "label")).size_pt)
    gap_mm = desk.size(attributes, "label-gap", usual_mm)
    items: list[Item] = []
    for side in sorted(sides, key=("top", "left", "bottom", "right").index):
        for text, box in _boxes(grid, side, gap_mm):
            items += _label(desk, attributes, text, box, side, is_turned=side in turned)
    return tuple(items)


def _boxes(grid: LabelledGrid, side: str, gap_mm: float) -> list[tuple[str, Rect]]:
    """Return the labels of a side, each with a box that touches the gap."""
    names, side_mm = grid.names, grid.side_mm
    if side in _OVER:
        y_mm = grid.top_mm - side_mm - gap_mm if side == "top" else grid.bottom_mm + gap_mm
        start_mm = grid.left_mm - grid.shift_mm
        return [
            (names.column(at), Rect(start_mm + at * side_mm, y_mm, side_mm, side_mm)) for at in range(names.columns)
        ]
    x_mm = grid.left_mm - side_mm - gap_mm if side == "left" else grid.right_mm + gap_mm
    start_mm = grid.top_mm - grid.shift_mm
    return [(names.row(at), Rect(x_mm, start_mm + at * side_mm, side_mm, side_mm)) for at in range(names.rows)]


def _label(desk: Desk, attributes: Attributes, text: str, box: Rect, side: str, *, is_turned: bool) -> tuple[Item, ...]:
    align, valign = _ACROSS.get(side, "center"), _OVER.get(side, "middle")
    if not is_turned:
        return label_items(desk, attributes, text, box, valign, align)
    # On its head in the same box, a label still touches the side of the grid.
    items = label_items(desk, attributes, text, box, _OVER.get(valign, valign), _ACROSS.get(align, align))
    middle = box.x_mm + box.width_mm / 2, box.y_mm + box.height_mm / 2
    return (Group(items, rounded(rotation(180, *middle))),) if items else ()


def _sides(desk: Desk, attributes: Attributes, name: str, default: tuple[str, ...]) -> tuple[str, ...]:
    text = attributes.get(name)
    if text is None:
        return default
    words = text.replace(",", " ").split()
    odd = next((word for word in words if word not in (*SIDES, "all", "none")), None)
    if odd is not None:
        what = f"{name}={text[:40]!r}: {odd[:20]!r} is no side"
        desk.say("bad-choice", what, did_you_mean(odd, (*SIDES, "all", "none")))
    return SIDES if "all" in words else tuple(side for side in SIDES if side in words)
