"""A game and a seed -> a deal, and for whom its pieces are printed."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from duckpress.check import Deal, Seat, check_game, deal_cards
from duckpress.core.problems import Problem, has_errors
from duckpress.model import Game, Piece
from duckpress.press.reading import Loaded, named
from duckpress.press.request import Request

HOST = "host"


class Dealt(Struct, frozen=True):
    """A deal of a game, or the problems that stand against it."""

    game_id: str
    game: Game | None
    deal: Deal | None
    problems: tuple[Problem, ...]

    @property
    def has_errors(self) -> bool:
        """Whether an error stands."""
        return has_errors(self.problems)


def deal(loaded: Loaded, players: int, seed: str, variant: str | None = None) -> Dealt:
    """Deal a game's cards at a player count, unless the check of its setup finds an error there."""
    game = loaded.game
    if game is None or loaded.has_errors:
        return Dealt(loaded.game_id, game, None, loaded.problems)
    problems = named(game.id, [*loaded.problems, *check_game(game, players, variant)])
    if has_errors(problems):
        return Dealt(game.id, game, None, problems)
    dealt = deal_cards(game, players, seed, variant)
    if isinstance(dealt, Problem):
        return Dealt(game.id, game, None, named(game.id, [*problems, dealt]))
    return Dealt(game.id, game, dealt, problems)


def has_packet(game: Game) -> bool:
    """Return whether a game has pieces that a deal fills."""
    return any(game.dealt_to(piece) for piece in game.pieces)


def deal_packet(original: Game, request: Request) -> Deal | Problem | None:
    """Return the deal that is asked for with a build; None without one, and where an error stands in the setup.

    What such a setup would deal means nothing, forced or not; its errors are listed.
    """
    players = request.players or max(original.players)
    if request.seed is None or has_errors(check_game(original, players, request.variant)):
        return None
    return deal_cards(original, players, request.seed, request.variant)


def subjects(game: Game, dealt: Deal, wanted: Sequence[str]) -> list[tuple[Piece, Seat | None]]:
    """Return the pieces that the deal fills, each for whom: for the host (None), or for each player in turn."""
    found: list[tuple[Piece, Seat | None]] = []
    for piece in game.chosen_pieces(wanted):
        kind = game.dealt_to(piece)
        if kind is None:
            continue
        found += [(piece, None)] if kind == HOST else [(piece, seat) for seat in dealt.seats]
    return found
