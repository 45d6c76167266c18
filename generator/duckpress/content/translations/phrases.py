"""Translated texts as they are written: a text, with or without the original it was made from, and phrase books.

A text is the translation itself, or `{of: the original, is: the translation}`. A phrase book gives translations by
their originals, as a mapping or, for long ones, as a list of `{of:, is:}`; in `words` a translation may have plural
forms.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from duckpress.content.translations.translation_keys import PhraseKeys, TextKeys
from duckpress.content.yaml.declared_shapes import as_mapping, read_shape
from duckpress.content.yaml.kinds import TEXT
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence, quoted
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Source
from duckpress.language import CATEGORIES, OTHER, Forms, categories, phrase_key


class TranslatedText(NamedTuple):
    """A translation; `of` is the original it was made from, None where that was not written down."""

    words: str
    of: str | None
    node: Scalar

    @property
    def source(self) -> Source:
        """The place of the translation."""
        return self.node.source

    def is_stale(self, original: str) -> bool:
        """Return whether the original has changed since; line breaks and runs of blanks do not count."""
        return self.of is not None and phrase_key(self.of) != phrase_key(original)


class Phrase(Struct, frozen=True):
    """A translation of a phrase book: its plural forms (`other` alone for most), the original, the original's place."""

    forms: Forms
    of: str
    source: Source
    node: Scalar


def read_text(node: Node, label: str) -> Read[TranslatedText | None]:
    """Return a translated text. Problems: `wrong-type`, `empty-value`, `unknown-key`, `missing-key`."""
    if isinstance(node, Mapping):
        written, problems = read_shape(node, TextKeys, label)
        scalar = node.entries["is"].value if written is not None and written.is_ else None
        if written is None or not isinstance(scalar, Scalar):
            return Read(None, problems)
        return Read(TranslatedText(written.is_, written.of, scalar), problems)
    text, problems = TEXT.read(node, label)
    return Read(TranslatedText(text, None, node) if text is not None and isinstance(node, Scalar) else None, problems)


def read_phrases(node: Node, label: str, plurals_of: str | None = None) -> Read[dict[str, Phrase]]:
    """Return a phrase book by the keys of its originals; `plurals_of` is the language whose plural forms it may have.

    Problems: `wrong-type`, `empty-value`, `unknown-key`, `missing-key`, `repeated-key`; `unknown-plural` for a plural
    form that the language does not have.
    """
    problems = ProblemList()
    phrases: dict[str, Phrase] = {}
    for of, source, value in problems.take(_pairs(node, label)):
        forms = problems.take(_forms(value, f"the translation of {quoted(of)}", plurals_of))
        if forms is None:
            continue
        key = phrase_key(of)
        if key in phrases:
            what = f"{label} translates {quoted(of)} already, in line {phrases[key].source.line}"
            problems.add("repeated-key", source, what, "keep one of the two")
            continue
        phrases[key] = Phrase({name: text.text.rstrip("\n") for name, text in forms.items()}, of, source, forms[OTHER])
    return Read(phrases, problems)


def _pairs(node: Node, label: str) -> Read[list[tuple[str, Source, Node]]]:
    """Return each original with its place and what is written as its translation."""
    problems = ProblemList()
    if not isinstance(node, Sequence):
        mapping = problems.take(as_mapping(node, label))
        entries = mapping.entries.items() if mapping is not None else ()
        return Read([(key, entry.source, entry.value) for key, entry in entries], problems)
    pairs = []
    for item in node.items:
        written = problems.take(read_shape(item, PhraseKeys, f"an entry of {label}"))
        if written is not None and written.of and written.has("is"):
            pairs.append((written.of, written.at("of"), written.is_))
    return Read(pairs, problems)


def _forms(node: Node, label: str, plurals_of: str | None) -> Read[dict[str, Scalar] | None]:
    if not isinstance(node, Mapping) or plurals_of is None:
        text, wrong = TEXT.read(node, label)
        return Read({OTHER: node} if text is not None and isinstance(node, Scalar) else None, wrong)
    problems = ProblemList()
    known = categories(plurals_of)
    forms: dict[str, Scalar] = {}
    for name, (value, source) in node.entries.items():
        if name not in known:
            what = f"{label} has the plural form {quoted(name)}, which {plurals_of!r} does not have"
            is_category = name in CATEGORIES
            fix = f"its plural forms are {', '.join(known)}" if is_category else f"write {', '.join(known)}"
            problems.add("unknown-plural", source, what, fix)
        elif problems.take(TEXT.read(value, f"{name!r} of {label}")) is not None and isinstance(value, Scalar):
            forms[name] = value
    if OTHER not in forms:
        problems.add("missing-key", node.source, f"{label} has no plural form 'other'", "add 'other: ...'")
        return Read(None, problems)
    return Read(forms, problems)
