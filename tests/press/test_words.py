"""Games in other languages and scripts: files and words in each, marks, letters that fonts lack, one finding each."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from unicodedata import normalize

import pikepdf
import pypdfium2
import pytest

from duckpress.core.problems import Level
from duckpress.files.workspace import Workspace
from duckpress.press.checking import check
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, Request
from font_kinds import drawing
from french_pond import FILES as POND
from french_pond import FRENCH_FILE, with_file
from running import MakeWorkspace

Files = Mapping[str, str | bytes]
A4 = Request(papers=("a4",))
FRENCH = Request(papers=("a4",), language="fr")


def built(workspace: Workspace, out: Path, request: Request = A4) -> Built:
    return build(workspace, load(workspace, "pond"), request, out)


def text_of(path: Path) -> str:
    """Return all that a PDF says."""
    with pypdfium2.PdfDocument(path) as pdf:
        return "\n".join(page.get_textpage().get_text_range() for page in pdf).replace("\r\n", "\n")


def test_two_languages_live_in_one_folder(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    pond, folder = make_workspace(POND), tmp_path / "pond"
    assert built(pond, tmp_path).files == ("pond-cards-a4.pdf", "pond-all-a4.pdf")
    assert built(pond, tmp_path, FRENCH).files == ("pond-cards-a4-fr.pdf", "pond-all-a4-fr.pdf")
    built(pond, tmp_path)
    said = text_of(folder / "pond-cards-a4-fr.pdf")
    for words in (
        "Sarcelle mâle", "Vaut 2 en automne.", "Tempête\u202f!", "2 points chacun", "L’étang\u202f: Dos",
        "feuille 1 sur 1 · recto · retourner sur le bord long · imprimer à 100\u202f%", "version 0.2",
    ):  # fmt: skip
        assert words in said, words
    assert "sheet" not in said
    with pikepdf.open(folder / "pond-cards-a4-fr.pdf") as pdf:
        assert str(pdf.Root.Lang) == "fr"
        assert str(pdf.docinfo["/Title"]) == "L’étang\u202f: Cartes"
        assert str(pdf.docinfo["/Subject"]).startswith("Fichier à imprimer et à jouer")
    said = text_of(folder / "pond-cards-a4.pdf")
    assert "Teal drake" in said
    assert "sheet 1 of 1 · front" in said
    manifest = json.loads((folder / "manifest.json").read_bytes())
    names = {"pond-all-a4-fr.pdf", "pond-all-a4.pdf", "pond-cards-a4-fr.pdf", "pond-cards-a4.pdf"}
    assert {file["name"] for file in manifest["files"]} == {path.name for path in folder.glob("*.pdf")} == names
    assert manifest["title"] == "Pond"
    assert {file["language"] for file in manifest["files"]} == {"en", "fr"}
    frames = {(card["card"], card["language"]): card["frame"] for card in manifest["cards"]}
    assert frames["storm", "en"] != frames["storm", "fr"]
    assert len(frames) == 10


def test_a_translation_that_cannot_be_read_prints_nothing(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    pond = make_workspace(with_file(FRENCH_FILE, "licence: Imprimez", "license: Imprimez"))
    done = built(pond, tmp_path, FRENCH)
    assert done.files == ()
    assert [problem.code for problem in done.checked.problems if problem.level is Level.ERROR] == ["unknown-key"]
    assert built(pond, tmp_path).files  # the first language is not to blame


def test_a_draft_says_so_in_the_language(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    pond = make_workspace(with_file(FRENCH_FILE, "name: Tempête !", "name: Tempête " + "interminable " * 12))
    built(pond, tmp_path, Request(papers=("a4",), language="fr", is_forced=True))
    assert "ÉPREUVE" in text_of(tmp_path / "pond/pond-cards-a4-fr.pdf")


SPOKEN = {
    "ar": ("بطة صغيرة", "تغوص البطة"),
    "he": ("ברווז קטן", "הברווז צולל"),
    "th": ("เป็ดน้อย", "เป็ดดำน้ำ"),
    "ko": ("작은 오리", "오리가 잠수한다"),
    "ka": ("პატარა იხვი", "იხვი ყვინთავს"),
}


def test_each_language_without_letters_is_told_once(make_workspace: MakeWorkspace) -> None:
    """One finding a language, not one a text, a phrase or a letter."""
    files = {
        "game.yaml": "title: Pond\nversion: '0.1'\ndesigner: Ann\nplayers: 2\ntheme: pond\n"
        f"languages: [en, {', '.join(SPOKEN)}]\npieces: [{{id: cards, title: Cards, decks: [duck]}}]\n",
        "theme.yaml": "extends: base\nfamilies: {title: Gloock, text: Alegreya Sans}\n"
        "text: {title: {font: title, size: 14}}\n",
        "decks/duck.yaml": "title: Ducks\nsize: poker\nfront: duck\nfields: {name: text, text: text}\ncards:\n"
        "  - {id: teal, name: A little duck, text: The duck dives}\n"
        "  - {id: smew, name: The duck dives, text: A little duck}\n",
        "layouts/duck.xml": '<face><text x="5" y="5" width="53" height="10" style="title">{{ card.name }}</text>'
        '<text x="5" y="30" width="53" height="20">{{ card.text }}</text></face>',
    } | {
        f"lang/{code}.yaml": f"title: Pond\npieces: {{cards: {duck}}}\ndecks:\n  duck:\n    title: {duck}\n"
        f"    cards:\n      teal: {{name: {duck}, text: {dives}}}\n      smew: {{name: {dives}, text: {duck}}}\n"
        for code, (duck, dives) in SPOKEN.items()
    }
    workspace = make_workspace({f"content/pond/{name}": text for name, text in files.items()})
    found = check(workspace, load(workspace, "pond")).problems
    lacking = [one for one in found if one.code != "translation-missing"]
    told = [(one.code, re.findall(r"language '(\w+)'", one.what)[0]) for one in lacking]
    lettered = {"ar", "he", "ka"}  # in a font that comes along
    assert Counter(told) == Counter(
        [("borrowed-letters", code) for code in lettered] + [("no-letters", code) for code in {*SPOKEN} - lettered]
    )
    assert all("; so it is at layouts/themes/base.yaml:" in one.what for one in found if one.code == "borrowed-letters")
    ours = [one.what.partition(":")[0] for one in found if "words of the program" in one.what]
    assert sorted(ours) == ["ka", "ko", "th"]  # Arabic and Hebrew come along


ACUTE = "\u0301"
TEXTS = {
    "en": f"a\u0323\u0308{ACUTE} a{ACUTE * 3} x{ACUTE}\u0302\u0303 {ACUTE}{ACUTE}b i\u0307",
    "vi": "Tie\u0302\u0301ng Vie\u0323\u0302t Tiếng Việt Ế",
    "lo": "ນ້ຳ",
    "el": "ᾴ ᾅ ΐ ∆ Δ µ μ Ω \u2126",
}


def marked(language: str, text: str) -> dict[str, str]:
    """Return a game that says a text wherever a game has texts."""
    looks = ("plain", "small", "other")
    files = {
        "game.yaml": f'title: "{text}"\nversion: "0.1"\ndesigner: Ann\nplayers: 2\nlanguages: [{language}, fr]\n'
        f'theme: pond\npieces:\n  - {{id: cards, title: "{text}", decks: [cards]}}\n',
        "decks/cards.yaml": "title: Cards\nsize: poker\nfront: card\nfields: {name: text, look: text}\ncards:\n"
        + "".join(f'  - {{id: {look}, name: "{text}", look: {look}}}\n' for look in looks),
        "lang/fr.yaml": f'decks:\n  cards:\n    cards:\n      plain: {{name: "{text}"}}\n',
        "rules.md": f"# {text}\n\n{text}\n\n- {text}\n- **{text}**\n",
        "layouts/card.xml": '<face><text x="4" y="4" width="55" height="20" style="{{ card.look }}">{{ card.name }}'
        '</text><text x="4" y="30" width="55" height="40" style="plain">- {{ card.name }}\n- **b** c</text></face>',
        "theme.yaml": "families: {body: Alegreya Sans, other: Grenze Gotisch}\n"
        "colours: {ink: '#102030', paper: '#ffffff'}\ntext:\n"
        "  plain: {font: body, size: 9, min: 5, colour: ink}\n"
        "  small: {font: body, size: 9, min: 5, colour: ink, small-caps: yes}\n"
        "  other: {font: other, size: 9, min: 5, colour: ink}\n",
    }
    return {f"content/pond/{name}": text for name, text in files.items()}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("language", TEXTS)
def test_letters_with_marks_print_in_cards_titles_rules_lists_and_translations(
    make_workspace: MakeWorkspace, tmp_path: Path, language: str
) -> None:
    workspace, text = make_workspace(marked(language, TEXTS[language])), TEXTS[language]
    for spoken in (None, "fr"):
        done = built(workspace, tmp_path / str(spoken), Request(papers=("a4",), language=spoken))
        assert [one for one in done.checked.problems if one.level is Level.ERROR] == []
        assert done.files
    if language not in ("lo", "el"):  # fonts draw letters of these with one glyph
        assert plain(text) in plain(text_of(tmp_path / "None" / "pond" / "pond-cards-a4.pdf"))


def plain(text: str) -> str:
    """Return a text without spaces, and with alike marks at one place once: that is how PDFium reads them."""
    return re.sub(f"{ACUTE}+", ACUTE, normalize("NFD", "".join(text.split())))


def test_too_many_marks_are_a_problem_at_their_letter_before_anything_is_laid_out(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    files = marked("en", "duck")
    many = "du" + ACUTE * 31 + "ck"
    files["content/pond/decks/cards.yaml"] = files["content/pond/decks/cards.yaml"].replace('"duck"', f'"{many}"', 1)
    files["content/pond/rules.md"] += f"\nA {many}.\n"
    done = built(make_workspace(files), tmp_path)
    assert [(one.code, str(one.source)) for one in done.checked.problems] == [
        ("too-many-marks", "content/pond/decks/cards.yaml:6:26"),
        ("too-many-marks", "content/pond/rules.md:8:5"),
    ]
    assert done.files == ()


GAME = (
    'title: "{title}"\nversion: "0.1"\ndesigner: Ann\nplayers: 2\ntheme: pond\n'
    "pieces: [{{id: cards, title: {cards}, decks: [duck]}}]\n"
)
TITLED = {
    "content/pond/theme.yaml": "extends: base\n",
    "content/pond/decks/duck.yaml": "title: Ducks\nsize: poker\nfront: duck\ncards: [{id: teal}]\n",
    "content/pond/layouts/duck.xml": '<face><text x="5" y="5" width="50" height="10">Teal</text></face>',
}
FONT: Files = {
    "fonts/own/OFL.txt": "a licence",
    "fonts/own/family.yaml": "name: Own\nlicence: OFL-1.1\nlicence-file: OFL.txt\nstyles: {regular: Own.ttf}\n",
    "fonts/own/Own.ttf": drawing("池カード"),
}


def titled(
    make: MakeWorkspace, out: Path, title: str, cards: str = "カード", more: Files | None = None
) -> tuple[Built, str]:
    """Return a game of these titles, built in spite of errors, and what the first page of the cards says, in a line."""
    workspace = make({**TITLED, "content/pond/game.yaml": GAME.format(title=title, cards=cards), **(more or {})})
    done = built(workspace, out, Request(papers=("a4",), is_forced=True))
    return done, " ".join(text_of(out / "pond/pond-cards-a4.pdf").split())


def test_letters_of_a_font_of_the_project_stand_in_footers(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    done, said = titled(make_workspace, tmp_path, "池", more=FONT)
    assert not done.checked.problems
    assert "池 · カード · version 0.1" in said


@pytest.mark.parametrize(
    ("title", "footer"),
    [
        ("池", "DRAFT · · version 0.1"),
        ("Pond 👨\u200d👩\u200d👧 ⭐\ufe0f", "DRAFT Pond ⭐ · · version 0.1"),
        ("A pond 池 for ducks " * 9, "DRAFT A pond for ducks A pond"),  # which is cut short, too
    ],
)
def test_what_cannot_be_set_is_told_at_its_title_and_left_out_of_a_draft(
    make_workspace: MakeWorkspace, tmp_path: Path, title: str, footer: str
) -> None:
    done, said = titled(make_workspace, tmp_path, title)
    told = sorted((one.code, one.source.file, one.source.line) for one in done.checked.problems)
    assert told == [("missing-glyph", "content/pond/game.yaml", line) for line in (1, 6)]
    assert footer in said
    assert ("…" in said) is (len(title) > 99)


def test_soft_hyphens_of_titles_are_not_in_bookmarks_and_properties(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    titles = "Mar\u00adsh\u200bland", "Cr\u00adops \u00b5\u00a0x\u200by"
    assert not titled(make_workspace, tmp_path, *titles, FONT)[0].checked.problems
    with pypdfium2.PdfDocument(tmp_path / "pond/pond-cards-a4.pdf") as pdf:
        assert [mark.get_title() for mark in pdf.get_toc()] == ["Crops \u00b5\u00a0xy"]
        assert pdf.get_metadata_dict()["Title"] == "Marshland: Crops \u00b5\u00a0xy"


def test_what_rules_cannot_say_is_told_and_arabic_words_of_the_program_are_in_order(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    game = GAME.format(title="Pond", cards="Cards")
    licence = "licence: Free 池 for all.\n"
    files = {"content/pond/game.yaml": game + licence, "content/pond/rules.md": "# Pond\n\nPlay.\n"}
    told = titled(make_workspace, tmp_path, "Pond", more=files)[0].checked.problems
    assert any("the licence 'Free 池 for all.' has characters that no font has" in problem.what for problem in told)
    # One of those words has a mark that the font raises, which stands above its line.
    files = {
        "content/pond/game.yaml": game.replace("theme:", "languages: [ar]\nbring: [paper]\ntheme:"),
        "content/pond/rules.md": "# Pond\n\n## Parts\n\n[components]\n\nPlay.\n",
    }
    told = titled(make_workspace, tmp_path, "Pond", more=files)[0].checked.problems
    assert not [problem.what for problem in told if problem.code.startswith("proof")]
