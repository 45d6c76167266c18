"""What a cover sheet has to speak of, said without anything that is counted on the pages behind it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from duckpress.core.frame import Frame
from duckpress.core.language import Speech
from duckpress.core.sizes import Format

_THICK_MM, _CARD_MM = 40.0, (40.0, 200.0)  # docs/content.md, `stock`: tokens; the longer side of what is called a card


class CoverDeck(Struct, frozen=True):
    """What a cover sheet has to know of a deck beside its faces; `stock` is empty where its piece names none."""

    title: str
    size: Format
    count: int
    for_each: int | None  # how many a player gets, None where they are for all
    stock: str
    is_component: bool
    has_own_size: bool
    is_box: bool
    is_board: bool

    @property
    def printed_on(self) -> str:
        """What it is printed on. Source: docs/content.md, `stock`."""
        if self.stock or self.is_box:
            return self.stock or "card"
        if not self.is_component:
            return "paper"
        return "board" if self.is_board or max(self.size.trim) <= _THICK_MM else "card"

    @property
    def is_cut_by_hand(self) -> bool:
        """Whether straight cuts do not give its shape."""
        return self.size.is_round or self.size.is_hex

    @property
    def has_size_of_cards(self) -> bool:
        """Whether what is in it is called cards, not pieces, if it is no form."""
        least_mm, most_mm = _CARD_MM
        return not (self.has_own_size or self.is_cut_by_hand) and least_mm < max(self.size.trim) < most_mm


class FilePart(Struct, frozen=True):
    """Pieces that follow one another under one title: how many sheets they take, and the number on the first."""

    title: str
    sheets: int
    first_number: int
    first_total: int


class ExpectedCover(Struct, frozen=True):
    """The cover sheet that a file begins with: its pages, the sheets they take, and what it has to speak of.

    `listed` are the decks among its components, in their order.
    """

    pages: tuple[Frame, ...]
    sheets: int
    parts: tuple[FilePart, ...]
    decks: Mapping[str, CoverDeck]
    listed: tuple[str, ...]
    bring: tuple[str, ...]
    file: str
    paper: str
    backs: str
    turn: str
    speech: Speech
