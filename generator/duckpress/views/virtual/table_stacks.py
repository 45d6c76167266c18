"""Where cards lie on a virtual table: every deck by itself, or the game set up for some players as its steps say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from duckpress.check import CardRef, Deal, Holding
from duckpress.core.geometry import Size
from duckpress.core.units import added
from duckpress.layout import Face
from duckpress.model import Game
from duckpress.model.setup import Each, PlaceKind
from duckpress.views.virtual.table_decks import TableDeck, TableThing

FACE_UP = frozenset({PlaceKind.ROW, PlaceKind.SLOT})


class TableCard(NamedTuple):
    """One card on the table: its deck, and which face of it."""

    deck: TableDeck
    face: Face

    @property
    def size(self) -> Size:
        """Return how much room it takes, in mm; dice of one net lie side by side."""
        edges_mm = [die.edge_mm for die in self.deck.dice.get(self.face.card, ())]
        return Size(added(edges_mm), max(edges_mm)) if edges_mm else self.face.front.trim


class TableStack(NamedTuple):
    """Cards that lie at one place, the top one first; `seat` is the player whose place it is, 0 for a common one.

    What is removed from the game, or not needed, is away: it goes to a bag or off the table.
    """

    title: str
    cards: tuple[TableCard, ...]
    kind: PlaceKind
    seat: int = 0
    is_away: bool = False

    @property
    def is_spread(self) -> bool:
        """Return whether its cards lie side by side: so do dice, and boards that differ, wherever they are."""
        if self.is_away:
            return False
        things = {card.deck.thing for card in self.cards}
        differ = len({(card.deck.name, card.face.card) for card in self.cards}) == len(self.cards)
        is_loose = things == {TableThing.DIE} or (things == {TableThing.BOARD} and differ)
        return self.kind in (PlaceKind.ROW, PlaceKind.HAND) or is_loose

    @property
    def room(self) -> Size:
        """Return how much room its cards take, in mm."""
        widths_mm, heights_mm = zip(*(card.size for card in self.cards), strict=True)
        return Size(added(widths_mm) if self.is_spread else max(widths_mm), max(heights_mm))

    @property
    def is_face_up(self) -> bool:
        """Return whether its cards show their fronts; what has no back does in any case."""
        return self.kind in FACE_UP or all(card.face.back is None for card in self.cards)


def stacks_of_decks(decks: Iterable[TableDeck]) -> list[TableStack]:
    """Return each deck as a stack of its own, with as many of each card as it has."""
    return [
        TableStack(
            deck.deck.title,
            tuple(TableCard(deck, face) for face in deck.faces for _ in range(face.copies)),
            PlaceKind.PILE,
        )
        for deck in decks
    ]


def stacks_of_deal(game: Game, decks: Sequence[TableDeck], deal: Deal) -> list[TableStack]:
    """Return the places of a deal with what lies there, then what the setup leaves of the decks.

    Cards of decks that do not come to the table are left out, and so are places without cards. A hand of which the
    setup says who is told it is a pile: its own player must not see it.
    """
    known = {(deck.deck.id, face.card): TableCard(deck, face) for deck in reversed(decks) for face in deck.faces}
    found = list(_held(game, deal.places, known, is_away=False))
    found += _held(game, [*deal.left, *deal.removed], known, is_away=True)
    touched = {ref.deck for holding in (*deal.places, *deal.left, *deal.removed) for ref in holding.cards}
    return found + stacks_of_decks(deck for deck in decks if deck.deck.id not in touched)


def in_rows(sizes: Sequence[Size], width: float, gap: float) -> tuple[list[tuple[float, float]], float]:
    """Return where things of these sizes begin, in rows from the top left, and how high the rows are in all."""
    places: list[tuple[float, float]] = []
    x = y = highest = 0.0
    for across, down in sizes:
        if x and x + across > width:
            x, y, highest = 0.0, y + highest + gap, 0.0
        places.append((x, y))
        x, highest = x + across + gap, max(highest, down)
    return places, y + highest


def _held(
    game: Game, holdings: Iterable[Holding], known: Mapping[tuple[str, str], TableCard], *, is_away: bool
) -> Iterator[TableStack]:
    seats = game.setup.seats if game.setup is not None else None
    unseen = {knowledge.place for knowledge in seats.knows} if seats is not None else set()
    for holding in holdings:
        cards = tuple(card for ref in holding.cards if (card := _card(ref, known)) is not None)
        if cards:
            kind = PlaceKind(holding.kind) if holding.kind in set(PlaceKind) else PlaceKind.PILE
            if kind is PlaceKind.HAND and holding.place in unseen:
                kind = PlaceKind.PILE
            title = _title(game, holding, cards)
            yield TableStack(title, cards, kind, holding.seat, is_away)


def _title(game: Game, holding: Holding, cards: Sequence[TableCard]) -> str:
    """Return what a place is called in the game's language: as in the setup table, as its one deck, else by its id.

    A hand is never called by its deck, which would tell what it has not.
    """
    columns = {column.key: column.short or column.title for column in game.setup.columns} if game.setup else {}
    decks = {card.deck.deck.title for card in cards}
    title = decks.pop() if len(decks) == 1 and holding.kind != PlaceKind.HAND else holding.place.capitalize()
    if holding.each is not Each.NOBODY:
        return f"{title} {holding.number}"
    return columns.get(holding.place) or title


def _card(ref: CardRef, known: Mapping[tuple[str, str], TableCard]) -> TableCard | None:
    return known.get((ref.deck, ref.card))
