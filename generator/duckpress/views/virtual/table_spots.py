"""Where stacks stand on a table of Tabletop Simulator, in its units: common ones in the middle, others at seats."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from duckpress.core.geometry import Size
from duckpress.core.units import added
from duckpress.model.setup import PlaceKind
from duckpress.views.virtual.table_stacks import TableStack, in_rows

UNIT_MM = 28.9  # a unit of the table: a card of 63.5 mm is 2.2 across
NEAR = 0.2  # between cards side by side, in units
ACROSS = 30.0  # of the rows in the middle
SEAT_AWAY, HAND_AWAY = 18.0, 25.0  # from the middle of the table
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


def spots_of(stacks: Sequence[TableStack]) -> Iterator[tuple[TableStack, TableSpot]]:
    """Yield each stack with its place: common ones in rows in the middle, a player's before that player."""
    common = [stack for stack in stacks if not stack.seat]
    sizes = [_units(stack) for stack in common]
    places, depth = in_rows(sizes, ACROSS, _GAP)
    for stack, size, (x, y) in zip(common, sizes, places, strict=True):
        first = _units(stack._replace(cards=stack.cards[:1]))
        yield stack, TableSpot(x + first.width_mm / 2 - ACROSS / 2, depth / 2 - y - size.height_mm / 2)
    seats = max((stack.seat for stack in stacks), default=0)
    for seat in range(1, seats + 1):
        own = [stack for stack in stacks if stack.seat == seat]
        for away, is_hand in ((SEAT_AWAY, False), (HAND_AWAY, True)):
            beside = [stack for stack in own if (stack.kind is PlaceKind.HAND) is is_hand]
            x = -added(_units(stack).width_mm + _GAP for stack in beside) / 2
            for stack in beside:
                first = _units(stack._replace(cards=stack.cards[:1]))
                yield stack, seat_spot(seat, seats, away).beside(x + first.width_mm / 2)
                x += _units(stack).width_mm + _GAP


def _units(stack: TableStack) -> Size:
    """Return how much room a stack takes, in units of the table."""
    gaps_mm = NEAR * UNIT_MM * (len(stack.cards) - 1) if stack.is_spread else 0.0
    return Size((stack.room.width_mm + gaps_mm) / UNIT_MM, stack.room.height_mm / UNIT_MM)


def seat_spot(seat: int, seats: int, away: float) -> TableSpot:
    """Return the spot of a player, clockwise from the near side of the table."""
    turn = 360.0 * (seat - 1) / seats
    return TableSpot(-away * math.sin(math.radians(turn)), -away * math.cos(math.radians(turn)), turn)
