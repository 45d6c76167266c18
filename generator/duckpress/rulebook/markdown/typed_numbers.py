"""Numbers typed where the data has them: they are right today, and wrong after the next change of the data.

Only digits are looked at, and only those that equal a number of the game: what stands nowhere else cannot disagree with
it. `0` and `1` say too little to be told from chance. A backslash (`\\4`) says that a number is meant as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from duckpress.core.problems import Level, Problem, Source
from duckpress.rulebook.markdown.filling import constructs

_LEAST = 2
_SKIPPED = re.compile(
    r"!\[[0-9]*\]|\]\([^()]*\)"  # what to show, and how large; a caption that is nothing but a number
    r"|\A---\n.*?\n---(?=\n)"  # the front matter
    r"|^[ \t]*(?:#{1,3}[ \t]+)?[0-9]+[.)](?=[ \t])|\{[^{}\n]*\}",  # numbers of items and headings; icons
    re.DOTALL | re.MULTILINE,
)
_NUMBER = re.compile(r"(?<![\w\\.,:/-])([0-9]{1,6})(?![\w/]|[.,:][0-9])")


def typed_numbers(text: str, path: str, numbers: Mapping[int, str]) -> Iterator[Problem]:
    """Yield a note `typed-number` for each number of a text that the data has; `numbers` says how to write it."""
    pieces, end = [], 0
    for start, after in constructs(text):
        pieces += [text[end:start], _blanked(text[start:after])]
        end = after
    bare = _SKIPPED.sub(lambda match: _blanked(match[0]), "".join([*pieces, text[end:]]))
    line, start = 1, 0
    for match in _NUMBER.finditer(bare):
        value = int(match[1])
        if value < _LEAST or value not in numbers:
            continue
        line += bare.count("\n", start, match.start())
        start = match.start()
        column = match.start() - (bare.rfind("\n", 0, match.start()) + 1) + 1
        what = f"the number {match[1]} is typed here, and the game's data has it too"
        fix = f"write {{{{ {numbers[value]} }}}}, or \\{match[1]} where another {match[1]} is meant"
        yield Problem("typed-number", Source(path, line, column), what, fix, Level.NOTE)


def known_numbers(values: Mapping[str, Any]) -> dict[int, str]:
    """Return the whole numbers of the data, each with the expression that writes it: facts, sizes of decks, setup."""
    found: dict[int, str] = {}

    def add(value: object, expression: str) -> None:
        if isinstance(value, list):
            for index, one in enumerate(value):
                add(one, f"{expression}[{index}]")
        elif isinstance(value, int) and not isinstance(value, bool):
            found.setdefault(value, expression)

    for name, value in values["facts"].items():
        add(value, f'facts["{name}"]')
    for deck_id, deck in values["decks"].items():
        add(deck["count"], f'count("{deck_id}")')
    for players, cells in values["table"].items():
        for key, value in cells.items():
            add(value, f'table[{players}]["{key}"]')
    return found


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
