"""Letters with marks, and letters that borrow a glyph, wherever a game has text: they print, and are read back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from unicodedata import normalize

import pypdfium2
import pytest

from duckpress.core.problems import Level
from duckpress.files.workspace import Workspace
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, Request

Make = Callable[[Mapping[str, str | bytes]], Workspace]
ACUTE = "\u0301"
TEXTS = {
    "en": f"a\u0323\u0308{ACUTE} a{ACUTE * 3} x{ACUTE}\u0302\u0303 {ACUTE}{ACUTE}b i\u0307",
    "vi": "Tie\u0302\u0301ng Vie\u0323\u0302t Tiếng Việt Ế",
    "ro": "şi ţară și Raţe",
    "nl": f"bíj{ACUTE}na ij{ACUTE}",
    "tr": "iyi kirpi ısı İ",
    "sr": "обоба",
    "lo": "ນ້ຳ",
    "el": "ᾴ ᾅ ΐ ∆ Δ µ μ Ω \u2126",
    "ipa": "ɛ̃ː t͡ʃ n̪̊ ä̝̃",
}


def game(language: str, text: str) -> dict[str, str]:
    code = language if len(language) == 2 else "en"
    return {
        "content/pond/game.yaml": (
            f'title: "{text}"\nversion: "0.1"\ndesigner: Ann\nplayers: 2\nlanguages: [{code}, fr]\ntheme: pond\n'
            f'pieces:\n  - {{id: cards, title: "{text}", decks: [cards]}}\n'
        ),
        "content/pond/decks/cards.yaml": (
            "title: Cards\nsize: poker\nfront: card\nfields: {name: text, look: text}\ncards:\n"
            + "".join(f'  - {{id: {look}, name: "{text}", look: {look}}}\n' for look in ("plain", "small", "other"))
        ),
        "content/pond/lang/fr.yaml": f'decks:\n  cards:\n    cards:\n      plain: {{name: "{text}"}}\n',
        "content/pond/rules.md": f"# {text}\n\n{text}\n\n- {text}\n- **{text}**\n",
        "content/pond/layouts/card.xml": (
            '<face><text x="4" y="4" width="55" height="20" style="{{ card.look }}">{{ card.name }}</text>'
            '<text x="4" y="30" width="55" height="40" style="plain">- {{ card.name }}\n- **b** c</text>'
            "</face>"
        ),
        "content/pond/theme.yaml": (
            "families: {body: Alegreya Sans, other: Grenze Gotisch}\ncolours: {ink: '#102030', paper: '#ffffff'}\n"
            "text:\n  plain: {font: body, size: 9, min: 5, colour: ink}\n"
            "  small: {font: body, size: 9, min: 5, colour: ink, small-caps: yes}\n"
            "  other: {font: other, size: 9, min: 5, colour: ink}\n"
        ),
    }


def built(workspace: Workspace, out: Path, language: str | None = None) -> Built:
    return build(workspace, load(workspace, "pond"), Request(papers=("a4",), language=language), out)


@pytest.mark.sweep(9)
@pytest.mark.parametrize("language", TEXTS)
def test_they_print_in_cards_titles_rules_lists_and_translations(
    make_workspace: Make, tmp_path: Path, language: str
) -> None:
    workspace, text = make_workspace(game(language, TEXTS[language])), TEXTS[language]
    for spoken in (None, "fr"):
        done = built(workspace, tmp_path / str(spoken), spoken)
        assert [one for one in done.checked.problems if one.level is Level.ERROR] == []
        assert done.files
    page = pypdfium2.PdfDocument(tmp_path / "None" / "pond" / "pond-cards-a4.pdf")[0]
    if language not in ("ro", "lo", "el"):  # fonts draw letters of these with one glyph
        assert plain(text) in plain(page.get_textpage().get_text_bounded())


def plain(text: str) -> str:
    """Return a text without spaces, and with alike marks at one place once: that is how PDFium reads them."""
    return re.sub(f"{ACUTE}+", ACUTE, normalize("NFD", "".join(text.split())))


def test_too_many_are_a_problem_at_their_letter_before_anything_is_laid_out(
    make_workspace: Make, tmp_path: Path
) -> None:
    files = game("en", "duck")
    many = "du" + ACUTE * 31 + "ck"
    files["content/pond/decks/cards.yaml"] = files["content/pond/decks/cards.yaml"].replace('"duck"', f'"{many}"', 1)
    files["content/pond/rules.md"] += f"\nA {many}.\n"
    done = built(make_workspace(files), tmp_path)
    found = [(one.code, str(one.source)) for one in done.checked.problems]
    assert found == [
        ("too-many-marks", "content/pond/decks/cards.yaml:6:26"),
        ("too-many-marks", "content/pond/rules.md:8:5"),
    ]
    assert done.files == ()
