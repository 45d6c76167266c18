"""`edition:` of `game.yaml`: what each copy of the game has for itself."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.content.game.fields import FIELDS
from duckpress.content.setup.setup_kinds import EXPRESSION, looks_like_keys, read_expression
from duckpress.content.yaml.declared_shapes import (
    Key,
    Kind,
    ListOf,
    NamesOf,
    Shape,
    as_mapping,
    optional,
    read_shape,
    required,
)
from duckpress.content.yaml.kinds import PLAIN, TEXT_OR_TEXTS, YES_NO, named, record, whole
from duckpress.content.yaml.nodes import Mapping, Node, Sequence
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Problem
from duckpress.model import Field
from duckpress.model.game import DrawnPart, EditionPlan, FilledField, MarkPlan

_COUNT = whole(1, 100_000)


class DrawKeys(Shape):
    """Cards that are drawn of a deck, in full."""

    where = optional(EXPRESSION, None, "only of the cards for which this is true")
    count = required(_COUNT, "how many are drawn")


def _draws(node: Node, label: str) -> Read[dict[str, tuple[DrawnPart, ...]] | None]:
    """Return what is drawn, by decks: a number, such keys, or a list of these."""
    problems = ProblemList()
    mapping = problems.take(as_mapping(node, label))
    draws: dict[str, tuple[DrawnPart, ...]] = {}
    for deck, (value, source) in mapping.entries.items() if mapping is not None else ():
        parts = []
        for part in value.items if isinstance(value, Sequence) else (value,):
            at = source if part is value else part.source
            if isinstance(part, Mapping) and looks_like_keys(part, DrawKeys.keys):
                written = problems.take(read_shape(part, DrawKeys, f"'deal' of {deck!r}"))
                parts += [DrawnPart(written.count, written.where, at)] if written is not None else []
            else:
                count = problems.take(_COUNT.read(part, f"the number of cards of {deck!r}"))
                parts += [DrawnPart(count, None, at)] if count is not None else []
        if isinstance(value, Sequence) and not value.items:
            problems.add("empty-value", value.source, f"the list of {deck!r} is empty", "write how many are drawn")
        draws[deck] = tuple(parts)
    return Read(draws, problems)


def _fields(node: Node, label: str) -> Read[tuple[FilledField, ...] | None]:
    """Return what is filled in, by decks and their fields."""
    problems = ProblemList()
    mapping = problems.take(as_mapping(node, label))
    filled = []
    for deck, (inner, _) in mapping.entries.items() if mapping is not None else ():
        entries = problems.take(as_mapping(inner, f"{deck!r} of {label}"))
        for name, (value, _) in entries.entries.items() if entries is not None else ():
            text = problems.take(read_expression(value, f"field {name!r} of deck {deck!r}"))
            filled += [FilledField(deck, name, text)] if text is not None else []
    return Read(tuple(filled), problems)


_DRAWS: Kind[dict[str, tuple[DrawnPart, ...]]] = Kind(
    "mapping by decks", _draws, {}, takes=(NamesOf((_COUNT, DrawKeys, ListOf((_COUNT, DrawKeys), 1))),)
)
_FILLED: Kind[tuple[FilledField, ...]] = Kind("mapping by decks", _fields, (), takes=(NamesOf((NamesOf((PLAIN,)),)),))
_NAMES: Kind[dict[str, tuple[str, ...]]] = named(TEXT_OR_TEXTS, "the name", lambda _name, _source, words: words)


class MarkKeys(Shape):
    """How the sheets of a copy say which one it is."""

    name = optional(EXPRESSION, None, "what stands behind the copy's number, with {{ expressions }}")
    has_line = optional(YES_NO, True, "whether a line in the margin says which copy it is", name="line")
    dots = optional(YES_NO, False, "dots are no longer printed: only 'no' is read, for games of earlier versions")

    def check(self) -> Iterator[Problem]:
        if self.dots:
            what = f"{self.what} asks for 'dots', which are no longer printed"
            yield Problem("unknown-key", self.at("dots"), what, "delete 'dots'")


class EditionKeys(Shape):
    """What differs between the copies of an edition."""

    columns: Key[dict[str, Field]] = optional(FIELDS, {}, "columns of the table of people, written as fields of a deck")
    draws: Key[dict[str, tuple[DrawnPart, ...]]] = optional(
        _DRAWS, {}, "deck -> how many of its cards each copy has, drawn at random", name="deal"
    )
    apart = optional(whole(0), 0, "in how many cards any two copies differ at least; 1: no two are alike")
    names: Key[dict[str, tuple[str, ...]]] = optional(
        _NAMES, {}, "names made by chance: a list of game.yaml, or several, of which each gives a word"
    )
    fields = optional(_FILLED, (), "deck -> field -> what each copy has there, with {{ expressions }}")

    marks = optional(record(MarkKeys, MarkPlan), None, "how the sheets of a copy say which one it is")

    def check(self) -> Iterator[Problem]:
        if self.apart and not self.draws and "deal" not in self.wrong:
            what = f"{self.what} says how far decks are 'apart', and deals none"
            yield Problem("apart-unused", self.at("apart"), what, "add 'deal: {deck: number}', or delete it")

    def plan(self) -> EditionPlan:
        """Return the plan."""
        return self.as_record(EditionPlan)
