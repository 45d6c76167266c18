"""Cards that touch on a sheet: what is seen along their edges, and which of them a cut a little off would show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sheet_maps import LABEL, typeset

from duckpress.core.frame import Frame, Item, Outline, Paint, Picture
from duckpress.core.geometry import Size
from duckpress.core.sizes import FORMATS, PAPERS, Format
from duckpress.impose import Backs, Gaps, Leaf, Share, Sheet, Turn, impose_gang, impose_piece
from duckpress.impose.job import Manner
from duckpress.impose.rims import Rims, differing_neighbours, look_alike
from path_texts import path_of
from profiles import examples

TRIM = Size(63.5, 88.9)
RED, BLUE, WHITE = "#aa2222", "#2233aa", "#ffffff"


def filled(d: str, fill: str) -> Outline:
    return Outline(path_of(d), Paint(fill=fill))


def face(ground: str, *items: Item) -> Frame:
    return Frame(TRIM, 2.0, (filled("-2 -2 67.5 92.9 re", ground), *items))


def border(colour: str) -> Outline:
    """Return a border of 2.4 mm, drawn as one thick line along the cut."""
    return Outline(path_of("0 0 63.5 88.9 re"), Paint(stroke=colour, stroke_mm=4.8))


def sheets_of(frames: dict[str, Frame], copies: int, gaps: Gaps = Gaps.NEVER) -> tuple[Sheet, ...]:
    leaves = [Leaf(FORMATS["poker"], copies, name) for name in frames]
    return impose_piece(leaves, PAPERS["a4"], Backs.NONE, Turn.LONG, LABEL, typeset, Manner(gaps=gaps))


def differing(frames: dict[str, Frame], copies: int = 1, gaps: Gaps = Gaps.NEVER) -> set[str]:
    rims = Rims(frames, {})
    touching = differing_neighbours(sheets_of(frames, copies, gaps), dict.fromkeys(frames, TRIM), rims)
    return {f"{one.one.frame}{' v ' if one.side == 3 else ' > '}{one.other.frame}" for one in touching}


def test_two_grounds_that_touch_differ_and_apart_they_do_not() -> None:
    frames = {"a": face(RED), "b": face(BLUE)}
    assert differing(frames) == {"a > b"}
    assert differing(frames, gaps=Gaps.ALWAYS) == set()
    assert differing({"a": face(RED), "b": face("#ac2424")}) == set()  # no eye parts these
    # Three of each: the second row lies below the first.
    assert differing(frames, 3) == {"a v b"}


def test_a_common_border_hides_what_is_within() -> None:
    frames = {"a": face(RED, border(WHITE)), "b": face(BLUE, border(WHITE))}
    assert differing(frames, 4) == set()
    assert differing({**frames, "c": face(BLUE, border(RED))}) == {"b > c"}


def test_only_the_edge_that_touches_counts() -> None:
    head = face(WHITE, filled("-2 -2 67.5 10 re", BLUE))  # a band along the top
    assert differing({"a": head, "b": head}) == set()
    assert differing({"a": head}, 6) == {"a v a"}


def test_a_picture_is_like_nothing() -> None:
    photo = face(WHITE, Picture("key", -2.0, -2.0, 67.5, 92.9))
    assert differing({"a": photo, "b": photo}) == {"a > b"}


def test_the_edges_of_a_frame_turn_with_it() -> None:
    corner = face(WHITE, filled("-2 -2 4 4 re", RED))  # at the top left
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
    "also red": face(RED, filled("10 10 20 20 re", WHITE)),
    "blue": face(BLUE),
    "framed": face(RED, border(WHITE)),
    "also framed": face(BLUE, border(WHITE)),
    "headed": face(WHITE, filled("-2 -2 67.5 10 re", BLUE)),
    "photo": face(WHITE, Picture("key", -2.0, -2.0, 67.5, 92.9)),
}
SIZES = (
    FORMATS["poker"],
    Format("little bleed", TRIM, bleed_mm=0.3),
    Format("bare", TRIM, bleed_mm=0.0),
    Format("token", Size(25.4, 25.4), bleed_mm=2.0, is_round=True),
    Format("tile", Size(38.0, 38.0), bleed_mm=0.0),
)
SHARES = st.lists(
    st.lists(
        st.tuples(
            st.sampled_from(sorted(FACES)), st.sampled_from([None, *sorted(FACES)]), st.sampled_from(SIZES),
            st.integers(0, 20),
        ),
        min_size=1,
        max_size=3,
    ),
    min_size=1,
    max_size=3,
)  # fmt: skip


def _frames(format_: Format) -> dict[str, Frame]:
    """Return the faces at a size: their items show the same colours along every edge that is as long."""
    return {f"{name} {format_.name}": Frame(format_.trim, 2.0, one.items) for name, one in FACES.items()}


@pytest.mark.soak
@examples(60)
@given(
    SHARES, st.sampled_from(["a4", "letter"]), st.sampled_from([Backs.DUPLEX, Backs.GUTTERFOLD, Backs.NONE]),
    st.sampled_from(list(Turn)),
)  # fmt: skip
def test_unlike_edges_never_touch_unless_it_is_asked_for(
    pieces: list[list[tuple[str, str | None, Format, int]]], paper: str, backs: Backs, turn: Turn
) -> None:
    frames = {name: frame for size in SIZES for name, frame in _frames(size).items()}
    rims, trims = Rims(frames, {}), {name: frame.trim for name, frame in frames.items()}
    shares = [
        Share(
            str(number),
            [
                Leaf(size, copies, f"{front} {size.name}", back and f"{back} {size.name}", piece=str(number))
                for front, back, size, copies in piece
            ],
        )
        for number, piece in enumerate(pieces)
    ]
    how = PAPERS[paper], backs, turn, LABEL, typeset, Manner(gaps=Gaps.AUTO, rims=rims)
    alone = [sheet for share in shares for sheet in impose_piece(share.leaves, *how)]
    together = [sheet for bundle in impose_gang(shares, *how).bundles for sheet in bundle.sheets]
    for sheets in (alone, together):
        assert [(one.one.frame, one.other.frame, one.side) for one in differing_neighbours(sheets, trims, rims)] == []
    assert len(together) <= len(alone)


def _auto(frames: dict[str, Frame], copies: int, paper: str = "a4", size: Format = FORMATS["poker"]) -> list[int]:
    leaves = [Leaf(size, copies, name) for name in frames]
    manner = Manner(gaps=Gaps.AUTO, rims=Rims(frames, {}))
    sheets = impose_piece(leaves, PAPERS[paper], Backs.NONE, Turn.LONG, LABEL, typeset, manner)
    return [len(sheet.front.placements) for sheet in sheets]


def test_cards_of_one_colour_share_nine_to_a_sheet_and_unlike_ones_have_room() -> None:
    alike, unlike = {"a": face(RED), "b": face(RED, border(RED))}, {"a": face(RED), "b": face(BLUE)}
    assert _auto(alike, 9) == [9, 9]
    assert _auto(unlike, 9) == [9, 9]  # each has a sheet of its own
    assert _auto(unlike, 10) == [8, 8, 4]
    assert _auto(unlike, 27, "letter") == [9] * 6
    assert _auto(unlike, 12, "letter") == [8, 8, 8]  # with 2 mm between them; with 4 mm there would be four sheets
    assert _auto({"a": face(RED, border(WHITE)), "b": face(BLUE, border(WHITE))}, 9) == [9, 9]


@pytest.mark.parametrize("bleed_mm", [0.0, 0.3])
def test_cards_without_bleed_lie_apart_where_they_differ(bleed_mm: float) -> None:
    size = Format("bare", TRIM, bleed_mm=bleed_mm)
    frames = {"a": face(RED), "b": face(BLUE)}
    manner = Manner(gaps=Gaps.AUTO, rims=Rims(frames, {}))
    leaves = [Leaf(size, 2, name) for name in frames]
    (sheet,) = impose_piece(leaves, PAPERS["a4"], Backs.NONE, Turn.LONG, LABEL, typeset, manner)
    left, right = sheet.front.placements[:2]
    assert right.x_mm - left.x_mm - TRIM.width_mm == pytest.approx(2.0)


def test_two_decks_of_one_colour_each_share_no_sheet_without_room() -> None:
    """Red and blue together would take 9 sheets butted; each by itself they are butted, and take 10."""
    frames = {"red": face(RED), "blue": face(BLUE)}
    shares = [Share(name, [Leaf(FORMATS["poker"], 40, name, piece=name)]) for name in frames]
    manner = Manner(gaps=Gaps.AUTO, rims=Rims(frames, {}))
    gang = impose_gang(shares, PAPERS["a4"], Backs.NONE, Turn.LONG, LABEL, typeset, manner)
    assert gang.sheets == 10
    never = Manner(gaps=Gaps.NEVER, rims=Rims(frames, {}))
    assert impose_gang(shares, PAPERS["a4"], Backs.NONE, Turn.LONG, LABEL, typeset, never).sheets == 9
