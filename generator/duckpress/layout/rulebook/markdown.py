"""The light Markdown of rules sheets: filled lines -> blocks, with every mistake at its line and column."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.layout.rulebook.blocks import (
    PICTURE,
    Block,
    Break,
    Callout,
    Directive,
    Heading,
    Items,
    Pictures,
    Prose,
    Rule,
    TableBlock,
    read_pictures,
)
from duckpress.layout.rulebook.filling import FilledLine

DIRECTIVES = (
    "about", "components", "setup steps", "setup table", "variants", "notes", "questions", "choices", "credits",
    "licence", "column break", "page break",
)  # fmt: skip

# What has been matched is not given back (`*+`): a line of any length is read in one pass.
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]++(.*)$")
_BULLET = re.compile(r"( *)[-*+][ \t]+(?=\S)")
_NUMBER = re.compile(r"( *)([0-9]{1,3})[.)][ \t]+(?=\S)")
_RULE = re.compile(r" {0,3}(?>(?:-[ \t]*+){3,})$|^ {0,3}(?>(?:\*[ \t]*+){3,})$")
_QUOTE = re.compile(r" {0,3}> ?")
_TABLE_LINE = re.compile(r"[ \t]*+(?:\|[ \t]*+)?:?-++:?[ \t]*+(?>(?:\|[ \t]*+:?-++:?[ \t]*+)*)(?:\|[ \t]*+)?$")
_DIRECTIVE = re.compile(r" {0,3}\[([A-Za-z][A-Za-z ]*+)(?::[ \t]*+([^\]]*+))?\][ \t]*+$")
_WORDS = re.compile(r"[ \t]+([A-Za-z0-9-]+):[ \t]*+(.*)$")
_DEEPEST = 2  # lists in one another
_CALLOUT = 10  # added to the depth inside a callout


_Read = tuple[int, list[Block]]
"""How many lines were read, and the blocks that they are."""


class MarkdownReader:
    """Reads the blocks of one sheet; gathers mistakes in `problems`."""

    def __init__(self, path: str, source_lines: Sequence[str]) -> None:
        self.problems: list[Problem] = []
        self._path = path
        self._source_lines = source_lines

    def blocks(self, lines: Sequence[FilledLine], depth: int = 0) -> tuple[Block, ...]:
        """Return the blocks of some lines."""
        readers = (self._heading, self._rule, self._directive, self._quote, self._items, self._table, self._paragraph)
        blocks: list[Block] = []
        at = 0
        while at < len(lines):
            if lines[at].text.strip():
                taken, read = next(result for reader in readers if (result := reader(lines, at, depth)) is not None)
                blocks += read
                at += taken
            else:
                at += 1
        return tuple(blocks)

    def place(self, number: int, words: str = "") -> Source:
        """Return the source of some words in a line; for a line with filled-in values, its first letter."""
        line = self._source_lines[number - 1] if number <= len(self._source_lines) else ""
        column = line.find(words) if words else -1
        if column < 0:
            column = len(line) - len(line.lstrip())
        return Source(self._path, number, column + 1)

    def say(self, code: str, number: int, words: str, what: str, fix: str) -> None:
        self.problems.append(Problem(code, self.place(number, words), what, fix))

    def _heading(self, lines: Sequence[FilledLine], at: int, _depth: int) -> _Read | None:
        match = _HEADING.match(lines[at].text)
        if match is None:
            return None
        level = len(match[1])
        if level > 3:
            self.say("bad-markdown", lines[at].number, match[1], f"a heading of level {level}", "use #, ## or ###")
        words = match[2].rstrip("#").rstrip(" \t")  # signs behind a heading only close it
        return 1, [Heading(min(level, 3), words, self.place(lines[at].number))]

    def _rule(self, lines: Sequence[FilledLine], at: int, _depth: int) -> _Read | None:
        return (1, [Rule(self.place(lines[at].number))]) if _RULE.match(lines[at].text) else None

    def _directive(self, lines: Sequence[FilledLine], at: int, _depth: int) -> _Read | None:
        line = lines[at]
        match = _DIRECTIVE.match(line.text)
        if match is None:
            return None
        name, argument = " ".join(match[1].lower().split()), (match[2] or "").strip()
        is_wide = name.endswith(" wide")
        name = name.removesuffix(" wide")
        taken = 1
        words: dict[str, str] = {}
        while at + taken < len(lines) and (entry := _WORDS.match(lines[at + taken].text)):
            words[entry[1]] = entry[2].strip()
            taken += 1
        source = self.place(line.number, "[")
        if name not in DIRECTIVES:
            what = f"there is nothing to generate by the name {name!r}"
            self.say("unknown-directive", line.number, match[1], what, did_you_mean(name, DIRECTIVES))
            return taken, []
        if name.endswith(" break"):
            return taken, [Break(name.removesuffix(" break"), source)]
        return taken, [Directive(name, argument, is_wide, words, source)]

    def _quote(self, lines: Sequence[FilledLine], at: int, depth: int) -> _Read | None:
        if not _QUOTE.match(lines[at].text):
            return None
        taken = _count(lines, at, lambda text: _QUOTE.match(text) is not None)
        inner = [line._replace(text=_QUOTE.sub("", line.text, count=1)) for line in lines[at : at + taken]]
        if depth:
            self.say("bad-markdown", lines[at].number, ">", "a callout inside a callout or list", "take it out of it")
            return taken, []
        return taken, [Callout(self.blocks(inner, depth + _CALLOUT), self.place(lines[at].number))]

    def _items(self, lines: Sequence[FilledLine], at: int, depth: int) -> _Read | None:
        """Read a list: consecutive items of one kind, with their indented lines."""
        match = _marker(lines[at].text)
        if match is None:
            return None
        is_numbered = match.re is _NUMBER
        indent = len(match[1])
        first = int(match[2]) if is_numbered else None
        items: list[tuple[Block, ...]] = []
        taken = 0
        while at + taken < len(lines):
            marker = _marker(lines[at + taken].text)
            if marker is None or len(marker[1]) != indent or (marker.re is _NUMBER) != is_numbered:
                break
            count = _item_length(lines, at + taken, indent)
            own = lines[at + taken : at + taken + count]
            inner = [own[0]._replace(text=own[0].text[marker.end() :])]
            for line in own[1:]:
                indent_of_line = len(line.text) - len(line.text.lstrip(" "))
                inner.append(line._replace(text=line.text[min(marker.end(), indent_of_line) :]))
            # What is nested deeper than is allowed is a problem already, and is not read.
            items.append(self.blocks(inner, depth + 1) if depth % _CALLOUT <= _DEEPEST else ())
            taken += count
            blanks = _count(lines, at + taken, lambda text: not text.strip())
            after = _marker(lines[at + taken + blanks].text) if at + taken + blanks < len(lines) else None
            taken += blanks if after is not None and len(after[1]) == indent and after.re is match.re else 0
        if depth % _CALLOUT >= _DEEPEST:
            what = "a list in a list in a list"
            self.say("bad-markdown", lines[at].number, "", what, "lists may be nested once")
        return taken, [Items(first, tuple(items), self.place(lines[at].number))]

    def _table(self, lines: Sequence[FilledLine], at: int, _depth: int) -> _Read | None:
        if "|" not in lines[at].text or at + 1 >= len(lines):
            return None
        marks = lines[at + 1].text
        if "-" not in marks or "|" not in marks or not _TABLE_LINE.match(marks):
            return None
        taken = 2 + _count(lines, at + 2, lambda text: "|" in text)
        heads = _cells(lines[at].text)
        aligns = tuple(_align(cell) for cell in _cells(marks))
        rows = []
        if len(aligns) != len(heads):
            what = f"the table has {len(heads)} heads and {len(aligns)} columns under them"
            self.say("bad-table", lines[at + 1].number, "", what, "write as many | --- | as there are heads")
        for line in lines[at + 2 : at + taken]:
            cells = _cells(line.text)
            if len(cells) != len(heads):
                many = f"{len(cells)} cell{'s' * (len(cells) != 1)}"
                what = f"the row has {many}, and the table {len(heads)} column{'s' * (len(heads) != 1)}"
                self.say("bad-table", line.number, "", what, "write a | between cells, and \\| where one is meant")
            rows.append((cells + ("",) * len(heads))[: len(heads)])
        aligns = (aligns + ("left",) * len(heads))[: len(heads)]
        shown = heads if any(heads) else ()
        return taken, [TableBlock(shown, aligns, tuple(rows), self.place(lines[at].number))]

    def _paragraph(self, lines: Sequence[FilledLine], at: int, _depth: int) -> _Read:
        taken = 1
        # A number with a point may begin a line of any paragraph: a numbered list needs a blank line before it.
        while at + taken < len(lines) and not _begins_a_block(lines, at + taken, has_numbers=False):
            taken += 1
        own = lines[at : at + taken]
        if not all(PICTURE.match(line.text.lstrip()) for line in own):
            # No line may begin like an item to `text`, which has lists of its own.
            text = "\n".join(re.sub(r"^- ", r"\- ", line.text.strip(" \t")) for line in own)
            return taken, [Prose(text, self.place(own[0].number))]
        rows: list[Block] = []
        for line in own:
            pictures, is_wide, problems = read_pictures(line.text, partial(self.place, line.number))
            self.problems += problems
            rows += [Pictures(pictures, is_wide, self.place(line.number))] if pictures else []
        return taken, rows


def _marker(text: str) -> re.Match[str] | None:
    return None if _RULE.match(text) else _BULLET.match(text) or _NUMBER.match(text)


def _item_length(lines: Sequence[FilledLine], at: int, indent: int) -> int:
    """Return the number of lines in an item: indented ones, blank ones before them, and continuation lines."""
    taken = 1
    while at + taken < len(lines):
        text = lines[at + taken].text
        depth = len(text) - len(text.lstrip(" "))
        if not text.strip():
            # A blank line ends the item, unless something indented comes behind it.
            after = next((line.text for line in lines[at + taken + 1 :] if line.text.strip()), "")
            if len(after) - len(after.lstrip(" ")) <= indent:
                break
        elif depth <= indent and (_begins_a_block(lines, at + taken) or not lines[at + taken - 1].text.strip()):
            break
        taken += 1
    return taken


def _begins_a_block(lines: Sequence[FilledLine], at: int, *, has_numbers: bool = True) -> bool:
    text = lines[at].text
    if not text.strip() or _HEADING.match(text) or _RULE.match(text) or _QUOTE.match(text) or _BULLET.match(text):
        return True
    if has_numbers and _NUMBER.match(text):
        return True
    under = lines[at + 1].text if at + 1 < len(lines) else ""
    is_table = "|" in text and "|" in under and bool(_TABLE_LINE.match(under))
    return is_table or _DIRECTIVE.match(text) is not None or PICTURE.match(text.lstrip()) is not None


def _count(lines: Sequence[FilledLine], at: int, is_meant: Callable[[str], bool]) -> int:
    count = 0
    while at + count < len(lines) and is_meant(lines[at + count].text):
        count += 1
    return count


def _cells(text: str) -> tuple[str, ...]:
    inner = text.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner))


def _align(cell: str) -> str:
    if cell.endswith(":"):
        return "center" if cell.startswith(":") else "right"
    return "left"
