"""Upright boxes of what is drawn, in any unit: around several, and shared by two."""

from __future__ import annotations

from duckpress.core.geometry import Rect


def box_around(boxes: tuple[Rect, ...]) -> Rect:
    """Give the smallest box around one or more boxes."""
    left, top = min(box.x_mm for box in boxes), min(box.y_mm for box in boxes)
    right, bottom = max(box.right_mm for box in boxes), max(box.bottom_mm for box in boxes)
    return Rect(left, top, right - left, bottom - top)


def shared_box(one: Rect, other: Rect) -> Rect:
    """Give what two boxes have in common; of no size where that is nothing."""
    left, top = max(one.x_mm, other.x_mm), max(one.y_mm, other.y_mm)
    right, bottom = min(one.right_mm, other.right_mm), min(one.bottom_mm, other.bottom_mm)
    return Rect(left, top, max(0.0, right - left), max(0.0, bottom - top))
