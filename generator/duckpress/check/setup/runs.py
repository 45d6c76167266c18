"""The runs of a setup, each made once: at every player count, in the basic game and in every variant."""

from __future__ import annotations

from msgspec import Struct, field

from duckpress.check.rule_book import Book
from duckpress.check.setup.steps import SetupRun, run_steps


class Runs(Struct):
    """The runs of a book's setup, each worked out once."""

    book: Book
    _made: dict[tuple[int, str | None], SetupRun] = field(default_factory=dict)

    def run(self, players: int, variant: str | None) -> SetupRun:
        """Return the run at a player count; None is the basic game."""
        if (players, variant) not in self._made:
            self._made[players, variant] = run_steps(self.book, players, variant)
        return self._made[players, variant]

    def of_variant(self, variant: str | None) -> list[SetupRun]:
        """Return the runs at every player count of the game."""
        return [self.run(players, variant) for players in self.book.game.players]

    def at(self, players: int) -> list[SetupRun]:
        """Return the runs of the basic game and of every variant at a player count."""
        return [self.run(players, variant) for variant in (None, *self.book.setup.variants)]
