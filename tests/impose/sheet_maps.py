"""Sheets as maps of letters, readable in review, and a stand-in for the typesetter of footers."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.core.frame import Item, Text
from duckpress.core.geometry import MM_PER_PT
from duckpress.core.sizes import FORMATS, PAPERS, Format, Paper
from duckpress.impose import Backs, Leaf, Sheet, SheetLabel, Side, Turn, impose_piece

LABEL = SheetLabel("A Game", "Cards", "0.3")
FACES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def typeset(text: str, size_pt: float, is_bold: bool) -> tuple[tuple[Item, ...], float]:
    """Return one text of letters half as wide as the type is high."""
    size_mm = size_pt * MM_PER_PT
    width_mm = len(text) * size_mm * (0.55 if is_bold else 0.5)
    font = "Bold" if is_bold else "Regular"
    return (Text(0.0, 0.0, size_mm, font, "#333333", "", text, width_mm),), width_mm


def leaves(fronts: str, backs: str | None = None, size: str | Format = "poker") -> list[Leaf]:
    """Return one leaf for each letter; `.` among the backs is a face without a back."""
    format_ = FORMATS[size] if isinstance(size, str) else size
    letters = fronts.lower() if backs is None else backs
    return [Leaf(format_, 1, front, None if back == "." else back) for front, back in zip(fronts, letters, strict=True)]


def impose(
    faces: Sequence[Leaf],
    paper: str | Paper = "a4",
    backs: Backs = Backs.DUPLEX,
    turn: Turn = Turn.LONG,
    label: SheetLabel = LABEL,
) -> tuple[Sheet, ...]:
    """Impose with the stand-in typesetter."""
    return impose_piece(faces, PAPERS[paper] if isinstance(paper, str) else paper, backs, turn, label, typeset)


def side_map(side: Side | None, columns: int, grid: Side) -> str:
    """Return a side row by row, `.` for an empty slot; `grid` is a full side that shows where the slots are."""
    if side is None:
        return ""
    found = {(round(item.x_mm, 3), round(item.y_mm, 3)): item.frame for item in side.placements}
    places = sorted((round(item.y_mm, 3), round(item.x_mm, 3)) for item in grid.placements)
    letters = [found.pop((x_mm, y_mm), ".") for y_mm, x_mm in places]
    assert not found, f"outside the grid: {found}"
    return " / ".join(" ".join(letters[first : first + columns]) for first in range(0, len(letters), columns))
