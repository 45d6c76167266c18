"""What to take out of the old deck and what to put in, so that it is the new version: and the proof that it is."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from duckpress.releases.changes import Changes
from duckpress.releases.lock import CardKey, Lock, LockedCard

Printed = tuple[CardKey, tuple[str, str | None]]
"""A printed card: which it is, and what it looks like."""


class SwapLine(Struct, frozen=True):
    """So many copies of one card to take out or to put in."""

    card: LockedCard
    copies: int


class Swap(Struct, frozen=True):
    """What a tester does with the printed cards in one language."""

    language: str
    take_out: tuple[SwapLine, ...]
    put_in: tuple[SwapLine, ...]


def deck_of(lock: Lock, language: str) -> Counter[Printed]:
    """Return the printed cards of a version in a language."""
    deck: Counter[Printed] = Counter()
    for key, card in lock.cards.items():
        face = card.faces.get(language)
        if face is not None and card.copies:
            deck[key, face] = card.copies
    return deck


def swap_of(changes: Changes, language: str) -> Swap:
    """Return the swap: what the old deck has more of than the new one goes out, what it has less of comes in."""
    old, new = deck_of(changes.old, language), deck_of(changes.new, language)
    out, into = old - new, new - old
    return Swap(
        language,
        tuple(SwapLine(changes.old.cards[key], count) for (key, _), count in out.items()),
        tuple(SwapLine(changes.new.cards[key], count) for (key, _), count in into.items()),
    )


def apply_swap(deck: Counter[Printed], swap: Swap) -> Counter[Printed]:
    """Return the deck after the swap. Raises ValueError where it asks to take out what is not there."""
    after = Counter(deck)
    for line in swap.take_out:
        printed = line.card.key, line.card.faces[swap.language]
        if after[printed] < line.copies:
            raise ValueError(f"there are only {after[printed]} of {line.card.key} to take out, not {line.copies}")
        after[printed] -= line.copies
    for line in swap.put_in:
        after[line.card.key, line.card.faces[swap.language]] += line.copies
    return +after
