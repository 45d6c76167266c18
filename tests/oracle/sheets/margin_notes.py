"""What a sheet's margins call its cards, held against the cards that lie on it: as many, in the order of reading."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from duckpress.core.geometry import Rect
from oracle.reading.around import Run
from oracle.reading.cutting import fold_of
from oracle.reading.marks import Painted
from oracle.reading.placing import FaceSeat, PageLayout

_CELL = re.compile(r"(.+?)(?: ×([0-9]+))?")
_ROW_MM = 1.0

Names = Mapping[str, Collection[str]]
"""What margins call the cards with a front, by its hash: several, where cards look alike."""


def margin_runs(page: PageLayout, names: Names) -> list[Run]:
    """Return the texts of a page that name cards and nothing else."""
    known = {name for some in names.values() for name in some}
    if not known:
        return []
    return [run for run in page.around.runs if known.issuperset(_cells([run]))]


def without(page: PageLayout, runs: Collection[Run]) -> PageLayout:
    """Return a page without some texts around its faces."""
    around = replace(page.around, runs=tuple(run for run in page.around.runs if run not in runs))
    return replace(page, around=around)


def margin_faults(page: PageLayout, runs: Sequence[Run], names: Names) -> Iterator[str]:
    """Yield what is wrong with the names in the margins of a page; where there was no room there are none."""
    fold = fold_of(page.folds)
    fronts = [one for one in page.faces if one.frame in names and (fold is None or fold.is_before(one.seat.shown))]
    if not runs:
        return
    rows: list[list[tuple[float, Collection[str]]]] = []
    top_mm = -_ROW_MM
    for one in sorted(fronts, key=lambda one: one.seat.trim_box.y_mm):
        box = one.seat.trim_box
        if not rows or box.y_mm - top_mm > _ROW_MM:
            top_mm = box.y_mm
            rows.append([])
        rows[-1].append((box.x_mm, names[one.frame]))
    wanted = [some for row in rows for _, some in sorted(row, key=lambda cell: cell[0])]
    said = _cells(runs)
    if len(said) != len(wanted) or any(name not in some for name, some in zip(said, wanted, strict=True)):
        yield f"its margins name {', '.join(said)}, not the cards that lie on it, row by row"
    for run in runs:
        others = [
            *(other.box for other in page.around.runs if other is not run),
            *(one.box for one in page.around.codes),
        ]
        if not all(box.is_apart(run.box) for box in others) or not is_clear(run.box, page.around.paths, page.seats):
            yield f"{run.words!r} lies on something else"


@lru_cache(maxsize=64)
def is_clear(box: Rect, paths: Sequence[Painted], seats: Sequence[FaceSeat]) -> bool:
    """Return whether a code, or a name, lies beside marks and faces."""
    boxes = [*(part.box for path in paths for part in path.parts), *(seat.shown for seat in seats)]
    return all(one.is_apart(box) for one in boxes)


def _cells(runs: Sequence[Run]) -> list[str]:
    """Return the names in texts, each as often as it counts."""
    said: list[str] = []
    for run in runs:
        for cell in re.split(r"\s*[·/]\s*", run.words.strip()):
            match = _CELL.fullmatch(cell)
            said += [match[1]] * int(match[2] or 1) if match is not None else [cell]
    return said
