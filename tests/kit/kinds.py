"""A small game with a card for everything that a face can be made of, and the ways to lay it out."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.layout import LaidOut
from duckpress.press.build_cache import BuildCache
from duckpress.press.reading import load, translate
from duckpress.press.typesetting import TypesetTask, typeset
from duckpress.store.cache import Cache
from duckpress.text.fonts import FontLibrary
from running import MakeWorkspace as MakeWorkspace

KEY = b"k" * 32
KINDS = ("plain", "bold", "icon", "alias", "drawing", "picture", "accent", "macro", "part", "words", "field", "aside")

GAME = """\
title: Kinds
version: "0.1"
designer: Ann
players: 2
languages: [en, fr]
theme: kinds
pieces:
  - {id: cards, title: Cards, decks: [kind]}
"""
SETUP = """\
setup:
  - pile: draw
    take: {kind: all}
"""
DECK = """\
title: Kinds
size: poker
front: face
fields: {text: text}
cards:
""" + "".join(f'  - {{id: {kind}, text: "{{text}}"}}\n'.replace("{text}", f"The {kind} card.") for kind in KINDS)
DECK = DECK.replace('"The bold card."', '"The **bold** card."').replace('"The icon card."', '"The {coin} card."')
DECK = DECK.replace('"The alias card."', '"Its {token} card."').replace('"The field card."', '"The {=id} card."')
FACE = """\
{% import "macros" as m %}
<face>
  <ground fill="paper"/>
  <text x="5" y="5" width="50" height="10">{{ card.text }}</text>
  {% if card.id == "drawing" %}<image href="art/pond.svg" x="10" y="20" width="20" height="20"/>{% endif %}
  {% if card.id == "picture" %}<image href="art/pond.png" x="10" y="20" width="2" height="2"/>{% endif %}
  {% if card.id == "accent" %}<rect x="10" y="20" width="20" height="20" fill="accent"/>{% endif %}
  {% if card.id == "macro" %}{{ m.mark(10) }}{% endif %}
  {% if card.id == "part" %}{% include "part" %}{% endif %}
  {% if card.id == "words" %}<text x="5" y="30" width="50" height="10">{{ t("Shots") }}</text>{% endif %}
  {% if card.id == "aside" %}<text x="5" y="30" width="50" height="10" style="aside">Aside.</text>{% endif %}
</face>
"""
MACROS = """\
{% macro mark(size) %}<circle cx="20" cy="40" r="{{ size }}" fill="ink"/>{% endmacro %}
"""
PART = '<rect x="10" y="50" width="20" height="20" fill="ink"/>\n'
THEME = """\
families: {body: Own}
colours: {ink: "#1b1b1b", paper: "#ffffff", accent: "#aa3300"}
icons: {token: art/token.svg}
text:
  body: {font: body, size: 9, min: 7, colour: ink}
  aside: {font: body, size: 8, min: 7, italic: yes, colour: accent}
"""
FRENCH = """\
words: {Shots: Tirs}
"""
FAMILY = """\
name: Own
licence: OFL-1.1
licence-file: OFL.txt
styles: {regular: regular.ttf, bold: bold.ttf, italic: italic.ttf}
"""
ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></svg>'


def png(level: int) -> bytes:
    """Return a grey picture of 40 x 40 pixels."""
    rows = b"".join(b"\0" + bytes([level]) * 40 for _ in range(40))
    parts = ((b"IHDR", struct.pack(">IIBBBBB", 40, 40, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def font(name: str) -> bytes:
    """Return the bytes of a bundled font."""
    root = bundled_root()
    assert root is not None
    (path,) = (root / "fonts").rglob(name)
    return path.read_bytes()


DECK_FILE, FACE_FILE = "content/kinds/decks/kind.yaml", "content/kinds/layouts/face.xml"
FILES: dict[str, str | bytes] = {
    "content/kinds/game.yaml": GAME,
    "content/kinds/setup.yaml": SETUP,
    DECK_FILE: DECK,
    FACE_FILE: FACE,
    "content/kinds/layouts/macros.xml": MACROS,
    "content/kinds/layouts/part.xml": PART,
    "content/kinds/theme.yaml": THEME,
    "content/kinds/lang/fr.yaml": FRENCH,
    "content/kinds/art/icons/coin.svg": ICON,
    "content/kinds/art/token.svg": ICON,
    "content/kinds/art/pond.svg": ICON,
    "content/kinds/art/pond.png": png(90),
    "fonts/own/family.yaml": FAMILY,
    "fonts/own/OFL.txt": "SIL Open Font License 1.1",
    "fonts/own/regular.ttf": font("AlegreyaSans-Regular.ttf"),
    "fonts/own/bold.ttf": font("AlegreyaSans-Bold.ttf"),
    "fonts/own/italic.ttf": font("AlegreyaSans-Italic.ttf"),
}
CHANGES = {
    "a template": (FACE_FILE, '<text x="5" y="5"', '<text x="5" y="6"'),
    "a part of it": ("content/kinds/layouts/part.xml", 'y="50"', 'y="51"'),
    "the theme": ("content/kinds/theme.yaml", "#aa3300", "#005522"),
    "art": ("content/kinds/art/pond.svg", 'r="4"', 'r="3"'),
    "a family": ("fonts/own/family.yaml", ", bold: bold.ttf", ""),
    "the title": ("content/kinds/game.yaml", "title: Kinds", "title: All kinds"),
    "a field": (DECK_FILE, "fields: {text: text}", "fields: {text: text, more: {kind: text, optional: yes}}"),
    "the number of cards": (DECK_FILE, "  - {id: plain,", "  - {id: new, text: New.}\n  - {id: plain,"),
    "the size": (DECK_FILE, "size: poker", "size: bridge"),
}
"""What faces may depend on besides the texts of their cards: a file, what it says, and what it says instead."""


def change(workspace: Workspace, path: str, old: str, new: str) -> None:
    """Change one place of a file."""
    file = workspace.root / path
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, (path, old, text.count(old))
    file.write_text(text.replace(old, new), encoding="utf-8")


def cache_in(workspace: Workspace, key: bytes = KEY) -> Cache:
    return Cache(workspace.root / ".duckpress-cache", key)


def lay_out(
    workspace: Workspace, store: BuildCache | None = None, *, language: str | None = None, ink: str = "color"
) -> tuple[dict[str, str], LaidOut, list[Problem]]:
    """Lay the game out; give the hash of each card's frame, the piece and the problems."""
    game = load(workspace, "kinds").game
    assert game is not None
    game, found = translate(workspace, game, language)
    pieces, problems = typeset(
        TypesetTask(workspace, game, FontLibrary(workspace), game.pieces, language=language, ink=ink, frames=store)
    )
    (piece,) = pieces
    return {face.card: face.front.hash for face in piece.faces}, piece, [*found, *problems]


def folder_of(workspace: Workspace) -> Path:
    return workspace.root / ".duckpress-cache"


def reworded(data: bytes) -> bytes:
    """Return an entry of faces with every `plain` in their words made `plump`, all else as it was."""
    assert b"plain" in data
    return data.replace(b"plain", b"plump")
