"""Faces and pages drawn before the document is begun: finished streams, made by several processes where that pays.

What documents share stands on a shelf: the ink of faces, drawings and pictures by their hashes, and subsets of fonts.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import NamedTuple, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.frame import MITER_LIMIT, Drawing, Frame, Item
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size, rect_around
from duckpress.core.units import PT_PER_MM
from duckpress.fonts import FontLibrary, Typeface
from duckpress.impose import Edges, Layer, Placement, Sheet, Side
from duckpress.pool.parallel import shares, started_parts
from duckpress.render.embedded import FontInk, PictureInk, font_ink, picture_ink, unpacked_ink
from duckpress.render.ink import Ink, InkPen, ink_of
from duckpress.render.item_operators import matrix_operands, number

_Thing = TypeVar("_Thing")
_Drawn = TypeVar("_Drawn")

_encode = msgspec.msgpack.Encoder().encode

_FACES_A_PART = 32
_PAGES_A_PART = 8
_LEAST_PARTS = 12
"""Fewer parts than this are drawn sooner than a process has begun, and both have copied what they write to since."""


class Blank(NamedTuple):
    """A page that is to be drawn: its paper, what lies on it, and the frames by their hashes."""

    paper: Size
    side: Side
    frames: Mapping[str, Frame]


class DrawnPage(Struct, frozen=True):
    """A page as a stream, and what the document has to know of it.

    `identity` is a hash of its operators, `faces` are the frames and `layers` the layers that it uses; `trim` and
    `bleed` are its boxes, written out. `own` is a stream behind the first one, with what only a copy of an edition has.
    """

    paper: Size
    ink: Ink
    identity: bytes
    faces: tuple[str, ...]
    layers: tuple[str, ...]
    trim: str
    bleed: str
    own: Ink | None = None

    def of_copy(self, own: OwnInk) -> DrawnPage:
        """Return the page of a copy of an edition."""
        identity = hashlib.sha256(self.identity + own.identity).digest()
        return replace(self, identity=identity, own=own.ink)


class OwnInk(NamedTuple):
    """What a page has that only a copy of an edition has, and a hash of its operators."""

    ink: Ink
    identity: bytes


class InkShelf:
    """Finds ink by key, and makes what was not asked for before.

    `faces` go by the hashes of their frames, `pages` by `blank_key`; whoever draws them puts them there, before a
    document asks for them.
    """

    def __init__(self, fonts: FontLibrary) -> None:
        self.fonts = fonts
        self.faces: dict[str, Ink] = {}
        self.pages: dict[bytes, DrawnPage] = {}
        self._drawings: dict[str, Ink] = {}
        self._pictures: dict[str, PictureInk] = {}
        self._unpacked: frozenset[str] = frozenset()
        self._subsets: dict[tuple[str, bytes], tuple[Typeface, FontInk]] = {}
        self._subsets_before = self._subsets

    def branch(self) -> InkShelf:
        """Return a shelf that begins with all that is on this one."""
        other = InkShelf(self.fonts)
        other.faces, other.pages, other._unpacked = {**self.faces}, {**self.pages}, self._unpacked
        other._drawings, other._pictures, other._subsets = {**self._drawings}, {**self._pictures}, {**self._subsets}
        return other

    def begin(self, fonts: FontLibrary) -> None:
        """Begin another build with what was drawn for the last one."""
        self.fonts = fonts
        self._subsets, self._subsets_before = {}, self._subsets

    def unpack(self, pictures: Iterable[str]) -> None:
        """Leave these pictures unpacked, by their keys."""
        self._unpacked = frozenset(pictures)

    def drawing(self, key: str, drawing: Drawing) -> Ink:
        """Return the ink of a drawing."""
        if key not in self._drawings:
            self._drawings[key] = ink_of(drawing.items, drawing.box)
        return self._drawings[key]

    def picture(self, key: str, data: bytes) -> PictureInk:
        """Return the image of a picture."""
        if key not in self._pictures:
            self._pictures[key] = (unpacked_ink if key in self._unpacked else picture_ink)(data)
        return self._pictures[key]

    def subset(self, key: str, glyphs: array[int], said: Iterable[str], language: str) -> FontInk:
        """Return the subset of a typeface."""
        place, typeface = (key, glyphs.tobytes()), self.fonts.load_key(key)
        if typeface is None:
            raise KeyError(f"no typeface {key!r}")
        known = self._subsets.get(place) or self._subsets_before.get(place)
        if known is None or known[0] is not typeface:
            known = typeface, font_ink(typeface, glyphs, said, language)
        self._subsets[place] = known
        return known[1]


def drawing_faces(frames: Sequence[Frame], jobs: int) -> AbstractContextManager[Callable[[], list[Ink]]]:
    """Let up to `jobs` processes draw frames, where there are many; what is yielded helps them and returns the inks."""
    return _drawing(Ink, lambda frame: ink_of(frame.items, frame.bleed_box), frames, _FACES_A_PART, jobs)


def drawing_pages(blanks: Sequence[Blank], jobs: int) -> AbstractContextManager[Callable[[], list[DrawnPage]]]:
    """Let up to `jobs` processes draw pages, where there are many; what is yielded helps them and returns the pages."""
    return _drawing(DrawnPage, draw_page, blanks, _PAGES_A_PART, jobs)


@contextmanager
def _drawing(
    kind: type[_Drawn], draw: Callable[[_Thing], _Drawn], things: Sequence[_Thing], part_length: int, jobs: int
) -> Iterator[Callable[[], list[_Drawn]]]:
    parts = shares(len(things), -(-len(things) // part_length))
    if jobs < 2 or len(parts) < _LEAST_PARTS:
        yield lambda: list(map(draw, things))
        return

    def part(number: int) -> bytes:
        return msgspec.msgpack.encode([draw(things[at]) for at in parts[number]])  # pickle takes ten times as long

    read = msgspec.msgpack.Decoder(list[kind]).decode  # type: ignore[valid-type]
    with started_parts(part, len(parts), jobs) as results:
        yield lambda: [drawn for written in results() for drawn in read(written)]


def blank_key(blank: Blank) -> bytes:
    """Return the hash of all that a page is drawn from; a frame's hash stands for its size."""
    paper, side, _ = blank
    placed = [placement[2:] for placement in side.placements]  # not which of the piece's faces it is
    return hashlib.sha256(_encode((paper, placed, side.items, side.map, side.code))).digest()


def draw_own(blank: Blank) -> OwnInk:
    """Draw what only a copy of an edition has on a page, behind the stream of `draw_page`."""
    pen, box = InkPen(), Rect(0.0, 0.0, *blank.paper)
    pen.draw(blank.side.own, box)
    identity = hashlib.sha256(pen.operators()).digest()
    return OwnInk(pen.ink(box), identity)


def draw_page(blank: Blank) -> DrawnPage:
    """Draw the stream of a page: its faces placed as forms, and around them what the sheet needs.

    What only a copy of an edition has is not in it.
    """
    paper, side, frames = blank
    flip = f"{PT_PER_MM:.6f} 0 0 {-PT_PER_MM:.6f} 0 {number(paper.height_mm * PT_PER_MM)} cm {MITER_LIMIT} M"
    prints, placed = [], []
    for placement in side.placements:
        frame = frames[placement.frame]
        # Sheets of one grid ask for the same few again and again.
        taken = _footprint(placement._replace(face=0, is_back=False, frame=""), frame.trim, frame.bleed_mm)
        prints.append(taken)
        placed.append(f"{taken.operators} /C-{placement.frame} Do Q")
    box = Rect(0.0, 0.0, *paper)
    pen = InkPen(flip, *([f"{matrix_operands(side.map)} cm"] if side.map != IDENTITY else []), *placed)
    _draw_items(pen, side.items, box)
    if side.code is not None:
        pen.stamp(side.code.rows, side.code.box, side.code.colour)
    # The names of faces, drawings, pictures and fonts on a page are hashes of what they show.
    identity = hashlib.sha256(pen.operators()).digest()
    faces = tuple(dict.fromkeys(placement.frame for placement in side.placements))
    layers = tuple(dict.fromkeys(item.name for item in side.items if isinstance(item, Layer)))
    return DrawnPage(paper, pen.ink(box), identity, faces, layers, *_boxes_of(prints, paper, side.map))


class _Footprint(Struct, frozen=True):
    """What a placement takes of a page: where its trim lies, what it may paint, and the operators before its `Do`."""

    trim: Rect
    shown: Rect
    operators: str


@lru_cache(maxsize=4096)
def _footprint(placement: Placement, trim: Size, bleed_mm: float) -> _Footprint:
    rect = placement.trim_box(trim)
    shown = Edges(*(min(bleed_mm, edge_mm) for edge_mm in placement.bleed)).around(rect)
    clip = f"{' '.join(map(number, shown))} re W n " if min(placement.bleed) < bleed_mm else ""
    return _Footprint(rect, shown, f"q {clip}{matrix_operands(placement.matrix(trim))} cm")


def _boxes_of(footprints: Sequence[_Footprint], paper: Size, map_: Matrix = IDENTITY) -> tuple[str, str]:
    """Return the trim and the bleed box of a page in points: around all trims, and around all that is shown of them.

    Both are where the side's map takes them. Of a tile's trim only what it shows counts. A page with nothing on it is
    trimmed nowhere: both are the page.
    """
    page = Rect(0.0, 0.0, *paper)
    if not footprints:
        return _box_pt(page, paper), _box_pt(page, paper)
    trim = map_.around(rect_around(item.trim.shared(item.shown) for item in footprints))
    bleed = map_.around(rect_around(item.shown for item in footprints))
    return _box_pt(trim, paper), _box_pt(bleed, paper)


@lru_cache(maxsize=256)
def _box_pt(rect: Rect, paper: Size) -> str:
    """Return a rectangle as a PDF box: in points, counted from the bottom left."""
    bottom, top = paper.height_mm - rect.bottom_mm, paper.height_mm - rect.y_mm
    return " ".join(number(edge * PT_PER_MM) for edge in (rect.x_mm, bottom, rect.right_mm, top))


def sides_of(sheet: Sheet, *, is_duplex: bool) -> tuple[Side, ...]:
    """Return the sides to print; in a document printed on both sides a sheet without a back has an empty one."""
    if sheet.back is not None:
        return (sheet.front, sheet.back)
    return (sheet.front, Side((), ())) if is_duplex else (sheet.front,)


def _draw_items(pen: InkPen, items: Sequence[Item | Layer], box: Rect) -> None:
    """Draw what stands around the faces of a side, each layer between its marks."""
    plain: list[Item] = []
    for item in items:
        if isinstance(item, Layer):
            pen.draw(plain, box)
            plain = []
            pen.draw_layer(f"L-{item.name}", item.items, box)
        else:
            plain.append(item)
    pen.draw(plain, box)
