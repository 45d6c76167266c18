"""A game: what it is called, who made it, what it is played with and how it is set up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct, field

from duckpress.language import Speech
from duckpress.model.deck import Deck, Value
from duckpress.model.setup import Setup
from duckpress.problems import Source


class Note(NamedTuple):
    """A choice or an open question the designer should see: its subject, what was decided and why."""

    subject: str
    choice: str
    reason: str
    source: Source


class Accepted(Struct, frozen=True):
    """A finding that the game lives with, and why: it is listed, not hidden."""

    code: str
    reason: str
    source: Source
    players: int | None = None
    variant: str | None = None
    ink: str | None = None


class Credit(NamedTuple):
    """Who did what: role and name."""

    role: str
    name: str
    source: Source


class Language(Struct, frozen=True):
    """A language the game is printed in, by its code (`en`, `fr`); the first of a game is the one it is written in."""

    code: str
    source: Source


class RulesText(Struct, frozen=True):
    """A rules sheet as written, in one language: the text of a `rules.md`, and its file."""

    language: str
    text: str
    source: Source


class BundlePlan(Struct, frozen=True):
    """What a bundle for testers holds: papers, ways of the backs, inks and languages (none: all of the game's).

    `has_form`: a game without a feedback form of its own gets one.
    """

    papers: tuple[str, ...] = ("a4", "letter")
    backs: tuple[str, ...] = ("duplex",)
    inks: tuple[str, ...] = ("color",)
    languages: tuple[str, ...] = ()
    has_form: bool = True


STOCKS = ("paper", "card", "board")


class Piece(NamedTuple):
    """What is printed as one PDF: decks, `scale` times as large; `instead_of` names the piece it is another look of."""

    id: str
    title: str
    decks: tuple[str, ...]
    theme: str
    source: Source
    instead_of: str | None = None
    scale: float = 1.0
    book: str = ""  # `sheet` or `booklet` for the game's rules, `cover` for a cover sheet: pages, without any deck
    stock: str = ""  # what to print it on, one of `STOCKS`; empty: as its decks suggest
    theme_source: Source | None = None  # where a theme of its own is named


class Game(Struct, frozen=True):
    """A complete game, typed and with every part's place; nothing in it has been checked against the rules yet."""

    id: str
    title: str
    version: str
    designer: str
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
    rules: Mapping[str, RulesText] = field(default_factory=dict)  # by language
    bring: tuple[str, ...] = ()  # what players supply themselves
    has_cover: bool = False  # whether its sheets begin with a cover sheet
    bundle: BundlePlan = field(default_factory=BundlePlan)
    speech: Speech = field(default_factory=Speech)  # the words of the language that the texts are in

    def at(self, key: str) -> Source:
        """Give the place of a key of `game.yaml`, or of the file."""
        return self.sources.get(key, self.source)

    def theme_at(self, piece: Piece) -> Source:
        """Give the place where the theme of a piece is named: its own, or that of the whole game."""
        return piece.theme_source or self.at("theme")

    @property
    def language(self) -> str:
        """The code of the language that the game's texts are in; `content.in_language` gives the game in another."""
        return self.speech.language

    def dealt_to(self, piece: Piece) -> str | None:
        """Give who a piece is for that a deal fills (`host`, or `player`: a file for each); None for any other."""
        return next((self.decks[name].dealt_to for name in piece.decks if self.decks[name].is_dealt), None)

    def piece(self, id_: str) -> Piece:
        """Give the piece of that id."""
        return next(piece for piece in self.pieces if piece.id == id_)
