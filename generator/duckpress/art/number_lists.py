"""Numbers and lists of numbers as SVG writes them, in SVG files and in layouts."""

from __future__ import annotations

import re

MAX_NUMBER = 1e6
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_SEPARATOR = re.compile(r"\s*,?\s*")
_USUAL_MOST = 1_000  # numbers of a list that is no list of points


def parse_number(text: str) -> float | None:
    """Return the number a text says, or None where it says none, or one of a million or more."""
    text = text.strip()
    if len(text) > 40 or not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if abs(value) < MAX_NUMBER else None


def parse_numbers(text: str, most: int = _USUAL_MOST) -> list[float] | None:
    """Return the numbers of a list separated by commas and blanks; None for anything else in it, and for too many."""
    values: list[float] = []
    position = 0
    text = text.strip()
    while position < len(text):
        match = _NUMBER.match(text, position)
        if match is None or abs(value := float(match[0])) >= MAX_NUMBER or len(values) >= most:
            return None
        values.append(value)
        position = match.end()
        separator = _SEPARATOR.match(text, position)
        position = separator.end() if separator else position
    return values
