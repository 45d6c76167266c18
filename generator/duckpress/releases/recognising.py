"""What somebody printed, as its manifest tells it, and the release of that version -> all that is known of it.

A manifest knows faces and copies only. Where a card looks as the release of the same version says, it is that card, so
its fields are known too; where every card does, what was printed is that release, with its setup and its rules.
"""

from __future__ import annotations

from msgspec.structs import replace

from duckpress.releases.lock import Lock, LockedCard


def recognised(printed: Lock, released: Lock) -> Lock:
    """Return what was printed with what the release of its version knows of it; both tell the same ink's faces."""
    if (printed.game, printed.version) != (released.game, released.version):
        return printed
    cards = {key: _as_released(card, released.cards.get(key)) for key, card in printed.cards.items()}
    lock = replace(printed, cards=cards, decks=released.decks)
    if not cards or any(card.fields is None for card in cards.values()):
        return lock  # printed between two releases: its rules may have been others
    return replace(lock, setup=released.setup, rules=released.rules)


def _as_released(card: LockedCard, known: LockedCard | None) -> LockedCard:
    if known is None or any(known.faces.get(language) != sides for language, sides in card.faces.items()):
        return card
    return replace(card, fields=known.fields, texts=known.texts, code=card.code or known.code)
