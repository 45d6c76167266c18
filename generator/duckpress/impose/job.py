"""What the ways of laying a piece on sheets share: its faces, the paper, and how the sheets are turned and labelled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from duckpress.core.geometry import Size
from duckpress.core.sizes import Format, Paper
from duckpress.impose.footer import SHAPES, Footer, FooterShape, SheetLabel, Typeset, whole_length_mm
from duckpress.impose.grid import Slot
from duckpress.impose.rims import Rims
from duckpress.impose.sheets import Backs, Cut, Gaps, Placement, Sheet, Side, Turn
from duckpress.language import program


class Leaf(NamedTuple):
    """What imposing needs of a face: its format, its copies, and the hashes of the frames on its two sides.

    `overlap_mm` is how much its tiles share, where it may be tiled; `piece` the title of its piece, where pieces share
    sheets.
    """

    format: Format
    copies: int
    front: str
    back: str | None = None
    overlap_mm: float | None = None
    piece: str = ""


class Manner(Struct, frozen=True):
    """How a piece is laid on sheets, beside its paper: as the options of the command line say it.

    Without `rims` no two faces are taken to look alike at their edges.
    """

    cut: Cut = Cut.MARKS
    gaps: Gaps = Gaps.MOST
    rims: Rims | None = None


AS_EVER = Manner()


class ImpositionJob(NamedTuple):
    """A piece to be laid on sheets. `most_sheets` is more than there can be: room for it is kept in the footers.

    `backs` says which sides are made. `is_split` puts each back side on the next sheet, for paper that is printed on
    one side and glued; `is_folded` has fronts and backs on one side, with a fold between them. `has_backs`: any face
    has one, printed now or not.
    """

    faces: Sequence[Leaf]
    paper: Paper
    turn: Turn
    backs: Backs
    label: SheetLabel
    typeset: Typeset
    most_sheets: int
    manner: Manner = AS_EVER
    is_split: bool = False
    is_folded: bool = False
    has_backs: bool = False

    def named(self, indexes: Iterable[int]) -> str:
        """Return the titles of the pieces that some faces are of; empty where all are of the piece on the label."""
        return program.PIECES_JOINED.join(dict.fromkeys(self.faces[index].piece for index in sorted(indexes)))

    def fronts(self, seats: Iterable[tuple[int, Slot]]) -> tuple[Placement, ...]:
        """Return the fronts of some faces at their slots."""
        return tuple(
            [
                Placement(index, False, slot.x_mm, slot.y_mm, 0, self.faces[index].front, slot.bleed)
                for index, slot in seats
            ]
        )

    def backs_behind(self, seats: Iterable[tuple[int, tuple[Slot, int]]]) -> tuple[Placement, ...]:
        """Return the backs of some faces at the slots behind them, turned by so many degrees; some have none."""
        return tuple(
            [
                Placement(index, True, slot.x_mm, slot.y_mm, degrees, back, slot.bleed)
                for index, (slot, degrees) in seats
                if (back := self.faces[index].back) is not None
            ]
        )

    @property
    def is_double_sided(self) -> bool:
        """Whether back sides are made."""
        return self.has_backs and (self.is_split or self.backs in (Backs.DUPLEX, Backs.ONLY))

    @property
    def sheets_each(self) -> int:
        """How many sheets of paper a front and its back take."""
        return 2 if self.is_split else 1

    @property
    def planned_turn(self) -> Turn | None:
        """How the sheets are turned, now or once their backs are printed by themselves; None where they never are.

        Fronts alone and backs alone lie as in a file with both.
        """
        return self.turn if self.has_backs and not self.is_folded else None

    @property
    def shown_turn(self) -> Turn | None:
        """How the footers say that the sheets are turned; None where they are printed on one side."""
        return self.turn if self.is_double_sided and not self.is_split else None

    def sheets_of(self, paper: Size, front: Side, back: Side | None, number: int, total: int) -> list[Sheet]:
        """Return the sheets that come of a front and its back side, the first of them with this number."""
        if self.is_split and back is not None:
            return [Sheet(paper, front, None, number, total), Sheet(paper, back, None, number + 1, total)]
        if self.backs is Backs.ONLY:
            return [Sheet(paper, back or Side((), ()), None, number, total)]
        return [Sheet(paper, front, back, number, total)]

    def footer(self, shape: FooterShape, length_mm: float) -> Footer:
        """Return the footers of a line of that length."""
        return Footer(self.label, self.typeset, self.shown_turn, shape, length_mm, is_folded=self.is_folded)

    def footer_mm(self) -> dict[FooterShape, float]:
        """Return the length that each shape of footer needs to say everything."""
        return {
            shape: whole_length_mm(
                self.label, self.typeset, self.planned_turn, self.most_sheets, shape, is_folded=self.is_folded
            )
            for shape in SHAPES
        }


class Layout(Protocol):
    """A part of a piece laid out: so many sheets, which know their number only once all of the piece is laid out."""

    @property
    def count(self) -> int:
        """How many sheets it takes."""

    def sheets(self, first: int, total: int) -> list[Sheet]:
        """Return the sheets, numbered from `first` on."""
