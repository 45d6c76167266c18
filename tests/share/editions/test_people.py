"""The table of people: each row a copy, and everything that is wrong with any of them told at its cell."""

from __future__ import annotations

import pytest

from bingo import FILES, PEOPLE, game_of
from duckpress.core.problems import Level
from duckpress.model.game import Copy
from duckpress.share.editions.inputs import numbered_copies, read_people
from running import MakeWorkspace as Make


def test_a_row_is_a_copy_and_only_what_is_asked_for_is_read(make_workspace: Make) -> None:
    copies, problems = read_people(game_of(make_workspace(FILES)), "people.csv", PEOPLE.encode())
    assert not problems
    assert [(one.id, one.number, one.count) for one in copies] == [("ann", 1, 3), ("bob", 2, 3), ("eve", 3, 3)]
    assert [one.values for one in copies][:2] == [{"name": "Ann", "prize": "cup"}, {"name": "Bob", "prize": ""}]


def test_everything_that_is_wrong_is_told_at_once_at_its_cell(make_workspace: Make) -> None:
    table = "id,name,prize,language,paper\nann,,pie,xx,a0815\nann,Ann,cup,,\n../up,Up,,,\ncon,Con,,,\n"
    copies, problems = read_people(game_of(make_workspace(FILES)), "people.csv", table.encode())
    assert not copies
    told = [(one.code, one.source.line, one.source.column) for one in sorted(problems, key=lambda one: one.source)]
    assert told == [
        ("missing-key", 2, 5),
        ("unknown-choice", 2, 6),
        ("unknown-choice", 2, 10),
        ("unknown-choice", 2, 13),
        ("duplicate-id", 3, 1),
        ("bad-id", 4, 1),
        ("bad-id", 5, 1),
    ]
    said = {one.what: one.fix for one in problems}
    assert said["copy 'ann' has no 'name'"].startswith("fill its cell in column 'name'")
    assert said["'paper' of copy 'ann' is 'a0815', which is no paper"].startswith("use one of: a3, a4, ")


@pytest.mark.parametrize(
    ("table", "code", "place", "what", "fix"),
    [
        ("id,name\nann\n", "missing-key", (2, 1), "copy 'ann' has no 'name'", ""),
        (f"id,name\n{'a' * 81},Ann\n", "bad-id", (2, 1), "has 81 letters", "write at most 80"),
        ("id,mail\nann,a\n", "missing-key", (1, 1), "", ""),
        ("id,name\n", "no-cards", (1, 1), "", "add one for each copy"),
    ],
    ids=["a row that ends early", "a long id", "a column that lacks", "no rows"],
)
def test_what_is_wrong_is_told(
    table: str, code: str, place: tuple[int, int], what: str, fix: str, make_workspace: Make
) -> None:
    (one,) = read_people(game_of(make_workspace(FILES)), "people.csv", table.encode()).problems
    assert (one.code, (one.source.line, one.source.column)) == (code, place)
    assert what in one.what
    assert one.fix == fix or not fix


def test_copies_without_rows_have_numbers_that_do_not_depend_on_how_many_there_are(make_workspace: Make) -> None:
    edition = "edition:\n  columns: {name: {kind: text, default: you}}\n"
    files = {**FILES, "content/bingo/game.yaml": FILES["content/bingo/game.yaml"].partition("edition:")[0] + edition}
    game = game_of(make_workspace(files))
    few, many = numbered_copies(game, 3).value, numbered_copies(game, 20_000).value
    assert few[2] == Copy("0003", 3, 3, {"name": "you"})
    assert [one.id for one in many[:3]] == [one.id for one in few]
    assert many[-1].id == "20000"


def test_columns_that_every_copy_needs_ask_for_a_table(make_workspace: Make) -> None:
    _, problems = numbered_copies(game_of(make_workspace(FILES)), 3)
    assert [(one.code, one.source.file) for one in problems] == [("missing-key", "content/bingo/game.yaml")]
    assert problems[0].what == "every copy needs this column"


def test_a_column_that_is_misspelt_is_told_although_it_may_be_left_out(make_workspace: Make) -> None:
    table = "id,name,Prise,Langauge,mail\nann,Ann,cup,en,a@x\n"
    copies, problems = read_people(game_of(make_workspace(FILES)), "people.csv", table.encode())
    assert [one.id for one in copies] == ["ann"]
    assert [(one.code, one.level, one.source.column, one.fix) for one in problems] == [
        ("unknown-column", Level.WARNING, 9, "call it 'prize'"),
        ("unknown-column", Level.WARNING, 15, "call it 'language'"),
    ]
