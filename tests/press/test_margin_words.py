"""Titles of games in any letters: margins say them in whatever family has them, and what none has is told of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from duckpress.files.workspace import Workspace
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, Request
from font_kinds import drawing

Make = Callable[[Mapping[str, str | bytes]], Workspace]
FILES = {
    "content/pond/game.yaml": 'title: "{title}"\nversion: "0.1"\ndesigner: Ann\nplayers: 2\ntheme: pond\n'
    "pieces: [{id: cards, title: カード, decks: [duck]}]\n",
    "content/pond/theme.yaml": "extends: base\n",
    "content/pond/decks/duck.yaml": "title: Ducks\nsize: poker\nfront: duck\ncards: [{id: teal}]\n",
    "content/pond/layouts/duck.xml": '<face><text x="5" y="5" width="50" height="10">Teal</text></face>',
}
FONT = {
    "fonts/own/OFL.txt": "a licence",
    "fonts/own/family.yaml": "name: Own\nlicence: OFL-1.1\nlicence-file: OFL.txt\nstyles: {regular: Own.ttf}\n",
    "fonts/own/Own.ttf": drawing("池カード"),
}
DRAFT = Request(papers=("a4",), is_forced=True)


def printed(make: Make, out: Path, title: str, more: Mapping[str, str | bytes] = {}) -> Built:
    """Return the pond of a title, built in spite of errors."""
    files = {name: text.replace("{title}", title) for name, text in FILES.items()}
    workspace = make({**files, **more})
    return build(workspace, load(workspace, "pond"), DRAFT, out)


def said(out: Path) -> str:
    """Return what the first page of the cards says, in a line."""
    page = pdfium.PdfDocument(out / "pond/pond-cards-a4.pdf")[0]
    return " ".join(str(page.get_textpage().get_text_range()).split())


def test_letters_of_a_font_of_the_project_stand_in_footers(make_workspace: Make, tmp_path: Path) -> None:
    built = printed(make_workspace, tmp_path, "池", FONT)
    assert not built.checked.problems
    assert built.files
    assert "池 · カード · version 0.1" in said(tmp_path)


@pytest.mark.parametrize(
    ("title", "code", "footer"),
    [
        ("池", "missing-glyph", "DRAFT · · version 0.1"),
        ("池 Pond 池池", "missing-glyph", "DRAFT Pond · · version 0.1"),
        ("Pond 👨\u200d👩\u200d👧 ⭐\ufe0f", "missing-glyph", "DRAFT Pond ⭐ · · version 0.1"),
    ],
)
def test_what_cannot_be_set_is_told_at_its_title_and_left_out_of_a_draft(
    make_workspace: Make, tmp_path: Path, title: str, code: str, footer: str
) -> None:
    built = printed(make_workspace, tmp_path, title)
    told = [(one.code, one.source.file, one.source.line) for one in built.checked.problems]
    assert sorted(told) == sorted([(code, "content/pond/game.yaml", 1), ("missing-glyph", "content/pond/game.yaml", 6)])
    assert footer in said(tmp_path)


def test_a_title_cut_short_may_have_letters_that_no_font_has(make_workspace: Make, tmp_path: Path) -> None:
    built = printed(make_workspace, tmp_path, "A pond 池 for ducks " * 9)
    assert {one.code for one in built.checked.problems} == {"missing-glyph"}
    assert "DRAFT A pond for ducks A pond" in said(tmp_path)
    assert "…" in said(tmp_path)


def test_soft_hyphens_of_titles_are_not_in_bookmarks_and_properties(make_workspace: Make, tmp_path: Path) -> None:
    files = {
        "content/pond/game.yaml": FILES["content/pond/game.yaml"]
        .replace("{title}", "Mar\u00adsh\u200bland")
        .replace("カード", "Cr\u00adops \u00b5\u00a0x\u200by")
    }
    built = printed(make_workspace, tmp_path, "Mar\u00adsh\u200bland", {**FONT, **files})
    assert not built.checked.problems
    with pdfium.PdfDocument(tmp_path / "pond/pond-cards-a4.pdf") as pdf:
        assert [mark.get_title() for mark in pdf.get_toc()] == ["Crops \u00b5\u00a0xy"]
        assert pdf.get_metadata_dict()["Title"] == "Marshland: Crops \u00b5\u00a0xy"


def test_a_licence_that_footers_of_rules_cannot_say_is_told(make_workspace: Make, tmp_path: Path) -> None:
    game = FILES["content/pond/game.yaml"].replace("{title}", "Pond").replace("カード", "Cards")

    files = {
        "content/pond/game.yaml": game + "licence: Free 池 for all.\n",
        "content/pond/rules.md": "# Pond\n\nPlay.\n",
    }
    told = printed(make_workspace, tmp_path, "Pond", files).checked.problems
    assert any("the licence 'Free 池 for all.' has characters that no font has" in problem.what for problem in told)


def test_rules_say_the_words_of_the_program_in_arabic(make_workspace: Make, tmp_path: Path) -> None:
    """One of them has a mark that the font raises, which stands above its line, and is in order all the same."""
    game = FILES["content/pond/game.yaml"].replace("{title}", "Pond").replace("カード", "Cards")
    files = {
        "content/pond/game.yaml": game.replace("theme:", "languages: [ar]\nbring: [paper]\ntheme:"),
        "content/pond/rules.md": "# Pond\n\n## Parts\n\n[components]\n\nPlay.\n",
    }
    told = printed(make_workspace, tmp_path, "Pond", files).checked.problems
    assert not [problem.what for problem in told if problem.code.startswith("proof")]
