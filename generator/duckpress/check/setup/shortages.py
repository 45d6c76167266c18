"""Shortages: steps that need more cards than there are, and what is known of how many to add."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from duckpress.check.setup.counting import CardKey
from duckpress.check.setup.steps_run import Falling, State, StepsRun
from duckpress.check.setup.tabletop import each_of
from duckpress.core.problems import Source
from duckpress.model.amounts import Amount
from duckpress.model.setup import Each


class Shortage(Struct):
    """A step that needs more than there is, and the least number of cards with which it has enough."""

    falling: Falling
    run: StepsRun
    to_add: int | None = None  # copies of `card` in a deck, or cards more at the place; None: that cannot help
    card: CardKey | None = None  # a card of which copies were tried
    is_one_kind: bool = False  # it takes more of any other kind
    is_certain: bool = False  # whatever is drawn, this take falls short, of these cards or of others
    is_dealable: bool = False  # some deals of the game as it is get through
    after: list[int] = field(default_factory=list)  # the lines that have to be mended first for it to be one
    is_earlier: Source | None = None  # the step whose random draw comes before
    owners: list[int] = field(default_factory=list)  # whose cards fall short alike: players, teams or numbers
    is_unheard_of: bool = False  # a deck has no such card, and what one would be like cannot be known

    @property
    def is_only_counted(self) -> bool:
        """Whether what is lacking could not be tried, so that it is missing in what came out."""
        return self.card is None and self.to_add is not None and self.origin in self.run.book.game.decks

    @property
    def owner(self) -> tuple[Each, int]:
        """Whose cards fall short, or who is to get them; 0 where that is nobody's alone."""
        falling, run = self.falling, self.run
        if falling.take is not None and falling.group[1]:
            return each_of(run.book, falling.take.origin, run.variant), falling.group[1]
        return falling.step.each, falling.goals[0] if len(falling.goals) == 1 else 0

    @property
    def fitting(self) -> list[CardKey]:
        """The cards of its deck that the step may take."""
        keys = list(self.run.book.deck_part(self.origin, self.falling.group[1]).copies)
        return fitting_cards(self.run, self, self.falling.states[0][0], keys)

    @property
    def origin(self) -> str:
        """The deck or place that falls short."""
        falling = self.falling
        return falling.take.origin if falling.take is not None else falling.step.place

    @property
    def source(self) -> Source:
        """Where it is written how many are needed."""
        return self.run.scene(self.falling.states[0][0]).expression(self.amount).source

    @property
    def amount(self) -> Amount:
        """What says how many are needed."""
        falling = self.falling
        amount = falling.take.amount if falling.take is not None else falling.step.remove
        assert amount is not None
        return amount


def alike(shortages: list[Shortage]) -> list[Shortage]:
    """Return shortages, those of several seats that are the same as one."""
    first_of: dict[tuple[object, ...], Shortage] = {}
    for shortage in shortages:
        falling = shortage.falling
        _, need, supply = max(falling.states, key=lambda entry: entry[1] - entry[2])
        share = sum(state.weight for state, _, _ in falling.states) if len(falling.states) < len(falling.of) else 1
        # What is added to one player's set is in all of them: who lacks cards then, lacks more.
        own = shortage.owner if shortage.card is not None and shortage.card.seat else None
        key = (
            own,
            id(falling.step),
            id(falling.take),
            need,
            supply,
            shortage.to_add,
            share,
            falling.group[3],
            falling.each,
        )
        first = first_of.setdefault(key, shortage)
        if shortage.owner[1]:
            first.owners = sorted({*first.owners, shortage.owner[1]})
    return list(first_of.values())


def fitting_cards(run: StepsRun, shortage: Shortage, state: State, keys: list[CardKey]) -> list[CardKey]:
    """Return those cards that the step of a shortage may take."""
    falling = shortage.falling
    if falling.take is None or falling.take.where is None:
        return keys
    scene = run.scene(state).at(falling.step.each, falling.goals[0] or falling.group[1])
    if falling.group[3] is not None:
        scene = replace(scene, drawn=falling.group[3])
    fitting = scene.chosen(keys, falling.take.where)
    return [key for key in keys if key in fitting]
