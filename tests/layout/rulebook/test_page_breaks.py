"""Pages as maps: which column ends where, what is never torn, what stands again, how holes are shared out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.layout.rulebook.columns import Section, Slug, foot_mm
from duckpress.layout.rulebook.pages import PagePart, break_pages

ENDS = {"c|": "column", "p|": "page"}


def slugs(words: str) -> tuple[Slug, ...]:
    """Return a slug of 10 mm for each word: `a+` keeps to the next, `c|` begins a column, `p|` a page."""
    return tuple(
        Slug(10.0, (word.strip("+|"),), 0.0, "+" in word, forces=ENDS.get(word[:2], ""))  # type: ignore[arg-type]
        for word in words.split()
    )


def flowed(sections: list[tuple[int, str]], room_mm: float) -> str:
    made = [Section(columns, slugs(words)) for columns, words in sections]
    return " // ".join(map(said, break_pages(made, room_mm, room_mm)))


def said(page: tuple[PagePart, ...]) -> str:
    return ", ".join(
        " / ".join(" ".join(str(one.slug.items[0]) for one in column) for column in part.columns) for part in page
    )


@pytest.mark.parametrize(
    ("words", "room_mm", "expected"),
    [
        ("a b c d e f", 30.0, "a b c / d e f"),
        ("a b c d e", 40.0, "a b c / d e"),  # balanced, not a b c d / e
        ("a b c d e f g h", 30.0, "a b c / d e f // g / h"),
        ("a b h+ c d e f", 30.0, "a b / h c d // e / f"),
        ("a h+ i+ c d", 30.0, "a / h i c // d"),
        ("a h+ i+ c", 100.0, "a / h i c"),  # balancing tears nothing
        ("a c|b c", 100.0, "a / c|b c"),
        ("a b p|c d", 100.0, "a / b // p|c / d"),  # what stands before a page that is forced is balanced, too
        ("a", 30.0, "a"),
        ("a+ b+ c+ d e", 30.0, "a b c / d e"),  # higher than a page: torn at its foot
    ],
)
def test_columns(words: str, room_mm: float, expected: str) -> None:
    assert flowed([(2, words)], room_mm) == expected


def test_what_keeps_to_a_figure_across_goes_with_it_to_the_next_page() -> None:
    assert flowed([(2, "a b c d e f h+ i+"), (1, "X"), (2, "k l")], 40.0) == "a b c / d e f // h i, X, k / l"
    assert flowed([(2, "a b c d e f"), (1, "X"), (2, "e f")], 30.0) == "a b c / d e f // X, e / f"


def test_holes_are_shared_out_rather_than_left_in_one_place() -> None:
    """Filled one after the other, the first page would be full and the second hold a alone."""
    assert flowed([(1, "a b c d e+ f+ g h i")], 40.0) == "a b c d // e f g h // i"
    assert flowed([(1, "a b c d+ e+ f g+ h+ i+ j k")], 40.0) == "a b c // d e f // g h i j // k"


def test_a_tear_is_avoided_where_it_costs_no_page() -> None:
    row = slugs("a b c d e f")
    torn = [*row[:3], row[3]._replace(tear=50.0), *row[4:]]
    (page, after) = break_pages([Section(1, tuple(torn))], 40.0, 40.0)
    assert said(page) == "a b c"
    assert said(after) == "d e f"


def test_the_last_page_tears_nothing_dear_where_its_columns_are_little_higher_for_it() -> None:
    def last_page(tear: float) -> str:
        row = slugs("a b c d e f g h i j")
        torn = [*row[:4], row[4]._replace(tear=tear), *row[5:]]
        return " // ".join(map(said, break_pages([Section(2, tuple(torn))], 90.0, 90.0)))

    assert last_page(0.6) == "a b c d e / f g h i j"
    assert last_page(5.0) == "a b c d e f / g h i j"
    row = slugs("a b c d")
    dear = (row[0], *(slug._replace(tear=5.0) for slug in row[1:3]), row[3])
    (page,) = break_pages([Section(2, dear)], 90.0, 90.0)
    assert said(page) == "a b / c d", "half as high again is not little"


def test_space_above_falls_away_at_the_top_of_a_column() -> None:
    spaced = tuple(slug._replace(before_mm=5.0) for slug in slugs("a b c d"))
    ((part,),) = break_pages([Section(2, spaced)], 26.0, 26.0)
    assert [[seated.y_mm for seated in column] for column in part.columns] == [[0.0, 15.0], [0.0, 15.0]]
    assert part.height_mm == 25.0


def test_columns_of_a_full_page_are_opened_to_one_foot_a_little() -> None:
    spaced = tuple(slug._replace(before_mm=2.0) for slug in slugs("a b c d e f g h"))
    first, *_ = break_pages([Section(2, spaced)], 37.0, 37.0)
    assert [foot_mm(column) for column in first[0].columns] == pytest.approx([37.0, 37.0])
    far, *_ = break_pages([Section(1, spaced)], 45.0, 45.0)
    assert foot_mm(far[0].columns[0]) == pytest.approx(34.0), "11 mm are too much to be shared out"


def test_the_heads_of_a_table_stand_again_where_it_goes_on() -> None:
    head = Slug(10.0, ("H",))  # type: ignore[arg-type]
    rows = [slug._replace(lead=head) for slug in slugs("a b c")]
    ((part,),) = break_pages([Section(2, (head, *rows))], 30.0, 30.0)
    assert said((part,)) == "H a b / H c"
    assert [seated.y_mm for seated in part.columns[1]] == [0.0, 10.0]


@given(
    st.lists(st.tuples(st.floats(1, 9), st.floats(0, 4), st.booleans(), st.integers(1, 3)), min_size=1, max_size=30),
    st.floats(30.0, 50.0),
)
def test_everything_is_set_once_in_order_and_nothing_over_a_foot(
    parts: list[tuple[float, float, bool, int]], first_mm: float
) -> None:
    made = [Slug(high, (index,), before, keeps) for index, (high, before, keeps, _) in enumerate(parts)]  # type: ignore[arg-type]
    sections: list[Section] = []
    for slug, (*_, count) in zip(made, parts, strict=True):
        is_same = bool(sections) and sections[-1].columns == count
        before = sections.pop().slugs if is_same else ()
        sections.append(Section(count, (*before, slug)))
    pages = break_pages(sections, first_mm, 50.0)
    columns = [(column, number) for number, page in enumerate(pages) for part in page for column in part.columns]
    assert [seated.slug.items[0] for column, _ in columns for seated in column] == list(range(len(made)))
    for number, page in enumerate(pages):
        heights = [part.before_mm + part.height_mm for part in page]
        assert sum(heights) <= (50.0 if number else first_mm) + 0.01
