"""What a QR code says: which game, which version, and what of it lies there, so that a report maps to the data.

    <GAME>/<VERSION>/<PART>[/<PART>]

The parts are a deck and a card (`DUCK/MALLARD-HEN`), a deck alone where it has one card (`FEEDBACK`), or a piece and
the number of a sheet (`ACTIONS/3`; where the sheet has no room for that, the piece is its number among those of the
game, 0 for several: `2/3`). It is no network address: nothing is asked for when it is scanned. It is written in
capitals, because a code of capitals and figures is smaller than one of small letters (ISO/IEC 18004, 7.4.4); ids have
small letters only, so nothing is lost.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_OTHERS = re.compile(r"[^A-Z0-9 $%*+.:-]")
_GAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_LEAST_PARTS = 2  # the version and one more


class Report(NamedTuple):
    """What was scanned: a game, its version, and the parts after it, in small letters."""

    game: str
    version: str
    parts: tuple[str, ...]


def report_text(game: str, version: str, *parts: str) -> str:
    """Give the text of a code. Letters of a version that such a code cannot hold become hyphens."""
    return "/".join(_OTHERS.sub("-", part.upper()) for part in (game, version, *parts))


def read_report(text: str) -> Report | None:
    """Give what a scanned text says, or None where it is none of ours."""
    game, *rest = text.strip().lower().split("/")
    if not _GAME.fullmatch(game) or len(rest) < _LEAST_PARTS or not all(rest):
        return None
    return Report(game, rest[0], tuple(rest[1:]))
