"""Games read by another process are the games that this one would have read, with all that came of it."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from duckpress.check import check_game
from duckpress.content import load_game
from duckpress.content import loading as aside
from duckpress.core.problems import MachineError, Source
from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.model import Card, Game
from duckpress.pool.process_pool import can_fork
from forking import child_starts
from small_games import small_deck

ROOT = Path(__file__).resolve().parents[2]
GAME = "ducks-in-a-row"

forking = pytest.mark.skipif(not can_fork(), reason="this process may not fork")


def test_a_game_that_was_sent_is_the_same() -> None:
    game, problems = load_game(Workspace(ROOT), GAME)
    assert isinstance(game, Game)
    sent = pickle.loads(pickle.dumps(game, pickle.HIGHEST_PROTOCOL))
    assert sent.decks == game.decks
    assert {at: card.sources for deck in sent.decks.values() for at, card in enumerate(deck.cards)} == {
        at: card.sources for deck in game.decks.values() for at, card in enumerate(deck.cards)
    }
    assert (sent.pieces, sent.setup, sent.rules) == (game.pieces, game.setup, game.rules)
    assert check_game(sent) == check_game(game)
    ((again, told, _),) = aside.read_games(Workspace(ROOT), [GAME], 2)
    assert again is not None
    assert (again.decks, again.pieces, again.setup, told) == (game.decks, game.pieces, game.setup, problems)


@forking
def test_another_process_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    here = os.getpid()

    def told(_workspace: Workspace, game_id: str) -> tuple[None, list[object]]:
        return None, [game_id, os.getpid() != here]

    monkeypatch.setattr(aside, "started_parts", child_starts(2))
    monkeypatch.setattr(aside, "load_game", told)
    assert aside.read_games(Workspace(ROOT), ["one", "two"], 2) == [
        (None, ["one", True], {}),
        (None, ["two", True], {}),
    ]


def test_what_reading_asked_of_the_workspace_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    here = RecordingWorkspace(Workspace(ROOT))
    load_game(here, GAME)
    if can_fork():
        monkeypatch.setattr(aside, "started_parts", child_starts(1))
    (there,) = aside.read_games(Workspace(ROOT), [GAME], 2)
    assert there.answers == here.answers


@forking
def test_what_stops_the_reading_is_told_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_workspace: Workspace, _game_id: str) -> object:
        raise MachineError("content/ holds too much")

    monkeypatch.setattr(aside, "started_parts", child_starts(1))
    monkeypatch.setattr(aside, "load_game", refuse)
    with pytest.raises(MachineError, match="holds too much"):
        aside.read_games(Workspace(ROOT), ["one"], 2)


AT = Source("content/pond/deck.yaml", 3, 5)


def card(**values: Any) -> Card:
    return Card("duck", "ducks", values, 2, AT, {name: AT._replace(line=9) for name in values})


FLAT = card(a="word", b=7, c=7.0, d=True, e=None, f=("x", 1, 2.5, False, None), g=(), h=-(2**63))


def test_plain_values_go_as_bytes_and_others_as_they_are() -> None:
    deck = small_deck("ducks", 1)
    odd = card(a=(("x",), 1)), card(a=2**70), card(a="\ud800")
    for cards, is_plain in (((FLAT, replace(FLAT, id="drake")), True), *(((FLAT, one), False) for one in odd)):
        one = replace(deck, cards=cards)
        _, (fields,) = one.__reduce__()
        assert isinstance(fields["cards"], bytes) is is_plain  # type: ignore[index]
        again = pickle.loads(pickle.dumps(one))
        assert (again, repr(again.cards)) == (one, repr(one.cards))  # 7 is not 7.0
