"""Errors of YAML syntax, explained for authors of card lists.

Bytes become text first: strict UTF-8 without control characters, or a problem at the exact place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, Read, Source


def _marks_over(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the number of marks on each letter with more than the limit `text-marks`."""
    if text.isascii():
        return
    most = limit("text-marks")
    for run in re.finditer(rf"[^\w\s\x00-\x7f]{{{most + 1},}}", text):
        began, count = run.start(), 0
        for at in range(run.start(), run.end() + 1):
            kind = unicodedata.category(text[at]) if at < run.end() else ""
            if kind[:1] == "M":
                began, count = (began, count + 1) if count else (at, 1)
            elif kind != "Cf":  # a joiner parts nothing
                if count > most:
                    yield began, count
                count = 0


def too_many_marks(text: str, source: Source) -> Problem | None:
    """Return the problem of the first letter of a text with too many marks, or None."""
    return next((_marks_problem(count, source) for _, count in _marks_over(text)), None)


def _marks_problem(count: int, source: Source) -> Problem:
    what = f"a letter has {count} marks on it, such as accents; {limit('text-marks')} are allowed"
    return Problem("too-many-marks", source, what, f"delete all that it does not need; {how_to_raise('text-marks')}")


MAX_REPORTED = 10

# C0 and C1 controls but tab and line breaks; U+2028/2029, which some programs count as lines and others do not;
# the direction overrides and isolates that make a text read otherwise than it is stored; a byte order mark in the
# middle; lone surrogates and non-characters.
_REFUSED = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff"
REFUSED = re.compile(f"[{_REFUSED}]")
_PLAIN_ASCII = b"\t\n\r" + bytes(range(0x20, 0x7F))  # files of nothing else need no search
_LINE_BREAK = re.compile("\r\n|\r|\n")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def decode_text(path: str, data: bytes) -> Read[str | None]:
    """Return a file's text without its byte order mark, or None if it cannot be read.

    Problems: `not-utf8` at the first byte that is none, `bad-character` at each refused character (the first ten);
    `too-many-marks` at each letter that has them (the first ten).
    """
    if data.startswith(_UTF16_MARKS):
        what = "the file is saved as UTF-16"
        fix = "save it as UTF-8 (in the editor's 'Save as')"
        return Read(None, [Problem("not-utf8", Source(path), what, fix)])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The decoder counts from behind the byte order mark, which it has cut off.
        readable = error.object[: error.start].decode("utf-8")
        what = f"byte 0x{error.object[error.start]:02x} is not UTF-8"
        fix = "save the file as UTF-8 (in the editor's 'Save as')"
        return Read(None, [Problem("not-utf8", place_in(path, readable, len(readable)), what, fix)])
    if not data.translate(None, _PLAIN_ASCII):
        return Read(text)
    refused = islice(REFUSED.finditer(text), MAX_REPORTED)
    problems = [refused_in(match[0], place_in(path, text, match.start())) for match in refused]
    problems += [
        _marks_problem(count, place_in(path, text, at)) for at, count in islice(_marks_over(text), MAX_REPORTED)
    ]
    return Read(None if problems else text, [problem for problem in problems if problem is not None])


def place_in(path: str, text: str, offset: int) -> Source:
    """Return the line and column of a character, counting CR, LF and CR LF each as one line break."""
    line, line_start = 1, 0
    for match in _LINE_BREAK.finditer(text, 0, offset):
        line, line_start = line + 1, match.end()
    return Source(path, line, offset - line_start + 1)


def refused_in(value: str, source: Source) -> Problem | None:
    """Return a problem for the first refused character of a value, as an escape such as `\\u202e` may produce."""
    match = REFUSED.search(value)
    if match is None:
        return too_many_marks(value, source)
    code = ord(match[0])
    name = unicodedata.name(match[0], "") or ("control character" if code < 0xA0 else "not a character")
    what = f"the invisible character U+{code:04X} ({name.lower()}) is not allowed"
    return Problem("bad-character", source, what, "delete it")


_QUOTE_IT = 'put the whole text in quotes: "..."'
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_LAST_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n)\Z")
_GLUED = re.compile(r"([^\s:]+):\S")
_BRACKET = re.compile(r"[ -]*+([^\s:{}\[\]'\"]+) *([{\[])")  # a key and its brackets, without the colon between them
_LONGEST_LINE = 1_000  # letters of the line above that are looked at
_INDENT = "use the same number of spaces as the lines it belongs with"


class _Stumble(NamedTuple):
    """The place where the parser stopped, its context, and the context's start (lines and columns from 0).

    `before` and `here` are the parts of its line, `above` is the line before it; `opened` is the text from where the
    parser began what it was reading to the end of that line.
    """

    message: str
    doing: str
    stop: Any
    start: Any
    before: str
    here: str
    above: str
    opened: str


class _Words(NamedTuple):
    what: str
    fix: str
    is_at_start: bool = False  # point to where the reading began, not to where it stopped


def explain_syntax(error: Exception, path: str, text: str) -> Problem:
    """Return the one problem (`yaml-syntax`) for an error of libyaml or of the pure parser, at its line and column."""
    stop: Any = getattr(error, "problem_mark", None)
    start: Any = getattr(error, "context_mark", None) or stop
    if stop is None:
        return Problem("yaml-syntax", Source(path), f"this is not YAML: {error}", "compare with a file that works")

    def rest_of_line(at: int) -> str:
        rest = _REST_OF_LINE.match(text, at)  # the file, which may hold millions of lines, is not split
        return rest[0] if rest else ""

    begin = stop.index - stop.column
    above = _LAST_LINE.search(text, max(0, begin - _LONGEST_LINE), begin)
    message, doing = str(getattr(error, "problem", "")), str(getattr(error, "context", None) or "")
    before, here, opened = text[begin : stop.index], rest_of_line(stop.index), rest_of_line(start.index)
    at = _Stumble(message, doing, stop, start, before, here, above[1] if above else "", opened)
    words = _by_bracket(at) or _by_message(at) or _by_what_is_read(at)
    words = words or _Words(f"this is not YAML: {message}", "compare with a line that works")
    mark = start if words.is_at_start else stop
    return Problem("yaml-syntax", Source(path, mark.line + 1, mark.column + 1), words.what, words.fix)


def _by_bracket(at: _Stumble) -> _Words | None:
    """Return the words for a missing colon before brackets: `fields {name: text}`."""
    is_lost = "could not find expected ':'" in at.message
    if not is_lost and "mapping values are not allowed" not in at.message:
        return None
    bare = _BRACKET.match(at.opened if is_lost else at.before)
    fix = f"write '{bare[1]}: {bare[2]}...'" if bare else ""
    return _Words(f"there is no ':' after {bare[1]!r}", fix, is_at_start=True) if bare else None


def _by_message(at: _Stumble) -> _Words | None:
    """Return the words for the parser's message."""
    if at.here.startswith("\t") and not at.before.strip():
        return _Words("the line is indented with a tab", "use spaces instead of tabs")
    if "cannot start any token" in at.message and at.here:
        return _Words(f"a text cannot begin with {at.here[0]!r}", _QUOTE_IT)
    if "mapping keys are not allowed" in at.message:
        return _Words("a text cannot begin with '? '", _QUOTE_IT)
    if "could not find expected ':'" in at.message:
        if glued := _GLUED.match(at.opened):
            return _Words(*_no_space(glued), is_at_start=True)
        fix = "write 'key: value', or indent the line if it continues a text"
        return _Words(f"there is no ':' in {_short(at.opened)!r}", fix, is_at_start=True)
    if "mapping values are not allowed" in at.message:
        if re.search(r":\s", at.before):
            return _Words("a text that holds ': ' has to stand in quotes", _QUOTE_IT)
        if glued := re.search(r"(?:^|\s)([^\s:]+):[^\s/]", at.above):
            what, fix = _no_space(glued)
            return _Words(f"{what} in the line above", fix)
        return _Words("the line is indented deeper than the one above, which already has a value", _INDENT)
    if "node content" in at.message:
        what = f"a value is missing before {_short(at.here, 1)!r}"
        return _Words(what, f"write a value, or delete the {at.here[:1]!r}")
    if "document start" in at.message:
        return _Words("the file ended above ('...'), and here it goes on", "delete the '...'")
    return None


def _by_what_is_read(at: _Stumble) -> _Words | None:
    """Return the words for the construct in which the parser stopped."""
    for doing, mark in (("an alias", "*"), ("an anchor", "&"), ("a tag", "!")):
        if at.doing.endswith(doing):
            return _Words(f"a text cannot begin with {mark!r}", _QUOTE_IT, is_at_start=True)
    if "directive" in at.doing:
        return _Words("a line cannot begin with '%'", _QUOTE_IT, is_at_start=True)
    if at.doing.endswith("quoted scalar"):
        return _quoted_text(at)
    if at.doing.endswith(("flow mapping", "flow sequence")):
        return _brackets(at, *("{}" if at.doing.endswith("flow mapping") else "[]"))
    if "block scalar" in at.doing:
        mark = at.opened[:1]
        what = f"after {mark!r} the text has to begin on the next line"
        return _Words(what, f"begin a new line after {mark!r}, indented")
    if "parsing a block" in at.doing:
        if at.before.strip(" -"):
            what = f"{_short(at.here)!r} follows a quote or bracket that is closed already"
            return _Words(what, "put the whole text in quotes, and write inner quotes twice")
        if "mapping" in at.doing and at.here.startswith("- "):
            return _Words("a list item ('- ') stands among keys", "indent it under its key, or make it a key")
        return _Words("the indentation fits none of the lines above", _INDENT)
    return None


def _no_space(glued: re.Match[str]) -> tuple[str, str]:
    return f"there is no space after {glued[1] + ':'!r}", f"write '{glued[1]}: ...'"


def _quoted_text(at: _Stumble) -> _Words:
    if "escape" in at.message or "hexdecimal" in at.message or "Unicode" in at.message:
        sign = at.opened[: at.stop.column - at.start.column + 2][-2:] if at.stop.line == at.start.line else at.here[:2]
        fix = "use single quotes, or write the backslash twice"
        return _Words(f"{sign.strip() or chr(92)!r} is no escape sequence inside double quotes", fix)
    fix = "close it, and write inner quotes twice"
    return _Words("the quote that opens here is never closed", fix, is_at_start=True)


def _brackets(at: _Stumble, opening: str, closing: str) -> _Words:
    if at.stop.line == at.start.line and at.here.strip():
        fix = "write a ',' there, or put a text that holds , [ ] { } in quotes"
        return _Words(f"there is no ',' or {closing!r} before {_short(at.here)!r}", fix)
    return _Words(f"the {opening!r} that opens here is never closed", f"write {closing!r} at its end", is_at_start=True)


def _short(text: str, width: int = 24) -> str:
    text = text.strip()
    return text if len(text) <= width else text[: width - 3] + "..." if width > 3 else text[:width]
