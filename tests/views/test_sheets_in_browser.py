"""The sheets of a live page in a real browser: for any paper, way of backs, ink and printer, and printed from there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.browser import Page, needs_chromium
from kit.live_pages import live_page
from kit.page_game import ducks

pytestmark = [needs_chromium, pytest.mark.usefixtures("loopback")]
PIECES = "{id: cards, title: Cards, decks: [duck]}, {id: tokens, title: Tokens, decks: [token]}"
FILES = {
    **ducks(
        "{for: {n: 1-20}, id: 'd{{ n }}', name: 'Duck {{ n }}'}",
        pieces=f"{PIECES}, {{id: plan, title: Plan, decks: [plan]}}",
    ),
    "decks/plan.yaml": "title: Plan\nsize: {width: 180mm, height: 250mm}\nfront: duck\nfields: {name: text}\n"
    "cards: [{id: p, name: Plan}]\n",
    "decks/token.yaml": "title: Tokens\nsize: mini\nfront: duck\nfields: {name: text}\ncards: [{id: t, name: Token}]\n",
    "layouts/duck.xml": '<face><ground fill="#d02020"/><text x="4" y="4" width="36" height="50">'
    "{{ card.name }}</text></face>",
    "rules.md": "# Pond\n\nDraw a duck.\n",
}
PRINTERS = "office:\n  offset-x: 3\n  scale-x: 0.99\n  margin: 15\n"
SIDES = """[...document.querySelectorAll(".pair-of-sides")].map(one => [...one.querySelectorAll(".paper")].map(paper =>
    [paper.style.getPropertyValue("--ratio"), paper.querySelectorAll("img").length]))"""
# The left, top, right and bottom of what is on the first side.
FIRST_BOXES = """(kind => [...document.querySelector(".paper").querySelectorAll(kind)]
    .map(one => one.getBoundingClientRect()).map(one => [one.left, one.top, one.right, one.bottom]))"""
SHOWN = "[...document.querySelectorAll('#view-sheets select')].map(one => [one.name, one.value])"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, Path]]:
    root = tmp_path_factory.mktemp("sheets")
    settings = root / "settings"
    (settings / "duckpress").mkdir(parents=True)
    (settings / "duckpress/printers.yaml").write_text(PRINTERS, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(settings))
        with live_page(root, "pond", FILES) as page:
            page.ask("location.hash = '#sheets'")
            page.wait("document.querySelectorAll('.paper').length > 0")
            yield page, root


@pytest.fixture
def page(live: tuple[Page, Path]) -> Iterator[Page]:
    yield live[0]
    for name, value in (("piece", "cards"), ("paper", "a4"), ("backs", "duplex"), ("ink", "color"), ("printer", "")):
        choose(live[0], name, value)


def choose(page: Page, name: str, value: str) -> Any:
    """Choose as a reader does, and return the sheets: of each side its shape, and how many faces lie on it."""
    page.ask(f"""{{ const select = document.querySelector("#view-sheets [name={name}]"); select.value = {value!r};
        select.dispatchEvent(new Event("change")); }}""")
    page.wait("document.querySelector('#view-sheets').checkVisibility()")
    page.wait(f"Object.fromEntries({SHOWN}).{name} === {value!r} && !document.querySelector('.sheets[aria-busy]')")
    return page.ask(SIDES)


def test_paper_backs_and_piece_are_chosen(page: Page) -> None:
    assert page.ask(SIDES) == [[["297/210", 18]] * 2, [["297/210", 2]] * 2]
    assert choose(page, "paper", "letter") == [[["279.4/215.9", 18]] * 2, [["279.4/215.9", 2]] * 2]
    papers = page.ask("[...document.querySelector('[name=paper]').options].map(one => one.textContent)")
    assert papers[:2] == ["A4 · 210 × 297\u00a0mm", "Letter · 215.9 × 279.4\u00a0mm"]
    assert choose(page, "piece", "rules") == [[["215.9/279.4", 1], ["215.9/279.4", 0]]], "made for it, too"
    choose(page, "piece", "cards")
    assert [len(sides) for sides in choose(page, "backs", "none")] == [1, 1]
    folded = choose(page, "backs", "gutterfold")
    assert sum(count for [[_, count]] in folded) == 40, "faces and backs lie on one side"


def test_what_does_not_fit_a_paper_is_told_and_the_rest_is_shown(page: Page) -> None:
    told = "document.querySelector('#view-sheets details')"
    assert page.ask(f"{told} === null")
    assert len(choose(page, "paper", "photo-4x6")) == 7, "three cards on a side"
    assert page.ask(f"{told}.open") is False
    assert "deck 'plan' is 180 x 250 mm and does not fit 'photo-4x6'" in page.ask(f"{told}.textContent")
    pieces = page.ask("[...document.querySelector('[name=piece]').options].map(one => one.value)")
    assert "plan" not in pieces


def test_another_ink_has_other_pictures(page: Page) -> None:
    first = "document.querySelector('.paper img').getAttribute('src')"
    before = page.ask(first)
    choose(page, "ink", "grey")
    assert page.ask(first) != before
    page.wait("document.querySelector('.paper img').naturalWidth > 20")
    colour = """(() => {
      const image = document.querySelector(".paper img"), one = document.createElement("canvas").getContext("2d");
      one.drawImage(image, 0, 0);
      const shades = [...one.getImageData(image.naturalWidth - 9, image.naturalHeight - 9, 1, 1).data].slice(0, 3);
      return Math.max(...shades) - Math.min(...shades);
    })()"""
    assert page.ask(colour) < 12


def test_a_printer_that_was_measured_has_its_margins(page: Page) -> None:
    assert page.ask("document.querySelectorAll('.reach').length") == 0
    assert choose(page, "printer", "office") == [[["210/297", 12]] * 2, [["210/297", 8]] * 2]
    assert page.ask("document.querySelector('.reach').getBBox().x") == pytest.approx(15)
    assert "reaches" in page.ask("document.querySelector('#view-sheets .about').textContent")
    assert choose(page, "paper", "letter") == [[["215.9/279.4", 10]] * 2] * 2, "on pages that are stood up for it"
    left, top, right, bottom = page.ask(f"{FIRST_BOXES}('.reach')")[0]
    bleed = 3.1 / 215.9 * page.ask("document.querySelector('.paper').clientWidth")
    faces = page.ask(f"{FIRST_BOXES}('img')")
    assert all(one[0] > left - bleed and one[2] < right + bleed for one in faces)
    assert all(one[1] > top - bleed and one[3] < bottom + bleed for one in faces)


def test_what_is_shown_is_printed_and_the_proven_file_opened(live: tuple[Page, Path], page: Page) -> None:
    root = live[1]
    choose(page, "paper", "letter")
    choose(page, "printer", "office")
    page.ask("document.querySelector('#view-sheets [data-key=print]').click()")
    page.wait("document.querySelectorAll('.report a').length === 1")
    name = page.ask("document.querySelector('.report a').textContent")
    assert name == "pond-cards-letter-printer-office.pdf"
    size = "fetch(document.querySelector('.report a').href).then(one => one.blob()).then(one => one.type + one.size)"
    written = (root / "output/pond/printer-office" / name).stat().st_size
    assert page.ask(size) == f"application/pdf{written}"
    assert page.ask("fetch('printed/pond-cards-a4.pdf').then(one => one.status)") == 404, "it was not printed from here"
    page.told.clear()
    choose(page, "printer", "")
    page.ask("location.hash = '#cards'")
    page.wait("!document.querySelector('#view-cards').hidden")
    page.ask("document.querySelector('#tools button').click()")
    page.wait("!document.querySelector('#view-sheets').hidden && document.querySelectorAll('.report a').length > 2")
    names = page.ask("[...document.querySelectorAll('.report a')].map(one => one.textContent)")
    assert {"pond-cards-letter.pdf", "pond-tokens-letter.pdf", "pond-rules-letter.pdf"} <= set(names)
