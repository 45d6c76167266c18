"""How many, as `setup.yaml` has it: an expression, or one for each player count; texts with a place, not computed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from duckpress.core.problems import Source

ALL = "all"  # the amount that means: everything that is left
EVEN = "even"  # the amount that means: everything that is left, shared out as evenly as possible


@lru_cache(maxsize=4096)
def as_name(name: str) -> str:
    """Return the name by which expressions know a place or a value: `play deck` -> `play_deck`."""
    return re.sub(r"\W", "_", name)


class Expression(Struct, frozen=True):
    """An expression, or a text with `{{ expressions }}`; `inset` is how far the source is before its first letter."""

    text: str
    source: Source
    inset: int = 0

    def at(self, offset: int | None) -> Source:
        """Return the place of a letter of the text; of the whole for None, and where it runs over several lines."""
        if offset is None or "\n" in self.text:
            return self.source
        return self.source._replace(column=self.source.column + self.inset + offset)


class Amount(Struct, frozen=True):
    """How many: one expression for every player count (under None), or one for each player count."""

    by_players: Mapping[int | None, Expression]
    source: Source

    def expression(self, players: int) -> Expression | None:
        """Return the expression for a player count; None where the amount does not say."""
        return self.by_players.get(players, self.by_players.get(None))
