"""Decks of dice: the field that holds the faces of each, and what is on them."""

from __future__ import annotations

import re
from fractions import Fraction

from duckpress.model import Deck, FieldKind

FACE = "face"  # the field that a face has, in questions about rolls
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,9}|/[1-9][0-9]{0,8})?")


def faces_field(deck: Deck) -> str | None:
    """Return the field of a deck that lists the faces of its dice: `faces`, else its first list; None without any."""
    lists = [name for name, field in deck.fields.items() if field.kind is FieldKind.LIST]
    return "faces" if "faces" in lists else next(iter(lists), None)


def faces_of(deck: Deck, position: int) -> tuple[str, ...]:
    """Return the faces of the die at a position of a deck."""
    faces = deck.cards[position].values.get(faces_field(deck) or "")
    return tuple(map(str, faces)) if isinstance(faces, tuple) else ()


def values_of(deck: Deck) -> dict[str, str | int | float]:
    """Return each face of the dice of a deck as expressions know it: a number where all the faces are numbers."""
    faces = dict.fromkeys(face for position in range(len(deck.cards)) for face in faces_of(deck, position))
    numbers = {face: number for face in faces if (number := number_of(face)) is not None}
    if len(numbers) < len(faces):
        return {face: face for face in faces}
    return {face: int(n) if n.denominator == 1 else float(n) for face, n in numbers.items()}


def named_face(deck: Deck, text: str) -> str | None:
    """Return the face that a condition names, with quotes or without; None where it says something else."""
    return next((face for face in values_of(deck) if text in (face, f"'{face}'", f'"{face}"')), None)


def number_of(text: str) -> Fraction | None:
    """Return a text as a number; None where it is none."""
    return Fraction(text) if _NUMBER.fullmatch(text) else None
