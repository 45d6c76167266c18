"""Where the side of a card comes from, noted where its template is filled, of what is filled in there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

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
