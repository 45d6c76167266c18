"""Footers say what a sheet is and how to print it, and carry bars of true length."""

from __future__ import annotations

import pytest
from ink import footer_of, inked, words_of
from sheet_maps import LABEL, impose, leaves, typeset

from duckpress.core.frame import Item, Outline, Text
from duckpress.core.geometry import Rect
from duckpress.core.sizes import PAPERS
from duckpress.impose import Backs, SheetLabel, Side, Turn, impose_piece
from duckpress.impose.footer import COLOUR


def bars_of(side: Side) -> list[float]:
    """Return the lengths of the bars, between the middles of their end ticks, short first."""
    strokes = [box for item, box in inked(side.items) if isinstance(item, Outline) and item.paint.stroke == COLOUR]
    lengths = sorted(max(box.width_mm, box.height_mm) - 0.15 for box in strokes)
    return lengths[-2:]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("turn", list(Turn))
def test_both_sides_say_everything(paper: str, turn: Turn) -> None:
    sheets = impose(leaves("ABCDEFGHIJ"), paper, turn=turn, label=SheetLabel("Duck Blind", "Play deck", "0.3"))
    for sheet in sheets:
        assert sheet.back is not None
        for side, name in ((sheet.front, "front"), (sheet.back, "back")):
            words = words_of(side)
            for part in ("Duck Blind", "Play deck", "version 0.3", f"sheet {sheet.number} of 2", f"· {name} ·"):
                assert part in words
            assert f"flip on the {turn.value} edge" in words
            assert "print at 100 %" in words
            assert "50 mm" in words
            assert "2 in" in words
            assert bars_of(side) == pytest.approx([50.0, 50.8], abs=1e-6)


def test_a_sheet_printed_on_one_side_is_not_flipped() -> None:
    (sheet,) = impose(leaves("A"), backs=Backs.NONE)
    assert "flip" not in words_of(sheet.front)
    assert "print at 100 %" in words_of(sheet.front)


def test_the_left_footer_reads_from_bottom_to_top() -> None:
    (sheet,) = impose(leaves("A"), "letter")
    boxes = footer_of(sheet.front)
    assert max(box.right_mm for box in boxes) < 12.0
    texts = [(item.text, box) for item, box in inked(sheet.front.items) if isinstance(item, Text)]
    first = next(box for text, box in texts if text == LABEL.game)
    last = next(box for text, box in texts if text.startswith("· front"))
    assert first.bottom_mm == pytest.approx(279.4 - 5.0)
    assert last.bottom_mm < first.y_mm
    assert "version 0.3 · sheet 1 of 1 · front" in words_of(sheet.front)


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


def test_parts_that_repeat_are_typeset_once() -> None:
    asked: list[str] = []

    def counting(text: str, size_pt: float, is_bold: bool) -> tuple[tuple[Item, ...], float]:
        asked.append(text)
        return typeset(text, size_pt, is_bold)

    sheets = impose_piece(leaves("A" * 900), PAPERS["a4"], Backs.DUPLEX, Turn.LONG, LABEL, counting)
    assert len(sheets) == 100
    assert len(asked) < len(sheets) + 30
