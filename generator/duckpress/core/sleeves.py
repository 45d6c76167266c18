"""Sleeves, and what a card must measure to slide into one.

Makers name a sleeve by its own size or by the largest card it takes, and not all alike. The sizes here are the smaller
reading, so that cards fit either way; who has measured a sleeve writes its inside as `66x91`. Sources: sizes as printed
on packs (66 x 91 mm of trading card sleeves, 62 x 89 mm of the Japanese size; the others are the sizes that makers of
board game sleeves name, not measured). Cards that these sleeves are made for are 2 to 3 mm smaller: 63.5 x 88 mm for
66 x 91 mm, 59 x 86 mm for 62 x 89 mm; hence the play.
"""

from __future__ import annotations

import re

from msgspec import Struct

from duckpress.core.geometry import Size

PLAY_MM = 2.0
"""How much wider and higher than the card a sleeve is inside."""
_OWN = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)x(\d{1,3}(?:\.\d{1,2})?)(?:mm)?", re.ASCII)
_SMALLEST_MM, _LARGEST_MM = 25.0, 250.0


class Sleeve(Struct, frozen=True):
    """A sleeve: its name, and the room inside it, upright."""

    name: str
    inside: Size

    @property
    def largest_card(self) -> Size:
        """The largest card that slides into it."""
        return Size(round(self.inside.width_mm - PLAY_MM, 4), round(self.inside.height_mm - PLAY_MM, 4))


SLEEVES = {
    one.name: one
    for one in (
        Sleeve("standard", Size(66.0, 91.0)),
        Sleeve("japanese", Size(62.0, 89.0)),
        Sleeve("us-game", Size(58.0, 89.0)),
        Sleeve("standard-euro", Size(61.0, 94.0)),
        Sleeve("mini-euro", Size(45.0, 68.0)),
        Sleeve("mini-american", Size(43.0, 65.0)),
        Sleeve("tarot", Size(70.0, 120.0)),
        Sleeve("square-70", Size(70.0, 70.0)),
        Sleeve("square-80", Size(80.0, 80.0)),
    )
}


def sleeve_named(name: str) -> Sleeve | None:
    """Return the sleeve of a name, or of an inside written as `66x91`; None where it is neither.

    Sides are 25 mm to 250 mm; a sleeve is upright, whichever side is written first.
    """
    own = _OWN.fullmatch(name) if name not in SLEEVES else None
    if own is None:
        return SLEEVES.get(name)
    sides = sorted(map(float, own.groups()))
    if not _SMALLEST_MM <= sides[0] <= sides[1] <= _LARGEST_MM:
        return None
    return Sleeve(f"{sides[0]:g}x{sides[1]:g}", Size(*sides))
