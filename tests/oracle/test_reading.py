"""What the interpreter reads from files: a right one has no findings, each wrong one exactly its own.

Wrong plans are rendered as they are, and finished files are edited with pikepdf; the cards they are held against stay.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import pikepdf
import pytest

from duckpress.core.frame import Frame, Group, Outline, Paint, PlacedDrawing
from duckpress.core.geometry import Matrix, Size
from duckpress.core.problems import Problem, Source
from duckpress.impose import Placement, Sheet
from duckpress.proof import Expected, ExpectedFace
from duckpress.render import DocumentInfo, render_pdf
from handmade import A4, FONTS, ICON, SYMBOLS, booklet, box, card, placed, sheet, words
from oracle.reading.files import read_file
from path_texts import path_of
from pdf_reading import opened

SOURCE = Source("content/woods/game.yaml", 7, 3)
INFO = DocumentInfo("Woods: Cards", "A. Author", language="en", duplex="long")

WOLF = card(words("The office wolf"), PlacedDrawing(ICON.key, Matrix(0.5, 0, 0, 0.5, 5, 20)))
DUCK = card(words("A duck"), words("swims 🂡", 5, 20, face=SYMBOLS))
MOOR = card(box(5, 5, 10, 10, "#00aa00"), Group((box(5, 40, 20, 10, "#00aa00"), words("mist", 6, 45)), opacity=0.5))
FOREST_BACK = card(words("Forest"), ground="#224466")
MOOR_BACK = card(words("Moor"), ground="#664422")
FRAMES = (WOLF, DUCK, MOOR, FOREST_BACK, MOOR_BACK)

BACKS = (FOREST_BACK, FOREST_BACK, FOREST_BACK, MOOR_BACK)

PLACES = ((20.0, 20.0), (70.0, 20.0), (20.0, 90.0), (70.0, 90.0))
MARKS = (
    Outline(path_of("10 5 m 10 10 l"), Paint(stroke="#000000", stroke_mm=0.2)),
    words("sheet 1 of 1", 20, 290, 2.2),
)
FACES = (
    ExpectedFace("forest", "wolf", 2, WOLF, FOREST_BACK),
    ExpectedFace("forest", "duck", 1, DUCK, FOREST_BACK),
    ExpectedFace("moor", "moor", 1, MOOR, MOOR_BACK),
)
EXPECTED = Expected(FACES, A4, 5.0, "long", "Woods: Cards", "en", {}, {ICON.key: ICON})


def fronts() -> list[Placement]:
    """Return the fronts: two wolves above, a duck and a moor below."""
    return [placed(i, frame, *at) for i, (frame, at) in enumerate(zip((WOLF, WOLF, DUCK, MOOR), PLACES, strict=True))]


def backs(mirrors_x: bool = True, turn: int = 0) -> list[Placement]:
    """Return the backs behind them."""
    frames = (FOREST_BACK, FOREST_BACK, FOREST_BACK, MOOR_BACK)
    at = [(210 - x - 40, y) if mirrors_x else (x, 297 - y - 60) for x, y in PLACES]
    return [
        placed(i, frame, *place, turn, is_back=True) for i, (frame, place) in enumerate(zip(frames, at, strict=True))
    ]


def printed(
    front: Sequence[Placement] | None = None,
    back: Sequence[Placement] | None = None,
    marks: tuple[object, ...] = MARKS,
    info: DocumentInfo = INFO,
    paper: Size = A4,
) -> bytes:
    """Return the file of one sheet."""
    one: Sheet = sheet(fronts() if front is None else front, backs() if back is None else back, *marks, paper=paper)  # type: ignore[arg-type]
    return render_pdf([booklet([one], FRAMES)], FONTS, info)


def codes(pdf: bytes, expected: Expected = EXPECTED) -> set[str]:
    """Return the codes of everything that is found."""
    return {problem.code for problem in read_file(pdf, expected).problems}


def found(code: str, pdf: bytes, expected: Expected = EXPECTED) -> Problem:
    """Return the first finding of a code."""
    return next(problem for problem in read_file(pdf, expected).problems if problem.code == code)


def edited(edit: Callable[[pikepdf.Pdf], None], pdf: bytes | None = None) -> bytes:
    """Return a right file, wrongly edited."""
    out = io.BytesIO()
    with opened(printed() if pdf is None else pdf) as document:
        edit(document)
        document.save(out)
    return out.getvalue()


def form_of(pdf: pikepdf.Pdf, frame: Frame) -> pikepdf.Object:
    """Return the form of a frame."""
    page = next(page for page in pdf.pages if f"/FormXob.C-{frame.hash}" in page.Resources.XObject)
    return page.Resources.XObject[f"/FormXob.C-{frame.hash}"]


def font_of(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """Return the font of the wolf."""
    return next(iter(form_of(pdf, WOLF).Resources.Font.values()))


def test_a_right_file_has_no_findings() -> None:
    assert read_file(printed(), EXPECTED).problems == []


def test_a_file_saved_by_another_program_is_still_right() -> None:
    assert codes(edited(lambda pdf: None)) == set()


def test_backs_for_the_short_edge_are_upside_down_and_mirrored_the_other_way() -> None:
    pdf = printed(back=backs(mirrors_x=False, turn=180), info=INFO._replace(duplex="short"))
    assert codes(pdf, EXPECTED._replace(duplex="short")) == set()


@pytest.mark.parametrize(("duplex", "mirrors_x", "turn"), [("short", True, 0), ("long", False, 180)])
def test_on_a_sheet_on_its_side_the_edges_swap(duplex: str, mirrors_x: bool, turn: int) -> None:
    at = [(297 - x - 40, y) if mirrors_x else (x, 210 - y - 60) for x, y in PLACES]
    frames = (FOREST_BACK, FOREST_BACK, FOREST_BACK, MOOR_BACK)
    back = [
        placed(i, frame, *place, turn, is_back=True) for i, (frame, place) in enumerate(zip(frames, at, strict=True))
    ]
    pdf = printed(back=back, marks=(), info=INFO._replace(duplex=duplex), paper=A4.turned())
    assert codes(pdf, EXPECTED._replace(duplex=duplex)) == set()


@pytest.mark.parametrize(("turn", "behind"), [(90, 270), (270, 90), (180, 180)])
def test_turned_fronts_have_backs_turned_the_other_way(turn: int, behind: int) -> None:
    front, back = placed(0, WOLF, 30, 30, turn), placed(0, FOREST_BACK, 140, 30, behind, is_back=True)
    expected = EXPECTED._replace(faces=(FACES[0]._replace(copies=1),))
    assert codes(printed([front], [back]), expected) == set()
    wrong = back._replace(turn_degrees=(behind + 180) % 360)
    assert "proof-back" in codes(printed([front], [wrong]), expected)


def test_a_file_for_one_side_has_no_backs() -> None:
    single = render_pdf([booklet([sheet(fronts(), None, *MARKS)], FRAMES)], FONTS, INFO._replace(duplex=None))
    assert codes(single, EXPECTED._replace(duplex=None)) == set()


def test_cards_that_look_the_same_are_counted_together() -> None:
    twins = (
        ExpectedFace("forest", "wolf", 1, WOLF, FOREST_BACK),
        ExpectedFace("forest", "second-wolf", 1, WOLF, FOREST_BACK),
    )
    assert codes(printed(), EXPECTED._replace(faces=(*twins, *FACES[1:]))) == set()


def test_a_missing_copy_names_its_card() -> None:
    problem = found("proof-copies", printed(fronts()[1:], backs()[1:]))
    assert problem.what == "card 'wolf' of deck 'forest': expected 2 in the file, found 1"


def test_a_copy_too_many() -> None:
    expected = EXPECTED._replace(faces=(FACES[0]._replace(copies=1), *FACES[1:]))
    assert found("proof-copies", printed(), expected).what.endswith("expected 1 in the file, found 2")


def test_a_back_among_the_fronts() -> None:
    more = [*fronts(), placed(4, FOREST_BACK, 20, 200)]
    assert "a face that is on no card's front" in found("proof-copies", printed(more)).what


def test_a_missing_back() -> None:
    problem = found("proof-back", printed(back=backs()[:3]))
    assert problem.what == "card 'moor' of deck 'moor': expected 1 with their own back behind them, found 0"


def test_the_back_of_another_deck() -> None:
    wrong = backs()
    wrong[2], wrong[3] = (
        wrong[2]._replace(frame=MOOR_BACK.hash),
        wrong[3]._replace(frame=FOREST_BACK.hash),
    )
    assert codes(printed(back=wrong)) == {"proof-back"}


def test_backs_that_are_not_mirrored() -> None:
    wrong = [back._replace(x_mm=210 - back.x_mm - 40) for back in backs()]
    assert codes(printed(back=wrong)) == {"proof-back"}


def test_backs_mirrored_for_the_other_edge() -> None:
    assert codes(printed(back=backs(mirrors_x=False, turn=180))) == {"proof-back"}


def test_backs_upside_down() -> None:
    assert codes(printed(back=backs(turn=180))) == {"proof-back"}


@pytest.mark.parametrize(("slip_mm", "is_seen"), [(0.2, True), (-0.08, True), (0.02, False)])
def test_a_back_beside_its_front(slip_mm: float, is_seen: bool) -> None:
    slipped = [back._replace(x_mm=back.x_mm + slip_mm) for back in backs()]
    assert codes(printed(back=slipped)) == ({"proof-back"} if is_seen else set())


def test_faces_that_overlap() -> None:
    moved = [*fronts()[:1], fronts()[1]._replace(x_mm=63.0), *fronts()[2:]]
    back = [*backs()[:1], backs()[1]._replace(x_mm=107.0), *backs()[2:]]
    assert codes(printed(moved, back)) == {"proof-placement"}


@pytest.mark.parametrize(
    "mark",
    [
        Outline(path_of("10 4 m 10 10 l"), Paint(stroke="#000000", stroke_mm=0.2)),
        Outline(path_of("5 20 m 5 30 l"), Paint(stroke="#000000", stroke_mm=0.5)),
        words("over the edge of it", 200, 290, 4),
        words("too low", 20, 292, 4),
        PlacedDrawing(ICON.key, Matrix(e=-3, f=50)),
        Group((box(0, 0, 4, 4, "#000000"),), Matrix(e=203, f=50)),
        Outline(path_of("2 2 m 2 9 9 9 9 2 c h"), Paint(fill="#000000")),
    ],
)
def test_marks_where_the_printer_cannot_print(mark: object) -> None:
    assert codes(printed(marks=(*MARKS, mark))) == {"proof-margin"}


def test_a_mark_that_ends_at_the_margin() -> None:
    lines = Outline(path_of("20 5 m 20 10 l 5 30 m 9 30 l"), Paint(stroke="#000000", stroke_mm=0.5))
    assert codes(printed(marks=(*MARKS, lines))) == set()


def test_another_paper() -> None:
    pdf = printed(marks=())
    assert codes(pdf, EXPECTED._replace(paper=Size(215.9, 279.4))) == {"proof-page-size"}
    assert codes(printed(marks=()), EXPECTED._replace(paper=A4.turned())) == set()


def test_one_other_letter() -> None:
    def misspell(pdf: pikepdf.Pdf) -> None:
        form = form_of(pdf, WOLF)
        glyph = f"{FONTS.load_key(WOLF.items[1].font).glyph('w'):04X}".encode()  # type: ignore[union-attr]
        other = f"{FONTS.load_key(WOLF.items[1].font).glyph('o'):04X}".encode()  # type: ignore[union-attr]
        form.write(form.read_bytes().replace(glyph, other))

    assert found("proof-art", edited(misspell)).what.startswith(f"page 1: /FormXob.C-{WOLF.hash} paints Lettering")


def test_a_drawing_that_shows_something_else() -> None:
    def change(pdf: pikepdf.Pdf) -> None:
        drawing = form_of(pdf, WOLF).Resources.XObject[f"/FormXob.D-{ICON.key}"]
        drawing.write(drawing.read_bytes().replace(b"0 0 m 10 0 l", b"0 0 m 10 5 l"))

    assert found("proof-art", edited(change)).what.startswith(f"page 1: /FormXob.D-{ICON.key} paints Painted")


def test_a_path_that_is_not_there() -> None:
    def cut(pdf: pikepdf.Pdf) -> None:
        form = form_of(pdf, MOOR)
        form.write(form.read_bytes().replace(b"5 5 10 10 re", b"5 5 11 10 re"))

    assert codes(edited(cut)) == {"proof-art"}


def test_a_font_that_says_something_else() -> None:
    def confuse(pdf: pikepdf.Pdf) -> None:
        cmap = font_of(pdf).ToUnicode
        cmap.write(cmap.read_bytes().replace(b"> <0077>", b"> <0057>"))

    assert "W" in found("proof-words", edited(confuse)).what


@pytest.mark.parametrize(
    "odd", [b"1 0 0 rg\n/Sh1 sh", b"q", b"Q", b"(words) Tj", b"1 2 m 3 l S", b"1 0 0 1 0 cm", b"4 5"]
)
def test_operators_that_render_never_writes(odd: bytes) -> None:
    def add(pdf: pikepdf.Pdf) -> None:
        contents = pdf.pages[0].Contents
        contents.write(contents.read_bytes() + b"\n" + odd)

    assert codes(edited(add)) == {"proof-unreadable"}
