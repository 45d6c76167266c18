"""A game and a translation of it -> the game in that language: a pure function of the two.

Texts are taken over one by one; cards of families are filled again with the translated lists and facts, so that a name
in a list is translated once. Ids, numbers, choices, icons and colours stay as they are. What is missing, stale or for
nothing is noted in a `Ledger`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Mapping as Texts
from dataclasses import replace
from typing import Any

from duckpress.content.card_texts import SAME, CardTranslator
from duckpress.content.families import Data
from duckpress.content.ledger import Ledger, has_words
from duckpress.content.nodes import Mapping, Node, Scalar
from duckpress.content.nodes import Sequence as Items
from duckpress.content.phrases import Phrase, read_phrases, read_text
from duckpress.content.reading import Reader
from duckpress.content.scalars import plain_value, quoted
from duckpress.language import OTHER, Speech, phrase_key
from duckpress.model import Credit, Deck, Game, Note
from duckpress.model.setup import Column, Expression, Setup, Step, Variant
from duckpress.problems import Problem, nearest

_IN_GAME, _IN_SETUP = "game.yaml", "setup.yaml"
Families = Texts[str, Sequence[Mapping]]
"""The families of each deck, as they are written in its file."""


def translate(
    game: Game, node: Mapping, families: Families, speech: Speech, ledger: Ledger
) -> tuple[Game, list[Problem]]:
    """Give the game in another language and all that is wrong with the form of its translation.

    `node` is the content of the translation's file; its `words` have been read before, into `speech`.
    """
    problems: list[Problem] = []
    reader = Reader(node, "the translation", problems)
    book = _Translator(ledger, problems)
    facts = book.tree(reader.node("facts"), game.facts, "facts", "facts")
    lists = book.lists(reader.reader("lists"), game.lists)
    data, spoken = Data(game.facts, game.lists), Data(facts, lists)
    titles = {one.id: one.title for one in game.pieces if not one.book}  # the rules have the program's own title
    pieces = book.named(reader.reader("pieces"), titles, _IN_GAME, "piece")
    changed = replace(
        game,
        title=book.text(reader.node("title"), game.title, _IN_GAME, "title", is_needed=False),
        about=book.text(reader.node("about"), game.about, _IN_GAME, "about"),
        licence=book.text(reader.node("licence"), game.licence, _IN_GAME, "licence"),
        publisher=book.text(reader.node("publisher"), game.publisher, _IN_GAME, "publisher", is_needed=False),
        pieces=tuple(one._replace(title=pieces.get(one.id, one.title)) for one in game.pieces),
        credits=book.credits(reader.node("credits"), game.credits),
        notes=book.notes(reader.reader("notes"), game.notes),
        bring=book.each(reader.node("bring"), game.bring, _IN_GAME, "'bring'"),
        facts=without_marks(facts),
        lists=without_marks(lists),
        decks=book.decks(reader.reader("decks"), game, families, data, spoken),
        setup=book.setup(reader.reader("setup"), game.setup),
        speech=speech,
    )
    reader.node("words")
    reader.finish()
    return changed, problems


class _Translator:
    """Takes over texts; what is noted goes to the ledger, what is wrong in form to the problems."""

    def __init__(self, ledger: Ledger, problems: list[Problem]) -> None:
        self.ledger = ledger
        self.problems = problems

    def text(self, node: Node | None, original: str, section: str, name: str, *, is_needed: bool = True) -> str:
        """Give one text's translation, or the original where there is none."""
        if node is None:
            if is_needed and has_words(original):
                self.ledger.missing(section, name)
            return original
        found = read_text(node, repr(name), self.problems)
        if found is None:
            return original
        if not original:
            self.ledger.unknown(section, f"{section} has no {name!r} to translate", found.source, name, ())
        elif found.is_stale(original):
            self.ledger.stale(section, name, found.source)
        else:
            self.ledger.compare(original, found.words, found.source)
        return found.words

    def named(self, reader: Reader | None, originals: Texts[str, str], section: str, word: str) -> dict[str, str]:
        """Give the translations of texts that have names of the game's own."""
        nodes = self.nodes(reader, originals, section, word)
        return {name: self.text(nodes.get(name), text, section, f"{word} {name}") for name, text in originals.items()}

    def nodes(self, reader: Reader | None, known: Iterable[str], section: str, word: str) -> dict[str, Node]:
        """Give the entries of a mapping whose keys are names that the game has; others are noted as unknown."""
        if reader is None:
            return {}
        names = list(known)
        found = dict(reader.nodes())
        for name in found:
            if name not in names:
                what = f"there is no {word} {quoted(name)} to translate"
                self.ledger.unknown(section, what, reader.key_at(name), name, names)
        return {name: node for name, node in found.items() if name in names}

    def phrases(
        self, node: Node | None, originals: Iterable[str], section: str, label: str, optional: Iterable[str] = ()
    ) -> dict[str, Phrase]:
        """Give a phrase book, held against the originals it is for; `optional` ones need not stand in it."""
        found = read_phrases(node, label, self.problems) if node is not None else {}
        wanted = {phrase_key(text): text for text in originals if has_words(text)}
        also = {phrase_key(text) for text in optional}
        hold_phrases(self.ledger, section, found, wanted, also)
        return found

    def each(self, node: Node | None, originals: tuple[str, ...], section: str, label: str) -> tuple[str, ...]:
        """Give the translations of the texts of a list, found by their originals."""
        book = self.phrases(node, originals, section, label)
        return tuple(_said(book, text) for text in originals)

    def credits(self, node: Node | None, credits_: tuple[Credit, ...]) -> tuple[Credit, ...]:
        """Give the credits; who is named may be translated (`the project`), what was done has to be."""
        names = [credit.name for credit in credits_]
        book = self.phrases(node, [credit.role for credit in credits_], _IN_GAME, "'credits'", names)
        return tuple(one._replace(role=_said(book, one.role), name=_said(book, one.name)) for one in credits_)

    def notes(self, reader: Reader | None, notes: tuple[Note, ...]) -> tuple[Note, ...]:
        """Give the notes, found by their original subjects."""
        section = "the notes of game.yaml"
        if reader is not None:
            self.ledger.places.setdefault(section, reader.source)
        nodes = self.nodes(reader, [note.subject for note in notes], section, "note")
        changed = []
        for note in notes:
            node = nodes.get(note.subject)
            entry = Reader.of(node, f"the note {quoted(note.subject)}", self.problems) if node is not None else None
            if entry is None:
                if node is None:
                    self.ledger.missing(section, quoted(note.subject))
                changed.append(note)
                continue
            texts = {
                key: self.text(entry.node(key), original, section, f"{note.subject}, {key}")
                for key, original in (("subject", note.subject), ("choice", note.choice), ("reason", note.reason))
            }
            entry.finish()
            changed.append(Note(texts["subject"], texts["choice"], texts["reason"], note.source))
        return tuple(changed)

    def lists(self, reader: Reader | None, lists: Texts[str, Texts[str, Any]]) -> dict[str, Any]:
        """Give the lists; what is translated in one record of a list has to be in all of them."""
        nodes = self.nodes(reader, lists, "lists", "list")
        found: dict[str, Any] = {}
        for name, records in lists.items():
            section = f"list {name!r}"
            node = nodes.get(name)
            if node is None:
                found[name] = records
                continue
            self.ledger.places[section] = node.source
            usual = _text_paths(node)
            entries = self.nodes(Reader.of(node, section, self.problems), records, section, "record")
            found[name] = {}
            for id_, record in records.items():
                found[name][id_] = self.tree(entries.get(id_), record, section, id_)
                written = _paths(entries[id_]) if id_ in entries else set()
                for path in sorted(usual - written):
                    original = _at(record, path)
                    if isinstance(original, str) and has_words(original):
                        self.ledger.missing(section, ".".join((id_, *path)))
        return found

    def tree(self, node: Node | None, original: Any, section: str, name: str) -> Any:
        """Give facts or a record with its texts translated, however deep; what is not written keeps the original."""
        if node is None:
            return original
        if isinstance(original, str):
            said = self.text(node, original, section, name)
            return said + SAME if said == original else said
        if isinstance(original, Texts) and isinstance(node, Mapping):
            known = [key for key in original if key != "id" or section == "facts"]
            nodes = self.nodes(Reader(node, name, self.problems), known, section, f"text in {name}:")
            kept = dict(original)
            kept |= {key: self.tree(inner, original[key], section, f"{name}.{key}") for key, inner in nodes.items()}
            return kept
        if isinstance(original, tuple) and isinstance(node, Items) and len(node.items) == len(original):
            pairs = enumerate(zip(node.items, original, strict=True), 1)
            return tuple(self.tree(inner, text, section, f"{name} {number}") for number, (inner, text) in pairs)
        if isinstance(node, Scalar) and plain_value(node) == original:
            return original  # a number repeated in a list of texts
        what = f"{name!r} of {section} is no text: only texts can be translated"
        self.ledger.unknown(section, what, node.source, name, ())
        return original

    def decks(self, reader: Reader | None, game: Game, families: Families, data: Data, spoken: Data) -> dict[str, Deck]:
        """Give the decks with their titles and the texts of their cards."""
        nodes = self.nodes(reader, game.decks, "decks", "deck")
        found = {}
        for id_, deck in game.decks.items():
            section = f"deck {id_!r}"
            node = nodes.get(id_)
            entry = Reader.of(node, section, self.problems) if node is not None else None
            if node is not None:
                self.ledger.places[section] = node.source
            title = self.text(entry.node("title") if entry else None, deck.title, section, "title")
            cards = CardTranslator(deck, families.get(id_, ()), self.ledger, self.problems)
            written = entry.reader("cards") if entry else None
            found[id_] = replace(deck, title=title, cards=cards.translated(written, data, spoken))
            if entry is not None:
                entry.finish()
        return found

    def setup(self, reader: Reader | None, setup: Setup | None) -> Setup | None:
        """Give the setup with its title, headings, variants and notes; steps and sums stay as they are."""
        if setup is None:
            if reader is not None:
                what = "the game has no setup.yaml to translate"
                self.ledger.unknown(_IN_SETUP, what, reader.source, "setup", ())
            return None
        if reader is not None:
            self.ledger.places[_IN_SETUP] = reader.source
        variants = setup.variants.values()
        steps = [*setup.steps, *(step for variant in variants for step in variant.steps)]
        notes = [note.text for note in (*setup.notes, *(step.note for step in steps)) if note is not None]
        book = self.phrases(reader.node("notes") if reader else None, notes, _IN_SETUP, "'notes' of the setup")
        variant_nodes = self.nodes(reader.reader("variants") if reader else None, setup.variants, _IN_SETUP, "variant")
        title = reader.node("title") if reader else None
        changed = replace(
            setup,
            title=self.text(title, setup.title, _IN_SETUP, "title"),
            columns=self._columns(reader.reader("table") if reader else None, setup.columns),
            variants={id_: self._variant(variant_nodes.get(id_), one, book) for id_, one in setup.variants.items()},
            steps=tuple(_retold_step(step, book) for step in setup.steps),
            notes=tuple(_retold(note, book) for note in setup.notes),
        )
        if reader is not None:
            reader.finish()
        return changed

    def _variant(self, node: Node | None, variant: Variant, book: dict[str, Phrase]) -> Variant:
        reader = Reader.of(node, f"variant {variant.id!r}", self.problems) if node is not None else None
        name = f"variant {variant.id}"
        about = reader.node("about") if reader else None
        changed = replace(
            variant,
            title=self.text(reader.node("title") if reader else None, variant.title, _IN_SETUP, f"{name}, title"),
            about=self.text(about, variant.about, _IN_SETUP, f"{name}, about"),
            columns=self._columns(reader.reader("table") if reader else None, variant.columns),
            steps=tuple(_retold_step(step, book) for step in variant.steps),
        )
        if reader is not None:
            reader.finish()
        return changed

    def _columns(self, reader: Reader | None, columns: tuple[Column, ...]) -> tuple[Column, ...]:
        nodes = self.nodes(reader, [column.key for column in columns], _IN_SETUP, "column")
        changed = []
        for column in columns:
            node = nodes.get(column.key)
            entry = Reader.of(node, f"column {column.key!r}", self.problems) if node is not None else None
            name = f"column {column.key}"
            title = self.text(entry.node("title") if entry else None, column.title, _IN_SETUP, f"{name}, title")
            is_short = column.short != column.title
            short = self.text(
                entry.node("short") if entry else None, column.short, _IN_SETUP, f"{name}, short", is_needed=is_short
            )
            changed.append(column._replace(title=title, short=short if short != column.short or is_short else title))
            if entry is not None:
                entry.finish()
        return tuple(changed)


def hold_phrases(
    ledger: Ledger, section: str, found: Texts[str, Phrase], wanted: Texts[str, str], optional: Iterable[str] = ()
) -> None:
    """Hold a phrase book against the originals there are, by key: what is missing, stale, unknown or differs."""
    missing = {key: text for key, text in wanted.items() if key not in found}
    also = set(optional)
    for key, phrase in found.items():
        if key in wanted:
            ledger.compare(wanted[key], phrase.forms[OTHER], phrase.node.source)
        elif key not in also:
            meant = nearest(key, missing)
            if meant is not None:
                del missing[meant]
                ledger.stale(section, quoted(phrase.of), phrase.source)
            else:
                what = f"{section}: nothing says {quoted(phrase.of)}"
                ledger.unknown(section, what, phrase.source, key, ())
    for text in missing.values():
        ledger.missing(section, quoted(text))


def without_marks(value: Any) -> Any:
    """Give facts, lists or a text without the mark of words that are the same in both languages."""
    if isinstance(value, str):
        return value.removesuffix(SAME)
    if isinstance(value, Texts):
        return {key: without_marks(inner) for key, inner in value.items()}
    return tuple(map(without_marks, value)) if isinstance(value, tuple) else value


def _said(book: Texts[str, Phrase], text: str) -> str:
    found = book.get(phrase_key(text))
    return text if found is None else found.forms[OTHER]


def _retold(expression: Expression, book: Texts[str, Phrase]) -> Expression:
    found = book.get(phrase_key(expression.text))
    if found is None:
        return expression
    return Expression(found.forms[OTHER], found.node.source, 0 if found.node.is_plain else 1)


def _retold_step(step: Step, book: Texts[str, Phrase]) -> Step:
    return step if step.note is None else replace(step, note=_retold(step.note, book))


def _paths(node: Node) -> set[tuple[str, ...]]:
    """Give the keys that lead to the texts written in a node."""
    if not isinstance(node, Mapping) or node.entries.keys() == {"of", "is"}:
        return {()}
    return {(key, *rest) for key, entry in node.entries.items() for rest in _paths(entry.value)}


def _text_paths(node: Node) -> set[tuple[str, ...]]:
    """Give the keys below a record that are translated in any record of a list."""
    if not isinstance(node, Mapping):
        return set()
    return {path for entry in node.entries.values() for path in _paths(entry.value) if path}


def _at(record: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        record = record.get(key) if isinstance(record, Texts) else None
    return record


__all__ = ["Families", "hold_phrases", "translate"]
