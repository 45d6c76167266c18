"""Room between cards where it costs no sheet, and lines at every cut: double between gaps, single where cards meet."""

from __future__ import annotations

import pytest
from ink import inked
from sheet_maps import LABEL, leaves, side_map, typeset

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, Paint, PlacedDrawing
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.core.sizes import FORMATS, PAPERS, Format
from duckpress.impose import Backs, Cut, Gaps, Leaf, Sheet, Turn, fit_grid, impose_piece
from duckpress.impose.job import Manner
from duckpress.impose.marks import LINE_PAINT
from duckpress.impose.rims import Rims, rim_colour
from path_texts import path_of

TRIM = Size(63.5, 88.9)


def face(*items: Item, ground: str = "#aa3311") -> Frame:
    return Frame(TRIM, 2.0, (box(-2, -2, 67.5, 92.9, ground), *items))


def box(x: float, y: float, width: float, height: float, fill: str) -> Outline:
    return Outline(path_of(f"{x:g} {y:g} {width:g} {height:g} re"), Paint(fill=fill))


def lay(faces: list[Leaf], gaps: Gaps, cut: Cut = Cut.MARKS, rims: Rims | None = None) -> tuple[Sheet, ...]:
    return impose_piece(faces, PAPERS["a4"], Backs.DUPLEX, Turn.LONG, LABEL, typeset, Manner(cut, gaps, rims))


def lines_of(sheet: Sheet) -> tuple[list[float], list[float], list[Rect]]:
    """Return where lines cross the front, across and down, and their boxes."""
    lines = [rect for item, rect in inked(sheet.front.items) if isinstance(item, Outline) and item.paint == LINE_PAINT]
    upright = sorted(round(line.x_mm + line.width_mm / 2, 2) for line in lines if line.height_mm > line.width_mm)
    level = sorted(round(line.y_mm + line.height_mm / 2, 2) for line in lines if line.width_mm > line.height_mm)
    return upright, level, lines


@pytest.mark.parametrize(
    ("count", "capacity"),
    [
        (1, 9),  # no neighbour, no gap
        (2, 8),
        (8, 8),
        (9, 9),  # a second sheet is not worth it
        (16, 8),
        (17, 9),
        (64, 8),  # eight sheets either way
    ],
)
def test_auto_gives_room_that_costs_no_sheet(count: int, capacity: int) -> None:
    """The cards have a band of one colour at their edges, and others within the drift: a common border."""
    front = face(box(1, 1, 61.5, 86.9, "#ffffff"))
    faces = [Leaf(FORMATS["poker"], count, front.hash)]
    sheets = lay(faces, Gaps.AUTO, rims=Rims({front.hash: front}, {}))
    assert len(sheets) == len(lay(faces, Gaps.MOST))
    assert max(len(sheet.front.placements) for sheet in sheets) == min(count, capacity)


@pytest.mark.parametrize(
    ("size", "paper", "most", "roomy"),
    [
        ("poker", "a4", 9, 8),
        ("poker", "letter", 9, 6),
        ("poker-euro", "a4", 9, 8),
        ("bridge", "a4", 9, 9),
        ("tarot", "a4", 4, 4),
        ("mini-euro", "a4", 16, 12),
        ("square-70", "letter", 6, 6),
    ],
)
def test_what_room_costs(size: str, paper: str, most: int, roomy: int) -> None:
    for gaps, capacity in ((Gaps.MOST, most), (Gaps.ALWAYS, roomy)):
        grid = fit_grid(FORMATS[size], PAPERS[paper], None, gaps)
        assert grid is not None
        assert grid.capacity == capacity
    for axis in (grid.columns, grid.rows):
        assert axis.trims == 1 or axis.gap_mm >= 4.0 - 1e-6
        assert axis.trims == 1 or axis.bleed_mm >= 2.0 - 1e-6


def test_room_forgives_two_millimetres_and_no_more_is_asked_of_a_wide_bleed() -> None:
    grid = fit_grid(Format("wide", TRIM, bleed_mm=3.175), PAPERS["a4"], None, Gaps.ALWAYS)
    assert grid is not None
    assert all(axis.inner_bleed_mm >= 2.0 - 1e-6 for axis in (grid.columns, grid.rows))
    bare = fit_grid(Format("bare", TRIM, bleed_mm=0.0), PAPERS["a4"], None, Gaps.ALWAYS)
    assert bare is not None
    assert bare.capacity == 9


def test_never_lets_cards_meet() -> None:
    grid = fit_grid(FORMATS["tarot"], PAPERS["a4"], None, Gaps.NEVER)
    assert grid is not None
    assert (grid.columns.gap_mm, grid.rows.gap_mm) == (0.0, 0.0)


def test_cards_alike_at_their_edges_meet_and_need_one_cut() -> None:
    fronts = [face(box(10, 10, 20, at + 1, "#ffffff")) for at in range(4)]
    back = face(ground="#224466")
    other = face(ground="#226644")
    frames = {frame.hash: frame for frame in (*fronts, back, other)}
    format_ = FORMATS["poker"]
    rims = Rims(frames, {})
    alike = [Leaf(format_, 1, front.hash, back.hash) for front in fronts]
    (sheet,) = lay(alike, Gaps.AUTO, Cut.LINES, rims)
    upright, level, _ = lines_of(sheet)
    assert (len(upright), len(level)) == (4, 3)
    # One back of another colour, or none, and each card needs its own bleed.
    for last in (other.hash, None):
        (sheet,) = lay([*alike[:3], alike[3]._replace(back=last)], Gaps.AUTO, Cut.LINES, rims)
        upright, level, _ = lines_of(sheet)
        assert (len(upright), len(level)) == (8, 2)
        assert upright[2] - upright[1] == pytest.approx(4.0, abs=0.02)


@pytest.mark.parametrize(
    ("items", "colour"),
    [
        ((), "#aa3311"),
        ((box(2.5, 2.5, 58, 83, "#ffffff"),), "#aa3311"),  # a frame that begins deeper than a drift goes
        ((box(1.5, 1.5, 60, 85, "#ffffff"),), None),
        ((box(-2, -2, 67.5, 92.9, "#224466"),), "#224466"),
        ((Outline(path_of("0 40 m 63.5 40 l"), Paint(stroke="#000000", stroke_mm=0.5)),), None),
        ((box(-2, 60, 67.5, 30, "#aa3311"),), "#aa3311"),
        ((Group((box(0, 0, 5, 5, "#000000"),), Matrix(1, 0, 0, 1, 30, 30)),), "#aa3311"),
        ((Group((box(0, 0, 5, 5, "#000000"),), Matrix(1, 0, 0, 1, 61, 30)),), None),
        ((Group((box(0, 0, 63, 88, "#000000"),), clip=path_of("10 10 20 20 re")),), "#aa3311"),
    ],
)
def test_the_colour_of_a_rim(items: tuple[Item, ...], colour: str | None) -> None:
    assert rim_colour(face(*items), {}) == colour


def test_art_over_the_edge_has_no_one_colour() -> None:
    art = Drawing(Rect(0.0, 0.0, 10.0, 10.0), (box(0, 0, 10, 10, "#000000"),))
    inside, across = (face(PlacedDrawing(art.key, Matrix(1, 0, 0, 1, x, 20))) for x in (20, -3))
    assert rim_colour(inside, {art.key: art}) == "#aa3311"
    assert rim_colour(across, {art.key: art}) is None


def test_lines_cross_the_sheet_and_stop_at_the_footer() -> None:
    (sheet,) = lay(leaves("ABCDEFGHI"), Gaps.MOST, Cut.LINES)
    upright, level, lines = lines_of(sheet)
    assert (len(upright), len(level)) == (4, 4)
    for line in lines:
        if line.height_mm > line.width_mm:
            assert line.y_mm == pytest.approx(5.0, abs=0.06)
            assert line.bottom_mm == pytest.approx(292.0 - 4.7 - 0.5, abs=0.06)
        else:
            assert (line.x_mm, line.right_mm) == pytest.approx((5.0, 205.0), abs=0.06)


def test_both_sides_have_lines_at_the_same_cuts() -> None:
    (sheet,) = lay(leaves("AB"), Gaps.ALWAYS, Cut.LINES)
    assert sheet.back is not None
    upright, level, _ = lines_of(sheet)
    # The sheet lies on its side and is turned about its long edge: rows mirror.
    behind, below, _ = lines_of(sheet._replace(front=sheet.back))
    assert behind == pytest.approx(upright, abs=0.02)
    assert sorted(sheet.paper.height_mm - y_mm for y_mm in level) == pytest.approx(below, abs=0.02)


def test_nothing_shows_the_cuts_where_nothing_is_asked_for() -> None:
    (sheet,) = lay(leaves("AB", size="round-1in"), Gaps.MOST, Cut.NONE)
    assert len(sheet.front.items) == 1  # the footer
    found = lay([*leaves("AB"), *leaves("CD", size="round-1in")], Gaps.MOST, Cut.NONE)
    assert [len(one.front.items) for one in found] == [1]


def test_common_sheets_have_lines_through_each_block() -> None:
    found = lay([*leaves("AB"), *leaves("CD", size="token-1in")], Gaps.MOST, Cut.LINES)
    assert len(found) == 1
    upright, level, _ = lines_of(found[0])
    assert (len(upright), len(level)) == (6, 6)


def test_the_map_of_a_roomy_sheet() -> None:
    (full,) = lay(leaves("ABCDEFGH"), Gaps.AUTO)
    assert full.paper == Size(297.0, 210.0)
    assert side_map(full.front, 4, full.front) == "A B C D / E F G H"
    assert side_map(full.back, 4, full.front) == "e f g h / a b c d"
