"""What says which copy of an edition a sheet belongs to, held against the number of the copy: a line, and dots.

Both stand beside all else that is on the sheet, and where there is no room for one of them it is not there; a side with
much room has dots. These are read like those of a scan, but for their places, which are known.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from duckpress.core.bounds import item_bounds, path_bounds
from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, Paint
from duckpress.core.geometry import IDENTITY, Matrix, Point, Rect
from oracle.reading.around import Run
from oracle.reading.marks import Painted
from oracle.reading.placing import PageLayout
from oracle.sheets.expected_sheets import ExpectedCopy
from oracle.sheets.footers import squeezed

_COLOUR = "#000000"  # of the line: all other words of margins are grey
_DOT_PAINT, _DOT_MM = Paint("#000000"), 0.15
_CLEAR_MM = 0.5
_FAR_MM, _MANY_DOTS = 1.5, 200  # with so much room left between them and all else, a side surely holds dots
_NEAR_MM = 0.002
_ASCENT, _DESCENT = 0.74, 0.24  # of the type size: capitals, and what goes below the line


def without_copy(page: PageLayout) -> PageLayout:
    """Return a page without the line and the dots of a copy."""
    runs = tuple(run for run in page.around.runs if run.colour != _COLOUR)
    paths = tuple(path for path in page.around.paths if not _is_dots(path))
    return replace(page, around=replace(page.around, runs=runs, paths=paths))


def copy_faults(
    page: PageLayout, copy: ExpectedCopy, pages: Mapping[str, Frame], drawings: Mapping[str, Drawing]
) -> Iterator[str]:
    """Yield what is wrong with the line and the dots of a copy on a page; `pages` are those that are read, by hash."""
    plain, runs = without_copy(page), [run for run in page.around.runs if run.colour == _COLOUR]
    said = squeezed("".join(run.words for run in runs))
    if runs and said not in _squeezed(copy.words):
        yield f"it says {said!r} of its copy, not {next(iter(copy.words), 'nothing')!r}"
    boxes = [_letters(run) for run in plain.around.runs] + [code.box for code in plain.around.codes]
    boxes += [part.box for path in plain.around.paths for part in path.parts]
    for key, seat in plain.faces:
        if key in pages:
            boxes += [seat.matrix.around(box) for box in _ink(pages[key].items, IDENTITY, drawings)]
        else:
            boxes.append(seat.shown)
    for run in runs:
        if not all(box.is_apart(_letters(run)) for box in boxes):
            yield f"{run.words!r} lies on something else"
    dots = tuple([part.box for path in page.around.paths if _is_dots(path) for part in path.parts])
    boxes += map(_letters, runs)
    if dots:
        yield from _dot_faults(dots, boxes, copy)
    elif copy.key and boxes and _is_roomy(page.printable, tuple(boxes)):
        yield "it has much room for the dots of a copy, and none"


@lru_cache(maxsize=64)
def _is_roomy(printable: Rect, boxes: tuple[Rect, ...]) -> bool:
    """Return whether there is more than enough room for dots, far from everything else."""
    from duckpress.marks import free_cells

    free = free_cells(printable, [box.grown(_FAR_MM) for box in boxes])
    return free is not None and len(free.cells) >= _MANY_DOTS


def _dot_faults(dots: tuple[Rect, ...], boxes: Sequence[Rect], copy: ExpectedCopy) -> Iterator[str]:
    """Yield what is wrong with dots, beside other things."""
    if not _are_dots(dots):
        yield "a dot is larger or smaller than dots are"
    middles, number = _read_dots(dots, copy.key)
    if number is None or number != copy.number:
        yield f"its dots say copy {number}, not {copy.number}"
    columns = [x for x, _ in middles]
    for box in boxes:
        left, top, right, bottom = box.grown(_CLEAR_MM + _DOT_MM / 2 - _NEAR_MM).edges
        for x, y in middles[bisect_left(columns, left) : bisect_right(columns, right)]:
            if top < y < bottom:
                yield f"the dot {x:.1f} mm across, {y:.1f} mm down is too near to something else"


def _are_dots(boxes: Sequence[Rect]) -> bool:
    """Return whether all are as large as dots."""
    sides_mm = [side_mm for box in boxes for side_mm in box[2:]]
    return max(sides_mm) <= _DOT_MM + _NEAR_MM and min(sides_mm) >= _DOT_MM - _NEAR_MM


@lru_cache(maxsize=8)  # many sides of a copy have theirs in the same places
def _read_dots(dots: tuple[Rect, ...], key: bytes) -> tuple[list[Point], int | None]:
    """Return the middles of dots, in order, and the number that they say."""
    from duckpress.marks import read_upright  # most files have none

    middles = sorted([(x + width / 2, y + height / 2) for x, y, width, height in dots])
    return middles, read_upright(middles, key).number if key else None


@lru_cache(maxsize=8)
def _squeezed(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(squeezed, words))


def _is_dots(path: Painted) -> bool:
    return not path.layer and path.paint == _DOT_PAINT and {part.kinds for part in path.parts} == {"r"}


def _letters(run: Run) -> Rect:
    """Return the box of a text as high as its letters, of which fonts say more."""
    (x, y, width, height), high, low = run.box, _ASCENT * run.size_mm, _DESCENT * run.size_mm
    if run.degrees in (90, 270):
        left = run.x_mm - (high if run.degrees == 270 else low)
        return Rect(left, y, high + low, height)
    return Rect(x, run.y_mm - (low if run.degrees == 180 else high), width, high + low)


def _ink(items: Sequence[Item], matrix: Matrix, drawings: Mapping[str, Drawing]) -> Iterator[Rect]:
    """Yield boxes around what a page that is read shows, one for each part of a path."""
    for item in items:
        if isinstance(item, Group):
            yield from _ink(item.items, matrix.after(item.matrix), drawings)
        elif isinstance(item, Outline):
            margin_mm = item.paint.stroke_mm / 2 if item.paint.stroke else 0.0
            for part in item.path.subpaths():
                if (box := path_bounds(part, margin_mm)) is not None:
                    yield matrix.around(box)
        elif (box := item_bounds(item, drawings)) is not None:
            yield matrix.around(box)
