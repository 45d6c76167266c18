"""Where the tiles of a board have to lie: as few as the paper allows, equally long, each in the middle of its room.

That they are a whole board, and share enough, is `tiles`' to say.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from duckpress.core.geometry import Rect, Size
from duckpress.core.sizes import Paper
from duckpress.proof.expected import TOLERANCE_MM, ExpectedFace
from oracle.reading.placing import PageLayout
from oracle.sheets.footers import TILE_ROOM, footer_strip
from oracle.sheets.tile_notes import TilePlace

_EDGE_MM = 3.1  # from what is shown to the end of its marks


def order_faults(places: Sequence[TilePlace]) -> Iterator[str]:
    """Yield it where the tiles of a board do not follow one another row by row, those of each copy together."""
    numbers = [place.row * len(place.columns) + place.column for place in places]
    if numbers != [at % (len(places[0].columns) * len(places[0].rows)) for at in range(len(numbers))]:
        yield "the tiles do not follow one another row by row"


def place_faults(page: PageLayout, place: TilePlace, face: ExpectedFace, paper: Paper, turn: str) -> Iterator[str]:
    """Yield what is wrong with the place and the size of a tile on a front."""
    overlap_mm, trim = face.overlap_mm or 0.0, face.front.trim
    for spans in (place.columns, place.rows):
        lengths = [end - start for start, end in spans]
        shared = [one[1] - other[0] for one, other in pairwise(spans)]
        if max(lengths) - min(lengths) > TOLERANCE_MM or any(abs(mm - overlap_mm) > TOLERANCE_MM for mm in shared):
            yield f"the tiles are not equally long, or do not share just {overlap_mm:g} mm"
    strip = footer_strip(page, Rect(0.0, 0.0, *page.size).inside(paper.margins(page.size)), is_tile=True)
    if strip is None:
        return
    # Room for the footer of the back is kept where it has one, also while only fronts are printed.
    for way in (None, turn):
        room = _room(strip.printable, strip.is_rising, _is_twice(page.size, strip.is_rising, way))
        is_fewest = len(place.columns) * len(place.rows) == fewest_tiles(trim, overlap_mm, paper, way)
        if is_fewest and _is_in_the_middle(page, room, face.front.bleed_mm):
            return
    yield "the tile does not lie in the middle of its room, or is one of more than are needed"


def _is_in_the_middle(page: PageLayout, room: Rect, bleed_mm: float) -> bool:
    seat = page.faces[0].seat
    trim, shown = seat.trim_box, seat.shown
    left, top, right, bottom = shown.shared(trim).edges
    ends = (left - room.x_mm, top - room.y_mm, room.right_mm - right, room.bottom_mm - bottom)
    beyond = [abs(one - other) for one, other in zip(shown.edges, shown.shared(trim).edges, strict=True)]
    bleeds = [
        max(0.0, min(bleed_mm, end_mm - _EDGE_MM)) if abs(one - other) <= TOLERANCE_MM else 0.0
        for end_mm, one, other in zip(ends, (left, top, right, bottom), trim.edges, strict=True)
    ]
    return (
        abs(ends[0] - ends[2]) <= 2 * TOLERANCE_MM
        and abs(ends[1] - ends[3]) <= 2 * TOLERANCE_MM
        and all(abs(one - other) <= TOLERANCE_MM for one, other in zip(beyond, bleeds, strict=True))
    )


def _is_twice(size: Size, is_rising: bool, turn: str | None) -> bool:
    """Return whether turning a sheet brings the edge with its footer to the other side of the room."""
    turns_left_right = (size.width_mm <= size.height_mm) is (turn == "long")
    return turn is not None and turns_left_right is is_rising


def _room(printable: Rect, is_rising: bool, is_twice: bool) -> Rect:
    """Return what a footer leaves of what is printable, at its own edge and at that of the back's."""
    x_mm, y_mm, width_mm, height_mm = printable
    footer_mm = TILE_ROOM[1]
    if is_rising:
        return Rect(x_mm + footer_mm, y_mm, width_mm - footer_mm * (1 + is_twice), height_mm)
    return Rect(x_mm, y_mm + footer_mm * is_twice, width_mm, height_mm - footer_mm * (1 + is_twice))


@lru_cache(maxsize=64)
def fewest_tiles(trim: Size, overlap_mm: float, paper: Paper, turn: str | None) -> float:
    """Return how many tiles a board takes at least, of all ways to lay the paper and to put a footer on it."""
    counts = []
    for size in (paper.size, paper.size.turned()):
        printable = Rect(0.0, 0.0, *size).inside(paper.margins(size))
        for is_rising in (False, True):
            if (printable.height_mm if is_rising else printable.width_mm) >= TILE_ROOM[0]:
                room = _room(printable, is_rising, _is_twice(size, is_rising, turn))
                pairs = zip(trim, room[2:], strict=True)
                counts.append(math.prod(_tiles_along(mm, room_mm - 2 * _EDGE_MM, overlap_mm) for mm, room_mm in pairs))
    return min(counts, default=0.0)


def _tiles_along(length_mm: float, room_mm: float, overlap_mm: float) -> float:
    if length_mm <= room_mm + 1e-6:
        return 1
    if room_mm <= 2 * overlap_mm:
        return math.inf
    return math.ceil((length_mm - overlap_mm - 1e-6) / (room_mm - overlap_mm))
