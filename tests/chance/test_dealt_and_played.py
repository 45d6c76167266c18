"""A playout deals as `deal` does: every place has as many cards, and of the same decks."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from duckpress.chance import Playouts, playtest
from duckpress.check.dealing import Deal, deal_cards
from duckpress.check.setup.rule_book import Book
from duckpress.content import load_game
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.model.setup import Expression, Rounds
from kit.rich_setup import rich_game

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted(path.parent.name for path in ROOT.glob("content/*/setup.yaml"))


def sizes_agree(game: Game) -> None:
    """Hold a playout without a step against a deal, in every way to play."""
    setup = game.setup
    assert setup is not None
    nothing = Rounds((), Expression("round == 1", setup.source), {}, None, {}, {}, setup.source)
    parts = {name: replace(part, rounds=None) for name, part in setup.variants.items()}
    modules = {name: replace(part, rounds=None) for name, part in setup.modules.items()}
    still = replace(game, setup=replace(setup, rounds=nothing, variants=parts, modules=modules))
    book = Book(game, setup)
    for way in book.combinations():
        for players in book.counts_of(way):
            deal = deal_cards(game, players, "seed", way)
            played = playtest(still, players, way, 1, "seed", 1)
            assert isinstance(deal, Deal)
            assert isinstance(played, Playouts), played
            dealt = Counter[str]()
            for holding in deal.places:
                dealt[holding.place] += len(holding.cards)
            left = {place: spread.most for place, spread in played.left.items() if spread.most}
            assert left == +dealt, (way, players)
            assert played.short == {}


@pytest.mark.parametrize("name", GAMES)
def test_the_games_are_laid_out_for_a_playout_as_they_are_dealt(name: str) -> None:
    game, _ = load_game(Workspace(ROOT), name)
    assert game is not None
    sizes_agree(game)


def test_a_setup_with_all_that_steps_can_do_is_laid_out_as_it_is_dealt() -> None:
    sizes_agree(rich_game())
