"""A small game that has something for every view of its page, and whose every text is markup that would run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kit.browser import Page, browsing
from running import run, write_files

HOSTILE = "<script>document.title='run'</script><img src=x onerror=document.title='run'>"
WORDS = json.dumps(HOSTILE)
LONG = json.dumps("Waldschnepfen" * 6 + HOSTILE)
SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" onload="document.title='run'">
<rect width="20" height="20" fill="#4a7fbf" onclick="document.title='run'"/></svg>"""

FILES = {
    "game.yaml": f"""title: {WORDS}
version: "0.1"
designer: Nobody
players: [2, 3]
languages: [en]
about: {WORDS}
pieces:
  - {{id: cards, title: {LONG}, decks: [duck]}}
  - {{id: board, title: {WORDS}, decks: [marsh]}}
""",
    "theme.yaml": "extends: base\n",
    "rules.md": "# \\<script>document.title='run'\\</script>\n\nDucks \\<img src=x onerror=document.title='run'>.\n",
    "setup.yaml": f"""title: {WORDS}
setup:
  - pile: draw
    take: {{duck: all}}
    note: {WORDS}
  - hand: hand
    take: {{draw: 2}}
table:
  draw: {{title: {WORDS}, short: Draw}}
  {WORDS}: {{title: {WORDS}, short: Draw, shows: draw}}
variants:
  quick: {{title: {WORDS}, about: {WORDS}, setup: [{{pile: draw, replaces: draw, take: {{duck: 9}}}}]}}
odds:
  {WORDS}: {{ask: hand of 2 from draw has a pair of kind}}
expect:
  - {{that: draw == 1, level: warning}}
""",
    "decks/duck.yaml": f"""title: {LONG}
size: mini
front: duck
back: back
fields:
  name: text
  kind: {{kind: choice, choices: [{WORDS}, wild, tame]}}
  cost: {{kind: whole, label: {LONG}}}
  note: {{kind: text, optional: yes}}
cards:
  - {{id: bad, name: {LONG}, kind: {WORDS}, cost: 3, note: {WORDS}}}
  - {{for: {{n: 1-11}}, id: "duck-{{{{ n }}}}", name: "Duck {{{{ n }}}}", kind: wild, cost: "{{{{ n }}}}"}}
  - {{id: long, name: {"Merganser " * 99}, kind: tame, cost: 2}}
""",
    "boards/marsh.yaml": f"title: {LONG}\nsize: page\nfront: marsh\nfields: {{name: text}}\n"
    "cards: [{id: m, name: x}]\n",
    "layouts/duck.xml": '<face><ground/><image x="4" y="4" width="20" height="20" href="art/bad.svg"/>'
    '<text x="4" y="30" width="36" height="20" min="4">{{ card.id }} '
    '{{ card.name if card.id == "long" }}</text></face>',
    "layouts/back.xml": '<face><ground fill="#808080"/></face>',
    "layouts/marsh.xml": '<face><ground/><text x="9" y="9" width="90" height="20">{{ card.name }}</text></face>',
    "art/bad.svg": SVG,
}


PIECES = "{id: cards, title: Cards, decks: [duck]}"


def ducks(
    cards: str, fields: str = "name: text", pieces: str = PIECES, languages: str = "en", *, has_back: bool = True
) -> dict[str, str]:
    """Return the files of a game of ducks, each with its name on a grey back."""
    back = "back: back\n" if has_back else ""
    return {
        "game.yaml": "title: Pond\nversion: '0.1'\ndesigner: Nobody\nplayers: [2, 3]\ntheme: base\n"
        f"languages: [{languages}]\npieces: [{pieces}]\n",
        "decks/duck.yaml": f"title: Ducks\nsize: mini\nfront: duck\n{back}fields: {{{fields}}}\ncards: [{cards}]\n",
        "layouts/duck.xml": '<face><text x="4" y="4" width="36" height="50">{{ card.name }}</text></face>',
        "layouts/back.xml": '<face><ground fill="#808080"/></face>',
    }


def write_page(root: Path, files: dict[str, str], *options: str) -> str:
    """Write a game of the name `pond` and the page of it, and return the page's address."""
    write_files(root / "content/pond", files)
    ran = run(root, "preview", "pond", "--dpi", "40", *options)
    page = root / "output/pond/preview/index.html"
    assert page.exists(), ran.output
    return page.as_uri()


@contextmanager
def shown_page(root: Path, files: dict[str, str], width: int, height: int, *options: str) -> Iterator[Page]:
    """Yield the page of a game in a browser, with its cards on it; at the end it must not have complained."""
    address = write_page(root, files, *options)
    with browsing(root / "profile", width, height) as page:
        page.go(address)
        page.wait("!!document.querySelector('.card')")
        yield page
        assert page.told == []
