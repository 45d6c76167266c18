"""Streams of chance: numbers, and shuffled cards, that follow from a seed on every machine and every version of Python.

The algorithm in full, so that a deal can be checked without this program:

- A stream of chance has a key: the fields `duckpress-deal-1`, seed, game id, player count, variant (empty for the
  basic game) and the stream's own label, in UTF-8 of Unicode's form NFC, each followed by a zero byte.
- Block i of a stream (i = 0, 1, ...) is SHA-256 of the key followed by i as eight bytes, the highest first. Each block
  is four numbers of 64 bits, the highest byte first.
- A number below n is the next of them that is below the largest multiple of n in 2**64, modulo n. Larger ones are
  thrown away, so that every result is equally likely.
- Cards are shuffled by Fisher and Yates: for i from the last place down to the second, the cards at i and at a number
  below i + 1 change places.
"""

from __future__ import annotations

import hashlib
import itertools
import unicodedata
from collections.abc import Iterator
from typing import Any

_KEY = "duckpress-deal-1"  # the streams of chance are those of the first algorithm
_WORDS = 1 << 64


class Chance:
    """One stream of numbers, given by the fields of its key."""

    def __init__(self, *fields: object) -> None:
        words = (_KEY, *map(str, fields))
        # A seed typed in no encoding holds half characters; they are written as they are.
        key = "".join(unicodedata.normalize("NFC", word) + "\0" for word in words)
        self._key = key.encode("utf-8", "surrogatepass")
        self._numbers = self._stream()

    def below(self, limit: int) -> int:
        """Return a number from 0 to one below the limit, each as likely as the others."""
        usable = _WORDS - _WORDS % limit
        return next(number for number in self._numbers if number < usable) % limit

    def shuffle(self, items: list[Any]) -> None:
        """Put the items into a random order."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def _stream(self) -> Iterator[int]:
        for block in itertools.count():
            digest = hashlib.sha256(self._key + block.to_bytes(8, "big")).digest()
            yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))
