"""The runs of a setup: at every player count, in the basic game and in every variant, each with all its shortages.

A shortage is found where a run first falls short. What is lacking is then added, by trying, so that the run goes on as
if it were there; what falls short after that is a shortage of its own. So every number of cards to add was tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec import Struct, field

from duckpress.check.findings import Occurrences
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.shortages import Shortage, alike, lower, repaired, repaired_together, split_shortages
from duckpress.check.setup.steps import run_steps
from duckpress.check.setup.steps_run import REMOVAL, Repairs, StepsRun
from duckpress.core.limits import limit

MOST_SHORTAGES = 40
_MOST_COUNTS = 3  # player counts may use up their steps
_COST_OF_A_RUN = 400  # steps, besides what it takes; combinations of parts have steps of their own


class SetupRun(Struct):
    """The result of a setup's steps: of the game as it is, or after repairs if every deal of it fails."""

    players: int
    variant: str | None
    steps: StepsRun
    shortages: list[Shortage]

    @property
    def is_mended(self) -> bool:
        """Whether every deal of the game as it is fails, so that missing cards were added."""
        return bool(self.shortages) and not self.steps.ended

    @property
    def mended_lines(self) -> list[int]:
        """The lines of the amounts for which missing cards were added."""
        return [shortage.source.line for shortage in self.shortages] if self.is_mended else []

    @property
    def is_known(self) -> bool:
        """Whether the result is meaningful: all missing cards could be added."""
        return self.steps.is_complete and not self.steps.repairs.tainted


class Runs(Struct):
    """The runs of a book's setup, cached."""

    book: Book
    is_partial: bool = False  # the steps were used up before every combination of variants and modules was run
    occurrences: Occurrences = field(default_factory=Occurrences)
    left: dict[int, int] | None = None  # of the steps of each player count, where each has as many as all together
    all_left: int = field(default_factory=lambda: _MOST_COUNTS * limit("setup-steps"))
    _runs: dict[tuple[int, str | None], SetupRun] = field(default_factory=dict)

    def run(self, players: int, variant: str | None) -> SetupRun:
        """Return the run at a player count; variant None is the base game."""
        if (players, variant) not in self._runs:
            with self.counting(players):
                self.book.spend(_COST_OF_A_RUN if self.left is not None else 0)
                self._runs[players, variant] = _run_setup(self.book, players, variant)
        return self._runs[players, variant]

    @contextmanager
    def counting(self, players: int) -> Iterator[None]:
        """Spend steps from the budget of a player count, and from the common budget of all."""
        if self.left is None:
            yield
            return
        budget, outer = self.book.calculator.budget, self.book.calculator.budget.steps_left
        given = budget.steps_left = min(self.left.get(players, limit("setup-steps")), self.all_left)
        try:
            yield
        finally:
            self.left[players] = budget.steps_left
            self.all_left -= given - budget.steps_left
            budget.steps_left = outer

    def of_variant(self, variant: str | None) -> list[SetupRun]:
        return [self.run(players, variant) for players in self.book.counts_of(variant)]

    def used(self) -> Mapping[tuple[str, int], set[int]] | None:
        """Return the player counts at which a step may take a card, for each takable deck and position.

        In the basic game or in any variant; None where a run broke off, or not all were run.
        """
        if self.is_partial:
            return None
        counts = self.book.game.players
        runs = [self.run(players, way) for players in counts for way in self.book.combinations(players)]
        if not all(run.steps.is_complete for run in runs):
            return None
        used: dict[tuple[str, int], set[int]] = {}
        for run in runs:
            for key in run.steps.used:
                if key.position < len(self.book.game.decks[key.deck].cards):
                    used.setdefault((key.deck, key.position), set()).add(run.players)
        return used


def _run_setup(book: Book, players: int, variant: str | None) -> SetupRun:
    as_is = run = run_steps(book, players, variant, Repairs())
    shortages: list[Shortage] = []
    while run.falling and len(shortages) < MOST_SHORTAGES:
        # What a step removes comes after all that it takes.
        groups = sorted(run.falling, key=lambda group: (group[0], group[1] == REMOVAL, group[2]))
        ordered = [run.falling[group] for group in groups]
        found = [Shortage(falling, run) for falling in split_shortages(run, ordered)[: MOST_SHORTAGES - len(shortages)]]
        repairs = repaired_together(run, found) if found else None
        if repairs is None:
            found = [Shortage(ordered[0], run)]
            repairs = _mended(book, run, found[0])
        for shortage in found:
            _set_figures(shortage, as_is, shortages)
        shortages += found
        run = run_steps(book, players, variant, repairs, is_rough=not as_is.is_complete)
    if run.falling:
        run.repairs.tainted.update(falling.step.place for falling in run.falling.values())
    lower(run, shortages)
    if not any(shortage.is_certain for shortage in shortages):
        # What other findings mend as well is told only where no deal of the game as it is gets through.
        last = [falling for group, falling in as_is.falling.items() if group[0] == as_is.hopeless]
        shortages += [Shortage(falling, as_is, to_add=0, is_certain=True) for falling in last]
    return SetupRun(players, variant, as_is if as_is.is_complete else run, alike(shortages))


def _mended(book: Book, run: StepsRun, shortage: Shortage) -> Repairs:
    """Return repairs that remove a shortage, or that ignore it if no number of cards removes it."""
    group, repairs = shortage.falling.group, repaired(run, shortage)
    if shortage.to_add is None and shortage.is_unheard_of:
        shortage.to_add = shortage.falling.deficit  # what such a card is like cannot be tried
        repairs.waived.add(group)
    elif shortage.to_add is None:
        repairs.waived.add(group)
        repairs.tainted |= book.reached_from(shortage.falling.step.place, run.variant)
    return repairs


def _set_figures(shortage: Shortage, as_is: StepsRun, earlier: Sequence[Shortage]) -> None:
    """Set the figures of a shortage for the game as it is, or note which other shortages come first."""
    group, falling = shortage.falling.group, shortage.falling
    shortage.is_certain = group[0] in {as_is.hopeless, *(one.falling.group[0] for one in earlier if one.is_certain)}
    if group in as_is.falling:
        shortage.falling, shortage.run = as_is.falling[group], as_is
    elif group in as_is.spare or as_is.is_complete or not (falling.is_certain and all(o.is_certain for o in earlier)):
        shortage.after, shortage.is_dealable = [one.source.line for one in earlier], as_is.is_complete
    else:
        shortage.is_certain = True
