"""The changes of a live page in a real browser: since a release, since an older one, and since it was opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import running
from kit.browser import Page, needs_chromium
from kit.live_pages import live_page
from kit.page_game import ducks

pytestmark = [needs_chromium, pytest.mark.usefixtures("loopback")]
FACE = '<face><text x="4" y="4" width="36" height="20" size="9" min="9">{{ card.name }}</text></face>'
TEAL, SMEW = "{id: teal, name: A quiet teal}", "{id: smew, name: Smew}"
FILES = {**ducks(f"{TEAL}, {SMEW}", has_back=False), "layouts/duck.xml": FACE}
DECK = FILES["decks/duck.yaml"]
CHANGED = "[...document.querySelectorAll('.change h3')].map(one => one.textContent).join()"
MARKED = "[...document.querySelectorAll('.change :is(del, ins)')].map(one => one.tagName + one.textContent).join()"


def since(page: Page, version: str) -> None:
    page.ask(f"""{{ const select = document.querySelector('.page-body select');
        select.value = {version!r}; select.dispatchEvent(new Event('change')); }}""")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with two releases, and its files as they are now."""
    root = tmp_path_factory.mktemp("released")
    for version, name in (("0.1", "A tiny teal"), ("0.2", "A quiet teal")):
        changed = {file: text.replace("0.1", version).replace("A quiet teal", name) for file, text in FILES.items()}
        running.write_files(root / "content/pond", changed)
        running.run(root, "release", "pond", status=0)
    return root


@pytest.fixture(scope="module")
def page(root: Path) -> Iterator[Page]:
    with live_page(root, "pond", {**FILES, "game.yaml": FILES["game.yaml"].replace("0.1", "0.3")}) as page:
        page.ask("location.hash = '#changes'")
        page.wait("!!document.querySelector('.page-body select')")
        yield page


def test_changes_follow_what_is_saved_and_what_is_chosen(page: Page, root: Path) -> None:
    assert page.ask("[...document.querySelectorAll('.page-body option')].map(one => one.textContent)") == [
        "Since 0.2", "Since 0.1", "Since this page was opened",
    ]  # fmt: skip
    assert page.ask(CHANGED) == ""
    since(page, "0.1")
    page.wait(f"{CHANGED} === 'A quiet teal'")
    assert page.ask(MARKED) == "DELtiny,INSquiet"
    deck = root / "content/pond/decks/duck.yaml"
    deck.write_text(DECK.replace("A quiet", "A loud"), "utf-8")
    page.wait(f"{CHANGED} === 'A loud teal'")
    page.wait(f"{MARKED} === 'DELtiny,INSloud'")
    deck.write_text(DECK.replace("A quiet", "One very quiet"), "utf-8")
    page.wait(f"{MARKED} === 'DELA tiny,INSOne very quiet'")
    deck.write_text(DECK.replace("A quiet", "A tiny and quiet"), "utf-8")
    page.wait(f"{MARKED} === 'INSand quiet'")
    assert page.ask("document.querySelector('.change dd').textContent") == "A tiny and quiet teal"
    deck.write_text(DECK.replace("A quiet", "A loud"), "utf-8")
    page.wait(f"{MARKED} === 'DELtiny,INSloud'")
    for version in ("0.2", ""):
        since(page, version)
        page.wait(f"{MARKED} === 'DELquiet,INSloud'")
    deck.write_text(DECK.replace(f", {SMEW}", ""), "utf-8")
    page.wait(f"{CHANGED} === 'Smewgone'")
    assert page.ask("document.querySelectorAll('.change img').length") == 1, "it is shown as it was"


def test_the_filter_knows_what_has_changed_since_the_release(page: Page, root: Path) -> None:
    (root / "content/pond/decks/duck.yaml").write_text(DECK.replace("Smew", "White smew"), "utf-8")
    page.ask("location.hash = '#cards'")
    page.ask("document.querySelector('[data-name=changed]').click()")
    page.wait("[...document.querySelectorAll('.card .name')].map(one => one.textContent).join() === 'White smew'")
    page.ask("document.querySelector('[data-name=changed]').click()")
