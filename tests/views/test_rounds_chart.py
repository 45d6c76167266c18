"""Numbers of rounds for a chart: in order, and several together where there are many."""

from __future__ import annotations

from collections import Counter

import pytest

from duckpress.chance import Playouts, Spread
from duckpress.views.chances import shares_of_rounds


def lasting(*rounds: int) -> Playouts:
    spread = Spread.of(Counter(rounds))
    return Playouts(2, None, len(rounds), 0, spread, {}, {}, {}, {}, {}, {})


def test_numbers_stand_in_order_whoever_comes_first() -> None:
    names, shares = shares_of_rounds([lasting(12, 12, 10, 12), lasting(11)])
    assert names == ["10", "11", "12"]
    assert shares == [{"12": 75.0, "10": 25.0}, {"11": 100.0}]


def test_many_numbers_stand_together() -> None:
    names, shares = shares_of_rounds([lasting(*range(15, 55)), lasting(100)])
    assert (names[0], names[1], names[-1], len(names)) == ("15-19", "20-24", "100-104", 18)
    assert shares[0]["15-19"] == pytest.approx(100 * 5 / 40)
    assert sum(shares[0].values()) == pytest.approx(100)
    assert shares[1] == {"100-104": 100.0}
