"""Texts of two versions beside each other: without their marks, and cut down to where they differ."""

from __future__ import annotations

import re
from collections.abc import Sequence

from duckpress.releases.lock import Plain

_MARKS = re.compile(r"\*+|\\(?=\n)|\{=?([^{}]*)\}")
_CONTEXT = 3  # words that are kept before and after what differs
_GAP = "…"


def plain_words(text: str) -> str:
    """Return a text without its marks: `**bold**` as bold, `{star}` as star, on one line."""
    return " ".join(_MARKS.sub(lambda mark: mark[1] or "", text).split())


def cut(words: str, longest: int) -> str:
    """Return words on one line, no longer than so many letters."""
    words = " ".join(words.split())
    return words if len(words) <= longest else f"{words[: longest - 1].rstrip()}{_GAP}"


def readable(one: Plain, other: Plain) -> tuple[Plain, Plain]:
    """Return two texts without their marks, unless those are all that differs."""
    if isinstance(one, str) and isinstance(other, str):
        plain = plain_words(one), plain_words(other)
        return plain if plain[0] != plain[1] else (one, other)
    return (
        plain_words(one) if isinstance(one, str) else one,
        plain_words(other) if isinstance(other, str) else other,
    )


def listed(value: Plain) -> Plain:
    """Return the texts of a list as one text; anything else as it is."""
    return ", ".join(str(listed(one)) for one in value) if isinstance(value, list) else value


def span(numbers: Sequence[str]) -> str:
    """Return numbers as a list, or as a range where more than two follow one another."""
    if len(numbers) > 2 and all(map(str.isdecimal, numbers)):
        first, last = int(numbers[0]), int(numbers[-1])
        if [int(one) for one in numbers] == list(range(first, last + 1)):
            return f"{first}–{last}"
    return ", ".join(numbers)


def apart(one: str, other: str, longest: int) -> tuple[str, str]:
    """Return two texts of at most about so many letters, each still showing where it differs from the other."""
    if max(len(one), len(other)) <= longest:
        return " ".join(one.split()), " ".join(other.split())
    words, others = one.split(), other.split()
    most = min(len(words), len(others))
    before = next((at for at in range(most) if words[at] != others[at]), most)
    after = next((at for at in range(most - before) if words[-1 - at] != others[-1 - at]), most - before)
    return tuple(_excerpt(part, before, after, longest) for part in (words, others))  # type: ignore[return-value]


def _excerpt(words: list[str], before: int, after: int, longest: int) -> str:
    first, last = max(0, before - _CONTEXT), min(len(words), len(words) - after + _CONTEXT)
    said = " ".join(words[first:last])
    return cut(f"{_GAP} {said}" if first else said, longest) + (f" {_GAP}" if last < len(words) else "")
