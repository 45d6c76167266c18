"""Where things stand on a table of Tabletop Simulator, in its units: common ones in the middle, others at seats."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from duckpress.core.geometry import Size
from duckpress.core.units import added
from duckpress.model.setup import PlaceKind
from duckpress.views.virtual.table_stacks import TableCard, TableStack, in_rows

UNIT_MM = 28.9  # a unit of the table: a card of 63.5 mm is 2.2 across
NEAR = 0.2  # between cards side by side, in units
_ACROSS = 30.0  # of the rows in the middle
_SEAT_AWAY, _BEHIND = 18.0, 7.0  # from the middle of the table to a seat at least, and from there to the hand
_BAG, _RULES = Size(4.0, 4.0), Size(8.0, 10.0)
_HAND_WIDTH, _HAND_DEPTH = 14.0, 5.0
_GAP = 1.0  # between two stacks


class TableSpot(NamedTuple):
    """A place on the table: across, away from the first player, and how far it is turned to the one who sits there."""

    x: float
    z: float
    turn: float = 0.0

    def beside(self, units: float) -> TableSpot:
        """Return the spot so far to the right of it, as its player sees it."""
        angle = math.radians(self.turn)
        return TableSpot(self.x + units * math.cos(angle), self.z - units * math.sin(angle), self.turn)


class TablePlan(NamedTuple):
    """Where everything lies: each stack, the bag of what is away, the rules; and each player's zone for the hand."""

    stacks: Sequence[tuple[TableStack, TableSpot]]
    bag: TableSpot
    rules: TableSpot
    hands: Sequence[TableSpot]
    hand: Size


def plan_of(stacks: Sequence[TableStack]) -> TablePlan:
    """Return the places of stacks: common ones in rows in the middle, a player's before that player.

    Players sit as far away as it takes that nothing of theirs meets the middle or a neighbour's.
    """
    there = [stack for stack in stacks if not stack.is_away]
    common = [stack for stack in there if not stack.seat]
    sizes = [*(_units(stack) for stack in common), _BAG, _RULES]
    corners, depth = in_rows(sizes, _ACROSS, _GAP)
    width = max(x + size.width_mm for (x, _), size in zip(corners, sizes, strict=True))
    middle = [
        TableSpot(x + size.width_mm / 2 - width / 2, depth / 2 - y - size.height_mm / 2)
        for (x, y), size in zip(corners, sizes, strict=True)
    ]
    placed = [(stack, _first_of(stack, spot)) for stack, spot in zip(common, middle[:-2], strict=True)]
    seats = max((stack.seat for stack in there), default=0)
    rows = [[stack for stack in there if stack.seat == seat] for seat in range(1, seats + 1)]
    hands = [[stack for stack in row if stack.kind is PlaceKind.HAND] for row in rows]
    others = [[stack for stack in row if stack.kind is not PlaceKind.HAND] for row in rows]
    own, hand = _widest(others), _widest(hands)
    hand = Size(max(_HAND_WIDTH, hand.width_mm + _GAP), max(_HAND_DEPTH, hand.height_mm + _GAP))
    away = max(_SEAT_AWAY, math.hypot(width, depth) / 2 + _GAP + own.height_mm / 2, _in_ring(own, seats))
    behind = max(away + own.height_mm / 2 + _GAP + hand.height_mm / 2, away + _BEHIND, _in_ring(hand, seats))
    for rank, distance in ((others, away), (hands, behind)):
        for seat, row in enumerate(rank, 1):
            x = (_GAP - added(_units(stack).width_mm + _GAP for stack in row)) / 2
            for stack in row:
                across = _units(stack).width_mm
                placed.append((stack, _first_of(stack, seat_spot(seat, seats, distance).beside(x + across / 2))))
                x += across + _GAP
    zones = [seat_spot(seat, seats, behind) for seat in range(1, seats + 1)]
    return TablePlan(placed, middle[-2], middle[-1], zones, hand)


def spots_within(stack: TableStack, first: TableSpot) -> Iterator[tuple[TableCard, TableSpot]]:
    """Yield the cards of a stack that lie side by side, each with its place; of a heap its top card alone."""
    for card in stack.cards if stack.is_spread else stack.cards[:1]:
        yield card, first
        step = card.size.width_mm / UNIT_MM + NEAR
        first = first.beside(step)


def _first_of(stack: TableStack, middle: TableSpot) -> TableSpot:
    """Return where the first card of a stack lies whose middle is there."""
    return middle.beside((stack.cards[0].size.width_mm / UNIT_MM - _units(stack).width_mm) / 2)


def _widest(rows: Sequence[Sequence[TableStack]]) -> Size:
    """Return how much room the widest and the deepest of the rows take."""
    sizes = [[_units(stack) for stack in row] for row in rows]
    width = max((added(size.width_mm + _GAP for size in row) for row in sizes), default=0.0)
    return Size(width, max((size.height_mm for row in sizes for size in row), default=0.0))


def _in_ring(size: Size, seats: int) -> float:
    """Return how far from the middle things must lie so that those of neighbours do not meet."""
    return size.width_mm / 2 / math.tan(math.pi / seats) + size.height_mm / 2 if seats > 2 else 0.0


def _units(stack: TableStack) -> Size:
    """Return how much room a stack takes, in units of the table."""
    gaps_mm = NEAR * UNIT_MM * (len(stack.cards) - 1) if stack.is_spread else 0.0
    return Size((stack.room.width_mm + gaps_mm) / UNIT_MM, stack.room.height_mm / UNIT_MM)


def seat_spot(seat: int, seats: int, away: float) -> TableSpot:
    """Return the spot of a player, clockwise from the near side of the table."""
    turn = 360.0 * (seat - 1) / seats
    return TableSpot(-away * math.sin(math.radians(turn)), -away * math.cos(math.radians(turn)), turn)
