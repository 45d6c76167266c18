"""Cards and the decks they belong to. Tokens, aids and sheets are decks too: faces with a size, a front and a back."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from duckpress.problems import Source
from duckpress.sizes import FORMATS, Format
from duckpress.tuckbox import TuckBox

Place = tuple[str, int, int]
"""A `Source` as a bare tuple: file, line, column."""

Value = str | int | float | bool | tuple["Value", ...] | Mapping[str, "Value"] | None


class FieldKind(StrEnum):
    """What a card's field may hold; `content` types every value by it."""

    TEXT = "text"  # words, set as they stand with light Markdown, {icons} and {=fields}
    WHOLE = "whole"  # a whole number
    NUMBER = "number"  # any number
    YES_NO = "yes-no"  # true or false
    CHOICE = "choice"  # one of the words listed
    IMAGE = "image"  # a file below art/
    ICON = "icon"  # the name of an icon
    COLOUR = "colour"  # a theme's role or #rrggbb
    LIST = "list"  # several texts


class Field(NamedTuple):
    """A field that a deck declares for its cards."""

    name: str
    kind: FieldKind
    source: Source
    choices: tuple[str, ...] = ()
    is_required: bool = True
    default: Value = None
    is_words: bool = True  # False for texts that are no words, which no translation has to change
    label: str = ""  # what it is called where changes are told; without one its name stands for it


class Card(Struct, frozen=True):
    """One face and the number of times it is in the deck; `sources` says where each field was written."""

    id: str
    deck: str
    values: Mapping[str, Value]
    copies: int
    source: Source
    sources: Mapping[str, Source]

    def __reduce__(self) -> tuple[object, ...]:
        """Go to another process with bare places: a game has many of them, and records take three times as long."""
        places = [(name, *source) for name, source in self.sources.items()]
        return _card, (self.id, self.deck, self.values, self.copies, tuple(self.source), places)

    def at(self, field: str) -> Source:
        """Give the place of a field, or of the card where the field was not written."""
        return self.sources.get(field, self.source)


def _card(
    id_: str, deck: str, values: Mapping[str, Value], copies: int, at: Place, places: list[tuple[str, str, int, int]]
) -> Card:
    sources = {name: Source(file, line, column) for name, file, line, column in places}
    return Card(id_, deck, values, copies, Source(*at), sources)


class BoxPlan(Struct, frozen=True):
    """A tuck box as a deck's file describes it: the decks it holds, how thick a card is, and the room to spare."""

    holds: tuple[str, ...]
    sources: tuple[Source, ...]
    stock_mm: float
    room_mm: float
    is_sleeved: bool


class Deck(Struct, frozen=True):
    """A set of cards of one size with one front layout; `is_per_player` means one set for each player."""

    id: str
    title: str
    fields: Mapping[str, Field]
    cards: tuple[Card, ...]
    format: str
    front: str
    back: str | None
    is_per_player: bool
    is_component: bool  # False for sheets printed as often as asked, which no setup deals out
    source: Source
    sources: Mapping[str, Source]
    own_format: Format | None = None  # a size the deck gives in millimetres; `format` is then its name, `63x88mm`
    overlap_mm: float | None = None  # how much neighbouring tiles of a board share; None for what must be in one piece
    dealt_to: str | None = None  # of a deck filled by a deal: `host` is one card, `player` one for each player
    box_plan: BoxPlan | None = None  # of a tuck box: what it holds
    box: TuckBox | None = None  # and how large that makes it

    @property
    def size(self) -> Format:
        """The finished size of the deck's cards: the one it gives itself, or the named one."""
        return self.own_format or FORMATS[self.format]

    @property
    def is_dealt(self) -> bool:
        """Whether the deck has no cards of its own and is filled by a deal."""
        return self.dealt_to is not None

    def at(self, key: str) -> Source:
        """Give the place of a key of the deck's own, or of the deck."""
        return self.sources.get(key, self.source)

    @property
    def count(self) -> int:
        """How many cards the deck holds, copies included (for one player, where it is a deck per player)."""
        return sum(card.copies for card in self.cards)
