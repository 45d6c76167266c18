"""Every input of the list has a test, at least as many were thought of since, and docs/security.md says so."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

import pytest
from hostile_list import LIST, ROOT, collected, counts, new_tests, table_of_the_list, those_of_the_list

from shared import COLLECTED

PAGE = ROOT / "docs" / "security.md"


@pytest.fixture(autouse=True)
def known(request: pytest.FixtureRequest) -> None:
    """A run of all tests knows their ids already; any other has to collect them, which takes seconds."""
    config = request.config
    if config.args == config.getini("testpaths") and not collected:
        collected.extend(config.stash[COLLECTED])


@pytest.mark.parametrize("number", LIST, ids="number-{:02}".format)
def test_every_number_has_a_test(number: int) -> None:
    assert those_of_the_list()[number], f"{number}: {LIST[number]}"


def test_as_many_were_thought_of_since() -> None:
    names = {one.partition("[")[2] or one.partition("::")[2] for one in new_tests()}
    assert len(names) >= len(LIST), sorted(names)


def numbers_in(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"[0-9]+", text)]


@pytest.mark.skipif(sys.platform != "linux", reason="some tests are made on Linux only, so there are fewer elsewhere")
@pytest.mark.parametrize(("name", "made"), [("counts", counts), ("list", table_of_the_list)])
def test_the_page_says_what_there_is(name: str, made: Callable[[], str]) -> None:
    """Word for word, and in numbers never more than there is, nor less by a tenth: a test more is no reason to fail."""
    page = PAGE.read_text(encoding="utf-8")
    told = page.partition(f"<!-- {name}: begin -->\n")[2].partition(f"\n<!-- {name}: end -->")[0]
    there = made()
    mend = "python tests/hostile/figures.py --counts --write"
    assert re.sub("[0-9]+", "", told) == re.sub("[0-9]+", "", there), mend
    for says, is_there in zip(numbers_in(told), numbers_in(there), strict=True):
        assert says <= is_there <= says * 1.1 + 3, f"{says} told, {is_there} there: {mend}"


def test_the_page_names_every_door_that_is_fuzzed() -> None:
    page = PAGE.read_text(encoding="utf-8").partition("<!-- fuzzed: begin -->")[2].partition("<!-- fuzzed: end -->")[0]
    doors = {path.name for path in (ROOT / "tests" / "fuzz" / "corpus").iterdir()}
    assert doors == set(re.findall(r"(?m)^\| ([a-z]+) \| [0-9,]+ \|", page))


def test_codes_in_the_list_are_codes() -> None:
    known = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    for number, entry in LIST.items():
        for code in re.findall(r"`([a-z]+(?:-[a-z0-9]+)+)`", entry.happens):
            assert code in known, f"{number}: {code}"
