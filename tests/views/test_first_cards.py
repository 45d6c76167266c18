"""A large game's page: its first cards are served while all others are laid out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from duckpress.files.memo import Memo
from duckpress.press.build_cache import BuildCache
from duckpress.store.cache import Cache
from duckpress.views.export_files import ExportRequest
from duckpress.views.live.session import LiveSession
from duckpress.views.live.web_process import Stocked
from kit.browser import needs_chromium
from kit.live_pages import live_page
from running import MakeWorkspace

COUNT = 300


def game(count: int) -> dict[str, str]:
    return {
        "game.yaml": "title: Pond\nversion: '0.1'\ndesigner: Nobody\nplayers: 2\ntheme: base\nlanguages: [en]\n"
        "pieces: [{id: cards, title: Cards, decks: [duck]}, {id: tokens, title: Tokens, decks: [token]}]\n",
        "decks/duck.yaml": "title: Ducks\nsize: mini\nfront: duck\nback: back\nfields: {name: text}\n"
        f"cards: [{{for: {{n: 1-{count}}}, id: 'd{{{{ n }}}}', copies: 2, name: 'Duck {{{{ n }}}}'}}]\n",
        "decks/token.yaml": "title: Tokens\nsize: mini\nfront: duck\nfields: {name: text}\ncards: [{id: t, name: T}]\n",
        # Whatever of the game a card asks for, it is told the truth.
        "layouts/duck.xml": '<face><text x="4" y="4" width="36" height="50">{{ card.name }} of {{ decks.duck.count }}'
        "</text></face>",
        "layouts/back.xml": '<face><ground fill="#808080"/></face>',
    }


# Cards that are not laid out yet are no fault.
BEGUN = """(() => {
  const cards = structuredClone(duckpress.known.cards);
  for (const card of cards.decks.flatMap(deck => deck.cards)) card.front = null;
  duckpress.take("cards", { ...cards, begun: true });
})()"""


class NoVersions:
    """A game that has no release."""

    names: tuple[str, ...] = ()

    def changes(self, _page: object, _name: str) -> Mapping[str, Any]:
        raise KeyError


def refreshed(make_workspace: MakeWorkspace, count: int) -> tuple[list[Stocked], Stocked]:
    """Return what a session hands out as it begins, and when all is laid out."""
    workspace = make_workspace({f"content/pond/{name}": text for name, text in game(count).items()})
    begun: list[Stocked] = []
    request = ExportRequest("preview", dpi=40)
    frames = BuildCache(Memo(Cache(None, None)))
    session = LiveSession(workspace, "pond", request, frames, NoVersions(), {}, begun.append)
    return begun, session.refresh().stocked


def cards_in(stocked: Stocked) -> tuple[bool, list[dict[str, Any]]]:
    """Return whether cards are only begun to be laid out, and their rows."""
    script = stocked.files["data/cards.js"]
    assert script is not None
    data = json.loads(script.decode().partition(", ")[2].rpartition(");\n(duckpress.made")[0])
    return data["begun"], [card for deck in data["decks"] for card in deck["cards"]]


def test_first_cards_are_served_before_the_others_as_they_will_be(make_workspace: MakeWorkspace) -> None:
    (first, *pictures), last = refreshed(make_workspace, COUNT)
    (is_begun, rows), (is_begun_at_last, all_rows) = cards_in(first), cards_in(last)
    assert (is_begun, is_begun_at_last) == (True, False)
    assert [row["id"] for row in rows] == [row["id"] for row in all_rows], "every card has its place"
    drawn = [row for row in rows if row["front"] is not None]
    assert 12 <= len(drawn) <= 24
    assert drawn == all_rows[: len(drawn)], "pictures, codes and copies are those of the whole game"
    handed = {name for one in pictures for name, data in one.files.items() if data}
    assert handed == {row[side] for row in drawn for side in ("front", "back")}
    assert first.files["index.html"] == last.files["index.html"], "the page stays open"
    assert all(row["front"] for row in all_rows)


def test_a_small_game_is_laid_out_at_once(make_workspace: MakeWorkspace) -> None:
    begun, last = refreshed(make_workspace, 50)
    assert begun == []
    assert not cards_in(last)[0]


@needs_chromium
@pytest.mark.usefixtures("loopback")
def test_a_browser_that_saw_the_first_cards_gets_all(tmp_path: Path) -> None:
    with live_page(tmp_path, "pond", game(COUNT)) as page:
        page.wait("!duckpress.known.cards.begun")
        page.wait("[...document.images].length > 5 && [...document.images].every(one => one.naturalWidth > 20)")
        page.ask("scrollTo(0, document.documentElement.scrollHeight)")
        page.wait("[...document.querySelectorAll('.card')].at(-1).dataset.anchor === 'tokens-token-t'")
        page.wait("[...document.querySelectorAll('.card')].at(-1).querySelector('img').naturalWidth > 20")
        assert page.ask("document.querySelectorAll('.missing').length") == 0
        changed = "duckpress.filters.all().filter(({ deck, card }) => duckpress.filters.isChanged(deck, card)).length"
        assert page.ask(changed) == 0, "nothing has changed since the page was opened"
        assert page.ask("document.getElementById('told').textContent") == ""
        page.ask(BEGUN)  # whether this browser has met that or not
        assert page.ask("document.querySelectorAll('.card').length") > 3
        assert page.ask("document.querySelectorAll('.missing').length") == 0
