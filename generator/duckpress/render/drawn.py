"""Faces and pages drawn before the document is begun: finished streams, made by several processes where that pays."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.frame import MITER_LIMIT, Frame, Item
from duckpress.core.geometry import IDENTITY, Rect, Size
from duckpress.core.units import PT_PER_MM, pt_from_mm
from duckpress.impose import Layer, Sheet, Side
from duckpress.pool.parallel import shares, started_parts
from duckpress.render.ink import Ink, InkPen, ink_of, inks_as_bytes, inks_of, inks_of_bytes
from duckpress.render.item_operators import matrix_operands, number
from duckpress.render.layers import resource_name
from duckpress.render.page_operators import boxes_of, footprint

_FACES_A_PART = 32
_PAGES_A_PART = 8
_LEAST_PARTS = 12
"""Fewer parts than this are drawn sooner than a process has begun."""


class Blank(NamedTuple):
    """A page that is to be drawn: its paper, what lies on it, and the frames by their hashes."""

    paper: Size
    side: Side
    frames: Mapping[str, Frame]


class DrawnPage(Struct, frozen=True):
    """A page as a stream, and what the document has to know of it.

    `identity` is a hash of its operators, `faces` are the frames and `layers` the layers that it uses; `trim` and
    `bleed` are its boxes, written out.
    """

    paper: Size
    ink: Ink
    identity: bytes
    faces: tuple[str, ...]
    layers: tuple[str, ...]
    trim: str
    bleed: str


@contextmanager
def drawing_faces(frames: Sequence[Frame], jobs: int) -> Iterator[Callable[[], list[Ink]]]:
    """Let up to `jobs` processes draw frames, where there are many; what is yielded helps them and returns the inks."""
    parts = shares(len(frames), -(-len(frames) // _FACES_A_PART))
    if jobs < 2 or len(parts) < _LEAST_PARTS:
        yield lambda: list(inks_of((frame.items, frame.bleed_box) for frame in frames))
        return

    def part(number: int) -> bytes:
        return inks_as_bytes([ink_of(frames[at].items, frames[at].bleed_box) for at in parts[number]])

    with started_parts(part, len(parts), jobs) as running:
        yield lambda: [ink for inks in running.results() for ink in inks_of_bytes(inks)]


@contextmanager
def drawing_pages(blanks: Sequence[Blank], jobs: int) -> Iterator[Callable[[], list[DrawnPage]]]:
    """Let up to `jobs` processes draw pages, where there are many; what is yielded helps them and returns the pages."""
    parts = shares(len(blanks), -(-len(blanks) // _PAGES_A_PART))
    if jobs < 2 or len(parts) < _LEAST_PARTS:
        yield lambda: [draw_page(blank) for blank in blanks]
        return
    with started_parts(lambda number: [draw_page(blanks[at]) for at in parts[number]], len(parts), jobs) as running:
        yield lambda: [page for pages in running.results() for page in pages]


def draw_page(blank: Blank) -> DrawnPage:
    """Draw the stream of a page: its faces placed as forms, and around them what the sheet needs."""
    paper, side, frames = blank
    flip = f"{PT_PER_MM:.6f} 0 0 {-PT_PER_MM:.6f} 0 {number(pt_from_mm(paper.height_mm))} cm {MITER_LIMIT} M"
    prints = [footprint(placement, frames[placement.frame]) for placement in side.placements]
    placed = [
        f"{found.operators} /C-{placement.frame} Do Q" for found, placement in zip(prints, side.placements, strict=True)
    ]
    box = Rect(0.0, 0.0, *paper)
    pen = InkPen(flip, *([f"{matrix_operands(side.map)} cm"] if side.map != IDENTITY else []), *placed)
    _draw_items(pen, side.items, box)
    if side.code is not None:
        pen.stamp(side.code.rows, side.code.box, side.code.colour)
    # The names of faces, drawings, pictures and fonts on a page are hashes of what they show.
    identity = hashlib.sha256(pen.operators()).digest()
    faces = tuple(dict.fromkeys(placement.frame for placement in side.placements))
    layers = tuple(dict.fromkeys(item.name for item in side.items if isinstance(item, Layer)))
    return DrawnPage(paper, pen.ink(box), identity, faces, layers, *boxes_of(prints, paper, side.map))


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
            pen.draw_layer(resource_name(item.name), item.items, box)
        else:
            plain.append(item)
    pen.draw(plain, box)
