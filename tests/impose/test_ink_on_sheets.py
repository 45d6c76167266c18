"""Marks, lines, outlines, bars, seams and maps on sheets: where each of them stands, in figures."""

from __future__ import annotations

import pytest
from ink import footer_of, inked, marks_of, overlap, shown
from sheet_maps import LABEL, impose, leaves, typeset

from duckpress.core.frame import Group, Item, Outline, Paint, Text, path_bounds
from duckpress.core.geometry import Rect, Size, rect_around
from duckpress.core.paths import RECTANGLE, canonical_text
from duckpress.core.sizes import FORMATS, PAPERS, Format
from duckpress.impose import Backs, Gaps, Leaf, PageOf, Side, Turn, impose_booklet, impose_piece
from duckpress.impose.footer import COLOUR
from duckpress.impose.job import Manner
from duckpress.impose.marks import LINE_PAINT
from duckpress.impose.sheets import Cut
from duckpress.impose.tiling import SEAM_PAINT


def outlines(side: Side | None) -> list[tuple[Outline, Rect]]:
    assert side is not None
    return [(item, box) for item, box in inked(side.items) if isinstance(item, Outline)]


def places_of(boxes: list[Rect]) -> tuple[list[float], list[float]]:
    """Return where strokes stand, across and down."""
    upright = {round((box.x_mm + box.right_mm) / 2, 2) for box in boxes if box.height_mm > box.width_mm}
    level = {round((box.y_mm + box.bottom_mm) / 2, 2) for box in boxes if box.width_mm > box.height_mm}
    return sorted(upright), sorted(level)


def lines_of(side: Side | None) -> tuple[list[float], list[float]]:
    return places_of([box for item, box in outlines(side) if item.paint == LINE_PAINT])


FULL = [9.75, 73.25, 136.75, 200.25], [15.15, 104.05, 192.95, 281.85]


def test_butted_cards_share_marks_that_are_thin_and_a_millimetre_beyond_the_bleed() -> None:
    (sheet,) = impose(leaves("ABCDEFGHI"))
    marks = marks_of(sheet.front)
    assert places_of(marks) == FULL
    assert len(marks) == 16
    bleed = rect_around([shown(item, FORMATS["poker"]) for item in sheet.front.placements])
    for mark in marks:
        assert not overlap(mark, bleed.grown(0.9))
        assert overlap(mark, bleed.grown(1.1))
        assert min(mark.width_mm, mark.height_mm) == pytest.approx(0.15)
        assert 0.75 <= max(mark.width_mm, mark.height_mm) <= 5.0 + 0.16


@pytest.mark.parametrize(("turn", "columns", "rows"), [(Turn.LONG, 2, 0), (Turn.SHORT, 0, 2)])
def test_both_sides_carry_marks_only_for_the_cards_there_are(turn: Turn, columns: int, rows: int) -> None:
    (sheet,) = impose(leaves("A"), turn=turn)
    assert sheet.back is not None
    front, back = sheet.front.placements[0].bleed, sheet.back.placements[0].bleed
    assert (front.left_mm, front.top_mm, front.right_mm, front.bottom_mm) == (2.0, 2.0, 0.0, 0.0)
    assert (back.left_mm, back.top_mm) == ((0.0, 2.0) if columns else (2.0, 0.0))
    assert places_of(marks_of(sheet.front)) == (FULL[0][:2], FULL[1][:2])
    assert places_of(marks_of(sheet.back)) == (FULL[0][columns : columns + 2], FULL[1][rows : rows + 2])


@pytest.mark.parametrize("others", ["", "AB"])
@pytest.mark.parametrize("name", ["round-1.5in", "hex-2in", "hex-3.75in-upright"])
def test_an_outline_is_drawn_on_every_trim_of_the_front(name: str, others: str) -> None:
    format_ = FORMATS[name]
    (sheet,) = impose([Leaf(format_, 3, "f", "b"), *leaves(others)])
    assert Paint(None, "#808080", 0.1) == LINE_PAINT
    drawn = dict.fromkeys(item for item, _ in outlines(sheet.front) if item.paint == LINE_PAINT)
    parts = [part for item in drawn for part in item.path.subpaths()]
    placed = [item for item in sheet.front.placements if item.frame == "f"]
    for item, path in zip(placed, parts, strict=True):
        box = path_bounds(path)
        assert box is not None
        assert tuple(box) == pytest.approx((item.x_mm, item.y_mm, *format_.trim), abs=0.002)
        assert {*path.kinds} == ({*"mch"} if format_.is_round else {*"mlh"})
        if not format_.is_round:  # points lie in the middle of the shorter sides
            along = path.numbers[::2] if box.width_mm > box.height_mm else path.numbers[1::2]
            assert len({round(one, 2) for one in along}) == 4
    assert lines_of(sheet.back) == ([], [])


@pytest.mark.parametrize("gaps", [Gaps.ALWAYS, Gaps.MOST])
def test_both_sides_have_lines_at_the_same_cuts(gaps: Gaps) -> None:
    faces = [*leaves("AB"), *(leaves("CD", size="token-1in") if gaps is Gaps.MOST else [])]
    paper, manner = PAPERS["a4"], Manner(Cut.LINES, gaps)
    (sheet,) = impose_piece(faces, paper, Backs.DUPLEX, Turn.LONG, LABEL, typeset, manner)
    (upright, level), (behind, below) = lines_of(sheet.front), lines_of(sheet.back)
    assert (len(upright), len(level)) == ((6, 5) if gaps is Gaps.MOST else (len(behind), len(below)))
    if sheet.paper.width_mm < sheet.paper.height_mm:
        upright = sorted(sheet.paper.width_mm - at_mm for at_mm in upright)
    else:
        level = sorted(sheet.paper.height_mm - at_mm for at_mm in level)
    assert (behind, below) == (pytest.approx(upright, abs=0.02), pytest.approx(level, abs=0.02))


@pytest.mark.parametrize(("paper", "is_rising"), [("a4", False), ("letter", True)])
def test_both_sides_have_bars_to_measure_in_a_footer_at_their_edge(paper: str, is_rising: bool) -> None:
    (sheet,) = impose(leaves("A"), paper)
    assert sheet.back is not None
    for side in (sheet.front, sheet.back):
        strokes = [max(box[2:]) - 0.15 for item, box in outlines(side) if item.paint.stroke == COLOUR]
        assert sorted(strokes)[-2:] == pytest.approx([50.0, 50.8], abs=1e-6)
        texts = {item.text: box for item, box in inked(side.items) if isinstance(item, Text)}
        assert {"50 mm", "2 in"} <= texts.keys()
        first, box = texts[LABEL.game], rect_around(footer_of(side))
        assert min(abs(first.bottom_mm - 274.4), abs(first.x_mm - 5.0)) < 0.01  # where reading begins
        assert box.right_mm < 12.0 if is_rising else box.y_mm > 285.0


def test_marks_stand_around_both_halves_of_a_folded_sheet_and_clear_of_the_word() -> None:
    (sheet,) = impose(leaves("A"), backs=Backs.GUTTERFOLD)
    marks, middle_mm = marks_of(sheet.front), sheet.paper.width_mm / 2
    assert len(marks) == 16
    mirrored = sorted((2 * middle_mm - box.right_mm, box.y_mm) for box in marks)
    for one, other in zip(mirrored, sorted((box.x_mm, box.y_mm) for box in marks), strict=True):
        assert one == pytest.approx(other, abs=0.01)
    words = [box for item, box in inked(sheet.front.items) if isinstance(item, Text) and item.text == "fold"]
    assert len(words) == 2
    assert all(middle_mm - 2.6 <= word.x_mm < word.right_mm < middle_mm - 0.1 for word in words)
    assert all(min(abs(box.x_mm - middle_mm), abs(box.right_mm - middle_mm)) > 2.5 for box in marks)


def test_a_booklet_is_folded_at_marks_in_its_middle() -> None:
    pages = [PageOf(str(number), Size(138.5, 200.0)) for number in range(1, 5)]
    (sheet,) = impose_booklet(pages, PAPERS["a4"], Turn.SHORT, (), is_double_sided=True)
    drawn = [canonical_text(item.path) for item, _ in outlines(sheet.front)]
    assert drawn == ["148.5 5 m 148.5 8 l", "148.5 202 m 148.5 205 l"]


def test_seams_and_maps_show_where_on_a_board_a_tile_lies_seen_from_either_side() -> None:
    board = Format("board", Size(360, 500))
    sheets = impose([Leaf(board, 1, "front", "back", 10.0)])
    cells = []
    for sheet in sheets:
        for side in (sheet.front, sheet.back):
            strokes = [box for item, box in outlines(side) if item.paint == SEAM_PAINT]
            assert side is not None
            item = side.placements[0]
            boxes = [box.moved(-item.x_mm, -item.y_mm) for box in strokes]
            assert places_of(boxes) == ([180.0], [250.0])
            assert len(strokes) == 4
            assert not any(overlap(box, shown(item, board)) for box in strokes)
            cells.append(_filled_cell(side.items))
    letters = [item.text for item, _ in inked(sheets[0].front.items) if isinstance(item, Text) and len(item.text) == 1]
    assert sorted(letters) == ["A", "A", "B", "B"]
    assert cells[::2] == [(False, False), (True, False), (False, True), (True, True)]
    assert cells[1::2] == [(not is_right, is_below) for is_right, is_below in cells[::2]]


def _filled_cell(items: tuple[object, ...]) -> tuple[bool, bool]:
    """Return whether the filled cell of a map lies at the right, and below, as its footer is read."""
    footer: Item = next(item for item in items if isinstance(item, Group))
    drawn = [(item, box) for item, box in inked((footer,)) if isinstance(item, Outline)]
    boxes = [(item.paint.fill, box) for item, box in drawn if RECTANGLE in item.path.kinds]
    (filled,), empty = [box for fill, box in boxes if fill], [box for fill, box in boxes if not fill]
    assert len(empty) == 4
    return filled.x_mm > min(box.x_mm for box in empty) + 1, filled.y_mm > min(box.y_mm for box in empty) + 1
