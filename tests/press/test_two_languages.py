"""A game printed in two languages: names of files, what they say, and a folder in which both live side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pytest
from click.testing import CliRunner

from duckpress.cli.commands import main
from duckpress.files.workspace import Workspace
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from duckpress.store import ALL_PIECES, file_name
from french_pond import FILES, FRENCH_FILE, MakeWorkspace, with_file

A4 = Request(papers=("a4",))
FRENCH = Request(papers=("a4",), language="fr")


def text_of(path: Path) -> str:
    """Return all that a PDF says."""
    return "\n".join(page.get_textpage().get_text_range() for page in pdfium.PdfDocument(path))


@pytest.fixture
def pond(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(FILES)


def test_a_build_prints_the_language_asked_for(pond: Workspace, tmp_path: Path) -> None:
    built = build(pond, load(pond, "pond"), FRENCH, tmp_path / "out")
    assert built.files == ("pond-cards-a4-fr.pdf", "pond-all-a4-fr.pdf")
    path = tmp_path / "out/pond/pond-cards-a4-fr.pdf"
    said = text_of(path)
    for words in ("Sarcelle mâle", "Vaut 2 en automne.", "Tempête\u202f!", "2 points chacun", "L’étang\u202f: Dos"):
        assert words in said, words
    for words in ("feuille 1 sur 1 · recto · retourner sur le bord long · imprimer à 100\u202f%", "version 0.2"):
        assert words in said.replace("\r\n", "\n"), words
    assert "sheet" not in said
    with pikepdf.open(path) as pdf:
        assert str(pdf.Root.Lang) == "fr"
        assert str(pdf.docinfo["/Title"]) == "L’étang\u202f: Cartes"
        assert str(pdf.docinfo["/Subject"]).startswith("Fichier à imprimer et à jouer")


def test_without_a_language_the_first_one_is_printed(pond: Workspace, tmp_path: Path) -> None:
    built = build(pond, load(pond, "pond"), A4, tmp_path / "out")
    assert built.files == ("pond-cards-a4.pdf", "pond-all-a4.pdf")
    said = text_of(tmp_path / "out/pond/pond-cards-a4.pdf")
    assert "Teal drake" in said
    assert "sheet 1 of 1 · front" in said


def test_two_languages_live_in_one_folder(pond: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "out/pond"
    for request in (A4, FRENCH, A4):
        build(pond, load(pond, "pond"), request, tmp_path / "out")
    manifest = json.loads((folder / "manifest.json").read_bytes())
    names = {"pond-all-a4-fr.pdf", "pond-all-a4.pdf", "pond-cards-a4-fr.pdf", "pond-cards-a4.pdf"}
    assert {file["name"] for file in manifest["files"]} == names
    assert {path.name for path in folder.glob("*.pdf")} == names
    assert manifest["title"] == "Pond"
    assert {file["language"] for file in manifest["files"]} == {"en", "fr"}
    frames = {(card["card"], card["language"]): card["frame"] for card in manifest["cards"]}
    assert frames["storm", "en"] != frames["storm", "fr"]
    assert len(frames) == 10


def test_the_names_of_all_files(pond: Workspace) -> None:
    game = load(pond, "pond").game
    assert game is not None
    assert [language.code for language in game.languages] == ["en", "fr"]
    names = [file_name(game, piece, "a4", "color", code) for code in ("en", "fr") for piece in ("cards", ALL_PIECES)]
    assert names == ["pond-cards-a4.pdf", "pond-all-a4.pdf", "pond-cards-a4-fr.pdf", "pond-all-a4-fr.pdf"]
    names = [file_name(game, piece, "letter", "color", "fr") for piece in ("cards", ALL_PIECES)]
    assert names == ["pond-cards-letter-fr.pdf", "pond-all-letter-fr.pdf"]


def test_a_language_that_no_game_has_is_refused(pond: Workspace) -> None:
    done = CliRunner().invoke(main, ["--workspace", str(pond.root), "build", "--lang", "de"])
    assert done.exit_code == 2
    assert "no language 'de'" in done.output


def test_a_translation_that_cannot_be_read_prints_nothing(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    pond = make_workspace(with_file(FRENCH_FILE, "licence: Imprimez", "license: Imprimez"))
    built = build(pond, load(pond, "pond"), FRENCH, tmp_path / "out")
    assert built.files == ()
    assert [problem.code for problem in built.checked.problems if problem.level.value == "error"] == ["unknown-key"]
    assert build(pond, load(pond, "pond"), A4, tmp_path / "out").files  # the first language is not to blame


def test_a_draft_says_so_in_the_language(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    pond = make_workspace(with_file(FRENCH_FILE, "name: Tempête !", "name: Tempête " + "interminable " * 12))
    request = Request(papers=("a4",), language="fr", is_forced=True)
    build(pond, load(pond, "pond"), request, tmp_path / "out")
    assert "ÉPREUVE" in text_of(tmp_path / "out/pond/pond-cards-a4-fr.pdf")


def test_shrunk_texts_are_told_by_language(make_workspace: MakeWorkspace) -> None:
    pond = make_workspace(
        with_file(FRENCH_FILE, "name: Tempête !", "name: Tempête qui ne s'arrête jamais de souffler !")
    )
    files = ["--workspace", str(pond.root), "check", "--format", "json"]
    shrunk = json.loads(CliRunner().invoke(main, files).output)["shrunk"]
    assert {(entry["card"], entry["language"]) for entry in shrunk} <= {("storm", "fr")}
    assert "(fr)" in CliRunner().invoke(main, files[:3]).output or not shrunk
