"""The results of layout: faces, and pieces ready for sheets, with the origin of each face.

A use names what was asked while a face was laid out (`("style", "body")`), never what came of it: a later run asks the
same again, and where the answer is the same, so is the face. What is remembered between faces (an element made once, a
text set once) remembers its uses with it, and enters them again for every face it is put on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Frame, Group, digest_of
from duckpress.core.geometry import Size, scaling
from duckpress.core.sizes import Format
from duckpress.model import Piece
from duckpress.text.styles import FALLBACKS, FONT, OTHERS, Use

__all__ = [
    "ART", "COLOUR", "DRAWING", "FALLBACKS", "FONT", "ICON", "ORDER", "ORNAMENT", "OTHERS", "SHOWN", "STYLE", "WARNED",
    "Face", "LaidOut", "Origin", "Shrunk", "Use", "digest_of_values", "origin_of", "scaled",
]  # fmt: skip

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
    """Return the origin of a side from its template's values; a card's values are under `card`."""
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


class Shrunk(NamedTuple):
    """A text set smaller than its style, to fit its box."""

    deck: str
    card: str
    style: str
    from_pt: float
    to_pt: float
    language: str = ""


class Face(NamedTuple):
    """A printed card: its front, its back if it has one, and its number of copies."""

    deck: str
    card: str
    copies: int
    front: Frame
    back: Frame | None
    format: Format
    overlap_mm: float | None = None  # how much its tiles share, where it may be tiled; None: in one piece
    code: str = ""  # its short code, and the version in which it last changed, where they are known
    changed: str = ""
    bare_front: str | None = None  # the hashes without anything that tells a version; None: those of the frames
    bare_behind: str | None = None
    is_named: bool = False  # an imprint, or a code for reports, says on it which card it is
    front_of: Origin | None = None  # what its sides were made of; None for pages
    back_of: Origin | None = None

    @property
    def bare(self) -> str:
        """The hash of the front without version marks: it decides whether the card has changed."""
        return self.bare_front or self.front.hash

    @property
    def bare_back(self) -> str | None:
        """The same for the back, or None."""
        return None if self.back is None else self.bare_behind or self.back.hash


class LaidOut(NamedTuple):
    """A piece ready for sheets: its faces, their art, and the shrunk texts.

    A piece that is read, not cut (rules), has no faces but `pages`, by the name of the paper they are made for.
    """

    piece: Piece
    faces: tuple[Face, ...]
    drawings: dict[str, Drawing]
    pictures: dict[str, PictureData]
    fits: tuple[Shrunk, ...]
    pages: Mapping[str, tuple[Frame, ...]] = MappingProxyType({})
    decorations: frozenset[tuple[str, str]] = frozenset()  # words that are ornaments, with their colours
    depends_on_cards: bool = False  # of other faces than its own: it shows them, or a template looks at all
    has_common_sizes: bool = False  # texts of several cards are set alike


def scaled(face: Face, scale: float) -> Face:
    """Return a face printed larger or smaller than its layout: trim, bleed and all its items."""
    front = _scaled_frame(face.front, scale)
    back = None if face.back is None else _scaled_frame(face.back, scale)
    bare, behind = (hash_ and digest_of(hash_, scale) for hash_ in (face.bare_front, face.bare_behind))
    return face._replace(front=front, back=back, format=face.format.scaled(scale), bare_front=bare, bare_behind=behind)


def _scaled_frame(frame: Frame, scale: float) -> Frame:
    trim = Size(round(frame.trim.width_mm * scale, 4), round(frame.trim.height_mm * scale, 4))
    return Frame(trim, round(frame.bleed_mm * scale, 4), (Group(frame.items, scaling(scale)),))
