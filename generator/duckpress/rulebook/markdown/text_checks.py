"""A translated rules sheet held against the one it translates: the same headings, pictures, tables, generated parts.

Words cannot be compared, but what is added to the rules or taken out of them nearly always shows in their outline.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from msgspec import Struct

from duckpress.core.problems import Level, Problem, Source
from duckpress.rulebook.markdown.blocks import Block, Callout, Directive, Heading, Items, Pictures, TableBlock
from duckpress.rulebook.markdown.filling import constructs

_LEAST = 2
_SKIPPED = re.compile(
    r"!\[[0-9]*\]|\]\([^()]*\)"  # what to show, and how large; a caption that is nothing but a number
    r"|\A---\n.*?\n---(?=\n)"  # the front matter
    r"|^[ \t]*(?:#{1,3}[ \t]+)?[0-9]+[.)](?=[ \t])|\{[^{}\n]*\}",  # numbers of items and headings; icons
    re.DOTALL | re.MULTILINE,
)
_NUMBER = re.compile(r"(?<![\w\\.,:/-])([0-9]{1,6})(?![\w/]|[.,:][0-9])")


class Point(Struct, frozen=True):
    """A part of the outline: what it is in words that hold in any language, as it is written, and where."""

    what: str
    written: str
    source: Source


def outline(blocks: Sequence[Block]) -> Iterator[Point]:
    """Yield the parts of a sheet that every translation must have, in order; paragraphs and breaks may differ."""
    for block in blocks:
        if isinstance(block, Heading):
            yield Point(f"a heading of level {block.level}", f"{'#' * block.level} {block.text}", block.source)
        elif isinstance(block, Directive):
            words = block.name + (f": {block.argument}" if block.argument else "")
            yield Point(f"[{words}]", f"[{words}]", block.source)
        elif isinstance(block, Pictures):
            for picture in block.pictures:
                name = f"{picture.kind}:{picture.name}"
                yield Point(f"the picture {name}", name, picture.source)
        elif isinstance(block, TableBlock):
            shape = f"a table of {len(block.aligns)} columns and {len(block.rows)} rows"
            yield Point(shape, shape, block.source)
        elif isinstance(block, Callout):
            yield Point("a callout", "a callout", block.source)
            yield from outline(block.blocks)
        elif isinstance(block, Items):
            for item in block.items:
                yield from outline(item)


def compared(original: Sequence[Block], translation: Sequence[Block], source: Source) -> Problem | None:
    """Return the warning `rules-differ` at the first place where the outline of a translation is not the original's."""
    mine, theirs = list(outline(translation)), list(outline(original))
    pairs = zip_longest(mine, theirs)
    own, other = next((pair for pair in pairs if None in pair or pair[0].what != pair[1].what), (None, None))
    words = "" if other is None else other.written if len(other.written) <= 50 else f"{other.written[:49]}…"
    if own is not None and other is not None:
        at, what = own.source, f"here is {own.what}, and {other.source} has {other.what} ({words!r})"
    elif own is not None:
        at, what = own.source, f"{own.what} is more than {theirs[0].source.file if theirs else 'it'} has"
    elif other is not None:
        at = mine[-1].source if mine else source
        what = f"after this, {other.what} of {other.source} is missing ({words!r})"
    else:
        return None
    return Problem("rules-differ", at, what, "translate what has changed", Level.WARNING)


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
    expressions: dict[int, str] = {}

    def add(value: object, expression: str) -> None:
        if isinstance(value, list):
            for index, one in enumerate(value):
                add(one, f"{expression}[{index}]")
        elif isinstance(value, int) and not isinstance(value, bool):
            expressions.setdefault(value, expression)

    for name, value in values["facts"].items():
        add(value, f'facts["{name}"]')
    for deck_id, deck in values["decks"].items():
        add(deck["count"], f'count("{deck_id}")')
    for players, cells in values["table"].items():
        for key, value in cells.items():
            add(value, f'table[{players}]["{key}"]')
    return expressions


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
