"""Rules sheets from a game's files to the finished PDF: words, numbers, pictures, papers, languages, booklets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from msgspec.structs import replace

from duckpress.core.backs import Backs
from duckpress.core.frame import Drawing, Group, Item, PlacedDrawing, Text, every_item
from duckpress.core.problems import Level
from duckpress.files.memo import Memo
from duckpress.layout import LaidOut
from duckpress.press.build_cache import BuildCache
from duckpress.press.checking import check
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, Request
from duckpress.press.typesetting import TypesetTask, typeset
from duckpress.text import typesetter
from duckpress.text.fonts import FontLibrary
from running import MakeWorkspace as Make

GAME = """\
title: Pond
version: "0.2"
designer: A. Nonymous
players: 2-4
languages: [{languages}]
theme: base
booklet: yes
facts: {{hand size: 4}}
bring: [a pencil for each player]
about: Ducks on a pond.
licence: Pond is A. Nonymous's game. Print it to play it.
pieces:
  - {{id: cards, title: Cards, decks: [duck, token, form]}}
credits: [{{role: Design, name: A. Nonymous}}]
notes: [{{subject: Hand, choice: four, reason: It is enough.}}]
"""
FILES: dict[str, str | bytes] = {
    "content/pond/game.yaml": GAME.format(languages="en"),
    "content/pond/decks/duck.yaml": (
        "title: Duck cards\nsize: poker\nfront: duck\nback: back\nfields: {name: text}\n"
        "cards:\n  - {id: teal, copies: 12, name: Teal}\n  - {id: smew, copies: 8, name: Smew}\n"
    ),
    "content/pond/decks/token.yaml": (
        "title: Counters\nsize: poker\nfront: duck\nper: player\nfields: {name: text}\n"
        "cards:\n  - {id: one, copies: 3, name: One}\n"
    ),
    "content/pond/decks/form.yaml": (
        "title: Score form\nsize: poker\nfront: duck\ncomponent: no\nfields: {name: text}\n"
        "cards:\n  - {id: f, name: F}\n"
    ),
    "content/pond/setup.yaml": (
        "setup:\n  - pile: draw\n    take: {duck: all}\n    note: Shuffle the ducks.\n"
        "  - hand: hand\n    take: {draw: 3}\n  - slot: rack\n    each: player\n    take: {token: all}\n"
        "table:\n  dealt: {title: Cards dealt, short: Dealt, shows: total('hand')}\n  draw: {title: Draw pile}\n"
        "variants:\n  wild:\n    title: Wild ducks\n    about: All ducks are wild.\n"
        "    setup: [{hand: hand, replaces: hand, take: {draw: 4}}]\n"
    ),
    "content/pond/layouts/duck.xml": (
        '<face><ground fill="panel"/><text x="5" y="5" width="53" height="10">{{ card.name }} duck</text></face>'
    ),
    "content/pond/layouts/back.xml": '<face><ground fill="accent"/></face>',
}
RULES = Request(papers=("a4",), pieces=("rules",))
SENTENCE = "Wherever ducks are counted, a duck is counted once. "


@pytest.fixture
def made(make_workspace: Make) -> Callable[..., Built]:
    """Return a function that builds the game with some rules, and its finished files in `Built.folder`."""

    def make(rules: str, request: Request | None = None, **files: str) -> Built:
        more = {f"content/pond/{name.replace('_', '.')}": text for name, text in files.items()}
        workspace = make_workspace({**FILES, "content/pond/rules.md": rules, **more})
        return build(workspace, load(workspace, "pond"), request or RULES, workspace.root / "output")

    return make


def problems_of(built: Built) -> list[tuple[str, int]]:
    return [(problem.code, problem.source.line) for problem in built.checked.problems]


def pages_of(built: Built, name: str = "pond-rules-a4.pdf") -> list[str]:
    """Return the words of each page of a file."""
    document = pypdfium2.PdfDocument((built.folder / name).read_bytes())
    words = [page.get_textpage().get_text_range().replace("\ufffe", "") for page in document]
    return [re.sub(r"\s+", " ", text).strip() for text in words]


def piece_of(built: Built) -> LaidOut:
    return next(one for one in built.checked.pieces if one.piece.id == "rules")


def test_words_and_numbers(made: Callable[..., Built]) -> None:
    rules = (
        '# Play\nDraw {{ facts["hand size"] }} of {{ count("duck") }}, {{ players }} players, '
        "{{ table[3].dealt }} dealt, "
        "{{ variants.wild.table[4].dealt }} in {{ variants.wild.title }}, {{ 12|spelled }}.\n\n"
        "{% for card in decks.duck.cards %}\n- {{ card.name }}\n{% endfor %}\n"
    )
    built = made(rules)
    assert built.checked.problems == ()
    (page, *_) = pages_of(built)
    assert "Draw 4 of 20, 2–4 players, 9 dealt, 16 in Wild ducks, twelve." in page
    assert "• Teal • Smew" in page
    assert page.startswith("Pond Rules A game by A. Nonymous · 2–4 players Play")
    assert page.endswith("Pond 0.2 · Pond is A. Nonymous's game. 1 / 1")


def test_generated_parts(made: Callable[..., Built]) -> None:
    rules = (
        "[about]\n\n[components]\n    duck: of {{ decks.duck.cards|length }} kinds\n\n[setup steps]\n\n"
        "[setup table]\n\n"
        "[setup table: wild]\n\n[variants]\n    wild: Mind them.\n\n[notes]\n\n[credits]\n\n[licence]\n"
    )
    built = made(rules)
    assert built.checked.problems == ()
    page = " ".join(pages_of(built))
    for words in (
        "Ducks on a pond. 20 Duck cards: of 2 kinds 12 Counters (3 for each player)",
        "Print as often as you need: Score form. You also need: • a pencil for each player",
        "1. Shuffle the ducks.",
        "Players Dealt Draw pile 2 6 14 3 9 11 4 12 8",
        "Players Dealt Draw pile 2 8 12 3 12 8 4 16 4",
        "Wild ducks All ducks are wild. Mind them.",
        "Hand. Four. It is enough. Design: A. Nonymous Version: 0.2 Pond is A. Nonymous's game. Print it to play it.",
    ):
        assert words in page


def test_a_deck_or_variant_can_be_left_out(made: Callable[..., Built]) -> None:
    page = pages_of(made("[components]\n    token: -\n\n[variants]\n    wild: -\n"))[0]
    assert "Counters" not in page
    assert "Wild" not in page
    # What was printed for two players was shared out among four: (1 for each player).
    page = pages_of(made("[components]", replace(RULES, players=2)))[0]
    assert "6 Counters (3 for each player)" in page


def test_a_picture_is_the_very_face_that_is_printed(made: Callable[..., Built]) -> None:
    request = Request(papers=("a4",))
    text = "![A teal](card:duck/teal width=20mm) ![The back](back:duck width=20mm)\n\n![](card:token width=30mm)"
    built = made(text, request)
    assert built.checked.problems == ()
    cards, rules = built.checked.pieces[:2]
    teal = next(face for face in cards.faces if face.card == "teal")
    (frame, *_) = rules.pages["a4"]
    placed = [
        item for item in every_item(frame.items) if isinstance(item, PlacedDrawing) and item.key in rules.drawings
    ]
    shown = {key: drawing for key, drawing in rules.drawings.items() if _holds(drawing, teal.front.items)}
    assert len(shown) == 1
    (matrix,) = (item.matrix for item in placed if item.key in shown)
    assert matrix.a == pytest.approx(20 / 63.5, abs=1e-4)
    assert (matrix.b, matrix.c) == (0.0, 0.0)
    assert "Teal duck" in pages_of(built)[0]
    assert "A teal" in pages_of(built)[0]
    # In the file the face is one form, placed small.
    with pikepdf.open(built.folder / "pond-rules-a4.pdf") as pdf:
        page = pdf.pages[0].Resources.XObject
        (form,) = (page[name] for name in page if name.startswith("/FormXob.C-"))
        assert f"/FormXob.D-{next(iter(shown))}" in form.Resources.XObject


SKETCH = "title: Sketch\nsize: poker\nfront: sketch\ncomponent: no\ncards: [{id: s}]\n"


def test_a_deck_in_no_piece_may_be_shown_as_a_figure(make_workspace: Make, tmp_path: Path) -> None:
    sketch = '<face><text x="5" y="5" width="53" height="10">Only here</text></face>'
    files = {**FILES, "content/pond/boards/sketch.yaml": SKETCH, "content/pond/layouts/sketch.xml": sketch}
    workspace = make_workspace({**files, "content/pond/rules.md": "![A sketch](board:sketch width=40mm)"})
    built = build(workspace, load(workspace, "pond"), Request(papers=("a4",)), tmp_path)
    assert problems_of(built) == []
    assert "Only here" in pages_of(built)[0]
    assert "Only here" not in "".join(pages_of(built, "pond-cards-a4.pdf"))


@pytest.mark.parametrize("pieces", [("rules",), ()])
@pytest.mark.parametrize("shown", ["form", "sketch"])
def test_what_is_wrong_with_a_face_that_is_shown_is_told_once(
    make_workspace: Make, tmp_path: Path, shown: str, pieces: tuple[str, ...]
) -> None:
    """Built by itself, the sheet was printed without its picture, with status 0."""
    wrong = {"content/pond/boards/sketch.yaml": SKETCH, "content/pond/layouts/sketch.xml": "<face>{{ card.x }}</face>"}
    deck = FILES["content/pond/decks/form.yaml"]
    if shown == "form":
        assert isinstance(deck, str)
        wrong = {"content/pond/decks/form.yaml": deck.replace("front: duck", "front: sketch")} | wrong
        del wrong["content/pond/boards/sketch.yaml"]
    workspace = make_workspace({**FILES, **wrong, "content/pond/rules.md": f"![It](card:{shown})"})
    built = build(workspace, load(workspace, "pond"), Request(papers=("a4",), pieces=pieces), tmp_path)
    assert [(problem.code, problem.source.file) for problem in built.checked.problems] == [
        ("unknown-name", "content/pond/layouts/sketch.xml")
    ]
    assert built.files == ()


def _holds(drawing: Drawing, items: tuple[Item, ...]) -> bool:
    return any(isinstance(item, Group) and item.items == items for item in drawing.items)


MISTAKES = {
    "![x](card:duck/teel)": "unknown-card",
    "![x](card:duck)": "unknown-card",
    "![x](card:dukc/teal)": "unknown-deck",
    "![x](back:token)": "no-back",
    "![x](art:art/none.svg)": "missing-art",
    "![x](icon:none)": "unknown-icon",
    "b {none} c": "unknown-icon",
    "a {=name}": "unknown-field",
    "a 鴨": "missing-glyph",
    "[setup table: wyld]": "unknown-variant",
    "[components]\n    dukc: x": "unknown-deck",
    "| " + "x" * 200 + " |\n|---|\n| a |": "text-overflow",
}


def test_mistakes_stop_the_printing_and_have_their_line(made: Callable[..., Built]) -> None:
    built, line, expected = made("\n\n".join(MISTAKES)), 1, []
    for wrong, code in MISTAKES.items():
        expected.append((code, line))
        line += wrong.count("\n") + 2
    assert sorted(set(problems_of(built))) == sorted(expected)
    assert built.files == ()
    built = made("a\n\n{{ facts.hnad }}")
    assert (problems_of(built), built.files) == ([("unknown-name", 3)], ())


def test_headings_in_letters_of_another_family_are_told_once(made: Callable[..., Built]) -> None:
    theme = "extends: base\nfamilies: {display: Gloock}\ntext: {rules-h1: {font: display}}\n"
    game = GAME.format(languages="en").replace("theme: base", "theme: pond")
    rules = "# Дождь\n\nDraw (Дождь), →.\n\n# Ветер\n\n# Play\n"
    built = made(rules, Request(papers=("a4", "letter"), pieces=("rules",)), game_yaml=game, theme_yaml=theme)
    assert problems_of(built) == [("borrowed-letters", 1)]
    (problem,) = built.checked.problems
    assert problem.what == "the family 'Gloock' has no Cyrillic letters: another family draws them"
    assert problem.fix == "take a family that has them: 'Alegreya Sans', 'DejaVu Sans'"
    assert "Дождь" in pages_of(built)[0]


def test_a_rules_sheet_is_checked_like_everything_else(make_workspace: Make) -> None:
    workspace = make_workspace({**FILES, "content/pond/rules.md": "Draw 20 {none}.\n\n![x](art:../../secret/teal.png)"})
    (workspace.root / "secret").mkdir()
    (workspace.root / "secret" / "tael.png").touch()
    found = {problem.code: problem for problem in check(workspace, load(workspace, "pond")).problems}
    levels = {"typed-number": Level.NOTE, "unknown-icon": Level.ERROR, "missing-art": Level.ERROR}
    assert {code: problem.level for code, problem in found.items()} == levels
    assert found["missing-art"].fix == "write it as folder/file"  # art of another place is not looked for


def _lines(items: tuple[Item, ...]) -> list[tuple[float, float, str]]:
    """Return the lines of words on a page: left end, baseline, words."""
    found: dict[tuple[float, float], str] = {}
    for item in items:
        if isinstance(item, Text):
            found[item.x_mm, item.y_mm] = item.text
    return [(x_mm, y_mm, text) for (x_mm, y_mm), text in found.items()]


def test_a_table_wider_than_its_column_goes_across(made: Callable[..., Built]) -> None:
    heads = [f"Something{number}" for number in range(8)]
    rules = f"before\n\n| {' | '.join(heads)} |\n|{'---|' * 8}\n| {' | '.join('x' * 8)} |\n\nafter"
    (frame,) = piece_of(made(rules)).pages["a4"]
    places = {text: x_mm for x_mm, _, text in _lines(frame.items)}
    assert places["Something0"] < 20
    assert places["Something7"] > 120


def test_all_pages_are_there_in_a_booklet_where_folding_wants_them(made: Callable[..., Built]) -> None:
    request = Request(papers=("a4",), pieces=("rules", "rules-booklet"))
    both = made("\n\n".join([SENTENCE * 8] * 42), request)
    spreads = pages_of(both, "pond-rules-booklet-a4.pdf")
    count = 2 * len(spreads)
    assert count % 4 == 0
    assert count > 4
    found = [{int(number) for number in re.findall(rf"(\d+) / {count}", spread)} for spread in spreads]
    expected = []
    for sheet in range(count // 4):
        expected += [{count - 2 * sheet, 2 * sheet + 1}, {2 * sheet + 2, count - 2 * sheet - 1}]
    assert found == expected
    with pikepdf.open(both.folder / "pond-rules-booklet-a4.pdf") as pdf:
        assert str(pdf.Root.ViewerPreferences.Duplex) == "/DuplexFlipShortEdge"
        assert float(pdf.pages[0].MediaBox[2]) > float(pdf.pages[0].MediaBox[3])
    # Printed on one side
    one = made("\n\n".join([SENTENCE * 8] * 16), replace(request, backs=Backs.NONE))
    pages = len(piece_of(one).pages["a4"])
    words = pages_of(one, "pond-rules-a4-fronts.pdf")
    assert pages > 1
    assert [f"{number} / {pages}" in page for number, page in enumerate(words, 1)] == [True] * pages
    spreads = pages_of(one, "pond-rules-booklet-a4-fronts.pdf")
    assert "1 / " in spreads[0]
    assert "2 / " in spreads[0]


def test_a_draft_says_so_on_every_page(made: Callable[..., Built]) -> None:
    words = pages_of(made(SENTENCE * 150 + "{none}", replace(RULES, is_forced=True)))
    assert len(words) > 1
    assert all("DRAFT" in page for page in words)


def test_lost_letters_are_told_by_the_program_itself(
    made: Callable[..., Built], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = typesetter.drawn_lines
    monkeypatch.setattr(typesetter, "drawn_lines", lambda *how: drawn(*how)[:-1])
    faults = [problem for problem in made(SENTENCE * 9).checked.problems if problem.code == "proof-frame"]
    assert faults[0].source.file == "content/pond/rules.md"
    assert "where '" in faults[0].what


def test_rules_in_another_language(made: Callable[..., Built]) -> None:
    game, request = GAME.format(languages="en, fr"), replace(RULES, language="fr")
    built = made("Draw.", request, game_yaml=game)  # not translated
    assert ("rules-not-translated", 1) in problems_of(built)
    assert "Draw." in pages_of(built, "pond-rules-a4-fr.pdf")[0]
    built = made("[setup table]", request, game_yaml=game, rules_fr_md="Tirez {{ 4|spelled }} cartes\n\n[setup table]")
    page = pages_of(built, "pond-rules-a4-fr.pdf")[0]
    assert page.startswith("Pond Règles du jeu Un jeu de A. Nonymous · 2–4 joueurs Tirez quatre cartes")
    assert "Joueurs" in page


@pytest.mark.parametrize(("name", "languages"), [("rules_de_md", "en, fr"), ("rules_en_md", "en")])
def test_sheets_in_no_language_of_the_game(made: Callable[..., Built], name: str, languages: str) -> None:
    built = made("Draw.", game_yaml=GAME.format(languages=languages), **{name: "Ziehen."})
    (problem,) = (one for one in built.checked.problems if one.code == "rules-file")
    assert problem.level == Level.WARNING


def test_a_piece_may_not_take_the_rules_name(make_workspace: Make) -> None:
    game = GAME.format(languages="en").replace("id: cards", "id: rules")
    workspace = make_workspace({**FILES, "content/pond/game.yaml": game, "content/pond/rules.md": "x"})
    assert [problem.code for problem in load(workspace, "pond").problems] == ["duplicate-id"]


NOTES_PIECE = "pieces:\n  - {id: notes, title: Notes, text: notes.md, for: designer}\n"
NOTES_FILE = "---\nsubtitle: For the designer\n---\n\n# Open\n\n[questions]\n\n# Chosen\n\n[choices]\n"


def for_designer(game: str, text: str | None = NOTES_FILE) -> dict[str, str]:
    question = "notes: [{subject: Line, choice: six, reason: It fits., question: Is it long enough?}, {"
    files = {"game_yaml": game.replace("pieces:\n", NOTES_PIECE).replace("notes: [{", question)}
    return files if text is None else {**files, "notes_md": text}


def test_a_sheet_for_the_designer_is_printed_by_name_only(made: Callable[..., Built]) -> None:
    files = for_designer(GAME.format(languages="en"))
    everything = made("Draw.", Request(papers=("a4",)), **files)
    assert not problems_of(everything)
    assert not [name for name in everything.files if "notes" in name]
    assert not any("long enough" in page for page in pages_of(everything, "pond-all-a4.pdf"))
    sheet = made("Draw.", Request(papers=("a4",), pieces=("notes",)), **files)
    (page, *_) = pages_of(sheet, "pond-notes-a4.pdf")
    assert "For the designer" in page
    assert page.index("Open") < page.index("Line. Six. It fits. Is it long enough?") < page.index("Chosen")
    assert page.index("Chosen") < page.index("Hand. Four. It is enough.")


def test_a_sheet_for_the_designer_needs_no_translation(made: Callable[..., Built]) -> None:
    files = for_designer(GAME.format(languages="en, fr"))
    request = Request(papers=("a4",), pieces=("notes",), language="fr")
    built = made("Draw.", request, **files, rules_fr_md="Tirez.")
    assert "long enough" in pages_of(built, "pond-notes-a4-fr.pdf")[0]
    assert not [one for one in built.checked.problems if "note" in one.what or one.code == "rules-not-translated"]


def test_a_text_that_is_not_there(made: Callable[..., Built]) -> None:
    built = made("Draw.", Request(papers=("a4",)), **for_designer(GAME.format(languages="en"), text=None))
    assert problems_of(built) == [("missing-file", 13)]
    assert not built.files


def test_a_game_of_nobody_has_no_byline(made: Callable[..., Built]) -> None:
    game = GAME.format(languages="en").replace("designer: A. Nonymous\n", "")
    page = pages_of(made("Draw.", game_yaml=game))[0]
    assert page.startswith("Pond Rules 2–4 players Draw.")


@pytest.mark.parametrize("ink", ["low", "grey"])
def test_inks(made: Callable[..., Built], ink: str) -> None:
    built = made("# Play\n> Draw.\n\n![x](card:duck/teal)", replace(RULES, ink=ink))
    colours = set(re.findall(r"#[0-9a-f]{6}", repr(piece_of(built).pages["a4"][0].items)))
    if ink == "grey":
        assert all(colour[1:3] == colour[3:5] == colour[5:7] for colour in colours)
    else:
        assert "#a4452c" not in colours


def test_the_manifest_lists_pages_and_one_paper_does_not_undo_the_other(make_workspace: Make) -> None:
    workspace = make_workspace({**FILES, "content/pond/rules.md": "Draw."})
    folder = workspace.root / "output"

    def printed(paper: str) -> set[str]:
        built = build(workspace, load(workspace, "pond"), Request(papers=(paper,)), folder)
        assert built.files
        return {path.name for path in built.folder.iterdir() if "rules-" in path.name and "booklet" not in path.name}

    assert printed("a4") == {"pond-rules-a4.pdf"}
    assert printed("letter") == {"pond-rules-a4.pdf", "pond-rules-letter.pdf"}
    cards = json.loads((folder / "pond/manifest.json").read_text())["cards"]
    pages = [(card["card"], card["paper"], card["copies"]) for card in cards if card["piece"] == "rules"]
    assert sorted(pages) == [("page-1", "a4", 1), ("page-1", "letter", 1)]
    (workspace.root / "content/pond/rules.md").write_text("Draw two.")
    assert printed("letter") == {"pond-rules-letter.pdf"}, "the A4 sheet shows old rules and goes"


def test_a_title_block_of_the_game_s_own(make_workspace: Make) -> None:
    layout = (
        '<face><rect width="{{ trim.width }}" height="{{ trim.height }}" fill="rules-band"/>'
        '<text x="{{ card.inset }}" y="3" width="100" height="9" style="rules-title">{{ game.title|upper }} '
        "{{ card.subtitle }}</text></face>"
    )
    rules = "---\nsubtitle: How to\nhead: 16mm\n---\nDraw."
    more = {"content/pond/layouts/rules-head.xml": layout, "content/pond/rules.md": rules}
    workspace = make_workspace({**FILES, **more})
    built = build(workspace, load(workspace, "pond"), RULES, workspace.root / "output")
    assert problems_of(built) == []
    assert pages_of(built)[0].startswith("POND How to Draw.")
    # The columns begin under it.
    places = {text: y_mm for _, y_mm, text in _lines(piece_of(built).pages["a4"][0].items)}
    assert 16 < places["Draw."] < 28


@pytest.mark.parametrize("head", ["16mm", "120mm"])
def test_the_shared_title_block_may_have_any_height(made: Callable[..., Built], head: str) -> None:
    built = made(f"---\nsubtitle: How to play\nhead: {head}\n---\nDraw.", Request(pieces=("rules", "rules-booklet")))
    assert problems_of(built) == []


def test_after_a_change_only_the_blocks_that_have_it_are_set(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = "# Ducks\n\nA duck {fish} swims.\n\n- one {fish}\n- two\n\n| a | b |\n| --- | --- |\n| c | d |\n"
    icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
    workspace = make_workspace({**FILES, "content/pond/rules.md": rules, "content/pond/art/icons/fish.svg": icon})
    texts: set[str] = set()
    own = typesetter.Typesetter.set_paragraphs
    monkeypatch.setattr(
        typesetter.Typesetter, "set_paragraphs", lambda self, text, *how: texts.add(text) or own(self, text, *how)
    )

    def laid_out(memo: Memo) -> tuple[list[str], set[str], set[str]]:
        texts.clear()
        game = load(workspace, "pond").game
        assert game is not None
        pieces = [piece for piece in game.pieces if piece.id == "rules"]
        (piece,) = typeset(TypesetTask(workspace, game, FontLibrary(workspace), pieces, frames=BuildCache(memo))).pieces
        return [page.hash for page in piece.pages["a4"]], {*piece.drawings}, texts - {"x"}  # for its measures

    memo = Memo()
    laid_out(memo)
    for name, old, new, touched in (
        ("rules.md", "swims", "dives", {"A duck {fish} dives."}),
        ("rules.md", "two", "three\n- four", {"three", "four"}),
        ("art/icons/fish.svg", "9 9", "8 9", None),
    ):
        path = workspace.root / "content/pond" / name
        path.write_text(path.read_text().replace(old, new))
        *kept, again = laid_out(memo)
        *fresh, every = laid_out(Memo())
        assert (kept, again) == (fresh, every if touched is None else touched)
