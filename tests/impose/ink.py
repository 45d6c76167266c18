"""What the marks and footers of a side cover: every line, letter and curve as a rectangle on the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from duckpress.core.frame import Group, Item, Outline, Text, path_bounds
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.core.sizes import Format
from duckpress.impose import Layer, Leaf, Placement, Sheet, Side
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


def footer_of(side: Side) -> list[Rect]:
    """Return everything of a side that is neither a crop mark nor a cut line."""
    apart = (MARK_PAINT, LINE_PAINT)
    return [box for item, box in inked(side.items) if not (isinstance(item, Outline) and item.paint in apart)]


def words_of(side: Side) -> str:
    """Return the text of a side's footer."""
    return " ".join(item.text for item, _ in inked(side.items) if isinstance(item, Text))


def shown(placement: Placement, format_: Format) -> Rect:
    """Return what a placed frame covers: its trim and the bleed shown."""
    return placement.bleed.around(Rect(placement.x_mm, placement.y_mm, *format_.trim))


def overlap(one: Rect, other: Rect, tolerance_mm: float = 1e-3) -> bool:
    """Return whether two rectangles share an area (touching edges do not)."""
    return (
        min(one.right_mm, other.right_mm) - max(one.x_mm, other.x_mm) > tolerance_mm
        and min(one.bottom_mm, other.bottom_mm) - max(one.y_mm, other.y_mm) > tolerance_mm
    )


def falls_apart(boxes: Sequence[Rect]) -> bool:
    """Return whether straight cuts from edge to edge, one after another, part all boxes."""
    if len(boxes) < 2:
        return True
    for spans in ([(box.x_mm, box.right_mm) for box in boxes], [(box.y_mm, box.bottom_mm) for box in boxes]):
        for at in sorted({low for low, _ in spans}):
            first = [box for box, (_, high) in zip(boxes, spans, strict=True) if high <= at + 1e-4]
            rest = [box for box, (low, _) in zip(boxes, spans, strict=True) if low >= at - 1e-4]
            if first and rest and len(first) + len(rest) == len(boxes):
                return falls_apart(first) and falls_apart(rest)
    return False


def run_together(one: Rect, other: Rect) -> bool:
    """Return whether two marks stand side by side, too near to say whose each is; an end may touch another's."""
    if one.width_mm > one.height_mm:
        one, other = one.turned(), other.turned()
    is_parallel = one.height_mm > one.width_mm and other.height_mm > other.width_mm
    shared_mm = min(one.bottom_mm, other.bottom_mm) - max(one.y_mm, other.y_mm)
    return is_parallel and abs(one.x_mm - other.x_mm) < 1.0 and shared_mm > 2 * MARK_PAINT.stroke_mm


def is_apart(sheet: Sheet, faces: Sequence[Leaf]) -> bool:
    """Return whether marks and texts of a sheet's sides lie on nothing, and no two marks run together."""
    for side in (sheet.front, sheet.back) if sheet.back is not None else (sheet.front,):
        cards = [shown(item, faces[item.face].format) for item in side.placements]
        marks, footer = marks_of(side), footer_of(side)
        pairs = (*product(marks, cards), *product(footer, [*marks, *cards]), *combinations(cards, 2))
        if any(overlap(*pair) for pair in pairs) or any(run_together(*pair) for pair in combinations(marks, 2)):
            return False
    return True
