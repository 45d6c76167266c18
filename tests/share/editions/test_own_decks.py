"""Which decks are a copy's own is told from templates as they are written: what may look at others counts as a look."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from bingo import FILES, game_of
from duckpress.core.problems import Source
from duckpress.files.workspace import Workspace
from duckpress.model import SheetText
from duckpress.share.editions.own_decks import OwnDecks, own_decks

Make = Callable[[Mapping[str, str]], Workspace]
LAYOUT = "content/bingo/layouts/number.xml"
FACE = '<face><ground/>{}<text x="4" y="4" width="36" height="12">{{{{ card.n }}}}</text></face>'


def owned(make_workspace: Make, files: Mapping[str, str], drawn: set[str], filled: set[str]) -> OwnDecks:
    workspace = make_workspace({**FILES, **files})
    return own_decks(workspace, game_of(workspace), drawn, filled)


def test_what_is_drawn_and_filled_in_is_own_and_drawn_cards_stand_alone(make_workspace: Make) -> None:
    assert owned(make_workspace, {}, {"number"}, {"sheet"}) == ({"number", "sheet"}, {"number"})
    assert owned(make_workspace, {}, {"number"}, {"number"}) == ({"number"}, set())
    assert owned(make_workspace, {}, set(), set()) == (set(), set())


@pytest.mark.parametrize(
    ("inside", "looks"),
    [
        ("{{ decks.sheet.cards[0].owner }}", True),
        ("{{ decks['sheet'].count }}", True),
        ("{% for one in decks.values() %}{% endfor %}", True),
        ("{{ decks[card.n].count }}", True),
        ('<card of="sheet" x="1" y="1" width="9"/>', True),
        ('{% include "inner" %}', True),
        ("{% include card.n %}", True),
        ("{{ decks.number.count }}", False),
        ("{# decks of the game #}", False),
        ('<card of="number/n1" x="1" y="1" width="9"/>', False),
        ("decks", False),
    ],
)
def test_a_deck_whose_faces_may_look_at_own_cards_is_own(inside: str, looks: bool, make_workspace: Make) -> None:
    inner = {"content/bingo/layouts/inner.xml": "{{ decks.sheet.title }}"}
    own = owned(make_workspace, {LAYOUT: FACE.format(inside), **inner}, set(), {"sheet"})
    assert own.every == ({"number", "sheet"} if looks else {"sheet"})


def test_a_deck_that_shows_one_that_shows_own_cards_is_own(make_workspace: Make) -> None:
    number = FACE.format('<card of="sheet" x="1" y="1" width="9"/>')
    sheet = FILES["content/bingo/layouts/sheet.xml"].replace("<ground/>", "<ground/>{{ decks.other.count }}")
    other = FILES["content/bingo/boards/sheet.yaml"].replace("front: sheet", "front: number").replace("Sheets", "Other")
    files = {LAYOUT: number, "content/bingo/layouts/sheet.xml": sheet, "content/bingo/boards/other.yaml": other}
    workspace = make_workspace({**FILES, **files})
    game = workspace.read("content/bingo/game.yaml").decode().replace("decks: [number]", "decks: [number, other]")
    assert owned(make_workspace, {**files, "content/bingo/game.yaml": game}, {"other"}, set()).every == {
        "number", "other", "sheet",
    }  # fmt: skip


def test_texts_set_together_and_cards_that_show_others_do_not_stand_alone(make_workspace: Make) -> None:
    together = FACE.format("").replace('height="12"', 'height="12" together="n"')
    assert owned(make_workspace, {LAYOUT: together}, {"number"}, set()) == ({"number"}, set())
    shows = FACE.format('<card of="number/n1" x="1" y="1" width="9"/>')
    assert owned(make_workspace, {LAYOUT: shows}, {"number"}, set()) == ({"number"}, set())


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("The sheet is yours.", False),
        ("![yours](sheet: width=40mm)", True),
        ("There are {{ decks.sheet.count }}.", True),
        ("There are {{ decks.number.count }} numbers, and a sheet.", False),
        ("{% for deck in decks %}{% endfor %}", True),
    ],
)
def test_a_text_tells_of_own_cards_where_it_shows_or_counts_them(text: str, tells: bool) -> None:
    own = OwnDecks(frozenset({"sheet"}), frozenset())
    assert own.are_in(SheetText("en", text, Source("rules.md"))) is tells
