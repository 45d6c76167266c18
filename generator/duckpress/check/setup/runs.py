"""The runs of a setup: at every player count, in the basic game and in every variant, each with all its shortages.

A shortage is found where a run first falls short. What is lacking is then added, by trying, so that the run goes on as
if it were there; what falls short after that is a shortage of its own. So every number of cards to add was tried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from duckpress.check.occurrences import Occurrences
from duckpress.check.setup.repairing import fall_apart, lower, repaired, repaired_together
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.shortages import Shortage, alike
from duckpress.check.setup.steps import run_steps
from duckpress.check.setup.steps_run import REMOVAL, GroupId, Repairs, State, StepsRun, Trouble
from duckpress.check.setup.tabletop import Tabletop

MOST_SHORTAGES = 40


class SetupRun(Struct):
    """What the steps came to, once all that is lacking was added; and what was lacking."""

    players: int
    variant: str | None
    steps: StepsRun
    shortages: list[Shortage]
    _enough: StepsRun | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the steps could be computed; else nothing after the one that could not means anything."""
        return self.steps.is_complete

    @property
    def is_known(self) -> bool:
        """Whether what came out means anything: all that was lacking could be added."""
        return self.is_complete and not self.steps.repairs.tainted

    @property
    def with_enough(self) -> StepsRun | None:
        """What the steps come to in those draws and choices in which nothing falls short; None where it always does."""
        if self._enough is None:
            if not any(len(one.falling.states) < len(one.falling.of) for one in self.shortages):
                return None
            repairs = Repairs(is_enough_only=True)
            self._enough = run_steps(self.steps.book, self.players, self.variant, repairs)
        return self._enough if self._enough.is_complete else None

    @property
    def all_steps(self) -> list[StepsRun]:
        """What the steps come to with all that was lacking, and where nothing falls short in some draws only."""
        return [self.steps, self.with_enough] if self.with_enough is not None else [self.steps]

    @property
    def states(self) -> Sequence[State]:
        """How the cards may lie in the end."""
        return self.steps.states

    @property
    def top(self) -> Tabletop:
        """One way in which the cards may lie in the end."""
        return self.steps.states[0].top

    @property
    def scene(self) -> Scene:
        """What expressions see there."""
        return self.scene_of(self.steps.states[0])

    @property
    def carried_out(self) -> set[int]:
        """The steps that happen, by id."""
        return self.steps.carried_out

    @property
    def troubles(self) -> list[Trouble]:
        """What else is wrong, in some states or in all."""
        return list(self.steps.troubles.values())

    def scene_of(self, state: State) -> Scene:
        """Return what expressions see in a state, after which nothing moves any more."""
        return self.steps.scene(state).settled()

    def is_short_of(self, origin: str) -> bool:
        """Return whether a deck or place falls short here."""
        return any(shortage.origin == origin for shortage in self.shortages)


class Runs(Struct):
    """The runs of a book's setup, each worked out once."""

    book: Book
    is_partial: bool = False  # the steps were used up before every combination of variants and modules was run
    occurrences: Occurrences = field(default_factory=Occurrences)
    _runs: dict[tuple[int, str | None], SetupRun] = field(default_factory=dict)

    def run(self, players: int, variant: str | None) -> SetupRun:
        """Return the run at a player count; None is the basic game."""
        if (players, variant) not in self._runs:
            self._runs[players, variant] = _run_setup(self.book, players, variant)
        return self._runs[players, variant]

    def of_variant(self, variant: str | None) -> list[SetupRun]:
        """Return the runs at every player count of the game."""
        return [self.run(players, variant) for players in self.book.counts_of(variant)]

    def used(self) -> Mapping[tuple[str, int], set[int]] | None:
        """Return the player counts at which a step may take a card, for each deck and position that any may take.

        In the basic game or in any variant; None where a run broke off, or not all were run.
        """
        if self.is_partial:
            return None
        counts = self.book.game.players
        runs = [self.run(players, way) for players in counts for way in self.book.combinations(players)]
        if not all(run.is_complete for run in runs):
            return None
        used: dict[tuple[str, int], set[int]] = {}
        for run in runs:
            for key in run.steps.used:
                if key.position < len(self.book.game.decks[key.deck].cards):
                    used.setdefault((key.deck, key.position), set()).add(run.players)
        return used


def _order(group: GroupId) -> tuple[int, bool, int]:
    """Return what sorts moves by when they happen: what a step removes comes after all that it takes."""
    return group[0], group[1] == REMOVAL, group[2]


def _run_setup(book: Book, players: int, variant: str | None) -> SetupRun:
    run = run_steps(book, players, variant, Repairs())
    shortages: list[Shortage] = []
    hopeless: set[int] = set()
    while run.falling and len(shortages) < MOST_SHORTAGES:
        ordered = [run.falling[group] for group in sorted(run.falling, key=_order)]
        together = [Shortage(falling, run) for falling in fall_apart(run, ordered)[: MOST_SHORTAGES - len(shortages)]]
        if together and (mended := repaired_together(run, together)) is not None:
            is_hopeless = ordered[0].group[0] in run.hopeless | hopeless
            hopeless |= {ordered[0].group[0]} & run.hopeless
            for shortage in together:
                shortage.is_certain = is_hopeless
            shortages += together
            run = run_steps(book, players, variant, mended)
            continue
        falling = ordered[0]
        group = falling.group
        hopeless |= {group[0]} & run.hopeless  # what comes after it, may be otherwise once it is repaired
        shortage = Shortage(falling, run, is_certain=group[0] in hopeless)
        repairs = repaired(run, shortage)
        if shortage.to_add is None and shortage.is_unheard_of:
            shortage.to_add = falling.deficit  # what such a card is like cannot be tried
            repairs.waived.add(group)
        elif shortage.to_add is None:
            repairs.waived.add(group)
            repairs.tainted |= book.reached_from(falling.step.place, variant)
        shortages.append(shortage)
        run = run_steps(book, players, variant, repairs)
    if run.falling:
        run.repairs.tainted.update(falling.step.place for falling in run.falling.values())
    lower(run, shortages)
    return SetupRun(players, variant, run, alike(shortages))
