"""Copies counted on the sheets as they are in the end, turned over, glued or folded: each card with its own back.

Tiles are taken in the order of the pages until they are a whole board, once for each copy. They are one if every tile,
made smaller by half the overlap wherever the board goes on, still leaves nothing of the board uncovered: then
neighbours share at least the overlap along the whole of every seam.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise, product
from typing import NamedTuple

from duckpress.core.geometry import Point, Rect, Size
from duckpress.core.problems import Problem
from duckpress.impose import Edges
from duckpress.proof.expected import TOLERANCE_MM, Expected, ExpectedFace, FrameOfCard, fault
from duckpress.proof.planned_pages import Fold, Lying, PlannedPage, Seat, place_of

Pair = tuple[str, str | None]
"""A front's frame and the frame behind it."""
Tile = tuple[int, Rect, FrameOfCard]
"""A page, the part of a board that it shows, and the board."""


def check_copies(pages: Sequence[PlannedPage], expected: Expected) -> Iterator[Problem]:
    """Count the faces, and what lies behind each; name the cards of which there are too few or too many.

    Problems: `proof-copies`, `proof-back`, `proof-tiles`.
    """
    is_backed = expected.duplex is not None or expected.fold_turn is not None
    if not is_backed and any(face.back is not None and face.copies for face in expected.faces):
        yield fault("proof-back", "cards have backs, and the file is printed on one side")
    cards: dict[Pair, list[ExpectedFace]] = {}
    for face in expected.faces:
        back = face.back.hash if face.back is not None and is_backed else None
        cards.setdefault((face.front.hash, back), []).append(face)
    counts: Counter[Pair] = Counter()
    boards: dict[Pair, list[Tile]] = {}
    for page, seat, front, behind in turned_sheets(pages, expected):
        if front is None:
            yield fault("proof-back", f"page {page}: {behind} at {place_of(seat.shown)} lies behind no face")
            continue
        pair, part = (front.frame.hash, None if behind is None else behind.frame.hash), shown_part(seat)
        if part is not None and front.card.overlap_mm is None:
            yield fault("proof-tiles", f"page {page} shows only a part of {front}, which is not to be tiled")
        elif part is not None:
            tiles = boards.setdefault(pair, [])
            tiles.append((page, part, front))
            if _gap(tiles, front.card.overlap_mm) is not None:
                continue
            tiles.clear()
        counts[pair] += 1
    yield from (_left_over(tiles) for tiles in boards.values() if tiles)
    yield from _compare_counts(counts, cards)


def _compare_counts(counts: Counter[Pair], cards: Mapping[Pair, Sequence[ExpectedFace]]) -> Iterator[Problem]:
    wanted = Counter({pair: sum([face.copies for face in faces]) for pair, faces in cards.items()})
    fronts_wanted, fronts, named = Counter[str](), Counter[str](), dict[str, list[ExpectedFace]]()
    for pair in {**wanted, **counts}:
        fronts_wanted[pair[0]] += wanted[pair]
        fronts[pair[0]] += counts[pair]
    for face in chain.from_iterable(cards.values()):
        for frame in [face.front, *([face.back] if face.back is not None else [])]:
            named.setdefault(frame.hash, []).append(face)
    known = {front for front, _ in wanted}
    for front, count in fronts_wanted.items():
        if front not in known:
            what = f"the back of {_listed(named[front])} lies among the fronts, {fronts[front]} times"
            yield fault("proof-copies", what)
        elif count != fronts[front]:
            what = f"{_listed(named[front])}: expected {count} in the file, found {fronts[front]}"
            yield fault("proof-copies", what)
    for pair, count in wanted.items():
        if fronts[pair[0]] == fronts_wanted[pair[0]] and counts[pair] < count:
            what = f"{_listed(cards[pair])}: expected {count} with their own back behind them, found {counts[pair]}"
            yield fault("proof-back", what)


def _listed(faces: Iterable[ExpectedFace]) -> str:
    known = list(dict.fromkeys(map(str, faces)))
    return ", ".join(known[:3]) + (f" and {len(known) - 3} more that look the same" if len(known) > 3 else "")


class Meeting(NamedTuple):
    """What lies on one place of a sheet in the end: a front with the back exactly behind it, or a back behind no front.

    `page` and `seat` are the front's; the back's where there is no front.
    """

    page: int
    seat: Seat
    front: FrameOfCard | None
    back: FrameOfCard | None


def turned_sheets(pages: Sequence[PlannedPage], expected: Expected) -> Iterator[Meeting]:
    """Yield what meets on all sheets, as they are turned, folded or glued."""
    backed = {face.front.hash for face in expected.faces if face.back is not None}
    left = list(reversed(pages))
    while left:
        page = left.pop()
        meetings = [Meeting(page.number, seat, face, None) for face, seat in page.faces]
        if expected.duplex is not None and left:
            meetings = _turned_over(page, left.pop(), expected.duplex)
        elif expected.fold_turn is not None and page.fold is not None:
            meetings = _folded(page, page.fold)
        elif expected.fold_turn is not None and left and any(face.frame.hash in backed for face, _ in page.faces):
            glued = _turned_over(page, left[-1], expected.fold_turn)
            if any(one.front and one.back for one in glued):
                left.pop()
                meetings = glued
        yield from meetings


def _folded(page: PlannedPage, fold: Fold) -> list[Meeting]:
    """Return what meets on a sheet that is folded: fronts lie before the fold."""
    halves: tuple[list[Lying], list[Lying]] = [], []
    for lying in page.faces:
        before_mm, behind_mm = fold.gaps_mm(lying[1].shown)
        halves[behind_mm > before_mm].append(lying)
    return _matched(page.number, halves[0], page.number, halves[1], 2 * fold.at_mm, mirrors_x=fold.is_upright)


def _turned_over(front: PlannedPage, back: PlannedPage, turn: str) -> list[Meeting]:
    """Return what meets on a sheet that is turned about an edge, or on two glued to each other so."""
    width_mm, height_mm = front.paper
    mirrors_x = (width_mm <= height_mm) == (turn == "long")
    span_mm = width_mm if mirrors_x else height_mm
    return _matched(front.number, front.faces, back.number, back.faces, span_mm, mirrors_x=mirrors_x)


def _matched(
    page: int, fronts: Sequence[Lying], back_page: int, backs: Sequence[Lying], span_mm: float, *, mirrors_x: bool
) -> list[Meeting]:
    """Return each front with what is exactly behind it, then the backs that lie behind none; each with its page."""
    seats = [tuple([seat for _, seat in lying]) for lying in (fronts, backs)]
    behind = _behind(*seats, span_mm, mirrors_x=mirrors_x)
    meetings = [
        Meeting(page, seat, face, None if at is None else backs[at][0])
        for (face, seat), at in zip(fronts, behind, strict=True)
    ]
    stray = sorted(set(range(len(backs))).difference(behind))
    return meetings + [Meeting(back_page, backs[at][1], None, backs[at][0]) for at in stray]


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


@lru_cache(maxsize=4096)
def shown_part(seat: Seat) -> Rect | None:
    """Return what of a trim a page shows, counted from the trim's top left; None where it shows all of it."""
    part = seat.matrix.inverse().around(seat.shown)
    whole = Rect(0.0, 0.0, *seat.trim)
    return None if part.holds(whole, TOLERANCE_MM) else part.shared(whole)


def _gap(tiles: Sequence[Tile], overlap_mm: float | None) -> Rect | None:
    return uncovered([part for _, part, _ in tiles], tiles[0][2].frame.trim, overlap_mm or 0.0)


def _left_over(tiles: Sequence[Tile]) -> Problem:
    card, missing = tiles[0][2].card, _gap(tiles, 0.0)
    gap = missing or _gap(tiles, card.overlap_mm) or tiles[0][1]
    how = "is on none of them" if missing else f"is shared by less than {card.overlap_mm:g} mm of two tiles"
    pages = f"pages {tiles[0][0]} to {tiles[-1][0]}"
    return fault("proof-tiles", f"{card}: of the tiles on {pages}, {place_of(gap)} {how}")


def uncovered(shown: Sequence[Rect], trim: Size, overlap_mm: float) -> Rect | None:
    """Return a part of a trim that no rectangle shows with half an overlap to spare; None where there is none."""
    half_mm = max(0.0, overlap_mm / 2 - TOLERANCE_MM)
    inner = []
    for rect in shown:  # smaller on each side that does not lie at the trim's edge
        sides = zip(rect.edges, (0.0, 0.0, *trim), strict=True)
        inner.append(Edges(*[0.0 if abs(edge - end) <= TOLERANCE_MM else -half_mm for edge, end in sides]).around(rect))
    xs, ys = (sorted({0.0, *(rect.edges[at + side] for rect in inner for side in (0, 2)), trim[at]}) for at in (0, 1))
    whole = Rect(0.0, 0.0, *trim)
    for (left, right), (top, bottom) in product(pairwise(xs), pairwise(ys)):
        cell = Rect(left, top, right - left, bottom - top)
        is_seen = min(cell.width_mm, cell.height_mm) > TOLERANCE_MM and whole.holds(cell, TOLERANCE_MM)
        if is_seen and not any(rect.holds(cell, TOLERANCE_MM) for rect in inner):
            return cell
    return None
