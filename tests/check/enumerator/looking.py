"""What the expressions of a random setup see: from a seat, a team or a numbered place, in one state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from duckpress.model.setup import Amount, Step
from enumerator.evaluating import evaluate, named_places
from enumerator.laying import Card, OwnDeck, State, cards_at
from enumerator.ways_to_play import Rules, at_count

_WORDS = {"player": "seat", "team": "team", "number": "nth"}


@dataclass(frozen=True)
class Play:
    rules: Rules
    decks: Mapping[str, OwnDeck]
    players: int
    way: tuple[str, ...]

    @cached_property
    def steps(self) -> list[Step]:
        return self.rules.steps_of(self.way)

    @cached_property
    def _each(self) -> dict[str, str]:
        each = {step.place: step.each for step in reversed(self.steps)}
        return each | {deck.name: "player" if deck.is_per_player else "" for deck in self.decks.values()}

    def each_of(self, name: str) -> str:
        """Return what has a deck or place of its own; "" for a common one."""
        return self._each.get(name, "")

    def card(self, card: Card) -> Mapping[str, Any]:
        return self.decks[card[0]].cards[card[2]]


@dataclass(frozen=True)
class Look:
    """A state, seen from somewhere."""

    play: Play
    state: State
    seat: int = 0
    team: int = 0
    nth: int = 0
    taken_of: Mapping[str, Any] | None = None  # the card that a condition is tried on
    drawn: Card | None = None  # the card for which others are taken

    def at(self, each: str, number: int) -> Look:
        """Return what is seen from one of the places that players, teams or numbers have."""
        return replace(self, **{_WORDS[each]: number}) if each else self

    def value(self, text: str) -> Any:
        return evaluate(text, self._lookup)

    def number(self, amount: Amount) -> int:
        return int(self.value(at_count(amount, self.play.players)))

    def holds(self, where: str, card: Card) -> bool:
        """Return whether a condition holds for a card; a card of no deck is one that is put there as it is wanted."""
        return not card[0] or bool(replace(self, taken_of=self.play.card(card)).value(where))

    def numbers_of(self, each: str, number: Amount | None) -> list[int]:
        """Return which places there are of those that each player, each team, or so many have."""
        seats = range(1, self.play.players + 1)
        if each == "team":
            return sorted({self.team_of(seat) for seat in seats})
        if number is not None:
            return list(range(1, self.number(number) + 1))
        return list(seats) if each == "player" else [0]

    def team_of(self, seat: int) -> int:
        return int(replace(self, seat=seat).value(self.play.rules.teams.text))

    def own(self, name: str) -> int:
        """Return which of the places of a name is meant here: the own one, or the first."""
        each = self.play.each_of(name)
        if each == "team":
            return self.team or self.team_of(self.seat or 1)
        if each == "number":
            return self.nth or 1
        return (self.seat or 1) if each == "player" else 0

    def views(self, texts: list[str]) -> list[Look]:
        """Return the state as everybody sees it whose places expressions name."""
        names = set().union(*map(named_places, texts))
        steps: dict[str, Step] = {}
        for step in self.play.steps:
            if step.place in names and step.each and step.each == self.play.each_of(step.place):
                steps.setdefault(step.each, step)
        if "player" in steps:
            steps.pop("team", None)
        views = [self]
        for each, step in steps.items():
            views = [view.at(each, number) for view in views for number in view.numbers_of(each, step.instances)]
        return views

    def cards(self, name: str, where: str | None = None) -> dict[Card, int]:
        """Return all cards of a deck, or those at a place."""
        if name in self.play.decks:
            deck = self.play.decks[name]
            owner = deck.sets(self.play.players)[0]
            cards = {(name, owner, at): int(card["copies"]) for at, card in enumerate(deck.cards)}
        else:
            cards = cards_at(self.state, ("place", name, self.own(name)))
        return {card: n for card, n in cards.items() if where is None or self.holds(where, card)}

    def _size(self, name: str) -> int:
        if any(cell == ("place", name, self.own(name)) for cell, _ in self.state):
            return sum(self.cards(name).values())
        return self._gone(name)

    def _gone(self, name: str) -> int:
        return sum(cards_at(self.state, ("gone", name, 0)).values())

    def _in_box(self, deck: str) -> int:
        return sum(n for cell, cards in self.state if cell[:2] == ("deck", deck) for _, n in cards)

    def _taken(self, deck: str) -> int:
        mine = self.play.decks[deck]
        each = sum(int(card["copies"]) for card in mine.cards)
        return each * len(mine.sets(self.play.players)) - self._in_box(deck)

    def _lookup(self, name: str) -> Any:
        play = self.play
        known: dict[str, Callable[[], Any]] = {
            "players": lambda: play.players,
            "modules": lambda: [part.id for part in play.rules.played(play.way) if part.is_module],
            "variant": lambda: next((p.id for p in play.rules.played(play.way) if not p.is_module), ""),
            "seat": lambda: self.seat,
            "team": lambda: self.team or self.team_of(self.seat),
            "nth": lambda: self.nth,
            "card": lambda: SimpleNamespace(**(self.taken_of or {})),
            "drawn": lambda: SimpleNamespace(**play.card(self.drawn)) if self.drawn else None,
            "min": lambda: min,
            "max": lambda: max,
            "count": lambda: lambda of, where=None: sum(self.cards(of, where).values()),
            "sum": lambda: (
                lambda of, field, where=None: sum(
                    play.card(card)[field] * n for card, n in self.cards(of, where).items()
                )
            ),
            "distinct": lambda: (
                lambda of, field, where=None: len({play.card(card)[field] for card in self.cards(of, where)})
            ),
            "taken": lambda: self._taken,
            "left": lambda: lambda of: self._in_box(of) if of in play.decks else self._size(of),
            "removed": lambda: lambda of: self._gone(f"-{of}"),
            "total": lambda: (
                lambda of: sum(n for cell, cards in self.state if cell[:2] == ("place", of) for _, n in cards)
            ),
        }
        if name in known:
            return known[name]()
        if name in play.rules.seats.relations:
            return (self.value(play.rules.seats.relations[name].expression.text) - 1) % play.players + 1
        if name in play.rules.setup.values:
            return replace(self, seat=0).value(at_count(play.rules.setup.values[name].amount, play.players))
        return self._size(name)
