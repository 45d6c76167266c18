"""Classes of cards: which cards a setup distinguishes from each moment of its steps on, and where.

A moment is one entry of a `take`, counted through all steps. Cards that nothing from a moment on tells apart are one
kind, named by its first card; only they have to be told apart where a random draw is worked out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct, field

from duckpress.check.expressions import Reading, Stopped
from duckpress.check.setup.counting import SOME, CardKey, Contents
from duckpress.check.setup.later_places import written
from duckpress.check.setup.scene import Scene
from duckpress.expressions.parsing import ExpressionError, holes
from duckpress.model.setup import Amount, Expression, PlaceKind, Step

_STATIC = frozenset(("players", "variant", "modules", "facts", "lists", "card"))
_ASKING = frozenset(("count", "sum", "distinct", "most", "tally", "values"))


class Glance(Struct, frozen=True):
    """A reference to the cards of a deck or place, at a moment: by these fields, or by one condition for all views."""

    moment: int
    name: str
    fields: tuple[str, ...]
    where: str | None = None  # a condition that knows nothing but the card and what never changes


class CardClasses(Struct, dict=True):
    """The classes of cards in a run, from each moment on."""

    scene: Scene
    steps: Sequence[Step]
    _members: dict[CardKey, set[CardKey]] = field(default_factory=dict)
    _first: dict[int, Mapping[CardKey, CardKey]] = field(default_factory=dict)

    def is_watched(self, name: str, moment: int) -> bool:
        """Return whether anything from a moment on distinguishes the cards of a deck or place."""
        return moment <= self._last_looks.get(name, -1)

    def looked_at(self, moment: int) -> Collection[str]:
        """Return the decks and places whose cards are distinguished at a moment."""
        return self._names_by_moment.get(moment, ())

    def may_wait(self, name: str) -> bool:
        """Return False if references to the name have no known moment, or if it is a deck that cards may return to."""
        return name not in self._asked_any_time

    def merged(self, contents: Mapping[CardKey, int], moment: int) -> Contents:
        """Return the counts of cards, merged by their classes from a moment on."""
        if moment not in self._first:
            self._first[moment] = self._firsts(moment)
            for member, kind in self._first[moment].items():
                self._members.setdefault(kind, set()).add(member)
        first = self._first[moment]
        merged: Contents = {}
        for key, number in contents.items():
            kind = first.get(key, key)
            merged[kind] = merged.get(kind, 0) + number
        return merged

    def with_kinds(self, keys: frozenset[CardKey], moment: int) -> frozenset[CardKey]:
        """Return cards, and the representatives of their classes after a draw at a moment."""
        first = self._first.get(moment, {})
        return keys.union(first.get(key, key) for key in keys)

    def members(self, key: CardKey) -> Iterable[CardKey]:
        """Return the cards that a representative may stand for, after all draws so far."""
        return self._members.get(key, (key,))

    @cached_property
    def _glances(self) -> list[Glance]:
        return list(self._looks())

    @cached_property
    def _names_by_moment(self) -> dict[int, set[str]]:
        names: dict[int, set[str]] = {}
        for glance in self._glances:
            names.setdefault(glance.moment, set()).add(glance.name)
        return names

    @cached_property
    def _asked_any_time(self) -> set[str]:
        has_box = any(step.kind is PlaceKind.BOX for step in self.steps)
        return {*(glance.name for glance in self._of_values(0)), *(self.scene.book.game.decks if has_box else ())}

    @cached_property
    def _last_looks(self) -> dict[str, int]:
        last: dict[str, int] = {}
        for glance in self._glances:
            last[glance.name] = max(glance.moment, last.get(glance.name, -1))
        at = sum(len(step.takes) for step in self.steps)
        for step in reversed(self.steps):
            for take in reversed(step.takes):
                at -= 1
                if step.kind is PlaceKind.BOX or last.get(step.place, -1) >= at:
                    last[take.origin] = max(at, last.get(take.origin, -1))
        return last

    def _looks(self) -> Iterator[Glance]:
        book, moment = self.scene.book, -1
        end = sum(len(step.takes) for step in self.steps)
        for step in self.steps:
            for take in step.takes:
                moment += 1
                yield from self._of(moment, step.when, take.amount)
                if take.per is not None:
                    drawn = book.reading(take.where.text).drawn_fields if take.where is not None else ()
                    yield Glance(moment, take.per, tuple(use.text for use in drawn))
                if take.where is not None:
                    yield from self._of_where(take.where.text, take.origin, moment)
            yield from self._of(moment + 1, step.remove, step.slots, step.when)
            yield from self._of_text(step.note, end)
        yield from self._of_values(end)
        for part in book.parts_of(self.scene.variant):
            for expectation in part.expectations:
                yield from self._of(end, expectation.that, expectation.when, expectation.is_)
                yield from self._of_text(expectation.say, end)
                yield from self._of_text(expectation.fix, end)
            yield from self._of(end, *(column.shows for column in part.columns))
        for note in book.setup.notes:
            yield from self._of_text(note, end)

    def _of_values(self, moment: int) -> Iterator[Glance]:
        """Yield the references in values that can be computed at any time."""
        setup, seats = self.scene.book.setup, self.scene.book.setup.seats
        yield from self._of(moment, *(value.amount for value in setup.values.values()))
        if seats is not None:
            yield from self._of(moment, seats.teams, *(one.expression for one in seats.relations.values()))
            yield from self._of(moment, *(one for known in seats.knows for one in known.whose))

    def _of(self, moment: int, *asked: Amount | Expression | None) -> Iterator[Glance]:
        for text in (one for amount in asked for one in written(amount)):
            if "(" in text.text:
                yield from self._of_reading(self.scene.book.reading(text.text), moment)

    def _of_text(self, text: Expression | None, moment: int) -> Iterator[Glance]:
        for hole in holes(text.text) if text is not None else ():
            yield from self._of_reading(self.scene.book.reading(hole.expression), moment)

    def _of_reading(self, reading: Reading, moment: int) -> Iterator[Glance]:
        for call in reading.calls:
            decks = self.scene.book.game.decks
            if call.function not in _ASKING or (call.origin is not None and call.origin.text in decks):
                continue
            names = [call.origin.text] if call.origin is not None else list(self.scene.book.places(self.scene.variant))
            fields = [call.field.text] if call.field is not None else []
            if call.where is not None:
                fields += (use.text for use in self.scene.book.reading(call.where.text).card_fields)
            for name in names if fields else ():
                yield Glance(moment, name, tuple(fields))

    def _of_where(self, where: str, name: str, moment: int) -> Iterator[Glance]:
        reading = self.scene.book.reading(where)
        fields = tuple(use.text for use in reading.card_fields)
        is_static = not reading.calls and all(use.text in _STATIC for use in reading.names)
        yield Glance(moment, name, fields, where if is_static else None)
        for call in reading.calls:
            yield from self._of_reading(reading, moment) if call.function in _ASKING else ()

    def _decks_of(self, name: str) -> tuple[str, ...]:
        own = (name,) if name in self.scene.book.game.decks else ()
        is_place = name in self.scene.book.places(self.scene.variant)
        return (*own, *self.scene.book.decks_in(name, self.scene.variant)) if is_place else own

    def _firsts(self, moment: int) -> Mapping[CardKey, CardKey]:
        """Return for each card of the game the representative of its class."""
        book = self.scene.book
        looks: dict[str, dict[tuple[tuple[str, ...], str | None], None]] = {}
        for glance in self._glances:
            for name in self._decks_of(glance.name) if glance.moment >= moment else ():
                looks.setdefault(name, {})[glance.fields, glance.where] = None
        firsts: dict[CardKey, CardKey] = {}
        for deck in book.game.decks.values():
            for seat in range(1, self.scene.players + 1) if deck.is_per_player else (0,):
                part = book.deck_part(deck.id, seat)
                book.spend(1 + len(part.copies) * len(looks.get(deck.id, ())) // 4)
                labels: dict[CardKey, list[object]] = {key: [] for key in part.copies}
                for fields, where in looks.get(deck.id, ()):
                    self._label(labels, fields, where)
                first_of: dict[tuple[object, ...], CardKey] = {}
                for key, label in labels.items():
                    firsts[key] = first_of.setdefault(tuple(label), key)
        return firsts

    def _label(self, labels: dict[CardKey, list[object]], fields: tuple[str, ...], where: str | None) -> None:
        if where is not None:
            try:
                chosen = self.scene.matching(labels, where)
            except (ExpressionError, Stopped):  # told by the step that asks
                return
            for key, label in labels.items():
                label.append(key in chosen)
            return
        for key, label in labels.items():
            data = self.scene.book.card_data(key)
            label.append(repr([data.get(name) for name in fields]))


def anonymous(contents: Mapping[CardKey, int]) -> Contents:
    """Return as many cards, without telling which."""
    number = sum(contents.values())
    return {SOME: number} if number else {}
