"""A file that begins with a cover sheet -> what the cover has to speak of, for the oracle to count."""

from __future__ import annotations

from duckpress.check import copies_for
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.store import COVER
from oracle.covers.expected_cover import CoverDeck, ExpectedCover, FilePart


def expected_cover(job: PrintJob, file: ImposedFile) -> ExpectedCover | None:
    """Return what the cover of a file has to speak of; None where it has none, or nothing behind it."""
    cover, *others = file.pieces
    if cover.laid_out.piece.book != COVER or not others or not job.request.backs.has_fronts:
        return None
    game, request = job.game, job.request
    parts = tuple(
        FilePart(one.laid_out.piece.title, len(one.sheets), one.sheets[0].number, one.sheets[0].total)
        for one in others
        if one.sheets
    )
    copies = copies_for(game, request.players)
    decks = {}
    for key, deck in game.decks.items():
        stocks = [one.stock for one in game.pieces if key in one.decks and one.instead_of is None and one.stock]
        printed = [card for card in deck.cards if copies.get((key, card.id), card.copies)]
        decks[key] = CoverDeck(
            title=deck.title,
            size=deck.size,
            count=sum(copies.get((key, card.id), card.copies) for card in printed),
            for_each=sum(card.copies for card in printed) if deck.is_per_player else None,
            stock=next(iter(stocks), ""),
            is_component=deck.is_component and not deck.is_dealt,
            has_own_size=deck.own_format is not None,
            is_box=deck.box_plan is not None,
            is_board=deck.overlap_mm is not None,
        )
    keys = [key for one in game.chosen_pieces() if one.instead_of is None for key in one.decks]
    return ExpectedCover(
        pages=cover.laid_out.pages[file.paper.name],
        sheets=len(cover.sheets),
        parts=parts,
        decks=decks,
        listed=tuple(key for key in dict.fromkeys(keys) if not (game.decks[key].is_dealt or key in game.packaging)),
        bring=game.bring,
        file=file.name,
        paper=file.paper.name,
        backs=request.backs,
        turn=request.turn,
        speech=game.speech,
    )
