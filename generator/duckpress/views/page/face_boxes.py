"""Where words and pictures of a face stand: a box for each, and the field that it comes from.

What is placed has no name any more. A picture is that of a field where the cards that show it are just those that have
one value there; else it comes from the card, and one that all cards show from none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from duckpress.core.frame import Drawing, Frame, Picture, PlacedDrawing, Text, placed_items
from duckpress.core.geometry import IDENTITY, Rect
from duckpress.layout import LaidOut
from duckpress.model import Card, Deck, FieldKind, Value, texts_in
from duckpress.views.words import letters_of

_ASCENT, _DEPTH = 0.78, 0.24  # of a line, in sizes of its type; by eye
_FEW = 3  # letters that may stand in any field by chance


def boxes_of(one: LaidOut, deck: Deck) -> Iterator[tuple[Frame, list[list[Any]]]]:
    """Yield the fronts and backs of a deck with their boxes, pictures first: those that no words cover can be clicked.

    Of each: x, y, width and height in millimetres, the words (of a picture its file), and their field ('' for none).
    """
    cards = {card.id: card for card in deck.cards}
    faces = [face for face in one.faces if face.deck == deck.id]
    placed = {
        (face.card, frame.hash): list(_pictures(frame, one.drawings))
        for face in faces
        for frame in (face.front, face.back)
        if frame is not None
    }
    fields = _picture_fields({(card, key) for (card, _), some in placed.items() for key, _ in some}, deck)
    for face in faces:
        for frame in (face.front, face.back):
            if frame is not None:
                card = cards[face.card]
                pictures = [
                    [*(round(number, 2) for number in box), str(card.values.get(field, "")), field]
                    for key, box in placed[face.card, frame.hash]
                    if (field := fields.get(key)) is not None
                ]
                yield frame, [*pictures, *_text_boxes(frame, deck, card)]


def _picture_fields(shown: Iterable[tuple[str, str]], deck: Deck) -> dict[str, str]:
    """Return the fields of pictures by their keys, `shown` being each card with the key of each picture on it."""
    having: dict[frozenset[str], str] = {}
    for name, field in deck.fields.items():
        if field.kind is FieldKind.IMAGE:
            by_value: dict[Value, set[str]] = {}
            for card in deck.cards:
                if value := card.values.get(name):
                    by_value.setdefault(value, set()).add(card.id)
            having |= {frozenset(ids): name for ids in by_value.values()}
    showing: dict[str, set[str]] = {}
    for card_id, key in shown:
        showing.setdefault(key, set()).add(card_id)
    return {
        key: having.get(frozenset(ids), "")
        for key, ids in showing.items()
        if frozenset(ids) in having or len(ids) < len(deck.cards)
    }


def _pictures(frame: Frame, drawings: Mapping[str, Drawing]) -> Iterator[tuple[str, Rect]]:
    for item, matrix in placed_items(frame.items):
        if isinstance(item, Picture):
            yield item.key, matrix.around(Rect(item.x_mm, item.y_mm, item.width_mm, item.height_mm))
        elif isinstance(item, PlacedDrawing) and item.key in drawings:
            yield item.key, matrix.after(item.matrix).around(drawings[item.key].box)


def _text_boxes(frame: Frame, deck: Deck, card: Card) -> list[list[Any]]:
    fields = [
        (name, letters_of(" ".join(texts_in(card.values.get(name)))))
        for name, field in deck.fields.items()
        if field.kind is not FieldKind.IMAGE
    ]
    boxes: list[list[Any]] = []
    for text, matrix in placed_items(frame.items):
        if not isinstance(text, Text) or not (letters := letters_of(text.text)):
            continue
        field = next((name for name, own in fields if letters == own or (len(letters) >= _FEW and letters in own)), "")
        top = text.y_mm - _ASCENT * text.size_mm
        box = Rect(text.x_mm, top, text.width_mm, (_ASCENT + _DEPTH) * text.size_mm)
        if matrix is not IDENTITY:
            box = matrix.around(box)
        boxes.append([*(round(number, 2) for number in box), text.text, field])
    return boxes
