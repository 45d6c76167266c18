"""Cards and boards that are too large for a paper."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.core.problems import Problem
from duckpress.impose import Turn, check_fit, check_tiles
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.request import Request


def misfits(game: Game, pieces: Sequence[LaidOut], request: Request) -> list[Problem]:
    """Return a problem for each deck whose size does not fit a paper asked for."""
    turn = None if request.backs == "none" else Turn(request.turn)
    found = []
    for deck, format_, overlap_mm in {
        (face.deck, face.format, face.overlap_mm): None for one in pieces for face in one.faces
    }:
        who, source = f"a card of deck {deck!r}", game.decks[deck].at("size")
        for paper in map(request.paper, request.papers):
            if overlap_mm is None:
                found.append(check_fit(format_, paper, who, source, request.paper))
            else:
                found.append(check_tiles(format_, paper, overlap_mm, turn, who, source))
    return [problem for problem in found if problem is not None]
