"""What the YAML parser stumbled over, in the words of somebody who writes card lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from duckpress.core.problems import Problem, Source

_QUOTE_IT = 'put the whole text in quotes: "..."'
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_LAST_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n)\Z")
_LONGEST_LINE = 1_000  # letters of the line above that are looked at
_INDENT = "use the same number of spaces as the lines it belongs with"


class _Stumble(Struct, frozen=True):
    """Where the parser stopped (`line`, `column` counted from 0), what it was reading, and from where.

    `before` and `here` are the parts of its line, `above` is the line before it; `opened` is the text from where the
    parser began what it was reading to the end of that line.
    """

    message: str
    doing: str
    line: int
    column: int
    from_line: int
    from_column: int
    before: str
    here: str
    above: str
    opened: str


class _Words(Struct, frozen=True):
    what: str
    fix: str
    is_at_start: bool = False  # point to where the reading began, not to where it stopped


def explain_syntax(error: Exception, path: str, text: str) -> Problem:
    """Return the one problem (`yaml-syntax`) for an error of libyaml or of the pure parser, at its line and column."""
    stop: Any = getattr(error, "problem_mark", None)
    start: Any = getattr(error, "context_mark", None) or stop
    if stop is None:
        return Problem("yaml-syntax", Source(path), f"this is not YAML: {error}", "compare with a file that works")
    begin = stop.index - stop.column
    above = _LAST_LINE.search(text, max(0, begin - _LONGEST_LINE), begin)
    message, doing = str(getattr(error, "problem", "")), str(getattr(error, "context", None) or "")
    at = _Stumble(
        message,
        doing,
        stop.line,
        stop.column,
        start.line,
        start.column,
        text[begin : stop.index],
        _rest_of_line(text, stop.index),
        above[1] if above else "",
        _rest_of_line(text, start.index),
    )
    words = next((words for rule in _RULES if (words := rule(at))), None)
    if words is None:
        words = _Words(f"this is not YAML: {at.message}", "compare with a line that works")
    line, column = (start.line, start.column) if words.is_at_start else (stop.line, stop.column)
    return Problem("yaml-syntax", Source(path, line + 1, column + 1), words.what, words.fix)


def _tab(at: _Stumble) -> _Words | None:
    if at.here.startswith("\t") and not at.before.strip():
        return _Words("the line is indented with a tab", "use spaces instead of tabs")
    return None


def _forbidden_start(at: _Stumble) -> _Words | None:
    if "cannot start any token" in at.message and at.here:
        return _Words(f"a text cannot begin with {at.here[0]!r}", _QUOTE_IT)
    if "mapping keys are not allowed" in at.message:
        return _Words("a text cannot begin with '? '", _QUOTE_IT)
    for doing, mark in (("an alias", "*"), ("an anchor", "&"), ("a tag", "!")):
        if at.doing.endswith(doing):
            return _Words(f"a text cannot begin with {mark!r}", _QUOTE_IT, is_at_start=True)
    if "directive" in at.doing:
        return _Words("a line cannot begin with '%'", _QUOTE_IT, is_at_start=True)
    return None


def _no_colon(at: _Stumble) -> _Words | None:
    if "could not find expected ':'" not in at.message:
        return None
    return _Words(*_words_for_line_without_key(at.opened), is_at_start=True)


def _words_for_line_without_key(line: str) -> tuple[str, str]:
    glued = re.match(r"([^\s:]+):\S", line)
    if glued:
        return f"there is no space after {glued[1] + ':'!r}", f"write '{glued[1]}: ...'"
    return f"there is no ':' in {_short(line)!r}", "write 'key: value', or indent the line if it continues a text"


def _second_colon(at: _Stumble) -> _Words | None:
    if "mapping values are not allowed" not in at.message:
        return None
    if re.search(r":\s", at.before):
        return _Words("a text that holds ': ' has to stand in quotes", _QUOTE_IT)
    glued = re.search(r"(?:^|\s)([^\s:]+):[^\s/]", at.above)
    if glued:
        return _Words(f"there is no space after {glued[1] + ':'!r} in the line above", f"write '{glued[1]}: ...'")
    return _Words("the line is indented deeper than the one above, which already has a value", _INDENT)


def _open_quote(at: _Stumble) -> _Words | None:
    if not at.doing.endswith(("quoted scalar",)):
        return None
    if "escape" in at.message or "hexdecimal" in at.message or "Unicode" in at.message:
        sign = at.opened[: at.column - at.from_column + 2][-2:] if at.line == at.from_line else at.here[:2]
        fix = "use single quotes, or write the backslash twice"
        return _Words(f"{sign.strip() or chr(92)!r} is no escape sequence inside double quotes", fix)
    fix = "close it, and write inner quotes twice"
    return _Words("the quote that opens here is never closed", fix, is_at_start=True)


def _flow(at: _Stumble) -> _Words | None:
    if not at.doing.endswith(("flow mapping", "flow sequence")):
        return None
    bracket, closing = ("{", "}") if at.doing.endswith("flow mapping") else ("[", "]")
    if at.line == at.from_line and at.here.strip():
        fix = "write a ',' there, or put a text that holds , [ ] { } in quotes"
        return _Words(f"there is no ',' or {closing!r} before {_short(at.here)!r}", fix)
    return _Words(f"the {bracket!r} that opens here is never closed", f"write {closing!r} at its end", is_at_start=True)


def _stray_mark(at: _Stumble) -> _Words | None:
    if "node content" not in at.message:
        return None
    return _Words(f"a value is missing before {_short(at.here, 1)!r}", f"write a value, or delete the {at.here[:1]!r}")


def _block_text(at: _Stumble) -> _Words | None:
    if "block scalar" not in at.doing:
        return None
    mark = at.opened[:1]
    fix = f"begin a new line after {mark!r}, indented"
    return _Words(f"after {mark!r} the text has to begin on the next line", fix)


def _indentation(at: _Stumble) -> _Words | None:
    if "parsing a block" not in at.doing:
        return None
    if at.before.strip(" -"):
        what = f"{_short(at.here)!r} follows a quote or bracket that is closed already"
        return _Words(what, "put the whole text in quotes, and write inner quotes twice")
    if "mapping" in at.doing and at.here.startswith("- "):
        return _Words("a list item ('- ') stands among keys", "indent it under its key, or make it a key")
    return _Words("the indentation fits none of the lines above", _INDENT)


def _second_document(at: _Stumble) -> _Words | None:
    if "document start" not in at.message:
        return None
    return _Words("the file ended above ('...'), and here it goes on", "delete the '...'")


_RULES: tuple[Callable[[_Stumble], _Words | None], ...] = (
    _tab,
    _forbidden_start,
    _no_colon,
    _second_colon,
    _open_quote,
    _flow,
    _stray_mark,
    _block_text,
    _indentation,
    _second_document,
)


def _rest_of_line(text: str, at: int) -> str:
    """Return the text from a place to the end of its line; the file, which may hold millions of lines, is not split."""
    found = _REST_OF_LINE.match(text, at)
    return found[0] if found else ""


def _short(text: str, width: int = 24) -> str:
    text = text.strip()
    return text if len(text) <= width else text[: width - 3] + "..." if width > 3 else text[:width]
