"""Ten thousand cards on a game's page in a real browser: only what is in view is in the document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.browser import Page, browsing, needs_chromium
from kit.page_game import write_page

pytestmark = needs_chromium
COUNT = 10_000
CARDS = "cards:\n  - {{for: {{n: 1-{}}}, id: 'd{{{{ n }}}}', name: 'Duck {{{{ n }}}}', cost: '{{{{ n }}}}'}}\n"
POND = {
    "game.yaml": "title: Pond\nversion: '0.1'\ndesigner: Nobody\nplayers: 2\nlanguages: [en]\n"
    "pieces: [{id: cards, title: Cards, decks: [duck]}]\n",
    "theme.yaml": "extends: base\n",
    "decks/duck.yaml": "title: Ducks\nsize: mini\nfront: duck\nfields: {name: text, cost: whole}\n" + CARDS.format(12),
    "layouts/duck.xml": '<face><text x="4" y="4" width="36" height="50">{{ card.name }}</text></face>',
}
# The cards of the page, over and over.
MULTIPLY = f"""(() => {{
  const cards = structuredClone(duckpress.known.cards), [deck] = cards.decks, some = deck.cards;
  deck.cards = Array.from({{ length: {COUNT} }}, (_, n) =>
    ({{ ...some[n % some.length], id: `d${{n + 1}}`, anchor: `cards-duck-d${{n + 1}}`, name: `Duck ${{n + 1}}`,
        values: [`Duck ${{n + 1}}`, n + 1] }}));
  duckpress.take("cards", cards);
}})()"""
IN_VIEW = "[...document.querySelectorAll('{0}')].filter(one => one.getBoundingClientRect().bottom > 0).length"


def scroll_through(page: Page, scroller: str, rows: str) -> None:
    """Scroll from the top to the end, and see that there are rows in view, and only a few beside them."""
    for step in range(21):
        page.ask(f"{{ const one = {scroller}; one.scrollTop = (one.scrollHeight - one.clientHeight) * {step} / 20; }}")
        page.settle()
        assert page.ask(IN_VIEW.format(rows)) > 3
        assert page.ask(f"document.querySelectorAll('{rows}').length") < 150


def scroll_cards_and_table(page: Page) -> None:
    """Scroll through both views, and find a card among all."""
    scroll_through(page, "document.scrollingElement", "#view-cards .card")
    assert page.ask("[...document.querySelectorAll('.card')].at(-1).dataset.anchor") == f"cards-duck-d{COUNT}"
    page.ask("document.querySelector('.search').focus()")
    page.type(f"duck {COUNT - 1}")
    assert page.ask("document.querySelector('.count').textContent") == f"1 / {COUNT}"
    page.ask("document.querySelector('.search').select()")
    page.type(" ")
    page.ask("location.hash = '#table'")
    page.wait("document.querySelectorAll('.line-of-table').length > 5")
    scroll_through(page, "document.querySelector('.table-scroll')", ".line-of-table")
    assert page.ask("[...document.querySelectorAll('.line-of-table')].at(-1).getAttribute('aria-rowindex')") == str(
        COUNT + 1
    )


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with browsing(tmp_path / "profile", 1200, 700) as page:
        yield page
        assert page.told == []


def test_ten_thousand_cards_scroll_with_few_in_the_document(page: Page, tmp_path: Path) -> None:
    page.go(write_page(tmp_path, POND))
    page.wait("!!document.querySelector('.card')")
    page.ask(MULTIPLY)
    scroll_cards_and_table(page)


@pytest.mark.soak
def test_ten_thousand_cards_of_a_real_game_scroll(page: Page, tmp_path: Path) -> None:
    page.go(write_page(tmp_path, {**POND, "decks/duck.yaml": POND["decks/duck.yaml"].replace("1-12", f"1-{COUNT}")}))
    page.wait("!!document.querySelector('.card')")
    scroll_cards_and_table(page)
