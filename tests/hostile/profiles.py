"""How much hypothesis tries: quick and the same every time in the suite, long and new every time for `make fuzz`.

`DUCKPRESS_HYPOTHESIS=long` takes the long one. A test asks `examples(quick)` how many examples to try.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

VARIABLE = "DUCKPRESS_HYPOTHESIS"
TIMES = 40  # so many times as many examples in the long profile

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]


def is_long() -> bool:
    """Tell whether the long profile is asked for."""
    return os.environ.get(VARIABLE) == "long"


def examples(quick: int) -> settings:
    """Give the settings of a property test that tries so many examples in the quick profile."""
    if is_long():
        return settings(max_examples=quick * TIMES, deadline=None, suppress_health_check=_SLOW)
    return settings(max_examples=quick, deadline=None, derandomize=True, database=None, suppress_health_check=_SLOW)
