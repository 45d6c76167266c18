"""Texts taken over from a translation, one by one: translated, or the original where there is no translation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from duckpress.content.translations.phrases import Phrase, read_phrases, read_text
from duckpress.content.translations.translation_findings import Ledger, has_words
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Node
from duckpress.content.yaml.scalars import quoted
from duckpress.core.problems import Problem, nearest
from duckpress.language import OTHER, phrase_key

IN_GAME, IN_SETUP = "game.yaml", "setup.yaml"
"""What the parts of a game are called in findings."""


class Takeover:
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

    def named(self, reader: Reader | None, originals: Mapping[str, str], section: str, word: str) -> dict[str, str]:
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
        return tuple(said(book, text) for text in originals)


def hold_phrases(
    ledger: Ledger, section: str, found: Mapping[str, Phrase], wanted: Mapping[str, str], optional: Iterable[str] = ()
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


def said(book: Mapping[str, Phrase], text: str) -> str:
    """Give what a phrase book has for a text, else the text."""
    found = book.get(phrase_key(text))
    return text if found is None else found.forms[OTHER]
