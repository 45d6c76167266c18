"""What a face is made of besides its XML, as it is asked for while the face is laid out: the journal of a face.

A use names what was asked (`("style", "body")`), never what came of it: a later run asks the same again, and where
the answer is the same, so is the face. What is remembered between faces (an element made once, a text set once)
remembers its uses with it, and enters them again for every face it is put on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from duckpress.text.styles import FALLBACKS, FONT, OTHERS, Use

COLOUR = "colour"  # a role of the theme or #rrggbb
STYLE = "style"  # a text style of the theme
ART = "art"  # a file, by its href
DRAWING = "drawing"  # a look of a file: its href, and as JSON what is repainted and in which lines
ICON = "icon"  # name and colour
SHOWN = "shown"  # another card, by deck and card
ORNAMENT = "ornament"  # words that nobody has to read, and their colour
WARNED = "warned"
"""What is told of the first card only that shows it: code, file, line, column, what, fix. With such a use a face is
always laid out again."""

ORDER = (COLOUR, STYLE, FONT, FALLBACKS, OTHERS, ORNAMENT, SHOWN, ART, DRAWING, ICON)
"""The order in which answers are compared: drawings last, as to ask for one is to draw it."""

__all__ = [
    "ART", "COLOUR", "DRAWING", "FALLBACKS", "FONT", "ICON", "ORDER", "ORNAMENT", "OTHERS", "SHOWN", "STYLE", "WARNED",
    "Use",
]  # fmt: skip


_LETTERS = 16
_written = msgspec.json.Encoder(enc_hook=dict, order="sorted").encode  # a list is a tuple there; 1 is not 1.0 or yes


class Origin(NamedTuple):
    """The deck, the card (empty: all of the deck) and the template's file, with digests of a card's values and of text.

    `text` is the key of the face that the filled template is to give, `face` that of the one which was taken for it.
    """

    deck: str
    card: str
    template: str
    values: str
    text: str
    face: str = ""


def origin_of(template: str | None, values: Mapping[str, Any], text: str) -> Origin:
    """Return the origin of a side whose template is filled with values; those of a card are its `card`."""
    card = values.get("card")
    of_card = ("", "") if card is None else (card["id"], digest_of_values(card))
    return Origin(values["deck"]["id"], of_card[0], template or "", of_card[1], text)


def digest_of_values(values: Mapping[str, Any]) -> str:
    """Return a digest of the values of a card."""
    try:
        written = _written(values)
    except UnicodeEncodeError:  # half a letter
        written = json.dumps(values, sort_keys=True, default=dict).encode()
    return hashlib.sha256(written).hexdigest()[:_LETTERS]
