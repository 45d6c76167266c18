"""The rules of the bundled games on paper: no words come near a footer, and pages are as many as a folded sheet has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from duckpress.core.frame import Frame, Outline, Text
from duckpress.files.workspace import Workspace
from duckpress.press.request import Built

GAMES = Workspace(Path(__file__).resolve().parent.parent.parent).games()
_CLEAR_MM = 2.0


def words_above(page: Frame) -> tuple[float, float]:
    """Return how far down the words of a page's columns reach, and where those of its footer begin."""
    at = max(number for number, item in enumerate(page.items) if isinstance(item, Outline))
    words = [item.y_mm for item in page.items[:at] if isinstance(item, Text)]
    footer = [item for item in page.items[at + 1 :] if isinstance(item, Text)]
    return max(words, default=0.0), min(item.y_mm - item.size_mm for item in footer)


@pytest.mark.sweep(5)
@pytest.mark.parametrize("game_id", GAMES)
def test_no_words_come_near_a_footer(game_id: str, whole: Callable[[str], Built]) -> None:
    pages = [
        (one.piece.id, paper, number, page)
        for one in whole(game_id).checked.pieces
        for paper, frames in one.pages.items()
        for number, page in enumerate(frames, 1)
    ]
    assert pages
    near = [
        (piece, paper, number, round(words - footer, 2))
        for piece, paper, number, page in pages
        for words, footer in [words_above(page)]
        if words > footer - _CLEAR_MM
    ]
    assert near == []


@pytest.mark.sweep(5)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_booklet_folds_from_whole_sheets_and_is_not_padded_with_one(
    game_id: str, whole: Callable[[str], Built]
) -> None:
    for one in whole(game_id).checked.pieces:
        for paper, frames in one.pages.items() if one.piece.is_booklet else ():
            blank = sum(not any(isinstance(item, Text) and item.size_mm > 3 for item in page.items) for page in frames)
            assert len(frames) % 4 == 0, (one.piece.id, paper)
            assert blank < 4, (one.piece.id, paper)
