"""Setups with mistakes: every problem at the line and column that its comment names, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duckpress.check import check_game
from duckpress.model import Deck
from small_games import SETUP, duck_deck, owned_deck, small_deck, small_game

_FILES = sorted(Path(__file__).with_name("mistakes").glob("*.yaml"))
_EXPECT = re.compile(r"([a-z-]+) at (\d+)")


def _decks(line: str) -> list[Deck]:
    made = []
    for words in line.removeprefix("# decks: ").split(", "):
        name, *count = words.split()
        made.append(small_deck(name, int(count[0])) if count else {"duck": duck_deck, "blind": owned_deck}[name]())
    return made


@pytest.mark.parametrize("path", _FILES, ids=[path.stem for path in _FILES])
def test_mistakes_are_found_where_they_are(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    expected = {
        (number, int(column), code)
        for number, line in enumerate(lines, 1)
        if "# expect: " in line
        for code, column in _EXPECT.findall(line.split("# expect: ")[1])
    }
    game = small_game(text, *_decks(lines[0]), facts={"hand size": 4})
    found = {(one.source.line, one.source.column, one.code) for one in check_game(game) if one.source.file == SETUP}
    assert found == expected


def test_every_mistake_is_named_once() -> None:
    for path in _FILES:
        text = path.read_text(encoding="utf-8")
        game = small_game(text, *_decks(text.splitlines()[0]), facts={"hand size": 4})
        problems = check_game(game)
        assert len(problems) == len({(one.code, one.source, one.players, one.variant) for one in problems}), path.stem
