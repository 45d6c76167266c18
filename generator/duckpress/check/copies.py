"""How many copies of each card have to be printed, for all player counts or for one."""

from __future__ import annotations

from collections.abc import Mapping

from duckpress.check.expression_errors import Spent
from duckpress.check.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.model import Game


def copies_for(game: Game, players: int | None) -> Mapping[tuple[str, str], int]:
    """Return the copies to print of each card, by deck id and card id; None is for all player counts: the most of any.

    A deck per player counts once for each player. For one player count, a card is left out where its deck is in use,
    but no step of the basic game or of any variant can ever take the card at that player count: a random draw may take
    any card of its deck, `where` only those for which it holds. A card that no step takes at any player count, and a
    sheet that is no component, is printed in full: the setup does not tell when it is needed.
    """
    counts = game.players if players is None else (players,)
    found: dict[tuple[str, str], int] = {}
    needed = _needed_at(game)
    for deck in game.decks.values():
        for index, card in enumerate(deck.cards):
            at = needed.get((deck.id, index))
            fitting = counts
            if at is not None and not at.issuperset(counts):
                fitting = tuple(count for count in counts if count in at or count not in game.players)
            sets = max(fitting, default=0) if deck.is_per_player else min(1, len(fitting))
            key = (deck.id, card.id)
            found[key] = max(found.get(key, 0), card.copies * sets)
    return found


def _needed_at(game: Game) -> dict[tuple[str, int], set[int]]:
    """Return the player counts at which a step may take a card; cards that no step takes are not in it."""
    if game.setup is None:
        return {}
    runs = Runs(Book(game, game.setup))
    try:
        if not all(run.is_complete for players in game.players for run in runs.at(players)):
            return {}
    except Spent:
        return {}
    needed: dict[tuple[str, int], set[int]] = {}
    for players in game.players:
        for run in runs.at(players):
            for key in run.top.used:
                needed.setdefault((key.deck, key.position), set()).add(players)
    return {
        (deck.id, index): needed[deck.id, index]
        for deck in game.decks.values()
        if deck.is_component
        for index in range(len(deck.cards))
        if (deck.id, index) in needed
    }
