"""Cards as counts: parts of decks, and places that remember what went in and out.

Which cards a random draw takes is unknown, so a place keeps draws, not cards: so many out of such a part. What is
surely left of a part is then the worst case: every earlier draw that may have taken cards of it is assumed to have.
Where all draws are of the whole, or of parts that do not overlap, the count is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct, field


class CardKey(NamedTuple):
    """A card of a deck: `seat` tells whose set it is from in a deck per player, and is 0 in any other."""

    deck: str
    seat: int
    position: int


class CardGroup(Struct, frozen=True, eq=False):
    """Some of the cards of one or more decks, each with all its copies; equal only to itself."""

    copies: Mapping[CardKey, int]
    size: int

    @staticmethod
    def of(copies: Mapping[CardKey, int]) -> CardGroup:
        """Return the part with these cards."""
        return CardGroup(copies, sum(copies.values()))


def union(parts: Iterable[CardGroup]) -> CardGroup:
    """Return the cards of all the parts; the part itself where there is only one."""
    different = list({id(part): part for part in parts}.values())
    if len(different) == 1:
        return different[0]
    return CardGroup.of({key: copies for part in different for key, copies in part.copies.items()})


def overlap(part: CardGroup, other: CardGroup) -> int:
    """Return how many cards two parts share."""
    if part is other:
        return part.size
    few, many = sorted((part.copies, other.copies), key=len)
    return sum(copies for key, copies in few.items() if key in many)


class Draw(Struct, frozen=True):
    """So many cards, out of such a part."""

    part: CardGroup
    number: int


class CardPlace(Struct):
    """A deck in its box, a pile, a hand: what went in and what came out of it."""

    ins: list[Draw] = field(default_factory=list)
    outs: list[Draw] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many cards are here; below 0 where more were taken than there were."""
        return sum(draw.number for draw in self.ins) - sum(draw.number for draw in self.outs)

    @property
    def whole(self) -> CardGroup:
        """All the cards that may be here."""
        return union(draw.part for draw in self.ins)

    def cost(self, part: CardGroup | None) -> int:
        """Return how many steps looking at this place takes, for the budget: the cards of its draws, eight a step."""
        draws = len(self.ins) + len(self.outs)
        if part is None:
            first = self.ins[0].part if self.ins else None
            mixed = sum(len(draw.part.copies) for draw in self.ins if draw.part is not first)
            return 1 + (draws + mixed) // 8
        return 1 + draws * (8 + len(part.copies)) // 8

    def supply(self, part: CardGroup | None) -> int:
        """Return how many cards of a part are surely here (None: of everything)."""
        if part is None:
            return max(0, self.size)
        went = sum(min(draw.number, overlap(draw.part, part)) for draw in self.outs)
        return max(0, min(self.size, self._came(part) - went))

    def lack(self, part: CardGroup | None, number: int) -> int:
        """Return how many cards of a part have to be added before so many are surely here (None: of everything).

        Earlier draws that may have taken cards of the part may have taken any that are added, too.
        """
        if part is None:
            return number - self.size
        every, went = self.whole.size, 0
        for draw in self.outs:
            if draw.part is part or draw.part.size == every or overlap(draw.part, part):
                went += draw.number
        return number - min(self.size, self._came(part) - went)

    def _came(self, part: CardGroup) -> int:
        return sum(max(0, draw.number - (draw.part.size - overlap(draw.part, part))) for draw in self.ins)

    def is_untouched(self, part: CardGroup | None) -> bool:
        """Return whether no card of a part can have been taken (None: no card at all)."""
        return not any(draw.number and (part is None or overlap(draw.part, part)) for draw in self.outs)

    def knows(self, part: CardGroup | None) -> bool:
        """Return whether the number of cards of a part that are here does not hang on chance."""
        return part is None or all(
            draw.number in (0, draw.part.size) or overlap(draw.part, part) in (0, draw.part.size)
            for draw in (*self.ins, *self.outs)
        )

    def take(self, part: CardGroup | None, number: int) -> Draw:
        """Take cards out and give the draw, so that it can be put elsewhere."""
        draw = Draw(self.whole if part is None else part, number)
        self.outs.append(draw)
        return draw
