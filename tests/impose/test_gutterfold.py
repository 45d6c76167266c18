"""Folded sheets as maps: fronts left of the fold (or above it), and what lies behind each once it is folded back."""

from __future__ import annotations

import pytest
from ink import inked, words_of
from sheet_maps import LABEL, impose, leaves, typeset

from duckpress.core.frame import Outline, Text
from duckpress.core.geometry import Rect, Size
from duckpress.core.language import Speech
from duckpress.core.sizes import PAPERS, Format, Paper
from duckpress.impose import Backs, Layer, Leaf, Sheet, Side, Turn, impose_piece
from duckpress.impose.gutter import FOLD_PAINT
from duckpress.impose.job import Manner
from duckpress.impose.sheets import Cut


def folded(faces: list[Leaf], paper: str | Paper = "a4", **how: object) -> tuple[Sheet, ...]:
    return impose(faces, paper, Backs.GUTTERFOLD, **how)  # type: ignore[arg-type]


def fold_map(sheet: Sheet, size: str = "poker") -> str:
    """Return a sheet row by row, `.` for nothing, a back at 180 degrees as `(a)`; places are those of a full one."""
    is_a4 = sorted(sheet.paper) == [210.0, 297.0]
    full = folded(leaves("X" * 60, size=size))[0].front if is_a4 else sheet.front
    xs = sorted({round(item.x_mm, 2) for item in full.placements})
    ys = sorted({round(item.y_mm, 2) for item in full.placements})
    letters = {
        (round(item.x_mm, 2), round(item.y_mm, 2)): item.frame if item.turn_degrees == 0 else f"({item.frame})"
        for item in sheet.front.placements
    }
    return " / ".join(" ".join(letters.get((x, y), ".") for x in xs) for y in ys)


def layers_of(side: Side) -> list[str]:
    return [item.name for item in side.items if isinstance(item, Layer)]


def fold_line(side: Side) -> Rect:
    (line,) = [box for item, box in inked(side.items) if isinstance(item, Outline) and item.paint == FOLD_PAINT]
    return line


@pytest.mark.parametrize(
    ("fronts", "backs", "wanted"),
    [
        ("ABCD", "abcd", "A B b a / C D d c"),
        ("ABCD", "a.cc", "A B . a / C D c c"),
        ("A", "a", "A . . a / . . . ."),
    ],
)
def test_two_columns_beside_an_upright_fold(fronts: str, backs: str, wanted: str) -> None:
    (sheet,) = folded(leaves(fronts, backs))
    assert sheet.back is None
    assert sheet.paper == Size(297.0, 210.0)
    assert fold_map(sheet) == wanted
    (sheet,) = folded(leaves("AB", size="tarot"))  # of which one column lies beside the fold
    assert fold_map(sheet, "tarot") == "A a / B b"
    assert fold_line(sheet.front).x_mm == pytest.approx(105.0, abs=0.11)
    assert FOLD_PAINT.dash_mm, "a line to cut along is none to fold along"


def test_backs_below_a_level_fold_stand_at_180_degrees() -> None:
    (sheet,) = folded(leaves("ABCD"), "letter")
    line = fold_line(sheet.front)
    assert line.width_mm > line.height_mm
    assert sheet.paper == Size(279.4, 215.9)
    assert fold_map(sheet) == "A B C D / (a) (b) (c) (d)"


def test_the_line_lies_in_a_layer_and_its_word_is_translated() -> None:
    label = LABEL._replace(speech=Speech("fr", shared={"fold": {"other": "plier"}}))
    (sheet,) = folded(leaves("A"), label=label)
    layers = {item.name: item for item in sheet.front.items if isinstance(item, Layer)}
    assert set(layers) == {"cut", "fold"}
    assert {item.text for item, _ in inked(layers["fold"].items) if isinstance(item, Text)} == {"plier"}


def test_sizes_lie_on_sheets_of_their_own_and_those_without_backs_are_not_folded() -> None:
    faces = leaves("ABCDEFGHIJ", "." * 10)
    assert folded(faces) == impose(faces)
    found = folded([*leaves("AB"), *leaves("CD", "..", size="round-1in"), *leaves("E", size="tarot")])
    placed = ["".join(item.frame for item in sheet.front.placements) for sheet in found]
    assert placed == ["ABab", "Ee", "CD"]
    assert [layers_of(one.front).count("fold") for one in found] == [1, 1, 0]
    assert [(sheet.number, sheet.total) for sheet in found] == [(1, 3), (2, 3), (3, 3)]


def test_what_is_larger_than_half_a_sheet_has_its_back_on_the_next() -> None:
    found = folded([*leaves("A", size="page"), *leaves("B", ".", size="page")])
    assert ["".join(item.frame for item in sheet.front.placements) for sheet in found] == ["A", "a", "B"]
    assert all(sheet.back is None for sheet in found)
    duplex = impose(leaves("A", size="page"))[0]
    assert duplex.back is not None
    assert found[1].front.placements == duplex.back.placements
    words = [words_of(sheet.front) for sheet in found]
    assert ["back" in said.split() for said in words] == [False, True, False]
    assert all("flip" not in said for said in words)
    assert "sheet 2 of 3" in words[1]


def test_a_tiled_board_has_each_tile_s_back_on_the_next_sheet() -> None:
    board = Leaf(Format("board", Size(300.0, 380.0)), 1, "B", "b", 10.0)
    found = folded([board])
    assert [item.frame for sheet in found for item in sheet.front.placements] == ["B", "b"] * (len(found) // 2)
    assert len(found) >= 8


def test_cut_none_leaves_the_fold() -> None:
    manner = Manner(Cut.NONE)
    (sheet,) = impose_piece(leaves("A"), PAPERS["a4"], Backs.GUTTERFOLD, Turn.LONG, LABEL, typeset, manner)
    assert layers_of(sheet.front) == ["fold"]
