"""The named sizes of cards, tokens, papers and sleeves.

Sources: the US and European card trade's usual trims; corner radii 1/8 in for US cards, 2.5 mm for trading cards;
ISO 216 and ANSI papers. Bleed and safe zone are home-printing values (2 to 3 mm bleed, 3 mm safe zone); the widest
bleed that lets poker cards sit three across on A4 with 5 mm margins is 2 mm, hence the default. Hexagons are named by
their width across the points; the game crafters' hex card is 3.75 x 3.25 in, others are regular.

Makers name a sleeve by its own size or by the largest card it takes, and not all alike. The sizes here are the smaller
reading, so that cards fit either way; who has measured a sleeve writes its inside as `66x91`. Sources: sizes as printed
on packs (66 x 91 mm of trading card sleeves, 62 x 89 mm of the Japanese size; the others are the sizes that makers of
board game sleeves name, not measured). Cards that these sleeves are made for are 2 to 3 mm smaller: 63.5 x 88 mm for
66 x 91 mm, 59 x 86 mm for 62 x 89 mm; hence the play.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.geometry import Size, parse_length

DEFAULT_BLEED_MM = 2.0
DEFAULT_SAFE_MM = 3.0
DEFAULT_OVERLAP_MM = 10.0  # 8 mm suits every home printer that testers named; two more for the scissors


class Format(NamedTuple):
    """A finished size: trim, the radius of its corners, the bleed, and the inset of the safe zone."""

    name: str
    trim: Size
    corner_mm: float = 3.0
    bleed_mm: float = DEFAULT_BLEED_MM
    safe_mm: float = DEFAULT_SAFE_MM
    is_round: bool = False
    is_hex: bool = False  # its points lie on the longer side's ends: left and right where it is wider than high

    def turned(self) -> Format:
        """Return the format lying on its side, named `...-landscape`; a hexagon then stands on a point."""
        name = f"{self.name}-{'upright' if self.is_hex else 'landscape'}"
        return self._replace(name=name, trim=self.trim.turned())

    def scaled(self, scale: float) -> Format:
        """Return the format enlarged by `scale`, to a tenth of a micrometre."""
        width_mm, height_mm, corner_mm, bleed_mm, safe_mm = (
            round(length_mm * scale, 4) for length_mm in (*self.trim, self.corner_mm, self.bleed_mm, self.safe_mm)
        )
        return self._replace(trim=Size(width_mm, height_mm), corner_mm=corner_mm, bleed_mm=bleed_mm, safe_mm=safe_mm)


class Paper(NamedTuple):
    """A sheet of paper in the printer: name, size standing upright, and the margin that a printer cannot reach.

    `edges` says more of a printer whose margins differ: what it cannot reach at the left and right of the upright paper
    (alike), and at its top and bottom; `margin_mm` is then the larger.
    """

    name: str
    size: Size
    margin_mm: float = 5.0
    edges: Size | None = None

    @property
    def title(self) -> str:
        """The name for readers: `A4`, `Letter`, `Photo 4x6`, `320x450mm`."""
        return self.name.replace("-", " ").capitalize() if self.name[:1].isalpha() else self.name

    def margins(self, size: Size) -> Size:
        """Return the margins across and down of the paper as it lies: upright, or on its side."""
        across_mm, down_mm = self.edges or (self.margin_mm, self.margin_mm)
        is_upright = (size.width_mm <= size.height_mm) is (self.size.width_mm <= self.size.height_mm)
        return Size(across_mm, down_mm) if is_upright else Size(down_mm, across_mm)


_FORMATS = (
    Format("poker", Size(63.5, 88.9), 3.175),
    Format("poker-euro", Size(63.0, 88.0), 2.5),
    Format("bridge", Size(57.15, 88.9), 3.175),
    Format("tarot", Size(69.85, 120.65), 3.0),
    Format("mini-euro", Size(44.0, 67.0), 2.5),
    Format("mini-american", Size(41.0, 63.0), 2.5),
    Format("mini", Size(44.45, 63.5), 3.0),
    Format("micro", Size(31.75, 44.45), 2.5),
    Format("us-game", Size(56.0, 87.0), 3.0),
    Format("standard-euro", Size(59.0, 92.0), 3.0),
    Format("japanese", Size(59.0, 86.0), 1.0),
    Format("mint-tin", Size(52.0, 87.0), 3.0),
    Format("divider", Size(76.2, 88.9), 3.0),
    Format("square-70", Size(70.0, 70.0), 3.0),
    Format("square-2in", Size(50.8, 50.8), 3.0),
    Format("square-2.5in", Size(63.5, 63.5), 3.0),
    Format("square-3.5in", Size(88.9, 88.9), 3.0),
    Format("business", Size(50.8, 88.9), 3.0),
    Format("domino", Size(44.45, 88.9), 3.0),
    Format("jumbo", Size(88.9, 139.7), 5.0),
    Format("token-0.5in", Size(12.7, 12.7), 1.0, 1.0, 1.0),
    Format("token-0.75in", Size(19.05, 19.05), 1.5, 1.5, 1.5),
    Format("token-1in", Size(25.4, 25.4), 2.0, 1.5, 2.0),
    Format("token-1.5in", Size(38.1, 38.1), 2.0, 2.0, 2.5),
    Format("round-0.75in", Size(19.05, 19.05), 9.525, 1.5, 1.5, is_round=True),
    Format("round-1in", Size(25.4, 25.4), 12.7, 1.5, 2.0, is_round=True),
    Format("round-1.25in", Size(31.75, 31.75), 15.875, 2.0, 2.5, is_round=True),
    Format("round-1.5in", Size(38.1, 38.1), 19.05, 2.0, 2.5, is_round=True),
    Format("round-3.5in", Size(88.9, 88.9), 44.45, is_round=True),
    Format("hex-2in", Size(50.8, 43.99), 0.0, is_hex=True),
    Format("hex-2.5in", Size(63.5, 54.99), 0.0, is_hex=True),
    Format("hex-3.75in", Size(95.25, 82.55), 0.0, is_hex=True),
    # The largest upright sheet that fits A4 and Letter alike and leaves room for the footer under it.
    Format("page", Size(190.0, 250.0), 0.0, 0.0, 2.0),
    Format("half-page", Size(190.0, 122.0), 0.0, 0.0, 2.0),
    # The largest that is one sheet of both with the footer along its long edge: Letter's length and A4's width decide.
    Format("full-page", Size(190.0, 266.0), 0.0, 0.0, 2.0),
)
FORMATS = {item.name: item for item in _FORMATS} | {
    turned.name: turned for item in _FORMATS if item.trim != item.trim.turned() for turned in (item.turned(),)
}

_PAPERS = (
    Paper("a4", Size(210.0, 297.0)),
    Paper("letter", Size(215.9, 279.4)),
    Paper("a3", Size(297.0, 420.0)),
    Paper("legal", Size(215.9, 355.6)),
    Paper("tabloid", Size(279.4, 431.8)),
    Paper("a5", Size(148.0, 210.0)),
    # Photo papers. Sources: the usual prints of ISO 1008; the names say inches or, above 10, centimetres.
    Paper("photo-4x6", Size(101.6, 152.4)),
    Paper("photo-5x7", Size(127.0, 177.8)),
    Paper("photo-8x10", Size(203.2, 254.0)),
    Paper("photo-10x15", Size(102.0, 152.0)),
    Paper("photo-13x18", Size(127.0, 178.0)),
)
PAPERS = {paper.name: paper for paper in _PAPERS}
_OWN_PAPER = re.compile(r"(\d{1,4}(?:\.\d{1,3})?)x(\d{1,4}(?:\.\d{1,3})?)(mm|cm|in)", re.ASCII)
_SMALLEST_PAPER_MM, _LARGEST_PAPER_MM = 50.0, 1500.0


def paper_of(name: str) -> Paper:
    """Return the paper of a valid name: see `paper_named`."""
    paper = paper_named(name)
    if paper is None:
        raise KeyError(name)
    return paper


def paper_named(name: str) -> Paper | None:
    """Return the paper of a name in any case, or of a size written as `320x450mm`, `30x40cm` or `13x19in`, or None.

    Sides are 50 mm to 1500 mm; paper is named upright, whichever side is written first.
    """
    name = name.lower()
    known = PAPERS.get(name)
    own = _OWN_PAPER.fullmatch(name) if known is None else None
    if own is None:
        return known
    sides = sorted(parse_length(f"{side}{own[3]}") or 0.0 for side in own.group(1, 2))
    if not _SMALLEST_PAPER_MM <= sides[0] <= sides[1] <= _LARGEST_PAPER_MM:
        return None
    return Paper(name, Size(*sides))


PLAY_MM = 2.0
"""How much wider and higher than the card a sleeve is inside."""
_OWN_SLEEVE = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)x(\d{1,3}(?:\.\d{1,2})?)(?:mm)?", re.ASCII)
_SMALLEST_SLEEVE_MM, _LARGEST_SLEEVE_MM = 25.0, 250.0


class Sleeve(Struct, frozen=True):
    """A sleeve: its name, and the room inside it, upright."""

    name: str
    inside: Size

    @property
    def largest_card(self) -> Size:
        """The largest card that fits into it."""
        return Size(round(self.inside.width_mm - PLAY_MM, 4), round(self.inside.height_mm - PLAY_MM, 4))


SLEEVES = {
    sleeve.name: sleeve
    for sleeve in (
        Sleeve("standard", Size(66.0, 91.0)),
        Sleeve("japanese", Size(62.0, 89.0)),
        Sleeve("us-game", Size(58.0, 89.0)),
        Sleeve("standard-euro", Size(61.0, 94.0)),
        Sleeve("mini-euro", Size(45.0, 68.0)),
        Sleeve("mini-american", Size(43.0, 65.0)),
        Sleeve("tarot", Size(70.0, 120.0)),
        Sleeve("square-70", Size(70.0, 70.0)),
        Sleeve("square-80", Size(80.0, 80.0)),
    )
}


def sleeve_named(name: str) -> Sleeve | None:
    """Return the sleeve of a name in any case, or of an inside written as `66x91`; None for anything else.

    Sides are 25 mm to 250 mm; a sleeve is upright, whichever side is written first.
    """
    name = name.lower()
    own = _OWN_SLEEVE.fullmatch(name) if name not in SLEEVES else None
    if own is None:
        return SLEEVES.get(name)
    sides = sorted(map(float, own.groups()))
    if not _SMALLEST_SLEEVE_MM <= sides[0] <= sides[1] <= _LARGEST_SLEEVE_MM:
        return None
    return Sleeve(f"{sides[0]:g}x{sides[1]:g}", Size(*sides))
