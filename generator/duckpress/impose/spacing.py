"""Room between cards where it costs no paper.

A grid that holds most cards is often butted: three poker cards across leave 9.5 mm of A4's 200 mm printable, and marks
at both ends take 2.65 mm of it, so that six edges could show 1.1 mm of bleed at most, where a sheet may drift by 2 mm.
With full bleed on all sides eight cards lie on the same paper. So for each piece both grids are counted out: where the
roomy one takes no more sheets it is taken, unless the cards look alike at their edges. Then a drift shows nothing, and
a butted grid needs half the cuts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from duckpress.impose.job import ImpositionJob
from duckpress.impose.sheets import Gaps


class Laid(Protocol):
    """A way to lay cards on a sheet: a grid, or half of a folded sheet."""

    @property
    def capacity(self) -> int:
        """How many cards a sheet holds."""
        ...


_Laid = TypeVar("_Laid", bound=Laid)


def roomier(job: ImpositionJob, grid: _Laid, indexes: Sequence[int], fit: Callable[[Gaps], _Laid | None]) -> _Laid:
    """Return the grid for these faces (copies repeated): under `Gaps.AUTO` it may be roomier than the one given."""
    if job.manner.gaps is not Gaps.AUTO:
        return grid

    def sheets(one: Laid) -> int:
        return math.ceil(len(indexes) / one.capacity)

    wide = fit(Gaps.ALWAYS)
    if wide is None or sheets(wide) > sheets(grid) or not _has_neighbours(grid, len(indexes)):
        return grid
    close = fit(Gaps.NEVER)
    if close is not None and sheets(close) <= sheets(grid) and _are_alike(job, indexes):
        return close
    return wide


def _has_neighbours(grid: Laid, count: int) -> bool:
    return count > 1 and grid.capacity > 1


def _are_alike(job: ImpositionJob, indexes: Sequence[int]) -> bool:
    """Return whether all faces, and all backs where they have any, are of one colour at their edges."""
    rims, faces = job.manner.rims, [job.faces[index] for index in dict.fromkeys(indexes)]
    if rims is None:
        return False
    backs = [face.back for face in faces]
    if None in backs and any(backs):
        return False  # beside an empty place there is paper
    return rims.are_alike(face.front for face in faces) and rims.are_alike(back for back in backs if back is not None)
