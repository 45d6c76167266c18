"""Shortages as problems: what is needed, what is there, by how much it falls short, and the two ways out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from duckpress.core.problems import Problem, Source
from duckpress.model import Deck


class Shortage(NamedTuple):
    """A step that needs more than is surely there; `to_add` is what would do for the whole setup."""

    origin: str
    place: str
    need: int
    supply: int
    to_add: int
    seat: int  # whose set it is that falls short; 0 for one common to all
    source: Source
    each: int | None = None  # how many each player needs, where it is the same for all
    where: str | None = None
    is_removal: bool = False
    is_untouched: bool = False  # none of these cards had been taken before
    is_sure: bool = True  # the supply does not hang on chance
    whole: int = 0  # how many such cards there were before any was taken; 0 for a removal


def shortage_problem(shortage: Shortage, decks: Mapping[str, Deck], players: int, fine: Sequence[int]) -> Problem:
    """Return a shortage as a `not-enough`; `fine` are the player counts at which its origin has enough, upwards."""
    deck = decks.get(shortage.origin)
    is_deck = deck is not None and not shortage.is_removal
    if is_deck:
        whose = " (each player's)" if deck is not None and deck.is_per_player else ""
        first_way = f"add {_cards(shortage.to_add)}{_such(shortage)} to {shortage.origin!r}{whose}"
    else:
        first_way = f"put {_cards(shortage.to_add)} more{_such(shortage)} into {shortage.origin!r}"
    smaller = [count for count in fine if count < players]
    other_way = "for no player count works as it is"
    if fine:
        other_way = f"or play with {f'at most {smaller[-1]}' if smaller else f'at least {fine[0]}'} players"
    return Problem("not-enough", shortage.source, _what(shortage, is_deck=is_deck), f"{first_way}, {other_way}")


def _what(shortage: Shortage, *, is_deck: bool) -> str:
    whose = f"player {shortage.seat}'s " if shortage.seat else ""
    short = f"{shortage.need - shortage.supply} too few"
    if shortage.is_removal:
        held = f"{whose}{shortage.origin!r}, which holds {shortage.supply}"
        return f"{_cards(shortage.need)} are to be removed from {held}: {short}"
    each = f" ({shortage.each} for each player)" if shortage.each is not None else ""
    surely = "" if shortage.is_sure else "surely "
    has, counted = f"which {surely}{'has' if is_deck else 'holds'} {shortage.supply}", shortage.supply
    if is_deck and not shortage.is_untouched:
        has, counted = f"{has} left of {shortage.whole}", shortage.whole
    if shortage.where is not None:
        has = f"{has} such {'card' if counted == 1 else 'cards'}"
    need = f"{_cards(shortage.need)} of {whose}{shortage.origin!r}{_such(shortage)}{each}"
    return f"{shortage.place!r} needs {need}, {has}: {short}"


def _such(shortage: Shortage) -> str:
    return f" where {shortage.where}" if shortage.where is not None else ""


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"
