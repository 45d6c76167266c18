"""Pages for reading -> sheets: a page on each side of a sheet, or folded in the middle into a booklet.

A page's frame is the printable part of its paper (of half a sheet, for a booklet), so it lies on the page's margins and
needs neither grid nor crop marks. `page_leaves` says what is printed behind what, for whoever must know it without the
sheets: the proof.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from duckpress.core.frame import Group, Item, Outline, Paint
from duckpress.core.geometry import Size, translation
from duckpress.core.paths import strokes
from duckpress.core.sizes import Paper
from duckpress.impose.grid import MARK_STROKE_MM
from duckpress.impose.sheets import Edges, Placement, Sheet, Side, Slot, Turn, behind

_NO_BLEED = Edges(0.0, 0.0, 0.0, 0.0)
_FOLD_MARK_MM = 3.0
_NOTE_MM = (3.0, 3.2)  # of a word such as DRAFT: from the printable edge to its left end, and down to its baseline


Seat = tuple[int, int | None, float]
"""The page in front, the page behind it, and where the front's left edge lies (mm)."""


class PageOf(Struct, frozen=True):
    """A page for imposition: the hash of its frame and its size."""

    frame: str
    trim: Size


def page_leaves(count: int, *, is_folded: bool, is_double_sided: bool) -> list[tuple[int, int | None]]:
    """Return the page on each sheet's front and the page on its back, counted from 0, in the order of the pages.

    Pages follow each other on the two sides of a leaf. In a booklet half of the leaves lie with their second page up:
    they are the other half of a sheet whose front shows a first page.
    """
    leaves: list[tuple[int, int | None]] = []
    if not is_double_sided:
        return [(page, None) for page in range(count)]
    for page in range(0, count, 2):
        after = page + 1 if page + 1 < count else None
        if is_folded and page >= count / 2 and after is not None:
            leaves.append((after, page))
        else:
            leaves.append((page, after))
    return leaves


def impose_pages(
    pages: Sequence[PageOf], paper: Paper, turn: Turn, note: Sequence[Item], *, is_double_sided: bool
) -> tuple[Sheet, ...]:
    """Return the sheets of pages in reading order; the last sheet may have an empty back."""
    leaves = page_leaves(len(pages), is_folded=False, is_double_sided=is_double_sided)
    left_mm, top_mm = paper.margins(paper.size)
    seats_of = [[(front, back, left_mm)] for front, back in leaves]
    items = _note_items(note, left_mm, top_mm)
    return _sheets(pages, paper.size, top_mm, turn, seats_of, items, is_double_sided=is_double_sided)


def impose_booklet(
    pages: Sequence[PageOf], paper: Paper, turn: Turn, note: Sequence[Item], *, is_double_sided: bool,
    is_bound_right: bool = False,
) -> tuple[Sheet, ...]:  # fmt: skip
    """Return the sheets of a booklet: printed on both sides, nested, folded in the middle and stapled.

    The number of pages is a multiple of four. Printed on one side it is no booklet: the pages lie in pairs in the order
    of reading, to be cut apart. Bound at the right, left and right change places.
    Source: saddle stitching; of n pages, sheet k (from 0) has n - 2k and 2k + 1 on its front, 2k + 2 and n - 2k - 1 on
    its back.
    """
    size = paper.size.turned()
    margins, last = paper.margins(size), len(pages) - 1
    right_mm = size.width_mm - margins.width_mm - (pages[0].trim.width_mm if pages else size.width_mm / 2)
    lefts_mm = (right_mm, margins.width_mm) if is_bound_right else (margins.width_mm, right_mm)
    seats_of: list[list[Seat]] = []
    for at in range(0, len(pages) // 2 if is_double_sided else len(pages), 2):
        leaves = [(last - at, last - at - 1), (at, at + 1)] if is_double_sided else [(at, None), (at + 1, None)]
        pairs = zip(leaves, lefts_mm, strict=True)
        seats_of.append([(front, back, left_mm) for (front, back), left_mm in pairs if front <= last])
    # Short dashed lines where the sheet is folded, at its upper and lower edge.
    x_mm, paint = size.width_mm / 2, Paint(stroke="#000000", stroke_mm=MARK_STROKE_MM, dash_mm=(0.8, 0.6))
    tops_mm = (margins.height_mm, size.height_mm - margins.height_mm - _FOLD_MARK_MM)
    marks = tuple(Outline(strokes([(x_mm, top, x_mm, top + _FOLD_MARK_MM)]), paint) for top in tops_mm)
    items = marks + _note_items(note, *margins)
    return _sheets(pages, size, margins.height_mm, turn, seats_of, items, is_double_sided=is_double_sided)


def _note_items(note: Sequence[Item], left_mm: float, top_mm: float) -> tuple[Item, ...]:
    """Return the item of a word such as DRAFT, none for an empty note."""
    return (Group(tuple(note), translation(left_mm + _NOTE_MM[0], top_mm + _NOTE_MM[1])),) if note else ()


def _sheets(
    pages: Sequence[PageOf], size: Size, top_mm: float, turn: Turn, seats_of: Sequence[Sequence[Seat]],
    items: tuple[Item, ...], *, is_double_sided: bool,
) -> tuple[Sheet, ...]:  # fmt: skip
    """Return sheets of a given size with these pages, and items around the pages."""
    sheets: list[Sheet] = []
    for seats in seats_of:
        fronts: list[Placement] = []
        backs: list[Placement] = []
        for front, back, x_mm in seats:
            page = pages[front]
            fronts.append(Placement(front, False, x_mm, top_mm, 0, page.frame, _NO_BLEED))
            if back is not None:
                slot, degrees = behind(Slot(x_mm, top_mm, _NO_BLEED), page.trim, size, turn)
                key = pages[back].frame
                backs.append(Placement(front, True, slot.x_mm, slot.y_mm, degrees, key, _NO_BLEED))
        behind_it = Side(tuple(backs), items if backs else ()) if is_double_sided else None
        sheets.append(Sheet(size, Side(tuple(fronts), items), behind_it, len(sheets) + 1, len(seats_of)))
    return tuple(sheets)
