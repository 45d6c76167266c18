"""The dealing table of a game's page in a real browser: a link brings a deal back, and hands do all they can."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kit.browser import Page, browsing, needs_chromium
from kit.page_game import ducks, write_page

pytestmark = needs_chromium
POND = {
    **ducks(
        "{for: {n: 1-30}, id: 'd{{ n }}', name: 'Duck {{ n }}'}",
        pieces="{id: cards, title: Cards, decks: [duck, token]}",
    ),
    "decks/token.yaml": "title: Spare tokens\nsize: mini\nfront: duck\nfields: {name: text}\n"
    "cards: [{id: t, copies: 2, name: Token}]\n",
    "setup.yaml": "setup:\n  - pile: draw\n    take: {duck: all}\n  - hand: hand\n    take: {draw: 3}\n"
    "  - row: market\n    take: {draw: 2}\ntable:\n  draw: {title: Draw pile}\n"
    "variants:\n  long: {title: Long game, setup: [{hand: hand, replaces: hand, take: {draw: 5}}]}\n",
}
# The piles by their titles, with the names of the cards that lie open (of the others '').
PILES = """Object.fromEntries([...document.querySelectorAll(".pile")].map(pile => [
  (pile.closest(".seat")?.querySelector("h2").textContent ?? "") + "/" + pile.querySelector("h3").textContent,
  [...pile.querySelectorAll(".playing")].map(one => one.ariaLabel),
]))"""
PICKED = "document.querySelector('.playing[aria-pressed=true]')"
FOCUSED = "document.activeElement.dataset.key"


@pytest.fixture(scope="module")
def pond(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, str]]:
    root = tmp_path_factory.mktemp("pond")
    address = write_page(root, POND)
    with browsing(root / "profile", 1300, 900) as page:
        yield page, address
        assert page.told == []


@pytest.fixture
def page(pond: tuple[Page, str]) -> Page:
    """The page with the deal of seed 3 for three, as a link brings it."""
    page, address = pond
    page.go("about:blank")
    page.go(f"{address}#deal/3//3")
    page.wait("document.querySelectorAll('.pile').length > 5")
    return page


def piles(page: Page) -> Any:
    return page.ask(PILES)


def press(page: Page, words: str, pile: str = "") -> None:
    """Press a button of a pile, or of the table."""
    page.ask(f"""[...document.querySelectorAll("#view-deal button")].find(one => one.textContent === {words!r}
        && (!{pile!r} || one.closest(".pile")?.ariaLabel.startsWith({pile!r}))).click()""")


def test_the_game_is_set_up_as_its_steps_say(page: Page) -> None:
    dealt = piles(page)
    assert {name: len(cards) for name, cards in dealt.items()} == {
        "/On the table 0": 0,
        "/Draw pile 19": 1,
        "/market 2": 2,
        "Player 1/hand 1 3": 3,
        "Player 2/hand 2 3": 3,
        "Player 3/hand 3 3": 3,
        "/Spare tokens 2": 1,
    }
    assert all(name.startswith("Duck ") for name in dealt["Player 1/hand 1 3"] + dealt["/market 2"]), "faces are up"
    assert dealt["/Draw pile 19"] == ["Back of Draw pile"]


def test_a_link_brings_the_same_deal_back_and_another_seed_another(page: Page) -> None:
    first, link = piles(page), page.ask("location.href")
    page.ask(f"globalThis.first = JSON.stringify({PILES})")
    press(page, "Another seed")
    page.wait("location.hash === '#deal/3//4'")
    page.wait(f"JSON.stringify({PILES}) !== globalThis.first")
    page.go("about:blank")
    page.go(link)
    page.wait("document.querySelectorAll('.pile').length > 5")
    assert piles(page) == first


def test_cards_are_drawn_turned_moved_and_all_of_it_is_undone(page: Page) -> None:
    before = piles(page)
    press(page, "Draw", "Draw pile")
    drawn = piles(page)
    (name,) = drawn["/On the table 1"]
    assert name.startswith("Duck ")
    assert "/Draw pile 18" in drawn
    told, bar = (f"document.querySelector('{one}').getBoundingClientRect()" for one in ("#told", ".picked-bar"))
    assert page.ask("document.getElementById('told').textContent") == "→ On the table"
    assert page.ask(f"{told}.bottom <= {bar}.top"), "it hides none of the places to move a card to"
    page.ask("location.hash = '#table'")
    page.wait(f"{told}.top > innerHeight / 2")  # where there is no such bar it stands at the foot
    page.ask("history.back()")
    page.wait(f"{told}.bottom <= {bar}.top && {bar}.height > 0")
    press(page, "Turn")
    assert piles(page)["/On the table 1"] == ["Back of On the table"]
    press(page, "hand 2 · Player 2")
    assert piles(page)["Player 2/hand 2 4"] == [*before["Player 2/hand 2 3"], name], "it lies open there"
    press(page, "Draw pile")
    assert "/Draw pile 19" in piles(page)
    for _ in range(4):
        press(page, "Undo")
    assert piles(page) == before
    press(page, "Undo")
    assert piles(page) == before


def test_a_pile_is_counted_spread_shuffled_and_stacked(page: Page) -> None:
    press(page, "Spread", "Draw pile")
    lying = piles(page)["/Draw pile 19"]
    assert len(lying) == 19
    turned = "[...document.querySelectorAll('[data-pile]')].find(one => one.ariaLabel.startsWith('Draw pile'))"
    keys = f"[...{turned}.querySelectorAll('.playing')].map(one => one.dataset.key)"
    order = page.ask(keys)
    press(page, "Shuffle", "Draw pile")
    assert page.ask(keys) != order
    assert sorted(page.ask(keys)) == sorted(order)
    press(page, "Undo")
    assert page.ask(keys) == order
    press(page, "Stack", "Draw pile")
    assert len(piles(page)["/Draw pile 19"]) == 1


def test_a_variant_and_a_number_of_players_are_dealt(page: Page) -> None:
    page.ask("document.querySelector('[data-key=Players]').focus()")
    page.press("ArrowUp")
    page.wait(f"location.hash === '#deal/2//3' && !{PILES}['Player 3/hand 3 3']")
    assert page.ask(FOCUSED) == "Players", "the focus stays where it is"
    page.ask("document.querySelector('[data-key=Setup]').focus()")
    page.press("ArrowDown")
    page.wait("location.hash === '#deal/2/long/3'")
    page.wait(f"{PILES}['Player 2/hand 2 5']?.length === 5")
    assert "Player 3/hand 3 5" not in piles(page)


def test_the_keyboard_alone_plays(page: Page) -> None:
    before = piles(page)
    page.ask("document.querySelector('[aria-label^=\"Draw pile\"] .playing').focus()")
    page.press("d")
    assert len(piles(page)["/On the table 1"]) == 1
    name = page.ask(f"{PICKED}.ariaLabel")
    page.ask(f"{PICKED}.focus()")
    page.press("t")
    assert page.ask(f"{PICKED}.ariaLabel") == "Back of On the table"
    page.press("t")
    page.ask(
        "[...document.querySelectorAll('.targets button')].find(one => one.textContent.startsWith('hand 3')).focus()"
    )
    page.press("Enter")
    assert piles(page)["Player 3/hand 3 4"][-1] == name
    assert page.ask("document.activeElement === " + PICKED), "the focus goes with the card"
    page.press("ArrowLeft")
    assert page.ask("document.activeElement.ariaLabel") == before["Player 3/hand 3 3"][-1]
    for _ in range(4):
        page.press("u")
    assert piles(page) == before
