"""Charts: bars where their numbers are, the same as SVG and as PNG; numbers of rounds in order, many together."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from duckpress.art.svg.artist import draw_art
from duckpress.art.svg.file import read_art
from duckpress.art.svg.paint import Paints
from duckpress.chance import Playouts, Spread
from duckpress.core.frame import Frame, Group, Outline, Text, every_item
from duckpress.files.workspace import Workspace
from duckpress.text.fonts import FontLibrary
from duckpress.views.chances import Series, _png, bar_chart, shares_of_rounds, write_chart

TWO: Series = {"pairs": {"2 players": 10.0, "3 players": 40.0}, "threes": {"2 players": 5.0, "3 players": 20.0}}


@pytest.fixture(scope="module")
def fonts(project: Workspace) -> FontLibrary:
    return FontLibrary(project)


def bars(frame: Frame) -> list[Outline]:
    """Return the bars of a chart without a legend, or with the small squares of the legend before them."""
    filled = [item for item in frame.items if isinstance(item, Outline) and item.paint.fill is not None]
    return [bar for bar in filled if bar.path.numbers[2] != 3.0]


def words(frame: Frame) -> list[str]:
    return [item.text for item in every_item(frame.items) if isinstance(item, Text)]


def test_bars_are_as_long_as_their_values_and_those_of_a_name_stand_beside_each_other(fonts: FontLibrary) -> None:
    frame = bar_chart(fonts, "Sets", TWO, "%")
    first, second, third, fourth = (bar.path.numbers for bar in bars(frame))
    assert [round(bar[3] / first[3], 3) for bar in (first, second, third, fourth)] == [1.0, 4.0, 0.5, 2.0]
    assert third[0] == pytest.approx(first[0] + first[2], abs=1e-3)
    assert third[0] < second[0]
    assert {"Sets", "pairs", "threes", "2 players", "0 %", "40 %", "10", "5"} <= set(words(frame))
    assert len({bar.paint.fill for bar in bars(frame)}) == 2


def test_a_name_that_only_one_series_has_leaves_a_gap(fonts: FontLibrary) -> None:
    frame = bar_chart(fonts, "", {"a": {"1": 1.0}, "b": {"2": 1.0}}, "")
    assert (len(bars(frame)), {"1", "2"} <= set(words(frame))) == (2, True)


def test_next_to_nothing_is_written_shortly(fonts: FontLibrary) -> None:
    frame = bar_chart(fonts, "", {"a": {"1": 0.00067, "2": 0.12, "3": 0.0}}, "%")
    assert {"<0.1", "0.12", "0"} <= set(words(frame))


def test_names_that_would_touch_are_thinned_out(fonts: FontLibrary) -> None:
    many = {"": {str(number): float(number) for number in range(100, 180)}}
    frame = bar_chart(fonts, "Many", many, "")
    shown = [group for group in frame.items if isinstance(group, Group)]
    below = [
        (group.matrix.e, group.matrix.e + text.width_mm)
        for group in shown
        for text in group.items
        if isinstance(text, Text) and text.text in many[""] and group.matrix.f > 75
    ]
    assert 10 < len(below) < 80
    assert all(end < start for (_, end), (start, _) in pairwise(below))


def test_a_title_that_is_too_long_is_set_smaller(fonts: FontLibrary) -> None:
    frame = bar_chart(fonts, "a very long question " * 12, {"": {"1": 1.0}}, "")
    (title,) = [item for item in every_item(frame.items) if isinstance(item, Text) and "question" in item.text]
    assert title.width_mm <= frame.trim.width_mm - 8 + 0.01


@pytest.mark.parametrize("series", [{}, {"": {}}, {"": {"1": 0.0}}])
def test_a_chart_of_nothing_is_drawn(fonts: FontLibrary, series: Series) -> None:
    assert bars(bar_chart(fonts, "Nothing", series, "%")) == []


def test_the_svg_shows_what_the_png_shows(project: Workspace, fonts: FontLibrary, tmp_path: Path) -> None:
    for name in ("chart.svg", "chart.png", "again.SVG"):
        write_chart(project, tmp_path / name, "Sets & <pairs>", TWO, "%")
    assert (tmp_path / "again.SVG").read_bytes() == (tmp_path / "chart.svg").read_bytes()
    art, problems = read_art("chart.svg", (tmp_path / "chart.svg").read_bytes())
    assert art is not None
    assert problems == []
    drawing, _, problems = draw_art(art, {}, Paints("#000000", "#000000"))
    assert problems == []
    frame = Frame(bar_chart(fonts, "", TWO, "").trim, 0.0, drawing.items)
    pictures = [Image.open(BytesIO(data)) for data in (_png(frame, fonts), (tmp_path / "chart.png").read_bytes())]
    assert pictures[0].size == pictures[1].size
    assert pictures[1].info["dpi"] == pytest.approx((200, 200), abs=0.01)
    difference = ImageStat.Stat(ImageChops.difference(*pictures).convert("L"))
    assert difference.mean[0] < 0.2
    words_of = pictures[1].crop((0, 0, 400, 70)).convert("L")
    assert ImageStat.Stat(words_of).mean[0] < 250, "there is no title"


def lasting(*rounds: int) -> Playouts:
    spread = Spread.of(Counter(rounds))
    return Playouts(2, None, len(rounds), 0, spread, {}, {}, {}, {}, {}, {})


def test_numbers_stand_in_order_whoever_comes_first() -> None:
    names, shares = shares_of_rounds([lasting(12, 12, 10, 12), lasting(11)])
    assert names == ["10", "11", "12"]
    assert shares == [{"12": 75.0, "10": 25.0}, {"11": 100.0}]


def test_many_numbers_stand_together() -> None:
    names, shares = shares_of_rounds([lasting(*range(15, 55)), lasting(100)])
    assert (names[0], names[1], names[-1], len(names)) == ("15-19", "20-24", "100-104", 18)
    assert shares[0]["15-19"] == pytest.approx(100 * 5 / 40)
    assert sum(shares[0].values()) == pytest.approx(100)
    assert shares[1] == {"100-104": 100.0}
