"""Several pieces on common sheets, to save paper.

Faces of one size share grids whatever piece they are of, and what does not fill a sheet is packed in blocks of one size
each, as in a piece of several sizes: every sheet is cut apart by straight cuts. Pieces follow one another, so that most
sheets hold one piece, and every footer names those on its sheet. Sheets are never more than the pieces take alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby

from msgspec import Struct

from duckpress.core.sizes import Paper
from duckpress.impose.deck_sheets import impose_piece
from duckpress.impose.footer import SheetLabel, Typeset
from duckpress.impose.job import AS_EVER, Leaf, Manner
from duckpress.impose.sheets import Backs, Sheet, Side, Turn
from duckpress.language import program


class Share(Struct, frozen=True):
    """A piece that shares sheets with others: its title and faces."""

    title: str
    leaves: Sequence[Leaf]

    @property
    def has_backs(self) -> bool:
        """Whether anything is printed behind a face."""
        return any(leaf.back is not None and leaf.copies > 0 for leaf in self.leaves)


class GangedSheets(Struct, frozen=True):
    """Sheets that follow one another and hold the same pieces, and the titles of those."""

    title: str
    sheets: tuple[Sheet, ...]


class Gang(Struct, frozen=True):
    """Several pieces on common sheets, and how many sheets they would take each by itself."""

    bundles: tuple[GangedSheets, ...]
    sheets_alone: int

    @property
    def sheets(self) -> int:
        """How many sheets they take."""
        return sum(len(bundle.sheets) for bundle in self.bundles)


def impose_gang(
    pieces: Sequence[Share],
    paper: Paper,
    backs: Backs,
    turn: Turn,
    label: SheetLabel,
    typeset: Typeset,
    manner: Manner = AS_EVER,
) -> Gang:
    """Arrange several pieces on sheets: those with backs, then those without, which need not go through twice.

    Nothing may be larger than the paper (see `check_fit`). Placements number the faces through all pieces.
    """
    starts = accumulate((len(piece.leaves) for piece in pieces), initial=0)
    numbered = [(piece, range(start, start + len(piece.leaves))) for piece, start in zip(pieces, starts, strict=False)]
    # Whatever is printed now: fronts alone and backs alone have to lie as they do in a file with both.
    groups = [[part for part in numbered if part[0].has_backs is has_backs] for has_backs in (True, False)]
    done: list[tuple[str, Sheet]] = []
    sheets_alone = 0
    for group in groups:
        leaves = [leaf._replace(piece=one.title) for one, _ in group for leaf in one.leaves]
        if not any(leaf.copies for leaf in leaves):
            continue
        longest = label._replace(piece=max((leaf.piece for leaf in leaves), key=len))
        together = impose_piece(leaves, paper, backs, turn, longest, typeset, manner)
        alone = [
            (one.title, _renumbered(sheet, numbers))
            for one, numbers in group
            for sheet in impose_piece(one.leaves, paper, backs, turn, label._replace(piece=one.title), typeset, manner)
        ]
        sheets_alone += len(alone)
        if len(together) < len(alone):
            all_numbers = [number for _, numbers in group for number in numbers]
            done += [(_named(sheet, leaves), _renumbered(sheet, all_numbers)) for sheet in together]
        else:
            done += alone
    runs = groupby(done, lambda one: one[0])
    return Gang(tuple(GangedSheets(title, tuple(sheet for _, sheet in run)) for title, run in runs), sheets_alone)


def _named(sheet: Sheet, leaves: Sequence[Leaf]) -> str:
    placed = (*sheet.front.placements, *(sheet.back.placements if sheet.back is not None else ()))
    faces = sorted({placement.face for placement in placed})
    return program.PIECES_JOINED.join(dict.fromkeys(leaves[face].piece for face in faces or (0,)))


def _renumbered(sheet: Sheet, numbers: Sequence[int]) -> Sheet:
    """Return a sheet whose faces, counted in a part of the pieces, are counted through all of them."""

    def side(old: Side) -> Side:
        return old._replace(placements=tuple(one._replace(face=numbers[one.face]) for one in old.placements))

    return sheet._replace(front=side(sheet.front), back=None if sheet.back is None else side(sheet.back))
