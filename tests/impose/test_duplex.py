"""Backs land behind their faces: sides of sheets as maps, the back as it is read after the turn."""

from __future__ import annotations

import pytest
from sheet_maps import impose, leaves, side_map

from duckpress.impose import Backs, Turn

LONG, SHORT = Turn.LONG, Turn.SHORT


def sheets(fronts: str, backs: str | None = None, turn: Turn = LONG, **how: object) -> list[tuple[str, str]]:
    full = impose(leaves("X" * 9), turn=turn)[0].front
    return [
        (side_map(sheet.front, 3, full), side_map(sheet.back, 3, full))
        for sheet in impose(leaves(fronts, backs), turn=turn, **how)  # type: ignore[arg-type]
    ]


@pytest.mark.parametrize(
    ("fronts", "turn", "front", "back"),
    [
        ("A", LONG, "A . . / . . . / . . .", ". . a / . . . / . . ."),
        ("ABCDE", LONG, "A B C / D E . / . . .", "c b a / . e d / . . ."),
        ("ABCDE", SHORT, "A B C / D E . / . . .", ". . . / d e . / a b c"),
        ("ABCDEFGHI", SHORT, "A B C / D E F / G H I", "g h i / d e f / a b c"),
    ],
)
def test_maps(fronts: str, turn: Turn, front: str, back: str) -> None:
    assert sheets(fronts, turn=turn) == [(front, back)]


def test_faces_without_a_back_leave_their_place_empty() -> None:
    assert sheets("ABCDE", "a.c.e") == [("A B C / D E . / . . .", "c . a / . e . / . . .")]
    found = sheets("ABCDEFGHIJ", "." * 9 + "j")  # and a sheet without any, between others, its whole back
    assert found[0] == ("A B C / D E F / G H I", ". . . / . . . / . . .")
    assert found[1][1] == ". . j / . . . / . . ."


@pytest.mark.parametrize(("backs", "mode"), [("...", Backs.DUPLEX), ("abc", Backs.NONE)])
def test_no_backs_are_single_sided_sheets(backs: str, mode: Backs) -> None:
    (sheet,) = impose(leaves("ABC", backs), backs=mode)
    assert sheet.back is None
