"""Every promise about a plan broken on purpose: a sound plan has no findings, each wrong one its own, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from duckpress.core.frame import Group, Item, Outline, Paint, PlacedDrawing
from duckpress.core.geometry import Matrix, Rect, Size, rotation, scaling
from duckpress.core.paths import Path
from duckpress.core.printer_profile import Margins, Printer, stood_up
from duckpress.impose import CUT_LAYER, FOLD_LAYER, Edges, Layer, Placement, Side
from duckpress.impose.marks import LINE_PAINT, lines_across, stroked
from duckpress.impose.sheets import Code
from duckpress.proof.expected import Expected, ExpectedFace, ExpectedPage, boxes_of, frames_of
from duckpress.proof.plan_proof import check_plan
from handmade import A4, ICON, box, card, placed, words
from path_texts import path_of

WOLF, DUCK, MOOR = card(words("Wolf")), card(words("Duck")), card(words("Moor"))
FOREST, MOORS = card(words("Forest"), ground="#224466"), card(words("Moor"), ground="#664422")
FACES = (
    ExpectedFace("forest", "wolf", 2, WOLF, FOREST),
    ExpectedFace("forest", "duck", 1, DUCK, FOREST),
    ExpectedFace("moor", "moor", 1, MOOR, MOORS),
)
COLUMNS, ROWS = (20.0, 60.0, 70.0, 110.0), (20.0, 80.0, 90.0, 150.0)
FRONTS = tuple(
    placed(at, frame, x_mm, y_mm)
    for at, (frame, x_mm, y_mm) in enumerate([(WOLF, 20, 20), (WOLF, 70, 20), (DUCK, 20, 90), (MOOR, 70, 90)])
)
UNBACKED = tuple(face._replace(back=None) for face in FACES)
EXPECTED = Expected(FACES, A4, 5.0, "long", "Woods", "en", {}, {ICON.key: ICON}, cut="marks")


def backs(paper: Size = A4, *, mirrors_x: bool = True, turn: int = 0) -> tuple[Placement, ...]:
    """Return what belongs behind the fronts."""
    frames = {WOLF.hash: FOREST, DUCK.hash: FOREST, MOOR.hash: MOORS}
    behind = []
    for one in FRONTS:
        x_mm = paper.width_mm - one.x_mm - 40 if mirrors_x else one.x_mm
        y_mm = one.y_mm if mirrors_x else paper.height_mm - one.y_mm - 60
        behind.append(placed(one.face, frames[one.frame], x_mm, y_mm, turn, is_back=True))
    return tuple(behind)


def cuts(placements: Sequence[Placement]) -> Layer:
    """Return marks for all cuts of cards of 40 x 60 mm."""
    columns = {x_mm for one in placements for x_mm in (one.x_mm, one.x_mm + 40)}
    rows = {y_mm for one in placements for y_mm in (one.y_mm, one.y_mm + 60)}
    strokes = [*((x_mm, 8.0, x_mm, 12.0) for x_mm in columns), *((8.0, y_mm, 12.0, y_mm) for y_mm in rows)]
    return Layer(CUT_LAYER, (stroked(strokes),))


def side(placements: Sequence[Placement], *items: Item | Layer, **others: Any) -> Side:
    return Side(tuple(placements), (*([cuts(placements)] if placements else []), *items), **others)


def pages(*sides: Side, paper: Size = A4) -> tuple[ExpectedPage, ...]:
    return tuple(ExpectedPage(one, paper) for one in sides)


def sheet(
    front: Sequence[Placement] = FRONTS, back: Sequence[Placement] | None = None, *items: Item
) -> tuple[ExpectedPage, ...]:
    return pages(side(front, *items), side(backs() if back is None else back))


def findings(planned: Sequence[ExpectedPage], expected: Expected = EXPECTED, **changes: Any) -> list[tuple[str, str]]:
    """Return the codes and the words of all findings."""
    expected = expected._replace(pages=tuple(planned), **changes)
    return [(problem.code, problem.what) for problem in check_plan(expected)]


def codes(planned: Sequence[ExpectedPage], expected: Expected = EXPECTED, **changes: Any) -> set[str]:
    return {code for code, _ in findings(planned, expected, **changes)}


# Plans that are sound.


def test_a_sound_plan_has_no_findings() -> None:
    assert findings(sheet()) == []
    all_round = [one._replace(bleed=Edges(9, 9, 9, 9)) for one in FRONTS]  # more than there is
    assert findings(sheet(all_round)) == []


@pytest.mark.parametrize(
    ("paper", "duplex", "mirrors_x"),
    [(A4, "short", False), (A4.turned(), "short", True), (A4.turned(), "long", False)],
)
def test_each_edge_of_upright_and_lying_paper_has_its_backs(paper: Size, duplex: str, mirrors_x: bool) -> None:
    back = backs(paper, mirrors_x=mirrors_x, turn=0 if mirrors_x else 180)
    planned = pages(side(FRONTS), side(back), paper=paper)
    assert findings(planned, duplex=duplex) == []
    assert codes(planned, duplex="short" if duplex == "long" else "long") == {"proof-back"}


@pytest.mark.parametrize(("turn", "behind"), [(90, 270), (270, 90), (180, 180)])
def test_turned_fronts_have_backs_turned_the_other_way(turn: int, behind: int) -> None:
    front, back = placed(0, WOLF, 30, 30, turn), placed(0, FOREST, 140, 30, behind, is_back=True)
    faces = (FACES[0]._replace(copies=1),)
    assert findings(pages(Side((front,), ()), Side((back,), ())), faces=faces, cut="none") == []
    wrong = back._replace(turn_degrees=(behind + 180) % 360)
    assert codes(pages(Side((front,), ()), Side((wrong,), ())), faces=faces, cut="none") == {"proof-back"}


def test_cards_that_look_the_same_are_counted_together() -> None:
    twins = (FACES[0]._replace(copies=1), FACES[0]._replace(copies=1, card="second-wolf"))
    assert findings(sheet(), faces=(*twins, *FACES[1:])) == []


def test_a_card_without_a_back_has_none() -> None:
    faces = (*FACES[:2], FACES[2]._replace(back=None))
    assert findings(sheet(back=backs()[:3]), faces=faces) == []
    more = [*backs()[:3], placed(3, FOREST, 100, 90, is_back=True)]
    assert codes(sheet(back=more), faces=faces) == {"proof-back"}


def test_fronts_alone_and_backs_alone() -> None:
    fronts_alone, backs_alone = pages(side(FRONTS)), pages(side(backs()))
    assert findings(fronts_alone, faces=UNBACKED, duplex=None) == []
    told = ("proof-back", "cards have backs, and the file is printed on one side")
    assert findings(fronts_alone, duplex=None)[0] == told
    only = tuple(face._replace(front=face.back, back=None) for face in FACES)
    assert findings(backs_alone, faces=only, duplex=None) == []
    short = pages(side(backs()[1:]))
    ((code, what),) = findings(short, faces=only, duplex=None)
    assert (code, what.partition(":")[2]) == ("proof-copies", " expected 3 in the file, found 2")


# Copies and backs.


def test_a_copy_too_few_or_too_many_names_its_card() -> None:
    told = "card 'wolf' of deck 'forest': expected {} in the file, found {}"
    assert findings(sheet(FRONTS[1:], backs()[1:])) == [("proof-copies", told.format(2, 1))]
    fewer = (FACES[0]._replace(copies=1), *FACES[1:])
    assert findings(sheet(), faces=fewer) == [("proof-copies", told.format(1, 2))]
    assert codes(sheet(FRONTS[:3], backs()[:3])) == {"proof-copies"}


def test_a_card_in_the_place_of_another() -> None:
    swapped = (FRONTS[0], FRONTS[1], FRONTS[2]._replace(frame=WOLF.hash), FRONTS[3])
    assert [what.partition(":")[0] for _, what in findings(sheet(swapped))] == [
        "card 'wolf' of deck 'forest'", "card 'duck' of deck 'forest'",
    ]  # fmt: skip


def test_a_face_of_no_card() -> None:
    stranger = card(words("Stranger"))
    more = (*FRONTS, placed(4, stranger, 20, 200))
    assert f"page 1: the face {stranger.hash} lies there, and is on no card" in dict(findings(sheet(more))).values()


def test_a_back_among_the_fronts() -> None:
    more = (*FRONTS, placed(4, FOREST, 20, 200))
    told = "the back of card 'wolf' of deck 'forest', card 'duck' of deck 'forest' lies among the fronts, 1 times"
    assert told in dict(findings(sheet(more)))["proof-copies"]
    assert told in dict(findings(pages(side(more)), duplex=None))["proof-copies"]


BACKS = backs()
NO_BACK = "card 'moor' of deck 'moor': expected 1 with their own back behind them, found 0"


@pytest.mark.parametrize(
    ("back", "told"),
    [
        (BACKS[:3], NO_BACK),
        ((*BACKS[:2], BACKS[2]._replace(frame=MOORS.hash), BACKS[3]._replace(frame=FOREST.hash)), NO_BACK),
        ((*BACKS[:3], BACKS[3]._replace(turn_degrees=180)), NO_BACK),
        ((*BACKS[:3], BACKS[3]._replace(x_mm=BACKS[3].x_mm + 0.08)), NO_BACK),
        ((*BACKS[:3], BACKS[3]._replace(bleed=Edges(2, 2, -1, 2))), NO_BACK),
        ((*BACKS, placed(4, FOREST, 20, 200)), "page 2: the back of card 'wolf' of deck 'forest' at 18.0..62.0 mm"),
        (FRONTS, "lies behind no face"),
    ],
    ids=["missing", "swapped", "upside down", "beside it", "another part", "behind nothing", "fronts"],
)
def test_a_back_that_is_not_behind_its_front(back: Sequence[Placement], told: str) -> None:
    planned = pages(side(FRONTS), Side(tuple(back), (cuts((*BACKS, *back)),)))
    assert any(code == "proof-back" and told in what for code, what in findings(planned))


def test_a_back_beside_its_front_by_less_than_anybody_sees() -> None:
    assert findings(sheet(back=[one._replace(x_mm=one.x_mm + 0.04) for one in BACKS])) == []


def test_a_last_sheet_without_a_back() -> None:
    assert codes(sheet()[:1]) == {"proof-back"}


# Placement, margins, cuts and boxes.


def test_another_paper() -> None:
    told = findings(sheet(), paper=Size(215.9, 279.4))
    assert told[0] == ("proof-page-size", "page 1: the paper is 210.0 x 297.0 mm, not 215.9 x 279.4 mm")
    assert {code for code, _ in told} == {"proof-page-size"}


def test_faces_that_overlap_are_named() -> None:
    moved = (FRONTS[0], FRONTS[1]._replace(x_mm=63.9), *FRONTS[2:])
    behind = (BACKS[0], BACKS[1]._replace(x_mm=106.1), *BACKS[2:])
    code, what = findings(sheet(moved, behind))[0]
    wolf = "the front of card 'wolf' of deck 'forest'"
    assert (code, what) == (
        "proof-placement", f"page 1: {wolf} and {wolf} overlap at 61.9..62.0 mm across, 18.0..82.0 mm down",
    )  # fmt: skip
    below = (*FRONTS[:2], FRONTS[2]._replace(y_mm=83.9), FRONTS[3])
    assert "proof-placement" in codes(pages(side(below)), duplex=None)
    cut_off = (FRONTS[0], moved[1]._replace(bleed=Edges(1.9, 2, 2, 2)), *FRONTS[2:])
    assert "proof-placement" not in codes(pages(side(cut_off)), duplex=None)


def test_a_face_that_is_not_turned_by_quarters() -> None:
    told = "page 1: the front of card 'wolf' of deck 'forest' stands at 45 degrees"
    assert ("proof-placement", told) in findings(sheet((FRONTS[0]._replace(turn_degrees=45), *FRONTS[1:])))


@pytest.mark.parametrize(
    "spoilt", [scaling(0.97), Matrix(-1, 0, 0, 1, 210, 0), rotation(1.0, 105, 148)], ids=["small", "mirrored", "askew"]
)
def test_a_page_that_is_mapped_without_a_reason(spoilt: Matrix) -> None:
    planned = pages(side(FRONTS, map=spoilt), side(BACKS))
    told = "page 1: the printer would print it beside its place, at another size, slanted or mirrored"
    assert ("proof-placement", told) in findings(planned)


@pytest.mark.parametrize(
    ("item", "told"),
    [
        (Outline(path_of("15 4.8 m 15 10 l"), Paint(stroke="#000000", stroke_mm=0.2)), "14.9..15.1 mm across, 4.7.."),
        (words("too low", 20, 292, 4), "20.0..31.4 mm across, 289.0..293.0 mm down"),
        (PlacedDrawing(ICON.key, Matrix(e=-3, f=50)), "-3.0..7.0 mm across"),
        (Group((box(20, 0, 4, 4, "#000000"),), Matrix(e=183, f=50)), "203.0..207.0 mm across"),
        (Group((box(0, 0, 9, 9, "#000000"),), Matrix(e=2, f=2), path_of("0 0 8 8 re")), "2.0..10.0 mm across"),
    ],
)
def test_what_stands_where_the_printer_cannot_print(item: Item, told: str) -> None:
    ((code, what),) = findings(sheet(FRONTS, None, item))
    assert code == "proof-margin"
    assert what.startswith(f"page 1: what stands beside the cards reaches {told}")
    own, code_side = side(FRONTS, own=(item,)), side(FRONTS, code=Code((1, 2), 204.5, 20, 0.4, "#000000"))
    assert codes(pages(own, side(BACKS))) == {"proof-margin"}
    assert codes(pages(code_side, side(BACKS))) == {"proof-margin"}


def test_what_ends_at_the_margin_is_right() -> None:
    lines = Outline(path_of("15 5 m 15 10 l 5 30 m 9 30 l"), Paint(stroke="#000000", stroke_mm=0.3))
    nothing = Outline(Path("", ()), Paint(stroke="#000000", stroke_mm=0.5))
    assert findings(sheet(FRONTS, None, lines, nothing)) == []


def test_a_face_where_the_printer_cannot_print() -> None:
    front, behind = FRONTS[0]._replace(x_mm=6.9), BACKS[0]._replace(x_mm=163.1)
    told = findings(sheet((front, *FRONTS[1:]), (behind, *BACKS[1:])))
    assert {code for code, _ in told} == {"proof-margin"}
    assert told[0][1].startswith("page 1: the front of card 'wolf' of deck 'forest' reaches 4.9..48.9 mm across")
    front, behind = front._replace(bleed=Edges(1.9, 2, 2, 2)), behind._replace(bleed=Edges(2, 2, 1.9, 2))
    assert findings(sheet((front, *FRONTS[1:]), (behind, *BACKS[1:]))) == []


def test_a_mark_that_is_missing() -> None:
    marks = cuts(FRONTS).items
    elsewhere = Layer(CUT_LAYER, (Group(marks, Matrix(e=0.1)),))
    planned = pages(Side(FRONTS, (elsewhere,)), side(BACKS))
    assert findings(planned)[0] == ("proof-cut", "page 1: there is no mark at the cut 20.00 mm across")
    assert codes(pages(Side(FRONTS, marks), side(BACKS))) == {"proof-cut"}  # there, but not in the layer
    assert codes(pages(Side(FRONTS, ()), side(BACKS)), cut="none") == set()
    without_ink = Layer(CUT_LAYER, tuple(Outline(one.path, Paint(fill="#000000")) for one in marks))
    assert codes(pages(Side(FRONTS, (without_ink,)), side(BACKS))) == {"proof-cut"}
    slanted = stroked([(x_mm, 8.0, x_mm + 4, 12.0) for x_mm in COLUMNS] + [(8.0, y_mm, 12.0, y_mm) for y_mm in ROWS])
    assert codes(pages(Side(FRONTS, (Layer(CUT_LAYER, (slanted,)),)), side(BACKS))) == {"proof-cut"}
    read = tuple(face._replace(is_cut=False) for face in FACES)
    assert codes(pages(Side(FRONTS, ()), Side(BACKS, ())), faces=read) == set()


def test_lines_go_along_every_cut() -> None:
    def lined(top_mm: float, bottom_mm: float) -> tuple[ExpectedPage, ...]:
        lines = stroked(lines_across(COLUMNS, ROWS, Rect(5, top_mm, 200, bottom_mm - top_mm)), LINE_PAINT)
        return pages(Side(FRONTS, (Layer(CUT_LAYER, (lines,)),)))

    assert findings(lined(5, 290), faces=UNBACKED, duplex=None, cut="lines") == []
    told = "page 1: there is no line along the cut 20.00 mm across"
    assert findings(lined(5, 149), faces=UNBACKED, duplex=None, cut="lines")[0] == ("proof-cut", told)
    assert findings(lined(21, 290), faces=UNBACKED, duplex=None, cut="lines")[0] == ("proof-cut", told)


def test_the_boxes_of_a_page() -> None:
    frames = frames_of(EXPECTED)
    front, back = sheet()
    assert boxes_of(front, frames) == ((20, 20, 90, 130), (18, 18, 94, 134))
    assert boxes_of(back._replace(side=Side((), ())), frames) == ((0, 0, 210, 297), (0, 0, 210, 297))
    part = FRONTS[0]._replace(bleed=Edges(2, 2, -10, 2))
    assert boxes_of(ExpectedPage(Side((part,), ()), A4), frames) == ((20, 20, 30, 60), (18, 18, 32, 64))
    upright = ExpectedPage(Side((FRONTS[0],), (), stood_up(A4.turned())), A4)
    assert boxes_of(upright, frames)[0] == (130, 20, 60, 40)


# Folds.

BEHIND = placed(0, FOREST, 150, 20, is_back=True)
FOLDED = EXPECTED._replace(faces=(FACES[0]._replace(copies=1), FACES[1]._replace(back=None)), duplex=None)
DASHED = Paint(stroke="#000000", stroke_mm=0.2, dash_mm=(2.0, 1.2))


def fold(at_mm: float = 105.0, path: str = "{0:g} 5 m {0:g} 290 l") -> Layer:
    word = words("fold", at_mm - 10, 170, 2)
    return Layer(FOLD_LAYER, (Outline(path_of(path.format(at_mm)), DASHED), word))


def folded(*placements: Placement, line: Layer | None = None) -> tuple[ExpectedPage, ...]:
    """Return a folded sheet with the wolf and the duck before the fold."""
    fronts = (FRONTS[0], FRONTS[2])
    return pages(side((*fronts, *placements), fold() if line is None else line))


def test_what_is_folded_behind_its_front_is_right() -> None:
    assert findings(folded(BEHIND), FOLDED, fold_turn="long") == []
    gap = fold(path="40 100 m 40 102 l {0:g} 5 m {0:g} 100 l {0:g} 110 m {0:g} 290 l")
    assert findings(folded(BEHIND, line=gap), FOLDED, fold_turn="long") == []


@pytest.mark.parametrize(
    ("back", "line"),
    [
        (BEHIND._replace(x_mm=150.2), fold()),
        (BEHIND._replace(turn_degrees=180), fold()),
        (BEHIND._replace(y_mm=90), fold()),
        (BEHIND, fold(104.5)),
        (BEHIND, Layer(FOLD_LAYER, ())),
    ],
    ids=["beside it", "upside down", "behind the duck", "fold elsewhere", "no fold"],
)
def test_what_is_not_folded_behind_its_front(back: Placement, line: Layer) -> None:
    found = codes(folded(back, line=line), FOLDED, fold_turn="long")
    assert found & {"proof-back", "proof-copies"}


def test_below_a_level_fold_backs_stand_upside_down() -> None:
    for turn, wanted in ((180, set()), (0, {"proof-back"})):
        back = placed(0, FOREST, 20, 217, turn, is_back=True)
        planned = pages(side((FRONTS[0], back), fold(148.5, "5 {0:g} m 205 {0:g} l")))
        assert codes(planned, FOLDED, faces=FOLDED.faces[:1], fold_turn="long") == wanted


def test_a_face_too_near_to_the_fold() -> None:
    near = (FRONTS[0]._replace(x_mm=58.5), FRONTS[2], BEHIND._replace(x_mm=111.5))
    ((code, what), (_, behind)) = findings(pages(side(near, fold())), FOLDED, fold_turn="long")
    assert code == "proof-fold"
    assert what == "page 1: the front of card 'wolf' of deck 'forest' comes as near as 4.5 mm to the fold, not 5 mm"
    assert "the back of card 'wolf'" in behind


def test_fronts_that_have_no_backs_are_glued_to_none() -> None:
    wolf, duck = placed(0, WOLF, 85, 20), placed(1, DUCK, 85, 20)
    faces = (FACES[0]._replace(copies=1, back=None), FACES[1]._replace(back=None))
    assert findings(pages(side([wolf]), side([duck])), FOLDED, faces=faces, fold_turn="long") == []


def test_a_back_on_the_next_sheet_is_glued_behind_its_front() -> None:
    fronts, back = side((FRONTS[0], FRONTS[2])), side([BEHIND])
    assert findings(pages(fronts, back), FOLDED, fold_turn="long") == []
    assert codes(pages(fronts, back), FOLDED, fold_turn="short") == {"proof-back", "proof-copies"}
    beside = side([BEHIND._replace(x_mm=151)])
    assert "proof-copies" in codes(pages(fronts, beside), FOLDED, fold_turn="long")


# Printers that do not print true.

OFFICE = Printer("office", offset_x_mm=0.7, offset_y_mm=-1.2, scale_x=0.992, margins=Margins(3, 4, 12.7, 4))


def corrected(printer: Printer, *, is_swapped: bool = False) -> tuple[ExpectedPage, ...]:
    maps = [printer.correction(A4, is_back=is_back, turns_left_right=True) for is_back in (False, True)]
    front, back = maps[::-1] if is_swapped else maps
    return pages(side(FRONTS, map=front), side(BACKS, map=back))


def test_pages_for_a_printer_are_looked_at_as_it_prints_them() -> None:
    assert findings(corrected(OFFICE), printer=OFFICE) == []
    assert codes(corrected(OFFICE)) >= {"proof-placement"}  # for a printer that prints true
    assert codes(sheet(), printer=OFFICE) == {"proof-placement", "proof-back"}
    assert codes(corrected(OFFICE, is_swapped=True), printer=OFFICE) == {"proof-placement", "proof-back"}


def test_an_empty_back_is_corrected_for_no_printer() -> None:
    bare = EXPECTED._replace(faces=tuple(face._replace(back=None) for face in FACES), printer=OFFICE)
    front = corrected(OFFICE)[0]
    assert findings((front, *pages(Side((), ()))), bare) == []
    written = findings((front, *pages(Side((), (box(50, 50, 10, 10, "#000000"),)))), bare)
    assert [code for code, _ in written] == ["proof-placement"]


def test_the_margins_of_a_printer_are_those_of_the_file() -> None:
    mark = Outline(path_of("15 284 m 15 285 l"), Paint(stroke="#000000", stroke_mm=0.2))
    assert findings(sheet(FRONTS, None, mark)) == []
    ((code, what),) = findings(sheet(FRONTS, None, mark), printer=Printer("deep", margins=Margins(3, 4, 12.7, 4)))
    assert code == "proof-margin"
    assert what.endswith("283.9..285.1 mm down, where the printer cannot print")


@pytest.mark.parametrize("turn", ["long", "short"])
def test_backs_alone_are_moved_against_their_drift(turn: str) -> None:
    only = tuple(face._replace(front=face.back, back=None) for face in FACES)
    backs_alone = EXPECTED._replace(faces=only, duplex=None, printer=OFFICE, backs_turn=turn)
    for flips in (True, False):
        planned = pages(side(BACKS, map=OFFICE.correction(A4, is_back=True, turns_left_right=flips)))
        if flips is (turn == "long"):
            assert findings(planned, backs_alone) == []
        else:
            ((code, what),) = findings(planned, backs_alone)
            assert (code, what[:52]) == ("proof-placement", "page 1: the printer would print it beside its place,")


def test_pages_that_were_stood_up_for_a_printer() -> None:
    lying = A4.turned()
    back = backs(lying, mirrors_x=False, turn=180)
    stand = [OFFICE.correction(A4, is_back=is_back, turns_left_right=True).after(stood_up(lying)) for is_back in (0, 1)]
    planned = pages(side(FRONTS, words("far to the right", 250, 50), map=stand[0]), side(back, map=stand[1]))
    assert findings(planned, printer=OFFICE) == []
