"""The page of a game in Hebrew, in a real browser: it begins at the right, and what is in English at the left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kit.browser import Page, needs_chromium
from kit.page_game import ducks, shown_page

pytestmark = needs_chromium
FILES = {
    **ducks("{for: {n: 1-12}, id: 'd{{ n }}', name: 'Duck {{ n }}'}", languages="he", has_back=False),
    "theme.yaml": "extends: base\nfamilies: {body: DejaVu Sans, title: DejaVu Sans}\n",
    "setup.yaml": "setup:\n  - hand: hand\n    take: {duck: 3}\nexpect:\n  - {that: hand == 1, level: warning}\n",
}
FILES["game.yaml"] = FILES["game.yaml"].replace("theme: base\n", "")
FOCUSED = "document.activeElement"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with shown_page(tmp_path_factory.mktemp("pond"), FILES, 1200, 900) as page:
        yield page


def left_of(page: Page, one: str) -> float:
    left: float = page.ask(f"{one}.getBoundingClientRect().left")
    return left


def test_arrows_go_where_they_point(page: Page) -> None:
    page.ask("document.querySelector('[data-at=\"0\"]').focus()")
    first = left_of(page, FOCUSED)
    page.press("ArrowLeft")
    assert page.ask(f"{FOCUSED}.title") == "d2"
    assert left_of(page, FOCUSED) < first
    page.press("ArrowRight")
    page.press("Enter")
    page.wait("document.querySelector('dialog')?.open")
    before, after = (f"document.querySelector('dialog [data-key={key}]')" for key in ("before", "next"))
    assert page.ask(f"[{before}.textContent, {after}.textContent]") == ["→", "←"]
    assert left_of(page, after) < left_of(page, before)
    page.press("ArrowLeft")
    page.wait("document.getElementById('single-name').textContent === 'Duck 2'")
    page.press("Escape")
    page.ask("location.hash = '#deal/2//1'")
    page.wait("document.querySelectorAll('.seat .playing').length === 6")
    page.ask("document.querySelector('.seat .playing').focus()")
    first = left_of(page, FOCUSED)
    page.press("ArrowLeft")
    assert left_of(page, FOCUSED) < first


def test_findings_are_read_from_the_left(page: Page) -> None:
    page.ask("location.hash = '#findings'")
    page.wait("!!document.querySelector('.group')")
    assert page.ask("getComputedStyle(document.querySelector('.group .fix')).direction") == "ltr"
    assert page.ask("getComputedStyle(document.querySelector('#views')).direction") == "rtl"
