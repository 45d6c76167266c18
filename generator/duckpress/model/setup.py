"""A game's setup: which cards are taken, where they go, for whom, and the expected result at each player count.

These records hold `setup.yaml` as it was written: expressions are text with a place. Nothing here is computed or looked
up: `check` reads the expressions and runs the steps.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.problems import Level, Source

ALL = "all"  # the amount that means: everything that is left
MOST_PLAYERS = 100  # of a game; `3+` is from 3 to so many
EVEN = "even"  # the amount that means: everything that is left, shared out as evenly as possible


def counts_text(counts: Collection[int]) -> str:
    """Return player counts in rising order: `2, 4, 5`; of many the first ones, as of `3+`."""
    return ", ".join(map(str, sorted(counts)[:9])) + (", ..." if len(counts) > 9 else "")


@lru_cache(maxsize=4096)
def as_name(name: str) -> str:
    """Return the name of a place in expressions: `play deck` -> `play_deck`."""
    return re.sub(r"\W", "_", name)


class Expression(Struct, frozen=True):
    """An expression, or a text with `{{ expressions }}`; `inset` is how far its first letter is from the source."""

    text: str
    source: Source
    inset: int = 0

    def at(self, offset: int | None) -> Source:
        """Return the source of a letter of the text; of the whole text for None, or if it has several lines."""
        if offset is None or "\n" in self.text:
            return self.source
        return self.source._replace(column=self.source.column + self.inset + offset)


class Amount(Struct, frozen=True):
    """How many: one expression for every player count (under None), or one for each player count."""

    by_players: Mapping[int | None, Expression]
    source: Source

    def expression(self, players: int) -> Expression | None:
        return self.by_players.get(players, self.by_players.get(None))


class Sign(Struct, frozen=True):
    """The meaning of a letter in a map."""

    holds: str
    amount: int
    source: Source


class SpaceContents(Struct, frozen=True):
    """The contents of a board's spaces: records of a list or cards of a deck, and the keys that describe them.

    Or a map: a fact that holds rows of text with a letter for each space, and what the letters stand for.
    """

    origin: str
    kind: str  # `list`, `deck` or `map`
    at: str  # the key with the coordinate of the space; `id` is the record's or card's id
    holds: str
    amount: str
    kinds: tuple[str, ...]  # the words that `holds` may be; any where there are none
    signs: Mapping[str, Sign]
    source: Source
    sources: Mapping[str, Source]


class Board(Struct, frozen=True):
    """A grid of square spaces. `is_by_points` tells that coordinates of cards name points of its lines, not spaces."""

    name: str
    columns: Expression
    rows: Expression
    is_by_points: bool
    first: str  # the coordinate where counting begins
    letters: str  # which way letters run: `across` or `down`
    origin: str  # the corner where counting begins, such as `top-left`
    first_source: Source
    contents: SpaceContents | None
    source: Source


class ShapeList(Struct, frozen=True):
    """A list of game.yaml with shapes as records, and the keys of their cells and stated numbers."""

    name: str
    list: str
    cells: str
    spaces: str
    perimeter: str
    board: str | None  # that each of the shapes has to fit
    source: Source
    sources: Mapping[str, Source]


class SpreadRule(NamedTuple):
    """A board divided into columns x rows; each part must have at least so many coordinates."""

    columns: int
    rows: int
    at_least: Expression
    source: Source


class ShapeCards(Struct, frozen=True):
    """A deck whose cards hold a shape and a coordinate of a board, and the rules for them."""

    deck: str
    board: str
    shape: str
    at: str
    among: tuple[str, ...]  # a shape has to be one of these lists' ...
    at_most: Expression | None  # ... or have at most so many spaces; any shape will do where neither is given
    spread: SpreadRule | None
    source: Source
    sources: Mapping[str, Source]


class Geometry(Struct, frozen=True):
    """The boards, shapes and coordinates of a setup."""

    boards: Mapping[str, Board]
    shapes: Mapping[str, ShapeList]
    decks: Mapping[str, ShapeCards]


class PlaceKind(StrEnum):
    """The kind of a place; the word that opens a step."""

    PILE = "pile"  # face down, shuffled
    HAND = "hand"  # what each player holds
    ROW = "row"  # laid out on the table: a line, a market, a flight
    SLOT = "slot"  # a space of a board
    ASIDE = "aside"  # beside the table, out of play for now
    BOX = "box"  # back into the decks that the cards came from


class Each(StrEnum):
    """The owner of a place: the word of `each`."""

    NOBODY = ""  # one place, common to all
    PLAYER = "player"
    TEAM = "team"
    NUMBER = "number"  # so many places, counted from 1


class Take(Struct, frozen=True):
    """Cards taken from a deck, or from a place of an earlier step.

    `is_chosen`: people pick them freely. `per` is a place: the cards are taken once for each card that lies there.
    """

    origin: str
    amount: Amount
    where: Expression | None
    source: Source
    is_chosen: bool = False
    per: str | None = None
    pick: str = ""  # in a round: which cards people pick, as `any`, `highest of value` or `lowest of value`


class Step(Struct, frozen=True):
    """One step: the cards to take, where they go, and how many are removed again unseen, at random."""

    kind: PlaceKind
    place: str
    takes: tuple[Take, ...]
    source: Source  # of the place's name
    each: Each = Each.NOBODY
    instances: Amount | None = None  # how many places a step with `each: 4` forms
    is_shuffled: bool = True  # whether a pile is shuffled when cards are added
    remove: Amount | None = None
    slots: Amount | None = None  # the most that fits
    only: tuple[int, ...] | None = None  # the player counts the step is for
    when: Expression | None = None
    note: Expression | None = None  # a text for the setup table
    replaces: str | None = None  # in a variant: the place whose steps fall away for this one
    replaces_source: Source | None = None

    @property
    def is_for_each_player(self) -> bool:
        return self.each is Each.PLAYER


class NamedValue(Struct, frozen=True):
    """A number or text computed at each player count; expressions use it by its name."""

    name: str
    source: Source
    amount: Amount


class Relation(Struct, frozen=True):
    """A seat's name for another seat."""

    name: str
    source: Source
    expression: Expression


class Column(NamedTuple):
    """A column of the setup table; `short` is its heading in narrow tables."""

    key: str
    title: str
    short: str
    shows: Expression
    source: Source


class Total(Struct, frozen=True):
    """A declared number of cards: of all the decks, or of those of their cards for which `where` is true."""

    name: str
    decks: tuple[str, ...]
    where: Expression | None
    wanted: Expression
    source: Source


class Expectation(Struct, frozen=True):
    """A condition after the setup: `that` is true, or equals `is_`; `say` and `fix` are the words if not.

    `belongs_to` names the variants and modules, or `base`, for which it holds; None is for everywhere.
    """

    that: Expression
    source: Source
    is_: Amount | None = None
    say: Expression | None = None
    fix: Expression | None = None
    level: Level = Level.ERROR
    only: tuple[int, ...] | None = None
    when: Expression | None = None
    is_for_each_player: bool = False
    belongs_to: tuple[str, ...] | None = None
    belongs_source: Source | None = None


class Balance(Struct, frozen=True):
    """A balanced set: within each value of the field `by`, every value of `field` has as many cards of the deck."""

    deck: str
    by: str
    field: str
    level: Level
    source: Source
    sources: Mapping[str, Source]


class Knowledge(Struct, frozen=True):
    """What each player may see: whose cards at a place, as expressions that give seats.

    Of a place that is common to all, `whose` is empty: everybody is told it.
    """

    place: str
    source: Source
    whose: tuple[Expression, ...]


class Seats(Struct, frozen=True):
    """The seats: `relations` name a seat as seen from another (left: seat + 1), `knows` says who may see which cards.

    Seats are counted round the ring, 1 to the number of players, and go on from the beginning.
    """

    relations: Mapping[str, Relation]
    knows: tuple[Knowledge, ...]
    is_shuffled: bool  # who sits where is drawn by lot
    source: Source
    teams: Expression | None = None  # the team of a seat


class Event(Struct, frozen=True):
    """A possible event of a round, tested after the steps of a place; by default at the end of a round."""

    name: str
    that: Expression
    source: Source
    after: str | None = None


class PlayBound(Struct, frozen=True):
    """The bounds of the number of rounds, or of an event's frequency."""

    name: str
    at_least: Amount | None
    at_most: Amount | None
    level: Level
    source: Source


class Rounds(Struct, frozen=True):
    """The flow of cards during play: the steps of a round, and the end of the game."""

    steps: tuple[Step, ...]
    until: Expression | None
    reshuffles: Mapping[str, str]  # a place -> the place whose cards are shuffled into it where it runs dry
    ends_short: bool | None  # whether the game ends where a step cannot be supplied in full
    events: Mapping[str, Event]
    bounds: Mapping[str, PlayBound]
    source: Source
    sources: Mapping[str, Source] = {}


class Variant(Struct, frozen=True):
    """Another way to play: added or replaced steps, and further expectations and columns.

    Of variants one is played at a time; modules (`is_module`) combine freely, but for what they need and exclude.
    """

    id: str
    title: str
    about: str
    drops: tuple[tuple[str, Source], ...]
    steps: tuple[Step, ...]
    expectations: tuple[Expectation, ...]
    balances: tuple[Balance, ...]
    columns: tuple[Column, ...]
    source: Source
    is_module: bool = False
    only: tuple[int, ...] | None = None  # the player counts that it is for
    needs: tuple[tuple[str, Source], ...] = ()
    excludes: tuple[tuple[str, Source], ...] = ()
    rounds: Rounds | None = None


class OddsRule(Struct, frozen=True):
    """A named question about odds, and the bounds of its answer; `belongs_to` names its variants."""

    name: str
    ask: Expression
    source: Source
    at_least: Amount | None = None
    at_most: Amount | None = None
    only: tuple[int, ...] | None = None
    belongs_to: tuple[str, ...] | None = None
    level: Level = Level.ERROR


class Setup(Struct, frozen=True):
    """The steps of a setup, and everything else in setup.yaml."""

    title: str
    values: Mapping[str, NamedValue]
    steps: tuple[Step, ...]
    totals: tuple[Total, ...]
    expectations: tuple[Expectation, ...]
    balances: tuple[Balance, ...]
    columns: tuple[Column, ...]
    variants: Mapping[str, Variant]
    notes: tuple[Expression, ...]
    source: Source
    seats: Seats | None = None
    geometry: Geometry | None = None
    modules: Mapping[str, Variant] = {}
    odds: tuple[OddsRule, ...] = ()
    rounds: Rounds | None = None
    is_whole: bool = True  # False where a part could not be read: nothing can be concluded from what is missing

    @property
    def all_variants(self) -> Mapping[str, Variant]:
        return {**self.variants, **self.modules}
