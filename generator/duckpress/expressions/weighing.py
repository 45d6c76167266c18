"""How much a value holds: its parts and letters, counted as often as they would be written.

A list that holds a list twice, which holds another twice, and so on, is small in memory and endless to write, compare
or hash. So lists are weighed when an expression makes them, and everything later is bounded by that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from jinja2.utils import Namespace

LETTERS = 16  # so many letters of a text weigh as much as one part
CONTAINERS = frozenset((list, tuple, dict, Namespace))
VIEWS = frozenset(map(type, ({}.keys(), {}.values(), {}.items())))
_LONG = 1_000


def weight(value: object, most: int) -> int:
    """Return the number of a value's parts and sixteenths of texts; beyond `most` it stops counting."""
    total = 0
    waiting: list[Any] = [value]
    while waiting and total <= most:
        item = waiting.pop()
        if isinstance(item, str):
            total += 1 + len(item) // LETTERS
        elif (entries := _entries(item)) is not None:
            total += 1 + len(entries)
            waiting += entries
    return total


def parts(value: object) -> Iterator[Any]:
    """Yield a value and all that it holds, as often as it would be written; it has been weighed before."""
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        yield item
        waiting += _entries(item) or ()


def _entries(item: Any) -> Collection[Any] | None:
    kind = type(item)
    if kind is dict:
        return [*item.keys(), *item.values()]
    if kind is list or isinstance(item, tuple) or kind in VIEWS:
        return item  # type: ignore[no-any-return]
    return [item._Namespace__attrs] if kind is Namespace else None


def is_heavy(value: object) -> bool:
    """Return whether one part may weigh more than a few others."""
    return type(value) in CONTAINERS or (isinstance(value, str) and len(value) > _LONG)
