"""What happened in many games: how often each number came up."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field


class Tally(Struct):
    """What happened in many games: how often each number came up, by what it is the number of."""

    runs: int = 0
    unfinished: int = 0  # games that were broken off at the limit
    rounds: Counter[int] = field(default_factory=Counter)
    dry: dict[str, Counter[int]] = field(default_factory=dict)  # place -> round in which it first was (0: never)
    reshuffles: dict[str, Counter[int]] = field(default_factory=dict)
    left: dict[str, Counter[int]] = field(default_factory=dict)
    short: dict[str, Counter[int]] = field(default_factory=dict)  # place -> times that a step of it was not supplied
    events: dict[str, Counter[int]] = field(default_factory=dict)  # name -> times that it happened in a game
    looks: Counter[str] = field(default_factory=Counter)  # name -> times that it was looked at
    supplied: Counter[int] = field(default_factory=Counter)  # take that no round supplies -> cards left by the setup

    def add(self, other: Tally) -> None:
        """Add what happened in other games."""
        self.runs += other.runs
        self.unfinished += other.unfinished
        self.rounds.update(other.rounds)
        self.looks.update(other.looks)
        self.supplied.update(other.supplied)
        for name in ("dry", "reshuffles", "left", "short", "events"):
            mine: dict[str, Counter[int]] = getattr(self, name)
            for key, counter in getattr(other, name).items():
                mine.setdefault(key, Counter()).update(counter)


def note(counters: dict[str, Counter[int]], name: str, number: int) -> None:
    """Count that a number came up under a name."""
    if name not in counters:
        counters[name] = Counter()
    counters[name][number] += 1
