"""The marks around a tile: crop marks at the board's own edges, and at the seams marks with letters that must meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from duckpress.core.frame import Group, Item, Paint
from duckpress.core.geometry import Rect, translation
from duckpress.impose.cutlines import MARK_PAINT, Stroke, stroked
from duckpress.impose.duplex import turns_left_right
from duckpress.impose.footer import Typeset
from duckpress.impose.sheets import Turn
from duckpress.impose.tiles.tiling import MARK_MM, MARK_OFFSET_MM, Tile, Tiling

SEAM_PAINT = Paint(stroke="#000000", stroke_mm=0.3)
_LETTER_PT = 6.0
_LETTER_GAP_MM = 0.5
_CAPITAL_MM = 1.5  # height of a capital at 6 pt

Place = tuple[float, str]
"""Where a mark stands in one direction, and its letter: none for a crop mark."""


def tile_marks(tiling: Tiling, tile: Tile, typeset: Typeset, turned: Turn | None = None) -> Group:
    """Return the marks around a tile; with `turned`, those around its back, once the sheet is turned."""
    x_mm, y_mm, bleed = tile.slot
    wide_mm, high_mm = tiling.trim
    shown = bleed.around(Rect(x_mm, y_mm, wide_mm, high_mm))
    across_seams, down_seams = tiling.seams()
    letters = [chr(65 + index % 26) for index in range(len(across_seams) + len(down_seams))]
    across = _places(x_mm, wide_mm, shown.x_mm, shown.right_mm, across_seams, letters)
    down = _places(y_mm, high_mm, shown.y_mm, shown.bottom_mm, down_seams, letters[len(across_seams) :])
    if turned is not None:
        width_mm, height_mm = tiling.paper
        if turns_left_right(tiling.paper, turned):
            shown = shown._replace(x_mm=width_mm - shown.right_mm)
            across = [(width_mm - place_mm, letter) for place_mm, letter in across]
        else:
            shown = shown._replace(y_mm=height_mm - shown.bottom_mm)
            down = [(height_mm - place_mm, letter) for place_mm, letter in down]
    return Group((*_strokes(shown, across, down), *_letters(shown, across, down, typeset)))


def _places(
    start_mm: float, length_mm: float, from_mm: float, to_mm: float, seams: Sequence[float], letters: Sequence[str]
) -> list[Place]:
    """Return the marks that belong to what a tile shows: the board's edges and the seams that lie in it."""
    places = [(start_mm, ""), (start_mm + length_mm, "")]
    places += [(start_mm + seam_mm, letter) for seam_mm, letter in zip(seams, letters, strict=False)]
    return [(place_mm, letter) for place_mm, letter in places if from_mm - 1e-6 <= place_mm <= to_mm + 1e-6]


def _strokes(shown: Rect, across: Iterable[Place], down: Iterable[Place]) -> list[Item]:
    lines: dict[bool, list[Stroke]] = {False: [], True: []}
    near, far = MARK_OFFSET_MM, MARK_OFFSET_MM + MARK_MM
    for x_mm, letter in across:
        for y1_mm, y2_mm in ((shown.y_mm - near, shown.y_mm - far), (shown.bottom_mm + near, shown.bottom_mm + far)):
            lines[bool(letter)].append((x_mm, y1_mm, x_mm, y2_mm))
    for y_mm, letter in down:
        for x1_mm, x2_mm in ((shown.x_mm - near, shown.x_mm - far), (shown.right_mm + near, shown.right_mm + far)):
            lines[bool(letter)].append((x1_mm, y_mm, x2_mm, y_mm))
    paints = {False: MARK_PAINT, True: SEAM_PAINT}
    return [stroked(some, paints[is_seam]) for is_seam, some in lines.items() if some]


def _letters(shown: Rect, across: Iterable[Place], down: Iterable[Place], typeset: Typeset) -> list[Item]:
    """Return each seam's letter: to the right of an upright mark, above a level one."""
    items: list[Item] = []

    def put(letter: str, x_mm: float, y_mm: float) -> None:
        items.append(Group(typeset(letter, _LETTER_PT, True)[0], translation(x_mm, y_mm)))

    near, far = MARK_OFFSET_MM, MARK_OFFSET_MM + MARK_MM
    for x_mm, letter in across:
        if letter:
            put(letter, x_mm + _LETTER_GAP_MM, shown.y_mm - near - _LETTER_GAP_MM)
            put(letter, x_mm + _LETTER_GAP_MM, shown.bottom_mm + near + _LETTER_GAP_MM + _CAPITAL_MM)
    for y_mm, letter in down:
        if letter:
            put(letter, shown.x_mm - far, y_mm - _LETTER_GAP_MM)
            put(letter, shown.right_mm + near, y_mm - _LETTER_GAP_MM)
    return items
