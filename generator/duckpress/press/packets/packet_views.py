"""What a deal's printed matter may know: everything for the host, and for a player only what that player is told.

A view is plain data. A private layout is filled with its player's view and can therefore show nothing else, whatever
is written in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from duckpress.check import CardRef, Deal, Holding, Seat
from duckpress.layout.templates.template_context import card_values
from duckpress.model import Card, Game, Piece


def filled(game: Game, piece: Piece, deal: Deal, seat: Seat | None) -> Game:
    """Return the game with a piece's dealt decks filled, for the host or for the player at a seat.

    The dealt decks of other pieces stay empty: no layout can look into them.
    """
    view: Mapping[str, Any] = host_view(game, deal) if seat is None else player_view(game, deal, seat)
    card_id = "host" if seat is None else seat_id(deal, seat.number)
    decks = dict(game.decks)
    for name in piece.decks:
        deck = decks[name]
        decks[name] = replace(deck, cards=(Card(card_id, name, {"deal": view}, 1, deck.source, {}),))
    return replace(game, decks=decks)


def seat_id(deal: Deal, number: int) -> str:
    """Return `seat-03`: numbers of one length, so that files stand in order."""
    return f"seat-{number:0{max(2, len(str(deal.players)))}}"


def player_view(game: Game, deal: Deal, seat: Seat) -> dict[str, Any]:
    """Return what the player at a seat is told: who sits where, the hands told of, and what lies open to everybody."""
    common = {place: _place(game, deal, place, 0) for place, seats in seat.knows.items() if not seats}
    you = _seat(seat) | {"told": _told(game, deal, seat)}
    return _table(deal) | {"seats": [_seat(one) for one in deal.seats], "you": you, "places": common}


def host_view(game: Game, deal: Deal) -> dict[str, Any]:
    """Return everything: the seed, every place, who is told what and by whom each place is known."""
    seats = []
    for seat in deal.seats:
        own = {held.place: _cards(game, held.cards) for held in deal.places if held.seat == seat.number}
        knowers = {
            place: [other.number for other in deal.seats if seat.number in other.knows[place]]
            for place, told in seat.knows.items()
            if told
        }
        seats.append(_seat(seat) | {"places": own, "told": _told(game, deal, seat), "knowers": knowers})
    return _table(deal) | {
        "seed": deal.seed,
        "seats": seats,
        "places": {held.place: _cards(game, held.cards) for held in deal.places if not held.seat},
        "removed": _joined(game, deal.removed),
        "left": _joined(game, deal.left),
    }


def _table(deal: Deal) -> dict[str, Any]:
    return {"players": deal.players, "variant": deal.variant}


def _seat(seat: Seat) -> dict[str, Any]:
    return {**seat.relations, "seat": seat.number, "player": seat.player}


def _told(game: Game, deal: Deal, seat: Seat) -> list[dict[str, Any]]:
    """Return the places the player at a seat is told of, in the order of the setup, each with its cards."""
    return [
        {
            "place": place,
            "seat": number,
            "player": deal.seats[number - 1].player,
            "cards": _place(game, deal, place, number),
        }
        for place, seats in seat.knows.items()
        for number in seats
    ]


def _place(game: Game, deal: Deal, place: str, seat: int) -> list[dict[str, Any]]:
    found = (held.cards for held in deal.places if (held.place, held.seat) == (place, seat))
    return _cards(game, next(found, ()))


def _joined(game: Game, holdings: Iterable[Holding]) -> dict[str, list[dict[str, Any]]]:
    joined: dict[str, list[dict[str, Any]]] = {}
    for held in holdings:
        joined.setdefault(held.place, []).extend(_cards(game, held.cards))
    return joined


def _cards(game: Game, refs: Iterable[CardRef]) -> list[dict[str, Any]]:
    return [_card(game, ref) for ref in refs]


def _card(game: Game, ref: CardRef) -> dict[str, Any]:
    deck = game.decks[ref.deck]
    card = next(card for card in deck.cards if card.id == ref.card)
    return card_values(card, deck) | {"deck": ref.deck}
