"""Cards of one size in a grid: where it has to be, worked out anew from the sizes of card and paper, and in what order.

A grid lies in the middle of the paper. In each direction it leaves free what is not printable, and at both ends what
the footer takes at one; there are as many cards as leave room for the shortest marks, with gaps or without. What room
is over goes to bleed, to the distance of the marks, and to the marks themselves, as far as each may grow.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from duckpress.core.geometry import Rect, Size, rect_around
from duckpress.core.problems import Problem
from duckpress.core.sizes import Paper
from duckpress.proof.expected import TOLERANCE_MM, Expected, ExpectedFace, fault
from oracle.reading.placing import CUT, FaceSeat, PageLayout
from oracle.sheets.crop_marks import MARK_PAINT
from oracle.sheets.expected import ExpectedSheets, SheetSide
from oracle.sheets.footers import FOOTER_ROOMS, footer_strip

GAPS = ("most", "always", "never", "least")
_LEAST_END_MM = 1.325  # half a millimetre, a mark of three quarters, half its stroke
_GOOD_END_MM = 2.0  # a millimetre, and a mark of one
_DRIFT_MM = 2.0
_NARROW_MM = 2.0  # the least gap
_SHARED_MARK_MM = 1.0  # a mark where cards of several sizes lie on one sheet


class CardKind(NamedTuple):
    """What decides the grid of a card: its trim, bleed and shape."""

    trim: Size
    bleed_mm: float
    shape: str


class _Row(NamedTuple):
    """Cards in one direction, at these places; the bleed shown at its ends and inside, and how its marks reach."""

    places_mm: tuple[float, ...]
    outer_mm: float
    inner_mm: float
    marks_mm: tuple[float, float, float, float]


def _row(length_mm: float, kept_mm: float, card_mm: float, bleed_mm: float, gaps: str) -> _Row | None:
    count = math.floor((length_mm - 2 * (kept_mm + _LEAST_END_MM) + 1e-6) / card_mm)
    over_mm = length_mm - 2 * (kept_mm + bleed_mm + _GOOD_END_MM)
    gap_mm = 0.0
    least_mm, room_mm = min(_NARROW_MM, 2 * bleed_mm), 2 * bleed_mm
    if gaps in ("always", "least"):
        least_mm = max(_NARROW_MM, 2 * min(bleed_mm, _DRIFT_MM) if gaps == "always" else 0.0)
        room_mm = max(_NARROW_MM, room_mm)
    for fewer in range(count, 1, -1) if room_mm > 0 and gaps != "never" else ():
        free_mm = min(room_mm, (over_mm - fewer * card_mm) / (fewer - 1))
        if free_mm > least_mm - 1e-6:
            count, gap_mm = fewer, free_mm
            break
        if gaps == "most":
            break
        count = fewer - 1
    if count < 1:
        return None
    span_mm = count * card_mm + (count - 1) * gap_mm
    start_mm = (length_mm - span_mm) / 2
    end_mm = start_mm - kept_mm
    outer_mm = max(0.0, min(bleed_mm, end_mm - _GOOD_END_MM))
    offset_mm = min(1.0, max(0.5, end_mm - outer_mm - 1.0))
    near_mm = start_mm - outer_mm - offset_mm
    far_mm = max(near_mm - 5.0, kept_mm + 0.075)
    places = tuple(start_mm + at * (card_mm + gap_mm) for at in range(count))
    marks = (far_mm, near_mm, length_mm - near_mm, length_mm - far_mm)
    return _Row(places, outer_mm, min(bleed_mm, gap_mm / 2), marks)


class CardGrid(NamedTuple):
    """The places of a grid row by row: each trim, and what is shown of it; and where its marks are.

    It is one for a size of paper as it lies, with a footer along its left edge or its lower one, of so many mm.
    """

    size: Size
    is_rising: bool
    footer_mm: float
    places: tuple[tuple[Rect, Rect], ...]
    across: _Row
    down: _Row


@lru_cache(maxsize=256)
def card_grids(kind: CardKind, paper: Paper, gaps: str) -> list[CardGrid]:
    """Return the grids of a card, one for each way to lay the paper with a footer that has room on it."""
    grids = []
    for size in (paper.size, paper.size.turned()):
        margins = paper.margins(size)
        for shortest_mm, depth_mm in FOOTER_ROOMS:
            for is_below in (True, False):
                line_mm = size.width_mm - 2 * margins.width_mm if is_below else size.height_mm - 2 * margins.height_mm
                if line_mm < shortest_mm:
                    continue
                left_mm, low_mm = margins.width_mm + depth_mm * (not is_below), margins.height_mm + depth_mm * is_below
                across = _row(size.width_mm, left_mm, kind.trim.width_mm, kind.bleed_mm, gaps)
                down = _row(size.height_mm, low_mm, kind.trim.height_mm, kind.bleed_mm, gaps)
                if across is not None and down is not None:
                    places = tuple(_places(kind, across, down))
                    grids.append(CardGrid(size, not is_below, depth_mm, places, across, down))
    return grids


def _places(kind: CardKind, across: _Row, down: _Row) -> Iterator[tuple[Rect, Rect]]:
    for row, y_mm in enumerate(down.places_mm):
        top_mm, bottom_mm = _shown(down, row)
        for column, x_mm in enumerate(across.places_mm):
            left_mm, right_mm = _shown(across, column)
            width_mm, height_mm = kind.trim
            shown = Rect(x_mm - left_mm, y_mm - top_mm, left_mm + width_mm + right_mm, top_mm + height_mm + bottom_mm)
            yield Rect(x_mm, y_mm, width_mm, height_mm), shown


def _shown(row: _Row, at: int) -> tuple[float, float]:
    """Return the bleed shown before and after a card."""
    before_mm = row.inner_mm if at else row.outer_mm
    return before_mm, row.inner_mm if at < len(row.places_mm) - 1 else row.outer_mm


def most_cards(kind: CardKind, paper: Paper, gaps: str) -> int:
    return max((len(grid.places) for grid in card_grids(kind, paper, gaps)), default=0)


def is_in_grid(page: PageLayout, kind: CardKind, paper: Paper, gaps: Sequence[str]) -> bool:
    """Return whether the faces of a page fill a grid that holds most cards, row by row, with its marks around it."""
    strip = footer_strip(page, Rect(0.0, 0.0, *page.size).inside(paper.margins(page.size)), is_tile=False)
    footer = (strip.is_rising, strip.room_mm) if strip is not None else None
    return _is_in_grid(page.size, footer, page.seats, _marks(page), kind, paper, tuple(gaps))


def _marks(page: PageLayout) -> tuple[Rect, ...]:
    paths = (path for path in page.around.strokes(CUT) if path.paint == MARK_PAINT)
    return tuple([part.box for path in paths for part in path.parts])


@lru_cache(maxsize=256)
def _is_in_grid(
    size: Size,
    footer: tuple[bool, float] | None,
    seats: tuple[FaceSeat, ...],
    marks: tuple[Rect, ...],
    kind: CardKind,
    paper: Paper,
    ways: tuple[str, ...],
) -> bool:
    for way in ways:
        most = most_cards(kind, paper, way)
        for grid in card_grids(kind, paper, way):
            if (
                len(grid.places) == most
                and max(map(abs, map(float.__sub__, size, grid.size))) < TOLERANCE_MM
                and footer == (grid.is_rising, grid.footer_mm)
                and _is_filled(seats, grid)
                and all(_is_mark_of(mark, grid) for mark in marks)
            ):
                return True
    return False


def _is_filled(seats: Sequence[FaceSeat], grid: CardGrid) -> bool:
    return len(seats) <= len(grid.places) and all(
        _are_near(seat.trim_box, trim) and _are_near(seat.shown, shown)
        for seat, (trim, shown) in zip(seats, grid.places, strict=False)
    )


def _is_mark_of(mark: Rect, grid: CardGrid) -> bool:
    """Return whether a mark reaches from where to where those of a grid do."""
    if mark.height_mm > mark.width_mm:
        start_mm, end_mm, ends = mark.y_mm, mark.bottom_mm, grid.down.marks_mm
    else:
        start_mm, end_mm, ends = mark.x_mm, mark.right_mm, grid.across.marks_mm
    return any(abs(start_mm - a) <= TOLERANCE_MM and abs(end_mm - b) <= TOLERANCE_MM for a, b in (ends[:2], ends[2:]))


def _are_near(one: Rect, other: Rect) -> bool:
    return all(abs(a - b) <= TOLERANCE_MM for a, b in zip(one.edges, other.edges, strict=True))


def is_in_the_middle(page: PageLayout, bleeds_mm: Sequence[float]) -> bool:
    """Return whether cards of several sizes lie in the middle of a page, all with the bleed and marks around them."""
    boxes = [seat.trim_box.grown(mm) for seat, mm in zip(page.seats, bleeds_mm, strict=True)]
    left, top, right, bottom = rect_around(boxes).edges
    width_mm, height_mm = page.size
    lengths = [max(mark.width_mm, mark.height_mm) for mark in _marks(page)]
    return (
        abs(left + right - width_mm) <= 2 * TOLERANCE_MM
        and abs(top + bottom - height_mm) <= 2 * TOLERANCE_MM
        and all(abs(length_mm - _SHARED_MARK_MM) <= TOLERANCE_MM for length_mm in lengths)
        and _show_their_bleed(page.seats, tuple(bleeds_mm))
    )


@lru_cache(maxsize=64)
def _show_their_bleed(seats: tuple[FaceSeat, ...], bleeds_mm: tuple[float, ...]) -> bool:
    """Return whether each card shows all of its bleed at each edge, or none where it touches a neighbour.

    Between cards that lie as near as cards in a grid may, each shows half of what is between them.
    """
    trims = [seat.trim_box for seat in seats]
    for seat, trim, bleed_mm in zip(seats, trims, bleeds_mm, strict=True):
        for at, (edge, end) in enumerate(zip(trim.edges, seat.shown.edges, strict=True)):
            shown_mm = abs(end - edge)
            gaps_mm = [abs(edge - other.edges[at - 2]) for other in trims]
            may_be_less = any(
                abs(gap_mm - 2 * shown_mm) <= TOLERANCE_MM and min(gap_mm, abs(gap_mm - _NARROW_MM)) <= TOLERANCE_MM
                for gap_mm in gaps_mm
            )
            if abs(shown_mm - bleed_mm) > TOLERANCE_MM and not may_be_less:
                return False
    return True


def shapes_of(faces: Iterable[ExpectedFace]) -> dict[str, str | None]:
    """Return the shape of each front; None where cards of several shapes look the same."""
    shapes: dict[str, str | None] = {}
    for face in faces:
        if shapes.setdefault(face.front.hash, face.shape) != face.shape:
            shapes[face.front.hash] = None
    return shapes


def check_grids(
    sides: Sequence[SheetSide],
    faces: Sequence[ExpectedFace],
    expected: Expected,
    sheets: ExpectedSheets,
) -> Iterator[Problem]:
    """Check where the cards of fronts lie, on how many sheets, and in which order: that of the piece, copies together.

    Cards of several sizes share sheets where that takes fewer of them; what such a sheet holds lies in its middle.
    """
    shapes = shapes_of(faces)
    if None in shapes.values():
        return  # which of them lies where cannot be known
    kinds = {face.front.hash: CardKind(face.front.trim, face.front.bleed_mm, face.shape) for face in faces}
    sides = [side for side in sides if not side.layout.folds]
    kinds_on = [[kinds[face.frame] for face in side.layout.faces if face.frame in kinds] for side in sides]
    counts = Counter(chain.from_iterable(kinds_on))
    sheets_needed = 0
    ways: dict[CardKind, Sequence[str]] = {}
    for kind, count in counts.items():
        ways[kind] = _gaps(kind, count, sheets) if len(counts) == 1 else GAPS
        sheets_needed += -(-count // max(1, most_cards(kind, sheets.paper, _roomiest(sheets.gaps))))
    if len(sides) > sheets_needed and not expected.fold_turn:
        yield fault("proof-placement", f"{sides[0].title!r} is on {len(sides)} sheets, not on {sheets_needed}")
    for side, of_faces in zip(sides, kinds_on, strict=True):
        on_page = list(dict.fromkeys(of_faces))
        if len(on_page) == 1:
            asked = on_page[0], sheets.paper, ways[on_page[0]]
            if is_in_grid(side.layout, *asked):
                continue
        bleeds = [kind.bleed_mm for kind in of_faces]
        if len(counts) < 2 or not is_in_the_middle(side.layout, bleeds):
            what = "its cards do not lie in the middle, as far apart and with such marks as their sizes give"
            yield fault("proof-placement", f"page {side.page}: {what}")
    if not expected.fold_turn and not any(side.is_back for side in sides):
        yield from _check_order(sides, faces, kinds)


def _roomiest(gaps: str) -> str:
    return "always" if gaps == "auto" else gaps


def _gaps(kind: CardKind, count: int, sheets: ExpectedSheets) -> Sequence[str]:
    """Return how far apart so many cards may lie: where gaps take more sheets, they have some or look alike."""
    if sheets.gaps != "auto":
        return (sheets.gaps,)
    most, wide = (most_cards(kind, sheets.paper, way) for way in GAPS[:2])
    if count < 2 or most < 2 or not wide:
        return ("most",)
    return GAPS if -(-count // wide) > -(-count // most) else GAPS[1:3]


def _check_order(
    sides: Sequence[SheetSide], faces: Sequence[ExpectedFace], kinds: Mapping[str, CardKind]
) -> Iterator[Problem]:
    """Check that cards of one size follow one another in the order of the piece, each with all of its copies."""
    for kind in dict.fromkeys(kinds.values()):
        wanted = [face.front.hash for face in faces for _ in range(face.copies) if kinds[face.front.hash] == kind]
        found = [(one.frame, side.page) for side in sides for one in side.layout.faces if kinds.get(one.frame) == kind]
        if wanted[: len(found)] == [frame for frame, _ in found]:
            continue
        names = {face.front.hash: face for face in reversed(faces)}
        for frame, (other, page) in zip(wanted, found, strict=False):
            if frame != other:
                what = f"page {page}: {names[other]} lies where {names[frame]} should, in the order of the piece"
                yield fault("proof-placement", what)
                break
