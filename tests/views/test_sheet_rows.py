"""Codes of sheets are drawn on the page where they stand on the paper, row by row in bars."""

from __future__ import annotations

import re

import pytest

from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.impose.sheets import Code
from duckpress.views.page.sheet_rows import modules_path

ROWS = (0b1101, 0b0110, 0b1111, 0b0001)
SIZE, LEFT, TOP = 0.5, 20.0, 10.0
NUMBER = r"(-?[\d.]+)"


def areas(path: str) -> list[tuple[float, float, float, float]]:
    """Return the left, top, right and bottom of each bar of a path."""
    bars = re.findall(rf"M{' '.join([NUMBER] * 2)}l{' '.join([NUMBER] * 6)}Z", path)
    assert len(bars) == path.count("Z")
    found = []
    for bar in bars:
        x, y, *steps = map(float, bar)
        xs, ys = [x], [y]
        for across, down in zip(steps[::2], steps[1::2], strict=True):
            xs.append(xs[-1] + across)
            ys.append(ys[-1] + down)
        found.append((min(xs), min(ys), max(xs), max(ys)))
    return found


@pytest.mark.parametrize("turned", [IDENTITY, Matrix(0, 1, -1, 0, 100, 0)], ids=["as it lies", "stood up"])
def test_bars_cover_the_dark_modules_and_nothing_else(turned: Matrix) -> None:
    bars = areas(modules_path(Code(ROWS, LEFT, TOP, SIZE, "#000000"), turned))
    for down, row in enumerate(ROWS):
        for across in range(4):
            x, y = turned.apply(LEFT + (across + 0.5) * SIZE, TOP + (down + 0.5) * SIZE)
            covering = [bar for bar in bars if bar[0] < x < bar[2] and bar[1] < y < bar[3]]
            assert len(covering) == row >> (3 - across) & 1
    assert sum((right - left) * (bottom - top) for left, top, right, bottom in bars) == pytest.approx(10 * SIZE**2)


def test_a_sheet_without_a_code_has_none() -> None:
    assert modules_path(None, IDENTITY) == ""
