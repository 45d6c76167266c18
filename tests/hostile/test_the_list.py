"""Every input of the list has a test, at least as many were thought of since, and docs/security.md says so."""

from __future__ import annotations

import pytest
from hostile_list import LIST, new_tests, those_of_the_list


@pytest.mark.parametrize("number", LIST, ids="number-{:02}".format)
def test_every_number_has_a_test(number: int) -> None:
    assert those_of_the_list()[number], f"{number}: {LIST[number]}"


def test_as_many_were_thought_of_since() -> None:
    names = {one.partition("[")[2] or one.partition("::")[2] for one in new_tests()}
    assert len(names) >= len(LIST), sorted(names)
