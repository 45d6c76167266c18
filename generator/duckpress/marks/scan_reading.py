"""Scans or a PDF of sheets -> the copy that each page is of, by the keys of editions.

Files of pictures often do not say how many pixels are an inch, or wrongly. So a page in which no dots are found is
looked at again as if it were all of a sheet of the usual papers, and as if it had what scanners are usually set to; and
then for fainter dots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from duckpress import pool
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.sizes import paper_of
from duckpress.core.units import MM_PER_INCH
from duckpress.marks.dot_reading import DotReading, read_dots
from duckpress.marks.scan_pages import LEAST_DPI, MOST_DPI, PageDots, PageTask, ScanFile, scanned_pages
from duckpress.pool import Lost, ProcessPool, Work, jobs

_CONTRAST, _FAINT = 24, 12  # of 255: of a good print; of a pale one
_USUAL_DPI = (300, 600, 200, 150, 400)
_USUAL_PAPERS = ("a4", "letter", "a3")
_ALIKE = 0.02  # what differs less is found by looking once


class ScanReading(NamedTuple):
    """What was read on a page, counted from 0; `why` says why it could not be looked at."""

    page: int
    reading: DotReading
    why: str = ""


def read_scan(file: ScanFile, keys: Sequence[bytes]) -> Iterator[ScanReading]:
    """Yield what is read on each page of a file, as it is read. Raises `MachineError`."""
    work = Work(scanned_pages, file, PageTask, PageDots)
    waiting: dict[int, list[PageTask]] = {}
    best: dict[int, DotReading] = {}
    with ProcessPool(work, max(1, jobs()) if jobs() else 0) as workers:
        workers.add([PageTask(0, 0.0, _CONTRAST)])
        for event in workers.events():
            page = event.task.page
            if isinstance(event, Lost):
                yield ScanReading(page, best.get(page, DotReading(None)), _why(event))
                continue
            dots = event.result
            if page == 0 and page not in waiting:
                workers.add([PageTask(other, 0.0, _CONTRAST) for other in range(1, dots.pages)])
            if dots.why:
                yield ScanReading(page, DotReading(None), dots.why)
                continue
            left = waiting.setdefault(page, list(_other_ways(page, dots)))
            reading = DotReading(None)
            if dots.is_sure:  # that which was never on paper lies as it was planned, mostly
                reading = read_dots(dots.points, keys, most_degrees=0.0, most_scale=0.0)
            if reading.number is None:
                reading = read_dots(dots.points, keys)
            best[page] = max(best.get(page, reading), reading, key=lambda one: (one.number is not None, one.agree))
            if best[page].number is None and best[page].is_marked:
                left[:] = [task for task in left if task.dpi == event.task.dpi]
            if best[page].number is not None or not left:
                yield ScanReading(page, best[page])
            else:
                workers.add([left.pop(0)])


def _other_ways(page: int, dots: PageDots) -> Iterator[PageTask]:
    """Yield how else a page may be looked at, the likeliest first."""
    sizes = [dots.dpi or float(_USUAL_DPI[0])]
    longest, shortest = max(dots.across, dots.down), min(dots.across, dots.down)
    for paper in map(paper_of, _USUAL_PAPERS):
        sizes += [longest / paper.size.height_mm * MM_PER_INCH, shortest / paper.size.width_mm * MM_PER_INCH]
    different: list[float] = []
    for dpi in sizes[:1] if dots.is_sure else (*sizes, *map(float, _USUAL_DPI)):
        if LEAST_DPI <= dpi <= MOST_DPI and all(abs(dpi / other - 1) > _ALIKE for other in different):
            different.append(dpi)
    for contrast in (_CONTRAST, _FAINT):
        for dpi in different:
            if (dpi, contrast) != (sizes[0], _CONTRAST):  # looked at first
                yield PageTask(page, 0.0 if dpi == sizes[0] else dpi, contrast)


def _why(lost: Lost[PageTask]) -> str:
    if lost.why in (pool.TOO_LONG, pool.ALL_TOO_LONG):
        name = pool.SECONDS if lost.why == pool.TOO_LONG else pool.ALL_SECONDS
        return f"it takes longer than {limit(name)} seconds; {how_to_raise(name)}"
    if lost.why == pool.TOO_LARGE:
        return f"it takes too much memory; {how_to_raise(pool.MEMORY)}"
    return f"the process that looked at it broke down ({lost.words or 'it is gone'})"
