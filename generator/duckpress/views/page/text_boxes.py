"""Where the words of a face stand: a box for each line of a text, and the field that the words come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from duckpress.core.frame import Frame, Group, Item, Text
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.model import Card, Deck
from duckpress.views.card_words import letters_of
from duckpress.views.word_search import texts_in

_ASCENT, _DEPTH = 0.78, 0.24  # of a line, in sizes of its type; by eye
_FEW = 3  # letters that may stand in any field by chance


def text_boxes(frame: Frame, deck: Deck, card: Card) -> list[list[Any]]:
    """Return x, y, width and height in millimetres of each run of words, the words, and their field ('' for none)."""
    fields = [(name, letters_of(" ".join(texts_in(card.values.get(name))))) for name in deck.fields]
    boxes: list[list[Any]] = []
    for text, matrix in _texts(frame.items, IDENTITY):
        letters = letters_of(text.text)
        if not letters:
            continue
        field = next((name for name, own in fields if letters == own or (len(letters) >= _FEW and letters in own)), "")
        top = text.y_mm - _ASCENT * text.size_mm
        box = Rect(text.x_mm, top, text.width_mm, (_ASCENT + _DEPTH) * text.size_mm)
        if matrix is not IDENTITY:
            box = matrix.around(box)
        boxes.append([*(round(number, 2) for number in box), text.text, field])
    return boxes


def _texts(items: Sequence[Item], matrix: Matrix) -> Iterator[tuple[Text, Matrix]]:
    for item in items:
        if isinstance(item, Text):
            yield item, matrix
        elif isinstance(item, Group):
            yield from _texts(item.items, matrix.after(item.matrix))
