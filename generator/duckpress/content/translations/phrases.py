"""Translated texts as they are written: a text, with or without the original it was made from, and phrase books.

A text is the translation itself, or `{of: the original, is: the translation}`. A phrase book gives translations by
their originals, as a mapping or, for long ones, as a list of `{of:, is:}`; in `words` a translation may have plural
forms.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from duckpress.content.yaml import scalars
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence
from duckpress.core.problems import Problem, Source
from duckpress.language import CATEGORIES, OTHER, Forms, categories, phrase_key

_LONG = {"of", "is"}


class Text(NamedTuple):
    """A translation; `of` is the original it was made from, None where that was not written down."""

    words: str
    of: str | None
    node: Scalar

    @property
    def source(self) -> Source:
        """The place of the translation."""
        return self.node.source

    def is_stale(self, original: str) -> bool:
        """Tell whether the original has changed since; line breaks and runs of blanks do not count."""
        return self.of is not None and phrase_key(self.of) != phrase_key(original)


class Phrase(Struct, frozen=True):
    """A translation of a phrase book: its plural forms (`other` alone for most), the original, the original's place."""

    forms: Forms
    of: str
    source: Source
    node: Scalar


def read_text(node: Node, label: str, problems: list[Problem]) -> Text | None:
    """Give a translated text. Problems: `wrong-type`, `empty-value`, `unknown-key`, `missing-key`."""
    if isinstance(node, Mapping):
        reader = Reader(node, label, problems)
        of, written = reader.text("of", None), reader.node("is")
        words = reader.text("is")
        reader.finish()
        return Text(words, of, written) if isinstance(written, Scalar) and words else None
    found = scalars.text_of(node, label, problems)
    return Text(found, None, node) if found is not None and isinstance(node, Scalar) else None


def read_phrases(node: Node, label: str, problems: list[Problem], plurals_of: str | None = None) -> dict[str, Phrase]:
    """Give a phrase book by the keys of its originals; `plurals_of` is the language whose plural forms may stand in it.

    Problems: `wrong-type`, `empty-value`, `unknown-key`, `missing-key`, `repeated-key`; `unknown-plural` for a plural
    form that the language does not have.
    """
    found: dict[str, Phrase] = {}
    if isinstance(node, Sequence):
        pairs = [pair for item in node.items if (pair := _read_pair(item, label, problems)) is not None]
    elif isinstance(node, Mapping):
        pairs = [(key, entry.source, entry.value) for key, entry in node.entries.items()]
    else:
        Reader.of(node, label, problems)
        pairs = []
    for of, source, value in pairs:
        forms = _read_forms(value, f"the translation of {scalars.quoted(of)}", problems, plurals_of)
        if forms is None:
            continue
        key = phrase_key(of)
        if key in found:
            what = f"{label} translates {scalars.quoted(of)} already, in line {found[key].source.line}"
            problems.append(Problem("repeated-key", source, what, "keep one of the two"))
            continue
        found[key] = Phrase({name: text.text.rstrip("\n") for name, text in forms.items()}, of, source, forms[OTHER])
    return found


def _read_pair(item: Node, label: str, problems: list[Problem]) -> tuple[str, Source, Node] | None:
    reader = Reader.of(item, f"an entry of {label}", problems)
    if reader is None:
        return None
    of, at, value = reader.text("of"), reader.at("of"), reader.node("is")
    if value is None:
        reader.text("is")
    reader.finish()
    return (of, at, value) if of and value is not None else None


def _read_forms(node: Node, label: str, problems: list[Problem], plurals_of: str | None) -> dict[str, Scalar] | None:
    if isinstance(node, Mapping) and plurals_of is not None:
        known = categories(plurals_of)
        forms: dict[str, Scalar] = {}
        for name, entry in node.entries.items():
            if name not in known:
                what = f"{label} has the plural form {scalars.quoted(name)}, which {plurals_of!r} does not have"
                is_category = name in CATEGORIES
                fix = f"its plural forms are {', '.join(known)}" if is_category else f"write {', '.join(known)}"
                problems.append(Problem("unknown-plural", entry.source, what, fix))
            elif scalars.text_of(entry.value, f"{name!r} of {label}", problems) is not None:
                assert isinstance(entry.value, Scalar)
                forms[name] = entry.value
        if OTHER not in forms:
            what = f"{label} has no plural form 'other'"
            problems.append(Problem("missing-key", node.source, what, "add 'other: ...'"))
            return None
        return forms
    text = scalars.text_of(node, label, problems)
    return {OTHER: node} if text is not None and isinstance(node, Scalar) else None
