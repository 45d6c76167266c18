"""Emphasis around an empty value writes nothing: `*{{ card.flavour }}*` leaves no stars where there is no flavour."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jinja2 import nodes

_OPENING = re.compile(r"(?<![*\\])\*{1,3}\Z")
_CLOSING = re.compile(r"\*{1,3}(?!\*)")


def emphasised_values(parts: Sequence[str | None]) -> list[tuple[int, int, int]]:
    """Return where values stand between equal stars: the parts with the stars, and how many there are.

    `parts` are the words of a text and, as None, its values. Between the stars are values and blanks alone.
    """
    found: list[tuple[int, int, int]] = []
    opened: tuple[int, int] | None = None  # a part, and its stars
    for index, words in enumerate(parts):
        if words is None:
            continue
        closing = _CLOSING.match(words)
        stars = len(closing[0]) if closing is not None else 0
        is_closed = opened is not None and index > opened[0] + 1 and stars == opened[1]
        if opened is not None and is_closed:
            found.append((opened[0], index, stars))
        elif opened is not None and words.isspace():
            continue
        opening = _OPENING.search(words, stars if is_closed else 0)
        opened = (index, len(opening[0])) if opening is not None else None
    return found


def joined(parts: Sequence[str], is_value: Sequence[bool]) -> str:
    """Return words and values as one text, without the stars around values that are all empty."""
    joined_parts = list(parts)
    words = [None if is_one else part for part, is_one in zip(parts, is_value, strict=True)]
    for start, end, count in emphasised_values(words):
        if not "".join(parts[start + 1 : end]).strip():
            joined_parts[start] = joined_parts[start][:-count]
            joined_parts[end] = joined_parts[end][count:]
    return "".join(joined_parts)


def move_stars(template: nodes.Template, name: str) -> None:
    """Rewrite a template's tree in place: a filter of this name writes values with the stars around them."""
    for output in template.find_all(nodes.Output):
        parts = list(output.nodes)
        words = [part.data if isinstance(part, nodes.TemplateData) else None for part in parts]
        for start, end, count in reversed(emphasised_values(words)):
            first, last = parts[start], parts[end]
            assert isinstance(first, nodes.TemplateData)
            assert isinstance(last, nodes.TemplateData)
            inner = [
                nodes.Const(part.data, lineno=part.lineno) if isinstance(part, nodes.TemplateData) else part
                for part in parts[start + 1 : end]
            ]
            at = inner[0].lineno
            stars: list[nodes.Expr] = [nodes.Const("*" * count, lineno=at)]
            value = nodes.Filter(nodes.List(inner, lineno=at), name, stars, [], None, None, lineno=at)
            first.data, last.data = first.data[:-count], last.data[count:]
            parts[start + 1 : end] = [value]
        output.nodes = parts
