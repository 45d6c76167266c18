"""The places of cards on a virtual table: every deck by itself, or the game set up for some players by its steps.

`plan_of` gives each stack its place on a table of Tabletop Simulator, in its units: common ones in the middle, others
at seats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from duckpress.check import Deal, Holding
from duckpress.core.geometry import Size, added
from duckpress.layout import Face
from duckpress.model import Game
from duckpress.model.setup import Each, PlaceKind
from duckpress.press.request import Step
from duckpress.text.fonts import FontLibrary
from duckpress.views.virtual.table_decks import TableDeck, TableDie, TableThing

FACE_UP = frozenset({PlaceKind.ROW, PlaceKind.SLOT})


class TableCard(NamedTuple):
    """One card on the table: its deck, and its face."""

    deck: TableDeck
    face: Face

    @property
    def size(self) -> Size:
        """Return its size, in mm; dice of one net lie side by side."""
        edges_mm = [die.edge_mm for die in self.deck.dice.get(self.face.card, ())]
        return Size(added(edges_mm), max(edges_mm)) if edges_mm else self.face.front.trim


class TableStack(NamedTuple):
    """Cards at one place, the top one first; `seat` is the player who owns the place, 0 for a common one.

    What is removed from the game, or not needed, is away: it goes to a bag or off the table.
    """

    title: str
    cards: tuple[TableCard, ...]
    kind: PlaceKind
    seat: int = 0
    is_away: bool = False

    @property
    def is_spread(self) -> bool:
        """Return whether its cards lie side by side: always for dice, and for different boards."""
        if self.is_away:
            return False
        things = {card.deck.thing for card in self.cards}
        differ = len({(card.deck.name, card.face.card) for card in self.cards}) == len(self.cards)
        is_loose = things == {TableThing.DIE} or (things == {TableThing.BOARD} and differ)
        return self.kind in (PlaceKind.ROW, PlaceKind.HAND) or is_loose

    @property
    def room(self) -> Size:
        """Return the size of its cards together, in mm."""
        widths_mm, heights_mm = zip(*(card.size for card in self.cards), strict=True)
        return Size(added(widths_mm) if self.is_spread else max(widths_mm), max(heights_mm))

    @property
    def is_face_up(self) -> bool:
        """Return whether its cards show their fronts; cards without backs always do."""
        return self.kind in FACE_UP or all(card.face.back is None for card in self.cards)


def stacks_of_decks(decks: Iterable[TableDeck]) -> list[TableStack]:
    """Return each deck as a stack with all copies of its cards."""
    cards = ((deck, [TableCard(deck, face) for face in deck.faces for _ in range(face.copies)]) for deck in decks)
    return [TableStack(deck.deck.title, tuple(some), PlaceKind.PILE) for deck, some in cards]


def stacks_of_deal(game: Game, decks: Sequence[TableDeck], deal: Deal) -> list[TableStack]:
    """Return the places of a deal with their cards, then the undealt cards of the decks.

    Cards of decks that do not come to the table are left out, and so are places without cards. A hand of which the
    setup says who is told it is a pile: its own player must not see it.
    """
    known = {(deck.deck.id, face.card): TableCard(deck, face) for deck in reversed(decks) for face in deck.faces}
    stacks = list(_stacks_of(game, deal.places, known, is_away=False))
    stacks += _stacks_of(game, [*deal.left, *deal.removed], known, is_away=True)
    touched = {ref.deck for holding in (*deal.places, *deal.left, *deal.removed) for ref in holding.cards}
    return stacks + stacks_of_decks(deck for deck in decks if deck.deck.id not in touched)


def in_rows(sizes: Sequence[Size], width: float, gap: float) -> tuple[list[tuple[float, float]], float]:
    """Return the places of things of these sizes, in rows from the top left, and the height of all rows."""
    places: list[tuple[float, float]] = []
    x = y = highest = 0.0
    for across, down in sizes:
        if x and x + across > width:
            x, y, highest = 0.0, y + highest + gap, 0.0
        places.append((x, y))
        x, highest = x + across + gap, max(highest, down)
    return places, y + highest


def _stacks_of(
    game: Game, holdings: Iterable[Holding], known: Mapping[tuple[str, str], TableCard], *, is_away: bool
) -> Iterator[TableStack]:
    seats = game.setup.seats if game.setup is not None else None
    unseen = {knowledge.place for knowledge in seats.knows} if seats is not None else set()
    for holding in holdings:
        cards = tuple(card for ref in holding.cards if (card := known.get((ref.deck, ref.card))) is not None)
        if cards:
            kind = PlaceKind(holding.kind) if holding.kind in set(PlaceKind) else PlaceKind.PILE
            if kind is PlaceKind.HAND and holding.place in unseen:
                kind = PlaceKind.PILE
            title = _title(game, holding, cards)
            yield TableStack(title, cards, kind, holding.seat, is_away)


def _title(game: Game, holding: Holding, cards: Sequence[TableCard]) -> str:
    """Return a place's name in the game's language: from the setup table, from its only deck, else its id.

    A hand is never called by its deck, which would tell what it has not.
    """
    columns = {column.key: column.short or column.title for column in game.setup.columns} if game.setup else {}
    decks = {card.deck.deck.title for card in cards}
    title = decks.pop() if len(decks) == 1 and holding.kind != PlaceKind.HAND else holding.place.capitalize()
    if holding.each is not Each.NOBODY:
        return f"{title} {holding.number}"
    return columns.get(holding.place) or title


class SpriteGrid(NamedTuple):
    """The limits of a sprite sheet: columns, rows, pixels a side, and dots per inch."""

    columns: int
    rows: int
    max_px: int
    dpi: float

    @property
    def places(self) -> int:
        return self.columns * self.rows


class TableJob(NamedTuple):
    """A game for a virtual table: its decks of cards, tokens and boards, its dice, and their stacks.

    `url` is the address, with a slash at its end, below which the pictures will lie, where the person names one, else
    that of their `folder`; `rules` are those that are read, as a PDF.
    """

    game: Game
    decks: Sequence[TableDeck]
    dice: Sequence[TableDie]
    stacks: Sequence[TableStack]
    grid: SpriteGrid
    fonts: FontLibrary
    step: Step
    url: str
    folder: Path
    rules: Callable[[], bytes | None]


UNIT_MM = 28.9  # a unit of the table: a card of 63.5 mm is 2.2 across
NEAR = 0.2  # between cards side by side, in units
_ACROSS = 30.0  # of the rows in the middle
_SEAT_AWAY, _BEHIND = 18.0, 7.0  # from the middle of the table to a seat at least, and from there to the hand
_BAG, _RULES = Size(4.0, 4.0), Size(8.0, 10.0)
_HAND_WIDTH, _HAND_DEPTH = 14.0, 5.0
_GAP = 1.0  # between two stacks


class TableSpot(NamedTuple):
    """A place on the table: to the right, away from the first player, and its rotation towards its player."""

    x: float
    z: float
    turn: float = 0.0

    def beside(self, units: float) -> TableSpot:
        """Return the spot so many units to the right, as its player sees it."""
        angle = math.radians(self.turn)
        return TableSpot(self.x + units * math.cos(angle), self.z - units * math.sin(angle), self.turn)


class TablePlan(NamedTuple):
    """The places of everything: each stack, the bag of unused things, the rules; and the players' hand zones."""

    stacks: Sequence[tuple[TableStack, TableSpot]]
    bag: TableSpot
    rules: TableSpot
    hands: Sequence[TableSpot]
    hand: Size


def plan_of(stacks: Sequence[TableStack]) -> TablePlan:
    """Return the places of stacks: common ones in rows in the middle, a player's in front of that player.

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
    """Yield the cards of a stack that lie side by side, each with its place; of a heap only its top card."""
    for card in stack.cards if stack.is_spread else stack.cards[:1]:
        yield card, first
        step = card.size.width_mm / UNIT_MM + NEAR
        first = first.beside(step)


def _first_of(stack: TableStack, middle: TableSpot) -> TableSpot:
    """Return the place of the first card in a stack, from the place of the stack's middle."""
    return middle.beside((stack.cards[0].size.width_mm / UNIT_MM - _units(stack).width_mm) / 2)


def _widest(rows: Sequence[Sequence[TableStack]]) -> Size:
    """Return the size of the widest and the deepest of the rows."""
    sizes = [[_units(stack) for stack in row] for row in rows]
    width = max((added(size.width_mm + _GAP for size in row) for row in sizes), default=0.0)
    return Size(width, max((size.height_mm for row in sizes for size in row), default=0.0))


def _in_ring(size: Size, seats: int) -> float:
    """Return the distance from the middle at which the things of neighbours do not overlap."""
    return size.width_mm / 2 / math.tan(math.pi / seats) + size.height_mm / 2 if seats > 2 else 0.0


def _units(stack: TableStack) -> Size:
    """Return the size of a stack, in units of the table."""
    gaps_mm = NEAR * UNIT_MM * (len(stack.cards) - 1) if stack.is_spread else 0.0
    return Size((stack.room.width_mm + gaps_mm) / UNIT_MM, stack.room.height_mm / UNIT_MM)


def seat_spot(seat: int, seats: int, away: float) -> TableSpot:
    """Return the spot of a player, clockwise from the near side of the table."""
    turn = 360.0 * (seat - 1) / seats
    return TableSpot(-away * math.sin(math.radians(turn)), -away * math.cos(math.radians(turn)), turn)
