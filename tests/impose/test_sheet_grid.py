"""How many cards lie on a sheet, where, and what is left around them."""

from __future__ import annotations

import pytest

from duckpress.core.geometry import Size
from duckpress.core.problems import Source
from duckpress.core.sizes import FORMATS, PAPERS, Format, Paper
from duckpress.impose import Grid, check_fit, fit_grid
from duckpress.impose.grid import ONE_ROW, TWO_ROWS


def grid_of(size: str | Format, paper: str = "a4", lengths: dict[str, float] | None = None) -> Grid:
    grid = fit_grid(FORMATS[size] if isinstance(size, str) else size, PAPERS[paper], lengths)
    assert grid is not None
    return grid


@pytest.mark.parametrize(
    ("size", "paper", "columns", "rows", "upright"),
    [
        ("poker", "a4", 3, 3, True),
        ("poker", "letter", 3, 3, True),
        ("poker", "a3", 6, 3, False),
        ("tarot", "a4", 2, 2, True),
        ("half-page", "letter", 1, 2, True),
    ],
)
def test_counts(size: str, paper: str, columns: int, rows: int, upright: bool) -> None:
    grid = grid_of(size, paper)
    assert (grid.columns.trims, grid.rows.trims) == (columns, rows)
    assert (grid.way.paper == PAPERS[paper].size) is upright


def test_poker_is_butted_in_the_middle_with_its_bleed_outside() -> None:
    grid = grid_of("poker")
    assert grid.columns.at(0) == pytest.approx((210 - 190.5) / 2)
    assert grid.rows.at(0) == pytest.approx((297 - 266.7) / 2)
    # Three columns leave a gap of 0.75 mm beside the outer bleed and marks on A4: too narrow for two cuts, it closes.
    assert (grid.columns.gap_mm, grid.rows.gap_mm) == (0.0, 0.0)
    assert (grid.columns.bleed_mm, grid.rows.bleed_mm) == (2.0, 2.0)
    assert grid.way.is_below
    assert [grid.slots()[at].bleed for at in (0, 4)] == [(2.0, 2.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)]
    grid = grid_of("poker", "letter")
    assert not grid.way.is_below
    # 279.4 - 266.7 leaves 1.35 mm inside each margin: a mark fits there, a bleed does not.
    assert (grid.rows.bleed_mm, grid.columns.bleed_mm) == (0.0, 2.0)
    assert (grid.rows.offset_mm, grid.rows.mark_mm) == (pytest.approx(0.5), pytest.approx(0.775))


def test_gaps_open_to_twice_the_bleed_where_no_card_is_lost() -> None:
    grid = grid_of("tarot")
    assert (grid.columns.gap_mm, grid.rows.gap_mm) == (4.0, 4.0)
    assert {slot.bleed for slot in grid.slots()} == {(2.0, 2.0, 2.0, 2.0)}
    grid = grid_of("poker-euro")  # a narrow gap shows half of itself on either side
    assert 2.0 <= grid.rows.gap_mm < 4.0
    assert grid.rows.inner_bleed_mm == pytest.approx(grid.rows.gap_mm / 2)
    grid = grid_of(FORMATS["tarot"]._replace(bleed_mm=0.0))
    assert (grid.columns.gap_mm, grid.rows.gap_mm) == (0.0, 0.0)


def test_the_footer_costs_cards_rather_than_its_place() -> None:
    # 100 x 142 mm: 2 x 2 would fill A4's printable 200 x 287 mm and leave no room for footer or marks.
    assert grid_of(Format("large", Size(100.0, 142.0), bleed_mm=0.0)).capacity < 4


def test_whole_titles_come_before_bleed() -> None:
    free, long = (grid_of("poker", "letter", {TWO_ROWS: 150.0, ONE_ROW: length}) for length in (250.0, 290.0))
    assert (free.way.shape, long.way.shape) == (ONE_ROW, TWO_ROWS)
    assert free.capacity == long.capacity
    assert free.columns.bleed_mm > long.columns.bleed_mm


def test_the_largest_trim_that_fits_and_one_too_many() -> None:
    # Across: 210 - 2 (5 + 0.5 + 0.75 + half a stroke of 0.15); down the same and twice the footer's 4.7 + 0.5.
    largest = Size(197.35, 297 - 12.65 - 10.4)
    assert fit_grid(Format("largest", largest), PAPERS["a4"]) is not None
    assert fit_grid(Format("larger", Size(197.35, largest.height_mm + 0.01)), PAPERS["a4"]) is None
    assert fit_grid(Format("turned", largest.turned()), PAPERS["a4"]) is not None


def test_does_not_fit_shows_the_arithmetic_and_what_would_fit() -> None:
    source = Source("content/g/decks/map.yaml", 2, 7)
    problem = check_fit(Format("map", Size(200.0, 280.0)), PAPERS["a4"], "deck 'map'", source)
    assert problem is not None
    assert (problem.code, problem.source) == ("does-not-fit", source)
    for words in ("deck 'map' is 200 x 280 mm", "'a4'", "202.6 x 282.6 mm", "200 x 287 mm"):
        assert words in problem.what
    assert "197.3 x 273.9 mm" in problem.fix
    assert "a3" in problem.fix
    assert "letter" not in problem.fix


def test_a_size_named_in_a_fix_does_fit() -> None:
    for paper in PAPERS.values():
        problem = check_fit(Format("map", Size(900.0, 900.0)), paper, "deck 'map'", Source("map.yaml"))
        assert problem is not None
        assert "or print on" not in problem.fix
        sizes = problem.fix.removeprefix("make it at most ").split(" mm")[:-1]
        for size in sizes:
            width, height = size.removeprefix(" or ").split(" x ")
            assert fit_grid(Format("named", Size(float(width), float(height))), paper) is not None, size


def test_a_paper_too_small_holds_nothing_and_no_size_is_named() -> None:
    problem = check_fit(FORMATS["poker"], Paper("tiny", Size(60.0, 60.0)), "deck 'cards'", Source("cards.yaml"))
    assert problem is not None
    assert problem.fix.startswith("print on a4 or")
    assert check_fit(FORMATS["poker"], PAPERS["a4"], "deck 'cards'", Source("cards.yaml")) is None
    assert fit_grid(FORMATS["micro"], Paper("postcard", Size(105.0, 120.0))) is None  # for the footer
