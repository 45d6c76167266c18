"""How much hypothesis tries: little in `make test`, more in `make soak`, and for `make fuzz` much, new every time.

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
    return os.environ.get(VARIABLE) == "long"


def examples(quick: int) -> settings:
    """Return the settings of a property test that tries so many examples in `make test`."""
    if is_long():
        return settings(
            max_examples=quick * _TIMES["long"], deadline=None, suppress_health_check=_SLOW, print_blob=True
        )
    count = quick * _TIMES.get(os.environ.get(VARIABLE, ""), 1)
    return settings(max_examples=count, deadline=None, derandomize=True, database=None, suppress_health_check=_SLOW)
