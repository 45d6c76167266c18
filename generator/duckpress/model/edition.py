"""What differs between the copies of an edition, as `edition:` of `game.yaml` says it: nothing here is drawn yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.problems import Source
from duckpress.model.amounts import Expression
from duckpress.model.decks import Field, Value


class DrawnPart(Struct, frozen=True):
    """So many cards of a deck, drawn at random of those for which `where` is true (None: of all that are left)."""

    count: int
    where: Expression | None
    source: Source


class FilledField(NamedTuple):
    """A field of the cards of a deck that each copy fills for itself."""

    deck: str
    field: str
    text: Expression


class MarkPlan(Struct, frozen=True):
    """How the sheets of a copy say which one it is: in a line, with a name behind its number."""

    name: Expression | None
    has_line: bool


class EditionPlan(Struct, frozen=True):
    """What each copy of a game has for itself.

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
        """Return the place of a key, or of the whole."""
        return self.sources.get(key, self.source)

    @property
    def is_drawn(self) -> bool:
        """Whether a seed has a part in the copies."""
        return bool(self.draws or self.names)


Told = str | int | float | bool | None
"""A value of a row, or one of several in it."""


class Copy(Struct, frozen=True):
    """A copy of an edition: its id, which of how many it is, the values of its row, and how it is printed."""

    id: str
    number: int
    count: int
    values: dict[str, Told | tuple[Told, ...]]
    language: str = ""
    paper: str = ""
    source: Source = Source("")


def told(value: Value) -> Told | tuple[Told, ...]:
    """Return a field's value, which is a plain one or a list of such."""
    return value  # type: ignore[return-value]  # no kind of field holds more
