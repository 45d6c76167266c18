"""The texts of a deck's cards in another language: families filled again, then what is written for single cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from duckpress.content.game.families import Data, fill_family
from duckpress.content.game.fields import split_list
from duckpress.content.translations.phrases import read_text
from duckpress.content.translations.text_translator import Takeover
from duckpress.content.translations.translation_findings import has_words
from duckpress.content.yaml import scalars
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Entry, Node, Scalar
from duckpress.content.yaml.nodes import Mapping as MappingNode
from duckpress.content.yaml.nodes import Sequence as Items
from duckpress.core.problems import Source
from duckpress.model import Card, Deck, Field, FieldKind, Value

Translated = dict[str, Value]

SAME = "\u2060"
"""Marks a name of a list that is the same in both languages, so that a card filled with it counts as translated."""


class _Written(Struct, frozen=True):
    """What a translation says of a card or a family: nodes by field, and its place."""

    fields: dict[str, Node]
    source: Source


class CardTranslator:
    """Translates the cards of one deck; ids, copies and all fields that hold no words stay as they are."""

    def __init__(self, deck: Deck, families: Sequence[MappingNode], book: Takeover) -> None:
        self._deck = deck
        self._section = f"deck {deck.id!r}"
        self._book = book
        self._ledger = book.ledger
        self._problems = book.problems
        self._words = {
            name: field for name, field in deck.fields.items() if field.kind in (FieldKind.TEXT, FieldKind.LIST)
        }
        self._families = {_id_of(family): family for family in families}

    def translated(self, reader: Reader | None, data: Data, spoken: Data) -> tuple[Card, ...]:
        """Give the cards; `reader` holds what the translation says, by card id or by a family's id as it is written."""
        written = self._written(reader)
        by_family = self._of_families(written, data, spoken)
        cards = []
        for card in self._deck.cards:
            own = written.get(card.id)
            filled, given = by_family.get(card.id, ({}, frozenset()))
            said = {name: _unmarked(value) for name, value in filled.items() if value != card.values.get(name)}
            given |= own.fields.keys() if own is not None else set()
            if own is not None:
                said |= self._own_texts(card, own)
            self._note_missing(card, said, given)
            source = own.source if own is not None else card.source
            cards.append(replace(card, values={**card.values, **said}, source=source) if said or own else card)
        return tuple(cards)

    def _written(self, reader: Reader | None) -> dict[str, _Written]:
        if reader is None:
            return {}
        known = [card.id for card in self._deck.cards] + list(self._families)
        found: dict[str, _Written] = {}
        for id_, node in reader.nodes():
            if id_ not in known:
                what = f"{self._section} has no card {scalars.quoted(id_)}"
                self._ledger.unknown(self._section, what, reader.key_at(id_), id_, known)
                continue
            entry = Reader.of(node, f"card {id_!r}", self._problems)
            if entry is None:
                continue
            fields: dict[str, Node] = {}
            for name, value in entry.nodes():
                if name in self._words:
                    fields[name] = value
                else:
                    self._say_no_words(name, entry.key_at(name), id_)
            found[id_] = _Written(fields, reader.key_at(id_))
        return found

    def _say_no_words(self, name: str, source: Source, id_: str) -> None:
        field = self._deck.fields.get(name)
        if field is None:
            what = f"{self._section}, card {scalars.quoted(id_)}: there is no field {scalars.quoted(name)}"
        else:
            what = f"{self._section}: the field {name!r} is a {field.kind.value} and keeps the original's value"
            if field.kind is FieldKind.CHOICE:
                what += "; print it with |t and translate its words under 'words'"
        self._ledger.unknown(self._section, what, source, name, self._words if field is None else ())

    def _of_families(
        self, written: Mapping[str, _Written], data: Data, spoken: Data
    ) -> dict[str, tuple[Translated, frozenset[str]]]:
        """Give the texts of the cards of families, by card, filled with the translated lists and patterns.

        Beside them stand the fields for which the translation has a pattern of its own.
        """
        found: dict[str, tuple[Translated, frozenset[str]]] = {}
        for id_, family in self._families.items():
            entries = {
                key: entry
                for key, entry in family.entries.items()
                if key in ("for", "where", "id") or key in self._words
            }
            own = written.get(id_)
            for name, node in (own.fields if own is not None else {}).items():
                pattern = self._pattern(name, node, entries.get(name), id_)
                if pattern is not None:
                    entries[name] = Entry(pattern, node.source)
            filled = MappingNode(entries, family.source)
            for given in fill_family(filled, data, self._problems, spoken, self._words):
                card_id = given["id"].value
                assert isinstance(card_id, Scalar)
                texts: Translated = {}
                found[card_id.text] = texts, frozenset(own.fields if own is not None else ())
                for name, field in self._words.items():
                    value = self._typed(field, given[name].value) if name in given else None
                    if value is not None:
                        texts[name] = value
        return found

    def _pattern(self, name: str, node: Node, original: Entry | None, id_: str) -> Node | None:
        """Give a family's translated pattern, held against the one it was made from."""
        if self._words[name].kind is FieldKind.LIST and isinstance(node, Items):
            return node
        text = read_text(node, f"{name!r} of {id_!r}", self._problems)
        if text is None:
            return None
        if original is not None and isinstance(original.value, Scalar) and text.is_stale(original.value.text):
            self._ledger.stale(self._section, f"{id_}.{name}", text.source)
        elif original is not None and isinstance(original.value, Scalar):
            self._ledger.compare(original.value.text, text.words, text.source)
        return text.node

    def _typed(self, field: Field, node: Node) -> Value:
        # What is wrong with the original was told when it was read.
        if field.kind is FieldKind.LIST:
            return scalars.texts_of(split_list(node), field.name, [])
        return scalars.text_of(node, field.name, [])

    def _own_texts(self, card: Card, own: _Written) -> Translated:
        found: Translated = {}
        for name, node in own.fields.items():
            original = card.values.get(name)
            value: Value
            if self._words[name].kind is FieldKind.LIST:
                value = self._list(card, name, node, original if isinstance(original, tuple) else ())
            else:
                original = original if isinstance(original, str) else ""
                value = self._book.text(node, original, self._section, f"{card.id}.{name}")
            if value is not None:
                found[name] = value
        return found

    def _list(self, card: Card, name: str, node: Node, original: tuple[Value, ...]) -> tuple[Value, ...] | None:
        if not isinstance(node, Items):
            scalars.texts_of(node, f"{name!r} of card {card.id!r}", self._problems)
            return None
        if len(node.items) != len(original):
            self._ledger.stale(self._section, f"{card.id}.{name}, now {len(original)} texts", node.source)
        texts: list[Value] = []
        for number, item in enumerate(node.items):
            label = f"{card.id}.{name} {number + 1}"
            if number < len(original):
                texts.append(self._book.text(item, str(original[number]), self._section, label))
            elif (extra := read_text(item, repr(label), self._problems)) is not None:
                texts.append(extra.words)
        return tuple(text for text in texts if text is not None)

    def _note_missing(self, card: Card, said: Mapping[str, Value], given: frozenset[str]) -> None:
        for name, field in self._words.items():
            if name in said or name in given or not field.is_words:
                continue
            value = card.values.get(name)
            texts = value if isinstance(value, tuple) else (value,)
            if any(isinstance(text, str) and has_words(text) for text in texts):
                self._ledger.missing(self._section, f"{card.id}.{name}")


def _unmarked(value: Value) -> Value:
    if isinstance(value, str):
        return value.replace(SAME, "")
    return tuple(map(_unmarked, value)) if isinstance(value, tuple) else value


def _id_of(family: MappingNode) -> str:
    entry = family.entries.get("id")
    return entry.value.text if entry is not None and isinstance(entry.value, Scalar) else ""
