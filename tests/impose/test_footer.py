"""Footers say what a sheet is and how to print it, and carry bars of true length."""

from __future__ import annotations

import pytest
from ink import footer_of, inked, words_of
from sheet_maps import LABEL, impose, leaves

from duckpress.core.frame import Text
from duckpress.core.geometry import Rect
from duckpress.impose import SheetLabel


def test_a_note_stands_first_and_bold() -> None:
    (sheet,) = impose(leaves("A"), label=LABEL._replace(note="DRAFT"))
    assert "DRAFT A Game" in words_of(sheet.front)
    fonts = {item.text: item.font for item, _ in inked(sheet.front.items) if isinstance(item, Text)}
    assert fonts["DRAFT"] == fonts["A Game"] == "Bold"


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_long_titles_are_shortened_and_nothing_else(paper: str) -> None:
    label = SheetLabel("An Exceedingly Long Title " * 6, "Cards of Every Kind and Colour " * 5, "2026.11-beta")
    (sheet,) = impose(leaves("ABCDEFGHI"), paper, label=label)
    words = words_of(sheet.front)
    assert "An Exceed" in words
    assert "…" in words
    for part in ("version 2026.11-beta", "sheet 1 of 1", "flip on the long edge", "print at 100 %"):
        assert part in words
    (smaller,) = impose(leaves("A"), label=LABEL._replace(version="9" * 200))  # no line holds it as it is
    for one in (sheet, smaller):
        page = Rect(0.0, 0.0, *one.paper).grown(-5.0)
        assert all(page.holds(box) for box in footer_of(one.front))
