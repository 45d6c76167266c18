"""Words that were looked at before: the findings are the same, and nonsense in what was kept of them is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from duckpress.core.frame import Frame, Group, Item, Outline, Paint, Text
from duckpress.core.geometry import Size
from duckpress.core.problems import Source
from duckpress.layout.legibility import Faint, Grounds, Seen, check_legibility, faint_words
from path_texts import path_of

DARK = Outline(path_of("0 0 63 40 re"), Paint(fill="#222222"))


def words(text: str, y_mm: float, colour: str = "#444444") -> Text:
    return Text(10.0, y_mm, 3.0, "font", colour, "<0001>", text, 20.0)


def seen(card: str, *items: Item) -> Seen:
    return Seen("duck", card, "front", Frame(Size(63.0, 88.0), 2.0, items), Source("duck.yaml", 5), Source("duck.xml"))


FACES = [
    seen("sound", words("on paper", 60)),
    seen("faint", DARK, words("in the dark", 20), words("on paper", 60)),
    seen("lines", DARK, *(words(f"line {number}", 20 + 4 * number) for number in range(8))),
    seen("ornament", DARK, words("~", 30)),
    seen("sheer ornament", Group((words("~", 60),), opacity=0.1)),
]
ORNAMENTS = {("~", "#444444")}


def told(faint: Mapping[str, Sequence[Faint]]) -> list[str]:
    return [problem.what for problem in check_legibility(FACES, {}, ORNAMENTS, faint)]


@pytest.mark.parametrize("numbers", [[], [0, 1, 2, 3], [1], [3, 0]])
def test_findings_are_the_same_whoever_looked(numbers: list[int]) -> None:
    frames = [FACES[number].frame for number in numbers]
    grounds = Grounds({})
    faint = {frame.hash: faint_words(frame.items, grounds) for frame in frames}
    (what,) = told(faint)
    assert "(and on 1 more card)" in what
    assert told(faint) == told({})
