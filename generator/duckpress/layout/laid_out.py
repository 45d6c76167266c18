"""What laying out gives: faces, and pieces of them ready for sheets."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Frame, Group, digest_of
from duckpress.core.geometry import Size, scaling
from duckpress.core.sizes import Format
from duckpress.layout.dependencies import Origin
from duckpress.layout.elements.layout_context import Shrunk
from duckpress.model import Piece


class Face(NamedTuple):
    """A card as it is printed: its front, its back where it has one, and how many of it."""

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
        """The hash of the front without anything that tells a version: what decides whether the card changed."""
        return self.bare_front or self.front.hash

    @property
    def bare_back(self) -> str | None:
        """The same for the back; None where there is none."""
        return None if self.back is None else self.bare_behind or self.back.hash


class LaidOut(NamedTuple):
    """A piece ready to be laid on sheets: its faces, the art they place, and the texts that had to shrink.

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
    """Return a face that is printed larger or smaller than it was laid out: trim, bleed and everything on it."""
    front = _scaled_frame(face.front, scale)
    back = None if face.back is None else _scaled_frame(face.back, scale)
    bare, behind = (hash_ and digest_of(hash_, scale) for hash_ in (face.bare_front, face.bare_behind))
    return face._replace(front=front, back=back, format=face.format.scaled(scale), bare_front=bare, bare_behind=behind)


def _scaled_frame(frame: Frame, scale: float) -> Frame:
    trim = Size(round(frame.trim.width_mm * scale, 4), round(frame.trim.height_mm * scale, 4))
    return Frame(trim, round(frame.bleed_mm * scale, 4), (Group(frame.items, scaling(scale)),))
