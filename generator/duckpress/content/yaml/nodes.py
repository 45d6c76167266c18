"""The content of a YAML file as written: scalars, lists and mappings with their sources."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from duckpress.core.problems import Source

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


class Scalar(NamedTuple):
    """A single value as text; `is_plain` means without quotes and not as a block."""

    text: str
    is_plain: bool
    source: Source

    @property
    def is_null(self) -> bool:
        return self.is_plain and self.text in _NULLS


class Cell(Scalar):
    """A scalar from outside of YAML: a table's cell, or a text with its expressions filled in."""

    __slots__ = ()

    @property
    def is_null(self) -> bool:
        return False


class Sequence(NamedTuple):
    """A list."""

    items: list[Node]
    source: Source


class Entry(NamedTuple):
    """A value of a mapping and the place of its key."""

    value: Node
    source: Source


class Mapping(Struct, frozen=True):
    """Keys with their values, in written order."""

    entries: dict[str, Entry]
    source: Source


Node = Scalar | Sequence | Mapping


def quoted(text: str) -> str:
    """Return a text in quotes for a message, cut short."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def described(node: Node) -> str:
    """Return a description of a node, for a message that expects another kind of node."""
    if isinstance(node, Scalar):
        return quoted(node.text) if node.text else "empty"
    return "a list" if isinstance(node, Sequence) else "a mapping"
