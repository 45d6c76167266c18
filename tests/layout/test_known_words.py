"""Words that were looked at before: the findings are the same, and nonsense in what was kept of them is none."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest

from duckpress.core.frame import Frame, Group, Item, Outline, Paint, Text
from duckpress.core.geometry import Size
from duckpress.core.problems import Source
from duckpress.layout.legibility import Faint, Grounds, Seen, check_legibility, faint_words
from duckpress.press.frame_store import FaintWords
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


def test_what_is_known_is_what_is_told() -> None:
    faint = FaintWords(json.dumps({FACES[0].frame.hash: [["said", "#444444", "#444444", "#333333", 4.5]]}).encode())
    assert any("'said' is hard to read" in what for what in told(faint))


@pytest.mark.parametrize(
    "found", ["x", 3, [[]], ["word"], [["word", "#444444", "#444444", "#33", 4.5]],
              [["w", "#444444", "#444444", "#zzzzzz", 4.5]], [["w", "#444444", "#333333", 4.5]],
              [["w", 4, "#444444", "#333333", 4.5]], [["w", "#444444", "#444444", "#333333", None]], [{"a": 1}]]
)  # fmt: skip
def test_nonsense_counts_for_nothing(found: object) -> None:
    faint = FaintWords(json.dumps({FACES[1].frame.hash: found}).encode())
    assert faint == {}
    assert told(faint) == told(FaintWords())


@pytest.mark.parametrize("made", [b"", b"{", b"[1]", b"3", b"\xff", b"[" * 100_000])
def test_what_cannot_be_read_counts_for_nothing(made: bytes) -> None:
    assert FaintWords(made) == {}
