"""How certain a finding is: whether it occurs in every state of a run, in some draws, or after some choices."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from duckpress.check.setup.steps_run import State, is_all_of
from duckpress.core.problems import Level, Problem

_LARGEST = 10_000  # so many draws can be told in full
_MOST_LINES = 3  # that are told


def as_certain(
    problem: Problem, states: Sequence[State], of: Sequence[State], ended: Sequence[State], *, tried: int
) -> Problem:
    """Return a problem that occurs in some states of a moment, as certain as it is.

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
    """Return a share of draws as words: `in 3 of 120 draws`; `tried` are so many at random, 0 where it is exact."""
    if tried:
        found = round(share * tried)
        return f"in {found} of {tried} draws tried" if found else "in a draw that seldom comes"
    if share.denominator <= _LARGEST:
        return f"in {share.numerator} of {share.denominator} draws"
    return f"in {float(100 * share):.2g} % of draws"


def once_mended(problem: Problem, lines: Sequence[int]) -> Problem:
    """Return a problem that says that it is one only once the steps in other lines have enough."""
    numbers = [str(line) for line in sorted(set(lines))]
    if not numbers:
        return problem
    words = f"lines {', '.join(numbers[:-1])} and {numbers[-1]} have" if numbers[1:] else f"line {numbers[0]} has"
    if len(numbers) > _MOST_LINES:
        words = "the steps before have"
    link = ", " if problem.code in ("unlucky-draw", "poor-choice") else ": "
    return problem._replace(what=f"once {words} enough{link}{problem.what}")


def _share(picks: Sequence[str], states: Sequence[State], of: Sequence[State]) -> Fraction:
    """Return the share that some states have of all those in which these choices were made."""
    wanted = set(picks)
    every = sum((state.weight for state in of if wanted <= set(state.picks)), Fraction(0))
    return sum((state.weight for state in states if wanted <= set(state.picks)), Fraction(0)) / (every or 1)
