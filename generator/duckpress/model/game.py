"""A game: its names and credits, its cards and their decks, and its setup.

Tokens, aids and sheets are decks too: faces with a size, a front and a back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict, astuple, replace

from duckpress.core.backs import Backs
from duckpress.core.language import Speech
from duckpress.core.problems import Source
from duckpress.core.sizes import FORMATS, Format
from duckpress.core.tuckbox import TuckBox
from duckpress.model.setup import Expression, Setup

T = TypeVar("T")
Value = str | int | float | bool | tuple["Value", ...] | Mapping[str, "Value"] | None
Told = str | int | float | bool | None
"""A value of a row, or one of several in it."""


def texts_in(value: Value) -> Iterator[str]:
    """Yield the texts of a field's value: itself, or the texts of a list."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from texts_in(part)


class FieldKind(StrEnum):
    """The kind of a card's field; `content` converts every value by it."""

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
    """One face and its number of copies in the deck; `sources` are the places of its written fields."""

    id: str
    deck: str
    values: Mapping[str, Value]
    copies: int
    source: Source
    sources: Mapping[str, Source]

    @property
    def subject(self) -> str:
        """The words that begin a problem of its face."""
        return f"card {self.id!r} ({self.source})"

    def at(self, field: str) -> Source:
        return self.sources.get(field, self.source)


class BoxPlan(Struct, frozen=True):
    """A tuck box from a deck's file: its decks and their sources, the thickness of a card, the spare room."""

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
        """Pickle the deck with its cards in MessagePack, which takes a fifth of the time."""
        return _deck, ({**asdict(self), "cards": packed_cards(self.cards)},)

    @property
    def size(self) -> Format:
        return self.own_format or FORMATS[self.format]

    @property
    def is_dealt(self) -> bool:
        return self.dealt_to is not None

    def at(self, key: str) -> Source:
        return self.sources.get(key, self.source)

    @property
    def count(self) -> int:
        """The number of cards in the deck, copies included (for one player, if it is a deck per player)."""
        return sum(card.copies for card in self.cards)


class _Packed(Card, frozen=True, array_like=True):
    """A card in its form for other processes."""

    values: dict[str, Told | tuple[Told, ...]]
    sources: dict[str, Source]


_FLAT = frozenset((str, int, float, bool, type(None)))
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[_Packed, ...]).decode


def packed_cards(cards: tuple[Card, ...]) -> bytes | tuple[Card, ...]:
    """Return cards as bytes, or unchanged if a value is neither plain nor a list of plain values."""
    for card in cards:
        for value in card.values.values():
            if type(value) not in _FLAT and not (type(value) is tuple and _FLAT.issuperset(map(type, value))):
                return cards
    try:
        return _encode([astuple(card) for card in cards])
    except (UnicodeEncodeError, OverflowError, TypeError):
        return cards  # half a letter, a number beyond 64 bits, places in another kind of mapping


def unpacked_cards(packed: bytes) -> tuple[Card, ...]:
    return tuple(Card(*astuple(card)) for card in _decode(packed)) if packed else ()


def _deck(fields: dict[str, Any]) -> Deck:
    if isinstance(fields["cards"], bytes):
        fields["cards"] = unpacked_cards(fields["cards"])
    return Deck(**fields)


class DrawnPart(Struct, frozen=True):
    """So many cards of a deck, drawn at random from those for which `where` is true (None: from all that are left)."""

    count: int
    where: Expression | None
    source: Source


class FilledField(NamedTuple):
    """A field of the cards of a deck that each copy fills for itself."""

    deck: str
    field: str
    text: Expression


class MarkPlan(Struct, frozen=True):
    """How the sheets of a copy name it: in a line, with a name after its number."""

    name: Expression | None
    has_line: bool


class EditionPlan(Struct, frozen=True):
    """The differences between the copies of a game.

    `columns` are those of the table of people, `draws` the cards that it has of a deck, by the deck's id. Any two
    copies differ in `apart` cards at least (0: they may be alike). `names` are made of a word of each of some lists.
    """

    columns: Mapping[str, Field]
    draws: Mapping[str, tuple[DrawnPart, ...]]
    apart: int
    names: Mapping[str, tuple[str, ...]]
    fields: tuple[FilledField, ...]
    marks: MarkPlan | None
    source: Source
    sources: Mapping[str, Source]

    def at(self, key: str) -> Source:
        return self.sources.get(key, self.source)

    @property
    def is_drawn(self) -> bool:
        return bool(self.draws or self.names)


class Copy(Struct, frozen=True):
    """A copy of an edition: its id, its number and the total, the values of its row, and how it is printed."""

    id: str
    number: int
    count: int
    values: dict[str, Told | tuple[Told, ...]]
    language: str = ""
    paper: str = ""
    source: Source = Source("")


def told(value: Value) -> Told | tuple[Told, ...]:
    return value  # type: ignore[return-value]  # no kind of field holds more


class Note(NamedTuple):
    """A design decision to show: its subject, the decision and its reason, and the question it leaves open."""

    subject: str
    choice: str
    reason: str
    source: Source
    question: str = ""


class Accepted(Struct, frozen=True):
    """A finding that the designer accepts, with the reason: it is listed, not hidden."""

    code: str
    reason: str
    source: Source
    players: int | None = None
    variant: str | None = None
    ink: str | None = None


class Credit(NamedTuple):
    """A credit: role and name."""

    role: str
    name: str
    source: Source


class Language(Struct, frozen=True):
    """A language of the game, by its code (`en`, `fr`); the first is the one it is written in."""

    code: str
    source: Source


class SheetText(Struct, frozen=True):
    """A typeset sheet in one language: the text of a Markdown file, and the file."""

    language: str
    text: str
    source: Source


class BundlePlan(Struct, frozen=True):
    """The content of a bundle for testers: papers, ways of the backs, inks and languages (none: all of the game's).

    `has_form`: a game without a feedback form of its own gets one. `has_page`: the page of all cards is in it.
    """

    papers: tuple[str, ...] = ("a4", "letter")
    backs: tuple[Backs, ...] = (Backs.DUPLEX,)
    inks: tuple[str, ...] = ("color",)
    languages: tuple[str, ...] = ()
    has_form: bool = True
    has_page: bool = False


STOCKS = ("paper", "card", "board")
RULES_TEXT = "rules"


class Piece(NamedTuple):
    """What is printed as one PDF: decks, enlarged `scale` times, or a text; `instead_of` is the piece it replaces."""

    id: str
    title: str
    decks: tuple[str, ...]
    theme: str
    source: Source
    instead_of: str | None = None
    scale: float = 1.0
    book: str = ""  # `sheet` or `booklet` for a typeset text, `cover` for a cover sheet: pages, without any deck
    stock: str = ""  # what to print it on, one of `STOCKS`; empty: as its decks suggest
    theme_source: Source | None = None  # where a theme of its own is named
    text: str = ""  # what a `book` is typeset from: `RULES_TEXT`, or the file's name without .md
    is_for_designer: bool = False  # printed only where it is asked for by its id, never in what players get

    @property
    def is_booklet(self) -> bool:
        return self.book == "booklet"


class Game(Struct, frozen=True, dict=True):
    """A complete game, typed and with every part's source; its rules are not checked yet."""

    id: str
    title: str
    version: str
    designer: str  # empty where nobody is named
    players: tuple[int, ...]
    languages: tuple[Language, ...]
    decks: Mapping[str, Deck]
    pieces: tuple[Piece, ...]
    lists: Mapping[str, Mapping[str, Mapping[str, Value]]]
    facts: Mapping[str, Value]
    setup: Setup | None
    notes: tuple[Note, ...]
    accepted: tuple[Accepted, ...]
    credits: tuple[Credit, ...]
    about: str
    licence: str
    folder: str
    source: Source
    sources: Mapping[str, Source]
    publisher: str = ""
    theme: str = ""
    data_sources: Mapping[tuple[str, ...], Source] = field(default_factory=dict)  # by list, id, key; for geometry only
    texts: Mapping[str, Mapping[str, SheetText]] = field(default_factory=dict)  # by `Piece.text` and language
    bring: tuple[str, ...] = ()  # what players supply themselves
    has_cover: bool = False  # whether its sheets begin with a cover sheet
    bundle: BundlePlan = field(default_factory=BundlePlan)
    finish: str = ""  # clean or prototype; empty: the theme says what faces tell of themselves
    report: str = ""  # the address that codes for reports lead to; empty: nowhere
    edition: EditionPlan | None = None  # what each copy has for itself, where copies differ
    speech: Speech = field(default_factory=Speech)  # the words of the language that the texts are in

    def once(self, question: Hashable, work_out: Callable[[], T]) -> T:
        """Return the answer to a question about this very game, worked out when it is first asked."""
        answers: dict[Hashable, Any] = self.__dict__.setdefault("answers", {})
        if question not in answers:
            answers[question] = work_out()
        answer: T = answers[question]
        return answer

    @cached_property
    def without_cards(self) -> str:
        """The text of all that faces may depend on but the words of cards: of these it has ids and copies only."""
        cards = [[(card.id, card.copies) for card in deck.cards] for deck in self.decks.values()]
        decks = [replace(deck, cards=()) for deck in self.decks.values()]
        texts = [[(code, text.source) for code, text in texts.items()] for texts in self.texts.values()]
        return repr((replace(self, decks={}, texts={}, speech=self.speech.plain), decks, cards, texts))

    def with_dealt(self, decks: Mapping[str, Deck]) -> Game:
        """Return the game with other cards in decks that no rule looks at: what its rules say holds for it, too."""
        game = replace(self, decks=decks)
        game.__dict__["answers"] = self.__dict__.setdefault("answers", {})
        return game

    def at(self, key: str) -> Source:
        return self.sources.get(key, self.source)

    def theme_at(self, piece: Piece) -> Source:
        return piece.theme_source or self.at("theme")

    @property
    def language(self) -> str:
        """The code of the language that the game's texts are in; `content.in_language` gives the game in another."""
        return self.speech.language

    @property
    def rules(self) -> Mapping[str, SheetText]:
        return self.texts.get(RULES_TEXT, {})

    def chosen_pieces(self, ids: Collection[str] = ()) -> tuple[Piece, ...]:
        """Return the pieces with those ids; by default all but the designer's."""
        return tuple(piece for piece in self.pieces if (piece.id in ids if ids else not piece.is_for_designer))

    @property
    def packaging(self) -> frozenset[str]:
        """The ids of the tuck boxes and of their dividers, which are no components of the game."""
        boxes = {id_: deck.box_plan.holds for id_, deck in self.decks.items() if deck.box_plan is not None}
        held = {name for holds in boxes.values() for name, _ in holds}
        return frozenset({*boxes, *(name for name in held if name in self.decks and not self.decks[name].is_component)})

    def dealt_to(self, piece: Piece) -> str | None:
        """Return whom a dealt piece is for (`host`, or `player`: a file for each); None for any other piece."""
        return next((self.decks[name].dealt_to for name in piece.decks if self.decks[name].is_dealt), None)
