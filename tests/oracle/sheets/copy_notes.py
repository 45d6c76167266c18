"""What says which copy of an edition a sheet belongs to, held against the number of the copy: a line.

It stands beside all else that is on the sheet; where there is no room for it, it is not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, item_bounds, path_bounds
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from oracle.reading.around import Run
from oracle.reading.placing import PageLayout
from oracle.sheets.expected_sheets import ExpectedCopy
from oracle.sheets.footers import squeezed

_COLOUR = "#000000"  # of the line: all other words of margins are grey
_ASCENT, _DESCENT = 0.74, 0.24  # of the type size: capitals, and what goes below the line


def without_copy(page: PageLayout) -> PageLayout:
    """Return a page without the line of a copy."""
    runs = tuple(run for run in page.around.runs if run.colour != _COLOUR)
    return replace(page, around=replace(page.around, runs=runs))


def copy_faults(
    page: PageLayout, copy: ExpectedCopy, pages: Mapping[str, Frame], drawings: Mapping[str, Drawing]
) -> Iterator[str]:
    """Yield what is wrong with the line of a copy on a page; `pages` are those that are read, by hash."""
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


@lru_cache(maxsize=8)
def _squeezed(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(squeezed, words))


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
