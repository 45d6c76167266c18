"""Cover sheets read back from the PDF: words, counts, stocks, and when there is one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, Request
from running import MakeWorkspace

GAME = """\
title: Pond
version: "0.2"
designer: A. Nonymous
players: 2-4
languages: [en, fr]
theme: base
bring: [a pencil for each player]
licence: Pond is A. Nonymous's game. Print it to play it.
pieces:
  - {id: cards, title: Playing cards, decks: [duck]}
  - {id: tokens, title: Egg tokens, decks: [egg, chick]}
  - {id: form, title: Score form, decks: [form]}
credits: [{role: Design, name: A. Nonymous}]
"""


def deck(title: str, size: str, copies: int, more: str = "") -> str:
    return (
        f"title: {title}\nsize: {size}\nfront: face\n{more}fields: {{name: text}}\n"
        f"cards:\n  - {{id: one, copies: {copies}, name: One}}\n"
    )


FILES: dict[str, str | bytes] = {
    "content/pond/game.yaml": GAME,
    "content/pond/decks/duck.yaml": deck("Duck cards", "poker", 20, "back: back\n"),
    "content/pond/decks/egg.yaml": deck("Eggs", "round-1in", 7),
    "content/pond/decks/chick.yaml": deck("Chicks", "token-1in", 5),
    "content/pond/decks/form.yaml": deck("Score form", "page", 1, "component: no\n"),
    "content/pond/layouts/face.xml": '<face><ground fill="panel"/></face>',
    "content/pond/layouts/back.xml": '<face><ground fill="accent"/></face>',
    "content/pond/lang/fr.yaml": "title: Étang\n",
}


@pytest.fixture
def made(make_workspace: MakeWorkspace) -> Callable[..., Built]:
    def make(game: str = GAME, **options: object) -> Built:
        workspace = make_workspace({**FILES, "content/pond/game.yaml": game})
        asked = Request(**{"papers": ("a4",), "has_cover": True, **options})  # type: ignore[arg-type]
        return build(workspace, load(workspace, "pond"), asked, workspace.root / "output")

    return make


def words_of(path: Path, number: int = 0) -> str:
    page = pypdfium2.PdfDocument(path.read_bytes())[number]
    words = page.get_textpage().get_text_range().replace("\ufffe", "").replace("\u00a0", " ")
    return re.sub(r"\s+", " ", words).strip()


def test_it_speaks_the_language_of_the_build(made: Callable[..., Built]) -> None:
    built = made(language="fr")
    words = words_of(built.folder / "pond-cover-a4-fr.pdf")
    there = ("Étang", "Comment imprimer", "retourner sur le bord long", "Feuilles A4", "Coupes droites")
    for part in (*there, "bristol, 200–300", "Tout y est", "63,5 × 88,9 mm", "cutter"):
        assert part in words.replace("\u202f", " "), part
    for part in ("Print", "Sheets", "Cards", "both sides", "Straight", "plain paper"):
        assert part not in words


def test_what_to_tick_and_to_supply_and_the_cover_is_counted(made: Callable[..., Built]) -> None:
    built = made()
    words = words_of(built.folder / "pond-cover-a4.pdf")
    assert "20 Duck cards 7 Eggs 5 Chicks Print as often as you need: Score form." in words
    assert "You also need: a pencil for each player 1 × A4: plain paper" in words
    assert words.endswith("Pond 0.2 · Pond is A. Nonymous's game. 1 / 1")
    row = built.pieces[0]
    assert (row.piece, row.cards, row.sheets, row.pages) == ("cover", 0, {"a4": 1}, {"a4": 1})
    assert built.sheets_in_all == {"a4": sum(one.sheets["a4"] for one in built.pieces)}
    with pikepdf.open(built.folder / "pond-all-a4.pdf") as document:
        assert document.open_outline().root[0].title == "Cover sheet"


@pytest.mark.soak
def test_a_long_cover_takes_both_sides_of_its_sheet(made: Callable[..., Built]) -> None:
    more = "".join(f"  - {{id: form-{n}, title: Form {n}, decks: [form]}}\n" for n in range(6))
    built = made(GAME.replace("credits:", more + "credits:"))
    path = built.folder / "pond-all-a4.pdf"
    assert "2 / 2" in words_of(path, 1)
    assert "Pages 3–8" in words_of(path)
    assert words_of(path, 2).startswith(words_of(built.folder / "pond-cards-a4.pdf")[:20])


def test_a_cover_is_there_when_it_is_wanted(made: Callable[..., Built]) -> None:
    wanted = GAME.replace("bring:", "cover: yes\nbring:")
    cases = ((GAME, None, False), (wanted, None, True), (wanted, False, False))
    for game, asked, is_there in cases:
        assert ("pond-cover-a4.pdf" in made(game, has_cover=asked).files) is is_there
    assert "pond-cover-a4.pdf" not in made(wanted, pieces=("cards",)).files


def test_a_cover_goes_where_its_bundle_is_printed_without_it(made: Callable[..., Built]) -> None:
    cover = made(papers=("a4", "letter")).folder / "pond-cover-a4.pdf"
    made(has_cover=False, pieces=("cards",))
    assert cover.exists()
    made(has_cover=False)
    assert not cover.exists()
    assert cover.with_name("pond-cover-letter.pdf").exists()


def test_the_stock_is_said_by_the_piece(made: Callable[..., Built]) -> None:
    built = made(GAME.replace("decks: [duck]}", "decks: [duck], stock: board}"))
    words = words_of(built.folder / "pond-cover-a4.pdf")
    assert "1.5–2 mm" in words.partition("Playing cards")[2].partition("Egg tokens")[0]


def test_a_piece_may_not_bear_its_id(made: Callable[..., Built]) -> None:
    game = GAME.replace("id: tokens", "id: cover")
    built = made(game)
    assert {one.code for one in built.checked.problems} == {"translation-missing", "duplicate-id"}
    assert not built.files
    assert made(game, has_cover=False).files


def test_a_cover_counts_what_shares_sheets_once_and_boards_boxes_and_rules_by_themselves(
    made: Callable[..., Built], make_workspace: MakeWorkspace
) -> None:
    """Somebody printed as many sheets as it said, and had neither board nor rules."""
    more = "  - {id: board, title: Marsh board, decks: [marsh]}\n  - {id: tuck, title: Duck box, decks: [tuck]}\n"
    board = deck("Marsh", "{width: 300mm, height: 200mm}", 1, "tiled: yes\n")
    files = {
        "boards/marsh.yaml": board,
        "boards/tuck.yaml": "title: Duck box\nbox: {holds: [duck]}\n",
        "rules.md": "# Pond\n\nTake turns.\n",
    }
    make_workspace({f"content/pond/{name}": text for name, text in files.items()})
    built = made(GAME.replace("  - {id: form", f"{more}  - {{id: form"), is_ganged=True)
    assert (built.folder / "pond-board-a4.pdf").exists()
    words = words_of(built.folder / "pond-gang-a4.pdf")
    assert sum(map(int, re.findall(r"(?:Cards|Pieces) (\d+) ·", words))) == 20 + 12 + 1 + 1 + 1
    assert "Page numbers are those of pond-gang-a4.pdf." in words
    assert f"{built.sheets_in_all['a4'] - 1} Sheets of A4" in words, "all but the cover itself"
    assert "Cut out by hand 7" in words
    assert re.search(r"Marsh board Pieces 1 · \d+ × \d+ mm Sheets 2,", words), words
    # A box is folded and glued: it has to be as stiff as the cards in it.
    assert "200–300 g/m²" in words.partition("Duck box")[2].partition("Score form")[0]
