"""The text of a report code: a game, a version and further parts, so that a report maps to the data.

    <GAME>/<VERSION>/<PART>[/<PART>]

The parts are a deck and a card (`DUCK/MALLARD-HEN`), a deck alone where it has one card (`FEEDBACK`), or a piece and
the number of a sheet (`ACTIONS/3`; where the sheet has no room for that, the piece is its number among those of the
game, 0 for several: `2/3`, and a long id of a game ends in `*`: `DABBLING-D*`). By itself it is no network address:
nothing is asked for when it is scanned. Where a game has an address for reports, the codes on its cards say that, with
this in it. It is written in capitals, because a code of capitals and figures is smaller than one of small letters
(ISO/IEC 18004, 7.4.4); ids have small letters only, so nothing is lost.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_OTHERS = re.compile(r"[^A-Z0-9 $%*+.:-]")
_GAME = re.compile(r"[a-z0-9][a-z0-9-]*\*?")
_SHORTENED = "*"
_CODE = "{code}"
_IN_LINK = re.compile(r"[a-z0-9-]+/[0-9]+(?:\.[0-9]+)+(?:/[a-z0-9-]+){1,2}")
_LEAST_PARTS = 2  # the version and one more


class Report(NamedTuple):
    """The content of a scanned code: a game, its version, and further parts, in small letters.

    A game's id that ends in `*` is the beginning of one.
    """

    game: str
    version: str
    parts: tuple[str, ...]

    def is_of(self, game_id: str) -> bool:
        """Return whether it may be a report of a game."""
        if self.game.endswith(_SHORTENED):
            return game_id.startswith(self.game.removesuffix(_SHORTENED))
        return game_id == self.game


def report_text(game: str, version: str, *parts: str) -> str:
    """Return the text of a code. Letters of a version that such a code cannot hold become hyphens."""
    return "/".join(_OTHERS.sub("-", part.upper()) for part in (game, version, *parts))


def report_within(most: int, game: str, version: str, *parts: str) -> str:
    """Return the text of a code, with the game's id cut down until the text has at most so many letters."""
    text = report_text(game, version, *parts)
    kept = len(game) - (len(text) - most) - len(_SHORTENED)
    if len(text) <= most or kept < 1:
        return text
    return report_text(game[:kept] + _SHORTENED, version, *parts)


def report_link(address: str, code: str) -> str:
    """Return the text of a QR code on a card: the address with the code instead of `{code}`, else at its end.

    Without an address it is the code alone.
    """
    if _CODE in address:
        return address.replace(_CODE, code)
    return address + code if not address or address.endswith(("/", "=", "?", "#", "&")) else f"{address}/{code}"


def read_report(text: str) -> Report | None:
    """Return the content of a scanned text, a code or an address with a code in it, or None if there is no code."""
    text = text.strip().lower()
    if text.startswith(("http://", "https://")):
        codes = _IN_LINK.findall(text)
        text = codes[-1] if codes else ""
    game, *rest = text.split("/")
    if not _GAME.fullmatch(game) or len(rest) < _LEAST_PARTS or not all(rest):
        return None
    return Report(game, rest[0], tuple(rest[1:]))
