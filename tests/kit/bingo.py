"""A small bingo: a number of each column on every sheet, a name from the row, and one made by chance."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from duckpress.check.copy_games import copy_games, pools_of
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.press.reading import load
from duckpress.press.request import Request
from duckpress.share.editions.draws import Copier
from duckpress.share.editions.edition_run import EditionRequest, EditionRun, run_edition
from duckpress.share.editions.inputs import read_people
from duckpress.share.editions.shards import Form

EDITION = """\
edition:
  columns: {name: text, prize: {kind: choice, choices: [cup, cake], optional: yes}}
  deal: {number: [{where: "card.n <= 6", count: 2}, {where: card.n > 6, count: 3}]}
  apart: 2
  names: {team: [mood, bird]}
  fields:
    sheet: {owner: "{{ row.name }} and the {{ names.team }}", squares: "{{ dealt.number|join(';', 'n') }}"}
"""
GAME = """\
title: Bingo
version: "1.0"
players: 2-3
lists: {mood: [brave, calm, bold], bird: [duck, teal, coot]}
pieces:
  - {id: sheet, title: Sheets, decks: [sheet]}
  - {id: numbers, title: Numbers, decks: [number]}
"""
SETUP = "setup:\n  - pile: bag\n    take: {number: all}\n"
FILES: Mapping[str, str] = {
    "content/bingo/game.yaml": GAME + EDITION,
    "content/bingo/setup.yaml": SETUP,
    "content/bingo/theme.yaml": "extends: base\n",
    "content/bingo/decks/number.yaml": (
        "title: Numbers\nsize: mini\nfront: number\nfields: {n: whole}\ncards:\n"
        '  - {for: {n: 1-12}, id: "n{{ n }}", n: "{{ n }}"}\n'
    ),
    "content/bingo/boards/sheet.yaml": (
        "title: Sheets\nsize: poker\nfront: sheet\ncomponent: no\nfields:\n  owner: {kind: text, default: Nobody}\n"
        "  squares: {kind: list, default: ['1']}\ncards:\n  - {id: sheet}\n"
    ),
    "content/bingo/layouts/number.xml": (
        '<face><ground/><text x="4" y="4" width="36" height="12">{{ card.n }}</text></face>'
    ),
    "content/bingo/layouts/sheet.xml": (
        '<face><ground/><text x="4" y="4" width="50" height="12" min="8">{{ card.owner }}</text>'
        '<text x="4" y="30" width="50" height="12">{{ card.squares|join(" ") }}</text></face>'
    ),
}
PEOPLE = "id,Name,prize,mail\nann,Ann,cup,a@x\nbob,Bob,,b@x\neve,Eve,cake,e@x\n"


def game_of(workspace: Workspace, name: str = "bingo") -> Game:
    """Return a game of a workspace, in which nothing is wrong."""
    loaded = load(workspace, name)
    assert loaded.game is not None
    assert not loaded.problems, loaded.problems
    return loaded.game


def copier_of(workspace: Workspace, seed: str = "seed", name: str = "bingo") -> Copier:
    """Return what makes the games of copies."""
    game = game_of(workspace, name)
    games, pools = copy_games(workspace, game), pools_of(game)
    assert not games.problems
    assert not pools.problems
    return Copier(games.value, pools.value, seed)


def printed(
    workspace: Workspace, out: Path, *, people: str = PEOPLE, size: int = 2, seed: str = "seed",
    form: Form = Form.PDF, replaces: bool = True, **ways: Any,
) -> EditionRun:  # fmt: skip
    """Print the copies of a table of people; more names are what is asked for of each, which is on A4."""
    request = replace(Request(papers=("a4",)), **ways)
    copies = lambda game: read_people(game, "people.csv", people.encode())  # noqa: E731
    asked = EditionRequest(request, copies, seed, size, form=form, replaces=replaces)
    return run_edition(workspace, load(workspace, "bingo"), asked, out)


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder by their paths."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
