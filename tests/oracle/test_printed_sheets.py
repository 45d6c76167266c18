"""Sheets as `impose` plans them, rendered and read: plan and oracles know nothing of each other and must agree."""

from __future__ import annotations

import io

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from any_deck import CARDS, COPIES, FORMATS_OF, face, typeset
from duckpress.core.frame import Frame
from duckpress.core.language import Speech
from duckpress.core.problems import Source
from duckpress.core.sizes import FORMATS, PAPERS, Format, Paper
from duckpress.impose import Backs, Cut, Gaps, Leaf, SheetLabel, Turn, fit_grid, impose_piece
from duckpress.impose.job import AS_EVER, Manner
from duckpress.impose.rims import Rims
from duckpress.proof import Expected, ExpectedFace
from duckpress.render import Booklet, DocumentInfo, render_pdf
from handmade import FONTS
from oracle.sheets.expected_sheets import ExpectedFile, ExpectedPiece, ExpectedSheets
from oracle.sheets.proving import look_at
from profiles import examples

SOURCE = Source("game.yaml")


def document(
    leaves: list[Leaf], frames: list[Frame], paper: Paper, backs: Backs, turn: Turn, manner: Manner = AS_EVER
) -> tuple[bytes, str | None]:
    """Return the PDF of a piece, and the edge it is turned on."""
    label = SheetLabel("The Game", "Cards", "1.0")
    sheets = impose_piece(leaves, paper, backs, turn, label, typeset, manner)
    duplex = turn.value if any(sheet.back is not None for sheet in sheets) else None
    info = DocumentInfo("The Game: Cards", language="en", duplex=duplex)
    booklet = Booklet("Cards", sheets, {frame.hash: frame for frame in frames}, {}, {})
    return render_pdf([booklet], FONTS, info), duplex


def expected_of(
    faces: list[tuple[int, Frame, Frame | None]],
    paper: Paper,
    backs: Backs,
    turn: Turn,
    duplex: str | None,
    cut: Cut,
    shape: str = "",
    gaps: Gaps = Gaps.MOST,
) -> ExpectedFile:
    """Return what such a PDF must hold, of copies, fronts and backs."""
    found = []
    for at, (copies, front, back) in enumerate(faces):
        if backs is Backs.ONLY:
            found += [ExpectedFace("deck", f"card-{at}", copies, back, None)] if back is not None else []
        else:
            behind = None if backs is Backs.NONE else back
            found.append(ExpectedFace("deck", f"card-{at}", copies, front, behind, shape=shape))
    pieces = (ExpectedPiece("Cards", "cards", tuple(found)),) if faces else ()
    say = Speech().program
    file = Expected(
        tuple(found),
        paper.size,
        paper.margin_mm,
        duplex,
        "The Game: Cards",
        "en",
        {},
        fold_turn=turn.value if backs is Backs.GUTTERFOLD else None,
        cut=cut.value,
        layers={"L-cut": "Cut lines", "L-fold": "Fold line"},
    )
    own = {"cards": 1}
    sheets = ExpectedSheets(pieces, paper, backs.value, turn.value, gaps.value, "The Game", "game", "1.0", own, "", say)
    return ExpectedFile(file, sheets)


@pytest.mark.sweep(9)
@pytest.mark.parametrize("backs", list(Backs))
@pytest.mark.parametrize("turn", list(Turn))
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(
    "name", ["poker", "poker-landscape", "mini-euro", "tarot", "round-1in", "hex-2in", "page", "jumbo"]
)
def test_every_plan_is_printed(name: str, paper: str, turn: Turn, backs: Backs) -> None:
    format_, sheet = FORMATS[name], PAPERS[paper]
    fronts = [face(format_, f"card {at}", "#f4ead2") for at in range(len(COPIES))]
    behind = [face(format_, "one", "#224466"), face(format_, "other", "#664422")]
    faces = [(copies, front, behind[at % 2]) for at, (copies, front) in enumerate(zip(COPIES, fronts, strict=True))]
    leaves = [Leaf(format_, copies, front.hash, back.hash) for copies, front, back in faces]
    pdf, duplex = document(leaves, [*fronts, *behind], sheet, backs, turn)
    assert (duplex is not None) is (backs is Backs.DUPLEX)
    shape = "round" if format_.is_round else "hexagonal" if format_.is_hex else ""
    expected = expected_of(faces, sheet, backs, turn, duplex, Cut.MARKS, shape)
    assert look_at(pdf, expected, SOURCE) == []
    first, *others = expected.file.faces
    wrong = expected._replace(file=expected.file._replace(faces=(first._replace(copies=4), *others)))
    assert [problem.code for problem in look_at(pdf, wrong, SOURCE)] == ["proof-copies"]


@examples(15)
@given(
    FORMATS_OF,
    CARDS,
    st.sampled_from(["each", "shared", "mixed", "none"]),
    st.sampled_from([PAPERS[name] for name in ("a4", "letter", "a3", "legal", "a5")]),
    st.sampled_from(list(Turn)),
    st.sampled_from(list(Backs)),
    st.sampled_from(list(Gaps)),
    st.sampled_from([Cut.MARKS, Cut.LINES]),
)
def test_any_deck_is_printed(
    formats: list[Format],
    cards: list[tuple[int, int, bool]],
    kind: str,
    paper: Paper,
    turn: Turn,
    backs: Backs,
    gaps: Gaps,
    cut: Cut,
) -> None:
    """Decks of any sizes and counts, with backs of any kind, on any paper: plan and proof agree."""
    faces: list[tuple[int, Frame, Frame | None]] = []
    leaves = []
    for at, (which, copies, is_backed) in enumerate(cards):
        format_ = formats[which % len(formats)]
        if fit_grid(format_, paper) is None:
            continue
        front = face(format_, f"card {at}", "#f4ead2")
        names = {"each": f"back {at}", "shared": "back", "mixed": f"back {at % 2}" if is_backed else "", "none": ""}
        back = face(format_, names[kind], "#224466") if names[kind] else None
        faces.append((copies, front, back))
        leaves.append(Leaf(format_, copies, front.hash, None if back is None else back.hash))
    frames = [frame for _, front, back in faces for frame in (front, back) if frame is not None]
    manner = Manner(cut, gaps, Rims({frame.hash: frame for frame in frames}, {}))
    pdf, duplex = document(leaves, frames, paper, backs, turn, manner)
    assert look_at(pdf, expected_of(faces, paper, backs, turn, duplex, cut, gaps=gaps), SOURCE) == []
    if backs in (Backs.NONE, Backs.ONLY):
        _together_they_are_duplex(leaves, frames, faces, paper, turn, manner)


def _together_they_are_duplex(
    leaves: list[Leaf],
    frames: list[Frame],
    faces: list[tuple[int, Frame, Frame | None]],
    paper: Paper,
    turn: Turn,
    manner: Manner,
) -> None:
    """Fronts printed first and backs on the same paper afterwards: the pages, one for one, are a duplex file."""
    fronts, _ = document(leaves, frames, paper, Backs.NONE, turn, manner)
    behind, _ = document(leaves, frames, paper, Backs.ONLY, turn, manner)
    with pikepdf.open(io.BytesIO(fronts)) as both, pikepdf.open(io.BytesIO(behind)) as other:
        assert len(both.pages) == len(other.pages)
        for at, page in enumerate(list(other.pages)):
            both.pages.insert(2 * at + 1, page)
        both.Root.ViewerPreferences.Duplex = pikepdf.Name(f"/DuplexFlip{turn.value.title()}Edge")
        out = io.BytesIO()
        both.save(out)
    expected = expected_of(faces, paper, Backs.DUPLEX, turn, turn.value, manner.cut)
    expected = expected._replace(sheets=None)  # their footers speak of fronts alone, and of backs alone
    assert look_at(out.getvalue(), expected, SOURCE) == []
