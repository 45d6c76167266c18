"""Columns as maps: what stands in which column, which breaks are never made, how columns are balanced."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.rulebook.setting.columns import Filled, Slug, fill_columns


def slugs(words: str) -> list[Slug]:
    """Return a slug of 10 mm for each word: `a+` keeps to the next, `c|` begins a column, `p|` a page."""
    return [
        Slug(10.0, (word.strip("+|"),), 0.0, "+" in word, None, None, {"c|": "column", "p|": "page"}.get(word[:2], ""))  # type: ignore[arg-type]
        for word in words.split()
    ]


def columns(filled: Filled) -> str:
    return " / ".join(" ".join(str(seated.slug.items[0]) for seated in column) for column in filled.columns)


@pytest.mark.parametrize(
    ("words", "room_mm", "expected"),
    [
        ("a b c d e f", 30.0, "a b c / d e f"),
        ("a b c d e", 40.0, "a b c / d e"),  # balanced, not a b c d / e
        ("a b c d e f g h", 30.0, "a b c / d e f"),  # and g h on the next page
        ("a b h+ c d e f", 30.0, "a b / h c d"),
        ("a h+ i+ c d", 30.0, "a / h i c"),
        ("a c|b c", 100.0, "a / c|b c"),
        ("a p|b c", 100.0, "a"),
        ("a", 30.0, "a"),
    ],
)
def test_maps(words: str, room_mm: float, expected: str) -> None:
    assert columns(fill_columns(slugs(words), 0, 2, room_mm)) == expected


def test_the_next_page_goes_on_where_this_one_ended() -> None:
    all_slugs = slugs("a b c d e f g h")
    filled = fill_columns(all_slugs, 0, 2, 30.0)
    assert columns(fill_columns(all_slugs, filled.next, 2, 30.0)) == "g / h"


def test_space_above_falls_away_at_the_top_of_a_column() -> None:
    spaced = [slug._replace(before_mm=5.0) for slug in slugs("a b c d")]
    filled = fill_columns(spaced, 0, 2, 26.0)
    assert [[seated.y_mm for seated in column] for column in filled.columns] == [[0.0, 15.0], [0.0, 15.0]]
    assert filled.height_mm == 25.0


def test_columns_of_a_full_page_are_opened_to_one_foot_a_little() -> None:
    spaced = [slug._replace(before_mm=2.0) for slug in slugs("a b c d e f g h")]
    first, second = fill_columns(spaced, 0, 2, 37.0).columns
    assert first[-1].y_mm + 10.0 == pytest.approx(37.0)
    assert second[-1].y_mm + 10.0 == pytest.approx(37.0)
    (far,) = fill_columns(spaced, 0, 1, 45.0).columns
    assert far[-1].y_mm + 10.0 == pytest.approx(34.0), "11 mm are too much to be shared out"


def test_the_heads_of_a_table_stand_again_where_it_goes_on() -> None:
    head = Slug(10.0, ("H",))  # type: ignore[arg-type]
    rows = [slug._replace(lead=head) for slug in slugs("a b c")]
    filled = fill_columns([head, *rows], 0, 2, 30.0)
    assert columns(filled) == "H a b / H c"
    assert [seated.y_mm for seated in filled.columns[1]] == [0.0, 10.0]


def test_what_is_higher_than_a_column_is_told() -> None:
    assert fill_columns([Slug(50.0)], 0, 2, 30.0).over_mm == 20.0


@given(st.lists(st.tuples(st.floats(1, 9), st.floats(0, 4), st.booleans()), min_size=1, max_size=40), st.integers(1, 3))
def test_everything_is_set_once_and_in_order(parts: list[tuple[float, float, bool]], count: int) -> None:
    made = [Slug(high, (index,), before, keeps) for index, (high, before, keeps) in enumerate(parts)]  # type: ignore[arg-type]
    made[-1] = made[-1]._replace(keeps_next=False)
    seen: list[object] = []
    at = 0
    while at < len(made):
        filled = fill_columns(made, at, count, 50.0)
        assert filled.next > at
        for column in filled.columns:
            seen += [seated.slug.items[0] for seated in column]
            assert filled.over_mm or column[-1].y_mm + column[-1].slug.height_mm <= 50.002
        at = filled.next
    assert seen == list(range(len(made)))
