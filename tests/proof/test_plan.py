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


def lined(top_mm: float, bottom_mm: float) -> tuple[ExpectedPage, ...]:
    """Return fronts with lines instead of marks, from one height to another."""
    lines = stroked(lines_across(COLUMNS, ROWS, Rect(5, top_mm, 200, bottom_mm - top_mm)), LINE_PAINT)
    return pages(Side(FRONTS, (Layer(CUT_LAYER, (lines,)),)))


def first_moved(**changes: Any) -> tuple[Placement, ...]:
    return (FRONTS[0]._replace(**changes), *FRONTS[1:])


def marked(*items: Item | Layer) -> tuple[ExpectedPage, ...]:
    """Return a sheet with these marks on its front alone."""
    return pages(Side(FRONTS, items), side(BACKS))


BACKS = backs()
TWIN = FACES[0]._replace(copies=1)
BACKLESS = (*FACES[:2], FACES[2]._replace(back=None))
ONLY_BACKS = tuple(face._replace(front=face.back, back=None) for face in FACES)
AT_MARGIN = Outline(path_of("15 5 m 15 10 l 5 30 m 9 30 l"), Paint(stroke="#000000", stroke_mm=0.3))
INKLESS = Outline(Path("", ()), Paint(stroke="#000000", stroke_mm=0.5))
LESS_BLEED = first_moved(x_mm=6.9, bleed=Edges(1.9, 2, 2, 2))
BEHIND_LESS = (BACKS[0]._replace(x_mm=163.1, bleed=Edges(2, 2, 1.9, 2)), *BACKS[1:])
FRONTS_ALONE: dict[str, Any] = {"faces": UNBACKED, "duplex": None}
SOUND: dict[str, tuple[tuple[ExpectedPage, ...], dict[str, Any]]] = {
    "as it is": (sheet(), {}),
    "more bleed than there is": (sheet([one._replace(bleed=Edges(9, 9, 9, 9)) for one in FRONTS]), {}),
    "cards that look the same": (sheet(), {"faces": (TWIN, TWIN._replace(card="second"), *FACES[1:])}),
    "a card without a back": (sheet(back=BACKS[:3]), {"faces": BACKLESS}),
    "fronts alone": (pages(side(FRONTS)), FRONTS_ALONE),
    "backs alone": (pages(side(BACKS)), {"faces": ONLY_BACKS, "duplex": None}),
    "backs beside by less than anybody sees": (sheet(back=[one._replace(x_mm=one.x_mm + 0.04) for one in BACKS]), {}),
    "marks that end at the margin": (sheet(FRONTS, None, AT_MARGIN, INKLESS), {}),
    "a face that ends at the margin": (sheet(LESS_BLEED, BEHIND_LESS), {}),
    "no marks": (marked(), {"cut": "none"}),
    "nothing to cut": (marked(), {"faces": tuple(face._replace(is_cut=False) for face in FACES)}),
    "lines": (lined(5, 290), FRONTS_ALONE | {"cut": "lines"}),
}


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_plan_has_no_findings(name: str) -> None:
    planned, changes = SOUND[name]
    assert findings(planned, **changes) == []


MARKS = cuts(FRONTS).items
STRANGER = placed(4, card(words("Stranger")), 20, 200)
LOST_FOREST, LOST_BACK = placed(4, FOREST, 20, 200), placed(3, FOREST, 100, 90, is_back=True)
WOLF_FRONT, DUCK_CARD = "the front of card 'wolf' of deck 'forest'", "card 'duck' of deck 'forest'"
TWO_WOLVES = (*FRONTS[:2], FRONTS[2]._replace(frame=WOLF.hash), FRONTS[3])
OVERLAPPING = (FRONTS[0], FRONTS[1]._replace(x_mm=63.9), *FRONTS[2:])
BEHIND_OVERLAPPING = (BACKS[0], BACKS[1]._replace(x_mm=106.1), *BACKS[2:])
SWAPPED = (*BACKS[:2], BACKS[2]._replace(frame=MOORS.hash), BACKS[3]._replace(frame=FOREST.hash))
OUTSIDE = sheet(first_moved(x_mm=6.9), (BACKS[0]._replace(x_mm=163.1), *BACKS[1:]))
INK_FREE = Layer(CUT_LAYER, tuple(Outline(one.path, Paint(fill="#000000")) for one in MARKS))
SLANTED = stroked([(x_mm, 8.0, x_mm + 4, 12.0) for x_mm in COLUMNS] + [(8.0, y_mm, 12.0, y_mm) for y_mm in ROWS])
NO_BACK = "card 'moor' of deck 'moor': expected 1 with their own back behind them, found 0"
NO_MARK = "page 1: there is no mark at the cut 20.00 mm across"
NO_LINE = "page 1: there is no line along the cut 20.00 mm across"
BESIDE = "page 1: the printer would print it beside its place, at another size, slanted or mirrored"
A_BACK = f"the back of card 'wolf' of deck 'forest', {DUCK_CARD} lies among the fronts, 1 times"
OVERLAP = f"page 1: {WOLF_FRONT} and {WOLF_FRONT} overlap at 61.9..62.0 mm across, 18.0..82.0 mm down"
ON_ONE_SIDE = "cards have backs, and the file is printed on one side"
CHANGED: dict[str, dict[str, Any]] = {
    "too many": {"faces": (TWIN, *FACES[1:])},
    "too few backs alone": {"faces": ONLY_BACKS, "duplex": None},
    "backs, on one side": {"duplex": None},
    "a back too many": {"faces": BACKLESS},
    "another paper": {"paper": Size(215.9, 279.4)},
    "lines that end above": FRONTS_ALONE | {"cut": "lines"},
    "lines that begin below": FRONTS_ALONE | {"cut": "lines"},
}


def last_back(**changes: Any) -> tuple[ExpectedPage, ...]:
    return sheet(back=(*BACKS[:3], BACKS[3]._replace(**changes)))


FAULTS: dict[str, tuple[tuple[ExpectedPage, ...], str, str]] = {
    "too few": (sheet(FRONTS[1:], BACKS[1:]), "proof-copies", "expected 2 in the file, found 1"),
    "too many": (sheet(), "proof-copies", "expected 1 in the file, found 2"),
    "too few backs alone": (pages(side(BACKS[1:])), "proof-copies", "expected 3 in the file, found 2"),
    "backs, on one side": (pages(side(FRONTS)), "proof-back", ON_ONE_SIDE),
    "in the place of another": (sheet(TWO_WOLVES), "proof-copies", f"{DUCK_CARD}: expected"),
    "of no card": (
        sheet((*FRONTS, STRANGER)),
        "proof-copies",
        f"the face {STRANGER.frame} lies there",
    ),
    "a back among fronts": (sheet((*FRONTS, LOST_FOREST)), "proof-copies", A_BACK),
    "no back": (sheet(back=BACKS[:3]), "proof-back", NO_BACK),
    "backs swapped": (sheet(back=SWAPPED), "proof-back", NO_BACK),
    "a back upside down": (last_back(turn_degrees=180), "proof-back", NO_BACK),
    "a back beside": (last_back(x_mm=BACKS[3].x_mm + 0.08), "proof-back", NO_BACK),
    "another part of a back": (last_back(bleed=Edges(2, 2, -1, 2)), "proof-back", NO_BACK),
    "a back behind nothing": (sheet(back=(*BACKS, LOST_FOREST)), "proof-back", "at 18.0..62.0 mm"),
    "a back too many": (sheet(back=(*BACKS[:3], LOST_BACK)), "proof-back", ""),
    "fronts as backs": (sheet(back=FRONTS), "proof-back", "lies behind no face"),
    "no back of the last sheet": (sheet()[:1], "proof-back", ""),
    "another paper": (sheet(), "proof-page-size", "210.0 x 297.0 mm, not 215.9 x 279.4 mm"),
    "faces that overlap": (sheet(OVERLAPPING, BEHIND_OVERLAPPING), "proof-placement", OVERLAP),
    "turned askew": (sheet(first_moved(turn_degrees=45)), "proof-placement", f"{WOLF_FRONT} stands at 45 degrees"),
    "small": (pages(side(FRONTS, map=scaling(0.97)), side(BACKS)), "proof-placement", BESIDE),
    "mirrored": (pages(side(FRONTS, map=Matrix(-1, 0, 0, 1, 210, 0)), side(BACKS)), "proof-placement", BESIDE),
    "askew": (pages(side(FRONTS, map=rotation(1.0, 105, 148)), side(BACKS)), "proof-placement", BESIDE),
    "outside": (OUTSIDE, "proof-margin", f"page 1: {WOLF_FRONT} reaches 4.9..48.9 mm across"),
    "marks elsewhere": (marked(Layer(CUT_LAYER, (Group(MARKS, Matrix(e=0.1)),))), "proof-cut", NO_MARK),
    "marks in no layer": (marked(*MARKS), "proof-cut", NO_MARK),
    "marks without ink": (marked(INK_FREE), "proof-cut", NO_MARK),
    "marks that slant": (marked(Layer(CUT_LAYER, (SLANTED,))), "proof-cut", NO_MARK),
    "lines that end above": (lined(5, 149), "proof-cut", NO_LINE),
    "lines that begin below": (lined(21, 290), "proof-cut", NO_LINE),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_a_plan(name: str) -> None:
    planned, code, what = FAULTS[name]
    told = findings(planned, **CHANGED.get(name, {}))
    assert any(one == code and what in words_ for one, words_ in told), told
    assert code not in ("proof-page-size", "proof-margin", "proof-cut") or {one for one, _ in told} == {code}


def test_faces_may_touch_and_not_overlap() -> None:
    below = (*FRONTS[:2], FRONTS[2]._replace(y_mm=83.9), FRONTS[3])
    assert "proof-placement" in codes(pages(side(below)), duplex=None)
    cut_off = (FRONTS[0], OVERLAPPING[1]._replace(bleed=Edges(1.9, 2, 2, 2)), *FRONTS[2:])
    assert "proof-placement" not in codes(pages(side(cut_off)), duplex=None)


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
