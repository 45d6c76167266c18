"""What running the steps of a setup on counts comes to: states, and what falls short or stops in some of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from random import Random

from msgspec import Struct, field

from duckpress.check.setup.counting import CardKey
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.tabletop import Tabletop
from duckpress.check.setup.telling_apart import Kinds
from duckpress.core.problems import Problem, Source
from duckpress.model.setup import Step, Take

TRIES = 400  # states drawn at random where there are more than are worked out
FEWER_TRIES = 100  # where half of the steps are used up
REMOVAL = -1  # stands for the origin of moves that are removals

GroupId = tuple[int, int, int, CardKey | None]
"""Moves that are served from the same cards: moment, origin, the first one's goal, and the card they are taken for."""


class State(Struct, frozen=True):
    """How the cards may lie, how likely that is, and what was chosen on the way."""

    top: Tabletop
    weight: Fraction
    picks: tuple[str, ...] = ()


class Falling(Struct):
    """Moves that need more than is there, in some states or in all."""

    step: Step
    take: Take | None  # None: a removal
    group: GroupId
    states: list[tuple[State, int, int]] = field(default_factory=list)  # with what is needed and what there is
    of: list[State] = field(default_factory=list)  # all the states of that moment
    ended: list[State] = field(default_factory=list)  # those in which an earlier take ended the deal
    keys: frozenset[CardKey] | None = None
    each: int | None = None
    is_all: bool = False
    goals: tuple[int, ...] = ()

    @property
    def is_certain(self) -> bool:
        """Whether no deal that gets as far as this gets past it."""
        return is_all_of([state for state, _, _ in self.states], self.of)

    @property
    def deficit(self) -> int:
        """How many cards there are too few, at worst."""
        return max(need - supply for _, need, supply in self.states)


class Repairs(Struct):
    """What is tried so that a setup has enough: more copies, more cards at a place, or takes that get what there is."""

    extra: dict[tuple[str, int], int] = field(default_factory=dict)
    put: dict[GroupId, int] = field(default_factory=dict)
    waived: set[GroupId] = field(default_factory=set)
    tainted: set[str] = field(default_factory=set)


class Trouble(Struct):
    """What stops the computing in some states, or is found in some, with the states."""

    problem: Problem | None
    states: list[State] = field(default_factory=list)
    of: list[State] = field(default_factory=list)
    ended: list[State] = field(default_factory=list)
    place: Source | None = None
    excess: int = 0  # of cards, where there is no room for them


class StepsRun(Struct):
    """One run of the steps, with repairs."""

    book: Book
    players: int
    variant: str | None
    repairs: Repairs
    goes_on: bool  # where a step needs more than there is, it gets what there is; else a deal ends there
    is_guess: bool = False  # one draw stands for all of them, up to the first look at the cards that were drawn
    is_rough: bool = False  # fewer draws are tried
    states: list[State] = field(default_factory=list)
    falling: dict[GroupId, Falling] = field(default_factory=dict)
    served: dict[GroupId, list[State]] = field(default_factory=dict)  # the states in which moves were looked at
    spare: dict[GroupId, int] = field(default_factory=dict)  # what there is beyond what they need, at worst
    troubles: dict[tuple[object, ...], Trouble] = field(default_factory=dict)
    ended: list[State] = field(default_factory=list)  # in which a take or removal needs more than there is
    ended_at: int = -1  # the last moment at which a deal ends so
    used: set[CardKey] = field(default_factory=set)  # every card that a draw from its deck may have taken
    carried_out: set[int] = field(default_factory=set)  # by id: the steps that happen in some state
    giving: set[int] = field(default_factory=set)  # by id: the entries of `take` that take a card in some state
    formed: set[str] = field(default_factory=set)
    draws: dict[str, list[tuple[int, Step]]] = field(default_factory=dict)  # origin -> random draws
    open_names: set[str] = field(default_factory=set)  # decks and places from which cards were drawn unseen
    moved: int = 0  # cards that all steps take together, at most
    tries: int = TRIES
    tried: int = 0  # draws at random; 0 where all of them are worked out
    moment: int = -1
    kinds: Kinds = field(default=None)  # type: ignore[assignment]
    random: Random = field(default=None)  # type: ignore[assignment]
    guessed: set[str] = field(default_factory=set)  # decks and places whose cards hang on which draw it is
    guesses: int = 0
    is_sure: bool = True  # what came out is so in every draw, as far as it is guessed
    used_parts: set[tuple[str, int, frozenset[CardKey] | None]] = field(default_factory=set)  # what `used` has of decks

    @property
    def is_complete(self) -> bool:
        """Whether there is a state in which every step could be computed."""
        return bool(self.states)

    @property
    def hopeless(self) -> int | None:
        """The moment at which the last deals end for want of cards; None where some get through, or stop otherwise."""
        is_stopped = any(key[0] == "stopped" for key in self.troubles)
        return self.ended_at if self.ended and not self.states and not is_stopped else None

    def look(self, names: Collection[str]) -> None:
        """Note that somebody looks at the cards of decks and places."""
        self.is_sure &= not self.guessed.intersection(names)

    def guess(self, names: Collection[str]) -> None:
        """Note that which cards lie at these decks and places hangs on which draw it is."""
        self.guessed.update(names)
        self.is_sure &= all(map(self.kinds.may_wait, names))  # else nobody knows when somebody looks

    def scene(self, state: State) -> Scene:
        """Return what expressions see in a state."""
        return Scene(self.book, self.players, self.variant, state.top)

    def going_on(self, states: list[State], moment: int) -> list[State]:
        """Return those states in which a deal goes on, and note the others."""
        if self.goes_on or not any(state.top.is_short for state in states):
            return states
        self.ended += [state for state in states if state.top.is_short]
        self.ended_at = moment
        return [state for state in states if not state.top.is_short]


def short(state: State) -> State:
    """Return a state in which the step under way needs more than there is."""
    top = state.top.copy()
    top.is_short = True
    return State(top, state.weight, state.picks)


def is_all_of(states: Sequence[State], of: Sequence[State]) -> bool:
    """Return whether some states of a moment are all of them; what is tried beside random draws has no weight."""
    weight, every = sum(state.weight for state in states), sum(state.weight for state in of)
    return weight == every and (bool(weight) or len(states) == len(of))


def merged_states(states: list[State]) -> list[State]:
    """Return states with those that are the same as one."""
    if len(states) < 2:
        return states
    same: dict[object, State] = {}
    cards: dict[int, object] = {}
    for state in states:
        key = (state.top.key(cards), state.picks)
        known = same.get(key)
        same[key] = state if known is None else State(known.top, known.weight + state.weight, known.picks)
    return list(same.values())
