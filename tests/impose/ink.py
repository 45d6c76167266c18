"""What the marks and footers of a side cover: every line, letter and curve as a rectangle on the page."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.core.frame import Group, Item, Outline, Text, path_bounds
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.core.sizes import Format
from duckpress.impose import Layer, Placement, Side
from duckpress.impose.marks import LINE_PAINT, MARK_PAINT


def inked(items: tuple[Item | Layer, ...], matrix: Matrix = IDENTITY) -> Iterator[tuple[Item, Rect]]:
    """Yield each item with a rectangle on the page; each stroke of an outline is one of its own."""
    for item in items:
        if isinstance(item, Layer):
            yield from inked(item.items, matrix)
        elif isinstance(item, Group):
            yield from inked(item.items, matrix.after(item.matrix))
        elif isinstance(item, Text):
            # Ascenders and descenders of ordinary text faces, with the accents of capitals.
            top, bottom = item.y_mm - 0.8 * item.size_mm, item.y_mm + 0.3 * item.size_mm
            yield item, matrix.around(Rect(item.x_mm, top, item.width_mm, bottom - top))
        elif isinstance(item, Outline):
            for part in item.path.subpaths():
                box = path_bounds(part)
                assert box is not None
                yield item, matrix.around(box).grown(item.paint.stroke_mm / 2)
        else:
            raise AssertionError(f"unexpected {item}")


def marks_of(side: Side) -> list[Rect]:
    """Return the crop marks of a side."""
    return [box for item, box in inked(side.items) if isinstance(item, Outline) and item.paint == MARK_PAINT]


def circles_of(side: Side) -> list[Rect]:
    """Return the boxes of the cut circles of a side."""
    return [box for item, box in inked(side.items) if isinstance(item, Outline) and item.paint == LINE_PAINT]


def footer_of(side: Side) -> list[Rect]:
    """Return everything of a side that is neither a crop mark nor a cut circle."""
    apart = (MARK_PAINT, LINE_PAINT)
    return [box for item, box in inked(side.items) if not (isinstance(item, Outline) and item.paint in apart)]


def words_of(side: Side) -> str:
    """Return the text of a side's footer."""
    return " ".join(item.text for item, _ in inked(side.items) if isinstance(item, Text))


def shown(placement: Placement, format_: Format) -> Rect:
    """Return what a placed frame covers: its trim and the bleed shown."""
    left_mm, top_mm, right_mm, bottom_mm = placement.bleed
    width_mm, height_mm = format_.trim
    return Rect(
        placement.x_mm - left_mm, placement.y_mm - top_mm, width_mm + left_mm + right_mm, height_mm + top_mm + bottom_mm
    )


def overlap(one: Rect, other: Rect, tolerance_mm: float = 1e-3) -> bool:
    """Return whether two rectangles share an area (touching edges do not)."""
    return (
        min(one.right_mm, other.right_mm) - max(one.x_mm, other.x_mm) > tolerance_mm
        and min(one.bottom_mm, other.bottom_mm) - max(one.y_mm, other.y_mm) > tolerance_mm
    )
