"""Every view of a game's page in a real browser: by keyboard alone, on a telephone, and of a game that means harm."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from kit.browser import Page, needs_chromium
from kit.page_game import FILES, HOSTILE, shown_page

pytestmark = needs_chromium
VIEWS = ("cards", "table", "findings", "reading", "sheets", "changes", "setup", "deal")
MOST_STEPS = 100
CARD = "#cards/cards-duck-bad"
PLACES = (*(f"#{view}" for view in VIEWS), CARD)

# What can be worked with in the part of the page that is open.
REACHABLE = """[...(document.querySelector('dialog[open]') ?? document).querySelectorAll(
    'a[href], button:not(:disabled), select, input, summary, [tabindex="0"]')].filter(one => one.checkVisibility())"""
UNNAMED = f"""{REACHABLE}.filter(one => !(one.ariaLabel || one.textContent || [...one.labels ?? []][0]?.textContent
    || [...one.querySelectorAll('img')].map(image => image.alt).join('')).trim()).map(one => one.outerHTML)"""
# What has the focus now; whatever can be reached by then is remembered, for boxes open and close on the way.
FOCUSED = f"""(() => {{
  const one = document.activeElement, box = one.getBoundingClientRect(), look = getComputedStyle(one);
  const x = Math.max(0, box.left) + Math.min(box.width, innerWidth) / 2;
  const y = Math.max(0, box.top) + Math.min(box.height, innerHeight) / 2, top = document.elementFromPoint(x, y);
  const name = one => one.getAttribute("href") || one.dataset.key || one.ariaLabel || one.outerHTML;
  for (const other of {REACHABLE}) globalThis.there.add(name(other));
  globalThis.met.add(name(one));
  return {{
    what: one.outerHTML.slice(0, 150), isBody: one === document.body,
    isClosed: one.matches(".filters:not([open]) summary"),
    isMarked: look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2,
    isSeen: Boolean(top) && (one.contains(top) || top.contains(one) || Boolean(top.closest("label")?.contains(one))),
  }};
}})()"""
MISSED = "[...globalThis.there].filter(one => !globalThis.met.has(one))"
# Changes since the page was opened are there where it is served: one card more, and one with other words.
AS_IF_LIVE = """(() => {
  const cards = structuredClone(duckpress.known.cards), [{ cards: ducks }] = cards.decks;
  duckpress.live = {};
  duckpress.opened.cards.decks[0].cards.splice(3, 1);
  ducks[0].values = [...ducks[0].values.slice(0, 3), "<img src=x onerror=document.title='run'>"];
  duckpress.take("cards", cards);
})()"""
# What no view makes: elements that load or run something, and attributes that do.
MARKUP = """[...document.querySelectorAll("body script, iframe, object, embed, form, link[href^=http]"),
    ...[...document.querySelectorAll("*")].filter(one => one.getAttributeNames().some(name => name.startsWith("on")))]
  .map(one => one.outerHTML)"""
WIDE = """[document.documentElement.scrollWidth, ...[...document.querySelectorAll('dialog[open], dialog[open] *')]
    .map(one => one.getBoundingClientRect().right)].filter(right => right > innerWidth + 0.5)"""

CUT_OFF = f"""{REACHABLE}.filter(one => {{
  const {{ left, right, width }} = one.getBoundingClientRect();
  for (let around = one; around; around = around.parentElement)
    if (["auto", "scroll"].includes(getComputedStyle(around).overflowX)) return width > innerWidth;
  return left < 0 || right > innerWidth;
}}).map(one => one.outerHTML)"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with shown_page(tmp_path_factory.mktemp("pond"), FILES, 1200, 700) as page:
        page.ask(AS_IF_LIVE)
        page.ask("duckpress.tell()")  # what has changed: it would go while keys are pressed
        yield page


def show(page: Page, place: str) -> None:
    """Open a view, or a card alone, and wait until it is there with all its pictures."""
    page.ask(f"duckpress.single.close(); history.replaceState(null, '', '#'); location.hash = {place!r}")
    is_open = "document.querySelector('dialog')?.open" if place == CARD else "!document.querySelector('dialog[open]')"
    view = place[1:].partition("/")[0]
    page.wait(f"{is_open} && document.querySelector('#view-{view}:not([hidden])')?.children.length > 0")
    page.wait("[...document.images].every(one => one.complete || one.loading === 'lazy')")
    page.settle()


@pytest.mark.parametrize("place", PLACES)
def test_every_control_is_reached_by_tab_and_what_a_game_says_is_no_markup(page: Page, place: str) -> None:
    show(page, place)
    assert page.ask("document.title").startswith(HOSTILE)
    assert page.ask(MARKUP) == []
    pictures = page.ask("[...document.images].map(one => one.getAttribute('src'))")
    assert all(name.startswith("pictures/") and name.endswith(".jpg") for name in pictures), pictures
    assert page.ask(UNNAMED) == []
    page.ask("globalThis.there = new Set(); globalThis.met = new Set(); document.activeElement.blur()")
    for is_back in (False, True):
        for step in range(MOST_STEPS):
            page.press("Tab", shift=is_back)
            for _ in range(3 if step == 0 else 0):  # from outside of the page it takes a moment, or another key
                with suppress(AssertionError):
                    page.wait("document.activeElement !== document.body", 10.0)
                    break
                page.press("Tab", shift=is_back)
            focused = page.ask(FOCUSED)
            if focused["isBody"]:
                break
            assert focused["isMarked"], focused
            assert focused["isSeen"], focused
            if focused["isClosed"]:
                page.press(" ")
    assert page.ask(MISSED) == []
    assert page.ask("globalThis.met.size") > 5


@pytest.mark.parametrize("place", PLACES)
def test_nothing_has_to_be_scrolled_sideways_on_a_telephone(page: Page, place: str) -> None:
    page.resize(390, 800)
    show(page, place)
    assert page.ask(WIDE) == []
    assert page.ask(CUT_OFF) == []
    page.resize(1200, 700)


def test_a_telephone_shows_several_views_to_choose_from(page: Page) -> None:
    page.resize(390, 800)
    show(page, "#cards")
    rights = "[...document.querySelectorAll('#views a')].map(one => one.getBoundingClientRect().right)"
    assert page.ask(f"{rights}.filter(right => right <= innerWidth).length") >= 3
    page.resize(1200, 700)
