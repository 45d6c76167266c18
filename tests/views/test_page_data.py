"""Data of a page: codes of sheets in bars, deals on its table, boxes of words and pictures with their fields."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest

from duckpress.art.svg.paths import parse_path
from duckpress.content import load_game
from duckpress.core.frame import path_bounds
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.impose.sheets import Code
from duckpress.views.page.view_rows import dealt, modules_path
from kit.french_pond import FILES as FRENCH
from kit.french_pond import french
from kit.page_game import ducks, write_page
from running import MakeWorkspace, taken

MODULES = (0b1101, 0b0110, 0b1111, 0b0001)
SIZE, LEFT, TOP = 0.5, 20.0, 10.0


@pytest.mark.parametrize("turned", [IDENTITY, Matrix(0, 1, -1, 0, 100, 0)], ids=["as it lies", "stood up"])
def test_bars_cover_the_dark_modules_and_nothing_else(turned: Matrix) -> None:
    path = parse_path(modules_path(Code(MODULES, LEFT, TOP, SIZE, "#000000"), turned))
    bars = [bar for bar in map(path_bounds, path.subpaths()) if bar is not None]
    for down, row in enumerate(MODULES):
        for across in range(4):
            x, y = turned.apply(LEFT + (across + 0.5) * SIZE, TOP + (down + 0.5) * SIZE)
            covering = [bar for bar in bars if bar.holds(Rect(x, y, 0.0, 0.0))]
            assert len(covering) == row >> (3 - across) & 1
    assert sum(bar.width_mm * bar.height_mm for bar in bars) == pytest.approx(10 * SIZE**2)


def test_a_sheet_without_a_code_has_none() -> None:
    assert modules_path(None, IDENTITY) == ""


def piles(deal: dict[str, Any] | None) -> dict[tuple[str, str], int]:
    """Return how many cards lie in each place, by its name and what it is."""
    assert deal is not None
    return {(place["name"], place["what"]): len(place["cards"]) for place in deal["places"]}


def cards_of(deal: dict[str, Any] | None, place: int) -> tuple[str, ...]:
    assert deal is not None
    return tuple(deal["cards"][index] for index in deal["places"][place]["cards"])


def test_without_a_setup_every_deck_is_a_pile_on_the_table(make_workspace: MakeWorkspace) -> None:
    game, _ = load_game(
        make_workspace({name: text for name, text in FRENCH.items() if "setup" not in name and "lang" not in name}),
        "pond",
    )
    assert game is not None
    deal = dealt(game, 2, None, "1")
    assert piles(deal) == {("Birds", ""): 4, ("Events", ""): 2}
    assert Counter(cards_of(deal, 1)) == {"event/storm": 2}
    assert len({cards_of(dealt(game, 2, None, str(seed)), 0) for seed in range(9)}) > 1, "they are shuffled"


def test_a_deck_that_no_step_takes_lies_beside_and_places_have_their_titles(make_workspace: MakeWorkspace) -> None:
    files = {**FRENCH, "content/pond/setup.yaml": FRENCH["content/pond/setup.yaml"].partition("  - aside")[0]}
    files["content/pond/setup.yaml"] += "table:\n  draw: {title: Draw pile, short: Draw}\n"
    assert piles(dealt(french(make_workspace, files).game, 2, None, "1")) == {
        ("Pioche", ""): 4,
        ("Événements", "left"): 2,
    }


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0H{}V9Z" fill="#4a7fbf"/></svg>'
CARDS = (
    "{id: teal, name: Quack, art: art/quack-1.svg}, {id: smew, name: Smew, art: art/quack-2.svg}, "
    "{id: eider, name: Eider, art: art/quack-1.svg}"
)
FILES = {
    **ducks(CARDS, "name: text, art: image", has_back=False),
    "layouts/duck.xml": '<face><image x="0" y="0" width="40" height="60" href="art/ground.svg"/>'
    '<image x="4" y="5" width="20" height="20" href="{{ card.art }}"/>'
    '<image x="30" y="5" width="8" height="8" href="art/{{ \'a\' if card.id == \'teal\' else \'b\' }}.svg"/>'
    '<text x="4" y="40" width="36" height="10">{{ card.name }}</text></face>',
    **{f"art/{name}.svg": SVG.format(at) for at, name in enumerate(("a", "b", "ground", "quack-1", "quack-2"), 5)},
}


def test_words_and_pictures_have_their_fields(tmp_path: Path) -> None:
    folder = Path(urlparse(write_page(tmp_path, FILES)).path).parent
    cards, boxes = taken(folder, "cards")["decks"][0]["cards"], taken(folder, "boxes")
    shown = (("Quack", "art/quack-1.svg"), ("Smew", "art/quack-2.svg"), ("Eider", "art/quack-1.svg"))
    for card, (words, art) in zip(cards, shown, strict=True):
        picture, icon, text = boxes[card["front"]]
        assert picture[4:] == [art, "art"]
        assert picture[:4] == pytest.approx([4, 5, 20, 20], abs=0.1)
        assert icon[4:] == ["", ""], "it comes from the card, and the ground that all have from none"
        assert text[4:] == [words, "name"], "a file's name is no words"
