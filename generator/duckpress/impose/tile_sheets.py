"""The sheets of a tiled board: one tile a sheet, its back behind it, with marks, footer and map.

At the board's own edges stand crop marks, at the seams marks with letters that must meet. The footer says what every
footer says, how the tile is joined to its neighbours, and shows a map of the tiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from duckpress.core.frame import Group, Item, Outline, Paint
from duckpress.core.geometry import Rect, translation
from duckpress.core.paths import Path, joined, rectangle
from duckpress.impose.footer import COLOUR, TEXT_PT, Typeset, set_row
from duckpress.impose.job import ImpositionJob, Layout, SheetPlan
from duckpress.impose.marks import MARK_PAINT, ends_beside, marks_at, stroked
from duckpress.impose.sheets import CUT_LAYER, Layer, turns_left_right
from duckpress.impose.tiling import (
    MAP_ROOM_MM,
    MAP_WIDEST_MM,
    MARK_MM,
    MARK_OFFSET_MM,
    STRIP_MM,
    Tile,
    Tiling,
    plan_tiles,
)
from duckpress.language import program

SEAM_PAINT = Paint(stroke="#000000", stroke_mm=0.3)
_LETTER_PT = 6.0
_LETTER_GAP_MM = 0.5
_CAPITAL_MM = 1.5  # height of a capital at 6 pt
_BASELINE_MM = 6.4
_MAP_MM = STRIP_MM - 0.2
_MAP_PAINT = Paint(stroke=COLOUR, stroke_mm=0.15)
_HERE_PAINT = Paint(fill=COLOUR)

# What to do with a tile: the upper and the left edge are cut at the seam and laid over the neighbour.
_JOINING = {
    (False, False): program.JOIN_FIRST,
    (True, False): program.JOIN_LEFT,
    (False, True): program.JOIN_UPPER,
    (True, True): program.JOIN_BOTH,
}

_Places = Sequence[tuple[float, str]]
"""Where marks stand in one direction, each with its letter: none for a crop mark."""


def tile_layout(job: ImpositionJob, index: int) -> Layout:
    """Return a face in tiles, as often as it has copies: all tiles of one copy, then those of the next."""
    face = job.faces[index]
    tiling = plan_tiles(face.format, job.paper, face.overlap_mm or 0.0, job.planned_turn)
    if tiling is None:
        raise ValueError(f"{face.format.trim} cannot be tiled on {job.paper.name}")

    def plan(tile: Tile) -> SheetPlan:
        return SheetPlan(
            [(index, tile.slot)],
            lambda is_back: (Layer(CUT_LAYER, (_tile_marks(job, tiling, tile, is_back=is_back),)),),
            lambda is_back: (*_joining(job, tiling, tile), *_map(job, tiling, tile, is_back=is_back)),
        )

    tiles = tiling.tiles() * face.copies
    return Layout(job, tiling.way, len(tiles), map(plan, tiles), MAP_ROOM_MM)


def _joining(job: ImpositionJob, tiling: Tiling, tile: Tile) -> list[Item]:
    """Return the line that says which tile this is, and what to do with it."""
    said, at = job.label.speech.program, tile.row * len(tiling.columns) + tile.column + 1
    name = said(program.TILE, {"number": at, "total": tiling.tile_count})
    where = said(program.TILE_PLACE, {"row": tile.row + 1, "column": tile.column + 1})
    join = said(_JOINING[tile.column > 0, tile.row > 0])
    parts = (job.typeset(name, TEXT_PT, True), job.typeset(f"· {where} · {join}", TEXT_PT, False))
    return set_row(parts, _BASELINE_MM, tiling.way.line_mm - MAP_ROOM_MM)


def _map(job: ImpositionJob, tiling: Tiling, tile: Tile, *, is_back: bool) -> list[Item]:
    """Return the board in small as this side is read, with this tile filled."""
    columns, rows = len(tiling.columns), len(tiling.rows)
    shape = tiling.trim.width_mm / tiling.trim.height_mm
    width_mm = min(MAP_WIDEST_MM, _MAP_MM * shape)
    height_mm = width_mm / shape
    wide_mm, high_mm = width_mm / columns, height_mm / rows
    left_mm, top_mm = tiling.way.line_mm - width_mm - 0.1, (STRIP_MM - height_mm) / 2

    def box(column: int, row: int) -> Path:
        return rectangle(left_mm + column * wide_mm, top_mm + row * high_mm, wide_mm, high_mm, is_mark=True)

    here = box(tile.column, tile.row)
    if is_back and turns_left_right(tiling.way.paper, job.turn):
        here = box(columns - 1 - tile.column, tile.row)
    elif is_back:
        here = box(tile.column, rows - 1 - tile.row)
    cells = (box(column, row) for row in range(rows) for column in range(columns))
    return [Outline(here, _HERE_PAINT), Outline(joined(cells), _MAP_PAINT)]


def _tile_marks(job: ImpositionJob, tiling: Tiling, tile: Tile, *, is_back: bool) -> Group:
    """Return the marks around a tile, or around its back, once the sheet is turned."""
    x_mm, y_mm, bleed = tile.slot
    (wide_mm, high_mm), (width_mm, height_mm) = tiling.trim, tiling.way.paper
    shown = bleed.around(Rect(x_mm, y_mm, wide_mm, high_mm))
    across_seams, down_seams = tiling.seams()
    letters = [chr(65 + index % 26) for index in range(len(across_seams) + len(down_seams))]
    across_letters, down_letters = letters[: len(across_seams)], letters[len(across_seams) :]
    across = _places(x_mm, wide_mm, shown.x_mm, shown.right_mm, zip(across_seams, across_letters, strict=True))
    down = _places(y_mm, high_mm, shown.y_mm, shown.bottom_mm, zip(down_seams, down_letters, strict=True))
    if is_back and turns_left_right(tiling.way.paper, job.turn):
        shown = shown._replace(x_mm=width_mm - shown.right_mm)
        across = [(width_mm - place_mm, letter) for place_mm, letter in across]
    elif is_back:
        shown = shown._replace(y_mm=height_mm - shown.bottom_mm)
        down = [(height_mm - place_mm, letter) for place_mm, letter in down]
    return Group((*_strokes(shown, across, down), *_letters(shown, across, down, job.typeset)))


def _places(
    start_mm: float, length_mm: float, from_mm: float, to_mm: float, seams: Iterable[tuple[float, str]]
) -> _Places:
    """Return the marks that belong to what a tile shows: the board's edges and the seams that lie in it."""
    places = [(start_mm, ""), (start_mm + length_mm, ""), *((start_mm + seam_mm, letter) for seam_mm, letter in seams)]
    return [(place_mm, letter) for place_mm, letter in places if from_mm - 1e-6 <= place_mm <= to_mm + 1e-6]


def _strokes(shown: Rect, across: _Places, down: _Places) -> list[Item]:
    """Return the crop marks and the marks of seams."""
    ends = ends_beside(shown, MARK_OFFSET_MM, MARK_OFFSET_MM + MARK_MM)
    items: list[Item] = []
    for is_seam, paint in ((False, MARK_PAINT), (True, SEAM_PAINT)):
        columns, rows = ([place_mm for place_mm, letter in some if bool(letter) is is_seam] for some in (across, down))
        strokes = marks_at(columns, rows, *ends)
        items += [stroked(strokes, paint)] if strokes else []
    return items


def _letters(shown: Rect, across: _Places, down: _Places, typeset: Typeset) -> list[Item]:
    """Return each seam's letter: to the right of an upright mark, above a level one."""
    near_mm, far_mm = MARK_OFFSET_MM, MARK_OFFSET_MM + MARK_MM
    ys_mm = (shown.y_mm - near_mm - _LETTER_GAP_MM, shown.bottom_mm + near_mm + _LETTER_GAP_MM + _CAPITAL_MM)
    xs_mm = (shown.x_mm - far_mm, shown.right_mm + near_mm)
    places = [(letter, x_mm + _LETTER_GAP_MM, y_mm) for x_mm, letter in across if letter for y_mm in ys_mm]
    places += [(letter, x_mm, y_mm - _LETTER_GAP_MM) for y_mm, letter in down if letter for x_mm in xs_mm]
    return [Group(typeset(letter, _LETTER_PT, True)[0], translation(x_mm, y_mm)) for letter, x_mm, y_mm in places]
