"""What is said of a game in another language: facts, lists, credits and notes, and its setup without steps and sums."""

from __future__ import annotations

from collections.abc import Mapping as Texts
from typing import Any

from msgspec.structs import replace

from duckpress.content.translations import translation_keys
from duckpress.content.translations.deck_texts import SAME
from duckpress.content.translations.text_translator import TextTranslator, has_words, said
from duckpress.content.translations.translation_keys import Phrase
from duckpress.content.yaml.declared_shapes import as_mapping
from duckpress.content.yaml.kinds import plain_value
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, quoted
from duckpress.content.yaml.nodes import Sequence as Items
from duckpress.language import OTHER, phrase_key
from duckpress.model import Credit, Game, Note
from duckpress.model.amounts import Expression
from duckpress.model.setup import Column, Setup, Step, Variant

FACTS = "facts"


def translated_lists(texts: TextTranslator, node: Mapping | None, lists: Texts[str, Texts[str, Any]]) -> dict[str, Any]:
    """Return the lists; what is translated in one record of a list has to be in all of them."""
    nodes = texts.within("lists", None).nodes(node, lists, "list")
    translated: dict[str, Any] = {}
    for name, records in lists.items():
        section = f"list {name!r}"
        if name not in nodes:
            translated[name] = records
            continue
        inner = texts.within(section, nodes[name])
        mapping = inner.problems.take(as_mapping(nodes[name], section))
        usual = {path for entry in mapping.entries.values() for path in _paths(entry.value) if path} if mapping else ()
        entries = inner.nodes(mapping, records, "record")
        translated[name] = {}
        for id_, record in records.items():
            translated[name][id_] = translated_tree(inner, entries.get(id_), record, id_)
            written = _paths(entries[id_]) if id_ in entries else set()
            for path in sorted({*usual} - written):
                original: Any = record
                for key in path:
                    original = original.get(key) if isinstance(original, Texts) else None
                if isinstance(original, str) and has_words(original):
                    inner.missing(".".join((id_, *path)))
    return translated


def translated_tree(texts: TextTranslator, node: Node | None, original: Any, name: str) -> Any:
    """Return facts or a record with its texts translated, however deep; what is not written keeps the original."""
    if node is None:
        return original
    if isinstance(original, str):
        words = texts.text(node, original, name)
        return words + SAME if words == original else words
    if isinstance(original, Texts) and isinstance(node, Mapping):
        known = [key for key in original if key != "id" or texts.section == FACTS]
        nodes = texts.nodes(node, known, f"text in {name}:")
        inner_texts = ((key, translated_tree(texts, nodes[key], original[key], f"{name}.{key}")) for key in nodes)
        return {**original, **dict(inner_texts)}
    if isinstance(original, tuple) and isinstance(node, Items) and len(node.items) == len(original):
        pairs = enumerate(zip(node.items, original, strict=True), 1)
        return tuple(translated_tree(texts, inner, text, f"{name} {number}") for number, (inner, text) in pairs)
    if isinstance(node, Scalar) and plain_value(node) == original:
        return original  # a number repeated in a list of texts
    texts.unknown(f"{name!r} of {texts.section} is no text: only texts can be translated", node.source)
    return original


def without_marks(value: Any) -> Any:
    """Return facts, lists or a text without the mark of words that are the same in both languages."""
    if isinstance(value, str):
        return value.removesuffix(SAME)
    if isinstance(value, Texts):
        return {key: without_marks(inner) for key, inner in value.items()}
    return tuple(map(without_marks, value)) if isinstance(value, tuple) else value


def _paths(node: Node) -> set[tuple[str, ...]]:
    """Return the keys that lead to the texts written in a node."""
    if not isinstance(node, Mapping) or node.entries.keys() == {"of", "is"}:
        return {()}
    return {(key, *rest) for key, entry in node.entries.items() for rest in _paths(entry.value)}


def translated_credits(texts: TextTranslator, node: Node | None, credits_: tuple[Credit, ...]) -> tuple[Credit, ...]:
    """Return the credits; who is named may be translated (`the project`), what was done has to be."""
    names = [credit.name for credit in credits_]
    phrases = texts.phrases(node, [credit.role for credit in credits_], "'credits'", names)
    return tuple(
        credit._replace(role=said(phrases, credit.role), name=said(phrases, credit.name)) for credit in credits_
    )


def translated_notes(texts: TextTranslator, node: Mapping | None, game: Game) -> tuple[Note, ...]:
    """Return the notes, found by their original subjects.

    Where a sheet for the designer holds them, they need no translation: the designer reads the first language.
    """
    is_needed = not any(piece.is_for_designer for piece in game.pieces)
    texts = texts.within("the notes of game.yaml", node)
    nodes = texts.nodes(node, [note.subject for note in game.notes], "note")
    translated = []
    for note in game.notes:
        inner = nodes.get(note.subject)
        if inner is None and is_needed:
            texts.missing(quoted(note.subject))
        written = texts.shape(inner, translation_keys.NoteTextKeys, f"the note {quoted(note.subject)}")
        if not isinstance(inner, Mapping):
            translated.append(note)
            continue
        subject, choice, reason, question = (
            texts.text(written.values[key], getattr(note, key), f"{note.subject}, {key}", is_needed=is_needed)
            for key in translation_keys.NoteTextKeys.keys
        )
        translated.append(Note(subject, choice, reason, note.source, question))
    return tuple(translated)


def translated_setup(texts: TextTranslator, node: Mapping | None, setup: Setup | None) -> Setup | None:
    """Return the setup with its title, headings, variants and notes; steps and sums stay as they are."""
    texts = texts.within("setup.yaml", node)
    if setup is None:
        if node is not None:
            texts.unknown("the game has no setup.yaml to translate", node.source)
        return None
    written = texts.shape(node, translation_keys.SetupTextKeys, "'setup' of the translation")
    steps = [*setup.steps, *(step for part in setup.all_variants.values() for step in part.steps)]
    notes = [note.text for note in (*setup.notes, *(step.note for step in steps)) if note is not None]
    phrases = texts.phrases(written.notes, notes, "'notes' of the setup")
    variants = texts.nodes(written.variants, setup.variants, "variant")
    modules = texts.nodes(written.modules, setup.modules, "module")
    return replace(
        setup,
        title=texts.text(written.title, setup.title, "title"),
        columns=_columns(texts, written.table, setup.columns),
        variants={id_: _variant(texts, variants.get(id_), variant, phrases) for id_, variant in setup.variants.items()},
        modules={id_: _variant(texts, modules.get(id_), module, phrases) for id_, module in setup.modules.items()},
        steps=tuple(_step(step, phrases) for step in setup.steps),
        notes=tuple(_expression(note, phrases) for note in setup.notes),
    )


def _variant(texts: TextTranslator, node: Node | None, variant: Variant, phrases: Texts[str, Phrase]) -> Variant:
    kind = "module" if variant.is_module else "variant"
    written = texts.shape(node, translation_keys.VariantTextKeys, f"{kind} {variant.id!r}")
    name = f"{kind} {variant.id}"
    return replace(
        variant,
        title=texts.text(written.title, variant.title, f"{name}, title"),
        about=texts.text(written.about, variant.about, f"{name}, about"),
        columns=_columns(texts, written.table, variant.columns),
        steps=tuple(_step(step, phrases) for step in variant.steps),
    )


def _columns(texts: TextTranslator, node: Mapping | None, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    nodes = texts.nodes(node, [column.key for column in columns], "column")
    translated = []
    for column in columns:
        written = texts.shape(nodes.get(column.key), translation_keys.ColumnTextKeys, f"column {column.key!r}")
        name = f"column {column.key}"
        title = texts.text(written.title, column.title, f"{name}, title")
        is_short = column.short != column.title
        words = texts.text(written.short, column.short, f"{name}, short", is_needed=is_short)
        translated.append(column._replace(title=title, short=words if words != column.short or is_short else title))
    return tuple(translated)


def _expression(expression: Expression, phrases: Texts[str, Phrase]) -> Expression:
    phrase = phrases.get(phrase_key(expression.text))
    if phrase is None:
        return expression
    return Expression(phrase.forms[OTHER], phrase.node.source, 0 if phrase.node.is_plain else 1)


def _step(step: Step, phrases: Texts[str, Phrase]) -> Step:
    return step if step.note is None else replace(step, note=_expression(step.note, phrases))
