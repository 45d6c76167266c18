"""The products of vendors: a table, with the source of every figure, and the figures that could not be verified.

Sizes are those of `core.sizes.FORMATS`. `tgc` is The Game Crafter, `mpc` MakePlayingCards, `drivethru` DriveThruCards;
`generic-press` is any printer that takes a PDF with three millimetres of bleed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from duckpress.core.geometry import MM_PER_INCH, Size
from duckpress.core.sizes import DEFAULT_SAFE_MM, FORMATS


class OrderKind(StrEnum):
    """The form of an order: pictures named by card and copies, or with a list of slots; or one PDF for each deck."""

    PICTURES = "pictures"
    SLOTS = "slots"
    DOCUMENT = "document"


class Canvas(Struct, frozen=True):
    """The exact size of a picture or page in pixels at the vendor's resolution, and the product's name."""

    product: str
    width_px: int
    height_px: int


class Vendor(Struct, frozen=True):
    """The requirements of one vendor.

    `dpi` is that of the canvases; `drawn_dpi` that of the pictures in a document. `cut_px` and `safe_px` are how far
    from the canvas' edge the cut lies and words may stand. `ink_percent` is the most ink of all four together, None
    where colours stay RGB. `unverified` says what is not known for sure.
    """

    id: str
    title: str
    kind: OrderKind
    dpi: int
    drawn_dpi: int
    cut_px: float
    safe_px: float
    ink_percent: int | None
    canvases: Mapping[str, Canvas]
    source: str
    unverified: tuple[str, ...]


_TGC = {
    "poker": Canvas("PokerDeck", 825, 1125),
    "poker-euro": Canvas("EuroPokerDeck", 825, 1125),
    "bridge": Canvas("BridgeDeck", 750, 1125),
    "tarot": Canvas("TarotDeck", 900, 1500),
    "mini": Canvas("MiniDeck", 600, 825),
    "micro": Canvas("MicroDeck", 450, 600),
    "us-game": Canvas("USGameDeck", 750, 1125),
    "square-70": Canvas("EuroSquareDeck", 900, 900),
    "square-2.5in": Canvas("SmallSquareDeck", 825, 825),
    "square-3.5in": Canvas("SquareDeck", 1125, 1125),
    "business": Canvas("BusinessDeck", 675, 1125),
    "domino": Canvas("DominoDeck", 600, 1125),
    "jumbo": Canvas("JumboDeck", 1125, 1725),
    "hex-3.75in": Canvas("HexDeck", 1200, 1050),
    "round-3.5in": Canvas("CircleDeck", 1125, 1125),
    "mint-tin": Canvas("MintTinDeck", 750, 1125),
    "divider": Canvas("DividerDeck", 975, 1125),
}
_MPC = {
    "poker": Canvas("Poker (2.5 x 3.5 in)", 822, 1122),
    "bridge": Canvas("Bridge (2.25 x 3.5 in)", 747, 1122),
    "tarot": Canvas("Tarot (2.75 x 4.75 in)", 897, 1497),
    "micro": Canvas("Micro (1.25 x 1.75 in)", 447, 597),
    "business": Canvas("Business (2 x 3.5 in)", 672, 1122),
    "domino": Canvas("Domino (1.75 x 3.5 in)", 597, 1122),
}
_DRIVETHRU = {"poker": Canvas("Poker (2.75 x 3.75 in with bleed)", 825, 1125)}


def _with_bleed(trim: Size) -> Canvas:
    """Return the canvas of a trim with 3 mm of bleed at 300 dots per inch, rounded up: a press cuts at the boxes."""
    width_px, height_px = (math.ceil((side_mm + 6.0) / MM_PER_INCH * 300) for side_mm in trim)
    return Canvas(f"{trim.width_mm:g} x {trim.height_mm:g} mm and 3 mm bleed", width_px, height_px)


_PRESS = {  # every card with straight sides, upright; of tokens and pages the safe zone is smaller
    name: _with_bleed(size.trim) for name, size in FORMATS.items()
    if size.safe_mm == DEFAULT_SAFE_MM and size.trim[0] <= size.trim[1] and not (size.is_round or size.is_hex)
}  # fmt: skip

VENDORS = {
    one.id: one
    for one in (
        Vendor(
            "tgc", "The Game Crafter", OrderKind.PICTURES, 300, 300, 37.5, 75.0, None, _TGC,
            "its product pages and upload form, 2026-10",
            ("the names `[face,N]` and `[back,N]` of the bulk upload are known from other people's projects",),
        ),
        Vendor(
            "mpc", "MakePlayingCards", OrderKind.SLOTS, 300, 300, 36.0, 72.0, None, _MPC,
            "the checks of its upload form, 2026-10; `cards.xml` as the community's ordering tool reads it",
            ("its pages say 1/8 in of bleed, its form checks 36 pixels: the form is followed",),
        ),
        Vendor(
            "drivethru", "DriveThruCards", OrderKind.DOCUMENT, 300, 600, 37.5, 75.0, 240, _DRIVETHRU,
            "its help pages, 2026-10",
            (
                "the files keep the rules of PDF/X-1a:2003 as duckpress checks them; no validator has confirmed it",
                "sizes other than poker are not known for sure and are refused",
                "the profile is ISO Coated v2 300 % (FOGRA39); the vendor names none",
            ),
        ),
        Vendor(
            "generic-press", "A press that takes PDF", OrderKind.DOCUMENT, 300, 600, 35.4, 70.9, 300, _PRESS,
            "the print trade's usual 3 mm of bleed and safe zone, ISO Coated v2 300 % (FOGRA39)",
            ("what your printer wants may differ: ask before you order",),
        ),
    )
}  # fmt: skip
