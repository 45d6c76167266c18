"""What was found right of single sides in earlier files, under hashes of what lies on them and of what was asked.

What a side says of itself, and how its marks and cards lie, is checked once: a side that was proven before, and of
which just the same is asked, is not looked at again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping

import msgspec

_encode = msgspec.msgpack.Encoder().encode


class SettledSides:
    """The sides of one file; `asked` is what was asked of those that were proven, right where nothing is wrong."""

    def __init__(self, sides: Mapping[int, bytes], known: Collection[bytes]) -> None:
        """Take the hashes of proven sides by the indices of their pages, and what was `asked` of sides before."""
        self.asked: dict[bytes, None] = {}
        self._sides = sides
        self._known = known

    def has(self, index: int, *asked: object) -> bool:
        """Return whether the same was asked of a side that was right; `asked` is plain data that decides the answer."""
        side = self._sides.get(index)
        if side is None:
            return False
        key = hashlib.sha256(side + _encode(asked)).digest()
        self.asked[key] = None
        return key in self._known


NONE_SETTLED = SettledSides({}, ())
