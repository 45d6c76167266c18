"""Sizes, and pieces, on common sheets where that saves paper, and how much room there is between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from ink import footer_of, words_of
from sheet_maps import LABEL, impose, leaves, typeset

from duckpress.core.frame import Group
from duckpress.core.geometry import Rect, Size
from duckpress.core.sizes import FORMATS, PAPERS, Format
from duckpress.impose import Backs, Gang, Gaps, Leaf, Placement, Share, Turn, impose_gang
from duckpress.impose.mixed import Lot, pack


@pytest.mark.parametrize(
    ("cards", "size", "others", "found"),
    [
        (20, "round-1in", 5, [{"A": 9}, {"A": 9}, {"A": 2, "B": 5}]),  # full sheets stay grids, the rest shares one
        (9, "tarot", 4, [{"A": 9}, {"B": 4}]),  # together they would save nothing
    ],
)
def test_sizes_share_sheets_where_that_saves_some(
    cards: int, size: str, others: int, found: list[dict[str, int]]
) -> None:
    sheets = impose([Leaf(FORMATS["poker"], cards, "A", "a"), Leaf(FORMATS[size], others, "B", "b")])
    assert [Counter(item.frame for item in sheet.front.placements) for sheet in sheets] == found


@pytest.mark.parametrize(("copies", "gap_mm"), [(12, 3.0), (60, 0.0)])
def test_pieces_have_gaps_unless_that_costs_a_sheet(copies: int, gap_mm: float) -> None:
    tokens = [leaf._replace(copies=copies) for leaf in leaves("A", size="round-1in")]
    slips = [leaf._replace(copies=2) for leaf in leaves("B", size=Format("slip", Size(150, 15), bleed_mm=0.0))]
    (sheet,) = impose([*tokens, *slips])
    row = sorted(item.x_mm for item in sheet.front.placements if item.frame == "A")
    assert row[-1] - max(x for x in row if x < row[-1] - 1) == pytest.approx(25.4 + gap_mm)


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
    lots = Lot(FORMATS["poker"], 9), Lot(FORMATS["mini"], 2)
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


def gang(found: Sequence[Share], backs: Backs = Backs.DUPLEX) -> Gang:
    return impose_gang(found, PAPERS["a4"], backs, Turn.LONG, LABEL, typeset)


def test_what_is_left_over_of_two_pieces_is_one_sheet() -> None:
    cards = Share("Cards", [Leaf(FORMATS["poker"], 12, "c", "d")])
    aids = Share("Aids", [Leaf(FORMATS["poker"], 4, "e", "f")])
    tokens = Share("Tokens", [Leaf(FORMATS["token-1in"], 6, "t", "u")])
    result = gang([cards, aids, tokens])
    assert (result.sheets, result.sheets_alone) == (2, 4)
    assert [bundle.title for bundle in result.bundles] == ["Cards", "Cards + Aids + Tokens"]
    footer = words_of(result.bundles[1].sheets[0].front)
    assert "Cards + Aids + Tokens" in footer
    assert "sheet 2 of 2" in footer
    assert footer_of(result.bundles[0].sheets[0].front)


def test_pieces_without_backs_do_not_go_through_twice() -> None:
    cards = Share("Cards", [Leaf(FORMATS["poker"], 4, "c", "d")])
    sheets = Share("Sheets", [Leaf(FORMATS["half-page"], 1, "s")])
    more = Share("More", [Leaf(FORMATS["poker"], 2, "m")])
    result = gang([cards, sheets, more])
    sides = {bundle.title: [sheet.back is not None for sheet in bundle.sheets] for bundle in result.bundles}
    assert sides["Cards"] == [True]
    assert not any(any(found) for title, found in sides.items() if title != "Cards")
    assert {name for title in sides for name in title.split(" + ")} == {"Cards", "Sheets", "More"}


def test_nothing_is_shared_where_that_saves_nothing() -> None:
    full = [Share(name, [Leaf(FORMATS["poker"], 9, name, f"{name}-back")]) for name in ("One", "Two")]
    assert [(bundle.title, len(bundle.sheets)) for bundle in gang(full).bundles] == [("One", 1), ("Two", 1)]


def test_fronts_alone_lie_as_they_do_with_their_backs() -> None:
    counts = (("poker", 5, "b"), ("mini-euro", 7, "c"), ("token-1in", 9, None))
    pieces = [Share(name, [Leaf(FORMATS[name], count, name, back)]) for name, count, back in counts]
    both, fronts = (gang(pieces, backs) for backs in (Backs.DUPLEX, Backs.NONE))

    def fronts_of(result: Gang) -> list[tuple[Placement, ...]]:
        return [sheet.front.placements for bundle in result.bundles for sheet in bundle.sheets]

    assert fronts_of(both) == fronts_of(fronts)
    assert isinstance(both.bundles[0].sheets[0].front.items[-1], Group)
