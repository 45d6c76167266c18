"""How much a value holds: its parts and letters, counted as often as they would be written.

A list that holds one list twice, which holds another twice, and so on, is small in memory and endless to write,
compare or hash. So a template's lists are weighed when they are made, and everything later is bounded by that.
"""

from __future__ import annotations

from typing import Any

from jinja2.utils import Namespace

LETTERS = 16  # so many letters of a text weigh as much as one part
CONTAINERS = frozenset((list, tuple, dict, Namespace))
_LONG = 1_000


def weight(value: object, most: int) -> int:
    """Give the number of a value's parts and sixteenths of texts; beyond `most` it stops counting."""
    total = 0
    waiting: list[Any] = [value]
    while waiting and total <= most:
        item = waiting.pop()
        kind = type(item)
        if kind is dict:
            total += 1 + 2 * len(item)
            waiting += item.keys()
            waiting += item.values()
        elif kind is list or kind is tuple or isinstance(item, tuple):
            total += 1 + len(item)
            waiting += item
        elif kind is Namespace:
            total += 1
            waiting.append(item._Namespace__attrs)
        elif isinstance(item, str):
            total += 1 + len(item) // LETTERS
    return total


def is_heavy(value: object) -> bool:
    """Tell whether one part may weigh more than a few others."""
    return type(value) in CONTAINERS or (isinstance(value, str) and len(value) > _LONG)
