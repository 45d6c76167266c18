"""Words too faint on their ground, by the hashes of the frames they stand on: what earlier builds found is kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from duckpress.legibility import Faint

_MOST_KEPT = 4  # times as many frames as the newest run used: older ones may be wanted again
_LEAST_KEPT = 1000


class FaintWords(dict[str, Sequence[Faint]]):
    """The faint words of frames by their hashes, found now or in earlier runs; `used` were asked for."""

    def __init__(self, data: bytes = b"") -> None:
        super().__init__()
        self.used: dict[str, None] = {}
        if data:
            self.take(data)
        self._kept = frozenset(self)

    def __getitem__(self, key: str) -> Sequence[Faint]:
        self.used[key] = None
        return super().__getitem__(key)

    def news(self) -> bytes:
        """Return all that is worth keeping as bytes, what this run used last; empty where nothing is new."""
        if self.used.keys() <= self._kept:
            return b""
        old = [key for key in self if key not in self.used]
        most = max(_MOST_KEPT * len(self.used), _LEAST_KEPT) - len(self.used)
        found = {key: super(FaintWords, self).__getitem__(key) for key in (*old[-most:], *self.used)}
        self._kept = frozenset(found)
        return json.dumps(found).encode()

    def take(self, made: bytes) -> None:
        """Add what `news` returned in an earlier run; anything else counts for nothing."""
        try:
            self.update({str(key): [_read(one) for one in found] for key, found in json.loads(made).items()})
        except (ValueError, TypeError, AttributeError, RecursionError):
            return


def _read(found: list[Any]) -> Faint:
    text, fill, colour, ground, least = found
    for one in (fill, colour, ground):
        if len(one) != 7 or one[0] != "#":
            raise ValueError(one)
        int(one[1:], 16)
    return Faint(str(text), fill, colour, ground, float(least))
