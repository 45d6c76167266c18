"""Each small fault in how sheets are planned is told in a sentence: numbers, words, bars, marks, codes, order.

The faults are put into `impose` itself, so that plan and paper agree and only the proof's own eyes can see them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from any_deck import COPIES, face, typeset
from duckpress.art.qr_code import modules_of
from duckpress.core.frame import Frame
from duckpress.core.geometry import Size
from duckpress.core.problems import Source
from duckpress.core.sizes import FORMATS, PAPERS, Format
from duckpress.impose import (
    Backs,
    Leaf,
    PageOf,
    Sheet,
    SheetLabel,
    Turn,
    deck_sheets,
    footer,
    grid,
    impose_booklet,
    impose_piece,
    marks,
    tiling,
)
from duckpress.impose.sheets import Code, Side
from duckpress.language import Speech
from duckpress.proof import Expected, ExpectedFace
from duckpress.render import Booklet, DocumentInfo, render_pdf
from handmade import FONTS
from oracle.sheets.expected_sheets import ExpectedFile, ExpectedPiece, ExpectedSheets
from oracle.sheets.proving import look_at

Finding = tuple[str, str]
"""A code and a sentence."""

A4 = PAPERS["a4"]
BOARD = Format("board", Size(300.0, 200.0))


def expected(pieces: tuple[ExpectedPiece, ...], duplex: str | None, numbers: dict[str, int]) -> ExpectedFile:
    """Return what a file must hold."""
    backs = "none" if duplex is None else "duplex"
    sheets = ExpectedSheets(pieces, A4, backs, "long", "most", "The Game", "game", "1.0", numbers, "", Speech().program)
    every = tuple(face for piece in pieces for face in piece.faces)
    title = "The Game"
    layers = {"L-cut": "Cut lines", "L-fold": "Fold line"}
    return ExpectedFile(Expected(every, A4.size, 5.0, duplex, title, "en", {}, cut="marks", layers=layers), sheets)


def findings(
    name: str, spoil: Callable[[tuple[Sheet, ...]], tuple[Sheet, ...]] = lambda sheets: sheets, title: str = "Cards"
) -> list[Finding]:
    """Return what the proof finds of sheets with cards of a format, or with a board, as the program imposes them."""
    format_ = BOARD if name == "board" else FORMATS[name]
    overlap_mm = 10.0 if name == "board" else None
    fronts = [face(format_, f"card {at}", "#f4ead2") for at in range(1 if overlap_mm else len(COPIES))]
    back = face(format_, "back", "#224466")
    copies = [1] if overlap_mm else COPIES
    leaves = [Leaf(format_, n, one.hash, back.hash, overlap_mm) for n, one in zip(copies, fronts, strict=True)]
    label = SheetLabel("The Game", "Cards", "1.0")
    sheets = spoil(impose_piece(leaves, A4, Backs.DUPLEX, Turn.LONG, label, typeset))
    shape = "round" if format_.is_round else ""
    faces = tuple(
        ExpectedFace("deck", f"card-{at}", n, one, back, overlap_mm, shape=shape)
        for at, (n, one) in enumerate(zip(copies, fronts, strict=True))
    )
    frames = {frame.hash: frame for frame in (*fronts, back)}
    return proven(sheets, frames, (ExpectedPiece("Cards", "cards", faces),), title)


def proven(
    sheets: tuple[Sheet, ...], frames: dict[str, Frame], pieces: tuple[ExpectedPiece, ...], title: str = "Cards"
) -> list[Finding]:
    """Return what the proof finds of some sheets."""
    pdf = render_pdf([Booklet(title, sheets, frames, {}, {})], FONTS, DocumentInfo("The Game", duplex="long"))
    found = look_at(pdf, expected(pieces, "long", {"cards": 3}), Source("game.yaml"))
    return [(problem.code, problem.what) for problem in found]


@pytest.mark.parametrize("name", ["mini-euro", "round-1in", "board"])
def test_right_sheets_have_no_findings(name: str) -> None:
    assert findings(name) == []


def _in_reverse(tiling: Any) -> Any:
    class Reversed(type(tiling)):  # type: ignore[misc]
        def tiles(self) -> Any:
            return super().tiles()[::-1]

    return Reversed(tiling.way, tiling.room, tiling.trim, tiling.bleed_mm, tiling.columns, tiling.rows)


def _number_too_high(sheet_text: Any) -> Any:
    return lambda label, number, total: sheet_text(label, number + 1, total)


def _fronts_as_backs(tail: Any) -> Any:
    return lambda *args, is_back, is_folded: tail(*args, is_back=not is_back, is_folded=is_folded)


FAULTS = [
    (
        tiling,
        "_seat",
        lambda seat: lambda *args: (seat(*args)[0] + 1, *seat(*args)[1:]),
        "board",
        "proof-tiles",
        "page 1: the tile does not lie in the middle of its room",
    ),
    (
        tiling,
        "plan_tiles",
        lambda plan: lambda *args: _in_reverse(plan(*args)),
        "board",
        "proof-tiles",
        "from page 1 on, the tiles do not follow one another row by row",
    ),
    (
        grid,
        "fit_axis",
        lambda fit: lambda *args: fit(*args)._replace(start_mm=fit(*args).start_mm + 0.5),
        "mini-euro",
        "proof-placement",
        "page 1: its cards do not lie in the middle",
    ),
    (
        grid,
        "spread",
        lambda spread: lambda *args: (spread(*args)[0], spread(*args)[1] / 2),
        "mini-euro",
        "proof-placement",
        "page 1: its cards do not lie in the middle",
    ),
    (
        grid,
        "MARK_OFFSET_MM",
        lambda _: 0.8,
        "mini-euro",
        "proof-placement",
        "page 1: its cards do not lie in the middle",
    ),
    (
        grid,
        "fit_axis",
        lambda fit: lambda *args: fit(*args)._replace(trims=1),
        "mini-euro",
        "proof-placement",
        "'Cards' is on 13 sheets, not on 1",
    ),
    (
        deck_sheets,
        "_stacks",
        lambda stacks: lambda *args: [(one, some[::-1]) for one, some in stacks(*args)],
        "mini-euro",
        "proof-placement",
        "page 1: card 'card-3' of deck 'deck' lies where card 'card-0' of deck 'deck' should",
    ),
    (
        footer,
        "_sheet_text",
        _number_too_high,
        "mini-euro",
        "proof-footer",
        "page 1: the footer says 'TheGame·Cards·version1.0·sheet2of1",
    ),
    (
        footer,
        "_tail",
        _fronts_as_backs,
        "mini-euro",
        "proof-footer",
        "page 1: the footer says 'TheGame·Cards·version1.0·sheet1of1·back",
    ),
    (
        footer,
        "BARS",
        lambda bars: ((49.0, "50 mm"), bars[1]),
        "mini-euro",
        "proof-footer",
        "the bars to measure are not where",
    ),
    (footer, "TEXT_PT", lambda _: 7.0, "mini-euro", "proof-footer", "is set in 7.00 pt"),
    (footer, "_WORD_GAP_MM", lambda _: 1.6, "mini-euro", "proof-footer", "begins 1.60 mm after what is before it"),
    (footer, "COLOUR", lambda _: "#ff0000", "mini-euro", "proof-footer", "the bars to measure are not where"),
    (
        deck_sheets,
        "turns_left_right",
        lambda turns: lambda *args: not turns(*args),
        "round-1in",
        "proof-cut",
        "page 2: the mark at",
    ),
    (
        deck_sheets,
        "mark_ends",
        lambda ends: lambda axis: [(a - 1, b - 1) for a, b in ends(axis)],
        "mini-euro",
        "proof-cut",
        "a mark does not stand beside the faces",
    ),
    (
        deck_sheets,
        "mark_ends",
        lambda ends: lambda axis: [(a + 9, b) for a, b in ends(axis)],
        "mini-euro",
        "proof-cut",
        "a mark lies on a face",
    ),
    (
        deck_sheets,
        "cuts",
        lambda cuts: lambda *args: [*cuts(*args), 80.0],
        "mini-euro",
        "proof-cut",
        "there is a mark where nothing is cut, at 80.00 mm across",
    ),
    (
        marks,
        "cut_line",
        lambda line: lambda box, format_: line(box.grown(-1.5), format_),
        "round-1in",
        "proof-cut",
        "there is no round outline on the face at",
    ),
    (
        deck_sheets,
        "cut_lines",
        lambda _: lambda *_args: (),
        "round-1in",
        "proof-cut",
        "there is no round outline on the face at",
    ),
    (
        tiling,
        "turns_left_right",
        lambda turns: lambda *args: not turns(*args),
        "board",
        "proof-tiles",
        "page 2: the map does not show where",
    ),
    (
        tiling,
        "_JOINING",
        lambda joins: dict.fromkeys(joins, joins[False, False]),
        "board",
        "proof-footer",
        "the footer says 'tile2of",
    ),
    (
        tiling,
        "_seams",
        lambda seams: lambda spans: tuple(mm + 2 for mm in seams(spans)),
        "board",
        "proof-tiles",
        "the marks at the seams",
    ),
    (tiling, "_LETTER_GAP_MM", lambda _: 2.5, "board", "proof-tiles", "the letters of the seams do not stand beside"),
]


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("module", "name", "faulty", "what", "code", "sentence"),
    FAULTS,
    ids=[f"{one[1]}-{at}" for at, one in enumerate(FAULTS)],
)
def test_a_fault_of_imposing_is_seen(
    module: Any,
    name: str,
    faulty: Callable[[Any], Any],
    what: str,
    code: str,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, name, faulty(getattr(module, name)))
    found = findings(what)
    assert any(said == code and sentence in words for said, words in found), found


def coded(text: str, turn: int = 0) -> Callable[[tuple[Sheet, ...]], tuple[Sheet, ...]]:
    """Return what gives the first sheet a code, one module of which is turned round where `turn` is not 0."""

    def spoil(sheets: tuple[Sheet, ...]) -> tuple[Sheet, ...]:
        first, *others = sheets
        rows = list(modules_of(text, "l"))
        rows[10] ^= turn
        code = Code(tuple(rows), 150.0, 285.0, 0.2, "#333333")
        return first._replace(front=first.front._replace(code=code)), *others

    return spoil


@pytest.mark.parametrize("text", ["GAME/1.0/CARDS/1", "GAME/1.0/CARDS/01", "GAME/1.0/3/1", "GA*/1.0/3/1"])
def test_codes_that_name_their_sheet(text: str) -> None:
    assert findings("mini-euro", coded(text)) == []


@pytest.mark.parametrize("text", ["GAME/1.0/CARDS/2", "GAME/1.0/BIRDS/1", "GAME/1.1/CARDS/1", "GOAT*/1.0/3/1", "GAME"])
def test_codes_that_name_another_sheet(text: str) -> None:
    (found,) = findings("mini-euro", coded(text))
    assert found == ("proof-code", f"the code on page 1 does not name sheet 1 of 'Cards': it says {text!r}")


@pytest.mark.parametrize("column", range(0, 21, 4))
def test_a_code_with_one_wrong_module(column: int) -> None:
    (found,) = findings("mini-euro", coded("GAME/1.0/CARDS/1", 1 << column))
    assert found[1].startswith("the code on page 1 does not name sheet 1 of 'Cards': ")


def test_a_bookmark_of_another_name() -> None:
    (found,) = findings("mini-euro", title="Birds")
    assert found == ("proof-bookmark", "the bookmarks are 'Birds' on page 1, not 'Cards'")


@pytest.fixture(scope="module")
def pages() -> list[Frame]:
    """Return the pages of a booklet."""
    page = Format("page", Size(138.5, 200.0), bleed_mm=0.0)
    return [face(page, f"page {number}", "#ffffff") for number in range(1, 9)]


def booklet_findings(pages: list[Frame], order: list[int], shift_mm: float = 0.0) -> list[str]:
    """Return what the proof finds of a booklet of these pages, imposed as if they were in another order."""
    ordered = [PageOf(pages[number - 1].hash, pages[number - 1].trim) for number in order]
    sheets = impose_booklet(ordered, A4, Turn.SHORT, (), is_double_sided=True)
    if shift_mm:
        first, *others = sheets
        moved = tuple(one._replace(x_mm=one.x_mm + shift_mm) for one in first.front.placements)
        sheets = (first._replace(front=first.front._replace(placements=moved)), *others)
    faces = tuple(ExpectedFace("rules", f"page-{at}", 1, page, None, is_cut=False) for at, page in enumerate(pages))
    piece = ExpectedPiece("Rules", "rules", faces, tuple(page.hash for page in pages), is_booklet=True)
    frames = {page.hash: page for page in pages}
    pdf = render_pdf([Booklet("Rules", sheets, frames, {}, {})], FONTS, DocumentInfo("The Game", duplex="short"))
    found = look_at(pdf, expected((piece,), "short", {}), Source("game.yaml"))
    return [problem.what for problem in found if problem.code == "proof-reading"]


def test_a_booklet_is_folded_and_read(pages: list[Frame]) -> None:
    assert booklet_findings(pages, [1, 2, 3, 4, 5, 6, 7, 8]) == []
    swapped = booklet_findings(pages, [1, 3, 2, 4, 5, 6, 7, 8])
    assert swapped[0] == "page 2 (Rules) shows of 8 pages 3 and 7, not 2 and 7"
    moved = booklet_findings(pages, [1, 2, 3, 4, 5, 6, 7, 8], 1.0)
    assert moved == ["page 1 (Rules) shows a page that does not lie upright on its margins"]


def test_a_side_that_is_empty_or_should_be() -> None:
    emptied = findings("mini-euro", lambda sheets: tuple(one._replace(front=Side((), ())) for one in sheets))
    assert ("proof-sheet", "page 1 is empty: it is a side of sheet 1 of 'Cards'") in emptied
