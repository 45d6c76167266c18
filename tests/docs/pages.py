"""Pages of the documentation in their parts, and the keys that JSON has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
OWN_NAMES = {"cells", "sheets", "saved", "values", "colours", "texts"}
"""Mappings whose keys are a game's own names, papers, colours or languages."""


class Page:
    """A page of `docs/`."""

    def __init__(self, name: str) -> None:
        self.text = (DOCS / f"{name}.md").read_text(encoding="utf-8")

    @cached_property
    def sections(self) -> dict[str, str]:
        return {part.partition("\n")[0]: part for part in re.split(r"(?m)^## ", self.text)[1:]}

    @cached_property
    def parts(self) -> dict[str, str]:
        """What stands below headings of the third level."""
        return {part.partition("\n")[0]: part for part in re.split(r"(?m)^### ", self.text)[1:]}

    @property
    def files(self) -> dict[str, str]:
        """The files of its game."""
        return dict(re.findall(r"(?ms)^```\w+ file=(\S+)\n(.*?)^```$", self.text))

    @property
    def examples(self) -> list[tuple[str, str]]:
        """The command lines that it shows, and what they say."""
        return re.findall(r"(?ms)^```console\n\$ duckpress ([^\n]+)\n(.*?)^```$", self.text)


def rows_of(section: str) -> list[list[str]]:
    """Return the cells of a section's table, its heads left out; a `|` within a cell is unescaped."""
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


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
