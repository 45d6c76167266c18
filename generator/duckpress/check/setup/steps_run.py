"""The results of running a setup's steps on counts: states, shortages in some of them, and random draws.

Who draws cards unseen from a pile leaves cards that nobody knows: only their number is noted (`GONE`). Which ones they
were is worked out where somebody looks, for all such draws from the pile at once: that is the same, and far less.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from math import comb
from random import Random
from typing import NamedTuple

from msgspec import Struct, field

from duckpress.check.setup.card_classes import CardClasses, anonymous
from duckpress.check.setup.counting import (
    GONE,
    SOME,
    CardKey,
    Contents,
    Hand,
    hands,
    number_of_hands,
    random_hand,
    uneven_hands,
)
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.tabletop import Tabletop
from duckpress.core.problems import Level, Problem, Source
from duckpress.model.setup import Step, Take

TRIES = 400  # states drawn at random where there are more than are worked out
FEWER_TRIES = 100  # where half of the steps are used up
REMOVAL = -1  # stands for the origin of moves that are removals

GroupId = tuple[int, int, int, CardKey | None]
"""Moves that are served from the same cards: moment, origin, the first one's goal, and the card they are taken for."""
_UNEVEN = 60
_LARGEST = 10_000  # so many draws can be told in full
_MOST_LINES = 3  # that are told


class State(Struct, frozen=True):
    """A possible arrangement of the cards, its probability, and the choices that lead to it."""

    top: Tabletop
    weight: Fraction
    picks: tuple[str, ...] = ()

    def copy(self, chance: Fraction = Fraction(1)) -> State:
        """Return a copy with its own tabletop, and its probability multiplied by `chance`."""
        return State(self.top.copy(), self.weight * chance, self.picks)


class Falling(Struct):
    """Moves that need more cards than there are, in some states or in all."""

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
        """Whether every deal that gets this far ends here."""
        return is_all_of([state for state, _, _ in self.states], self.of)

    @property
    def deficit(self) -> int:
        """The number of missing cards, at worst."""
        return max(need - supply for _, need, supply in self.states)


class Repairs(Struct):
    """Changes that are tried against shortages: more copies, more cards at a place, or takes that get what there is."""

    extra: dict[tuple[str, int], int] = field(default_factory=dict)
    put: dict[GroupId, int] = field(default_factory=dict)
    waived: set[GroupId] = field(default_factory=set)
    tainted: set[str] = field(default_factory=set)


class Trouble(Struct):
    """A problem that stops the computation in some states, or is found in some, with the states."""

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
    is_guess: bool  # one draw stands for all of them, up to the first look at the cards that were drawn
    tries: int  # draws at random, where there are more than are worked out
    states: list[State]
    kinds: CardClasses
    random: Random
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
    tried: int = 0  # draws at random; 0 where all of them are worked out
    moment: int = -1
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
        """The moment at which the last deals end for lack of cards; None if some succeed, or stop otherwise."""
        is_stopped = any(key[0] == "stopped" for key in self.troubles)
        return self.ended_at if self.ended and not self.states and not is_stopped else None

    def look(self, names: Collection[str]) -> None:
        """Note that the cards of these decks and places matter."""
        self.is_sure &= not self.guessed.intersection(names)

    def guess(self, names: Collection[str]) -> None:
        """Note that the cards at these decks and places depend on the guessed draw."""
        self.guessed.update(names)
        self.is_sure &= all(map(self.kinds.may_wait, names))  # else nobody knows when somebody looks

    def scene(self, state: State) -> Scene:
        return Scene(self.book, self.players, self.variant, state.top)

    @property
    def scenes(self) -> list[Scene]:
        """The final scene of each state."""
        return [self.scene(state).settled() for state in self.states]

    @property
    def first_scene(self) -> Scene:
        return self.scene(self.states[0]).settled()

    def going_on(self, states: list[State], moment: int) -> list[State]:
        """Return the states in which a deal goes on, and note the others."""
        if self.goes_on or not any(state.top.is_short for state in states):
            return states
        self.ended += [state for state in states if state.top.is_short]
        self.ended_at = moment
        return [state for state in states if not state.top.is_short]


def is_all_of(states: Sequence[State], of: Sequence[State]) -> bool:
    """Return whether some states are all states of a moment; samples tried besides random draws weigh nothing."""
    weight, every = sum(state.weight for state in states), sum(state.weight for state in of)
    return weight == every and (bool(weight) or len(states) == len(of))


def merged_states(states: list[State]) -> list[State]:
    """Return states, with equal ones merged."""
    if len(states) < 2:
        return states
    same: dict[object, State] = {}
    cards: dict[int, object] = {}
    for state in states:
        key = (state.top.key(cards), state.picks)
        known = same.get(key)
        same[key] = state if known is None else State(known.top, known.weight + state.weight, known.picks)
    return list(same.values())


class Draw(NamedTuple):
    """Cards drawn from a place: which (None: any), how many, and whether later steps distinguish them."""

    keys: frozenset[CardKey] | None
    number: int
    moment: int  # from which on kinds count
    is_watched: bool  # where they come to
    is_origin_watched: bool
    is_chosen: bool
    states: int  # that are worked out beside this one
    may_wait: bool = False  # which ones it takes may be worked out later


def outcomes(
    run: StepsRun, state: State, contents: Contents, draw: Draw
) -> Iterator[tuple[Contents, Contents, Fraction, bool]]:
    """Yield the drawn and the remaining cards, the probability, and whether it is one choice among several."""
    run.book.spend(1 + len(contents) // 8)
    part = contents if draw.keys is None else {key: n for key, n in contents.items() if key in draw.keys}
    size = sum(part.values())
    number = min(draw.number, size)
    if number == 0:
        yield {}, contents, Fraction(1), False
        return
    if draw.may_wait and number < size and (GONE in contents or len(run.kinds.merged(contents, draw.moment)) > 1):
        yield {SOME: number}, {**contents, GONE: contents.get(GONE, 0) - number}, Fraction(1), False
        return
    rest = {key: n for key, n in contents.items() if key not in part}
    if GONE in part:
        part = anonymous(part)
    if number < size and not draw.is_origin_watched and not draw.is_chosen:
        # Whichever cards these are, they are drawn at random; nobody will look at them.
        taken: Contents = {}
        for key, count in part.items():
            taken[key] = min(count, number - sum(taken.values()))
        yield {SOME: number}, _rest(part, taken, rest), Fraction(1), False
        return
    if number < size and len(part) > 1:
        part, rest = run.kinds.merged(part, draw.moment), run.kinds.merged(rest, draw.moment)
    if number == size or len(part) == 1:
        taken = dict(part) if number == size else {next(iter(part)): number}
        yield taken, _rest(part, taken, rest), Fraction(1), False
        return
    kinds = list(part)
    for hand, chance, is_pick in _hands(run, state, list(part.values()), number, draw):
        taken = {kind: n for kind, n in zip(kinds, hand, strict=True) if n}
        yield taken, _rest(part, taken, rest), chance, is_pick


def _rest(part: Contents, taken: Contents, others: Contents) -> Contents:
    left = dict(others)
    for kind, count in part.items():
        number = count - taken.get(kind, 0)
        if number:
            left[kind] = left.get(kind, 0) + number
    return left


def _hands(
    run: StepsRun, state: State, counts: Sequence[int], number: int, draw: Draw
) -> Iterator[tuple[Hand, Fraction, bool]]:
    """Yield hands with their probabilities, and whether each is a choice."""
    most = run.tries // draw.states
    if run.is_guess:
        run.guesses += 1
        yield random_hand(counts, number, run.random), Fraction(1), False
        return
    ways = number_of_hands(counts, number, most)
    run.book.spend(1 + min(ways, most))
    if ways <= most:
        whole = comb(sum(counts), number)
        for hand, chances in hands(counts, number):
            yield hand, Fraction(1, ways) if draw.is_chosen else Fraction(chances, whole), draw.is_chosen
        return
    run.tried = run.tries
    tries = max(1, round(state.weight * run.tries)) if state.weight else 0
    run.book.spend(tries * (1 + len(counts) // 8))
    for _ in range(tries):
        yield random_hand(counts, number, run.random), Fraction(1, tries), draw.is_chosen
    # Where there are many states already, only those go on unevenly that were uneven before.
    uneven = max(2, _UNEVEN // draw.states) if draw.states <= run.tries else int(not state.weight)
    for hand in uneven_hands(counts, number)[:uneven]:
        yield hand, Fraction(0), draw.is_chosen


def settled(run: StepsRun, states: list[State], names: Collection[str], moment: int) -> list[State]:
    """Return states with the unseen draws from these decks and places resolved."""
    names = run.open_names.intersection(names)
    if not names:
        return states
    run.is_sure &= not run.is_guess
    after: list[State] = []
    for state in states:
        branches = [state]
        for is_deck, cells in ((True, state.top.decks), (False, state.top.places)):
            for cell in [cell for cell, cards in cells.items() if cell[0] in names and GONE in cards]:
                branches = [
                    new for one in branches for new in _settled_cell(run, one, is_deck, cell, moment, len(states))
                ]
        after += branches
    return merged_states(after)


def _settled_cell(
    run: StepsRun, state: State, is_deck: bool, cell: tuple[str, int], moment: int, states: int
) -> Iterator[State]:
    contents = dict((state.top.decks if is_deck else state.top.places)[cell])
    number = -contents.pop(GONE)
    for _, rest, chance, _ in outcomes(run, state, contents, Draw(None, number, moment, False, True, False, states)):
        after = state.copy(chance)
        (after.top.decks if is_deck else after.top.places)[cell] = rest
        yield after


def as_certain(
    problem: Problem, states: Sequence[State], of: Sequence[State], ended: Sequence[State], *, tried: int
) -> Problem:
    """Return a problem of some states of a moment, worded by its certainty.

    In all of them it is what it is; else it is a `poor-choice`, with what has to be picked where it hangs on that, or
    an `unlucky-draw`, with the share of draws: of all draws, also those that `ended` before that moment.
    """
    every = [*of, *ended]
    if is_all_of(states, of):
        share = _share((), states, every)
        is_chosen = any(state.picks for state in every)  # what people choose has no share
        if is_chosen or not 0 < share < 1:
            return problem
        others = share_words(share, tried).replace("in ", "in the other ", 1)
        return problem._replace(what=f"{others}: {problem.what}")
    of = every
    shares = {picks: _share(picks, states, of) for picks in dict.fromkeys(state.picks for state in states)}
    picks, share = max(shares.items(), key=lambda entry: entry[1])
    for pick in picks:  # only those that it hangs on are told
        fewer = tuple(other for other in picks if other != pick)
        if _share(fewer, states, of) == share:
            picks = fewer
    words = [f"if {' and '.join(picks)}"] if picks else []
    if share < 1 or not picks:
        words.append(share_words(share, tried))
    level = Level.WARNING if problem.level is Level.ERROR else problem.level
    what = f"{', '.join(words)}: {problem.what}"
    certain = Problem("poor-choice" if picks else "unlucky-draw", problem.source, what, problem.fix, level)
    return problem._replace(code=certain.code, what=what, level=level)


def share_words(share: Fraction, tried: int) -> str:
    """Return a share of draws in words: `in 3 of 120 draws`; `tried` is the number of samples, 0 if it is exact."""
    if tried:
        count = round(share * tried)
        return f"in {count} of {tried} draws tried" if count else "in a draw that seldom comes"
    if share.denominator <= _LARGEST:
        return f"in {share.numerator} of {share.denominator} draws"
    return f"in {float(100 * share):.2g} % of draws"


def once_mended(problem: Problem, lines: Sequence[int]) -> Problem:
    """Return a problem that says it exists only once the steps in other lines have enough cards."""
    numbers = [str(line) for line in sorted(set(lines))]
    if not numbers:
        return problem
    words = f"lines {', '.join(numbers[:-1])} and {numbers[-1]} have" if numbers[1:] else f"line {numbers[0]} has"
    if len(numbers) > _MOST_LINES:
        words = "the steps before have"
    link = ", " if problem.code in ("unlucky-draw", "poor-choice") else ": "
    return problem._replace(what=f"once {words} enough{link}{problem.what}")


def _share(picks: Sequence[str], states: Sequence[State], of: Sequence[State]) -> Fraction:
    """Return the share of some states among all those with these choices."""
    wanted = set(picks)
    every = sum((state.weight for state in of if wanted <= set(state.picks)), Fraction(0))
    return sum((state.weight for state in states if wanted <= set(state.picks)), Fraction(0)) / (every or 1)
