"""A finished face as plain data: items at fixed places in millimetres, every decision taken.

Origin at the top left of the trim, y growing downwards; items outside the trim lie in the bleed. Nothing here
draws or measures: `layout` makes frames, `impose` places them, `render` writes them out, and the hash of a frame is
the identity of what it shows.

Outlines (`Outline.d`) are written with PDF's path operators (`x y m`, `x y l`, `x1 y1 x2 y2 x3 y3 c`, `h`,
`x y w h re`), because that is what they become; curves are cubic, arcs are already curves. Source: ISO 32000-1, 8.5.2.
Glyphs (`Text.glyphs`) are the body of a PDF `TJ` array: four hexadecimal digits for every glyph number, and between
them the kerning in thousandths of the type size. Source: ISO 32000-1, 9.4.3.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec

from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size

MITER_LIMIT = 4
"""How long the point of a corner may be, in widths of the line, before it is cut off; set once on every page.

Source: SVG 1.1, section 11.4. PDF would let points grow to 10 (ISO 32000-1, 8.4.3.5).
"""


class Record(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """Plain data that is written as the array of its fields, and read back with every field looked at for its kind."""


MOST_FAINT = 12
"""How many groups with an opacity may lie in each other: each is a form of the PDF, and viewers draw nothing of what
lies in too many of them (PDFium in 40, of which a face and a drawing take some), without a word."""


class Paint(Record, frozen=True):
    """How an outline is painted; colours are `#rrggbb` or None for none, widths are in millimetres.

    `join` is 0 for pointed corners (cut off where they would be longer than 4 widths of the line), 1 for round ones, 2
    for bevelled ones, and -n for pointed corners that may be n widths long.
    """

    fill: str | None = None
    stroke: str | None = None
    stroke_mm: float = 0.0
    fill_opacity: float = 1.0
    stroke_opacity: float = 1.0
    dash_mm: tuple[float, ...] = ()
    cap: int = 0
    join: int = 0
    even_odd: bool = False


class Outline(Record, frozen=True, tag="outline"):
    """A painted path: `d` in PDF's path operators, in millimetres."""

    d: str
    paint: Paint


class Text(Record, frozen=True, tag="text"):
    """A run of glyphs of one font on one baseline; `text` is what it says, `glyphs` what is drawn."""

    x_mm: float
    y_mm: float
    size_mm: float
    font: str
    fill: str
    glyphs: str
    text: str
    width_mm: float


class Picture(Record, frozen=True, tag="picture"):
    """A raster picture filling a rectangle; `key` is the hash of its file's bytes."""

    key: str
    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float


class Placed(Record, frozen=True, tag="placed"):
    """A drawing (`Drawing.key`) that is stored once and placed by a matrix."""

    key: str
    matrix: Matrix


class Group(Record, frozen=True, tag="group"):
    """Items under one matrix, one clip (a path as in `Outline.d`, in the inner coordinates) and one opacity."""

    items: tuple[Item, ...]
    matrix: Matrix = IDENTITY
    clip: str = ""
    opacity: float = 1.0


Item = Outline | Text | Picture | Placed | Group


class Drawing:
    """A reusable piece of vector art in its own coordinates; `key` is the hash of what it shows."""

    __slots__ = ("box", "items", "key")

    def __init__(self, box: Rect, items: tuple[Item, ...]) -> None:
        self.box = box
        self.items = items
        self.key = digest_of(box, items)


class Frame:
    """A finished face: trim size, bleed, and items in painting order. Frames with the same hash show the same."""

    def __init__(self, trim: Size, bleed_mm: float, items: tuple[Item, ...]) -> None:
        self.trim = trim
        self.bleed_mm = bleed_mm
        self.items = items

    @cached_property
    def hash(self) -> str:
        """The identity of the face: it covers sizes and items, and by their keys also fonts, pictures and drawings."""
        try:
            return hash_of_written(self.trim, self.bleed_mm, self.written())
        except ValueError:
            return digest_of(self.trim, self.bleed_mm, self.items)

    def written(self) -> bytes:
        """Give the items in MessagePack, each as the array of its kind and its fields.

        Raises `ValueError` for what cannot be written so: half a letter, a whole number beyond 64 bits.
        """
        return _written(self.items)

    def overprinted(self, items: tuple[Item, ...]) -> Frame:
        """Give the face with items over it; its hash is made from this one's, without going through it again."""
        frame = Frame(self.trim, self.bleed_mm, (*self.items, *items))
        frame.__dict__["hash"] = digest_of(self.hash, items)
        return frame

    @property
    def bleed_box(self) -> Rect:
        """The trim grown by the bleed: nothing may be painted outside it."""
        return Rect(0.0, 0.0, *self.trim).grown(self.bleed_mm)


def hash_of_written(trim: Size, bleed_mm: float, written: bytes) -> str:
    """Give the hash of a frame of which the items are written already (`Frame.written`)."""
    return _hash(_written((trim, bleed_mm)) + written)


def digest_of(*parts: object) -> str:
    """Give a hash like a frame's of plain values and records of items."""
    try:
        return _hash(_written(parts))
    except ValueError:
        return _hash(repr(parts).encode("utf-8", "surrogatepass"))


def read_items(written: bytes) -> tuple[Item, ...]:
    """Give the items that bytes say (`Frame.written`). Raises `ValueError` for bytes that say anything else."""
    try:
        return _decode(written)
    except (msgspec.MsgspecError, RecursionError, MemoryError) as error:  # arrays may claim any length
        raise ValueError(str(error)) from error


def plain_items(items: tuple[Item, ...]) -> list[Any]:
    """Give items as lists of their kind and their fields: what JSON can hold, half a letter too."""
    return msgspec.to_builtins(items)  # type: ignore[no-any-return]


def items_of_plain(found: Any) -> tuple[Item, ...]:
    """Give the items that lists say (`plain_items`). Raises `ValueError` for anything else."""
    try:
        return msgspec.convert(found, tuple[Item, ...])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from error


# MessagePack writes every number and text in one way, in as many bytes as it takes: equal records are the same bytes.
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[Item, ...]).decode


def _written(part: object) -> bytes:
    try:
        return _encode(part)
    except (UnicodeEncodeError, OverflowError, RecursionError) as error:
        raise ValueError(str(error)) from error


def _hash(data: bytes) -> str:
    """Give the first 128 bits of a SHA-256."""
    return hashlib.sha256(data).hexdigest()[:32]


def every_item(items: tuple[Item, ...], drawings: Mapping[str, Drawing] | None = None) -> Iterator[Item]:
    """Yield the items in painting order, groups before what they hold, and through placed drawings where given."""
    for item in items:
        yield item
        if isinstance(item, Group):
            yield from every_item(item.items, drawings)
        elif isinstance(item, Placed) and drawings is not None:
            yield from every_item(drawings[item.key].items, drawings)
