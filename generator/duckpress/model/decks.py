"""Cards and the decks they belong to. Tokens, aids and sheets are decks too: faces with a size, a front and a back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, astuple

from duckpress.core.problems import Source
from duckpress.core.sizes import FORMATS, Format
from duckpress.core.tuckbox import TuckBox

Value = str | int | float | bool | tuple["Value", ...] | Mapping[str, "Value"] | None


def texts_in(value: Value) -> Iterator[str]:
    """Yield the texts of a field's value: itself, or those of a list."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from texts_in(part)


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

    @property
    def subject(self) -> str:
        """The words for the card with which what is wrong with its face begins."""
        return f"card {self.id!r} ({self.source})"

    def at(self, field: str) -> Source:
        """Return the place of a field, or of the card where the field was not written."""
        return self.sources.get(field, self.source)


class BoxPlan(Struct, frozen=True):
    """A tuck box as a deck's file describes it: decks and where they are named, how thick a card is, room to spare."""

    holds: tuple[tuple[str, Source], ...]
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
    is_whole: bool = True  # False where cards were lost to a problem: nothing can be concluded from how many there are

    def __reduce__(self) -> tuple[object, ...]:
        """Go to another process with the cards in MessagePack, which takes a fifth of the time of pickling them."""
        return _deck, ({**asdict(self), "cards": packed_cards(self.cards)},)

    @property
    def size(self) -> Format:
        """The finished size of the deck's cards: the one it gives itself, or the named one."""
        return self.own_format or FORMATS[self.format]

    @property
    def is_dealt(self) -> bool:
        return self.dealt_to is not None

    def at(self, key: str) -> Source:
        """Return the place of a key of the deck's own, or of the deck."""
        return self.sources.get(key, self.source)

    @property
    def front_source(self) -> Source:
        return self.at("front")

    @property
    def count(self) -> int:
        """How many cards the deck holds, copies included (for one player, where it is a deck per player)."""
        return sum(card.copies for card in self.cards)


_Flat = str | int | float | bool | None


class _Packed(Struct, frozen=True, array_like=True):
    """A card as it goes to another process."""

    id: str
    deck: str
    values: dict[str, _Flat | tuple[_Flat, ...]]
    copies: int
    source: Source
    sources: dict[str, Source]


_FLAT = frozenset((str, int, float, bool, type(None)))
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[_Packed, ...]).decode


def packed_cards(cards: tuple[Card, ...]) -> bytes | tuple[Card, ...]:
    """Return cards as bytes, or as they are where a value is no plain one, nor a list of such."""
    for card in cards:
        for value in card.values.values():
            if type(value) not in _FLAT and not (type(value) is tuple and _FLAT.issuperset(map(type, value))):
                return cards
    try:
        return _encode([astuple(card) for card in cards])
    except (UnicodeEncodeError, OverflowError, TypeError):
        return cards  # half a letter, a number beyond 64 bits, places in another kind of mapping


def unpacked_cards(packed: bytes) -> tuple[Card, ...]:
    """Return cards from their bytes; none of none."""
    return tuple(Card(*astuple(card)) for card in _decode(packed)) if packed else ()


def _deck(fields: dict[str, Any]) -> Deck:
    if isinstance(fields["cards"], bytes):
        fields["cards"] = unpacked_cards(fields["cards"])
    return Deck(**fields)
