"""Texts in columns without an end. All words come, in order, no line is too wide, edges are quiet."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.core.frame import Text
from duckpress.text import SetLine, SetText
from profiles import examples
from setting import BODY, EN

RULES = (
    "All look at the four cards in their hands and lay any number of them face down: from none to all. When everybody "
    "is ready, all shout and reveal together. The highest total picks first, the second highest next, and so on. If "
    "totals are tied, whoever bid more cards goes first; if that is tied too, whoever sits nearest to the start player."
)
HYPHENATED = BODY._replace(is_hyphenated=True)


def said(line: SetLine) -> str:
    return " ".join(" ".join(item.text for item in line.items if isinstance(item, Text)).split())


def words_of(set_text: SetText) -> str:
    """Return what a set_text says, words that were divided put together again."""
    return " ".join(said(line) for line in set_text.lines).replace("\u00ad ", "").replace("\u00ad", "")


@pytest.mark.parametrize("width_mm", [40.0, 52.0, 60.0, 85.5])
def test_lines_are_more_even_than_one_by_one(width_mm: float) -> None:
    greedy = EN.height(RULES, BODY, width_mm)
    set_text = EN.set_paragraphs(RULES, BODY, width_mm)
    height_mm = (len(set_text.lines) - 1) * set_text.leading_mm + set_text.ascent_mm + set_text.descent_mm
    assert height_mm == pytest.approx(greedy, abs=0.01), "not one line more than it needs"
    widths_mm = [line.width_mm for line, after in pairwise(set_text.lines) if not after.gap_mm]
    assert min(widths_mm) > 0.75 * width_mm


def test_hyphens_are_few_and_never_in_two_lines_running() -> None:
    set_text = EN.set_paragraphs(RULES, HYPHENATED, 24.0)
    ends = [said(line).endswith("\u00ad") for line in set_text.lines]
    assert 0 < sum(ends) <= len(ends) / 3
    assert not any(one and other for one, other in pairwise(ends))


def test_paragraphs_and_forced_breaks_are_lines_of_their_own() -> None:
    set_text = EN.set_paragraphs("one\\\ntwo\n\nthree", BODY, 60.0)
    assert [said(line) for line in set_text.lines] == ["one", "two", "three"]
    assert [line.gap_mm > 0 for line in set_text.lines] == [False, False, True]


@given(
    st.lists(st.text("abcdefghij-äé", min_size=1, max_size=14), min_size=1, max_size=40)
    .map(" ".join)
    .filter(lambda text: not text.startswith("- ")),  # that would be an item
    st.floats(15.0, 120.0),
)
@examples(30)
def test_any_words_in_any_column(text: str, width_mm: float) -> None:
    set_text = EN.set_paragraphs(text, HYPHENATED, width_mm)
    assert words_of(set_text).replace(" ", "") == text.replace(" ", "")
    assert all(line.width_mm <= width_mm + 1e-3 or set_text.over_words for line in set_text.lines)


BUTS = (
    "À chaque manche passe un vol de canards, et les chasseurs misent en secret des cartes Coup de leur petit paquet "
    "pour choisir avant les autres. Le total le plus haut choisit un canard. Si deux joueurs ont autant de coups, on "
    "regarde le nombre de cartes, puis qui est assis à gauche du premier joueur. Un canard ne compte qu’une fois."
)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("text", [RULES, BUTS])
@pytest.mark.parametrize("align", ["left", "center"])
def test_no_last_word_stands_alone_and_no_line_ends_on_a_short_one(text: str, align: str) -> None:
    """Lines ended on À, Le, Si, un, and one word was left for the last line. The end of a sentence may be short."""
    short: list[str] = []
    count = 0
    for tenths in range(500, 1300, 13):
        lines = [said(line) for line in EN.set_paragraphs(text, HYPHENATED._replace(align=align), tenths / 10).lines]
        assert len(lines[-1].split()) > 1, (tenths, lines)
        ends = [re.search(r"(?:^|[.?!] )(\w{1,3})$|(?:^| )\w$", line) for line in lines[:-1]]
        assert not any(ends), (tenths, lines)
        short += [line for line in lines[:-1] if re.search(r"(?:^| )\w\w$", line)]
        count += len(lines) - 1
    assert len(short) < 0.05 * count, "two letters may end a line where all else is worse"


def test_a_word_is_not_parted_at_its_stroke_where_lines_may_be_otherwise() -> None:
    words = "Print two aids (5/player) and lay every card beside green-winged teal."
    for width_mm in range(30, 70):
        lines = [said(line) for line in EN.set_paragraphs(words, BODY, width_mm).lines]
        assert not [line for line in lines[:-1] if line.endswith(("/", "-"))], (width_mm, lines)
