"""Cells of tables: numbers as they are typed, lines as they are broken, and how much a game's tables may hold."""

from __future__ import annotations

import pytest

from duckpress.content.tables.cells import looks_like_ids, number_text, with_line_breaks


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
    ("text", "written"),
    [
        ("one line", "one line"), ("a\nb", "a\\\nb"), ("a\r\nb\rc", "a\\\nb\\\nc"), ("a\rb", "a\\\nb"),
        ("a \t\nb", "a\\\nb"), ("a\n \t\nb", "a\n \t\nb"), ("a\n- b\n  - c", "a\n- b\n  - c"), ("a\n-b", "a\\\n-b"),
    ],
)  # fmt: skip
def test_a_line_break_of_a_cell_is_one_of_the_card(text: str, written: str) -> None:
    assert with_line_breaks(text) == written


@pytest.mark.parametrize(
    ("name", "is_likely"),
    [
        ("#", True), (" № ", True), ("Nº", True), ("Nr.", True), ("Card ID", True), ("Identifiër", True),
        ("Código", False), ("CODE", True), ("编号", True), ("id", False), ("##", False), ("", False), ("title", False),
    ],
)  # fmt: skip
def test_columns_that_say_which_card_it_is(name: str, is_likely: bool) -> None:
    assert looks_like_ids(name) is is_likely
