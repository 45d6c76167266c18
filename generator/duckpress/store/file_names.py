"""What finished files are called: the game and the piece, and of how they are printed what is not usual."""

from __future__ import annotations

from duckpress.model import Game

ALL_PIECES = "all"
"""What stands for the piece where a file holds every one of them."""
GANG = "gang"
"""What stands for the piece where several share their sheets."""
COVER = "cover"
"""What stands for the piece where a sheet says how to print and cut the others."""
PLAIN_INK = "color"
PLAIN_BACKS = "duplex"
_NAMED_BACKS = {"gutterfold": "gutterfold", "none": "fronts", "only": "backs"}


def file_name(
    game: Game, piece: str, paper: str, ink: str, language: str, *, run: str = "", backs: str = PLAIN_BACKS
) -> str:
    """Return `<game>-<piece>-<paper>[-<backs>][-<ink>][-<lang>][-<run>].pdf`.

    No backs stand for duplex, no ink for colour, no language for the game's first one, no `run` for files made for any
    printer and sleeve.
    """
    ways = ways_of(backs, ink, language if language != game.languages[0].code else "")
    return "-".join([game.id, piece, paper, *ways, *([run] if run else [])]) + ".pdf"


def ways_of(backs: str, ink: str, language: str) -> list[str]:
    """Return what a name says of how something is printed: what is not usual, and a language unless it is empty."""
    named = [_NAMED_BACKS[backs]] if backs != PLAIN_BACKS else []
    named += [ink] if ink != PLAIN_INK else []
    return [*named, language] if language else named
