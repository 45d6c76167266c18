"""`rules.md` filled with the numbers of the game, with the source of every line; and its comparison with translations.

Jinja gives a text and forgets its lines. So each line of the source is marked before (two characters of a private use
area around its number), and afterwards every line that comes out knows the line it was written on, loops included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from jinja2 import DictLoader
from jinja2.environment import Template
from jinja2.exceptions import TemplateNotFound
from msgspec import Struct

from duckpress.content.yaml.syntax_errors import too_many_marks
from duckpress.core.geometry import parse_length
from duckpress.core.language import Speech
from duckpress.core.problems import Level, Problem, Source, did_you_mean
from duckpress.expressions.budget import Budget
from duckpress.expressions.kept_code import Codes
from duckpress.expressions.parsing import explained, template_line
from duckpress.expressions.profiles import RULES
from duckpress.expressions.sandbox import Sandbox
from duckpress.files.memo import Memo, form_of
from duckpress.files.workspace import Workspace
from duckpress.layout import FixedWords
from duckpress.layout.rulebook.blocks import Block, Callout, Directive, Heading, Items, Pictures, TableBlock

_OPEN, _CLOSE = "\ue000", "\ue001"
_MARK = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")
_OPENINGS = re.compile(r"\{[#%{]")
_CLOSINGS = {"{#": "#}", "{%": "%}", "{{": "}}"}
_WORDS = {
    "en": (
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    ),
    "fr": (
        "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze",
        "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf", "vingt",
    ),
}  # fmt: skip
KEYS = ("subtitle", "head", "columns")
_HEAD_MM = 36.0
_COLUMNS = 2
_MOST_COLUMNS = 4


class FilledLine(NamedTuple):
    """A line of the filled text, and its line number in the file."""

    text: str
    number: int


_CODE = form_of(bytes)


class SheetCode(Struct, frozen=True):
    """The compiled text of a sheet, kept for later runs; it takes the place of the one before."""

    memo: Memo
    workspace: Workspace
    path: str

    def get(self, key: bytes) -> bytes | None:
        """Return the text compiled earlier; None if there is none."""
        return self.memo.recall(("rules-code", self.path), key.hex(), self.workspace, _CODE)

    def put(self, key: bytes, result: bytes) -> None:
        """Keep the compiled text."""
        self.memo.keep(("rules-code", self.path), key.hex(), {}, result, _CODE)


def fill(
    text: str, path: str, values: Mapping[str, Any], speech: Speech, codes: Codes | None = None
) -> tuple[list[FilledLine], list[Problem]]:
    """Return the lines of a text filled with values, in a language's words; no lines if there is a problem.

    Problems: `template-syntax`, `unknown-name`, `template-refused`, `template-failed`, each at its line.
    """
    if "{{" not in text and "{%" not in text and "{#" not in text:
        return [FilledLine(line, number) for number, line in enumerate(text.split("\n"), 1)], []
    budget = Budget(RULES)
    words = FixedWords(speech, budget)
    filters = {"t": words.t, "number": words.number, "spelled": speller(speech.language, words.number)}
    sandbox = Sandbox(RULES, budget, {"t": words.t}, filters, loader=DictLoader({}))
    sandbox.codes = codes
    try:
        code = sandbox.compile(_marked(text), "rules", path)
        template = Template.from_code(sandbox, code, sandbox.make_globals(None))
        filled = sandbox.fill(template, dict(values), "rules-filled")
        marked = too_many_marks(filled, Source(path))
        return (_lines(filled), []) if marked is None else ([], [marked])
    except MemoryError:
        raise
    except Exception as error:
        return [], [_problem(error, text, path, values)]


def constructs(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each Jinja comment, statement and expression in a text, up to the first open one."""
    spans: list[tuple[int, int]] = []
    offset = 0
    while opening := _OPENINGS.search(text, offset):
        end = text.find(_CLOSINGS[opening[0]], opening.end())
        if end < 0:
            break  # Jinja cannot read it either
        offset = end + 2
        spans.append((opening.start(), offset))
    return spans


def _marked(text: str) -> str:
    """Return a text with a mark before every line that does not begin inside a Jinja construct."""
    inside: set[int] = set()
    line, counted_to = 0, 0
    for start, end in constructs(text):
        line += text.count("\n", counted_to, start)
        counted_to = start
        inside.update(range(line + 1, line + 1 + text.count("\n", start, end)))
    lines = text.replace(_OPEN, "").replace(_CLOSE, "").split("\n")
    return "\n".join(
        words if number in inside else f"{_OPEN}{number + 1}{_CLOSE}{words}" for number, words in enumerate(lines)
    )


def _lines(filled: str) -> list[FilledLine]:
    lines: list[FilledLine] = []
    number = 1
    for raw in filled.split("\n"):
        # Of several marks the last one before the words says where they were written: the others had only tags.
        head = re.match(f"(?:{_OPEN}[0-9]+{_CLOSE}[ \t]*)+", raw)
        if head is not None:
            *_, number = (int(mark) for mark in _MARK.findall(head[0]))
            last = head[0].rindex(_CLOSE) + 1
            raw = raw[last:]
        lines.append(FilledLine(_MARK.sub("", raw), number))
    return lines


def _problem(error: Exception, text: str, path: str, names: Mapping[str, Any]) -> Problem:
    """Return an error of filling as a problem at its line."""
    place = template_line(error, path) or Source(path)
    if isinstance(error, TemplateNotFound):
        return Problem("template-refused", place, "a rules sheet cannot include files", "write it here")
    mistake = explained(error, RULES, "the sheet", names, "")
    if mistake.name:
        line = "".join(text.split("\n")[place.line - 1 : place.line])
        place = place._replace(column=max(line.find(mistake.name), 0) + 1)
    what = _MARK.sub("", mistake.what).replace(_OPEN, "").replace(_CLOSE, "")
    return Problem(mistake.code, place, what, mistake.fix)


def speller(language: str, number: Callable[[Any], str]) -> Callable[[object], str]:
    """Return the filter that spells out numbers in a language; texts stay as they are.

    `number` writes the numbers that are not spelled, and refuses what is none.
    """
    words = _WORDS.get(language.partition("-")[0], ())

    def spelled(value: object) -> str:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(words):
            return words[value]
        return value if isinstance(value, str) else number(value)

    return spelled


class Front(NamedTuple):
    """The front matter of a sheet: words beside the title, height of the title block, number of columns."""

    subtitle: str | None = None
    head_mm: float = _HEAD_MM
    columns: int = _COLUMNS


def read_front(lines: Sequence[FilledLine], path: str) -> tuple[Front, Sequence[FilledLine], list[Problem]]:
    """Return the front matter, the lines after it and the problems: `unknown-key`, `bad-length`, `bad-number`."""
    front = Front()
    problems: list[Problem] = []
    end = next((at for at, line in enumerate(lines) if at and line.text.rstrip() == "---"), None)
    if not lines or lines[0].text.rstrip() != "---" or end is None:
        return front, lines, problems
    for line in lines[1:end]:
        key, colon, value = line.text.partition(":")
        key, value = key.strip(), value.partition(" #")[0].strip().strip("\"'")
        if not key:
            continue
        source = Source(path, line.number, len(line.text) - len(line.text.lstrip()) + 1)
        if not colon or key not in KEYS:
            what = f"the front matter has no key {key[:40]!r}"
            problems.append(Problem("unknown-key", source, what, did_you_mean(key, KEYS)))
        elif key == "subtitle":
            front = front._replace(subtitle=value)
        elif key == "head":
            length = parse_length(value)
            if length is None or not 16 <= length <= 150:
                what = f"the title block cannot be {value[:40]!r} high"
                problems.append(Problem("bad-length", source, what, "write 16mm to 150mm"))
            else:
                front = front._replace(head_mm=length)
        elif not value.isdigit() or not 1 <= int(value) <= _MOST_COLUMNS:
            what = f"there cannot be {value[:40]!r} columns"
            problems.append(Problem("bad-number", source, what, f"write 1 to {_MOST_COLUMNS}"))
        else:
            front = front._replace(columns=int(value))
    return front, lines[end + 1 :], problems


_LEAST = 2
_SKIPPED = re.compile(
    r"!\[[0-9]*\]|\]\([^()]*\)"  # what to show, and how large; a caption that is nothing but a number
    r"|\A---\n.*?\n---(?=\n)"  # the front matter
    r"|^[ \t]*(?:#{1,3}[ \t]+)?[0-9]+[.)](?=[ \t])|\{[^{}\n]*\}",  # numbers of items and headings; icons
    re.DOTALL | re.MULTILINE,
)
_NUMBER = re.compile(r"(?<![\w\\.,:/-])([0-9]{1,6})(?![\w/]|[.,:][0-9])")


class Point(Struct, frozen=True):
    """An entry of the outline: its content independent of language, its words, and its source."""

    what: str
    written: str
    source: Source


def outline(blocks: Sequence[Block]) -> Iterator[Point]:
    """Yield the parts that every translation of a sheet must have, in order; paragraphs and breaks may differ."""
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
    """Return the warning `rules-differ` at the first difference between a translation's outline and the original's."""
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
    """Yield a note `typed-number` for each typed number that the data has; `numbers` are the expressions for it."""
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
    """Return the whole numbers of the data, each with its expression: facts, sizes of decks, setup."""
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
