"""Cells of tables: numbers as they are typed, lines as they are broken, and how much a game's tables may hold."""

from __future__ import annotations

import pytest

from duckpress.content.tables.cells import (
    CellText,
    SheetError,
    TableRoom,
    looks_like_ids,
    number_text,
    placed,
    refused_cell,
    whole_of,
    with_line_breaks,
)
from duckpress.core import limits
from duckpress.core.problems import Source

HERE = Source("t.xlsx", 7, 3)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("3", "3"), ("3.0", "3"), ("-3.0", "-3"), ("-0.0", "0"), ("0.10000000000000001", "0.1"), ("2.50", "2.5"),
        ("1e-7", "1e-07"), ("999999999999999", "999999999999999"), ("-999999999999999", "-999999999999999"),
        ("1e15", "1e+15"), ("-1e15", "-1e+15"), ("12345678901234567890", "1.23456789012346e+19"),
        ("0.1234567890123456", "0.123456789012346"), (" many ", "many"), (" inf ", "inf"), (" nan ", "nan"), ("", ""),
    ],
)  # fmt: skip
def test_a_number_is_written_as_a_person_would_type_it(value: str, text: str) -> None:
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0), ("12", 12), ("007", 7), ("999999999", 999_999_999), ("1000000000", 10**9),
        ("10737418240", 1_073_741_824), ("", -1), ("-1", -1),
        ("1.0", -1), (" 1", 1), ("x", -1), ("٣", -1), ("²", -1), (None, -1),
    ],
)  # fmt: skip
def test_an_attribute_holds_a_whole_number_of_which_ten_digits_count(text: str | None, number: int) -> None:
    assert whole_of(text, -1) == number


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("one line", "one line"), ("a\nb", "a\\\nb"), ("a\r\nb\rc", "a\\\nb\\\nc"), ("a\rb", "a\\\nb"),
        ("a \t\nb", "a\\\nb"), ("a\n \t\nb", "a\n \t\nb"), ("a\n- b\n  - c", "a\n- b\n  - c"), ("a\n-b", "a\\\n-b"),
    ],
)  # fmt: skip
def test_a_line_break_of_a_cell_is_one_of_the_card(text: str, written: str) -> None:
    assert with_line_breaks(text) == written


def test_a_cell_is_placed_behind_the_empty_ones_before_it() -> None:
    def row(*cells: tuple[int, str]) -> list[CellText]:
        return [CellText(text, HERE._replace(column=column)) for column, text in cells]

    assert placed(CellText("x", HERE), 0) == row((1, ""), (2, ""), (3, "x"))
    assert placed(CellText("x", HERE), 1) == row((2, ""), (3, "x"))
    assert placed(CellText("x", HERE), 2) == row((3, "x"))
    assert placed(CellText("x", HERE), 2, 3) == row((3, "x"), (4, "x"), (5, "x"))
    (_, again) = placed(refused_cell(HERE, "bad", "mend it"), 2, 2)
    assert again.problem is not None
    assert again.problem.source == HERE._replace(column=4)
    limits.use({"table-columns": 4})
    assert len(placed(CellText("x", HERE), 0, 2)) == 4
    for source, times in ((HERE, 3), (HERE._replace(column=5), 1)):
        with pytest.raises(SheetError, match="the row has more than 4 cells") as refused:
            placed(CellText("x", source), 0, times)
        assert refused.value.args[0][:2] == ("csv-row", source)


@pytest.mark.parametrize(
    ("letters", "columns", "rows", "cells", "problem"),
    [
        (5, 4, 3, 4, None),
        (6, 5, 4, 4, ("text-too-long", "this cell is 6 characters long; 5 are allowed", "text-length")),
        (5, 5, 4, 4, ("csv-row", "the row has more than 4 cells", "table-columns")),
        (5, 4, 4, 3, ("too-many-cards", "the tables of the game have more than 10 cells", "table-cells")),
        (5, 4, 4, 4, ("too-many-cards", "the table has more than 3 rows", "table-rows")),
    ],
)
def test_a_table_has_room_for_so_much(
    letters: int, columns: int, rows: int, cells: int, problem: tuple[str, str, str] | None
) -> None:
    limits.use({"text-length": 5, "table-columns": 4, "table-rows": 3, "table-cells": 10})
    room = TableRoom()
    room.cells = cells
    refused = room.refusal(letters, columns, rows, HERE)
    assert (refused and (refused.code, refused.what)) == (problem and problem[:2])
    assert refused is None or problem is None or (refused.source == HERE and f"--limit {problem[2]}=" in refused.fix)
    assert room.is_overrun == (cells == 3)


@pytest.mark.parametrize(
    ("name", "is_likely"),
    [
        ("#", True), (" № ", True), ("Nº", True), ("Nr.", True), ("Card ID", True), ("Identifiër", True),
        ("Código", False), ("CODE", True), ("编号", True), ("id", False), ("##", False), ("", False), ("title", False),
    ],
)  # fmt: skip
def test_columns_that_say_which_card_it_is(name: str, is_likely: bool) -> None:
    assert looks_like_ids(name) is is_likely
