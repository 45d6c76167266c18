"""Bytes -> text: strict UTF-8 without control characters, or a problem at the exact place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from unicodedata import category

from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problem_list import Read
from duckpress.core.problems import Problem, Source


def marks_over(text: str) -> Iterator[tuple[int, int]]:
    """Yield where marks begin that are more on one letter than the limit `text-marks`, and how many they are."""
    if text.isascii():
        return
    most = limit("text-marks")
    for run in re.finditer(rf"[^\w\s\x00-\x7f]{{{most + 1},}}", text):
        began, count = run.start(), 0
        for at in range(run.start(), run.end() + 1):
            kind = category(text[at]) if at < run.end() else ""
            if kind[:1] == "M":
                began, count = (began, count + 1) if count else (at, 1)
            elif kind != "Cf":  # a joiner parts nothing
                if count > most:
                    yield began, count
                count = 0


def too_many_marks(text: str, source: Source) -> Problem | None:
    """Return the problem of the first letter of a text with too many marks, None where there is none."""
    for _, count in marks_over(text):
        return marks_problem(count, source)
    return None


def marks_problem(count: int, source: Source) -> Problem:
    """Return the problem of a letter with so many marks."""
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
    """Return a file's text without its byte order mark, or None where it cannot be read.

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
    problems += [marks_problem(count, place_in(path, text, at)) for at, count in islice(marks_over(text), MAX_REPORTED)]
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
