"""Texts translated one by one, and the problems of a translation: missing, stale, and unknown texts.

The original stands where there is no translation. Of decks the families are filled again, then comes what is written
for single cards; no face shows what a field is called, but who reads of changes does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from typing import Any, TypeVar

from msgspec.structs import replace

from duckpress.content.game.families import Data, filled_cards
from duckpress.content.game.fields import reader_of
from duckpress.content.translations.translation_keys import (
    TRANSLATION,
    DeckTextKeys,
    Phrase,
    TranslationKeys,
    read_phrases,
    read_text,
)
from duckpress.content.yaml.declared_shapes import Shape, as_mapping, read_shape
from duckpress.content.yaml.kinds import texts_of
from duckpress.content.yaml.nodes import Entry, Node, Scalar, quoted
from duckpress.content.yaml.nodes import Mapping as MappingNode
from duckpress.content.yaml.nodes import Sequence as Items
from duckpress.core.language import OTHER, PROGRAM, Speech, phrase_key
from duckpress.core.problems import Level, Problem, ProblemList, Source, did_you_mean, nearest
from duckpress.model import Card, Deck, Field, FieldKind, Game, Value, texts_in

S = TypeVar("S", bound=Shape)

MAX_LISTED = 8
_TOKENS = re.compile(r"\{\{.*?\}\}|\{[^{}\n]*\}", re.DOTALL)
_PLAIN_TOKENS = re.compile(r"\{[^{}\n]*\}")


class TextTranslator:
    """Translates the texts of one section of a translation; findings name the section.

    `findings` are what the translation lacks, `problems` what is wrong with its form; both are those of all sections.
    """

    def __init__(self, language: str, file: str, section: str = "game.yaml") -> None:
        self.language, self.file, self.section = language, file, section
        self.problems = ProblemList()
        self._places: dict[str, Source] = {}  # of the sections that are there
        self._missing: dict[str, dict[str, None]] = {}
        self._stale: dict[str, dict[str, Source]] = {}
        self._unknown: dict[str, list[Problem]] = {}
        self._differing: list[Problem] = []

    def within(self, section: str, node: Node | None = None) -> TextTranslator:
        """Return the translator of another section; `node` is the section in the file."""
        if node is not None:
            self._places[section] = node.source
        inner = copy(self)
        inner.section = section
        return inner

    def findings(self) -> list[Problem]:
        """Return the notes as warnings: one for each section and kind, but one each for unknown texts."""
        problems = list(self._differing)
        for section, names in self._missing.items():
            texts, them = ("text is", "it") if len(names) == 1 else ("texts are", "them")
            what = f"{self.language}: {section}: {len(names)} {texts} not translated: {_listed(names)}"
            place, fix = self._places.get(section, Source(self.file)), f"translate {them} in {self.file}"
            problems.append(Problem("translation-missing", place, what, fix, Level.WARNING))
        for section, places in self._stale.items():
            lines = [f"{name} (line {source.line})" for name, source in places.items()]
            has = "the original has" if len(lines) == 1 else f"{len(lines)} originals have"
            what = f"{self.language}: {section}: {has} changed since the translation: {_listed(lines)}"
            fix = "correct the translation, and write the new original as 'of'"
            problems.append(Problem("translation-stale", next(iter(places.values())), what, fix, Level.WARNING))
        for group in self._unknown.values():
            is_long = len(group) > MAX_LISTED
            problems += [group[0]._replace(what=f"{group[0].what} (and {len(group) - 1} more)")] if is_long else group
        return problems

    def missing(self, name: str) -> None:
        self._missing.setdefault(self.section, {})[name] = None

    def stale(self, name: str, source: Source) -> None:
        self._stale.setdefault(self.section, {})[name] = source

    def unknown(self, what: str, source: Source, name: str = "", known: Iterable[str] = ()) -> None:
        """Note a translation of a text that the game does not have (any more)."""
        fix = did_you_mean(name, list(known)) or "delete it"
        problem = Problem("translation-unknown", source, f"{self.language}: {what}", fix, Level.WARNING)
        self._unknown.setdefault(self.section, []).append(problem)

    def compare(self, original: str, translation: str, source: Source) -> None:
        """Note icons, fields and values that only one of the two has; computed expressions may differ."""
        old, new = tokens_of(original), tokens_of(translation)
        parts = [f"leaves out {', '.join(sorted(old - new))}"] if old - new else []
        parts += [f"has {', '.join(sorted(new - old))}, which the original has not"] if new - old else []
        if parts:
            words = quoted(" ".join(translation.split()))
            what = f"{self.language}: the translation {words} {' and '.join(parts)}"
            fix = "write the same {names} in both"
            self._differing.append(Problem("translation-differs", source, what, fix, Level.WARNING))

    def shape(self, node: Node | None, declaration: type[S], what: str) -> S:
        """Return a mapping of the translation, read by its declaration; an empty one by default."""
        written = None if node is None else self.problems.take(read_shape(node, declaration, what))
        return declaration.empty() if written is None else written

    def text(self, node: Node | None, original: str, name: str, *, is_needed: bool = True) -> str:
        """Return one text's translation, by default the original."""
        if node is None:
            if is_needed and has_words(original):
                self.missing(name)
            return original
        text = self.problems.take(read_text(node, repr(name)))
        if text is None:
            return original
        if not original:
            self.unknown(f"{self.section} has no {name!r} to translate", text.source)
        elif text.is_stale(original):
            self.stale(name, text.source)
        else:
            self.compare(original, text.words, text.source)
        return text.words

    def attributes(
        self, written: Shape, original: Any, prefix: str = "", needless: Collection[str] = ()
    ) -> dict[str, Any]:
        """Return the texts of a record by its attributes, with the same names as the keys of its translation.

        `prefix` stands before them in findings; the `needless` ones need no translation.
        """
        names = [name for name, key in written.keys.items() if key.kind is TRANSLATION]
        return {
            name: self.text(
                written.values[name], getattr(original, name), prefix + name, is_needed=name not in needless
            )
            for name in names
        }

    def nodes(self, node: MappingNode | None, known: Iterable[str], word: str) -> dict[str, Node]:
        """Return the entries of a mapping whose keys are known names; other keys are noted as unknown."""
        names = list(known)
        entries = node.entries if node is not None else {}
        for name, entry in entries.items():
            if name not in names:
                self.unknown(f"there is no {word} {quoted(name)} to translate", entry.source, name, names)
        return {name: entry.value for name, entry in entries.items() if name in names}

    def phrases(
        self, node: Node | None, originals: Iterable[str], label: str, optional: Iterable[str] = ()
    ) -> dict[str, Phrase]:
        """Return a phrase book, compared with its originals; `optional` phrases may be missing."""
        phrases = self.problems.take(read_phrases(node, label)) if node is not None else {}
        wanted = {phrase_key(text): text for text in originals if has_words(text)}
        self.compare_phrases(phrases, wanted, set(map(phrase_key, optional)))
        return phrases

    def compare_phrases(self, phrases: Mapping[str, Phrase], wanted: Mapping[str, str], optional: set[str]) -> None:
        """Note missing, stale, unknown and differing phrases of a phrase book; `wanted` is by key."""
        missing = {key: text for key, text in wanted.items() if key not in phrases}
        for key, phrase in phrases.items():
            if key in wanted:
                self.compare(wanted[key], phrase.forms[OTHER], phrase.node.source)
            elif key not in optional:
                meant = nearest(key, missing)
                if meant is not None:
                    del missing[meant]
                    self.stale(quoted(phrase.of), phrase.source)
                else:
                    self.unknown(f"{self.section}: nothing says {quoted(phrase.of)}", phrase.source)
        for text in missing.values():
            self.missing(quoted(text))


def has_words(text: str) -> bool:
    """Return whether a text has letters to translate, apart from icons and expressions."""
    end = _end_of_expressions(text)
    return any(map(str.isalpha, _TOKENS.sub("", text[:end]) + _PLAIN_TOKENS.sub("", text[end:])))


def tokens_of(text: str) -> set[str]:
    """Return the icons, fields and values in braces that a text holds."""
    end = _end_of_expressions(text)
    tokens = [*_TOKENS.findall(text, 0, end), *_PLAIN_TOKENS.findall(text, end)]
    return {token for token in tokens if not token.startswith("{{")}


def _end_of_expressions(text: str) -> int:
    # Behind the last one that is closed none is looked for: each opening would be followed to the end of the text.
    return text.rfind("}}") + 2 if "}}" in text else 0


def _listed(names: Iterable[str]) -> str:
    shown = list(names)
    more = f" and {len(shown) - MAX_LISTED} more" if len(shown) > MAX_LISTED else ""
    return ", ".join(shown[:MAX_LISTED]) + more


Families = Mapping[str, Sequence[MappingNode]]
"""The families of each deck, as they are written in its file."""

_NEVER_READ = (FieldKind.IMAGE, FieldKind.ICON, FieldKind.COLOUR)
"""Fields whose values say nothing to a reader, so that nobody has to translate what they are called."""

SAME = "\u2060"
"""Marks a name of a list that is the same in both languages, so that a card filled with it counts as translated."""
_NOTHING = MappingNode({}, Source(""))


class _CardTranslator:
    """Translates the cards of one deck; ids, copies and all fields without words stay as they are."""

    def __init__(self, deck: Deck, families: Sequence[MappingNode], texts: TextTranslator) -> None:
        self._deck, self._texts = deck, texts
        kinds = (FieldKind.TEXT, FieldKind.LIST)
        self._words = {name: field for name, field in deck.fields.items() if field.kind in kinds}
        ids = [family.entries["id"].value if "id" in family.entries else None for family in families]
        self._families = {
            id_.text if isinstance(id_, Scalar) else "": family for id_, family in zip(ids, families, strict=True)
        }

    def translated(self, node: MappingNode | None, data: Data, spoken: Data) -> tuple[Card, ...]:
        """Return the cards; `node` holds the translations, by card id or by a family's id as written."""
        written = self._written(node)
        by_family = self._of_families(written, data, spoken)
        cards = []
        for card in self._deck.cards:
            own = written.get(card.id, _NOTHING)
            filled, patterns = by_family.get(card.id, ({}, {}))
            said = {name: _unmarked(value) for name, value in filled.items() if value != card.values.get(name)}
            for name, (text, _) in own.entries.items():
                value = self._own_text(card, name, text)
                if value is not None:
                    said[name] = value
            given = {*said, *patterns, *own.entries}
            for name, field in self._words.items():
                if name not in given and field.is_words and any(map(has_words, texts_in(card.values.get(name)))):
                    self._texts.missing(f"{card.id}.{name}")
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
            for name, field in entry.entries.items():
                if name not in self._deck.fields:
                    what = f"{section}, card {quoted(id_)}: there is no field {quoted(name)}"
                    self._texts.unknown(what, field.source, name, self._words)
                elif name not in self._words:
                    kind = self._deck.fields[name].kind
                    what = f"{section}: the field {name!r} is a {kind.value} and keeps the original's value"
                    if kind is FieldKind.CHOICE:
                        what += "; print it with |t and translate its words under 'words'"
                    self._texts.unknown(what, field.source)
            fields = {name: field for name, field in entry.entries.items() if name in self._words}
            written[id_] = MappingNode(fields, source)
        return written

    def _of_families(
        self, written: Mapping[str, MappingNode], data: Data, spoken: Data
    ) -> dict[str, tuple[dict[str, Value], Mapping[str, Entry]]]:
        """Return the texts of families' cards, by card, filled from the translated lists and patterns.

        Beside them stand the fields for which the translation has a pattern of its own.
        """
        by_card: dict[str, tuple[dict[str, Value], Mapping[str, Entry]]] = {}
        readers = {name: reader_of(field, lambda _: True) for name, field in self._words.items()}
        for id_, family in self._families.items():
            kept = {"for", "where", "id", *self._words}
            entries = {key: entry for key, entry in family.entries.items() if key in kept}
            patterns = written.get(id_, _NOTHING).entries
            for name, (node, _) in patterns.items():
                pattern = self._pattern(name, node, entries.get(name), id_)
                if pattern is not None:
                    entries[name] = Entry(pattern, node.source)
            filled, problems = MappingNode(entries, family.source), ProblemList()
            for given in filled_cards(filled, data, problems, spoken, self._words):
                card_id = given["id"].value if "id" in given else None
                if isinstance(card_id, Scalar):
                    # What is wrong with the original was reported when it was read.
                    values = {name: readers[name](given[name].value, name).value for name in readers if name in given}
                    by_card[card_id.text] = {key: value for key, value in values.items() if value is not None}, patterns
            self._texts.problems += problems
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

    def _own_text(self, card: Card, name: str, node: Node) -> Value:
        """Return a card's translation of a field, which may be a list; None if it cannot be read."""
        label, original = f"{card.id}.{name}", card.values.get(name)
        if self._words[name].kind is not FieldKind.LIST:
            return self._texts.text(node, original if isinstance(original, str) else "", label)
        if not isinstance(node, Items):
            return self._texts.problems.take(texts_of(node, f"{name!r} of card {card.id!r}"))
        originals = original if isinstance(original, tuple) else ()
        if len(node.items) != len(originals):
            self._texts.stale(f"{label}, now {len(originals)} texts", node.source)
        texts: list[Value] = []
        for number, item in enumerate(node.items):
            numbered = f"{label} {number + 1}"
            if number < len(originals):
                texts.append(self._texts.text(item, str(originals[number]), numbered))
            elif (extra := self._texts.problems.take(read_text(item, repr(numbered)))) is not None:
                texts.append(extra.words)
        return tuple(texts)


def _unmarked(value: Value) -> Value:
    if isinstance(value, str):
        return value.replace(SAME, "")
    return tuple(map(_unmarked, value)) if isinstance(value, tuple) else value


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
    nodes = texts.within("decks").nodes(written.decks, game.decks, "deck")
    data = Data(game.facts, game.lists)
    decks = {}
    for id_, deck in game.decks.items():
        section = f"deck {id_!r}"
        inner = texts.within(section, nodes.get(id_))
        keys = inner.shape(nodes.get(id_), DeckTextKeys, section)
        own = {**shared, **labels.within(section).nodes(keys.fields, deck.fields, "field")}
        decks[id_] = replace(
            deck,
            **inner.attributes(keys, deck),
            fields={name: _named_field(labels, field, own.get(name), needless) for name, field in deck.fields.items()},
            cards=_CardTranslator(deck, families.get(id_, ()), inner).translated(keys.cards, data, spoken),
        )
    return decks


def _named_field(texts: TextTranslator, field: Field, node: Node | None, needless: Collection[str]) -> Field:
    """Return a field with its name in the language; `needless` names need no translation."""
    if node is not None:
        return field._replace(label=texts.text(node, field.label or field.name, field.name))
    if field.label or (field.is_words and field.kind not in _NEVER_READ and field.name not in needless):
        texts.missing(field.name)
    return field
