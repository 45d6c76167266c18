"""Lines with letters that run from right to left, as they were set: which items they hold, and in which order they lie.

Items come in the order of reading, and lie in that of drawing; marks may stand above or under their line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from duckpress.core.frame import Item, Text
from oracle.frame_check.asked_values import SLIP_MM, WrongFrame

TURNED = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""A letter that may be written from right to left."""

_STEERING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_AS_HIGH = 0.5  # type sizes: what is no farther from a line belongs to it


class Place(NamedTuple):
    """An item, its ends and its baseline; ends are counted from the left, or from the right of what is mirrored."""

    item: Item
    left: float
    right: float
    baseline: float


def first_way(text: str) -> str:
    """Return the way of the first letter, L or R; nothing where there is none."""
    ways = map(unicodedata.bidirectional, text)
    return next(({"L": "L", "R": "R", "AL": "R"}[way] for way in ways if way in ("L", "R", "AL")), "")


def parts_of_words(items: Sequence[Item], size_mm: float) -> set[int]:
    """Return the numbers of runs that stand a little above or under their neighbours: marks, and what they part."""
    parted: set[int] = set()
    for at, (item, after) in enumerate(pairwise(items)):
        if not isinstance(item, Text) or not isinstance(after, Text):
            continue
        if 0.0 < abs(item.y_mm - after.y_mm) < _AS_HIGH * size_mm:
            parted |= {at, at + 1}
    return parted


def mirrored(places: Sequence[Place], edges_mm: float) -> list[Place]:
    """Return places with their ends counted from the right edge; `edges_mm` is the sum of both edges of the box."""
    return [place._replace(left=edges_mm - place.right, right=edges_mm - place.left) for place in places]


def lines_of(places: Sequence[Place], size_mm: float) -> list[list[Place]]:
    """Return the places of each line, in the order of reading, on its baseline: that of most of its width."""
    lines: list[list[Place]] = []
    for place in places:
        if not lines or abs(place.baseline - lines[-1][-1].baseline) > _AS_HIGH * size_mm:
            lines.append([])
        lines[-1].append(place)
    levelled: list[list[Place]] = []
    for line in lines:
        wide_at: dict[float, float] = {}
        for place in line:
            wide_at[place.baseline] = wide_at.get(place.baseline, 0.0) + place.right - place.left
        baseline = max(wide_at, key=lambda high: wide_at[high])
        levelled.append([place._replace(baseline=baseline) for place in line])
    return levelled


def across(line: Sequence[Place]) -> list[Place]:
    """Return the places of a line in the order in which they lie."""
    return sorted(line, key=lambda place: (place.left + place.right, place.right))


def check_ways(line: Sequence[Place]) -> None:
    """Raise `WrongFrame` where runs of one way do not follow each other that way.

    Only neighbours in reading that both have letters are looked at, where nothing steers them.
    """
    runs = [place for place in line if isinstance(place.item, Text)]
    if any(isinstance(run.item, Text) and _STEERING.search(run.item.text) for run in runs):
        return
    for one, after in pairwise(runs):
        assert isinstance(one.item, Text)
        assert isinstance(after.item, Text)
        way = first_way(one.item.text)
        is_right = after.left > one.left - SLIP_MM if way == "L" else after.right < one.right + SLIP_MM
        if way and way == first_way(after.item.text) and not is_right:
            raise WrongFrame(f"{after.item.text!r} stands on the wrong side of {one.item.text!r}")
