"""A card of a live page in its other languages and inks, in a real browser: made when the reader asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.browser import Page, needs_chromium
from kit.live_pages import live_page

pytestmark = [needs_chromium, pytest.mark.usefixtures("loopback")]
FRENCH = "decks: {duck: {cards: {teal: {name: Sarcelle}}}}\n"
FILES = {
    "game.yaml": "title: Pond\nversion: '0.1'\ndesigner: Nobody\nplayers: 2\ntheme: base\nlanguages: [en, fr]\n"
    "pieces: [{id: cards, title: Cards, decks: [duck]}]\n",
    "decks/duck.yaml": "title: Ducks\nsize: mini\nfront: duck\nfields: {name: text}\ncards: [{id: teal, name: Teal}]\n",
    "layouts/duck.xml": '<face><ground fill="#604020"/><text x="4" y="4" width="36" height="20">{{ card.name }}</text>'
    "</face>",
    "lang/fr.yaml": FRENCH,
}
SHOWN = "[...document.querySelectorAll('.beside img')].filter(one => one.naturalWidth > 20)"
FIRST = "document.querySelector('.beside img').getAttribute('src')"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("beside")


@pytest.fixture(scope="module")
def page(root: Path) -> Iterator[Page]:
    with live_page(root, "pond", FILES) as page:
        yield page


def test_they_are_beside_the_card_and_follow_a_translation(page: Page, root: Path) -> None:
    page.ask("location.hash = '#cards/cards-duck-teal'")
    page.wait("document.querySelector('dialog')?.open")
    page.ask("document.querySelector('[data-key=beside]').click()")
    page.wait(f"{SHOWN}.length === 3")
    captions = page.ask("[...document.querySelectorAll('.beside figcaption')].map(one => one.textContent)")
    assert captions == ["French", "little ink", "greys"]
    assert page.ask(f"new Set({SHOWN}.map(one => one.src)).size") == 3
    before = page.ask(FIRST)
    (root / "content/pond/lang/fr.yaml").write_text(FRENCH.replace("Sarcelle", "Petite sarcelle"), "utf-8")
    page.wait(f"{FIRST} !== {before!r} && {SHOWN}.length === 3")


def test_what_the_page_does_not_offer_is_refused(page: Page) -> None:
    asked = "duckpress.live.ask('beside', {{card: 'cards-duck-teal', in: {}}}).catch(() => 'none')"
    assert [page.ask(asked.format(f"'{name}'")) for name in ("ink=color", "lang=xx", "")] == ["none"] * 3
