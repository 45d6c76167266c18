"""What a game is set up with, as plain data for its page: tables of setup, chances, and deals of cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from typing import Any

from duckpress.check import deal_cards, setup_table
from duckpress.check.dealing import CardRef, Chance, Holding
from duckpress.check.setup.combinations import counts_for, parts_named, ways_to_play
from duckpress.core.problems import Problem
from duckpress.model import Deck, Game
from duckpress.model.setup import Each
from duckpress.pool import jobs
from duckpress.press.reading import GameFindings, Loaded
from duckpress.views.chances import ask_odds, play_often, shares_of_rounds

_MOST_WAYS = 16
_MOST_SEEDS = 5
_MOST_DEALT = 40_000  # cards, of all deals that are written to the disk
_RUNS = 100
_SEED = "1"


def _ways(game: Game) -> list[str | None]:
    return list(islice(ways_to_play(game.setup, None), _MOST_WAYS)) if game.setup is not None else [None]


def _named(way: str | None) -> str:
    return way or ""


def setup_data(game: Game) -> dict[str, Any]:
    """Return the tables of every way to play, and the variants and modules that make them up."""
    parts = game.setup.all_variants.values() if game.setup is not None else ()
    return {
        "parts": [
            {"id": one.id, "title": one.title, "about": one.about, "module": one.is_module, "at": str(one.source)}
            for one in parts
        ],
        "at": str(game.setup.source) if game.setup is not None else "",
        "ways": {_named(way): setup_table(game, way).as_data() for way in _ways(game)},
    }


def chances_data(found: GameFindings) -> dict[str, Any]:
    """Return the odds that a setup asks for, by way to play, question and player count; none with an error."""
    game = found.game
    if game is None or game.setup is None:
        return {"odds": {}}
    loaded = _loaded(found)
    odds = {way: ask_odds(loaded, None, None, way, runs=_RUNS, seed=_SEED).odds for way in _ways(game)}
    return {
        "odds": {
            _named(way): {
                name: {str(one.players): float(one.probability) for one in some} for name, some in answered.items()
            }
            for way, answered in odds.items()
        }
    }


def rounds_data(found: GameFindings, way: str | None) -> dict[str, Any]:
    """Return how many rounds a hundred games of each player count take, in per cent of them."""
    played = play_often(_loaded(found), None, way, _RUNS, _SEED, jobs()).playouts
    if not played:
        return {"names": [], "shares": {}}
    names, shares = shares_of_rounds(played)
    return {"names": names, "shares": {str(one.players): share for one, share in zip(played, shares, strict=True)}}


def _loaded(found: GameFindings) -> Loaded:
    """Return a game whose setup will be checked again, with its other problems."""
    return Loaded(found.game_id, found.game, tuple(one for one in found.problems if one.players is None))


def deals_data(game: Game) -> dict[str, Any]:
    """Return deals of a few seeds for every player count and way to play."""
    ways = _ways(game)
    copies = sum(deck.count for deck in game.decks.values()) or 1
    tables = [(count, way) for way in ways for count in counts_for(game.setup, way, game.players)]
    seeds = [str(seed) for seed in range(1, 1 + max(1, min(_MOST_SEEDS, _MOST_DEALT // (copies * len(tables) or 1))))]
    kept = list(islice(product(tables, seeds), max(1, _MOST_DEALT // copies)))
    deals = ((count, way, seed, dealt(game, count, way, seed)) for (count, way), seed in kept)
    return {
        "players": list(game.players),
        "ways": [
            {
                "id": _named(way),
                "title": ", ".join(part.title for part in parts_named(game.setup, way))
                if game.setup is not None
                else "",
                "players": list(counts_for(game.setup, way, game.players)),
            }
            for way in ways
        ],
        "seeds": seeds,
        "deals": {f"{count}/{_named(way)}/{seed}": deal for count, way, seed, deal in deals if deal is not None},
    }


def dealt(game: Game, players: int, way: str | None, seed: str) -> dict[str, Any] | None:
    """Return a deal: where cards lie, the top one first; None where it cannot be made.

    Decks that no step of the setup takes from lie beside it, shuffled; without a setup all do, as piles on the table.
    """
    deal = deal_cards(game, players, seed, way)
    if isinstance(deal, Problem):
        return None
    titles = {name: deck.title for name, deck in game.decks.items()}
    heads = {} if game.setup is None else {column.key: column.title for column in game.setup.columns}
    for part in game.setup.all_variants.values() if game.setup is not None else ():
        heads |= {column.key: column.title for column in part.columns}
    decks = [deck for deck in game.decks.values() if is_on_the_table(game, deck)]
    taken = {card.deck for holding in (*deal.places, *deal.removed, *deal.left) for card in holding.cards}
    others = [_pile(game, deck, players, seed) for deck in decks if deck.id not in taken]
    rest = [*(one for one in deal.left if is_on_the_table(game, game.decks[one.place])), *others]
    keys: dict[str, int] = {}
    places = [
        *_places(deal.places, keys, "", heads),
        *_places(deal.removed, keys, "removed", heads),
        *_places(rest, keys, "left" if game.setup is not None else "", titles),
    ]
    return {"places": places, "cards": list(keys)}


def is_on_the_table(game: Game, deck: Deck) -> bool:
    """Return whether a deck is played with: it is no sheet, no box, and not filled by a deal."""
    return bool(deck.cards) and deck.is_component and not deck.is_dealt and deck.id not in game.packaging


def _pile(game: Game, deck: Deck, players: int, seed: str) -> Holding:
    times = players if deck.is_per_player else 1
    cards = [CardRef(deck.id, card.id) for card in deck.cards for _ in range(card.copies * times)]
    Chance(seed, game.id, players, "", f"deck {deck.id} 0").shuffle(cards)
    return Holding(deck.id, "pile", Each.NOBODY, 0, tuple(cards))


def _places(
    holdings: Iterable[Holding], keys: dict[str, int], what: str, titles: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    for holding in holdings:
        if holding.cards:
            yield {
                "name": titles.get(holding.place, holding.place),
                "kind": str(holding.kind),
                "seat": holding.seat,
                "number": holding.number,
                "what": what,
                "cards": [keys.setdefault(f"{one.deck}/{one.card}", len(keys)) for one in holding.cards],
            }
