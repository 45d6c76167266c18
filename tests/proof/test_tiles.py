"""Tiled boards: as planned they are proven; with a tile lost, cut short, moved or doubled they are not."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import pikepdf
import pytest
from test_imposed_sheets import face, typeset

from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.core.problems import Problem, Source
from duckpress.core.sizes import PAPERS, Format
from duckpress.impose import Backs, Leaf, Sheet, SheetLabel, Turn, impose_piece
from duckpress.impose.sheets import Edges, Placement, Side
from duckpress.proof import Expected, ExpectedFace, prove_pdf
from duckpress.proof.tiles import shown_part, uncovered
from duckpress.render import Booklet, DocumentInfo, render_pdf
from handmade import FONTS

BOARD = Format("board", Size(360.0, 500.0), bleed_mm=2.0)
FRONT, BACK = face(BOARD, "the board", "#f4ead2"), face(BOARD, "behind it", "#224466")
OVERLAP_MM = 10.0


def plan(turn: Turn | None = None, copies: int = 1) -> list[Sheet]:
    leaf = Leaf(BOARD, copies, FRONT.hash, BACK.hash, OVERLAP_MM)
    backs = Backs.NONE if turn is None else Backs.DUPLEX
    label = SheetLabel("The Game", "Board", "1.0")
    return list(impose_piece([leaf], PAPERS["a4"], backs, turn or Turn.LONG, label, typeset))


def printed(sheets: Sequence[Sheet], turn: Turn | None = None) -> bytes:
    frames = {FRONT.hash: FRONT, BACK.hash: BACK}
    info = DocumentInfo("The Game: Board", language="en", duplex=turn.value if turn else None)
    return render_pdf([Booklet("Board", tuple(sheets), frames, {}, {})], FONTS, info)


def expected(turn: Turn | None = None, copies: int = 1, overlap_mm: float | None = OVERLAP_MM) -> Expected:
    paper = PAPERS["a4"]
    back = None if turn is None else BACK
    faces = (ExpectedFace("board", "board", copies, FRONT, back, overlap_mm),)
    return Expected(faces, paper.size, paper.margin_mm, turn.value if turn else None, "The Game: Board", "en", {})


def findings(pdf: bytes, wanted: Expected) -> list[Problem]:
    return prove_pdf(pdf, wanted, Source("game.yaml"))


def codes(pdf: bytes, wanted: Expected) -> set[str]:
    return {problem.code for problem in findings(pdf, wanted)}


def edited(sheets: list[Sheet], at: int, change: Callable[[Placement], Placement]) -> list[Sheet]:
    """Return the sheets with the front of one changed."""
    side = sheets[at].front
    sheets[at] = sheets[at]._replace(front=Side((change(side.placements[0]),), side.items))
    return sheets


@pytest.mark.parametrize("turn", [None, Turn.LONG, Turn.SHORT])
@pytest.mark.parametrize("copies", [1, 2])
def test_a_board_as_planned_is_proven(turn: Turn | None, copies: int) -> None:
    sheets = plan(turn, copies)
    assert len(sheets) > 3 * copies
    assert findings(printed(sheets, turn), expected(turn, copies)) == []


def test_a_missing_tile_is_missed_by_its_place() -> None:
    sheets = plan()
    problem, count = findings(printed([*sheets[:1], *sheets[2:]]), expected())
    assert (problem.code, count.code) == ("proof-tiles", "proof-copies")
    assert "is on none of them" in problem.what
    assert "185.0..360.0 mm across" in problem.what


def test_a_tile_of_one_copy_does_not_make_up_for_that_of_another() -> None:
    sheets = plan(copies=2)
    swapped = [*sheets[:1], sheets[0], *sheets[2:]]
    assert codes(printed(swapped), expected(copies=2)) == {"proof-tiles", "proof-copies"}


def test_a_tile_too_many_is_found() -> None:
    sheets = plan()
    assert codes(printed([*sheets, sheets[0]]), expected()) == {"proof-tiles"}


def test_a_tile_that_shows_less_leaves_a_gap() -> None:
    def narrower(item: Placement) -> Placement:
        left, top, right, bottom = item.bleed
        return item._replace(bleed=Edges(left, top, right - 10.5, bottom))

    (problem, _) = findings(printed(edited(plan(), 0, narrower)), expected())
    assert problem.code == "proof-tiles"
    assert "is on none of them" in problem.what


def test_a_seam_that_shares_too_little_is_found() -> None:
    def narrower(item: Placement) -> Placement:
        left, top, right, bottom = item.bleed
        return item._replace(bleed=Edges(left, top, right - 2, bottom))

    (problem, _) = findings(printed(edited(plan(), 0, narrower)), expected())
    assert problem.code == "proof-tiles"
    assert "shared by less than 10 mm" in problem.what
    wider = expected(overlap_mm=12.0)
    assert "proof-tiles" in codes(printed(plan()), wider)


def test_a_card_that_is_not_to_be_tiled_must_be_in_one_piece() -> None:
    found = findings(printed(plan()), expected(overlap_mm=None))
    assert {problem.code for problem in found} == {"proof-tiles", "proof-copies"}
    assert "page 1 shows only a part of card 'board'" in found[0].what


def test_a_back_that_shows_another_part_than_its_front_is_found() -> None:
    sheets = plan(Turn.LONG)
    (back,) = sheets[0].back.placements if sheets[0].back else ()
    left, top, right, bottom = back.bleed
    wrong = back._replace(bleed=Edges(left + 4, top, right, bottom))
    assert sheets[0].back is not None
    sheets[0] = sheets[0]._replace(back=Side((wrong,), sheets[0].back.items))
    assert "proof-back" in codes(printed(sheets, Turn.LONG), expected(Turn.LONG))


def test_a_tile_at_another_scale_is_found() -> None:
    """All tiles are at one scale: that of the board's form, which is how the board was laid out."""
    pdf = pikepdf.open(io.BytesIO(printed(plan())))
    stream = pdf.pages[0].Contents
    found = stream.read_bytes()
    name = f" cm /C-{FRONT.hash} Do".encode()
    head, tail = found.split(name, 1)
    before, *_, x, y = head.rsplit(b" ", 6)
    stream.write(b" ".join((before, b"1.01 0 0 1.01", x, y)) + name + tail)
    written = io.BytesIO()
    pdf.save(written)
    assert "proof-placement" in codes(written.getvalue(), expected())


def test_what_is_shown_is_counted_from_the_corner_of_the_board_however_it_is_turned() -> None:
    trim = Size(100.0, 60.0)
    assert shown_part(Matrix(e=10, f=20), Rect(10, 20, 100, 60), trim) is None
    assert shown_part(Matrix(e=10, f=20), Rect(8, 18, 104, 64), trim) is None
    assert shown_part(Matrix(e=10, f=20), Rect(10, 20, 50, 60), trim) == Rect(0, 0, 50, 60)
    turned = Matrix(-1, 0, 0, -1, 110, 80)
    assert shown_part(turned, Rect(10, 20, 50, 60), trim) == Rect(50, 0, 50, 60)


def test_corners_between_four_tiles_count() -> None:
    trim = Size(100.0, 100.0)
    tiles = [Rect(0, 0, 55, 55), Rect(45, 0, 55, 55), Rect(0, 45, 55, 55), Rect(45, 45, 55, 55)]
    assert uncovered(tiles, trim, 10.0) is None
    assert uncovered([*tiles[:3], Rect(45.5, 45.5, 54.5, 54.5)], trim, 10.0) is not None
    assert uncovered([*tiles[:3], Rect(55, 55, 45, 45)], trim, 0.0) is None
    assert uncovered([*tiles[:3], Rect(55, 55, 45, 45)], trim, 1.0) is not None
    assert uncovered(tiles[:3], trim, 0.0) == Rect(55, 55, 45, 45)
