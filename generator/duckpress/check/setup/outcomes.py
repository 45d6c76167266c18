"""What may come of drawing cards: every way to draw them with its probability, and draws put off until anybody looks.

Who draws cards unseen from a pile leaves cards that nobody knows: only their number is noted (`GONE`). Which ones they
were is worked out where somebody looks, for all such draws from the pile at once: that is the same, and far less.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

from duckpress.check.setup.counting import GONE, SOME, CardKey, Contents
from duckpress.check.setup.draws import Hand, hands, number_of_hands, random_hand, uneven_hands
from duckpress.check.setup.steps_run import State, StepsRun, merged_states
from duckpress.check.setup.telling_apart import anonymous

_UNEVEN = 60


class Draw(NamedTuple):
    """Cards that are drawn from a place: which (None: any), how many, and who looks at them afterwards."""

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
    """Yield what is drawn and what stays, with its probability, and whether it is a choice among several."""
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
    """Return states in which it is worked out which cards have been drawn unseen from these decks and places."""
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
        top = state.top.copy()
        (top.decks if is_deck else top.places)[cell] = rest
        yield State(top, state.weight * chance, state.picks)
