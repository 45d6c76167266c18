"""Every bundled game from its files to proven PDFs, and what independent readers say of them; its rules on paper."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from crews import UseWorkers, shown
from duckpress.core.frame import Frame, Outline, Text
from duckpress.core.problems import Level
from duckpress.files.workspace import Workspace
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, Request

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = Workspace(ROOT).games()

# True findings that stay visible: (code, players).
STANDING = {"duck-blind": [("expectation", 3), ("expectation", 5)]}

# What a sheet's foot says in a game's first language: version, and how to print.
PRINTED = {"en": ("version", "print at 100 %"), "fr": ("version", "imprimer à 100 %")}


@pytest.fixture(scope="module", params=GAMES)
def built(request: pytest.FixtureRequest, whole: Callable[[str], Built]) -> Built:
    """A game built for A4 and Letter, as `make` does."""
    return whole(request.param)


def test_the_page_in_output_names_every_game_and_the_file_to_print(built: Built) -> None:
    page = (ROOT / "output" / "README.md").read_text(encoding="utf-8")
    game = built.checked.game
    assert game is not None
    row = next(line for line in page.splitlines() if line.startswith(f"| `{game.id}/` |"))
    assert game.title in row
    for paper in ("a4", "letter"):
        assert f"`<game>/<game>-all-{paper}.pdf`" in page
        assert (built.folder / f"{game.id}-all-{paper}.pdf").is_file()


def test_all_pieces_are_printed_and_nothing_is_wrong(built: Built) -> None:
    game = built.checked.game
    assert game is not None
    found = [problem for problem in built.checked.problems if problem.level is not Level.NOTE]
    assert [(problem.code, problem.players) for problem in found] == STANDING.get(game.id, [])
    assert not built.checked.has_errors
    pieces = [*(piece.id for piece in game.chosen_pieces() if game.dealt_to(piece) is None), "all"]
    assert set(built.files) == {f"{game.id}-{piece}-{paper}.pdf" for piece in pieces for paper in ("a4", "letter")}


def test_the_manifest_lists_every_file_and_card(built: Built) -> None:
    game = built.checked.game
    assert game is not None
    manifest = json.loads((built.folder / "manifest.json").read_text())
    assert (manifest["game"], manifest["version"]) == (game.id, game.version)
    for entry in manifest["files"]:
        data = (built.folder / entry["name"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == entry["sha256"]
        assert len(pypdfium2.PdfDocument(data)) == entry["pages"]
    counts: Counter[tuple[str, str]] = Counter()
    for card in manifest["cards"]:
        counts[card["piece"], card["deck"]] += card["copies"]
    for piece in game.pieces:
        for name in piece.decks:
            deck = game.decks[name]
            assert counts[piece.id, name] == deck.count * (max(game.players) if deck.is_per_player else 1), name


def without_spaces(words: str) -> str:
    return "".join(words.split())


@pytest.mark.sweep(5)
def test_every_page_says_what_it_is_and_how_to_print_it(built: Built) -> None:
    game = built.checked.game
    assert game is not None
    said = PRINTED[game.languages[0].code]
    rules = {}
    for name in sorted(built.files, key=lambda name: "-all-" in name):
        document = pypdfium2.PdfDocument(built.folder / name)
        assert document.get_metadata_value("Title").startswith(game.title)
        assert document.get_metadata_value("Author") == game.designer
        pages = [without_spaces(page.get_textpage().get_text_bounded()) for page in document]
        cut = [words for words in pages if words and "50mm" in words]
        read = [words for words in pages if words and "50mm" not in words]
        for words in cut:
            assert f"{said[0]}{game.version}" in words
            assert without_spaces(said[1]) in words
            assert "2in" in words
        # Rules are read, not cut: their pages say whose they are, and nothing about the printer.
        assert all(without_spaces(f"{game.title} {game.version}") in words for words in read)
        paper = name.removesuffix(".pdf").rpartition("-")[2]
        if "-rules-" in name:
            assert cut == []
            # The booklet stands for the sheet, and is not in the file with everything.
            rules[paper] = rules.get(paper, 0) + (0 if "-booklet-" in name else len(read))
        else:
            assert len(read) == (rules.get(paper, 0) if "-all-" in name else 0)


def test_pdfs_have_boxes_preferences_and_embedded_fonts_only(built: Built) -> None:
    for name in built.files:
        with pikepdf.open(built.folder / name) as pdf:
            assert pdf.Root.ViewerPreferences.PrintScaling == "/None"
            for page in pdf.pages:
                assert "/TrimBox" in page
                assert "/BleedBox" in page
            dictionaries = [found for found in pdf.objects if isinstance(found, pikepdf.Dictionary)]
            fonts = [found for found in dictionaries if found.get("/Type") == "/Font"]
            for font in fonts:
                if font.Subtype == "/Type0":
                    assert "/ToUnicode" in font
                    assert "/FontFile2" in font.DescendantFonts[0].FontDescriptor
                else:
                    assert font.Subtype == "/CIDFontType2", font


@pytest.mark.soak
def test_a_build_elsewhere_by_workers_gives_the_same_bytes(
    built: Built, use_workers: UseWorkers, tmp_path: Path
) -> None:
    """Two builds in two folders, one laid out by the process itself and one by workers, a few cards at a time."""
    copy = tmp_path / "elsewhere"
    for room in (f"content/{built.checked.game_id}", "layouts", "fonts"):
        shutil.copytree(ROOT / room, copy / room)
    workspace = Workspace(copy)
    use_workers(3, at_once=5)
    again = build(workspace, load(workspace, built.checked.game_id), Request(), tmp_path / "there")
    assert again.checked.problems == built.checked.problems
    assert list(map(shown, again.checked.pieces)) == list(map(shown, built.checked.pieces))
    for name in (*built.files, "manifest.json"):
        assert (again.folder / name).read_bytes() == (built.folder / name).read_bytes(), name


@pytest.mark.sweep(5)
@pytest.mark.parametrize(
    ("tool", "command"),
    [
        ("gs", ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-dPDFSTOPONERROR", "-sDEVICE=nullpage"]),
        ("qpdf", ["qpdf", "--check"]),
        ("pdftoppm", ["pdftoppm", "-r", "20", "-gray"]),
        ("pdffonts", ["pdffonts"]),
    ],
)
def test_other_readers_find_nothing_wrong(built: Built, tool: str, command: list[str], tmp_path: Path) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    for name in built.files:
        if "-all-" not in name:
            continue
        target = [str(tmp_path / "page")] if tool == "pdftoppm" else []
        line = [*command, str(built.folder / name), *target]
        done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert not done.stderr.strip(), done.stderr
        if tool == "pdffonts":
            rows = done.stdout.splitlines()[2:]
            assert rows
            assert all(row.split()[-5:-2] == ["yes", "yes", "yes"] for row in rows), done.stdout


@pytest.mark.parametrize("game_id", GAMES)
def test_every_card_has_its_place_in_a_box(game_id: str, project: Workspace) -> None:
    game = load(project, game_id).game
    assert game is not None
    boxes = [deck.box for deck in game.decks.values() if deck.box is not None]
    held = [deck for box in boxes for deck, _ in box.holds]
    cards = [id_ for id_, deck in game.decks.items() if deck.is_component and deck.format == "poker"]
    assert sorted(held) == sorted(cards)
    printed = {deck for piece in game.chosen_pieces() for deck in piece.decks}
    assert game.packaging <= printed


_CLEAR_MM = 2.0


def words_above(page: Frame) -> tuple[float, float]:
    """Return how far down the words of a page's columns reach, and where those of its footer begin."""
    at = max(number for number, item in enumerate(page.items) if isinstance(item, Outline))
    words = [item.y_mm for item in page.items[:at] if isinstance(item, Text)]
    footer = [item for item in page.items[at + 1 :] if isinstance(item, Text)]
    return max(words, default=0.0), min(item.y_mm - item.size_mm for item in footer)


@pytest.mark.sweep(5)
@pytest.mark.parametrize("game_id", GAMES)
def test_no_words_come_near_a_footer(game_id: str, whole: Callable[[str], Built]) -> None:
    pages = [
        (one.piece.id, paper, number, page)
        for one in whole(game_id).checked.pieces
        for paper, frames in one.pages.items()
        for number, page in enumerate(frames, 1)
    ]
    assert pages
    near = [
        (piece, paper, number, round(words - footer, 2))
        for piece, paper, number, page in pages
        for words, footer in [words_above(page)]
        if words > footer - _CLEAR_MM
    ]
    assert near == []


@pytest.mark.sweep(5)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_booklet_folds_from_whole_sheets_and_is_not_padded_with_one(
    game_id: str, whole: Callable[[str], Built]
) -> None:
    for one in whole(game_id).checked.pieces:
        for paper, frames in one.pages.items() if one.piece.is_booklet else ():
            blank = sum(not any(isinstance(item, Text) and item.size_mm > 3 for item in page.items) for page in frames)
            assert len(frames) % 4 == 0, (one.piece.id, paper)
            assert blank < 4, (one.piece.id, paper)
