"""How cards may lie, as plain values: which of them are in the box and at each place, and every way to draw some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

Card = tuple[str, int, int]
"""A deck, whose set of it (0: there is one), and which of its cards."""
ANY: Card = ("", 0, 0)
"""A card that is put to a place, and fits whatever is asked."""
Cell = tuple[str, str, int]
"""`deck`, `place`, `gone` (removed, or put back into the box) or `room`, the name, and whose it is (0: everybody's)."""
Cards = tuple[tuple[Card, int], ...]
State = frozenset[tuple[Cell, Cards]]
Odds = dict[State, Fraction]


@dataclass(frozen=True)
class OwnDeck:
    """A deck: each of its cards with its copies and fields."""

    name: str
    cards: tuple[Mapping[str, Any], ...]
    is_per_player: bool = False

    def sets(self, players: int) -> list[int]:
        return list(range(1, players + 1)) if self.is_per_player else [0]


def at_start(decks: Mapping[str, OwnDeck], players: int) -> State:
    cells = {}
    for deck in decks.values():
        for owner in deck.sets(players):
            cards = {(deck.name, owner, at): int(card["copies"]) for at, card in enumerate(deck.cards)}
            cells["deck", deck.name, owner] = sorted_cards(cards)
    return frozenset(cells.items())


def sorted_cards(cards: Mapping[Card, int]) -> Cards:
    """Return cards as a value that is the same whenever the cards are."""
    return tuple(sorted((card, number) for card, number in cards.items() if number))


def changed(state: State, cells: Mapping[Cell, Mapping[Card, int]]) -> State:
    kept = [(cell, cards) for cell, cards in state if cell not in cells]
    return frozenset([*kept, *((cell, sorted_cards(cards)) for cell, cards in cells.items())])


def cards_at(state: State, cell: Cell) -> dict[Card, int]:
    """Return the cards at a place; none where it was not formed."""
    return next((dict(cards) for known, cards in state if known == cell), {})


def added(cards: Mapping[Card, int], more: Mapping[Card, int]) -> dict[Card, int]:
    """Return cards with more of them, or fewer where the number is less than nothing."""
    both = dict(cards)
    for card, number in more.items():
        both[card] = both.get(card, 0) + number
    return both


def draws(cards: Mapping[Card, int], number: int) -> Iterator[tuple[dict[Card, int], Fraction]]:
    """Yield every hand of so many of these cards, with its probability."""
    whole = comb(sum(cards.values()), number)
    for hand, ways in _hands(list(cards.items()), number):
        yield hand, Fraction(ways, whole)


def _hands(cards: list[tuple[Card, int]], number: int) -> Iterator[tuple[dict[Card, int], int]]:
    if not cards:
        if number == 0:
            yield {}, 1
        return
    (card, copies), others = cards[0], cards[1:]
    for drawn in range(max(0, number - sum(n for _, n in others)), min(copies, number) + 1):
        for hand, ways in _hands(others, number - drawn):
            yield ({card: drawn, **hand} if drawn else hand), ways * comb(copies, drawn)
