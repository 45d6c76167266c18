"""A pond of thirty ducks that is played often: what tests of rounds have in common."""

from __future__ import annotations

from collections.abc import Mapping

from duckpress.chance import Playouts, playtest
from duckpress.content import load_game
from duckpress.core.problems import has_errors
from duckpress.model import Game
from running import MakeWorkspace

GAME = {
    "content/pond/game.yaml": (
        "title: Pond\nversion: '0.1'\nplayers: 2-4\npieces:\n  - {id: ducks, title: Ducks, decks: [duck]}\n"
    ),
    "content/pond/decks/duck.yaml": """
title: Ducks
size: poker
front: duck
fields: {value: whole}
cards:
  - {id: common, copies: 20, value: 1}
  - {id: rare, copies: 10, value: 3}
""",
    "content/pond/layouts/duck.xml": "<card/>",
}


def pond(make_workspace: MakeWorkspace, setup: str, more: Mapping[str, str] | None = None) -> Game:
    """Return the game with a setup."""
    game, problems = load_game(make_workspace({**GAME, "content/pond/setup.yaml": setup, **(more or {})}), "pond")
    assert not has_errors(problems), problems
    assert game is not None
    return game


def played(game: Game, players: int = 2, runs: int = 50, jobs: int = 1) -> Playouts:
    """Return what came of playing it."""
    result = playtest(game, players, None, runs, "seed", jobs)
    assert isinstance(result, Playouts), result
    return result
