"""Decks read again after a change, by a program that goes on: only the cards that are new are parsed.

A file is cut into its head, up to the key `cards`, and items, each beginning with `- ` as far in as the first. Each is
parsed by itself, under that key, and remembered by its line and its text: places are those of the file. Where any of
them has a problem of its own, or the file is of another form, the whole file goes to the parser, which tells.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from duckpress.content.yaml.characters import decode_text
from duckpress.content.yaml.node_builder import ValueAllowance
from duckpress.content.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence
from duckpress.content.yaml.yaml_file import read_yaml
from duckpress.core.problem_list import Read

_KEY = "cards"
_HEAD = re.compile(rf"(?m)^{_KEY}:[ ]*\n(?:[ ]*(?:#.*)?\n)*(?=( *)- )")
_OTHER_FORM = ("\r", "\n---", "\n...")  # other line breaks, and marks of documents
_AROUND = 2  # values that an item is parsed in: the mapping and the list


class _Known(NamedTuple):
    """What an item gave: the list that it is in, and how many values it holds; None where it had a problem."""

    items: Sequence | None
    values: int


class KnownItems:
    """The items of the files read last, by their lines and texts."""

    def __init__(self) -> None:
        self._files: dict[str, dict[tuple[int, str], _Known]] = {}

    def read_yaml(self, path: str, data: bytes, room: ValueAllowance) -> Read[Node | None]:
        """Return what `read_yaml` returns."""
        text, _ = decode_text(path, data)
        root = None if text is None else self._put_together(path, text, room)
        return read_yaml(path, data, room) if root is None else Read(root)

    def _put_together(self, path: str, text: str, room: ValueAllowance) -> Mapping | None:
        before = self._files.pop(path, {})
        opening = _HEAD.search(text)
        if opening is None or any(sign in text for sign in _OTHER_FORM):
            return None
        head, values = _parsed(path, text[: opening.end()], 0)
        known = self._files[path] = {}
        if head is None or not _is_null(head.entries.get(_KEY)):
            return None
        line = text.count("\n", 0, opening.end())
        found: list[_Known] = []
        mark = f"{opening[1]}- "
        *parts, last = text[opening.end() + len(mark) :].split(f"\n{mark}")
        for item in (*(f"{mark}{part}\n" for part in parts), f"{mark}{last}"):
            one = known[line, item] = before.get((line, item)) or _item(path, item, line)
            found.append(one)
            line += item.count("\n")
        values += sum(one.values for one in found)
        lists = [one.items for one in found if one.items is not None]
        if len(lists) < len(found) or values > room.left:
            return None
        room.left -= values
        every = [node for one in lists for node in one.items]
        return Mapping(
            {**head.entries, _KEY: Entry(Sequence(every, lists[0].source), head.entries[_KEY].source)}, head.source
        )


def _item(path: str, text: str, above: int) -> _Known:
    """Return an item by itself, `above` which there are so many lines of the file."""
    root, count = _parsed(path, f"{_KEY}:\n{text}", above - 1)
    value = root.entries[_KEY].value if root is not None and len(root.entries) == 1 else None
    return _Known(value if isinstance(value, Sequence) else None, count - _AROUND)


def _parsed(path: str, text: str, above: int) -> tuple[Mapping | None, int]:
    """Return what a part of a file holds, None where anything is wrong in it, and how many values that are."""
    room = ValueAllowance()
    most = room.left
    root, problems = read_yaml(path, text.encode(), room, above)
    return root if isinstance(root, Mapping) and not problems else None, most - room.left


def _is_null(entry: Entry | None) -> bool:
    return entry is not None and isinstance(entry.value, Scalar) and entry.value.is_null
