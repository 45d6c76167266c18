"""The page of a game in a real browser: in French every word is French; in Hebrew it begins at the right."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from duckpress.core.language.program import PAGE_WORDS
from kit.browser import Page, needs_chromium
from kit.french_pond import FILES
from kit.page_game import ducks, shown_page

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


HEBREW = {
    **ducks("{for: {n: 1-12}, id: 'd{{ n }}', name: 'Duck {{ n }}'}", languages="he", has_back=False),
    "theme.yaml": "extends: base\nfamilies: {body: DejaVu Sans, title: DejaVu Sans}\n",
    "setup.yaml": "setup:\n  - hand: hand\n    take: {duck: 3}\nexpect:\n  - {that: hand == 1, level: warning}\n",
}
HEBREW["game.yaml"] = HEBREW["game.yaml"].replace("theme: base\n", "")
FOCUSED = "document.activeElement"


@pytest.fixture(scope="module")
def hebrew_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with shown_page(tmp_path_factory.mktemp("pond"), HEBREW, 1200, 900) as shown:
        yield shown


def left_of(page: Page, one: str) -> float:
    left: float = page.ask(f"{one}.getBoundingClientRect().left")
    return left


def test_arrows_go_where_they_point(hebrew_page: Page) -> None:
    hebrew_page.ask("document.querySelector('[data-at=\"0\"]').focus()")
    first = left_of(hebrew_page, FOCUSED)
    hebrew_page.press("ArrowLeft")
    assert hebrew_page.ask(f"{FOCUSED}.title") == "d2"
    assert left_of(hebrew_page, FOCUSED) < first
    hebrew_page.press("ArrowRight")
    hebrew_page.press("Enter")
    hebrew_page.wait("document.querySelector('dialog')?.open")
    before, after = (f"document.querySelector('dialog [data-key={key}]')" for key in ("before", "next"))
    assert hebrew_page.ask(f"[{before}.textContent, {after}.textContent]") == ["→", "←"]
    assert left_of(hebrew_page, after) < left_of(hebrew_page, before)
    hebrew_page.press("ArrowLeft")
    hebrew_page.wait("document.getElementById('single-name').textContent === 'Duck 2'")
    hebrew_page.press("Escape")
    hebrew_page.ask("location.hash = '#deal/2//1'")
    hebrew_page.wait("document.querySelectorAll('.seat .playing').length === 6")
    hebrew_page.ask("document.querySelector('.seat .playing').focus()")
    first = left_of(hebrew_page, FOCUSED)
    hebrew_page.press("ArrowLeft")
    assert left_of(hebrew_page, FOCUSED) < first


def test_findings_are_read_from_the_left(hebrew_page: Page) -> None:
    hebrew_page.ask("location.hash = '#findings'")
    hebrew_page.wait("!!document.querySelector('.group')")
    assert hebrew_page.ask("getComputedStyle(document.querySelector('.group .fix')).direction") == "ltr"
    assert hebrew_page.ask("getComputedStyle(document.querySelector('#views')).direction") == "rtl"
