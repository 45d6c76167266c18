"""Upright boxes of what is drawn, in any unit: around several, shared by two, and seen through a matrix."""

from __future__ import annotations

from duckpress.geometry import Matrix, Rect


def around(boxes: tuple[Rect, ...]) -> Rect:
    """Give the smallest box around one or more boxes."""
    left, top = min(box.x_mm for box in boxes), min(box.y_mm for box in boxes)
    right, bottom = max(box.right_mm for box in boxes), max(box.bottom_mm for box in boxes)
    return Rect(left, top, right - left, bottom - top)


def shared_box(one: Rect, other: Rect) -> Rect:
    """Give what two boxes have in common; of no size where that is nothing."""
    left, top = max(one.x_mm, other.x_mm), max(one.y_mm, other.y_mm)
    right, bottom = min(one.right_mm, other.right_mm), min(one.bottom_mm, other.bottom_mm)
    return Rect(left, top, max(0.0, right - left), max(0.0, bottom - top))


def mapped(matrix: Matrix, box: Rect) -> Rect:
    """Give the smallest upright box around a box seen through a matrix."""
    corners = [matrix.apply(x, y) for x in (box.x_mm, box.right_mm) for y in (box.y_mm, box.bottom_mm)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
