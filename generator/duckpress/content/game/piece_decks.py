"""Pieces joined with what they print: decks and texts, each of which has to be there; and decks that none prints."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from duckpress.content.game.game_file import WrittenPiece
from duckpress.content.game.game_folder import Decks
from duckpress.content.yaml.nodes import quoted
from duckpress.core.limits import how_to_raise, limit, written
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Level, Problem, Source, did_you_mean, nearest
from duckpress.model import Piece, SheetText

_SHOWN = re.compile(r"\]\((?:card|board|back):([a-z0-9-]+)")  # the deck that a picture of a rules sheet is taken from


def with_decks(pieces: Sequence[WrittenPiece], decks: Decks) -> Read[tuple[Piece, ...]]:
    """Return the pieces with the decks they really have.

    Problems: `unknown-deck`, `duplicate-id` for a deck named twice, `mixed-packet`.
    """
    problems = ProblemList()
    joined = []
    for piece, sources in pieces:
        kept: list[str] = []
        for name, source in zip(piece.decks, sources, strict=True):
            if name not in decks.files:
                what = f"piece {piece.id!r} prints deck {quoted(name)}, and there is no such file"
                fix = did_you_mean(name, decks.files) or f"write decks/{name}.yaml"
                problems.add("unknown-deck", source, what, fix)
            elif name in kept:
                what = f"piece {piece.id!r} names deck {name!r} twice"
                problems.add("duplicate-id", source, what, "keep one of the two")
            elif name in decks.by_id:
                if kept and decks.by_id[kept[0]].dealt_to != decks.by_id[name].dealt_to:
                    what = f"piece {piece.id!r} mixes what is printed for everybody, for the host or for one player"
                    problems.add("mixed-packet", source, what, "print it as a piece of its own")
                    continue
                kept.append(name)
        joined.append(piece._replace(decks=tuple(kept)))
    return Read(tuple(joined), problems)


def with_texts(
    folder: str, pieces: Sequence[Piece], texts: Mapping[str, Mapping[str, SheetText]]
) -> Read[tuple[Piece, ...]]:
    """Return the pieces without those whose text is not there. Problem: `missing-file`."""
    problems = ProblemList()
    missing = [piece for piece in pieces if piece.text and not texts[piece.text]]
    for piece in missing:
        what = f"piece {piece.id!r} is typeset from {piece.text}.md, and there is no such file"
        problems.add("missing-file", piece.source, what, f"write {folder}/{piece.text}.md")
    return Read(tuple(piece for piece in pieces if piece not in missing), problems)


def too_many_cards(pieces: Sequence[Piece], decks: Decks, players: int) -> list[Problem]:
    """Return `game-too-large` for a game that prints more than anybody cuts, at the piece that is too much."""
    most = limit("printed-cards")
    count = 0
    for piece in pieces:
        printed = [decks.by_id[name] for name in piece.decks]
        count += sum(deck.count * (players if deck.is_per_player else 1) for deck in printed)
        if count > most:
            what = f"the game prints more than {written(most)} cards, all copies counted"
            fix = f"print fewer copies; {how_to_raise('printed-cards')}"
            return [Problem("game-too-large", piece.source, what, fix)]
    return []


def unprinted_decks(
    decks: Decks, pieces: Sequence[WrittenPiece], texts: Mapping[str, Mapping[str, SheetText]]
) -> list[Problem]:
    """Return `deck-not-printed` for each deck that no piece prints and no rules sheet shows a picture of.

    Without pieces nothing is said, nor of a deck whose name a piece misspells.
    """
    if not pieces:
        return []
    named = {name for piece, _ in pieces for name in piece.decks}
    named.update(name for sheets in texts.values() for sheet in sheets.values() for name in _SHOWN.findall(sheet.text))
    meant = {nearest(name, decks.files) for name in named if name not in decks.files}
    return [
        Problem(
            "deck-not-printed",
            Source(path),
            f"no piece prints deck {id_!r}",
            f"add {id_!r} to the 'decks' of a piece in game.yaml",
            Level.WARNING,
        )
        for id_, path in decks.files.items()
        if id_ not in named and id_ not in meant
    ]
