"""Pieces of several sizes: common sheets where they save paper, nothing lost, nothing over another, backs behind."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ink import circles_of, footer_of, marks_of, overlap, shown
from sheet_maps import impose, leaves

from duckpress.core.geometry import Rect, Size
from duckpress.core.sizes import FORMATS, PAPERS, Format, Paper
from duckpress.impose import Gaps, Leaf, Sheet, Turn
from duckpress.impose.marks import MARK_PAINT
from duckpress.impose.mixed import Lot, pack
from profiles import examples

formats = st.builds(
    lambda width, height, bleed, is_round: Format(
        "any", Size(width, width if is_round else height), bleed_mm=bleed, is_round=is_round
    ),
    st.integers(12, 120),
    st.integers(12, 120),
    st.sampled_from([0.0, 1.5, 2.0]),
    st.booleans(),
)
lots = st.lists(st.tuples(formats, st.integers(0, 16), st.booleans()), min_size=2, max_size=4)


@examples(12)
@given(lots, st.sampled_from([PAPERS["a4"], PAPERS["letter"]]), st.sampled_from(list(Turn)))
def test_any_lots(found: list[tuple[Format, int, bool]], paper: Paper, turn: Turn) -> None:
    faces = [
        Leaf(format_, count, f"f{at}", f"b{at}" if has_back else None)
        for at, (format_, count, has_back) in enumerate(found)
    ]
    sheets = impose(faces, paper, turn=turn)
    placed = Counter(item.face for sheet in sheets for item in sheet.front.placements)
    assert placed == Counter({at: face.copies for at, face in enumerate(faces) if face.copies})
    for sheet in sheets:
        _side_is_clean(sheet, faces, paper, is_back=False)
        if sheet.back is not None:
            _side_is_clean(sheet, faces, paper, is_back=True)
            _backs_lie_behind(sheet, faces, turn)
    alone = [len(impose([face], paper, turn=turn)) for face in _by_size(faces)]
    assert len(sheets) <= sum(alone)
    assert sheets == impose(faces, paper, turn=turn)


def _by_size(faces: list[Leaf]) -> list[Leaf]:
    """Return one leaf for each size with all its copies."""
    counts: Counter[tuple[Size, float, bool]] = Counter()
    for face in faces:
        counts[face.format.trim, face.format.bleed_mm, face.format.is_round] += face.copies
    return [
        Leaf(Format("", trim, bleed_mm=bleed, is_round=is_round), count, "f", "b")
        for (trim, bleed, is_round), count in counts.items()
        if count
    ]


def _side_is_clean(sheet: Sheet, faces: list[Leaf], paper: Paper, *, is_back: bool) -> None:
    side = sheet.back if is_back else sheet.front
    assert side is not None
    printable = Rect(0.0, 0.0, *sheet.paper).grown(-paper.margin_mm)
    cards = [shown(item, faces[item.face].format) for item in side.placements]
    marks, footer = marks_of(side), footer_of(side)
    assert not any(overlap(one, other) for one, other in combinations(cards, 2))
    assert not any(overlap(mark, card) for mark, card in product(marks, cards))
    assert not any(_run_together(one, other) for one, other in combinations(marks, 2))
    assert not any(overlap(text, other) for text, other in product(footer, [*marks, *cards]))
    assert all(printable.holds(box, 0.001) for box in (*cards, *footer))
    assert all(printable.holds(box, 0.08) for box in marks)
    if not is_back:
        assert len(circles_of(side)) == sum(faces[item.face].format.is_round for item in side.placements)
        _every_cut_is_marked(sheet, faces)


def _run_together(one: Rect, other: Rect) -> bool:
    """Return whether two marks stand side by side, too near to say whose each is; an end may touch another's."""
    if one.width_mm > one.height_mm:
        one, other = (Rect(box.y_mm, box.x_mm, box.height_mm, box.width_mm) for box in (one, other))
    is_parallel = one.height_mm > one.width_mm and other.height_mm > other.width_mm
    shared_mm = min(one.bottom_mm, other.bottom_mm) - max(one.y_mm, other.y_mm)
    return is_parallel and abs(one.x_mm - other.x_mm) < 1.0 and shared_mm > 2 * MARK_PAINT.stroke_mm


def _every_cut_is_marked(sheet: Sheet, faces: list[Leaf]) -> None:
    """Each edge of each piece has a mark in its line on the sheet."""
    marks = marks_of(sheet.front)
    upright = {round((mark.x_mm + mark.right_mm) / 2, 1) for mark in marks if mark.height_mm > mark.width_mm}
    level = {round((mark.y_mm + mark.bottom_mm) / 2, 1) for mark in marks if mark.width_mm > mark.height_mm}

    def has(place_mm: float, places: set[float]) -> bool:
        return any(abs(place_mm - place) < 0.11 for place in places)

    for item in sheet.front.placements:
        width_mm, height_mm = faces[item.face].format.trim
        assert has(item.x_mm, upright)
        assert has(item.x_mm + width_mm, upright)
        assert has(item.y_mm, level)
        assert has(item.y_mm + height_mm, level)


def _backs_lie_behind(sheet: Sheet, faces: list[Leaf], turn: Turn) -> None:
    assert sheet.back is not None
    width_mm, height_mm = sheet.paper
    mirrors_x = (width_mm <= height_mm) == (turn is Turn.LONG)
    expected = set()
    for item in sheet.front.placements:
        face, trim = faces[item.face], faces[item.face].format.trim
        if face.back is not None:
            x_mm = width_mm - item.x_mm - trim.width_mm if mirrors_x else item.x_mm
            y_mm = item.y_mm if mirrors_x else height_mm - item.y_mm - trim.height_mm
            expected.add((round(x_mm, 3), round(y_mm, 3), face.back, 0 if mirrors_x else 180))
    found = {
        (round(item.x_mm, 3), round(item.y_mm, 3), item.frame, item.turn_degrees) for item in sheet.back.placements
    }
    assert found == expected


def test_pieces_can_be_cut_apart_by_straight_cuts() -> None:
    sheets = impose([
        *(leaf._replace(copies=6) for leaf in leaves("A", size=Format("round", Size(40, 40), is_round=True))),
        *(leaf._replace(copies=3) for leaf in leaves("B", size=Format("marker", Size(30, 50)))),
        *(leaf._replace(copies=17) for leaf in leaves("C", size="round-1in")),
        *(leaf._replace(copies=2) for leaf in leaves("D")),
    ])  # fmt: skip
    sizes = {"A": Size(40, 40), "B": Size(30, 50), "C": Size(25.4, 25.4), "D": Size(63.5, 88.9)}
    assert len(sheets) == 1
    assert _falls_apart([Rect(item.x_mm, item.y_mm, *sizes[item.frame]) for item in sheets[0].front.placements])


def _falls_apart(boxes: list[Rect]) -> bool:
    """Return whether cuts from edge to edge, one after the other, part all boxes."""
    if len(boxes) < 2:
        return True
    for start, end in (("x_mm", "right_mm"), ("y_mm", "bottom_mm")):
        for box in boxes:
            at = getattr(box, end)
            before = [other for other in boxes if getattr(other, end) <= at + 1e-6]
            after = [other for other in boxes if getattr(other, start) >= at - 1e-6]
            if before and after and len(before) + len(after) == len(boxes):
                return _falls_apart(before) and _falls_apart(after)
    return False


def test_full_sheets_of_one_size_stay_grids_and_the_rest_shares_a_sheet() -> None:
    cards = [leaf._replace(copies=20) for leaf in leaves("A")]
    tokens = [leaf._replace(copies=5) for leaf in leaves("B", size="round-1in")]
    found = [Counter(item.frame for item in sheet.front.placements) for sheet in impose([*cards, *tokens])]
    assert found == [Counter(A=9), Counter(A=9), Counter(A=2, B=5)]


def test_sizes_stay_apart_where_together_saves_nothing() -> None:
    cards = [leaf._replace(copies=9) for leaf in leaves("A")]
    tarot = [leaf._replace(copies=4) for leaf in leaves("B", size="tarot")]
    found = [Counter(item.frame for item in sheet.front.placements) for sheet in impose([*cards, *tarot])]
    assert found == [Counter(A=9), Counter(B=4)]


@pytest.mark.parametrize(("copies", "gap_mm"), [(12, 3.0), (60, 0.0)])
def test_pieces_have_gaps_unless_that_costs_a_sheet(copies: int, gap_mm: float) -> None:
    tokens = [leaf._replace(copies=copies) for leaf in leaves("A", size="round-1in")]
    slips = [leaf._replace(copies=2) for leaf in leaves("B", size=Format("slip", Size(150, 15), bleed_mm=0.0))]
    (sheet,) = impose([*tokens, *slips])
    row = sorted(item.x_mm for item in sheet.front.placements if item.frame == "A")
    assert row[-1] - max(x for x in row if x < row[-1] - 1) == pytest.approx(25.4 + gap_mm)


def test_no_mark_is_beside_that_of_the_block_below() -> None:
    """Ten seat markers over forty tokens, with other bleeds: their marks once shared a strip, some 0.3 mm apart."""
    markers = [leaf._replace(copies=10) for leaf in leaves("A", size="round-1.5in")]
    tokens = [leaf._replace(copies=40) for leaf in leaves("B", size="round-1in")]
    (sheet,) = impose([*markers, *tokens])
    marks = marks_of(sheet.front)
    assert not any(_run_together(one, other) for one, other in combinations(marks, 2))
    assert len({min(item.x_mm for item in sheet.front.placements if item.frame == name) for name in "AB"}) == 1


def test_a_size_that_does_not_fit_is_said() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        impose([*leaves("A"), *leaves("B", size=Format("large", Size(250, 250)))])


def test_a_round_size_of_ones_own_is_cut_round() -> None:
    (sheet,) = impose([*leaves("A", size=FORMATS["token-1in"]), *leaves("B", size="round-1.5in")])
    (circle,) = circles_of(sheet.front)
    assert circle.width_mm == pytest.approx(38.2)


def test_sizes_that_lie_differently_have_sheets_of_their_own_and_the_small_ones_still_share() -> None:
    upright = leaves("A", size="page")
    lying = leaves("B", size="page-landscape")
    assert [sheet.paper.width_mm for sheet in impose([*upright, *lying])] == [210, 297]
    tokens = [leaf._replace(copies=2) for leaf in leaves("C", size="round-1in")]
    cards = leaves("D")
    full = leaves("E", size="full-page")
    found = [sorted(item.frame for item in sheet.front.placements) for sheet in impose([*full, *tokens, *cards])]
    assert found == [["E"], ["C", "C", "D"]]


@pytest.mark.parametrize(("wanted", "gaps_mm"), [(Gaps.ALWAYS, {4.0}), (Gaps.NEVER, {0.0}), (Gaps.MOST, {0.0, 4.0})])
def test_gaps_are_as_they_are_asked_for(wanted: Gaps, gaps_mm: set[float]) -> None:
    """Nine poker cards fill the room when they meet: with room between them they take two sheets."""
    lots = [Lot(FORMATS["poker"], 9), Lot(FORMATS["mini"], 2)]
    sheets = pack(lots, Rect(5.0, 10.0, 200.0, 277.0), wanted)
    assert sheets is not None
    many = [block for sheet in sheets for block in sheet if block.pieces > 1]
    assert {block.gap_mm for block in many} <= gaps_mm
    assert (len({block.gap_mm for block in many}) == 2) is (wanted is Gaps.MOST)


def test_pieces_that_show_a_drift_get_room_first_if_need_be_a_little() -> None:
    small, large = Format("s", Size(25.4, 25.4), bleed_mm=1.5), Format("l", Size(38.1, 38.1), bleed_mm=2.0)
    room = Rect(5.0, 5.0, 200.0, 272.0)

    def gaps_of(*lots: Lot) -> dict[float, set[float]]:
        packed = pack(lots, room)
        assert packed is not None
        assert len(packed) == 1
        return {trim: {block.gap_mm for block in packed[0] if block.trim.width_mm == trim} for trim in (25.4, 38.1)}

    assert gaps_of(Lot(small, 20), Lot(large, 4)) == {25.4: {3.0}, 38.1: {4.0}}  # there is room for all
    assert gaps_of(Lot(small, 40), Lot(large, 10, is_alike=True)) == {25.4: {2.0}, 38.1: {0.0}}
    assert gaps_of(Lot(small, 40, is_alike=True), Lot(large, 10)) == {25.4: {0.0}, 38.1: {2.0}}
