"""Texts with `{{ expressions }}` in them: where the expressions are, and a text with them replaced."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

_BRACE_OR_TEXT = re.compile(r"""'(?>(?:[^'\\]|\\.)*)'|"(?>(?:[^"\\]|\\.)*)"|\{\{|[{}]""", re.DOTALL)


class Hole(NamedTuple):
    """An expression between braces, where it begins in the text, and where the braces open and end."""

    expression: str
    offset: int
    start: int
    end: int


def holes(text: str) -> list[Hole]:
    """Return the expressions of a text in order; braces that nothing closes are none."""
    every: list[Hole] = []
    last = text.rfind("}}")
    end = 0
    while (start := text.find("{{", end, max(last, 0))) >= 0:
        closing = _closing(text, start + 2)
        inner = text[start + 2 : closing]
        end = closing + 2
        every.append(Hole(inner.strip(), start + 2 + len(inner) - len(inner.lstrip()), start, end))
    return every


def fill_holes(text: str, said: Callable[[str, int], str]) -> str:
    """Return a text with each expression replaced by what `said` gives for it and its offset."""
    parts, end = [], 0
    for hole in holes(text):
        parts += [text[end : hole.start], said(hole.expression, hole.offset)]
        end = hole.end
    return "".join([*parts, text[end:]])


def _closing(text: str, start: int) -> int:
    """Return where the braces close that open before `start`, past texts in quotes and braces in braces.

    Where they do not, it is the first place that closes anything; no place of a text is looked at again and again.
    """
    depth = 0
    for sign in _BRACE_OR_TEXT.finditer(text, start):
        if sign[0] == "{{":
            break
        if sign[0] == "{":
            depth += 1
        elif sign[0] == "}":
            if not depth and text.startswith("}}", sign.start()):
                return sign.start()
            depth -= 1
    return text.find("}}", start)
