"""`rules.md` filled with the numbers of the game: its `{{ }}` and `{% %}` worked out, every line's place kept.

Jinja gives a text and forgets its lines. So each line of the source is marked before (two characters of a private use
area around its number), and afterwards every line that comes out knows the line it was written on, loops included.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

from jinja2 import DictLoader
from jinja2.environment import Template
from jinja2.exceptions import SecurityError, TemplateError, TemplateNotFound, TemplateSyntaxError, UndefinedError

from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.expressions.none_values import FIX, computed_with_none, is_about_none
from duckpress.expressions.parsing import TooLarge
from duckpress.language import Speech
from duckpress.layout import TemplateRoom, TooMuch
from duckpress.rulebook.markdown.spelling import speller

_OPEN, _CLOSE = "\ue000", "\ue001"
_MARK = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")
_OPENINGS = re.compile(r"\{[#%{]")
_CLOSINGS = {"{#": "#}", "{%": "%}", "{{": "}}"}
_CHUNKS = 500


class Line(NamedTuple):
    """A line of the filled text, and the number of the line it was written on."""

    text: str
    number: int


class RulesRoom(TemplateRoom):
    """The room of templates for plain text: values are written as they are."""

    def __init__(self, speech: Speech) -> None:
        super().__init__(speech, cache_size=0, loader=DictLoader({}))
        self.autoescape = False
        self.filters["spelled"] = speller(speech.language, self.filters["number"])


def fill(text: str, path: str, values: Mapping[str, Any], speech: Speech) -> tuple[list[Line], list[Problem]]:
    """Give the lines of a text filled with values, in the words of a language; with a problem there are none.

    Problems: `template-syntax`, `unknown-name`, `template-refused`, `template-failed`, each at its line.
    """
    if "{{" not in text and "{%" not in text and "{#" not in text:
        return [Line(line, number) for number, line in enumerate(text.split("\n"), 1)], []
    room = RulesRoom(speech)
    try:
        try:
            code = room.compile(_marked(text), "rules", path)
            template = Template.from_code(room, code, room.make_globals(None))
            most, length = limit("rules-filled"), 0
            chunks = iter(template.root_render_func(template.new_context(dict(values))))
            written: list[str] = []
            while length <= most and (some := list(islice(chunks, _CHUNKS))):
                length += sum(map(len, some))
                written += some
        except MemoryError:
            raise
        except Exception:
            room.handle_exception()  # rewrites the traceback so that it shows the text's own lines
            raise
    except MemoryError:
        raise
    except Exception as error:
        return [], [_problem(error, text, path, values)]
    if length > most:
        fix = f"write less, or loop less; {how_to_raise('rules-filled')}"
        return [], [Problem("template-refused", Source(path), f"the sheet is longer than {most} letters", fix)]
    return _lines("".join(written)), []


def constructs(text: str) -> list[tuple[int, int]]:
    """Give where Jinja's comments, statements and expressions of a text begin and end, up to the first unclosed one."""
    found: list[tuple[int, int]] = []
    offset = 0
    while opening := _OPENINGS.search(text, offset):
        end = text.find(_CLOSINGS[opening[0]], opening.end())
        if end < 0:
            break  # Jinja cannot read it either
        offset = end + 2
        found.append((opening.start(), offset))
    return found


def _marked(text: str) -> str:
    """Give a text with a mark before every line that does not begin inside a construct of Jinja's."""
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


def _lines(filled: str) -> list[Line]:
    lines: list[Line] = []
    number = 1
    for raw in filled.split("\n"):
        # Of several marks the last one before the words says where they were written: the others had only tags.
        head = re.match(f"(?:{_OPEN}[0-9]+{_CLOSE}[ \t]*)+", raw)
        if head is not None:
            *_, number = (int(mark) for mark in _MARK.findall(head[0]))
            last = head[0].rindex(_CLOSE) + 1
            raw = raw[last:]
        lines.append(Line(_MARK.sub("", raw), number))
    return lines


def _problem(error: Exception, text: str, path: str, names: Mapping[str, Any]) -> Problem:
    """Give a mistake in the filling as a problem at its line."""
    words = str(error)
    if isinstance(error, TooLarge):
        fix = f"write it simpler; {how_to_raise(error.limit)}"
        return Problem("template-refused", Source(path, error.lineno), f"the sheet is refused: {error.message}", fix)
    if isinstance(error, TemplateSyntaxError):
        what = f"the expression cannot be read: {_without_marks(error.message or words)[:300]}"
        return Problem("template-syntax", Source(path, error.lineno), what, "correct the line")
    place = _line_of(error, path)
    if isinstance(error, TemplateNotFound):
        return Problem("template-refused", place, "a rules sheet cannot include files", "write it here")
    if isinstance(error, UndefinedError):
        what, _, fix = words.partition("\n")
        unknown = re.match(r"'([^']+)' is undefined$", what) or re.match(r"there is no '([^']+)' here$", what)
        if unknown:
            fix = fix or did_you_mean(unknown[1], names)
            line = text.split("\n")[place.line - 1] if place.line <= text.count("\n") + 1 else ""
            place = place._replace(column=max(line.find(unknown[1]), 0) + 1)
        return Problem("unknown-name", place, what, fix or "check the name")
    if isinstance(error, SecurityError):
        fix = "a rules sheet may only use values and filters"
        if isinstance(error, TooMuch):
            fix = f"ask for less; {how_to_raise(error.limit)}"
        return Problem("template-refused", place, f"the expression is refused: {words[:200]}", fix)
    if isinstance(error, TemplateError):
        return Problem("template-failed", place, f"the expression fails: {words[:200]}", "correct the line")
    if is_about_none(error):
        return Problem("template-failed", place, f"the expression fails: {computed_with_none(text)}", FIX)
    what = f"the expression fails: {words[:200] or type(error).__name__}"
    return Problem("template-failed", place, what, "check the values used on this line")


def _without_marks(words: str) -> str:
    return _MARK.sub("", words).replace(_OPEN, "").replace(_CLOSE, "")


def _line_of(error: Exception, path: str) -> Source:
    found = Source(path)
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            found = Source(path, trace.tb_lineno)
        trace = trace.tb_next
    return found
