"""Cards that touch on a sheet: what is seen along their edges, and which of them a cut a little off would show."""

from __future__ import annotations

from sheet_maps import LABEL, typeset

from duckpress.core.frame import Frame, Item, Outline, Paint, Picture
from duckpress.core.geometry import Size
from duckpress.core.sizes import FORMATS, PAPERS
from duckpress.impose import Backs, Gaps, Leaf, Sheet, Turn, impose_piece
from duckpress.impose.job import Manner
from duckpress.impose.rims import Rims, look_alike
from duckpress.impose.touching import differing_neighbours
from path_texts import path_of

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
