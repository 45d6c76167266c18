"""Cards made before, by the nodes that they were written in: a program that goes on makes only those that are new.

A card follows from its node, from the fields of its deck, and from which files of art there are. One of which anything
was told is made again every time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from duckpress.content.yaml.known_items import KnownItems
from duckpress.content.yaml.nodes import Entry
from duckpress.model import Card, Field

HasArt = Callable[[str], bool]


class _Made(NamedTuple):
    """A card, what it was written in (which keeps its identity), and what was asked about art."""

    given: Mapping[str, Entry]
    card: Card
    asked: dict[str, bool]


class KnownDeck:
    """The cards of one deck, made now and the time before."""

    def __init__(self, fields: str, before: Mapping[int, _Made], has_art: HasArt) -> None:
        self.fields = fields
        self.made: dict[int, _Made] = {}
        self._before = before
        self._has_art = has_art
        self._asked: dict[str, bool] = {}
        asked = {question for made in before.values() for question in made.asked.items()}
        self._is_art_same = all(has_art(name) is is_there for name, is_there in asked)

    def has_art(self, name: str) -> bool:
        """Return whether an image exists, and note for the card at hand that this was asked."""
        is_there = self._asked[name] = self._has_art(name)
        return is_there

    def find(self, given: Mapping[str, Entry]) -> Card | None:
        """Return the card that was written in a node; None where it may be another now, and is to be made."""
        self._asked = {}
        made = self._before.get(id(given))
        if made is None:
            return None
        if not self._is_art_same and any(self._has_art(name) is not is_there for name, is_there in made.asked.items()):
            return None
        self.made[id(given)] = made
        return made.card

    def keep(self, given: Mapping[str, Entry], card: Card) -> None:
        """Keep a card of which nothing is told."""
        self.made[id(given)] = _Made(given, card, self._asked)


class KnownGame:
    """What reading a game left: the items of its files, and the cards of its decks."""

    def __init__(self) -> None:
        self.items = KnownItems()
        self._decks: dict[str, KnownDeck] = {}

    def deck(self, deck: str, fields: Mapping[str, Field], has_art: HasArt) -> KnownDeck:
        """Return the known cards of a deck with these fields, to be asked for once a run."""
        written, before = repr(fields), self._decks.get(deck)
        is_same = before is not None and before.fields == written
        known = self._decks[deck] = KnownDeck(written, before.made if is_same and before is not None else {}, has_art)
        return known
