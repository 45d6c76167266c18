"""A small good game, `g`, in which a test replaces the one file that is hostile."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from PIL import Image

FileMaker = Callable[[Path], object]
Files = Mapping[str, "str | bytes | FileMaker"]

GAME = """\
title: Pond
version: "1.0"
designer: Ann
players: 2
theme: g
pieces:
  - {id: cards, title: Cards, decks: [duck]}
"""
SETUP = """\
setup:
  - pile: draw
    take: {duck: all}
"""
DECK = """\
title: Ducks
size: poker
front: face
fields: {name: text, text: text}
cards:
  - {id: teal, name: Teal, text: "A small **duck**."}
  - {id: smew, name: Smew, text: "Dives for {star}."}
"""
FACE = """\
<face>
  <ground fill="paper"/>
  <image href="art/pond.svg" x="5" y="18" width="20" height="20"/>
  <text x="5" y="5" width="50" height="10">{{ card.name }}</text>
  <text x="5" y="45" width="50" height="30">{{ card.text }}</text>
</face>
"""
THEME = """\
extends: base
colours: {accent: "#aa3300"}
"""
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></svg>\n'

GOOD: dict[str, str | bytes] = {
    "content/g/game.yaml": GAME,
    "content/g/setup.yaml": SETUP,
    "content/g/decks/duck.yaml": DECK,
    "content/g/layouts/face.xml": FACE,
    "content/g/theme.yaml": THEME,
    "content/g/art/pond.svg": DRAWING,
}


def game(**replaced: str | bytes) -> dict[str, str | bytes]:
    """Return the good game with whole files replaced: `game`, `setup`, `deck`, `face`, `theme`, `drawing`."""
    names = dict(zip(("game", "setup", "deck", "face", "theme", "drawing"), GOOD, strict=True))
    return {**GOOD, **{names[name]: text for name, text in replaced.items()}}


def with_text(text: str) -> dict[str, str | bytes]:
    """Return the good game with another text on its first card; the text is written as a YAML string."""
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return game(deck=DECK.replace('"A small **duck**."', quoted))


def with_art(name: str, data: str | bytes | FileMaker) -> dict[str, str | bytes | FileMaker]:
    """Return the good game with a picture or drawing of that name in `art/`, shown on every card."""
    return {**game(face=FACE.replace("art/pond.svg", f"art/{name}")), f"content/g/art/{name}": data}


def with_face(element: str) -> dict[str, str | bytes]:
    """Return the good game with one more element on its cards, on the last but one line of the template (line 6)."""
    return game(face=FACE.replace("</face>", f"{element}\n</face>"))


def png(width: int, height: int, *, level: int = 128) -> bytes:
    """Return a grey picture."""
    out = io.BytesIO()
    Image.new("L", (width, height), level).save(out, "PNG")
    return out.getvalue()


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED, mode: int = 0) -> bytes:
    """Return a zip of files, all of one mode, with one date."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            archive.writestr(entry, data, method)
    return out.getvalue()


def lay_out(folder: Path, files: Files) -> None:
    """Write files into a folder; a function is called with the path instead, and makes there what it likes."""
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if callable(content):
            content(target)
        else:
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
