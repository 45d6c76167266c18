"""How much hypothesis tries: little and the same every time in `make test`, more and new every time for long runs.

`DUCKPRESS_HYPOTHESIS=soak` (as `make soak` sets it) or `long` (as `make fuzz` does) take more. A test asks
`examples(quick)` how many examples to try.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

VARIABLE = "DUCKPRESS_HYPOTHESIS"
_TIMES = {"soak": 8, "long": 40}
"""So many times as many examples in a profile."""

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]


def is_long() -> bool:
    """Return whether the longest profile is asked for."""
    return os.environ.get(VARIABLE) == "long"


def examples(quick: int) -> settings:
    """Return the settings of a property test that tries so many examples in `make test`."""
    times = _TIMES.get(os.environ.get(VARIABLE, ""))
    if times is not None:
        return settings(max_examples=quick * times, deadline=None, suppress_health_check=_SLOW, print_blob=True)
    return settings(max_examples=quick, deadline=None, derandomize=True, database=None, suppress_health_check=_SLOW)
