"""The pieces that a deal fills, laid out: each from the view of the one it is for."""

from __future__ import annotations

from msgspec.structs import replace

from duckpress.check import Deal, Seat, check_game, deal_cards
from duckpress.core.problems import Problem, has_errors, sorted_problems
from duckpress.model import Piece
from duckpress.press.faces.typesetting import TypesetPieces, TypesetTask, typeset
from duckpress.press.packets.packet_deal import has_packet, subjects
from duckpress.press.packets.packet_views import filled, seat_id

SAMPLE_SEED = "a sample deal"


def packet_layout_problems(task: TypesetTask, players: int | None) -> list[Problem]:
    """Return what is wrong with the layouts of a packet, for a sample deal; nothing where it cannot be dealt.

    Of `task`, the game and how it is typeset count, not its pieces.
    """
    game = task.game
    count = players or max(game.players)
    if not has_packet(game) or has_errors(check_game(game, count)):
        return []
    sample = deal_cards(game, count, SAMPLE_SEED)
    if isinstance(sample, Problem):
        return []
    problems: list[Problem] = []
    for piece, seat in subjects(game, sample, ()):
        problems += lay_out_for(task, sample, piece, seat).problems
    return sorted_problems(problems)


def lay_out_for(task: TypesetTask, deal: Deal, piece: Piece, seat: Seat | None) -> TypesetPieces:
    """Return a piece laid out for the host (None), or for the player at a seat."""
    own = piece
    if seat is not None:
        id_ = seat_id(deal, seat.number)
        own = piece._replace(id=f"{piece.id}-{id_}", title=f"{piece.title} {seat.number}")
    whole = filled(task.game, piece, deal, seat)
    return typeset(replace(task, game=whole, pieces=[own], players=deal.players, frames=None))
