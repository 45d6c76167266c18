"""Dots read from their places: on sheets that are turned, scaled, cut off, dirty, in part; never as another number."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest

from duckpress.core.geometry import Point, Rect
from duckpress.marks import code_of, dots_of, free_cells, read_dots, read_upright
from duckpress.marks.free_paper import FreeCells

KEY, OTHER_KEY = bytes(range(32)), bytes(range(1, 33))
PAPER = Rect(5.0, 5.0, 200.0, 287.0)
CARDS = Rect(7.75, 13.0, 194.5, 270.7)


def found(taken: Sequence[Rect] = (CARDS,)) -> FreeCells:
    free = free_cells(PAPER, taken)
    assert free is not None
    return free


def points(number: int, free: FreeCells) -> list[Point]:
    boxes = [Rect(*part.numbers) for part in dots_of(code_of(number, KEY), free).path.subpaths()]
    return [(box.x_mm + box.width_mm / 2, box.y_mm + box.height_mm / 2) for box in boxes]


def laid(dots: Sequence[Point], rng: random.Random, *, degrees: float, scales: Point, blur_mm: float) -> list[Point]:
    """Return dots as they lie on a scanner, in any order."""
    turn = math.radians(degrees)
    across, down = (math.cos(turn), -math.sin(turn)), (math.sin(turn), math.cos(turn))
    sheet = [((x - 105) * scales[0], (y - 148) * scales[1]) for x, y in dots]
    turned = [(a * across[0] + b * across[1], a * down[0] + b * down[1]) for a, b in sheet]
    return [(148 + rng.gauss(x, blur_mm), 148 + rng.gauss(y, blur_mm)) for x, y in rng.sample(turned, len(turned))]


@pytest.mark.parametrize("seed", range(12))
def test_dots_are_read(seed: int) -> None:
    rng = random.Random(seed)
    number, scale = rng.randrange(1 << 24), rng.uniform(0.98, 1.02)
    dots = points(number, found())
    kept = rng.sample(dots, int(len(dots) * rng.choice((1.0, 0.8, 0.5))))
    degrees = rng.uniform(-3, 3) + 90 * rng.randrange(4)
    there = laid(kept, rng, degrees=degrees, scales=(scale, scale * rng.uniform(0.997, 1.003)), blur_mm=0.04)
    there += [(rng.uniform(0, 297), rng.uniform(0, 297)) for _ in range(rng.choice((0, 100, 400)))]
    assert read_dots(there, [KEY]).number == number
    other = read_dots(there, [OTHER_KEY])
    assert other.number is None
    assert other.is_marked


def test_a_part_of_a_sheet_is_enough() -> None:
    """A strip of a margin, a corner, or what is left between two cards."""
    rng = random.Random(5)
    free = found([Rect(20.0, 13.0, 182.0, 270.0)])
    dots = points(4711, free)
    for part in (lambda x, y: x < 20 and y < 150, lambda x, y: y > 284, lambda x, y: x < 100 and y < 110):
        left = [dot for dot in dots if part(*dot)]
        assert len(left) < 0.6 * len(dots)
        assert read_dots(laid(left, rng, degrees=1.5, scales=(1.0, 1.0), blur_mm=0.02), [KEY]).number == 4711


@pytest.mark.parametrize("seed", range(6))
def test_what_is_not_a_mark_says_nothing(seed: int) -> None:
    rng = random.Random(seed)
    dirt = [(rng.uniform(0, 210), rng.uniform(0, 297)) for _ in range(rng.choice((0, 10, 100, 700)))]
    reading = read_dots(dirt, [KEY])
    assert reading.number is None
    assert not reading.is_marked


def test_dots_of_two_copies_are_no_third_one() -> None:
    """Pages of two copies, one over the other as a leaker may print them, are read as one of them or not at all."""
    rng = random.Random(3)
    free = found()
    for numbers in ((1, 2), (70, 9000)):
        both = [dot for pair in zip(*(points(number, free) for number in numbers), strict=True) for dot in pair]
        halves = [pair[rng.random() < 0.5] for pair in zip(*(points(number, free) for number in numbers), strict=True)]
        assert read_dots(both, [KEY]).number in (None, *numbers)
        assert read_dots(halves, [KEY]).number in (None, *numbers)


def test_planned_places_are_read_at_once() -> None:
    dots = points(99, found())
    assert read_upright(dots, KEY).number == 99
    assert read_upright([(x + 37.21, y - 2.6) for x, y in dots], KEY).number == 99
    assert read_upright([], KEY).number is None
    assert read_upright(dots, OTHER_KEY).number is None
