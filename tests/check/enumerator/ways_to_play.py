"""The ways to play a random setup, put together for the enumerator from what the program read of it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from duckpress.model.setup import Amount, Expectation, Expression, Seats, Setup, Step, Variant
from small_games import small_game


@dataclass(frozen=True)
class Rules:
    setup: Setup
    seats: Seats
    teams: Expression

    def ways(self, players: int) -> list[tuple[str, ...]]:
        """Return the ways to play at a player count: the basic game or one variant, with any modules that fit."""
        modules = [*self.setup.modules.values()]
        ways = []
        for first in [(), *((one,) for one in self.setup.variants.values())]:
            for size in range(len(modules) + 1):
                for chosen in combinations(modules, size):
                    played = (*first, *chosen)
                    names = {part.id for part in played}
                    if all(
                        (part.only is None or players in part.only)
                        and {name for name, _ in part.needs} <= names
                        and not {name for name, _ in part.excludes} & names
                        for part in played
                    ):
                        ways.append(tuple(part.id for part in played))
        return ways

    def played(self, way: tuple[str, ...]) -> list[Variant]:
        return [part for name, part in self.setup.all_variants.items() if name in way]

    def steps_of(self, way: tuple[str, ...]) -> list[Step]:
        """Return the steps in order: what replaces a place stands where it was first formed, other steps come last."""
        steps, last = list(self.setup.steps), list[Step]()
        for part in self.played(way):
            gone = {*(name for name, _ in part.drops), *(step.replaces for step in part.steps if step.replaces)}
            kept, placed = list[Step](), set[str]()
            for step in steps:
                if step.place in gone and step.place not in placed:
                    placed.add(step.place)
                    kept += [new for new in part.steps if new.replaces == step.place]
                if step.place not in gone:
                    kept.append(step)
            steps = kept
            last = [step for step in last if step.place not in gone]
            last += [step for step in part.steps if step.replaces is None]
        return steps + last

    def wishes_of(self, way: tuple[str, ...]) -> list[Expectation]:
        every = [*self.setup.expectations, *(wish for part in self.played(way) for wish in part.expectations)]
        return [wish for wish in every if wish.belongs_to is None or set(way or ("base",)) & set(wish.belongs_to)]


def at_count(amount: Amount, players: int) -> str:
    expression = amount.expression(players)
    assert expression is not None
    return expression.text


def read_rules(text: str) -> Rules:
    setup = small_game(text).setup
    assert setup is not None
    assert setup.seats is not None
    assert setup.seats.teams is not None
    return Rules(setup, setup.seats, setup.seats.teams)
