"""Boards larger than the paper: tiles that cover all of them, marks that meet, backs behind, on the fewest sheets."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ink import inked, overlap, shown
from sheet_maps import impose

from duckpress.core.geometry import Rect, Size
from duckpress.core.problems import Source
from duckpress.core.sizes import FORMATS, PAPERS, Format, Paper
from duckpress.impose import Backs, Leaf, Sheet, Side, Turn, check_tiles, fit_grid
from duckpress.impose.tiling import EDGE_MM, SHORTEST_MM, plan_tiles
from profiles import examples

SINGLE, LONG, SHORT = None, Turn.LONG, Turn.SHORT
boards = st.builds(
    lambda width, height, bleed: Format("board", Size(width, height), bleed_mm=bleed),
    st.floats(60.0, 600.0).map(lambda size_mm: round(size_mm, 2)),
    st.floats(60.0, 600.0).map(lambda size_mm: round(size_mm, 2)),
    st.sampled_from([0.0, 2.0, 3.175]),
)


def tiled(format_: Format, paper: Paper, turn: Turn | None, overlap_mm: float = 10.0, copies: int = 1) -> list[Sheet]:
    back = None if turn is None else "back"
    return list(impose([Leaf(format_, copies, "front", back, overlap_mm)], paper, turn=turn or Turn.LONG))


def seen(side: Side, format_: Format) -> Rect:
    """Return what a side shows of a board, counted from the top left of its trim."""
    (item,) = side.placements
    box = shown(item, format_)
    return box.moved(-item.x_mm, -item.y_mm)


@examples(15)
@given(
    boards,
    st.sampled_from(list(PAPERS.values())),
    st.sampled_from([SINGLE, LONG, SHORT]),
    st.sampled_from([3.0, 10.0, 25.0]),
)
def test_any_board(format_: Format, paper: Paper, turn: Turn | None, overlap_mm: float) -> None:
    if check_tiles(format_, paper, overlap_mm, turn, "the board", Source("board.yaml")) is not None:
        assert min(paper.size) < 150
        return
    sheets = tiled(format_, paper, turn, overlap_mm)
    if fit_grid(format_, paper) is not None:
        assert len(sheets) == 1
        return
    parts = [seen(sheet.front, format_) for sheet in sheets]
    _covers(parts, format_, overlap_mm)
    for sheet in sheets:
        printable = Rect(0.0, 0.0, *sheet.paper).grown(-paper.margin_mm)
        for side in [sheet.front] if sheet.back is None else [sheet.front, sheet.back]:
            board = shown(side.placements[0], format_)
            ink = [box for _, box in inked(side.items)]
            assert all(printable.holds(box, 0.16) for box in (*ink, board))
            assert not any(overlap(box, board) for box in ink)
        if sheet.back is not None:
            _is_behind(sheet, format_, turn or Turn.LONG)
    assert len(sheets) == min(_counts(format_, paper, turn, overlap_mm))
    assert [(sheet.number, sheet.total) for sheet in sheets] == [(at, len(sheets)) for at in range(1, len(sheets) + 1)]


def _covers(parts: list[Rect], format_: Format, overlap_mm: float) -> None:
    """Check every part of the board: it is on a tile, half the overlap away from where the tile breaks off."""
    width_mm, height_mm = format_.trim
    half_mm = overlap_mm / 2 - 0.01
    inner = [
        (
            part.x_mm + half_mm * (part.x_mm > 0.01),
            part.y_mm + half_mm * (part.y_mm > 0.01),
            part.right_mm - half_mm * (part.right_mm < width_mm - 0.01),
            part.bottom_mm - half_mm * (part.bottom_mm < height_mm - 0.01),
        )
        for part in parts
    ]
    xs = sorted({0.0, width_mm, *(edge for left, _, right, _ in inner for edge in (left, right))})
    ys = sorted({0.0, height_mm, *(edge for _, top, _, bottom in inner for edge in (top, bottom))})
    for x in ((one + other) / 2 for one, other in pairwise(xs)):
        for y in ((one + other) / 2 for one, other in pairwise(ys)):
            if 0 < x < width_mm and 0 < y < height_mm:
                held = ((x - left, right - x, y - top, bottom - y) for left, top, right, bottom in inner)
                assert any(min(room) > -1e-6 for room in held), (x, y)  # sums of lengths may end in a rounding error


def _is_behind(sheet: Sheet, format_: Format, turn: Turn) -> None:
    assert sheet.back is not None
    front, back = shown(sheet.front.placements[0], format_), shown(sheet.back.placements[0], format_)
    mirrors_x = (sheet.paper.width_mm <= sheet.paper.height_mm) == (turn is Turn.LONG)
    x_mm, y_mm = sheet.paper.width_mm - front.right_mm, sheet.paper.height_mm - front.bottom_mm
    assert back == pytest.approx(front._replace(x_mm=x_mm) if mirrors_x else front._replace(y_mm=y_mm))
    assert sheet.back.placements[0].turn_degrees == (0 if mirrors_x else 180)


def _counts(format_: Format, paper: Paper, turn: Turn | None, overlap_mm: float) -> list[int]:
    """Return how many tiles each way to lay the paper and the footer needs, worked out from the paper alone."""
    counts = []
    for upright in (True, False):
        width_mm, height_mm = paper.size if upright else paper.size.turned()
        for is_below in (True, False):
            mirrors_x = turn is not None and upright == (turn is Turn.LONG)
            mirrors_y = turn is not None and not mirrors_x
            across = width_mm - 10 - 2 * EDGE_MM - (0 if is_below else 7.6 * (1 + mirrors_x))
            down = height_mm - 10 - 2 * EDGE_MM - (7.6 * (1 + mirrors_y) if is_below else 0)
            if (width_mm if is_below else height_mm) - 10 < SHORTEST_MM or min(across, down) <= 2 * overlap_mm:
                continue
            tiles = [
                1 if length <= room else math.ceil((length - overlap_mm) / (room - overlap_mm) - 1e-9)
                for length, room in ((format_.trim.width_mm, across), (format_.trim.height_mm, down))
            ]
            counts.append(tiles[0] * tiles[1])
    return counts


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_wide_board_is_joined_in_its_middle(paper: str) -> None:
    format_ = Format("board", Size(400, 150))
    sheets = tiled(format_, PAPERS[paper], SINGLE)
    assert [(part.x_mm, part.right_mm) for part in (seen(sheet.front, format_) for sheet in sheets)] == [
        pytest.approx((-2, 205)), pytest.approx((195, 402)),
    ]  # fmt: skip
    tiling = plan_tiles(format_, PAPERS[paper], 10, None)
    assert tiling is not None
    across, down = tiling.seams()
    assert (*across, "-", *down) == (pytest.approx(200.0), "-")
    # A page printed a third larger takes two sheets.
    assert len(tiled(FORMATS["full-page-landscape"].scaled(1.33), PAPERS[paper], SINGLE)) == 2


def test_copies_are_printed_one_after_the_other_and_fronts_alone_without_backs() -> None:
    format_ = Format("board", Size(400, 150))
    sheets = tiled(format_, PAPERS["a4"], LONG, copies=2)
    lefts = [seen(sheet.front, format_).x_mm for sheet in sheets]
    assert lefts == pytest.approx([-2, 195, -2, 195])
    leaf = Leaf(format_, 1, "front", "back", 10.0)
    assert all(sheet.back is None for sheet in impose([leaf], backs=Backs.NONE))


def test_a_board_stands_beside_cards_in_one_piece() -> None:
    card, board = FORMATS["poker"], Format("board", Size(400, 150))
    sheets = impose([Leaf(board, 1, "board", None, 10.0), Leaf(card, 3, "card")])
    assert [[item.frame for item in sheet.front.placements] for sheet in sheets] == [["card"] * 3, ["board"], ["board"]]
    assert {sheet.total for sheet in sheets} == {3}


def test_a_paper_too_small_for_tiles_is_a_problem() -> None:
    board, source = Format("board", Size(400, 150)), Source("board.yaml")
    postcard = Paper("postcard", Size(105, 148))
    assert plan_tiles(board, postcard, 10.0, None) is None
    problem = check_tiles(board, postcard, 10.0, None, "deck 'board'", source)
    assert problem is not None
    assert (problem.code, problem.source) == ("does-not-fit", source)
    assert "more than 20 mm wide" in problem.what
    assert "its footer needs 144 mm" in problem.what
    assert "138 mm for the footer" in problem.what
    assert problem.fix == "print on a4 or letter or a3 or legal or tabloid"
    with pytest.raises(ValueError, match="does not fit"):  # what is not tiled still has to
        impose([Leaf(board, 1, "front")])
    with pytest.raises(ValueError, match="cannot be tiled"):
        tiled(board, postcard, SINGLE)
    assert check_tiles(board, PAPERS["a4"], 10.0, None, "deck 'board'", source) is None


def test_tiles_that_share_too_much_are_told_how_much_they_may() -> None:
    board, source = Format("board", Size(400, 150)), Source("board.yaml")
    strip = Paper("strip", Size(60, 300))
    problem = check_tiles(board, strip, 40.0, None, "deck 'board'", source)
    assert problem is not None
    said = re.search(r"let neighbours share ([\d.]+) mm$", problem.fix)
    assert said is not None
    assert plan_tiles(board, strip, float(said[1]), None) is not None
    assert plan_tiles(board, strip, float(said[1]) + 0.3, None) is None
