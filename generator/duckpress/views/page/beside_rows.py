"""The pictures of cards in other languages and inks, to be shown beside those of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from duckpress.core.frame import Frame
from duckpress.layout import Face, LaidOut
from duckpress.views.page.card_rows import anchor_of
from duckpress.views.page.game_pieces import GamePieces

_Picture = Callable[[LaidOut, Frame], str]


def beside_data(pieces: GamePieces, picture: _Picture) -> dict[str, Any]:
    """Return front and back of every card in all that it is shown in beside, by their names."""
    cards = {}
    for one in pieces.every:
        faces = {name: pieces.faces_beside(one, name) for name in pieces.beside}
        for face in one.faces:
            key = face.deck, face.card
            sides = {name: _sides(*there[key], picture) for name, there in faces.items() if key in there}
            cards[anchor_of(one, *key)] = sides
    return {"cards": cards}


def beside_card(pieces: GamePieces, anchor: str, name: str, picture: _Picture) -> list[str | None] | None:
    """Return front and back of one card in one of what it is shown in beside; None where it cannot be drawn.

    Raises `ValueError` for what the page does not offer.
    """
    if name not in pieces.beside:
        raise ValueError(f"no {name!r}")
    for one in pieces.every:
        for face in one.faces:
            if anchor_of(one, face.deck, face.card) == anchor:
                there = pieces.faces_beside(one, name).get((face.deck, face.card))
                return None if there is None else _sides(*there, picture)
    return None


def _sides(one: LaidOut, face: Face, picture: _Picture) -> list[str | None]:
    return [picture(one, face.front), None if face.back is None else picture(one, face.back)]
