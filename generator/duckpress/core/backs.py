"""Ways to print a game: where the backs of faces go, its inks (colour, little ink, greys) and its finishes.

All that a stage has to know of a way of backs stands in `Backs`: another fold is a member more. A clean game looks as
one that is sold; the faces of a prototype say what they are.
"""

from __future__ import annotations

from enum import StrEnum


class Backs(StrEnum):
    """On the other side of the sheet, beyond a fold on the same side, nowhere, or alone.

    `ONLY` is the other sides of `DUPLEX` by themselves, for whoever has printed the fronts before (`NONE`).
    """

    DUPLEX = "duplex"
    GUTTERFOLD = "gutterfold"
    NONE = "none"
    ONLY = "only"

    @property
    def has_fronts(self) -> bool:
        return self is not Backs.ONLY

    @property
    def has_backs(self) -> bool:
        return self is not Backs.NONE

    @property
    def has_back_sides(self) -> bool:
        """Whether backs are printed on sides of their own, which a printer may shift against the fronts."""
        return self in (Backs.DUPLEX, Backs.ONLY)

    @property
    def is_folded(self) -> bool:
        """Whether fronts and backs lie on one side of the paper, with a fold between them."""
        return self is Backs.GUTTERFOLD

    @property
    def file_word(self) -> str:
        """The word in file names: `fronts`, `backs` or the value itself; empty for `duplex`, the default."""
        return _FILE_WORDS.get(self, self.value)


_FILE_WORDS = {Backs.DUPLEX: "", Backs.NONE: "fronts", Backs.ONLY: "backs"}
WITH_FRONTS = tuple(one.value for one in Backs if one.has_fronts)
"""The ways that are complete by themselves, as they are written."""


PLAIN = "color"
GREY = "grey"
INKS = (PLAIN, "low", GREY)
CLEAN = "clean"
PROTOTYPE = "prototype"
FINISHES = (CLEAN, PROTOTYPE)
