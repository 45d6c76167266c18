"""A setup in another language: its title, headings, variants and notes; steps and sums stay as they are."""

from __future__ import annotations

from collections.abc import Mapping as Texts

from msgspec.structs import replace

from duckpress.content.translations.phrases import Phrase
from duckpress.content.translations.text_translator import IN_SETUP, TextTranslator
from duckpress.content.translations.translation_keys import ColumnTextKeys, SetupTextKeys, VariantTextKeys
from duckpress.content.yaml.nodes import Mapping, Node
from duckpress.language import OTHER, phrase_key
from duckpress.model.setup import Column, Expression, Setup, Step, Variant


def translated_setup(texts: TextTranslator, node: Mapping | None, setup: Setup | None) -> Setup | None:
    """Return the setup with its title, headings, variants and notes; steps and sums stay as they are."""
    if setup is None:
        if node is not None:
            what = "the game has no setup.yaml to translate"
            texts.ledger.unknown(IN_SETUP, what, node.source, "setup", ())
        return None
    if node is not None:
        texts.ledger.places[IN_SETUP] = node.source
    written = texts.shape(node, SetupTextKeys, "'setup' of the translation")
    steps = [*setup.steps, *(step for variant in setup.variants.values() for step in variant.steps)]
    notes = [note.text for note in (*setup.notes, *(step.note for step in steps)) if note is not None]
    phrases = texts.phrases(written.notes, notes, IN_SETUP, "'notes' of the setup")
    variants = texts.nodes(written.variants, setup.variants, IN_SETUP, "variant")
    return replace(
        setup,
        title=texts.text(written.title, setup.title, IN_SETUP, "title"),
        columns=_columns(texts, written.table, setup.columns),
        variants={id_: _variant(texts, variants.get(id_), one, phrases) for id_, one in setup.variants.items()},
        steps=tuple(_step(step, phrases) for step in setup.steps),
        notes=tuple(_expression(note, phrases) for note in setup.notes),
    )


def _variant(texts: TextTranslator, node: Node | None, variant: Variant, phrases: Texts[str, Phrase]) -> Variant:
    written = texts.shape(node, VariantTextKeys, f"variant {variant.id!r}")
    name = f"variant {variant.id}"
    return replace(
        variant,
        title=texts.text(written.title, variant.title, IN_SETUP, f"{name}, title"),
        about=texts.text(written.about, variant.about, IN_SETUP, f"{name}, about"),
        columns=_columns(texts, written.table, variant.columns),
        steps=tuple(_step(step, phrases) for step in variant.steps),
    )


def _columns(texts: TextTranslator, node: Mapping | None, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    nodes = texts.nodes(node, [column.key for column in columns], IN_SETUP, "column")
    translated = []
    for column in columns:
        written = texts.shape(nodes.get(column.key), ColumnTextKeys, f"column {column.key!r}")
        name = f"column {column.key}"
        title = texts.text(written.title, column.title, IN_SETUP, f"{name}, title")
        is_short = column.short != column.title
        words = texts.text(written.short, column.short, IN_SETUP, f"{name}, short", is_needed=is_short)
        translated.append(column._replace(title=title, short=words if words != column.short or is_short else title))
    return tuple(translated)


def _expression(expression: Expression, phrases: Texts[str, Phrase]) -> Expression:
    phrase = phrases.get(phrase_key(expression.text))
    if phrase is None:
        return expression
    return Expression(phrase.forms[OTHER], phrase.node.source, 0 if phrase.node.is_plain else 1)


def _step(step: Step, phrases: Texts[str, Phrase]) -> Step:
    return step if step.note is None else replace(step, note=_expression(step.note, phrases))
