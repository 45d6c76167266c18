"""The line of a fold and the words beside it: each small fault in how they are planned is told."""

from __future__ import annotations

from typing import Any

import pytest

from any_deck import COPIES, face
from duckpress.core.frame import Group, Paint
from duckpress.core.geometry import translation
from duckpress.core.sizes import FORMATS, PAPERS
from duckpress.impose import Backs, Cut, Leaf, Turn, gutter
from oracle.sheets.proving import look_at
from test_printed_sheets import SOURCE, document, expected_of


def findings(name: str) -> list[str]:
    """Return what the proof finds of cards on folded sheets, as the program imposes them."""
    format_, paper = FORMATS[name], PAPERS["a4"]
    fronts = [face(format_, f"card {at}", "#f4ead2") for at in range(len(COPIES))]
    back = face(format_, "back", "#224466")
    leaves = [Leaf(format_, copies, front.hash, back.hash) for copies, front in zip(COPIES, fronts, strict=True)]
    pdf, duplex = document(leaves, [*fronts, back], paper, Backs.GUTTERFOLD, Turn.LONG)
    faces = [(copies, front, back) for copies, front in zip(COPIES, fronts, strict=True)]
    expected = expected_of(faces, paper, Backs.GUTTERFOLD, Turn.LONG, duplex, Cut.MARKS)
    return [problem.what for problem in look_at(pdf, expected, SOURCE) if problem.code == "proof-fold"]


@pytest.mark.parametrize("name", ["mini-euro", "poker-landscape"])
def test_right_folds_have_no_findings(name: str) -> None:
    assert findings(name) == []


def _moved(items: Any) -> Any:
    def moved(*args: Any) -> Any:
        line, *words = items(*args)
        return line, *(Group((word,), translation(0.0, 1.0)) for word in words)

    return moved


@pytest.mark.parametrize(
    ("what", "spoil", "told"),
    [
        ("_WORD_ROOM_MM", lambda _: -2.6, "page 1: marks run up to the fold"),
        ("_WORD_GAP_MM", lambda _: 6.8, "page 1: 'fold' does not stand beside the fold at both its ends"),
        ("fold_items", _moved, "page 1: 'fold' does not stand beside the fold at both its ends"),
        ("fold_items", lambda items: lambda *args: items(*args)[:2], "page 1: 'fold' does not stand beside the fold"),
        ("FOLD_PAINT", lambda _: Paint(stroke="#000000", stroke_mm=0.2), "page 1: the line of the fold is not drawn"),
    ],
)
def test_what_is_wrong_at_a_fold_is_told(monkeypatch: pytest.MonkeyPatch, what: str, spoil: Any, told: str) -> None:
    monkeypatch.setattr(gutter, what, spoil(getattr(gutter, what)))
    found = [one for name in ("mini-euro", "poker") for one in findings(name)]
    assert any(one.startswith(told) for one in found), found
