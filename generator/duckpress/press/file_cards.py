"""The cards of a file that is to be: each has its own face, and its copies, held against the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

from duckpress.core.problems import Problem
from duckpress.layout import Face
from duckpress.model import Game
from duckpress.press.print_job import ImposedFile, ImposedPiece, PrintJob
from duckpress.proof import check_own_faces, deck_copies
from duckpress.store import ALL_PIECES


def check_cards(job: PrintJob, file: ImposedFile) -> Iterator[Problem]:
    """Yield what is wrong with the cards of a file; where there are several copies in it, with those of each."""
    for _, group in groupby(file.pieces, lambda one: one.owner):
        pieces = [one for one in group if not one.laid_out.piece.book]
        game = next((one.game for one in pieces if one.game is not None), job.game)
        copies = {} if job.copies is None or not pieces else job.copies
        if job.copies is None:
            copies = deck_copies(game, _decks(job, game, file, pieces), job.request.players)
        faces = [face for one in pieces for face in one.faces]
        yield from check_own_faces(game, faces, copies, may_lack=job.request.is_forced)


def _decks(job: PrintJob, game: Game, file: ImposedFile, pieces: Sequence[ImposedPiece]) -> Iterable[str]:
    """Return the decks that a file prints, as often as it prints them."""
    request = job.request
    if file.piece == ALL_PIECES:
        chosen = (one for one in game.chosen_pieces(request.pieces) if request.pieces or one.instead_of is None)
        return chain.from_iterable(one.decks for one in chosen if not one.book and game.dealt_to(one) is None)
    by_id = {piece.id: piece for piece in game.pieces}
    is_own = [one.laid_out.piece.id in by_id for one in pieces]
    own = (by_id[one.laid_out.piece.id].decks for one, is_one in zip(pieces, is_own, strict=True) if is_one)
    bundle = next((one.faces for one, is_one in zip(pieces, is_own, strict=True) if not is_one), ())
    return chain(chain.from_iterable(own), _decks_of(bundle))


def _decks_of(faces: Sequence[Face]) -> Iterable[str]:
    """Return the decks of which faces share sheets, or are a player's, as often as their cards are there."""
    counts = Counter((face.deck, face.card) for face in faces)
    sets: Counter[str] = Counter()
    for (deck, _), count in counts.items():
        sets[deck] = max(sets[deck], count)
    return sets.elements()
