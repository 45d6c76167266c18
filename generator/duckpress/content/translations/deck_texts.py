"""Decks in another language: their titles, the names of their fields, and the texts of their cards.

Families are filled again, then comes what is written for single cards. No face shows what a field is called, but who
reads of changes does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from duckpress.content.game.families import Data, Family
from duckpress.content.game.fields import reader_of
from duckpress.content.translations.text_translator import TextTranslator, has_words
from duckpress.content.translations.translation_keys import DeckTextKeys, TranslationKeys, read_text
from duckpress.content.yaml.declared_shapes import as_mapping
from duckpress.content.yaml.kinds import texts_of
from duckpress.content.yaml.nodes import Entry, Node, Scalar, quoted
from duckpress.content.yaml.nodes import Mapping as MappingNode
from duckpress.content.yaml.nodes import Sequence as Items
from duckpress.core.language import PROGRAM, Speech
from duckpress.core.problems import Source
from duckpress.model import Card, Deck, Field, FieldKind, Game, Value, texts_in

CardTexts = dict[str, Value]
Families = Mapping[str, Sequence[MappingNode]]
"""The families of each deck, as they are written in its file."""

_NEVER_READ = (FieldKind.IMAGE, FieldKind.ICON, FieldKind.COLOUR)
"""Fields whose values say nothing to a reader, so that nobody has to translate what they are called."""

SAME = "\u2060"
"""Marks a name of a list that is the same in both languages, so that a card filled with it counts as translated."""
_NOTHING = MappingNode({}, Source(""))


class CardTranslator:
    """Translates the cards of one deck; ids, copies and all fields that hold no words stay as they are."""

    def __init__(self, deck: Deck, families: Sequence[MappingNode], texts: TextTranslator) -> None:
        self._deck = deck
        self._texts = texts
        kinds = (FieldKind.TEXT, FieldKind.LIST)
        self._words = {name: field for name, field in deck.fields.items() if field.kind in kinds}
        ids = [family.entries["id"].value if "id" in family.entries else None for family in families]
        names = [id_.text if isinstance(id_, Scalar) else "" for id_ in ids]
        self._families = dict(zip(names, families, strict=True))

    def translated(self, node: MappingNode | None, data: Data, spoken: Data) -> tuple[Card, ...]:
        """Return the cards; `node` holds what the translation says, by card id or by a family's id as it is written."""
        written = self._written(node)
        by_family = self._of_families(written, data, spoken)
        cards = []
        for card in self._deck.cards:
            own = written.get(card.id, _NOTHING)
            filled, patterns = by_family.get(card.id, ({}, {}))
            said = {name: _unmarked(value) for name, value in filled.items() if value != card.values.get(name)}
            said |= self._own_texts(card, own)
            self._note_missing(card, {*said, *patterns, *own.entries})
            if said or card.id in written:
                source = own.source if card.id in written else card.source
                card = replace(card, values={**card.values, **said}, source=source)
            cards.append(card)
        return tuple(cards)

    def _written(self, node: MappingNode | None) -> dict[str, MappingNode]:
        known = [card.id for card in self._deck.cards] + list(self._families)
        section = self._texts.section
        written: dict[str, MappingNode] = {}
        for id_, (inner, source) in node.entries.items() if node is not None else ():
            if id_ not in known:
                self._texts.unknown(f"{section} has no card {quoted(id_)}", source, id_, known)
                continue
            entry = self._texts.problems.take(as_mapping(inner, f"card {id_!r}"))
            if entry is None:
                continue
            fields: dict[str, Entry] = {}
            for name, field in entry.entries.items():
                if name in self._words:
                    fields[name] = field
                elif name not in self._deck.fields:
                    what = f"{section}, card {quoted(id_)}: there is no field {quoted(name)}"
                    self._texts.unknown(what, field.source, name, self._words)
                else:
                    kind = self._deck.fields[name].kind
                    what = f"{section}: the field {name!r} is a {kind.value} and keeps the original's value"
                    if kind is FieldKind.CHOICE:
                        what += "; print it with |t and translate its words under 'words'"
                    self._texts.unknown(what, field.source)
            written[id_] = MappingNode(fields, source)
        return written

    def _of_families(
        self, written: Mapping[str, MappingNode], data: Data, spoken: Data
    ) -> dict[str, tuple[CardTexts, Mapping[str, Entry]]]:
        """Return the texts of the cards of families, by card, filled with the translated lists and patterns.

        Beside them stand the fields for which the translation has a pattern of its own.
        """
        by_card: dict[str, tuple[CardTexts, Mapping[str, Entry]]] = {}
        readers = {name: reader_of(field, lambda _: True) for name, field in self._words.items()}
        for id_, family in self._families.items():
            kept = {"for", "where", "id", *self._words}
            entries = {key: entry for key, entry in family.entries.items() if key in kept}
            patterns = written.get(id_, _NOTHING).entries
            for name, (node, _) in patterns.items():
                pattern = self._pattern(name, node, entries.get(name), id_)
                if pattern is not None:
                    entries[name] = Entry(pattern, node.source)
            filled = Family(MappingNode(entries, family.source), data, spoken, self._words)
            for given in filled:
                card_id = given["id"].value if "id" in given else None
                if not isinstance(card_id, Scalar):
                    continue
                # What is wrong with the original was reported when it was read.
                values = {name: read(given[name].value, name).value for name, read in readers.items() if name in given}
                by_card[card_id.text] = {name: value for name, value in values.items() if value is not None}, patterns
            self._texts.problems += filled.problems
        return by_card

    def _pattern(self, name: str, node: Node, original: Entry | None, id_: str) -> Node | None:
        """Return a family's translated pattern, compared with the one it was made from."""
        if self._words[name].kind is FieldKind.LIST and isinstance(node, Items):
            return node
        text = self._texts.problems.take(read_text(node, f"{name!r} of {id_!r}"))
        if text is None:
            return None
        if original is not None and isinstance(original.value, Scalar):
            if text.is_stale(original.value.text):
                self._texts.stale(f"{id_}.{name}", text.source)
            else:
                self._texts.compare(original.value.text, text.words, text.source)
        return text.node

    def _own_texts(self, card: Card, own: MappingNode) -> CardTexts:
        texts: CardTexts = {}
        for name, (node, _) in own.entries.items():
            original = card.values.get(name)
            value: Value
            if self._words[name].kind is FieldKind.LIST:
                value = self._list(card, name, node, original if isinstance(original, tuple) else ())
            else:
                value = self._texts.text(node, original if isinstance(original, str) else "", f"{card.id}.{name}")
            if value is not None:
                texts[name] = value
        return texts

    def _list(self, card: Card, name: str, node: Node, original: tuple[Value, ...]) -> tuple[Value, ...] | None:
        if not isinstance(node, Items):
            return self._texts.problems.take(texts_of(node, f"{name!r} of card {card.id!r}"))
        if len(node.items) != len(original):
            self._texts.stale(f"{card.id}.{name}, now {len(original)} texts", node.source)
        texts: list[Value] = []
        for number, item in enumerate(node.items):
            label = f"{card.id}.{name} {number + 1}"
            if number < len(original):
                texts.append(self._texts.text(item, str(original[number]), label))
            elif (extra := self._texts.problems.take(read_text(item, repr(label)))) is not None:
                texts.append(extra.words)
        return tuple(texts)

    def _note_missing(self, card: Card, given: Collection[str]) -> None:
        for name, field in self._words.items():
            if name in given or not field.is_words:
                continue
            if any(map(has_words, texts_in(card.values.get(name)))):
                self._texts.missing(f"{card.id}.{name}")


def _unmarked(value: Value) -> Value:
    if isinstance(value, str):
        return value.replace(SAME, "")
    return tuple(map(_unmarked, value)) if isinstance(value, tuple) else value


def _named_fields(
    texts: TextTranslator, deck: Deck, node: MappingNode | None, shared: Mapping[str, Node], needless: Collection[str]
) -> dict[str, Field]:
    """Return the fields of a deck with their names in the language; `node` is what is written for this deck.

    `texts` is of the names of fields; `shared` are those for all decks, `needless` those that need none.
    """
    own = texts.within(f"deck {deck.id!r}", None).nodes(node, deck.fields, "field")
    fields = {}
    for name, field in deck.fields.items():
        written = own.get(name, shared.get(name))
        if written is not None:
            field = field._replace(label=texts.text(written, field.label or name, name))
        elif field.label or (field.is_words and field.kind not in _NEVER_READ and name not in needless):
            texts.missing(name)
        fields[name] = field
    return fields


def translated_decks(
    texts: TextTranslator, written: TranslationKeys, game: Game, spoken: Data, speech: Speech, families: Families
) -> dict[str, Deck]:
    """Return the decks with their titles, the names of their fields and the texts of their cards.

    `spoken` are the facts and lists in the language; `families` those of each deck, as they are written.
    """
    names = dict.fromkeys(name for deck in game.decks.values() for name in deck.fields)
    labels = texts.within("names of fields", written.fields)
    shared = labels.nodes(written.fields, names, "field")
    # A field without a label goes by its id, and ids are English where they are words.
    needless = names if speech.language.partition("-")[0] == PROGRAM else speech.fields
    nodes = texts.within("decks", None).nodes(written.decks, game.decks, "deck")
    data = Data(game.facts, game.lists)
    decks = {}
    for id_, deck in game.decks.items():
        section = f"deck {id_!r}"
        inner = texts.within(section, nodes.get(id_))
        keys = inner.shape(nodes.get(id_), DeckTextKeys, section)
        decks[id_] = replace(
            deck,
            **inner.attributes(keys, deck),
            fields=_named_fields(labels, deck, keys.fields, shared, needless),
            cards=CardTranslator(deck, families.get(id_, ()), inner).translated(keys.cards, data, spoken),
        )
    return decks
