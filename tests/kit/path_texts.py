"""Paths by the text that hashes are made of (`canonical_text`): short to write in a test, and to compare with."""

from __future__ import annotations

from duckpress.core.paths import Path

_KINDS = {"m": "m", "l": "l", "c": "c", "h": "h", "re": "r"}


def path_of(text: str, is_mark: bool | None = None) -> Path:
    """Return the path that a text says; unless it is said, one of marks where all numbers have three decimals."""
    words = text.split()
    numbers = [word for word in words if word not in _KINDS]
    if is_mark is None:
        is_mark = bool(numbers) and all(len(number.partition(".")[2]) == 3 for number in numbers)
    kinds = "".join(_KINDS[word] for word in words if word in _KINDS)
    return Path(kinds, tuple(map(float, numbers)), is_mark)
