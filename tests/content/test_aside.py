"""Games read by another process are the games that this one would have read, with all that came of it."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from duckpress.check import check_game
from duckpress.content import load_game
from duckpress.content import parallel_load as aside
from duckpress.core.problems import MachineError
from duckpress.files.recording import Witness
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.pool.parallel import can_fork
from forking import child_does

ROOT = Path(__file__).resolve().parents[2]
GAMES = Workspace(ROOT).games()

forking = pytest.mark.skipif(not can_fork(), reason="this process may not fork")


def read(door: Workspace, names: list[str]) -> list[aside.Read]:
    """Give games as another process reads them, if it may be forked."""
    return aside.load_games([(door, name) for name in names], 2, lambda: None)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_was_sent_is_the_same(name: str) -> None:
    game, problems = load_game(Workspace(ROOT), name)
    assert isinstance(game, Game)
    sent = pickle.loads(pickle.dumps(game, pickle.HIGHEST_PROTOCOL))
    assert sent.decks == game.decks
    assert {at: card.sources for deck in sent.decks.values() for at, card in enumerate(deck.cards)} == {
        at: card.sources for deck in game.decks.values() for at, card in enumerate(deck.cards)
    }
    assert (sent.pieces, sent.setup, sent.rules) == (game.pieces, game.setup, game.rules)
    assert check_game(sent) == check_game(game)
    ((again, told),) = read(Workspace(ROOT), [name])
    assert again is not None
    assert (again.decks, again.pieces, again.setup, told) == (game.decks, game.pieces, game.setup, problems)


@forking
def test_another_process_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    here = os.getpid()

    def told(_door: Workspace, game_id: str) -> aside.Read:
        return None, [game_id, os.getpid() != here]  # type: ignore[list-item]

    monkeypatch.setattr(aside, "in_parts", child_does(2))
    monkeypatch.setattr(aside, "load_game", told)
    assert read(Workspace(ROOT), ["one", "two"]) == [(None, ["one", True]), (None, ["two", True])]


def test_what_was_read_is_remembered_as_if_it_was_read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = Witness(Workspace(ROOT)), Witness(Workspace(ROOT))
    load_game(here, GAMES[0])
    if can_fork():
        monkeypatch.setattr(aside, "in_parts", child_does(1))
    read(there, [GAMES[0]])
    assert there.seen == here.seen


@forking
def test_what_stops_the_reading_is_told_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_door: Workspace, _game_id: str) -> aside.Read:
        raise MachineError("content/ holds too much")

    monkeypatch.setattr(aside, "in_parts", child_does(1))
    monkeypatch.setattr(aside, "load_game", refuse)
    with pytest.raises(MachineError, match="holds too much"):
        read(Workspace(ROOT), ["one"])
