"""A translated rules sheet held against the one it translates: the same headings, pictures, tables, generated parts.

Words cannot be compared, but what is added to the rules or taken out of them nearly always shows in their outline.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from duckpress.core.problems import Level, Problem, Source
from duckpress.rulebook.markdown.blocks import Block, Break, Callout, Directive, Heading, Items, Pictures, TableBlock


class Point(Struct, frozen=True):
    """A part of the outline: what it is in words that hold in any language, as it is written, and where."""

    what: str
    written: str
    source: Source


def outline(blocks: Sequence[Block]) -> Iterator[Point]:
    """Yield the parts of a sheet that every translation of it must have, in order; paragraphs may differ."""
    for block in blocks:
        if isinstance(block, Heading):
            yield Point(f"a heading of level {block.level}", f"{'#' * block.level} {block.text}", block.source)
        elif isinstance(block, Directive):
            words = block.name + (f": {block.argument}" if block.argument else "")
            yield Point(f"[{words}]", f"[{words}]", block.source)
        elif isinstance(block, Pictures):
            for one in block.pictures:
                yield Point(f"the picture {one.kind}:{one.name}", f"{one.kind}:{one.name}", one.source)
        elif isinstance(block, TableBlock):
            shape = f"a table of {len(block.aligns)} columns and {len(block.rows)} rows"
            yield Point(shape, shape, block.source)
        elif isinstance(block, Callout):
            yield Point("a callout", "a callout", block.source)
            yield from outline(block.blocks)
        elif isinstance(block, Items):
            for item in block.items:
                yield from outline(item)
        elif isinstance(block, Break):
            continue


def compared(original: Sequence[Block], translation: Sequence[Block], source: Source) -> Problem | None:
    """Return the warning `rules-differ` at the first place where the outline of a translation is not the original's."""
    mine, theirs = list(outline(translation)), list(outline(original))
    for own, other in zip(mine, theirs, strict=False):
        if own.what != other.what:
            what = f"here is {own.what}, and {other.source} has {other.what} ({_short(other.written)!r})"
            return _problem(own.source, what)
    if len(mine) == len(theirs):
        return None
    if len(mine) > len(theirs):
        extra = mine[len(theirs)]
        return _problem(extra.source, f"{extra.what} is more than {theirs[0].source.file if theirs else 'it'} has")
    missing = theirs[len(mine)]
    at = mine[-1].source if mine else source
    return _problem(at, f"after this, {missing.what} of {missing.source} is missing ({_short(missing.written)!r})")


def _problem(source: Source, what: str) -> Problem:
    return Problem("rules-differ", source, what, "translate what has changed", Level.WARNING)


def _short(words: str) -> str:
    return words if len(words) <= 50 else f"{words[:49]}…"
