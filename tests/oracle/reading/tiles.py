"""Tiled boards: from the parts that the sheets show, that every point of a board is printed and neighbours overlap.

Knows nothing of how the tiles were planned. Each part is read from a page: the matrix of the board's form, by which
all parts are at one scale (`placing` finds any other), and the clip that says how much of it the page shows. Parts
are taken in the order of the pages until they are a whole board, once for each copy. They are one if every part, made
smaller by half the overlap wherever the board goes on, still leaves nothing of the board uncovered: then neighbours
share at least the overlap along the whole of every seam.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.core.problems import Problem
from duckpress.proof.expected import TOLERANCE_MM, ExpectedFace, fault

Pair = tuple[str, str | None]
"""A front's frame and the frame behind it."""


class TilePart(Struct, frozen=True):
    """A part of a board on a page: its front and back, what of the front is shown (from its top left), and the page."""

    pair: Pair
    shown: Rect
    page: int


@lru_cache(maxsize=4096)
def shown_part(matrix: Matrix, shown: Rect, trim: Size) -> Rect | None:
    """Return what of a trim a page shows, counted from the trim's top left; None where it shows all of it."""
    part = matrix.inverse().around(shown)
    whole = Rect(0.0, 0.0, *trim)
    return None if part.holds(whole, TOLERANCE_MM) else part.shared(whole)


def count_boards(parts: Sequence[TilePart], faces: Mapping[str, ExpectedFace]) -> tuple[Counter[Pair], list[Problem]]:
    """Count the whole boards that parts make; problem `proof-tiles` for parts that are left over."""
    boards: Counter[Pair] = Counter()
    waiting: dict[Pair, list[TilePart]] = {}
    problems: list[Problem] = []
    for part in parts:
        face = faces[part.pair[0]]
        if face.overlap_mm is None:
            what = f"page {part.page} shows only a part of {face}, which is not to be tiled"
            problems.append(fault("proof-tiles", what))
            continue
        gathered = waiting.setdefault(part.pair, [])
        gathered.append(part)
        if uncovered([tile.shown for tile in gathered], face.front.trim, face.overlap_mm) is None:
            boards[part.pair] += 1
            gathered.clear()
    problems += [_left_over(rest, faces[front]) for (front, _), rest in waiting.items() if rest]
    return boards, problems


def uncovered(shown: Sequence[Rect], trim: Size, overlap_mm: float) -> Rect | None:
    """Return a part of a trim that no rectangle shows with half an overlap to spare; None where there is none."""
    inner = [_without_half_overlap(rect, trim, overlap_mm) for rect in shown]
    xs = sorted({0.0, trim.width_mm, *(edge for rect in inner for edge in (rect.x_mm, rect.right_mm))})
    ys = sorted({0.0, trim.height_mm, *(edge for rect in inner for edge in (rect.y_mm, rect.bottom_mm))})
    whole = Rect(0.0, 0.0, *trim)
    for left, right in pairwise(xs):
        for top, bottom in pairwise(ys):
            cell = Rect(left, top, right - left, bottom - top)
            is_seen = min(cell.width_mm, cell.height_mm) > TOLERANCE_MM and whole.holds(cell, TOLERANCE_MM)
            if is_seen and not any(rect.holds(cell, TOLERANCE_MM) for rect in inner):
                return cell
    return None


def _without_half_overlap(rect: Rect, trim: Size, overlap_mm: float) -> Rect:
    """Return a rectangle made smaller on each side that does not lie at the trim's edge."""
    half_mm = max(0.0, overlap_mm / 2 - TOLERANCE_MM)
    left = rect.x_mm + (half_mm if rect.x_mm > TOLERANCE_MM else 0.0)
    top = rect.y_mm + (half_mm if rect.y_mm > TOLERANCE_MM else 0.0)
    right = rect.right_mm - (half_mm if rect.right_mm < trim.width_mm - TOLERANCE_MM else 0.0)
    bottom = rect.bottom_mm - (half_mm if rect.bottom_mm < trim.height_mm - TOLERANCE_MM else 0.0)
    return Rect(left, top, max(0.0, right - left), max(0.0, bottom - top))


def _left_over(rest: Sequence[TilePart], face: ExpectedFace) -> Problem:
    rects, overlap_mm = [part.shown for part in rest], face.overlap_mm or 0.0
    missing = uncovered(rects, face.front.trim, 0.0)
    gap = missing or uncovered(rects, face.front.trim, overlap_mm)
    pages = f"pages {rest[0].page} to {rest[-1].page}"
    if gap is None:
        return fault("proof-tiles", f"{face}: the tiles on {pages} are no board")
    place = f"{gap.x_mm:.1f}..{gap.right_mm:.1f} mm across, {gap.y_mm:.1f}..{gap.bottom_mm:.1f} mm down"
    what = "is on none of them" if missing else f"is shared by less than {overlap_mm:g} mm of two tiles"
    return fault("proof-tiles", f"{face}: of the tiles on {pages}, {place} {what}")
