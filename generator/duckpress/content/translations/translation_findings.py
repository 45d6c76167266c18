"""What a translation lacks, what has changed under it, and what in it stands for nothing: gathered, told by section."""

from __future__ import annotations

import re
from collections.abc import Iterable

from duckpress.content.yaml.nodes import quoted
from duckpress.core.problems import Level, Problem, Source, did_you_mean

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
            what = f"{self.language}: {section}: {_counted(len(names), 'text')} not translated: {_listed(names)}"
            fix = f"translate {'it' if len(names) == 1 else 'them'} in {self._file}"
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


def _counted(count: int, word: str) -> str:
    return f"{count} {word} is" if count == 1 else f"{count} {word}s are"


def _listed(names: Iterable[str]) -> str:
    shown = list(names)
    more = f" and {len(shown) - MAX_LISTED} more" if len(shown) > MAX_LISTED else ""
    return ", ".join(shown[:MAX_LISTED]) + more
