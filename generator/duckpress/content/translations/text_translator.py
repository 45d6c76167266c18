"""Texts translated one by one; the original stands where there is no translation."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as Texts
from typing import TypeVar

from duckpress.content.translations.phrases import Phrase, read_phrases, read_text
from duckpress.content.translations.translation_findings import Ledger, has_words
from duckpress.content.yaml.declared_shapes import Shape, read_shape
from duckpress.content.yaml.nodes import Mapping, Node, quoted
from duckpress.core.problem_list import ProblemList
from duckpress.core.problems import nearest
from duckpress.language import OTHER, phrase_key

S = TypeVar("S", bound=Shape)

IN_GAME, IN_SETUP = "game.yaml", "setup.yaml"
"""What the parts of a game are called in findings."""


class TextTranslator:
    """Translates texts; the ledger notes what the translation lacks, `problems` what is wrong with its form."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.problems = ProblemList()

    def shape(self, node: Node | None, declaration: type[S], what: str) -> S:
        """Return a mapping of the translation as its declaration says; an empty one where there is none."""
        written = None if node is None else self.problems.take(read_shape(node, declaration, what))
        return declaration.empty() if written is None else written

    def text(self, node: Node | None, original: str, section: str, name: str, *, is_needed: bool = True) -> str:
        """Return one text's translation, or the original where there is none."""
        if node is None:
            if is_needed and has_words(original):
                self.ledger.missing(section, name)
            return original
        text = self.problems.take(read_text(node, repr(name)))
        if text is None:
            return original
        if not original:
            self.ledger.unknown(section, f"{section} has no {name!r} to translate", text.source, name, ())
        elif text.is_stale(original):
            self.ledger.stale(section, name, text.source)
        else:
            self.ledger.compare(original, text.words, text.source)
        return text.words

    def named(self, node: Mapping | None, originals: Texts[str, str], section: str, word: str) -> dict[str, str]:
        """Return the translations of texts that have names of the game's own."""
        nodes = self.nodes(node, originals, section, word)
        return {name: self.text(nodes.get(name), text, section, f"{word} {name}") for name, text in originals.items()}

    def nodes(self, node: Mapping | None, known: Iterable[str], section: str, word: str) -> dict[str, Node]:
        """Return the entries of a mapping whose keys are names that the game has; others are noted as unknown."""
        names = list(known)
        entries = node.entries if node is not None else {}
        for name, entry in entries.items():
            if name not in names:
                what = f"there is no {word} {quoted(name)} to translate"
                self.ledger.unknown(section, what, entry.source, name, names)
        return {name: entry.value for name, entry in entries.items() if name in names}

    def phrases(
        self, node: Node | None, originals: Iterable[str], section: str, label: str, optional: Iterable[str] = ()
    ) -> dict[str, Phrase]:
        """Return a phrase book, compared with the originals it is for; `optional` ones need not stand in it."""
        phrases = self.problems.take(read_phrases(node, label)) if node is not None else {}
        wanted = {phrase_key(text): text for text in originals if has_words(text)}
        also = {phrase_key(text) for text in optional}
        compare_phrases(self.ledger, section, phrases, wanted, also)
        return phrases

    def each(self, node: Node | None, originals: tuple[str, ...], section: str, label: str) -> tuple[str, ...]:
        """Return the translations of the texts of a list, found by their originals."""
        phrases = self.phrases(node, originals, section, label)
        return tuple(said(phrases, text) for text in originals)


def compare_phrases(
    ledger: Ledger, section: str, phrases: Texts[str, Phrase], wanted: Texts[str, str], optional: Iterable[str] = ()
) -> None:
    """Note in a ledger what a phrase book lacks, and what in it is stale, unknown or differs; `wanted` is by key."""
    missing = {key: text for key, text in wanted.items() if key not in phrases}
    also = set(optional)
    for key, phrase in phrases.items():
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


def said(phrases: Texts[str, Phrase], text: str) -> str:
    """Return what a phrase book has for a text, else the text."""
    phrase = phrases.get(phrase_key(text))
    return text if phrase is None else phrase.forms[OTHER]
