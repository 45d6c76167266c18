"""A setup in another language: its title, headings, variants and notes; steps and sums stay as they are."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from duckpress.content.translations.phrases import Phrase
from duckpress.content.translations.text_translator import IN_SETUP, Takeover
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Node
from duckpress.language import OTHER, phrase_key
from duckpress.model.setup import Column, Expression, Setup, Step, Variant


def translated_setup(texts: Takeover, reader: Reader | None, setup: Setup | None) -> Setup | None:
    """Give the setup with its title, headings, variants and notes; steps and sums stay as they are."""
    if setup is None:
        if reader is not None:
            what = "the game has no setup.yaml to translate"
            texts.ledger.unknown(IN_SETUP, what, reader.source, "setup", ())
        return None
    if reader is not None:
        texts.ledger.places[IN_SETUP] = reader.source
    variants = setup.variants.values()
    steps = [*setup.steps, *(step for variant in variants for step in variant.steps)]
    notes = [note.text for note in (*setup.notes, *(step.note for step in steps)) if note is not None]
    book = texts.phrases(reader.node("notes") if reader else None, notes, IN_SETUP, "'notes' of the setup")
    variant_nodes = texts.nodes(reader.reader("variants") if reader else None, setup.variants, IN_SETUP, "variant")
    title = reader.node("title") if reader else None
    changed = replace(
        setup,
        title=texts.text(title, setup.title, IN_SETUP, "title"),
        columns=_columns(texts, reader.reader("table") if reader else None, setup.columns),
        variants={id_: _variant(texts, variant_nodes.get(id_), one, book) for id_, one in setup.variants.items()},
        steps=tuple(_retold_step(step, book) for step in setup.steps),
        notes=tuple(_retold(note, book) for note in setup.notes),
    )
    if reader is not None:
        reader.finish()
    return changed


def _variant(texts: Takeover, node: Node | None, variant: Variant, book: dict[str, Phrase]) -> Variant:
    reader = Reader.of(node, f"variant {variant.id!r}", texts.problems) if node is not None else None
    name = f"variant {variant.id}"
    about = reader.node("about") if reader else None
    changed = replace(
        variant,
        title=texts.text(reader.node("title") if reader else None, variant.title, IN_SETUP, f"{name}, title"),
        about=texts.text(about, variant.about, IN_SETUP, f"{name}, about"),
        columns=_columns(texts, reader.reader("table") if reader else None, variant.columns),
        steps=tuple(_retold_step(step, book) for step in variant.steps),
    )
    if reader is not None:
        reader.finish()
    return changed


def _columns(texts: Takeover, reader: Reader | None, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    nodes = texts.nodes(reader, [column.key for column in columns], IN_SETUP, "column")
    changed = []
    for column in columns:
        node = nodes.get(column.key)
        entry = Reader.of(node, f"column {column.key!r}", texts.problems) if node is not None else None
        name = f"column {column.key}"
        title = texts.text(entry.node("title") if entry else None, column.title, IN_SETUP, f"{name}, title")
        is_short = column.short != column.title
        short = texts.text(
            entry.node("short") if entry else None, column.short, IN_SETUP, f"{name}, short", is_needed=is_short
        )
        changed.append(column._replace(title=title, short=short if short != column.short or is_short else title))
        if entry is not None:
            entry.finish()
    return tuple(changed)


def _retold(expression: Expression, book: Mapping[str, Phrase]) -> Expression:
    found = book.get(phrase_key(expression.text))
    if found is None:
        return expression
    return Expression(found.forms[OTHER], found.node.source, 0 if found.node.is_plain else 1)


def _retold_step(step: Step, book: Mapping[str, Phrase]) -> Step:
    return step if step.note is None else replace(step, note=_retold(step.note, book))
