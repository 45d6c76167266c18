"""docs/expressions.md: its lists of names are those of the program, and its examples come to what it says."""

from __future__ import annotations

import re

import pytest
from pages import Page, rows_of

from duckpress.core.limits import LIMITS
from duckpress.core.problems import Problem
from duckpress.expressions.profiles import FIELD, SETUP, NameKind, Where, names_of
from four_uses import as_quoted, four_uses
from running import MakeWorkspace

PAGE = Page("expressions")
PLACES = {"cards": Where.FIELD, "setup": Where.SETUP, "layouts": Where.LAYOUT, "rules": Where.RULES}
KINDS = {"texts": NameKind.OF_TEXT, "lists": NameKind.OF_LIST, "records": NameKind.OF_RECORD}


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def listed(section: str, use: str) -> list[str]:
    return [name for row in rows_of(PAGE.sections[section]) if use in row[1].split(", ") for name in codes(row[0])]


@pytest.mark.parametrize(("section", "named"), [("Filters", NameKind.FILTER), ("Tests", NameKind.TEST)])
@pytest.mark.parametrize("use", PLACES)
def test_the_names_are_those_of_the_program(section: str, named: NameKind, use: str) -> None:
    assert sorted(listed(section, use)) == sorted(names_of(named, PLACES[use]))


@pytest.mark.parametrize("use", PLACES)
def test_the_functions_are_those_of_the_program(use: str) -> None:
    parameters = names_of(NameKind.FUNCTION, PLACES[use])
    calls = [call.partition("(") for call in listed("Functions", use)]
    assert {name for name, _, _ in calls} == set(parameters)
    for name, _, given in calls:
        assert not parameters[name] or len(given.split(",")) <= len(parameters[name])


@pytest.mark.parametrize("use", PLACES)
def test_the_methods_are_those_of_the_program(use: str) -> None:
    table = rows_of(PAGE.sections["Methods"])
    methods = [(name, KINDS[of]) for names, places, of in table if use in places for name in codes(names)]
    assert sorted(methods) == sorted((name, named) for named in KINDS.values() for name in names_of(named, PLACES[use]))


@pytest.mark.parametrize("place", PLACES)
def test_expressions_and_filters_come_to_what_the_page_says(make_workspace: MakeWorkspace, place: str) -> None:
    written = four_uses(make_workspace, {})[place]
    for expressions, values, _ in rows_of(PAGE.sections["What can be written"]):
        assert [written(text) for text in codes(expressions)] == values.split(", "), expressions

    for names, places, example, value, _ in rows_of(PAGE.sections["Filters"]):
        assert any(f"|{name}" in example for name in codes(names))
        if place in places.split(", "):
            assert written(codes(example)[0]) == value, example


def test_the_limits_are_there() -> None:
    cells = [cell for row in rows_of(PAGE.sections["Limits"]) for cell in row[1:]]
    assert {name for cell in cells for name in codes(cell)} <= set(LIMITS)
    for at, profile in ((1, FIELD), (2, SETUP)):
        column = {name for row in rows_of(PAGE.sections["Limits"]) for name in codes(row[at])}
        assert {profile.steps, profile.text, profile.value} <= column


@pytest.mark.parametrize(("expression", "what"), rows_of(PAGE.sections["What is wrong with one"]))
def test_a_mistake_is_told_in_the_same_words_everywhere_with_the_same_fix(
    make_workspace: MakeWorkspace, expression: str, what: str
) -> None:
    (text,) = codes(expression)
    fixes = set()
    for place, use in four_uses(make_workspace, {}).items():
        problem = use(text)
        assert isinstance(problem, Problem)
        assert as_quoted(problem.what, place, text) == what
        # The names and limits of the places differ.
        fixes.add(re.sub("use one of.*|docs/.* instead|--limit [a-z-]+", "", problem.fix))
    assert len(fixes - {""}) <= 1, fixes
