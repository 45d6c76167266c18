"""What the ways of laying a piece on sheets share: its faces, the paper, and how the sheets are turned and labelled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from duckpress.impose.footer import SHAPES, Footer, Shape, SheetLabel, Typeset, whole_length_mm
from duckpress.impose.sheet import Sheet, Turn
from duckpress.sizes import Format, Paper


class Leaf(NamedTuple):
    """What imposing needs of a face: its format, its copies, and the hashes of the frames on its two sides.

    `overlap_mm` is how much its tiles share, where it may be tiled.
    """

    format: Format
    copies: int
    front: str
    back: str | None = None
    overlap_mm: float | None = None


class Job(NamedTuple):
    """A piece to be laid on sheets. `most_sheets` is more than there can be: room for it is kept in the footers."""

    faces: Sequence[Leaf]
    paper: Paper
    turn: Turn
    is_double_sided: bool
    label: SheetLabel
    typeset: Typeset
    most_sheets: int

    @property
    def shown_turn(self) -> Turn | None:
        """How the sheets are turned; None where they are printed on one side."""
        return self.turn if self.is_double_sided else None

    def footer(self, shape: Shape, length_mm: float) -> Footer:
        """Give the footers of a line of that length."""
        return Footer(self.label, self.typeset, self.shown_turn, shape, length_mm)

    def footer_mm(self) -> dict[Shape, float]:
        """Give the length that each shape of footer needs to say everything."""
        return {
            shape: whole_length_mm(self.label, self.typeset, self.shown_turn, self.most_sheets, shape)
            for shape in SHAPES
        }


class Layout(Protocol):
    """A part of a piece laid out: so many sheets, which know their number only once all of the piece is laid out."""

    @property
    def count(self) -> int:
        """How many sheets it takes."""

    def sheets(self, first: int, total: int) -> list[Sheet]:
        """Give the sheets, numbered from `first` on."""
