"""Rules of a language that is written from right to left: columns, lists and tables begin at the right."""

from __future__ import annotations

import shutil
import subprocess
import unicodedata

import pypdfium2
import pytest
from test_sheet import FILES, GAME, Make

from duckpress.core.frame import Text
from duckpress.files.workspace import Workspace
from duckpress.press.checking import Checked
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request

RULES = "1. שלום לכם\n2. שורה\n\n- ברווז\n\n| קלף | כמה |\n|---|---|\n| אווז | 12 |\n\n[column break]\n\nסוף הדף (Duck)"


def texts_of(make_workspace: Make, tongue: str, **files: str) -> list[Text]:
    game = GAME.format(languages=tongue)
    more = {f"content/pond/{name.replace('__', '/')}.yaml": text for name, text in files.items()}
    workspace: Workspace = make_workspace(
        {**FILES, "content/pond/game.yaml": game, "content/pond/rules.md": RULES, **more}
    )
    built = build(workspace, load(workspace, "pond"), Request(papers=("a4",), pieces=("rules",)), workspace.root / "o")
    assert built.files, built.checked.problems
    checked: Checked = built.checked
    (piece,) = (one for one in checked.pieces if one.piece.id == "rules")
    return [item for item in piece.pages["a4"][0].items if isinstance(item, Text)]


def place(texts: list[Text], words: str) -> float:
    return next(text.x_mm for text in texts if text.text.strip() == words)


def test_pages_are_mirrored_and_proven_in_a_language_that_is_written_so(make_workspace: Make) -> None:
    texts = texts_of(make_workspace, "he")
    assert place(texts, "1.") > place(texts, "שלום") > place(texts, "לכם")
    assert place(texts, "•") > place(texts, "ברווז")
    assert place(texts, "אווז") > place(texts, "12")
    assert place(texts, "סוף") < place(texts, "שלום") - 50.0
    # The file of a language says which way it is written.
    texts = texts_of(make_workspace, "he", lang__he="direction: ltr\n")
    assert place(texts, "1.") < place(texts, "שלום")
    mirrored = texts_of(make_workspace, "en", lang__en="direction: rtl\n")
    assert place(mirrored, "1.") > place(mirrored, "שלום")


def test_booklets_are_bound_at_the_right_and_proven(make_workspace: Make) -> None:
    """The proof holds them against their own order: bound at the left, each would be a fault."""
    game = GAME.format(languages="he")
    workspace = make_workspace({**FILES, "content/pond/game.yaml": game, "content/pond/rules.md": RULES})
    request = Request(papers=("a4",), pieces=("rules-booklet",))
    built = build(workspace, load(workspace, "pond"), request, workspace.root / "o")
    (file,) = built.files
    page = pypdfium2.PdfDocument(built.folder / file)[0].get_textpage()
    left, right = (page.get_text_bounded(left=at, right=at + 420.0) for at in (0.0, 421.0))
    assert "1 / 4" in left
    assert "4 / 4" in right


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="poppler is not installed")
def test_a_viewer_copies_words_as_they_are_read(make_workspace: Make) -> None:
    """Brackets apart, which poppler takes as they are drawn."""
    texts_of(make_workspace, "he")
    (file,) = make_workspace({}).root.glob("o/**/pond-rules-a4.pdf")
    said = subprocess.run(["pdftotext", str(file), "-"], capture_output=True, check=True).stdout.decode()
    plain = " ".join("".join(letter for letter in said if unicodedata.category(letter) != "Cf").split())
    assert "שלום לכם" in plain
    assert "סוף הדף" in plain
