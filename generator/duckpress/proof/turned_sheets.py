"""Sheets turned over, glued or folded as whoever prints them does it: which frame lies exactly behind each front."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from duckpress.core.geometry import Point, Rect
from duckpress.proof.cuts import fold_of
from duckpress.proof.expected import TOLERANCE_MM, Expected, FrameOfCard
from duckpress.proof.planned_pages import Lying, PlannedPage, Seat


class Meeting(NamedTuple):
    """What lies on one place of a sheet in the end: a front with the back exactly behind it, or a back behind no front.

    `page` and `seat` are the front's; the back's where there is no front.
    """

    page: int
    seat: Seat
    front: FrameOfCard | None
    back: FrameOfCard | None


def turned_sheets(pages: Sequence[PlannedPage], expected: Expected) -> Iterator[Meeting]:
    """Yield what meets on all sheets."""
    if expected.duplex is not None:
        for front, back in zip(pages[::2], pages[1::2], strict=False):
            yield from _turned_over(front, back, expected.duplex)
    elif expected.fold_turn is not None:
        yield from _folded_or_glued(pages, expected.fold_turn, expected)
    else:
        for page in pages:
            yield from _alone(page)


def _alone(page: PlannedPage) -> Iterator[Meeting]:
    return (Meeting(page.number, seat, face, None) for face, seat in page.faces)


def _folded_or_glued(pages: Sequence[PlannedPage], turn: str, expected: Expected) -> Iterator[Meeting]:
    """Yield the same of sheets that are folded where they show a fold, else glued to the next one if it holds backs."""
    backed = {face.front.hash for face in expected.faces if face.back is not None}
    left = list(reversed(pages))
    while left:
        page = left.pop()
        after, fold = left[-1] if left else None, fold_of(page)
        if fold is not None:
            fronts = [lying for lying in page.faces if fold.is_before(lying[1].shown)]
            backs = [lying for lying in page.faces if not fold.is_before(lying[1].shown)]
            yield from _matched((page.number, fronts), (page.number, backs), 2 * fold.at_mm, mirrors_x=fold.is_upright)
        elif after is not None and any(face.frame.hash in backed for face, _ in page.faces):
            glued = list(_turned_over(page, after, turn))
            is_glued = any(one.front and one.back for one in glued)
            yield from glued if is_glued else _alone(page)
            if is_glued:
                left.pop()
        else:
            yield from _alone(page)


def _turned_over(front: PlannedPage, back: PlannedPage, turn: str) -> Iterator[Meeting]:
    """Yield what meets on a sheet that is turned about an edge, or on two glued to each other so."""
    width_mm, height_mm = front.paper
    mirrors_x = (width_mm <= height_mm) == (turn == "long")
    span_mm = width_mm if mirrors_x else height_mm
    return _matched((front.number, front.faces), (back.number, back.faces), span_mm, mirrors_x=mirrors_x)


def _matched(
    fronts: tuple[int, Sequence[Lying]], backs: tuple[int, Sequence[Lying]], span_mm: float, *, mirrors_x: bool
) -> Iterator[Meeting]:
    """Yield each front with what is exactly behind it, then the backs that lie behind none; each with its page."""
    (page, lying), (back_page, behind) = fronts, backs
    indexes = _behind(*[tuple([seat for _, seat in some]) for some in (lying, behind)], span_mm, mirrors_x=mirrors_x)
    for (face, seat), index in zip(lying, indexes, strict=True):
        yield Meeting(page, seat, face, None if index is None else behind[index][0])
    for index in sorted(set(range(len(behind))).difference(indexes)):
        yield Meeting(back_page, behind[index][1], None, behind[index][0])


@lru_cache(maxsize=64)
def _behind(
    fronts: tuple[Seat, ...], backs: tuple[Seat, ...], span_mm: float, *, mirrors_x: bool
) -> tuple[int | None, ...]:
    """Return for each front the index of the back exactly behind it; sheets of one grid are worked out once.

    What lies `x` from the left (or from the top) lies `span_mm - x` from it on the other side.

    A sheet turned about an upright axis shows a card's top where it was, so backs are turned the other way round than
    their fronts (0 behind 0, 270 behind 90); turned about a level axis, 180 degrees further (180 behind 0, 90 behind
    90). In both, the corner that was top left on the front is top right on the back.
    """
    behind: list[int | None] = []
    for front in fronts:
        x_mm, y_mm = front.matrix.apply(0.0, 0.0)
        seen = front.shown.shared(front.trim_box)
        if mirrors_x:
            corner, seen = (span_mm - x_mm, y_mm), seen._replace(x_mm=span_mm - seen.right_mm)
        else:
            corner, seen = (x_mm, span_mm - y_mm), seen._replace(y_mm=span_mm - seen.bottom_mm)
        behind.append(next((at for at, back in enumerate(backs) if _is_behind(back, corner, seen)), None))
    return tuple(behind)


def _is_behind(back: Seat, corner: Point, seen: Rect) -> bool:
    """Return whether a back has its top right corner at a place, and shows just what lies behind its front."""
    shown = back.shown.shared(back.trim_box)
    is_there = math.dist(back.matrix.apply(back.trim.width_mm, 0.0), corner) <= TOLERANCE_MM
    return is_there and shown.holds(seen, TOLERANCE_MM) and seen.holds(shown, TOLERANCE_MM)
