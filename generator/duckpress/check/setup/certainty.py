"""How certain a finding is: whether it occurs in every state of a run, in some draws, or after some choices."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from duckpress.check.setup.steps import TRIES, State
from duckpress.core.problems import Level, Problem

_LARGEST = 10_000  # so many draws can be told in full


def as_certain(problem: Problem, states: Sequence[State], of: Sequence[State], *, is_exact: bool) -> Problem:
    """Return a problem that occurs in some states of a moment, as certain as it is.

    In all of them it is what it is; else it is an `unlucky-draw`, with what has to be picked where it hangs on that.
    """
    if len(states) >= len(of):
        return problem
    failing, every = _by_picks(states), _by_picks(of)
    shares = {picks: weight / every[picks] if every.get(picks) else weight for picks, weight in failing.items()}
    picks, share = max(shares.items(), key=lambda entry: entry[1])
    is_choice = bool(picks) and (len(shares) < len(every) or len(set(shares.values())) > 1)
    words = [f"if {' and '.join(picks)}"] if is_choice else []
    if share < 1 or not is_choice:
        words.append(share_words(share, is_exact=is_exact))
    level = Level.WARNING if problem.level is Level.ERROR else problem.level
    what = f"{', '.join(words)}: {problem.what}"
    certain = Problem("unlucky-draw", problem.source, what, problem.fix, level)
    return certain._replace(game=problem.game, players=problem.players, variant=problem.variant)


def share_words(share: Fraction, *, is_exact: bool) -> str:
    """Return a share of draws as words: `in 3 of 120 draws`."""
    if not is_exact:
        tried = round(share * TRIES)
        return f"in {tried} of {TRIES} draws tried" if tried else "in a draw that seldom comes"
    if share.denominator <= _LARGEST:
        return f"in {share.numerator} of {share.denominator} draws"
    return f"in {float(100 * share):.2g} % of draws"


def _by_picks(states: Sequence[State]) -> dict[tuple[str, ...], Fraction]:
    weights: dict[tuple[str, ...], Fraction] = {}
    for state in states:
        weights[state.picks] = weights.get(state.picks, Fraction(0)) + state.weight
    return weights
