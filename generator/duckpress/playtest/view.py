"""From where a table is seen: what expressions know as `seat`, `team`, `nth` and `drawn`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from duckpress.model.setup import Each

Look = Callable[[], Any]
"""Gives a value as it is now, seen from one place."""


class View(NamedTuple):
    """The seat, the team and the number that something is seen from, 0 for none, and a card that was drawn, or -1."""

    seat: int = 0
    team: int = 0
    nth: int = 0
    drawn: int = -1

    def at(self, each: Each, instance: int) -> View:
        """Return the view from one of the places that players, teams or numbers have."""
        if each is Each.NOBODY:
            return self
        names = {Each.PLAYER: "seat", Each.TEAM: "team", Each.NUMBER: "nth"}
        return self._replace(**{names[each]: instance})


NOBODY = View()


class Fixed:
    """A value that never changes while a game is played."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self) -> Any:
        """Return the value."""
        return self.value
