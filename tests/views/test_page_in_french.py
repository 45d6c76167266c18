"""The page of a game in French, in a real browser: every word of the page itself is French, in every view."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from duckpress.core.language.program import PAGE_WORDS
from kit.browser import Page, needs_chromium
from kit.french_pond import FILES
from kit.page_game import shown_page

pytestmark = needs_chromium
VIEWS = ("cards", "table", "findings", "sheets", "setup", "deal")
# What can be read or heard, but for findings, which are in English and say so.
SAID = """[...document.querySelectorAll("body *")].filter(one => !one.closest("[lang=en]") && one.checkVisibility())
  .flatMap(one => [one.ariaLabel, one.title, one.placeholder, ...[...one.childNodes].map(node => node.data)])
  .filter(Boolean).map(words => words.trim())"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, dict[str, str]]]:
    """The page, and the words of it that are others in French than in English."""
    files = {name.removeprefix("content/pond/"): text for name, text in FILES.items()}
    with shown_page(tmp_path_factory.mktemp("pond"), files, 1200, 900, "--lang", "fr") as page:
        words = page.ask("duckpress.known.game.words")
        yield page, {name: french for name, french in words.items() if french != PAGE_WORDS[name]}


@pytest.mark.parametrize("view", VIEWS)
def test_every_word_of_a_view_is_french(page: tuple[Page, dict[str, str]], view: str) -> None:
    browser, french = page
    assert len(french) > 80
    browser.ask(f"location.hash = '#{view}'; document.querySelectorAll('details').forEach(one => one.open = true)")
    browser.wait(f"document.querySelector('#view-{view}:not([hidden])')?.children.length > 0")
    said = browser.ask(SAID)
    assert not set(said) & {PAGE_WORDS[name] for name in french}
    assert french[view] in said


@pytest.mark.parametrize(("width", "lines"), [(1600, 1), (900, 2)])
def test_all_views_stand_in_the_bar_if_need_be_in_a_line_of_their_own(
    page: tuple[Page, dict[str, str]], width: int, lines: int
) -> None:
    browser, _ = page
    browser.ask("document.querySelector('h1').append(' de la grande forêt du nord, deuxième édition')")
    browser.resize(width, 900)
    boxes = "[...document.querySelectorAll('h1, #views a')].map(one => one.getBoundingClientRect())"
    browser.wait(f"new Set({boxes}.map(one => Math.round(one.top / 40))).size === {lines}")
    assert browser.ask(f"{boxes}.every(one => one.left >= 0 && one.right <= innerWidth)")
    head = "document.querySelector('body > header').offsetHeight"
    assert browser.ask(f"document.querySelector('.view:not([hidden])').getBoundingClientRect().top >= {head}")
    browser.ask("document.querySelector('h1').lastChild.remove()")
    browser.resize(1200, 900)


def test_a_card_and_the_table_speak_french(page: tuple[Page, dict[str, str]]) -> None:
    browser, french = page
    assert browser.ask("[document.documentElement.lang, document.title]") == ["fr", "L'étang 0.2"]
    browser.ask("location.hash = '#cards/cards-bird-teal-hen'")
    browser.wait("document.querySelector('dialog')?.open")
    said = browser.ask(SAID)
    assert not set(said) & {PAGE_WORDS[name] for name in french}
    assert {french["next"], french["trim"], french["copies"], "Sarcelle"} <= set(said)
    browser.press("Escape")
    browser.ask("location.hash = '#deal/2//1'")
    browser.wait("[...document.querySelectorAll('.pile h3')].some(one => one.textContent.startsWith('Pioche'))")
    browser.ask("document.querySelector('.pile .playing').click()")
    said = browser.ask(SAID)
    assert {french["draw"], french["shuffle"], french["turn"], french["move"]} <= set(said)
    assert not set(said) & {PAGE_WORDS[name] for name in french}
