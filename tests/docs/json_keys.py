"""The keys that a table of the documentation names, and those that JSON has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

OWN_NAMES = {"cells", "sheets", "saved", "values", "colours", "texts"}
"""Mappings whose keys are a game's own names, papers, colours or languages."""


def in_tables(section: str) -> set[str]:
    """Return the words in code in the first cells of a section's tables."""
    return {word for cell in re.findall(r"(?m)^\| ([^|]+) \|", section) for word in re.findall(r"`([^`]+)`", cell)}


def keys_in(data: Any, before: str = "") -> Iterator[str]:
    """Yield the keys of JSON as the page writes them: `files[].name`."""
    if isinstance(data, list):
        for item in data:
            yield from keys_in(item, f"{before}[]")
    elif isinstance(data, dict):
        for key, value in data.items():
            path = f"{before}.{key}" if before else key
            yield path
            if key not in OWN_NAMES:
                yield from keys_in(value, path)
