"""A finished face as plain data: items at fixed places in millimetres, every decision taken.

Origin at the top left of the trim, y growing downwards; items outside the trim lie in the bleed. Nothing here draws or
measures: `layout` makes frames, `impose` places them, `render` writes them out, and the hash of a frame is the identity
of what it shows.

Glyphs (`Text.glyphs`) are the body of a PDF `TJ` array: four hexadecimal digits for every glyph number, and between
them the kerning in thousandths of the type size. Source: ISO 32000-1, 9.4.3.

Bounds say how far paths and items reach, never too little.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

import msgspec

from duckpress.core.geometry import IDENTITY, Matrix, Point, Rect, Size, box_of_points, hexagon, rect_around
from duckpress.core.paths import CLOSE, CURVE, LINE, MOVE, NO_PATH, RECTANGLE, Path, Record, canonical_text

MITER_LIMIT = 4
"""How long the point of a corner may be, in widths of the line, before it is cut off; set once on every page.

Source: SVG 1.1, section 11.4. PDF would let points grow to 10 (ISO 32000-1, 8.4.3.5).
"""


MOST_FAINT = 12
"""How many groups with an opacity may lie in each other: each is a form of the PDF, and viewers draw nothing of what
lies in too many of them (PDFium in 40, of which a face and a drawing take some), without a word."""


class Paint(Record, frozen=True):
    """How an outline is painted: colours are `#rrggbb` or None for none, widths are in millimetres.

    `join` is 0 for pointed corners (cut off where they would be longer than 4 widths of the line), 1 for round ones, 2
    for bevelled ones, and -n for pointed corners that may be n widths long.
    """

    fill: str | None = None
    stroke: str | None = None
    stroke_mm: float = 0.0
    fill_opacity: float = 1.0
    stroke_opacity: float = 1.0
    dash_mm: tuple[float, ...] = ()  # dashes and gaps; an odd number of them: the last is how far into them it begins
    cap: int = 0
    join: int = 0
    even_odd: bool = False


class Outline(Record, frozen=True, cache_hash=True, tag="outline"):
    """A painted path."""

    path: Path
    paint: Paint


class Text(Record, frozen=True, tag="text"):
    """A run of glyphs of one font on one baseline; `text` is its readable text, `glyphs` the drawn glyphs."""

    x_mm: float
    y_mm: float
    size_mm: float
    font: str
    fill: str
    glyphs: str
    text: str
    width_mm: float


class Picture(Record, frozen=True, cache_hash=True, tag="picture"):
    """A raster picture filling a rectangle; `key` is the hash of its file's bytes."""

    key: str
    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float


class PlacedDrawing(Record, frozen=True, cache_hash=True, tag="placed"):
    """A drawing (`Drawing.key`) that is stored once and placed by a matrix."""

    key: str
    matrix: Matrix


class Group(Record, frozen=True, tag="group"):
    """Items under one matrix, one clip (a path in the inner coordinates), one opacity and one mask.

    A mask is outlines, and groups of them, in the inner coordinates: the lighter what they paint on black, the more is
    seen of the group there.
    """

    items: tuple[Item, ...]
    matrix: Matrix = IDENTITY
    clip: Path = NO_PATH
    opacity: float = 1.0
    mask: tuple[Item, ...] = ()

    @property
    def is_blended(self) -> bool:
        """Whether the items are painted together first, and their result is then blended as a whole."""
        return self.opacity < 1 or bool(self.mask)


Item = Outline | Text | Picture | PlacedDrawing | Group


class Drawing:
    """A reusable piece of vector art in its own coordinates; `key` is the hash of its content."""

    __slots__ = ("box", "items", "key")

    def __init__(self, box: Rect, items: tuple[Item, ...]) -> None:
        self.box = box
        self.items = items
        self.key = digest_of(box, items)

    @classmethod
    def of_key(cls, key: str, box: Rect, items: tuple[Item, ...]) -> Drawing:
        """Return a drawing whose key is known."""
        drawing = cls.__new__(cls)
        drawing.key, drawing.box, drawing.items = key, box, items
        return drawing


class Frame:
    """A finished face: trim size, bleed, and items in painting order. Frames with the same hash show the same."""

    def __init__(self, trim: Size, bleed_mm: float, items: tuple[Item, ...], written: bytes = b"") -> None:
        self.trim = trim
        self.bleed_mm = bleed_mm
        self._items = items
        self._written = written

    @classmethod
    def of_hash(cls, trim: Size, bleed_mm: float, written: bytes, known_hash: str) -> Frame:
        """Return a frame whose hash is known; its items are read from bytes of `written_items`, when first needed.

        They are not kept: reading those of a face takes 10 microseconds, keeping them three times its memory.
        """
        frame = cls(trim, bleed_mm, (), written)
        frame.__dict__["hash"] = known_hash
        return frame

    @property
    def items(self) -> tuple[Item, ...]:
        return read_items(self._written) if self._written else self._items

    @cached_property
    def hash(self) -> str:
        """The identity of the face: it covers sizes and items, and by their keys also fonts, pictures and drawings."""
        try:
            return _hash(_encode((self.trim, self.bleed_mm)) + _encode(_canonical(self.items)))
        except _UNWRITABLE:
            return digest_of(self.trim, self.bleed_mm, self.items)

    def overprinted(self, items: tuple[Item, ...]) -> Frame:
        """Return the face with items on top; its hash is made from this face's hash and those items."""
        frame = Frame(self.trim, self.bleed_mm, (*self.items, *items))
        frame.__dict__["hash"] = digest_of(self.hash, items)
        return frame

    @property
    def bleed_box(self) -> Rect:
        return Rect(0.0, 0.0, *self.trim).grown(self.bleed_mm)


def digest_of(*parts: object) -> str:
    """Return a hash like a frame's of plain values and tuples of items."""
    try:
        return _hash(_encode([_canonical(part) for part in parts]))
    except _UNWRITABLE:
        return _hash(repr(parts).encode("utf-8", "surrogatepass"))


def _canonical(part: object) -> object:
    """Return the text or plain value that stands for an item in a hash: paths as text, everything else as it is.

    It is users' data for ever, as `canonical_text` is.
    """
    if type(part) is tuple:
        return [item if type(item) is Text else _canonical(item) for item in part]
    if isinstance(part, Outline):
        return _canonical_outline(part) if len(part.path.numbers) < _LONG else _outline_parts(part)
    if isinstance(part, Group):
        mask = (_canonical(part.mask),) if part.mask else ()
        return "group", _canonical(part.items), part.matrix, canonical_text(part.clip), part.opacity, *mask
    return part


def _outline_parts(outline: Outline) -> tuple[str, str, Paint]:
    return "outline", canonical_text(outline.path), outline.paint


@lru_cache(maxsize=1024)
def _canonical_outline(outline: Outline) -> msgspec.Raw:
    """Return the same for an outline, in MessagePack; most faces of a deck share their outlines."""
    return msgspec.Raw(_encode(_outline_parts(outline)))


def _hash(data: bytes) -> str:
    """Return the first 128 bits of a SHA-256."""
    return hashlib.sha256(data).hexdigest()[:32]


def written_items(items: tuple[Item, ...]) -> bytes:
    """Return items in MessagePack, each as the array of its kind and its fields.

    Raises `ValueError` for what cannot be written so: half a letter, a whole number beyond 64 bits.
    """
    try:
        return _encode(items)
    except _UNWRITABLE as error:
        raise ValueError(str(error)) from error


def read_items(written: bytes) -> tuple[Item, ...]:
    """Return the items in bytes of `written_items`. Raises `ValueError` for any other bytes.

    Those that are the same on many faces are one object.
    """
    try:
        parts = map(bytes, _parts_of(written))
        return tuple([_decode(part) if part[:6] == _A_TEXT else _item_in(part) for part in parts])
    except (msgspec.MsgspecError, RecursionError, MemoryError) as error:  # arrays may claim any length
        raise ValueError(str(error)) from error


# MessagePack writes every number and text in one way, in as many bytes as it takes: equal records are the same bytes.
_encode = msgspec.msgpack.Encoder().encode
_parts_of = msgspec.msgpack.Decoder(tuple[msgspec.Raw, ...]).decode
_decode = msgspec.msgpack.Decoder(Item).decode
_shared = lru_cache(maxsize=8192)(_decode)
_shared_long = lru_cache(maxsize=256)(_decode)
_A_TEXT = b"\x99\xa4text"  # how one begins; hardly any is there twice
_LONG = 1000  # bytes or numbers: of what has more, few are kept
_TOO_LONG = 50_000  # and of what may have millions, none
_UNWRITABLE = (UnicodeEncodeError, OverflowError, RecursionError)


def _item_in(part: bytes) -> Item:
    item: Item = (_shared if len(part) <= _LONG else _shared_long if len(part) <= _TOO_LONG else _decode)(part)
    return item


def every_item(items: tuple[Item, ...], drawings: Mapping[str, Drawing] | None = None) -> Iterator[Item]:
    """Yield the items in painting order, each group before its items, and inside placed drawings if given."""
    for item in items:
        yield item
        if isinstance(item, Group):
            yield from every_item(item.items, drawings)
        elif isinstance(item, PlacedDrawing) and drawings is not None:
            yield from every_item(drawings[item.key].items, drawings)


def placed_items(items: Iterable[Item], matrix: Matrix = IDENTITY) -> Iterator[tuple[Item, Matrix]]:
    """Yield the items in painting order, each with the matrix that places it; groups are replaced by their items."""
    for item in items:
        if isinstance(item, Group):
            yield from placed_items(item.items, matrix.after(item.matrix))
        else:
            yield item, matrix


# Ink above and below the baseline in type sizes; generous capitals and descenders of the usual text faces.
_ASCENT, _DESCENT = 0.74, 0.24
_STEPS = 6  # straight lines for a curve: a tenth of a millimetre off on the largest corner


class FlatPath(NamedTuple):
    """A path as straight lines: its bounds, the points of each closed line, and of every stroked line.

    A line without an area is no ring.
    """

    left: float
    top: float
    right: float
    bottom: float
    rings: tuple[tuple[Point, ...], ...]
    lines: tuple[tuple[Point, ...], ...] = ()

    @property
    def box(self) -> Rect:
        return Rect(self.left, self.top, self.right - self.left, self.bottom - self.top)

    def holds(self, x: float, y: float, *, even_odd: bool) -> bool:
        """Return whether a point lies inside."""
        if not (self.left <= x <= self.right and self.top <= y <= self.bottom):
            return False
        winding = crossings = 0
        for ring in self.rings:
            x1, y1 = ring[-1]
            for x2, y2 in ring:
                if (y1 <= y) != (y2 <= y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                    crossings += 1
                    winding += 1 if y2 > y1 else -1
                x1, y1 = x2, y2
        return crossings % 2 == 1 if even_odd else winding != 0

    def is_near(self, x: float, y: float, reach: float) -> bool:
        """Return whether a point lies within a distance of a line, ends included."""
        if not (self.left - reach <= x <= self.right + reach and self.top - reach <= y <= self.bottom + reach):
            return False
        for line in self.lines:
            for (x1, y1), (x2, y2) in pairwise(line):
                dx, dy = x2 - x1, y2 - y1
                length = dx * dx + dy * dy
                part = min(1.0, max(0.0, ((x - x1) * dx + (y - y1) * dy) / length)) if length else 0.0
                if (x1 + part * dx - x) ** 2 + (y1 + part * dy - y) ** 2 <= reach * reach:
                    return True
        return False


@lru_cache(maxsize=4096)
def flattened(path: Path) -> FlatPath:
    """Return a path as straight lines; a path without points contains no point."""
    lines: list[list[Point]] = []
    for kind, numbers in path.segments():
        if kind == RECTANGLE:
            corners = Rect(*numbers).corners
            lines.append([*corners, corners[0]])
        elif kind == MOVE:
            lines.append([(numbers[0], numbers[1])])
        elif kind == LINE:
            lines[-1].append((numbers[0], numbers[1]))
        elif kind == CURVE:
            (x0, y0), (x1, y1, x2, y2, x3, y3) = lines[-1][-1], numbers
            for step in range(1, _STEPS + 1):
                t = step / _STEPS
                a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                lines[-1].append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
        elif kind == CLOSE:
            lines[-1].append(lines[-1][0])
    points = [point for line in lines for point in line]
    if not points:
        return FlatPath(1.0, 1.0, 0.0, 0.0, ())
    xs, ys = [x for x, _ in points], [y for _, y in points]
    rings = tuple(tuple(line) for line in lines if len(line) > 2)
    return FlatPath(min(xs), min(ys), max(xs), max(ys), rings, tuple(map(tuple, lines)))


@lru_cache(maxsize=8192)
def path_bounds(path: Path, margin: float = 0.0) -> Rect | None:
    """Return the box around a path's points, control points included, and a margin; None for no points."""
    points: list[Point] = []
    for kind, numbers in path.segments():
        points += Rect(*numbers).corners if kind == RECTANGLE else zip(numbers[::2], numbers[1::2], strict=True)
    return box_of_points(points).grown(margin) if points else None


def item_bounds(item: Item, drawings: Mapping[str, Drawing]) -> Rect | None:
    """Return the box around an item, or None if it paints nothing; a drawing is as large as its box."""
    if isinstance(item, Outline):
        return path_bounds(item.path, item.paint.stroke_mm / 2 if item.paint.stroke else 0.0)
    if isinstance(item, Text):
        top_mm = item.y_mm - _ASCENT * item.size_mm
        return Rect(item.x_mm, top_mm, item.width_mm, (_ASCENT + _DESCENT) * item.size_mm)
    if isinstance(item, Picture):
        return Rect(item.x_mm, item.y_mm, item.width_mm, item.height_mm)
    if isinstance(item, PlacedDrawing):
        return item.matrix.around(drawings[item.key].box)
    inner = items_bounds(item.items, drawings)
    if inner is not None and item.clip:
        clip = path_bounds(item.clip)
        inner = None if clip is None or inner.is_apart(clip) else inner.shared(clip)
    return item.matrix.around(inner) if inner is not None else None


def items_bounds(items: Iterable[Item], drawings: Mapping[str, Drawing]) -> Rect | None:
    """Return the box around several items, or None if they paint nothing."""
    boxes = [box for item in items if (box := item_bounds(item, drawings)) is not None]
    return rect_around(boxes) if boxes else None


def lies_in_disc(box: Rect, cx_mm: float, cy_mm: float, radius_mm: float) -> bool:
    """Return whether a box lies inside a disc: whether its farthest corner does."""
    dx_mm = max(abs(box.x_mm - cx_mm), abs(box.right_mm - cx_mm))
    dy_mm = max(abs(box.y_mm - cy_mm), abs(box.bottom_mm - cy_mm))
    return math.hypot(dx_mm, dy_mm) <= radius_mm + 1e-6


def lies_in_hexagon(box: Rect, trim: Size, inset_mm: float) -> bool:
    """Return whether all corners of a box lie at least `inset_mm` inside the hexagon that fills a trim."""
    corners = hexagon(trim)
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        length_mm = math.hypot(x2 - x1, y2 - y1)
        for x, y in box.corners:
            if ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / length_mm < inset_mm - 1e-6:
                return False
    return True
