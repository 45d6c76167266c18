"""What is printed around the tiles of a board: the footers that say which they are, seams with letters, a map.

All of it follows from what the tiles of the board show: that they are a whole board is proven with every file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.core.frame import Paint
from duckpress.core.geometry import Matrix, Point, Rect
from duckpress.core.language import program
from oracle.reading.placing import FaceSeat, Lying, PageLayout, shown_part
from oracle.sheets.expected import ExpectedSheets
from oracle.sheets.footers import MAP_ROOM_MM, FooterStrip, footer_runs

SEAM_PAINT = Paint(None, "#000000", 0.3)
_MAP_PAINT, _HERE_PAINT = Paint(None, "#333333", 0.15), Paint("#333333")
_NEAR_MM = 0.06
_MAP_MM = (16.0, 6.9)  # at most so wide, or so high
_JOINING = {
    (False, False): program.JOIN_FIRST,
    (True, False): program.JOIN_LEFT,
    (False, True): program.JOIN_UPPER,
    (True, True): program.JOIN_BOTH,
}


class TilePlace(NamedTuple):
    """A tile: what of the board it shows, and the parts that all columns and all rows show, from start to end."""

    part: Rect
    columns: tuple[Point, ...]
    rows: tuple[Point, ...]

    @property
    def column(self) -> int:
        return self.columns.index((self.part.x_mm, self.part.right_mm))

    @property
    def row(self) -> int:
        return self.rows.index((self.part.y_mm, self.part.bottom_mm))

    def words(self, sheets: ExpectedSheets) -> tuple[str, str]:
        """Return what its footer must say of it."""
        number, total = self.row * len(self.columns) + self.column + 1, len(self.columns) * len(self.rows)
        where = sheets.say(program.TILE_PLACE, {"row": self.row + 1, "column": self.column + 1})
        join = sheets.say(_JOINING[self.column > 0, self.row > 0])
        return sheets.say(program.TILE, {"number": number, "total": total}), f"· {where} · {join}"


def tile_places(pages: Sequence[tuple[PageLayout, bool]]) -> list[TilePlace | None]:
    """Return for each page of a piece, and whether it is a back, which tile it shows: None where it shows none.

    Where a board goes on behind itself, left is right: the first column of its back lies behind the last of its front.
    """
    parts: list[tuple[str, Rect] | None] = []
    for page, is_back in pages:
        seat = page.faces[0].seat if len(page.faces) == 1 else None
        part = shown_part(seat.matrix, seat.shown, seat.trim) if seat is not None else None
        if part is not None and seat is not None:
            x_mm = seat.trim.width_mm - part.right_mm if is_back else part.x_mm
            part = Rect(*(round(number, 2) for number in (x_mm, *part[1:])))
        parts.append(None if part is None else (page.faces[0].frame, part))
    boards: dict[str, list[Rect]] = {}
    for frame, part in filter(None, parts):
        boards.setdefault(frame, []).append(part)
    columns = {key: tuple(sorted({(part.x_mm, part.right_mm) for part in some})) for key, some in boards.items()}
    rows = {key: tuple(sorted({(part.y_mm, part.bottom_mm) for part in some})) for key, some in boards.items()}
    return [None if one is None else TilePlace(one[1], columns[one[0]], rows[one[0]]) for one in parts]


def behind_tile(front: PageLayout, back: PageLayout, *, mirrors_x: bool) -> PageLayout:
    """Return a back without faces as if a tile had its board's back there: it says what its front does.

    That is a board without a back, among faces that have one. Any other back is returned as it is.
    """
    if back.faces or len(front.faces) != 1:
        return back
    ((frame, seat),) = front.faces
    if shown_part(seat.matrix, seat.shown, seat.trim) is None:
        return back
    (width_mm, height_mm), box, shown = front.size, seat.trim_box, seat.shown
    if mirrors_x:
        matrix = Matrix(e=width_mm - box.right_mm, f=box.y_mm)
        shown = shown._replace(x_mm=width_mm - shown.right_mm)
    else:
        matrix = Matrix(-1.0, 0.0, 0.0, -1.0, box.right_mm, height_mm - box.y_mm)
        shown = shown._replace(y_mm=height_mm - shown.bottom_mm)
    return replace(back, faces=(Lying(frame, FaceSeat(matrix, seat.trim, shown)),))


def tile_faults(page: PageLayout, place: TilePlace, strip: FooterStrip, *, is_back: bool) -> Iterator[str]:
    """Yield what is wrong with the map, the seams and their letters on a page with a tile."""
    seat = page.faces[0].seat
    yield from _map_faults(page, place, strip, seat)
    trim, shown = seat.trim_box, seat.shown
    count = len(place.columns) - 1
    seams = [(one[1] + other[0]) / 2 for places in (place.columns, place.rows) for one, other in pairwise(places)]
    # As the page is read, a back is mirrored about the axis that its sheet is turned about.
    corner, far = seat.matrix.apply(0.0, 0.0), seat.matrix.apply(*seat.trim)
    mirrors_x, mirrors_y = is_back and far[0] > corner[0], is_back and far[0] < corner[0]
    letters: list[tuple[str, float, float]] = []
    strokes = []
    for at, seam_mm in enumerate(seams):
        letter = chr(65 + at % 26)
        if at < count:
            x_mm = trim.right_mm - seam_mm if mirrors_x else trim.x_mm + seam_mm
            if shown.x_mm <= x_mm <= shown.right_mm:
                strokes += [(x_mm, shown.y_mm - 3.0, x_mm, shown.y_mm - 0.5)]
                strokes += [(x_mm, shown.bottom_mm + 0.5, x_mm, shown.bottom_mm + 3.0)]
                letters += [(letter, x_mm + 0.5, y_mm) for y_mm in (shown.y_mm - 1.0, shown.bottom_mm + 2.5)]
        else:
            y_mm = trim.bottom_mm - seam_mm if mirrors_y else trim.y_mm + seam_mm
            if shown.y_mm <= y_mm <= shown.bottom_mm:
                strokes += [(shown.x_mm - 3.0, y_mm, shown.x_mm - 0.5, y_mm)]
                strokes += [(shown.right_mm + 0.5, y_mm, shown.right_mm + 3.0, y_mm)]
                letters += [(letter, x_mm, y_mm - 0.5) for x_mm in (shown.x_mm - 3.0, shown.right_mm + 0.5)]
    drawn = [part.box for path in page.around.strokes("L-cut") if path.paint == SEAM_PAINT for part in path.parts]
    if not _are_near([(box.x_mm, box.y_mm, box.right_mm, box.bottom_mm) for box in drawn], strokes):
        yield "the marks at the seams are not in the middle of what neighbours share"
    footer = footer_runs(page, strip)
    runs = [run for run in page.around.runs if run not in footer]
    if sorted(run.words for run in runs) != sorted(letter for letter, _, _ in letters) or not _are_near(
        [(ord(run.words), run.x_mm, run.y_mm) for run in runs], [(ord(letter), x, y) for letter, x, y in letters]
    ):
        yield "the letters of the seams do not stand beside their marks"


def _map_faults(page: PageLayout, place: TilePlace, strip: FooterStrip, seat: FaceSeat) -> Iterator[str]:
    """Yield it where the map does not show where on the board the tile lies, as this side is read."""
    columns, rows = len(place.columns), len(place.rows)
    shape = seat.trim.width_mm / seat.trim.height_mm
    width_mm = min(_MAP_MM[0], _MAP_MM[1] * shape)
    wide_mm, high_mm = width_mm / columns, width_mm / shape / rows
    left_mm = strip.length_mm + MAP_ROOM_MM - width_mm - 0.1
    top_mm = (strip.shape.depth_mm - width_mm / shape) / 2
    box, shown = seat.trim_box, seat.shown.shared(seat.trim_box)
    before_mm, behind_mm = shown.x_mm - box.x_mm, box.right_mm - shown.right_mm
    above_mm, below_mm = shown.y_mm - box.y_mm, box.bottom_mm - shown.bottom_mm
    # Tiles are equally long: what lies before one of them, of all that is hidden, says which it is.
    column = round((columns - 1) * before_mm / ((before_mm + behind_mm) or 1))
    row = round((rows - 1) * above_mm / ((above_mm + below_mm) or 1))

    def cell(column: int, row: int) -> tuple[float, ...]:
        x_mm, y_mm = left_mm + column * wide_mm, top_mm + row * high_mm
        return x_mm, y_mm, x_mm + wide_mm, y_mm + high_mm

    wanted = (
        (_HERE_PAINT, [cell(column, row)]),
        (_MAP_PAINT, [cell(column, row) for row in range(rows) for column in range(columns)]),
    )
    for paint, cells in wanted:
        parts = [part for path in page.around.paths if path.paint == paint for part in path.parts if part.kinds == "r"]
        drawn = [[strip.place(*corner) for corner in part.box.corners] for part in parts]
        if not _are_near([(*min(corners), *max(corners)) for corners in drawn], cells):
            yield "the map does not show where on the board this tile lies"
            return


def _are_near(some: Sequence[Sequence[float]], others: Sequence[Sequence[float]]) -> bool:
    """Return whether two lists of numbers are the same but for their order and what is smaller than the eye sees."""
    left = list(others)
    for one in some:
        match = next((o for o in left if all(abs(a - b) <= _NEAR_MM for a, b in zip(one, o, strict=True))), None)
        if match is None:
            return False
        left.remove(match)
    return not left
