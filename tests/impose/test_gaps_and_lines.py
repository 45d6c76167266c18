"""Room between cards where it costs no sheet or where a cut a little off would show their neighbours; and cut lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ink import inked
from sheet_maps import LABEL, leaves, typeset

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, Paint, Picture, PlacedDrawing
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.core.sizes import FORMATS, PAPERS, Format
from duckpress.impose import Backs, Gaps, Leaf, Share, Sheet, Turn, fit_grid, impose_gang, impose_piece
from duckpress.impose.job import Manner
from duckpress.impose.marks import LINE_PAINT
from duckpress.impose.rims import Rims, differing_neighbours, look_alike, rim_of
from duckpress.impose.sheets import Cut
from handmade import box
from path_texts import path_of
from profiles import examples

TRIM, POKER = Size(63.5, 88.9), FORMATS["poker"]
RED, BLUE, WHITE = "#aa2222", "#2233aa", "#ffffff"
ART = Drawing(Rect(0.0, 0.0, 10.0, 10.0), (box(0, 0, 10, 10, "#000000"),))


def face(ground: str, *items: Item) -> Frame:
    return Frame(TRIM, 2.0, (box(-2, -2, 67.5, 92.9, ground), *items))


def border(colour: str) -> Outline:
    """Return a border of 2.4 mm, drawn as one thick line along the cut."""
    return Outline(path_of("0 0 63.5 88.9 re"), Paint(stroke=colour, stroke_mm=4.8))


def lay(
    faces: list[Leaf], gaps: Gaps, cut: Cut = Cut.MARKS, frames: dict[str, Frame] | None = None, paper: str = "a4"
) -> tuple[Sheet, ...]:
    """Return sheets of faces; `frames` are what they look like."""
    rims = None if frames is None else Rims(frames, {})
    return impose_piece(faces, PAPERS[paper], Backs.DUPLEX, Turn.LONG, LABEL, typeset, Manner(cut, gaps, rims))


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
        (9, 9),  # a second sheet is not worth it
        (64, 8),  # eight sheets either way
    ],
)
def test_auto_gives_room_that_costs_no_sheet(count: int, capacity: int) -> None:
    """The cards have a band of one colour at their edges, and others within the drift: a common border."""
    front = face(RED, box(1, 1, 61.5, 86.9, WHITE))
    faces = [Leaf(POKER, count, front.hash)]
    sheets = lay(faces, Gaps.AUTO, frames={front.hash: front})
    assert len(sheets) == len(lay(faces, Gaps.MOST))
    assert max(len(sheet.front.placements) for sheet in sheets) == min(count, capacity)


@pytest.mark.parametrize(
    ("size", "paper", "most", "roomy"),
    [
        ("poker", "a4", 9, 8),
        ("poker", "letter", 9, 6),
        ("bridge", "a4", 9, 9),
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


def test_cards_alike_at_their_edges_meet_and_need_one_cut() -> None:
    fronts = [face(RED, box(10, 10, 20, at + 1, WHITE)) for at in range(4)]
    back, other = face("#224466"), face("#226644")
    frames = {frame.hash: frame for frame in (*fronts, back, other)}
    alike = [Leaf(POKER, 1, front.hash, back.hash) for front in fronts]
    (sheet,) = lay(alike, Gaps.AUTO, Cut.LINES, frames)
    upright, level, _ = lines_of(sheet)
    assert (len(upright), len(level)) == (4, 3)
    # One back of another colour, or none, and each card needs its own bleed.
    for last in (other.hash, None):
        (sheet,) = lay([*alike[:3], alike[3]._replace(back=last)], Gaps.AUTO, Cut.LINES, frames)
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
        ((Group((box(0, 0, 5, 5, "#aa3311"),), opacity=0.5),), None),
        ((Group((box(0, 0, 63, 88, "#000000"),), clip=path_of("10 10 20 20 re")),), "#aa3311"),
        ((PlacedDrawing(ART.key, Matrix(1, 0, 0, 1, 20, 20)),), "#aa3311"),
        ((PlacedDrawing(ART.key, Matrix(1, 0, 0, 1, -3, 20)),), None),
    ],
)
def test_the_colour_of_a_rim(items: tuple[Item, ...], colour: str | None) -> None:
    assert rim_of(face("#aa3311", *items), {ART.key: ART})[0] == colour


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


def test_nothing_shows_the_cuts_where_nothing_is_asked_for() -> None:
    (sheet,) = lay(leaves("AB", size="round-1in"), Gaps.MOST, Cut.NONE)
    assert len(sheet.front.items) == 1  # the footer
    found = lay([*leaves("AB"), *leaves("CD", size="round-1in")], Gaps.MOST, Cut.NONE)
    assert [len(one.front.items) for one in found] == [1]


def differing(frames: dict[str, Frame], copies: int = 1, gaps: Gaps = Gaps.NEVER) -> set[str]:
    """Return which faces touch on sheets and differ there: beside each other, or below."""
    sheets = lay([Leaf(POKER, copies, name) for name in frames], gaps)
    touching = differing_neighbours(sheets, dict.fromkeys(frames, TRIM), Rims(frames, {}))
    return {f"{one.one.frame}{' v ' if one.side == 3 else ' > '}{one.other.frame}" for one in touching}


def test_which_edges_that_touch_differ() -> None:
    frames = {"a": face(RED), "b": face(BLUE)}
    framed = {"a": face(RED, border(WHITE)), "b": face(BLUE, border(WHITE))}
    head = face(WHITE, box(-2, -2, 67.5, 10, BLUE))  # a band along the top
    photo = face(WHITE, Picture("key", -2.0, -2.0, 67.5, 92.9))
    assert differing(frames) == {"a > b"}
    assert differing(frames, gaps=Gaps.ALWAYS) == set()
    assert differing(frames, 3) == {"a v b"}  # the second row lies below the first
    assert differing({"a": face(RED), "b": face("#ac2424")}) == set()  # no eye parts these
    assert differing(framed, 4) == set()  # whatever is within a common border
    assert differing({**framed, "c": face(BLUE, border(RED))}) == {"b > c"}
    assert differing({"a": head, "b": head}) == set()
    assert differing({"a": head}, 6) == {"a v a"}
    assert differing({"a": photo, "b": photo}) == {"a > b"}  # a picture is like nothing


def test_the_edges_of_a_frame_turn_with_it() -> None:
    corner = face(WHITE, box(-2, -2, 4, 4, RED))  # at the top left
    rims = Rims({"a": corner}, {})

    def red_at(side: int, turn: int) -> str:
        colours = rims.edge("a", side, turn)
        return "first" if colours[0] == RED else "last" if colours[-1] == RED else "-"

    edges = {turn: [red_at(side, turn) for side in range(4)] for turn in (0, 90, 180, 270)}
    assert edges == {
        0: ["first", "first", "-", "-"],
        90: ["-", "last", "first", "-"],
        180: ["-", "-", "last", "last"],
        270: ["last", "-", "-", "first"],
    }


def test_a_pattern_may_go_on_a_millimetre_sooner_or_later() -> None:
    assert look_alike((WHITE, RED, RED, WHITE, WHITE), (WHITE, WHITE, RED, RED, WHITE))
    assert look_alike((WHITE,) * 6, (WHITE, RED, RED, WHITE, WHITE, WHITE))  # a thin line, met on one side only
    assert not look_alike((WHITE,) * 6, (WHITE, RED, RED, RED, WHITE, WHITE))
    assert not look_alike((WHITE, RED, RED, RED, WHITE, WHITE), (WHITE,) * 6)
    assert not look_alike((None,) * 3, (None,) * 3)


FACES = {
    "red": face(RED),
    "framed": face(RED, border(WHITE)),
    "also framed": face(BLUE, border(WHITE)),
    "headed": face(WHITE, box(-2, -2, 67.5, 10, BLUE)),
    "photo": face(WHITE, Picture("key", -2.0, -2.0, 67.5, 92.9)),
}
SIZES = (
    POKER,
    Format("little bleed", TRIM, bleed_mm=0.3),
    Format("token", Size(25.4, 25.4), bleed_mm=2.0, is_round=True),
    Format("tile", Size(38.0, 38.0), bleed_mm=0.0),
)
NAMES = st.sampled_from(sorted(FACES))
LEAVES = st.builds(
    lambda size, copies, front, back: Leaf(size, copies, f"{front} {size.name}", back and f"{back} {size.name}"),
    st.sampled_from(SIZES),
    st.integers(0, 20),
    NAMES,
    st.none() | NAMES,
)
PIECES = st.lists(st.lists(LEAVES, min_size=1, max_size=3), min_size=1, max_size=3)
WAYS = st.sampled_from([Backs.DUPLEX, Backs.GUTTERFOLD, Backs.NONE])


@pytest.mark.soak
@examples(60)
@given(PIECES, st.sampled_from(["a4", "letter"]), WAYS, st.sampled_from(list(Turn)))
def test_unlike_edges_never_touch_unless_it_is_asked_for(
    pieces: list[list[Leaf]], paper: str, backs: Backs, turn: Turn
) -> None:
    # Their items show the same colours along every edge that is as long.
    frames = {f"{name} {size.name}": Frame(size.trim, 2.0, one.items) for size in SIZES for name, one in FACES.items()}
    rims, trims = Rims(frames, {}), {name: frame.trim for name, frame in frames.items()}
    shares = [Share(str(at), [leaf._replace(piece=str(at)) for leaf in piece]) for at, piece in enumerate(pieces)]
    how = PAPERS[paper], backs, turn, LABEL, typeset, Manner(gaps=Gaps.AUTO, rims=rims)
    alone = [sheet for share in shares for sheet in impose_piece(share.leaves, *how)]
    together = [sheet for bundle in impose_gang(shares, *how).bundles for sheet in bundle.sheets]
    for sheets in (alone, together):
        assert [*differing_neighbours(sheets, trims, rims)] == []
    assert len(together) <= len(alone)


def auto(frames: dict[str, Frame], copies: int, paper: str = "a4") -> list[int]:
    sheets = lay([Leaf(POKER, copies, name) for name in frames], Gaps.AUTO, frames=frames, paper=paper)
    return [len(sheet.front.placements) for sheet in sheets]


def test_cards_of_one_colour_share_nine_to_a_sheet_and_unlike_ones_have_room() -> None:
    alike, unlike = {"a": face(RED), "b": face(RED, border(RED))}, {"a": face(RED), "b": face(BLUE)}
    assert auto(alike, 9) == [9, 9]
    assert auto(unlike, 9) == [9, 9]  # each has a sheet of its own
    assert auto(unlike, 10) == [8, 8, 4]
    assert auto(unlike, 27, "letter") == [9] * 6
    assert auto(unlike, 12, "letter") == [8, 8, 8]  # with 2 mm between them; with 4 mm there would be four sheets
    assert auto({"a": face(RED, border(WHITE)), "b": face(BLUE, border(WHITE))}, 9) == [9, 9]


@pytest.mark.parametrize("bleed_mm", [0.0, 0.3])
def test_cards_without_bleed_lie_apart_where_they_differ(bleed_mm: float) -> None:
    frames = {"a": face(RED), "b": face(BLUE)}
    faces = [Leaf(Format("bare", TRIM, bleed_mm=bleed_mm), 2, name) for name in frames]
    (sheet,) = lay(faces, Gaps.AUTO, frames=frames)
    left, right = sheet.front.placements[:2]
    assert right.x_mm - left.x_mm - TRIM.width_mm == pytest.approx(2.0)


def test_two_decks_of_one_colour_each_share_no_sheet_without_room() -> None:
    """Red and blue together would take 9 sheets butted; each by itself they are butted, and take 10."""
    frames = {"red": face(RED), "blue": face(BLUE)}
    shares = [Share(name, [Leaf(POKER, 40, name, piece=name)]) for name in frames]
    for gaps, sheets in ((Gaps.AUTO, 10), (Gaps.NEVER, 9)):
        manner = Manner(gaps=gaps, rims=Rims(frames, {}))
        gang = impose_gang(shares, PAPERS["a4"], Backs.NONE, Turn.LONG, LABEL, typeset, manner)
        assert gang.sheets == sheets
