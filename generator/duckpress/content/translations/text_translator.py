"""Texts translated one by one, and what a translation lacks, what has changed under it, what in it stands for nothing.

The original stands where there is no translation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as Texts
from typing import TypeVar

from duckpress.content.translations.translation_keys import Phrase, read_phrases, read_text
from duckpress.content.yaml.declared_shapes import Shape, read_shape
from duckpress.content.yaml.nodes import Mapping, Node, quoted
from duckpress.core.problem_list import ProblemList
from duckpress.core.problems import Level, Problem, Source, did_you_mean, nearest
from duckpress.language import OTHER, phrase_key

S = TypeVar("S", bound=Shape)

IN_GAME, IN_SETUP = "game.yaml", "setup.yaml"
"""What the parts of a game are called in findings."""
MAX_LISTED = 8
_TOKENS = re.compile(r"\{\{.*?\}\}|\{[^{}\n]*\}", re.DOTALL)
_PLAIN_TOKENS = re.compile(r"\{[^{}\n]*\}")


class Ledger:
    """Gathers findings about one language; `problems` tells each kind once for each section, with a list."""

    def __init__(self, language: str, file: str) -> None:
        self.language = language
        self.places: dict[str, Source] = {}  # of the sections that are there
        self._file = file
        self._missing: dict[str, dict[str, None]] = {}
        self._stale: dict[str, dict[str, Source]] = {}
        self._unknown: dict[str, list[Problem]] = {}
        self._differing: list[Problem] = []

    def missing(self, section: str, name: str) -> None:
        """Note a text without translation."""
        self._missing.setdefault(section, {})[name] = None

    def stale(self, section: str, name: str, source: Source) -> None:
        """Note a translation whose original has changed."""
        self._stale.setdefault(section, {})[name] = source

    def unknown(self, section: str, what: str, source: Source, name: str, known: Iterable[str]) -> None:
        """Note a translation of something that is not there (any more)."""
        fix = did_you_mean(name, list(known)) or "delete it"
        problem = Problem("translation-unknown", source, f"{self.language}: {what}", fix, Level.WARNING)
        self._unknown.setdefault(section, []).append(problem)

    def compare(self, original: str, translation: str, source: Source) -> None:
        """Note icons, fields and values that only one of the two has; expressions may differ, they are computed."""
        old, new = tokens_of(original), tokens_of(translation)
        if old == new:
            return
        lost, added = sorted(old - new), sorted(new - old)
        parts = [f"leaves out {', '.join(lost)}"] if lost else []
        parts += [f"has {', '.join(added)}, which the original has not"] if added else []
        what = f"{self.language}: the translation {quoted(' '.join(translation.split()))} {' and '.join(parts)}"
        self._differing.append(
            Problem("translation-differs", source, what, "write the same {names} in both", Level.WARNING)
        )

    def problems(self) -> list[Problem]:
        """Return what was noted as warnings: one for each section and kind, but one each for what is not there."""
        problems = list(self._differing)
        start = Source(self._file)
        for section, names in self._missing.items():
            texts, them = ("text is", "it") if len(names) == 1 else ("texts are", "them")
            what = f"{self.language}: {section}: {len(names)} {texts} not translated: {_listed(names)}"
            fix = f"translate {them} in {self._file}"
            problems.append(Problem("translation-missing", self.places.get(section, start), what, fix, Level.WARNING))
        for section, places in self._stale.items():
            lines = [f"{name} (line {source.line})" for name, source in places.items()]
            has = "the original has" if len(lines) == 1 else f"{len(lines)} originals have"
            what = f"{self.language}: {section}: {has} changed since the translation: {_listed(lines)}"
            fix = "correct the translation, and write the new original as 'of'"
            problems.append(Problem("translation-stale", next(iter(places.values())), what, fix, Level.WARNING))
        for group in self._unknown.values():
            if len(group) > MAX_LISTED:
                group = [group[0]._replace(what=f"{group[0].what} (and {len(group) - 1} more)")]
            problems += group
        return problems


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


def has_words(text: str) -> bool:
    """Return whether a text has letters to translate, apart from icons and expressions."""
    end = _end_of_expressions(text)
    return any(map(str.isalpha, _TOKENS.sub("", text[:end]) + _PLAIN_TOKENS.sub("", text[end:])))


def tokens_of(text: str) -> set[str]:
    """Return the icons, fields and values in braces that a text holds."""
    end = _end_of_expressions(text)
    return {token for token in _TOKENS.findall(text, 0, end) if not token.startswith("{{")} | {
        *_PLAIN_TOKENS.findall(text, end)
    }


def _end_of_expressions(text: str) -> int:
    # Behind the last one that is closed none is looked for: each opening would be followed to the end of the text.
    return text.rfind("}}") + 2 if "}}" in text else 0


def _listed(names: Iterable[str]) -> str:
    shown = list(names)
    more = f" and {len(shown) - MAX_LISTED} more" if len(shown) > MAX_LISTED else ""
    return ", ".join(shown[:MAX_LISTED]) + more
