"""What the marks and footers of a side cover: every line, letter and curve as a rectangle on the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from duckpress.core.frame import Group, Item, Outline, Text, path_bounds
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.core.sizes import Format, Paper
from duckpress.impose import Layer, Leaf, Placement, Sheet, Side, Turn
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


def cuts_of(side: Side) -> tuple[list[float], list[float]]:
    """Return where crop marks stand, across and down."""
    marks = marks_of(side)
    upright = {round((mark.x_mm + mark.right_mm) / 2, 2) for mark in marks if mark.height_mm > mark.width_mm}
    level = {round((mark.y_mm + mark.bottom_mm) / 2, 2) for mark in marks if mark.width_mm > mark.height_mm}
    return sorted(upright), sorted(level)


def sheet_is_clean(sheet: Sheet, faces: Sequence[Leaf], paper: Paper, turn: Turn) -> None:
    """Expect that nothing overlaps, all can be printed, every cut is marked, and backs lie behind their faces."""
    printable = Rect(0.0, 0.0, *sheet.paper).inside(paper.margins(sheet.paper))
    for side in (sheet.front, sheet.back) if sheet.back is not None else (sheet.front,):
        formats = [faces[item.face].format for item in side.placements]
        cards = [shown(item, format_) for item, format_ in zip(side.placements, formats, strict=True)]
        marks, footer = marks_of(side), footer_of(side)
        assert marks
        assert footer
        for item, format_ in zip(side.placements, formats, strict=True):
            assert all(0.0 <= edge <= format_.bleed_mm for edge in item.bleed)
        assert not any(overlap(one, other) for one, other in combinations(cards, 2))
        assert not any(overlap(mark, card) for mark, card in product(marks, cards))
        assert not any(run_together(one, other) for one, other in combinations(marks, 2))
        assert not any(overlap(text, other) for text, other in product(footer, [*marks, *cards]))
        assert all(printable.holds(box, 0.001) for box in (*cards, *footer))
        # `marks_of` widens a stroke all round, also beyond its ends: half a stroke there is not ink.
        assert all(printable.holds(box, 0.076) for box in marks)
        assert len(circles_of(side)) == (0 if side is sheet.back else sum(format_.is_round for format_ in formats))
    upright, level = cuts_of(sheet.front)
    for item in sheet.front.placements:
        width_mm, height_mm = faces[item.face].format.trim
        for places, ends in ((upright, (item.x_mm, item.x_mm + width_mm)), (level, (item.y_mm, item.y_mm + height_mm))):
            assert all(any(abs(end_mm - place_mm) < 0.06 for place_mm in places) for end_mm in ends)
    if sheet.back is not None:
        _backs_lie_behind(sheet, faces, turn)


def _backs_lie_behind(sheet: Sheet, faces: Sequence[Leaf], turn: Turn) -> None:
    width_mm, height_mm = sheet.paper
    mirrors_x = (width_mm <= height_mm) == (turn is Turn.LONG)
    expected = set()
    for item in sheet.front.placements:
        face, trim = faces[item.face], faces[item.face].format.trim
        if face.back is not None:
            x_mm = width_mm - item.x_mm - trim.width_mm if mirrors_x else item.x_mm
            y_mm = item.y_mm if mirrors_x else height_mm - item.y_mm - trim.height_mm
            expected.add((item.face, round(x_mm, 3), round(y_mm, 3), face.back, 0 if mirrors_x else 180))
    assert sheet.back is not None
    assert expected == {
        (item.face, round(item.x_mm, 3), round(item.y_mm, 3), item.frame, item.turn_degrees)
        for item in sheet.back.placements
    }
