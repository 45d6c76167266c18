"""A live page in a real browser, served by the program as a designer starts it, while files are edited."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from kit.browser import Page, needs_chromium
from kit.live_pages import live_page
from kit.page_game import ducks

pytestmark = [needs_chromium, pytest.mark.usefixtures("loopback")]
FACE = (
    '<face><rect x="8" y="30" width="28" height="20" fill="#604020"/>'
    '<text x="4" y="4" width="36" height="20" size="9" min="9">{{ card.name }}</text></face>'
)
FRENCH = """title: Mare
pieces: {cards: Cartes}
decks: {duck: {title: Canards, cards: {teal: {name: Sarcelle}, smew: {name: Harle}}}}
setup: {title: Mise en place}
"""
SETUP = "setup:\n  - pile: draw\n    take: {duck: all}\n"
NAMES = "[...document.querySelectorAll('.card .name')].map(one => one.textContent).join()"
MARK = "(document.querySelector('#views .mark')?.textContent ?? '')"
BESIDE = "[...document.querySelectorAll('.beside img')].filter(one => one.naturalWidth > 20)"


class Live(NamedTuple):
    """The page, and the deck behind it."""

    page: Page
    deck: Path


CARDS = "{id: teal, name: Teal}, {id: smew, name: Smew}"
FILES = {
    **ducks(CARDS, languages="en, fr", has_back=False), "layouts/duck.xml": FACE, "setup.yaml": SETUP,
    "lang/fr.yaml": FRENCH,
}  # fmt: skip
DECK = FILES["decks/duck.yaml"]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    root = tmp_path_factory.mktemp("live")
    with live_page(root, "pond", FILES) as page:
        page.wait(f"{NAMES} === 'Teal,Smew'")
        yield Live(page, root / "content/pond/decks/duck.yaml")


@pytest.fixture(autouse=True)
def _as_it_was(live: Live) -> Iterator[None]:
    yield
    live.deck.write_text(DECK, "utf-8")
    live.page.wait(f"{NAMES} === 'Teal,Smew' && {MARK} === '' && document.getElementById('stale').hidden")


def test_a_saved_card_is_on_the_page_which_keeps_its_place_and_tells_what_changed(live: Live) -> None:
    page, told = live.page, "document.getElementById('told').textContent"
    page.ask("globalThis.here = 'the same document'")
    live.deck.write_text(DECK.replace("Smew}", "Teal}"), "utf-8")
    page.wait("document.querySelector('#told a')?.getAttribute('href') === '#cards/cards-duck-smew'")
    assert page.ask(told) == "Changed: Teal"
    page.wait(f"{NAMES} === 'Teal teal,Teal smew'")
    page.wait("[...document.querySelectorAll('.card img')].every(one => one.complete && one.naturalWidth > 20)")
    live.deck.write_text(DECK.replace("{id: smew, name: Smew}", "{id: eider, name: Eider}"), "utf-8")
    page.wait(f"{told} === 'Changed: Teal (gone), Eider (new)'")
    links = page.ask("[...document.querySelectorAll('#told a')].map(one => one.getAttribute('href'))")
    assert links == ["#changes", "#cards/cards-duck-eider"]
    assert page.ask("globalThis.here") == "the same document"


def test_a_broken_file_is_told_and_leaves_the_last_good_cards(live: Live) -> None:
    live.deck.write_text(DECK.replace("{id: smew", "{id: [smew"), "utf-8")
    # A file that is being written may be met while it is empty.
    live.page.wait("JSON.stringify(duckpress.known.findings).includes('decks/duck.yaml:5')")
    live.page.wait("!document.getElementById('stale').hidden")
    assert live.page.ask("document.querySelector('#stale .place').textContent").startswith(
        "content/pond/decks/duck.yaml:5:"
    )
    assert "→" in live.page.ask("document.getElementById('stale').textContent"), "what to do is told, too"
    assert live.page.ask(NAMES) == "Teal,Smew"
    grey = "getComputedStyle(document.querySelector('.card img')).filter"
    assert "grayscale(1)" in live.page.ask(grey)
    live.deck.write_text(DECK, "utf-8")
    live.page.wait("document.getElementById('stale').hidden")
    assert live.page.ask(grey) == "none"


def test_a_mistake_in_the_setup_is_told_wherever_it_matters_and_dealt_cards_stay(live: Live) -> None:
    page, setup = live.page, live.deck.parents[1] / "setup.yaml"
    taken = "document.querySelectorAll('.pile.table .playing').length"
    wrong, why = SETUP.replace("duck: all", "dukc: all"), "document.querySelector('.board .error')?.textContent"
    setup.write_text(wrong, "utf-8")
    page.wait(f"{MARK} === '1'")
    page.ask("location.hash = '#setup'")
    page.wait("document.querySelector('#view-setup .findings small')?.textContent.includes(\"'duck'\")")
    page.ask("duckpress.print()")
    page.wait("document.querySelector('.report a')?.getAttribute('href') === '#findings'")
    page.ask("location.hash = '#deal'")
    page.wait(f"{why}?.includes(\"'duck'\")")
    assert page.ask("document.querySelector('.board .error .place').textContent").endswith("setup.yaml:3:12")
    setup.write_text(SETUP, "utf-8")
    page.wait(f"{why} === undefined && document.querySelectorAll('.pile').length === 2")
    page.ask("document.querySelector('.acts button').click()")
    assert page.ask(taken) == 1
    setup.write_text(wrong, "utf-8")
    page.wait(f"!!{why}")
    assert page.ask(taken) == 1
    setup.write_text(SETUP, "utf-8")
    page.wait(f"{why} === undefined && {MARK} === ''")
    assert page.ask(taken) == 1, "the deal is the same, and goes on"
    page.ask("location.hash = '#cards'")


def test_a_card_is_beside_itself_in_other_languages_and_inks_and_follows_its_translation(live: Live) -> None:
    page, first = live.page, "document.querySelector('.beside img').getAttribute('src')"
    page.ask("location.hash = '#cards/cards-duck-teal'")
    page.wait("document.querySelector('dialog')?.open")
    page.ask("document.querySelector('[data-key=beside]').click()")
    page.wait(f"{BESIDE}.length === 3")
    captions = page.ask("[...document.querySelectorAll('.beside figcaption')].map(one => one.textContent)")
    assert captions == ["French", "little ink", "greys"]
    assert page.ask(f"new Set({BESIDE}.map(one => one.src)).size") == 3
    before = page.ask(first)
    (live.deck.parents[1] / "lang/fr.yaml").write_text(FRENCH.replace("Sarcelle", "Petite sarcelle"), "utf-8")
    page.wait(f"{first} !== {before!r} && {BESIDE}.length === 3")
    page.press("Escape")
    page.wait("!document.querySelector('dialog').open")


# Cards that are not laid out yet are no fault.
BEGUN = """(() => {
  const cards = structuredClone(duckpress.known.cards);
  for (const card of cards.decks.flatMap(deck => deck.cards)) card.front = null;
  duckpress.take("cards", { ...cards, begun: true });
})()"""


def test_a_browser_that_saw_the_first_cards_of_a_large_game_gets_all(tmp_path: Path) -> None:
    deck = DECK.replace(CARDS, "{for: {n: 1-201}, id: 'd{{ n }}', name: 'Duck {{ n }}'}")
    with live_page(tmp_path, "pond", {**FILES, "decks/duck.yaml": deck}) as page:
        page.wait("!duckpress.known.cards.begun")
        page.wait("[...document.images].length > 5 && [...document.images].every(one => one.naturalWidth > 20)")
        page.ask("scrollTo(0, document.documentElement.scrollHeight)")
        page.wait("[...document.querySelectorAll('.card')].at(-1).dataset.anchor === 'cards-duck-d201'")
        page.wait("[...document.querySelectorAll('.card')].at(-1).querySelector('img').naturalWidth > 20")
        assert page.ask("document.querySelectorAll('.missing').length") == 0
        changed = "duckpress.filters.all().filter(({ deck, card }) => duckpress.filters.isChanged(deck, card)).length"
        assert page.ask(changed) == 0, "nothing has changed since the page was opened"
        assert page.ask("document.getElementById('told').textContent") == ""
        page.ask(BEGUN)  # whether this browser has met that or not
        assert page.ask("document.querySelectorAll('.card').length") > 3
        assert page.ask("document.querySelectorAll('.missing').length") == 0
