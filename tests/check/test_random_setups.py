"""Thousands of random setups: all that is told of them is held against everything that may come of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from enumerator.comparing import hold
from enumerator.enumerating import TooMuch
from enumerator.frequencies import hold_frequencies
from enumerator.random_setups import Setup, random_setup

from duckpress.core import limits

_STATES = 25  # setups that come to more are left out: they take long, and show nothing that small ones do not
_STEPS = 20_000


def hold_all(seeds: range, hold_one: Callable[[Setup, int], bool]) -> int:
    """Hold what there is to hold of the setups of some seeds; return of how many."""
    held = 0
    for seed in seeds:
        setup = random_setup(seed)
        try:
            held += hold_one(setup, _STATES)
        except TooMuch:
            continue
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}\n{setup.text}{setup.players} {setup.decks}") from error
    return held


def hold_findings(setup: Setup, most_states: int) -> bool:
    limits.use({"setup-steps": _STEPS, "combination-steps": _STEPS})
    hold(setup, most_states)
    return True


@pytest.mark.sweep(1_000)
@pytest.mark.parametrize("seeds", [range(10), *(range(at, at + 80) for at in range(10, 20_000, 80))], ids=str)
def test_what_is_told_of_random_setups_is_what_may_come_of_them(seeds: range) -> None:
    assert hold_all(seeds, hold_findings) > len(seeds) // 4


@pytest.mark.sweep(1_000)
@pytest.mark.parametrize("seeds", [range(30), *(range(at, at + 80) for at in range(30, 1_000, 80))], ids=str)
def test_random_setups_come_out_as_often_as_they_may(seeds: range) -> None:
    assert hold_all(seeds, hold_frequencies) > len(seeds) // 20
