"""The page of a preview in a real browser, from the disk: a headless Chromium, where there is one."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from kit.browser import Page, needs_chromium
from kit.page_game import HOSTILE, ducks, shown_page

pytestmark = needs_chromium
COUNT = 150
CARDS = (
    f"{{id: bad, name: {json.dumps(HOSTILE)}}}, {{for: {{n: 0-{COUNT - 1}}}, id: 'duck-{{{{ n }}}}', copies: 2,"
    f" name: 'Duck {{{{ n }}}}', cost: '{{{{ n % 7 }}}}'}}, {{id: long, name: {'Merganser ' * 200}}}"
)
POND = {
    **ducks(CARDS, "name: text, cost: {kind: whole, default: 0}"),
    "layouts/duck.xml": '<face><text x="4" y="4" width="36" height="50" min="4">{{ card.id }}'
    '{{ card.name if card.id == "long" }}</text></face>',
}
POND["game.yaml"] = POND["game.yaml"].replace("Pond", json.dumps(HOSTILE))
LEFTS = "[...document.querySelectorAll('.cells')].map(row => [...row.children].map(one => one.offsetLeft))"
COUNT_SHOWN = "document.querySelector('.view:not([hidden]) .count').textContent"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page of a game whose words are markup, in a browser; every test starts where all cards are shown."""
    with shown_page(tmp_path_factory.mktemp("pond"), POND, 1200, 700) as page:
        yield page


def test_words_of_a_game_are_words_and_no_script_of_its_own_runs(page: Page) -> None:
    assert page.ask("document.title") == f"{HOSTILE} 0.1"
    assert page.ask("document.querySelector('.card .name').textContent") == HOSTILE
    page.ask("""{ const script = document.createElement("script"); script.textContent = "globalThis.ran = 1";
        document.body.append(script); }""")
    assert page.ask("globalThis.ran ?? 'nothing'") == "nothing"
    assert len(page.told) == 1
    assert "Content Security Policy" in page.told.pop()


def scroll(page: Page, share: float, scroller: str, rows: str) -> None:
    """Scroll to a part of the way, and see that there are rows in view, and only a few beside them."""
    page.ask(f"{{ const one = {scroller}; one.scrollTop = (one.scrollHeight - one.clientHeight) * {share}; }}")
    page.settle()
    in_view = f"[...document.querySelectorAll('{rows}')].filter(one => one.getBoundingClientRect().bottom > 0).length"
    assert page.ask(in_view) > 3
    assert page.ask(f"document.querySelectorAll('{rows}').length") < COUNT // 2


def test_only_what_is_in_view_is_in_the_document_and_stands_in_columns(page: Page) -> None:
    assert page.ask(COUNT_SHOWN) == f"{COUNT + 2} / {COUNT + 2}"
    page.wait("[...document.querySelectorAll('.card img')].some(image => image.naturalWidth > 20)")
    rows = page.ask(LEFTS)
    assert all(row == rows[0][: len(row)] for row in rows)
    wide = "[...document.querySelectorAll('.cells')].map(one => one.scrollWidth - one.clientWidth)"
    assert max(page.ask(wide)) <= 0
    for step in range(11):
        scroll(page, step / 10, "document.scrollingElement", "#view-cards .card")
    last = "[...document.querySelectorAll('.card')].at(-1)?.dataset.anchor"
    assert page.ask(last) == "cards-duck-long"
    page.ask('duckpress.take("cards", structuredClone(duckpress.known.cards))')
    assert page.ask(last) == "cards-duck-long", "what is taken again keeps its place"
    lefts = page.ask(LEFTS)[-1]
    assert lefts == rows[0][: len(lefts)] != rows[0], "the last row, too, which is not full"
    page.ask("scrollTo(0, 0)")
    page.wait("!!document.querySelector('[data-at=\"0\"]')")


def test_keys_go_from_card_to_card_and_open_one(page: Page) -> None:
    page.ask("document.querySelector('[data-at=\"1\"]').focus()")
    page.press("ArrowRight")
    assert page.ask("document.activeElement.title") == "duck-1"
    page.press("ArrowDown")
    below, beside = "document.activeElement", "document.querySelector('[data-at=\"2\"]')"
    assert page.ask(f"{below}.getBoundingClientRect().top > {beside}.getBoundingClientRect().top")
    page.press("ArrowUp")
    page.press("ArrowLeft")
    page.press("Enter")
    page.wait("document.querySelector('dialog')?.open")
    name = "document.getElementById('single-name').textContent"
    assert (page.ask(name), page.ask("document.querySelectorAll('.side img').length")) == ("Duck 0 ×2", 2)
    page.press("ArrowRight")
    page.wait(f"{name} === 'Duck 1 ×2'")
    assert page.ask("location.hash") == "#cards/cards-duck-duck-1"
    page.press("Escape")
    page.wait("!document.querySelector('dialog').open")
    assert page.ask("document.activeElement.title") == "duck-1", "the focus is on the card that was left"


def test_cards_are_found_by_words_and_by_what_is_wrong(page: Page) -> None:
    page.ask("document.querySelector('.search').focus()")
    page.type("DUCK 14")
    assert page.ask(COUNT_SHOWN) == f"16 / {COUNT + 2}"  # 14, 114, 140 to 149, and four of the codes
    page.ask("{ const input = document.querySelector('.search'); input.select(); }")
    page.type(" ")
    page.ask("document.querySelector('[data-name=wrong]').click()")
    assert page.ask(COUNT_SHOWN) == f"2 / {COUNT + 2}"
    line, row = "document.querySelector('.card .finding')", "document.querySelector('.card .finding').closest('.row')"
    assert page.ask(f"{line}.clientHeight / parseFloat(getComputedStyle({line}).lineHeight)") > 2
    assert page.ask(f"{line}.getBoundingClientRect().bottom <= {row}.getBoundingClientRect().bottom"), "it is below it"
    told = page.ask("[...document.querySelectorAll('.card .finding')].map(one => one.textContent)")
    assert ["markup of another tool" in told[0], "over its box" in told[1]] == [True, True], told
    page.ask("document.querySelector('.search').focus()")
    page.type("no such card")
    page.wait(f"{COUNT_SHOWN} === '0 / {COUNT + 2}'")
    page.ask("document.querySelector('.view:not([hidden]) .empty button').click()")
    assert page.ask(COUNT_SHOWN) == f"{COUNT + 2} / {COUNT + 2}", "one button leads back to all cards"
    assert page.ask("document.querySelector('.search').value") == ""


def test_a_message_stays_while_its_link_has_the_focus(page: Page) -> None:
    page.ask("""{ const link = document.createElement('a'); link.href = '#findings'; link.textContent = 'changed';
        globalThis.wait = setTimeout; globalThis.waiting = [];
        globalThis.setTimeout = act => waiting.push(act); duckpress.tell(link); }""")
    go_on = "waiting.pop()(), document.getElementById('told').textContent"
    page.ask("document.querySelector('#told a').focus()")
    assert page.ask(go_on) == "changed"
    page.ask("document.activeElement.blur()")
    assert page.ask(go_on) == ""
    page.ask("globalThis.setTimeout = wait")


def test_several_findings_of_a_card_are_counted_and_listed(page: Page) -> None:
    before = page.ask("duckpress.known.findings")
    first = {"at": "a.yaml:1:1", "what": "card 'bad' (x): its cost", "cards": ["duck/bad"]}
    groups = [{"level": "error", "code": "one", "fixes": [], "findings": [first, {**first, "what": "its name"}]}]
    page.ask(f"duckpress.take('findings', {json.dumps({'stale': False, 'groups': groups})})")
    below = "document.querySelector('.card .finding')"
    assert page.ask(f"[{below}.textContent, {below}.title]") == ["2its cost", "its cost\nits name"]
    assert page.ask("document.querySelector('.card .finding .mark').textContent") == "2"
    page.ask("location.hash = '#cards/cards-duck-bad'")
    page.wait("document.querySelector('dialog')?.open")
    assert page.ask("document.querySelectorAll('dialog .findings li').length") == 2
    page.press("Escape")
    page.ask("location.hash = '#table'")
    page.wait("document.querySelector('.line-of-table .why')?.textContent === '2its cost'")
    page.ask(f"duckpress.take('findings', {json.dumps(before)}); location.hash = '#cards'")
    page.wait("!document.querySelector('#view-cards').hidden")


def test_the_table_is_sorted_by_any_field_and_holds_what_is_in_view(page: Page) -> None:
    page.ask("location.hash = '#table'")
    rows, first = "document.querySelectorAll('.line-of-table').length", "document.querySelector('.line-of-table')"
    page.wait(f"{rows} > 5")
    for share in (0.5, 1, 0):
        scroll(page, share, "document.querySelector('.table-scroll')", ".line-of-table")
    assert page.ask("document.querySelector('.table').getAttribute('aria-rowcount')") == str(COUNT + 3)
    heads = page.ask("[...document.querySelectorAll('.head-of-table button')].map(one => one.textContent)")
    assert heads == ["Name", "Deck", "Copies", "cost"], "a field that only says the name again is left out"
    assert page.ask("document.querySelectorAll('.chart')[3].getAttribute('aria-label')").startswith(
        "0: 46, 1: 44, 2: 44"
    )
    for _ in range(2):
        page.ask("document.querySelector('[data-key=cost]').click()")
    assert page.ask(f"[{first}.lastChild.textContent, {first}.getAttribute('aria-rowindex')]") == ["6", "2"]
    assert page.ask("document.querySelectorAll('.head-of-table [aria-sort=descending]').length") == 1
    page.ask("document.querySelectorAll('.line-of-table a')[1].focus()")
    page.press("ArrowUp")
    page.press("Enter")
    page.wait("document.querySelector('dialog').open")
    assert page.ask("document.querySelector('.number').textContent") == f"1 / {COUNT + 2}", "in the order of the table"
    page.press("Escape")
    page.wait("!document.querySelector('dialog').open")
    assert page.ask("location.hash") == "#table"


def test_findings_lead_to_places_and_cards(page: Page) -> None:
    page.ask("location.hash = '#findings'")
    page.wait("!!document.querySelector('.group')")
    assert page.ask("document.querySelector('.group').className") == "group error"
    assert "over its box" in page.ask("document.querySelector('.group').textContent")
    page.ask("duckpress.live = { open: where => globalThis.where = where }")
    opened = []
    for at in range(2):
        page.ask(f"document.querySelectorAll('.group .place')[{at}].click()")
        opened.append(page.ask("where").split(":")[0])
    assert opened == ["content/pond/decks/duck.yaml", "content/pond/layouts/duck.xml"]
    page.ask("duckpress.live = null")
    page.ask("document.querySelector('.thumbs a').click()")
    page.wait("document.querySelector('dialog').open")
    assert "over its box" in page.ask("document.querySelector('dialog .findings').textContent")
    page.press("Escape")
