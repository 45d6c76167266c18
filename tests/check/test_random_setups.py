"""Thousands of random setups: what `check` tells of them, deals, playouts and odds, held against all that may come."""

from __future__ import annotations

import pytest
from enumerator.comparing import hold
from enumerator.enumerating import TooMuch
from enumerator.frequencies import hold_frequencies
from enumerator.random_setups import random_setup

from duckpress.core import limits

_STATES = 25  # setups that come to more are left out: they take long, and show nothing that small ones do not
_STEPS = 20_000


def hold_all(seeds: range) -> None:
    limits.use({"setup-steps": _STEPS, "combination-steps": _STEPS})
    held = 0
    for seed in seeds:
        setup = random_setup(seed)
        try:
            hold(setup, _STATES)
            held += 1
        except TooMuch:
            continue
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}\n{setup.text}{setup.players} {setup.decks}") from error
    assert held > len(seeds) // 4


def hold_all_frequencies(seeds: range) -> int:
    """Hold how often setups are dealt as they may be; return how many there were to hold."""
    held = 0
    for seed in seeds:
        setup = random_setup(seed)
        try:
            held += hold_frequencies(setup, _STATES)
        except TooMuch:
            continue
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}\n{setup.text}{setup.players} {setup.decks}") from error
    return held


@pytest.mark.sweep(48)
@pytest.mark.parametrize("batch", range(48))
def test_what_is_told_of_random_setups_is_what_may_come_of_them(batch: int) -> None:
    hold_all(range(6 * batch, 6 * batch + 6))


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(200))
def test_what_is_told_of_many_random_setups_is_what_may_come_of_them(batch: int) -> None:
    hold_all(range(1000 + 100 * batch, 1100 + 100 * batch))


@pytest.mark.sweep(3)
@pytest.mark.parametrize("batch", range(3))
def test_random_setups_come_out_as_often_as_they_may(batch: int) -> None:
    assert hold_all_frequencies(range(20 * batch, 20 * batch + 20)) > 1


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(10))
def test_many_random_setups_come_out_as_often_as_they_may(batch: int) -> None:
    assert hold_all_frequencies(range(1000 + 100 * batch, 1100 + 100 * batch)) > 5
