"""Texts translated one by one, and what a translation lacks, what has changed under it, what in it stands for nothing.

The original stands where there is no translation.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from collections.abc import Mapping as Texts
from typing import Any, TypeVar

from msgspec import Struct

from duckpress.content.translations.translation_keys import TRANSLATION, Phrase, read_phrases, read_text
from duckpress.content.yaml.declared_shapes import Shape, read_shape
from duckpress.content.yaml.nodes import Mapping, Node, quoted
from duckpress.core.language import OTHER, phrase_key
from duckpress.core.problems import Level, Problem, ProblemList, Source, did_you_mean, nearest

S = TypeVar("S", bound=Shape)

MAX_LISTED = 8
_TOKENS = re.compile(r"\{\{.*?\}\}|\{[^{}\n]*\}", re.DOTALL)
_PLAIN_TOKENS = re.compile(r"\{[^{}\n]*\}")


class Ledger(Struct):
    """Findings about one language by the section they are in; `problems` tells each kind once for each, with a list."""

    language: str
    file: str
    places: dict[str, Source] = {}  # of the sections that are there
    missing: dict[str, dict[str, None]] = {}
    stale: dict[str, dict[str, Source]] = {}
    unknown: dict[str, list[Problem]] = {}
    differing: list[Problem] = []

    def problems(self) -> list[Problem]:
        """Return what was noted as warnings: one for each section and kind, but one each for what is not there."""
        problems = list(self.differing)
        start = Source(self.file)
        for section, names in self.missing.items():
            texts, them = ("text is", "it") if len(names) == 1 else ("texts are", "them")
            what = f"{self.language}: {section}: {len(names)} {texts} not translated: {_listed(names)}"
            fix = f"translate {them} in {self.file}"
            problems.append(Problem("translation-missing", self.places.get(section, start), what, fix, Level.WARNING))
        for section, places in self.stale.items():
            lines = [f"{name} (line {source.line})" for name, source in places.items()]
            has = "the original has" if len(lines) == 1 else f"{len(lines)} originals have"
            what = f"{self.language}: {section}: {has} changed since the translation: {_listed(lines)}"
            fix = "correct the translation, and write the new original as 'of'"
            problems.append(Problem("translation-stale", next(iter(places.values())), what, fix, Level.WARNING))
        for group in self.unknown.values():
            if len(group) > MAX_LISTED:
                group = [group[0]._replace(what=f"{group[0].what} (and {len(group) - 1} more)")]
            problems += group
        return problems


class TextTranslator:
    """Translates the texts of one section of a translation, which is what findings call that part of the game.

    The ledger holds what the translation lacks, `problems` what is wrong with its form; both are those of all sections.
    """

    def __init__(self, ledger: Ledger, section: str = "game.yaml") -> None:
        self.section = section
        self.problems = ProblemList()
        self._ledger = ledger

    def within(self, section: str, node: Node | None) -> TextTranslator:
        """Return the translator of another section; `node` is what is written of it."""
        if node is not None:
            self._ledger.places[section] = node.source
        inner = TextTranslator(self._ledger, section)
        inner.problems = self.problems
        return inner

    def missing(self, name: str) -> None:
        self._ledger.missing.setdefault(self.section, {})[name] = None

    def stale(self, name: str, source: Source) -> None:
        """Note a translation whose original has changed."""
        self._ledger.stale.setdefault(self.section, {})[name] = source

    def unknown(self, what: str, source: Source, name: str = "", known: Iterable[str] = ()) -> None:
        """Note a translation of something that is not there (any more)."""
        fix = did_you_mean(name, list(known)) or "delete it"
        problem = Problem("translation-unknown", source, f"{self._ledger.language}: {what}", fix, Level.WARNING)
        self._ledger.unknown.setdefault(self.section, []).append(problem)

    def compare(self, original: str, translation: str, source: Source) -> None:
        """Note icons, fields and values that only one of the two has; expressions may differ, they are computed."""
        old, new = tokens_of(original), tokens_of(translation)
        lost, added = sorted(old - new), sorted(new - old)
        parts = [f"leaves out {', '.join(lost)}"] if lost else []
        parts += [f"has {', '.join(added)}, which the original has not"] if added else []
        if parts:
            words = quoted(" ".join(translation.split()))
            what = f"{self._ledger.language}: the translation {words} {' and '.join(parts)}"
            fix = "write the same {names} in both"
            self._ledger.differing.append(Problem("translation-differs", source, what, fix, Level.WARNING))

    def shape(self, node: Node | None, declaration: type[S], what: str) -> S:
        """Return a mapping of the translation as its declaration says; an empty one where there is none."""
        written = None if node is None else self.problems.take(read_shape(node, declaration, what))
        return declaration.empty() if written is None else written

    def text(self, node: Node | None, original: str, name: str, *, is_needed: bool = True) -> str:
        """Return one text's translation, or the original where there is none."""
        if node is None:
            if is_needed and has_words(original):
                self.missing(name)
            return original
        text = self.problems.take(read_text(node, repr(name)))
        if text is None:
            return original
        if not original:
            self.unknown(f"{self.section} has no {name!r} to translate", text.source)
        elif text.is_stale(original):
            self.stale(name, text.source)
        else:
            self.compare(original, text.words, text.source)
        return text.words

    def attributes(
        self, written: Shape, original: Any, prefix: str = "", needless: Collection[str] = ()
    ) -> dict[str, Any]:
        """Return the texts of a record by its attributes, which the keys of its translation are called after.

        `prefix` stands before them in findings; the `needless` ones need no translation.
        """
        return {
            name: self.text(
                written.values[name], getattr(original, name), prefix + name, is_needed=name not in needless
            )
            for name, key in written.keys.items()
            if key.kind is TRANSLATION
        }

    def nodes(self, node: Mapping | None, known: Iterable[str], word: str) -> dict[str, Node]:
        """Return the entries of a mapping whose keys are names that the game has; others are noted as unknown."""
        names = list(known)
        entries = node.entries if node is not None else {}
        for name, entry in entries.items():
            if name not in names:
                self.unknown(f"there is no {word} {quoted(name)} to translate", entry.source, name, names)
        return {name: entry.value for name, entry in entries.items() if name in names}

    def phrases(
        self, node: Node | None, originals: Iterable[str], label: str, optional: Iterable[str] = ()
    ) -> dict[str, Phrase]:
        """Return a phrase book, compared with the originals it is for; `optional` ones need not stand in it."""
        phrases = self.problems.take(read_phrases(node, label)) if node is not None else {}
        wanted = {phrase_key(text): text for text in originals if has_words(text)}
        self.compare_phrases(phrases, wanted, {phrase_key(text) for text in optional})
        return phrases

    def compare_phrases(self, phrases: Texts[str, Phrase], wanted: Texts[str, str], optional: set[str]) -> None:
        """Note what a phrase book lacks, and what in it is stale, unknown or differs; `wanted` is by key."""
        missing = {key: text for key, text in wanted.items() if key not in phrases}
        for key, phrase in phrases.items():
            if key in wanted:
                self.compare(wanted[key], phrase.forms[OTHER], phrase.node.source)
            elif key not in optional:
                meant = nearest(key, missing)
                if meant is not None:
                    del missing[meant]
                    self.stale(quoted(phrase.of), phrase.source)
                else:
                    self.unknown(f"{self.section}: nothing says {quoted(phrase.of)}", phrase.source)
        for text in missing.values():
            self.missing(quoted(text))


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
    tokens = [*_TOKENS.findall(text, 0, end), *_PLAIN_TOKENS.findall(text, end)]
    return {token for token in tokens if not token.startswith("{{")}


def _end_of_expressions(text: str) -> int:
    # Behind the last one that is closed none is looked for: each opening would be followed to the end of the text.
    return text.rfind("}}") + 2 if "}}" in text else 0


def _listed(names: Iterable[str]) -> str:
    shown = list(names)
    more = f" and {len(shown) - MAX_LISTED} more" if len(shown) > MAX_LISTED else ""
    return ", ".join(shown[:MAX_LISTED]) + more
