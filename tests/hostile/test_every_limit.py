"""Every limit: a small game over it is told its code (that of docs/limits.md) and its name, and passes set higher."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import NamedTuple

import openpyxl
import pytest
from harness import run_here
from hostile_game import DECK, FACE, GOOD, Files, game, lay_out, png, with_art, with_face, zipped
from PIL import Image

from crews import use
from duckpress import pool
from duckpress.core import limits
from duckpress.core.limits import LIMITS
from duckpress.layout.faces.face_maker import FaceMaker, OpenDeck
from duckpress.pool import Note

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
CODES = dict(re.findall(r"(?m)^\| `([a-z-]+)` \|.*\| `?([^|`]+)`? \|$", PAGE))


class Case(NamedTuple):
    """What differs from the good game, over a limit of `low`, not of `high`; all commands but the last one prepare."""

    low: int
    high: int
    files: Files
    command: tuple[str, ...] = ("check g",)
    asleep_s: float | None = None  # laid out in a worker, which sleeps so long before every task


def content(**files: str | bytes) -> dict[str, str | bytes]:
    """Return files of the game by their names, with `__` for `/` and `_` for the dot before the ending."""
    return {f"content/g/{name.replace('__', '/').replace('_', '.')}": text for name, text in files.items()}


DRAW_ALL = "setup: [{pile: draw, take: {duck: all}}]\n"
ROUNDS = DRAW_ALL + "rounds: {until: draw == 0, steps: [{row: market, take: {draw: 1}}]}\n"
TABLED_CSV = DECK.partition("cards:")[0] + "cards: duck.csv\n"
TABLED = DECK.partition("cards:")[0] + "cards: duck.xlsx\n"
TABLE = "id,name,text\nteal,Teal,Small.\nsmew,Smew,Dives.\neider,Eider,Soft.\n"


def sheet() -> bytes:
    """Return a spreadsheet with the cards of `TABLE`."""
    book, out = openpyxl.Workbook(), io.BytesIO()
    for line in TABLE.splitlines():
        book.active.append(line.split(","))
    book.save(out)
    return out.getvalue()


def in_git(content: Path) -> None:
    """Keep the game under version control; `content` is its folder."""
    lay_out(content.parent, GOOD)
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *words], cwd=content.parent, check=True, capture_output=True)


def more_decks() -> dict[str, str | bytes]:
    """Return three decks of two cards, each printed as a piece."""
    names = ("duck", "goose", "swan")
    pieces = "".join(f"  - {{id: {name}, title: T, decks: [{name}]}}\n" for name in names)
    head = str(GOOD["content/g/game.yaml"]).partition("  - {id: cards")[0]
    return {"content/g/game.yaml": head + pieces, **{f"content/g/decks/{name}.yaml": DECK for name in names}}


SHEET = sheet()
BUNDLE = zipped(dict.fromkeys(("top/a.txt", "top/b.txt"), b"x" * 200), zipfile.ZIP_STORED)

LARGE_TEXTS = "--limit template-text=100M --limit template-value=100M"
HOG = "{% set x = namespace(a='0123456789' * 8000000) %}{% set x.b = x.a ~ 'b' %}{% set x.c = x.b ~ 'c' %}"


def in_a_sleepy_worker(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let a forked worker lay out, which sleeps before every card."""
    if sys.platform != "linux":
        pytest.skip("workers are forked on Linux only")
    lay_out_card = FaceMaker.card

    def slowly(self: FaceMaker, opened: OpenDeck, number: int, note: Note) -> object:
        note(1)
        time.sleep(seconds)
        return lay_out_card(self, opened, number, note)

    monkeypatch.setattr(FaceMaker, "card", slowly)
    # A second of a limit is a fifth of one here: nobody else has to be in time, and waiting longer shows nothing more.
    short = {"layout-seconds": 0.2, "layout-all-seconds": 0.2}
    monkeypatch.setattr(pool.process_pool, "limit", lambda name: limits.limit(name) * short.get(name, 1))
    use(monkeypatch, 1, "fork")


FAMILY = (
    DECK.partition("cards:")[0]
    + """cards:
  - {for: {n: 1-9}, id: "duck-{{ n }}", name: "Duck {{ n }}", text: "{{ n }}"}
"""
)

MODULES = DRAW_ALL + "modules: {a: {about: A}, b: {about: B}}\n"

BOX = 'width="9" height="9"'


def drawing(inside: str) -> Files:
    return with_art("a.svg", f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inside}</svg>')


def progressive() -> bytes:
    """Return a JPEG of ten scans."""
    out = io.BytesIO()
    Image.new("RGB", (600, 600), "red").save(out, "JPEG", progressive=True)
    return out.getvalue()


CASES: dict[str, Case] = {
    # texts, families, setup, templates
    "text-letters": Case(30, 100, game(deck=DECK.replace("A small **duck**.", "A small duck. " * 3))),
    "text-marks": Case(5, 20, game(deck=DECK.replace("A small **duck**.", "A small du" + "\u0301" * 9 + "ck."))),
    "family-cards": Case(5, 20, game(deck=FAMILY)),
    "family-steps": Case(20, 2000, game(deck=FAMILY)),
    "expression": Case(5, 50, game(deck=FAMILY.replace("{{ n }}", "{{ n + n + n }}"))),
    "expression-result": Case(5, 50, game(deck=FAMILY.replace("{{ n }}", "{{ 'Teal ' ~ n }}"))),
    "setup-steps": Case(150, 5000, game(setup="setup:\n  - pile: draw\n    take: {duck: left('duck') + 0}\n")),
    "combination-steps": Case(1, 5000, game(setup=MODULES)),
    "playout-rounds": Case(1, 50, game(setup=ROUNDS)),
    "setup-size": Case(3, 50, game(setup="setup:\n  - pile: draw\n    take: {duck: all}\n    note: all of them\n")),
    "setup-expression": Case(5, 50, game(setup="setup:\n  - pile: draw\n    take: {duck: left('duck')}\n")),
    "template-parts": Case(5, 500, game(face=FACE)),
    "template-depth": Case(2, 50, game(face=FACE)),
    "template-steps": Case(20, 2000, with_face("{% for n in range(30) %}{% endfor %}")),
    "template-text": Case(30, 100, with_face("{% set s %}{{ 'quack ' * 9 }}{% endset %}")),
    "template-value": Case(30, 100, with_face("{% set l = [['quack', 1], ['quack', 1]] * 5 %}")),
    "rules-filled": Case(
        30, 500, content(rules_md="# Pond\n\n{% for n in [1, 2, 3, 4, 5] %}Quack quack.{% endfor %}\n")
    ),
    "template-face": Case(200, 2000, game(face=FACE)),
    # files
    "text-file": Case(600, 5000, content(setup_yaml=f"# {'x' * 1000}\nsetup: []\n")),
    "art-file": Case(100, 1000, content(art__pond_svg=f"{GOOD['content/g/art/pond.svg']!s}<!--{'x' * 200}-->")),
    "template-file": Case(500, 2000, game(face=FACE + "\n" * 1000)),
    "rules-file": Case(100, 2000, content(rules_md="# Pond\n\n" + "Quack quack. " * 20)),
    "lock-file": Case(100, 100_000, {}, ("release g", "changes g --since 1.0")),
    "folder-entries": Case(9, 100, {f"content/g/decks/note-{number}.txt": "" for number in range(9)}),
    "archive-files": Case(1, 2, {"held.zip": BUNDLE}, ("bundle --check held.zip",)),
    "archive-file": Case(100, 1000, {"held.zip": BUNDLE}, ("bundle --check held.zip",)),
    "archive-all": Case(300, 1000, {"held.zip": BUNDLE}, ("bundle --check held.zip",)),
    "revision-files": Case(2, 100, {"content": in_git}, ("changes g --since HEAD",)),
    "revision-all": Case(300, 100_000, {"content": in_git}, ("changes g --since HEAD",)),
    "cache-entry": Case(50, 1_000_000, {}, ("build g --paper a4",)),
    "cache-all": Case(50, 1_000_000, {}, ("build g --paper a4",)),
    # tables
    "table-rows": Case(2, 3, content(decks__duck_yaml=TABLED_CSV, decks__duck_csv=TABLE)),
    "table-columns": Case(2, 3, content(decks__duck_yaml=TABLED_CSV, decks__duck_csv=TABLE)),
    "table-cells": Case(10, 12, content(decks__duck_yaml=TABLED_CSV, decks__duck_csv=TABLE)),
    "sheet-file": Case(500, 100_000, content(decks__duck_yaml=TABLED, decks__duck_xlsx=SHEET)),
    "sheet-elements": Case(10, 1000, content(decks__duck_yaml=TABLED, decks__duck_xlsx=SHEET)),
    # workers
    "layout-seconds": Case(1, 60, {}, asleep_s=0.3),
    "layout-all-seconds": Case(1, 60, {}, asleep_s=0.3),
    "layout-memory": Case(60_000_000, 900_000_000, with_face(HOG), (f"{LARGE_TEXTS} check g",), 0.0),
    # YAML
    "yaml-depth": Case(3, 5, content(game_yaml=f"{GOOD['content/g/game.yaml']!s}facts: {{a: [[[x]]]}}\n")),
    "yaml-values": Case(20, 1000, {}),
    "text-length": Case(30, 100, game(deck=DECK.replace("A small **duck**.", "A small duck. " * 6))),
    "title-length": Case(10, 100, game(deck=DECK.replace("title: Ducks", "title: Ducks and more ducks"))),
    "game-entries": Case(2, 3, game(game=f"{GOOD['content/g/game.yaml']!s}bring: [dice, pencils, paper]\n")),
    "deck-fields": Case(1, 2, {}),
    "game-files": Case(2, 3, more_decks()),
    "game-pieces": Case(2, 3, more_decks()),
    "game-languages": Case(2, 3, game(game=f"{GOOD['content/g/game.yaml']!s}languages: [en, fr, de]\n")),
    "game-cards": Case(2, 10, more_decks()),
    "deck-cards": Case(2, 3, content(decks__duck_yaml=TABLED_CSV, decks__duck_csv=TABLE)),
    "card-copies": Case(5, 9, game(deck=DECK.replace("{id: teal,", "{id: teal, copies: 9,"))),
    "printed-cards": Case(9, 10, game(deck=DECK.replace("{id: teal,", "{id: teal, copies: 9,"))),
    "problems": Case(
        1, 10, game(deck=DECK.replace("name: T", "copies: x, name: T").replace("name: S", "copies: y, name: S"))
    ),
    # pictures, drawings, faces
    "font-file": Case(1_000, 30_000_000, {}),
    "image-pixels": Case(9_999, 10_000, with_art("a.png", png(100, 100))),
    "png-chunks": Case(2, 3, with_art("a.png", png(300, 300))),
    "jpeg-parts": Case(2, 200, with_art("a.jpg", progressive())),
    "jpeg-scans": Case(2, 20, with_art("a.jpg", progressive())),
    "art-bytes": Case(60, 10_000, with_art("a.png", png(300, 300))),
    "art-segments": Case(40, 200, drawing(f'<path d="M0 0{"h1" * 50}" stroke="red"/>')),
    "svg-file": Case(200, 1_000, drawing(f"<desc>{'x' * 300}</desc>")),
    "svg-elements": Case(5, 20, drawing("<g/>" * 9)),
    "svg-drawn": Case(5, 20, drawing('<path id="p" d="M0 0h1"/>' + '<use href="#p"/>' * 4)),
    "svg-depth": Case(3, 9, drawing("<g><g><g><g/></g></g></g>")),
    "svg-segments": Case(61, 62, drawing(f'<path id="p" d="M0 0{"h1" * 30}"/><use href="#p"/>')),
    "svg-rules": Case(2, 3, drawing("<style>.a,.b,.c{fill:red}</style>")),
    "path-segments": Case(3, 4, with_face('<path d="M0 0h1h1h1" fill="ink"/>')),
    "path-letters": Case(18, 19, with_face('<path d="M0 0h1h1h1        z" fill="ink"/>')),
    "transform-steps": Case(2, 3, with_face(f'<g transform="scale(1) scale(1) scale(1)"><rect {BOX} fill="ink"/></g>')),
    "face-elements": Case(9, 20, with_face("<g/>" * 9)),
    "face-depth": Case(3, 9, with_face("<g><g><g><g/></g></g></g>")),
    "board-cells": Case(3, 4, with_face(f'<squaregrid columns="4" rows="2" {BOX}/>')),
    "track-spaces": Case(3, 4, with_face('<track count="4" width="20" height="5"/>')),
    "grid-tracks": Case(3, 4, with_face('<grid columns="4"><rect fill="ink"/></grid>')),
    "polyomino-side": Case(3, 4, with_face(f'<polyomino rows="XXXX" fill="ink" {BOX}/>')),
}


def test_every_limit_has_a_case() -> None:
    assert [name for name in LIMITS if name not in CASES] == []


@pytest.mark.sweep(6)
@pytest.mark.parametrize("name", CASES)
def test_a_limit_holds_and_can_be_raised(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]
    *before, last = case.command
    monkeypatch.chdir(tmp_path)
    if case.asleep_s is not None:
        in_a_sleepy_worker(monkeypatch, case.asleep_s)
    lay_out(tmp_path, {**GOOD, **case.files})
    for line in before:
        assert run_here(tmp_path, *line.split()).status == 0
    ran = run_here(tmp_path, "--limit", f"{name}={case.low}", *last.split())
    if CODES[name].startswith("status"):
        assert str(ran.status) == CODES[name].removeprefix("status ")
        assert f"--limit {name}=NUMBER" in ran.err
        assert run_here(tmp_path, "--limit", f"{name}={case.high}", *last.split()).status == 0
        return
    if CODES[name] == "none":  # more is just not kept
        assert ran.status == run_here(tmp_path, "--limit", f"{name}={case.high}", *last.split()).status == 0
        return
    found = [problem for problem in ran.problems if problem["code"] == CODES[name]]
    assert found, ran
    assert f"--limit {name}=NUMBER" in found[0]["fix"], found
    assert found[0]["file"], found
    assert ran.status == (1 if found[0]["level"] == "error" else 0), ran
    ran = run_here(tmp_path, "--limit", f"{name}={case.high}", *last.split())
    assert not [problem for problem in ran.problems if problem["code"] == CODES[name]], ran
    assert ran.out
