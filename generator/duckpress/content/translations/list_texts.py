"""Facts and lists in another language: records of any depth, of which only the texts change."""

from __future__ import annotations

from collections.abc import Mapping as Texts
from typing import Any

from duckpress.content.translations.card_texts import SAME
from duckpress.content.translations.text_translator import TextTranslator
from duckpress.content.translations.translation_findings import has_words
from duckpress.content.yaml.declared_shapes import as_mapping
from duckpress.content.yaml.kinds import plain_value
from duckpress.content.yaml.nodes import Mapping, Node, Scalar
from duckpress.content.yaml.nodes import Sequence as Items


def translated_lists(texts: TextTranslator, node: Mapping | None, lists: Texts[str, Texts[str, Any]]) -> dict[str, Any]:
    """Return the lists; what is translated in one record of a list has to be in all of them."""
    nodes = texts.nodes(node, lists, "lists", "list")
    translated: dict[str, Any] = {}
    for name, records in lists.items():
        section = f"list {name!r}"
        if name not in nodes:
            translated[name] = records
            continue
        texts.ledger.places[section] = nodes[name].source
        usual = _text_paths(nodes[name])
        mapping = texts.problems.take(as_mapping(nodes[name], section))
        entries = texts.nodes(mapping, records, section, "record")
        translated[name] = {}
        for id_, record in records.items():
            translated[name][id_] = translated_tree(texts, entries.get(id_), record, section, id_)
            written = _paths(entries[id_]) if id_ in entries else set()
            for path in sorted(usual - written):
                original = _at(record, path)
                if isinstance(original, str) and has_words(original):
                    texts.ledger.missing(section, ".".join((id_, *path)))
    return translated


def translated_tree(texts: TextTranslator, node: Node | None, original: Any, section: str, name: str) -> Any:
    """Return facts or a record with its texts translated, however deep; what is not written keeps the original."""
    if node is None:
        return original
    if isinstance(original, str):
        words = texts.text(node, original, section, name)
        return words + SAME if words == original else words
    if isinstance(original, Texts) and isinstance(node, Mapping):
        known = [key for key in original if key != "id" or section == "facts"]
        nodes = texts.nodes(node, known, section, f"text in {name}:")
        return dict(original) | {
            key: translated_tree(texts, inner, original[key], section, f"{name}.{key}") for key, inner in nodes.items()
        }
    if isinstance(original, tuple) and isinstance(node, Items) and len(node.items) == len(original):
        pairs = enumerate(zip(node.items, original, strict=True), 1)
        return tuple(
            translated_tree(texts, inner, text, section, f"{name} {number}") for number, (inner, text) in pairs
        )
    if isinstance(node, Scalar) and plain_value(node) == original:
        return original  # a number repeated in a list of texts
    what = f"{name!r} of {section} is no text: only texts can be translated"
    texts.ledger.unknown(section, what, node.source, name, ())
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


def _text_paths(node: Node) -> set[tuple[str, ...]]:
    """Return the keys below a record that are translated in any record of a list."""
    if not isinstance(node, Mapping):
        return set()
    return {path for entry in node.entries.values() for path in _paths(entry.value) if path}


def _at(record: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        record = record.get(key) if isinstance(record, Texts) else None
    return record
