"""Sheetwise duplex: the places on the back of a sheet that lie behind the places on its front.

An upright sheet turned about its long edge is turned left-right: the columns mirror and backs stand upright. Turned
about its short edge it is turned top-bottom: the rows mirror, and backs stand at 180 degrees, so that a card turned
over left-right in the hand shows its back upright. On a sheet on its side the long edge runs across, so the two swap.
"""

from __future__ import annotations

from duckpress.core.geometry import Size
from duckpress.impose.grid import Slot
from duckpress.impose.sheets import Edges, Turn


def turns_left_right(paper: Size, turn: Turn) -> bool:
    """Return whether a sheet as it lies is turned left-right (else top-bottom)."""
    is_upright = paper.width_mm <= paper.height_mm
    return is_upright is (turn is Turn.LONG)


def behind(slot: Slot, trim: Size, paper: Size, turn: Turn) -> tuple[Slot, int]:
    """Return the place behind a slot, on the back as it is read, and the degrees by which a back there is turned."""
    left_mm, top_mm, right_mm, bottom_mm = slot.bleed
    if turns_left_right(paper, turn):
        x_mm = paper.width_mm - slot.x_mm - trim.width_mm
        return Slot(x_mm, slot.y_mm, Edges(right_mm, top_mm, left_mm, bottom_mm)), 0
    y_mm = paper.height_mm - slot.y_mm - trim.height_mm
    return Slot(slot.x_mm, y_mm, Edges(left_mm, bottom_mm, right_mm, top_mm)), 180
