"""The setup tables of a game: what it takes at each player count, in each variant."""

from __future__ import annotations

from msgspec.structs import replace

from duckpress.check import SetupTable, check_game, setup_table
from duckpress.press.reading import Loaded, named, variants_of


def tables(loaded: Loaded) -> tuple[Loaded, list[SetupTable]]:
    """Return a game with what is wrong in its setup, and its setup tables: the plain one, then each variant's."""
    game = loaded.game
    if game is None or game.setup is None:
        return loaded, []
    problems = named(game.id, [*loaded.problems, *check_game(game)])
    return replace(loaded, problems=problems), [setup_table(game, variant) for variant in (None, *variants_of(game))]
