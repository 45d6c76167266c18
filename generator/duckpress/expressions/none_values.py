"""An empty number in a calculation: none is no 0, so no sandbox computes with it, and all say the same of it."""

from __future__ import annotations

from collections.abc import Mapping

FIX = "give the field 'default: 0' where empty means 0, or ask first whether it 'is not none'"


def refuse_none(*operands: object) -> None:
    """Raise the error of a calculation that meets none."""
    if any(operand is None for operand in operands):
        raise TypeError("NoneType in a calculation")


def is_about_none(error: BaseException) -> bool:
    """Tell whether an error comes from computing with none: Python's own words for it, and ours, name its type."""
    return isinstance(error, TypeError) and "NoneType" in str(error)


def computed_with_none(text: str, card: object = None) -> str:
    """Return what is wrong with a text that computes with none: the empty fields of the card that it speaks of."""
    what = "an empty value can be neither calculated with nor compared"
    if not isinstance(card, Mapping):
        return what
    empty = [name for name, value in card.items() if value is None]
    spoken_of = [name for name in empty if name in text] or empty
    return f"{what}: {' or '.join(map(repr, spoken_of))} of card {card.get('id')!r}" if empty else what
