"""The plan compared with the deck: each card in all its copies, its own back behind it, all of it printable.

Knows nothing of how the sheets were planned but what lies where on each; that the file shows just that is the business
of `file_proof`. Copies are counted on the sheets as they are in the end, turned over, glued or folded.

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

from duckpress.core.frame import item_bounds
from duckpress.core.geometry import Point, Rect, Size
from duckpress.core.problems import Problem
from duckpress.impose import CUT_LAYER, MARK_STROKE_MM, Edges, Side, all_items
from duckpress.proof.expected import (
    TOLERANCE_MM,
    Expected,
    ExpectedFace,
    Fold,
    FrameOfCard,
    Lying,
    PlannedPage,
    Seat,
    fault,
    frames_of,
    place_of,
    planned_pages,
)

Pair = tuple[str, str | None]
"""A front's frame and the frame behind it."""
Tile = tuple[int, Rect, FrameOfCard]
"""A page, the part of a board that it shows, and the board."""


def check_copies(pages: Sequence[PlannedPage], expected: Expected) -> Iterator[Problem]:
    """Yield the cards with too few or too many faces, or with a wrong back.

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
    """One place of a finished sheet: a front with the back exactly behind it, or a back behind no front.

    `page` and `seat` are the front's; the back's where there is no front.
    """

    page: int
    seat: Seat
    front: FrameOfCard | None
    back: FrameOfCard | None


def turned_sheets(pages: Sequence[PlannedPage], expected: Expected) -> Iterator[Meeting]:
    """Yield the meetings on all sheets, after turning, folding or gluing them."""
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
    """Return the meetings on a folded sheet: fronts lie before the fold."""
    halves: tuple[list[Lying], list[Lying]] = [], []
    for lying in page.faces:
        before_mm, behind_mm = fold.gaps_mm(lying[1].shown)
        halves[behind_mm > before_mm].append(lying)
    return _matched(page.number, halves[0], page.number, halves[1], 2 * fold.at_mm, mirrors_x=fold.is_upright)


def _turned_over(front: PlannedPage, back: PlannedPage, turn: str) -> list[Meeting]:
    """Return the meetings on a sheet turned about an edge, or on two sheets glued to each other."""
    width_mm, height_mm = front.paper
    mirrors_x = (width_mm <= height_mm) == (turn == "long")
    span_mm = width_mm if mirrors_x else height_mm
    return _matched(front.number, front.faces, back.number, back.faces, span_mm, mirrors_x=mirrors_x)


def _matched(
    page: int, fronts: Sequence[Lying], back_page: int, backs: Sequence[Lying], span_mm: float, *, mirrors_x: bool
) -> list[Meeting]:
    """Return the fronts with the backs exactly behind them, then the backs behind no front; each with its page."""
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
    """Return for each front the index of the back exactly behind it; cached for sheets of one grid.

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
    """Return whether a back has its top right corner at a place, and shows the same area as its front."""
    shown = back.shown.shared(back.trim_box)
    is_there = math.dist(back.matrix.apply(back.trim.width_mm, 0.0), corner) <= TOLERANCE_MM
    return is_there and shown.holds(seen, TOLERANCE_MM) and seen.holds(shown, TOLERANCE_MM)


@lru_cache(maxsize=4096)
def shown_part(seat: Seat) -> Rect | None:
    """Return the visible part of a trim on a page, from the trim's top left; None if all is visible."""
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
    """Return a part of a trim that no rectangle shows with half an overlap to spare, or None."""
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


CLEAR_MM = 5.0
"""How far from a fold paper lies flat; source: github.com/ernierasta/pnp-howto."""


def check_plan(expected: Expected) -> Iterator[Problem]:
    """Yield all mistakes in the planned pages of a file, for its cards and its paper.

    Problems: `proof-page-size`, `proof-placement`, `proof-margin`, `proof-cut`, `proof-fold`, `proof-copies`,
    `proof-back`, `proof-tiles`.
    """
    frames = frames_of(expected)
    pages = planned_pages(expected, frames)
    for page in pages:
        on_page = _on_paper(page, expected), _on_cards(page, frames), _reaching(page, expected), _uncut(page, expected)
        for problem in chain.from_iterable(on_page):
            yield problem._replace(what=f"page {page.number}: {problem.what}")
    yield from check_copies(pages, expected)


def _on_paper(page: PlannedPage, expected: Expected) -> Iterator[Problem]:
    """Yield the problems of a page's paper: its size, its scale, and its rotation by quarter turns."""
    size = expected.paper
    if page.paper not in (size, size.turned()):
        yield fault("proof-page-size", f"the paper is {_mm(page.paper)}, not {_mm(size)}")
    corners = Rect(0.0, 0.0, *page.paper).corners
    planned = Rect(0.0, 0.0, *(page.paper.turned() if page.map.b else page.paper)).corners
    printed = [page.map.apply(*corner) for corner in planned]
    turns = (printed[at:] + printed[:at] for at in range(4))
    is_empty = page.side == Side((), ())  # behind a sheet of another piece: it is corrected for no printer
    if not (is_empty or any(all(map(_is_near, corners, turned)) for turned in turns)):
        yield fault(
            "proof-placement", "the printer would print it beside its place, at another size, slanted or mirrored"
        )


def _on_cards(page: PlannedPage, frames: Mapping[str, FrameOfCard]) -> Iterator[Problem]:
    """Yield the faces that belong to no card, are turned askew, overlap others, or are too near a fold."""
    for placement in page.side.placements:
        if placement.frame not in frames:
            yield fault("proof-copies", f"the face {placement.frame} lies there, and is on no card")
        elif placement.turn_degrees % 90:
            yield fault("proof-placement", f"{frames[placement.frame]} stands at {placement.turn_degrees} degrees")
    faces, fold = page.faces, page.fold
    for one, other in _overlaps(page.seats):
        shared = faces[one][1].shown.shared(faces[other][1].shown)
        yield fault("proof-placement", f"{faces[one][0]} and {faces[other][0]} overlap at {place_of(shared)}")
    for face, seat in faces:
        away_mm = CLEAR_MM if fold is None else max(fold.gaps_mm(seat.shown))
        if away_mm < CLEAR_MM - TOLERANCE_MM:
            yield fault("proof-fold", f"{face} comes as near as {away_mm:.1f} mm to the fold, not {CLEAR_MM:g} mm")


def _reaching(page: PlannedPage, expected: Expected) -> Iterator[Problem]:
    """Yield the items in the unprintable margins; a line's box is longer than the line by half its width."""
    boxes: list[tuple[object, Rect, float]] = [(face, seat.shown, TOLERANCE_MM) for face, seat in page.faces]
    around = [item_bounds(item, expected.drawings) for item in all_items(page.side)]
    around += [page.side.code.box] if page.side.code is not None else []
    for box in around:
        if box is not None:
            boxes.append(("what stands beside the cards", page.map.around(box), MARK_STROKE_MM))
    for what, box, tolerance_mm in boxes:
        if not page.printable.holds(box, tolerance_mm):
            yield fault("proof-margin", f"{what} reaches {place_of(box)}, where the printer cannot print")


def _uncut(page: PlannedPage, expected: Expected) -> Iterator[Problem]:
    """Yield the cuts without a mark, or without a line."""
    if expected.cut != "none":
        cut = tuple([seat for face, seat in page.faces if face.card.is_cut])
        for what in _missing_marks(cut, page.lines(CUT_LAYER), is_lined=expected.cut == "lines"):
            yield fault("proof-cut", what)


@lru_cache(maxsize=64)
def _missing_marks(seats: tuple[Seat, ...], lines: tuple[Rect, ...], *, is_lined: bool) -> tuple[str, ...]:
    """Return the cuts of faces without a mark, or without a line along all of it; of a tile, those on its page."""
    missing: dict[str, None] = {}
    for way, at, along in (("across", 0, 1), ("down", 1, 0)):
        marks = [box.edges for box in lines if box[2 + at] <= TOLERANCE_MM]
        cuts: dict[tuple[float, float, float], None] = {}
        for seat in seats:
            trim, shown = seat.trim_box, seat.shown.grown(TOLERANCE_MM)
            is_along = is_lined and shown.holds(trim)  # the seams of tiles are joined, not cut
            ends = (trim.edges[along], trim.edges[along + 2]) if is_along else (math.inf, -math.inf)
            first, last = shown.edges[at], shown.edges[at + 2]
            cuts |= {(place, *ends): None for place in (trim.edges[at], trim.edges[at + 2]) if first <= place <= last}
        for place, first, last in cuts:
            near = [edges for edges in marks if abs(edges[at] - place) <= TOLERANCE_MM]
            if not any(
                edges[along] <= first + TOLERANCE_MM and edges[along + 2] >= last - TOLERANCE_MM for edges in near
            ):
                kind = "mark at" if first > last else "line along"
                missing[f"there is no {kind} the cut {place:.2f} mm {way}"] = None
    return tuple(missing)


@lru_cache(maxsize=64)
def _overlaps(seats: tuple[Seat, ...]) -> tuple[tuple[int, int], ...]:
    """Return the pairs of faces that paint over each other."""
    pairs = []
    boxes = sorted((*seat.shown.edges, at) for at, seat in enumerate(seats))
    for index, (_, top, right, bottom, at) in enumerate(boxes, 1):
        for left, other_top, _, other_bottom, other in boxes[index:]:
            if left >= right - TOLERANCE_MM:
                break
            if min(bottom, other_bottom) - max(top, other_top) > TOLERANCE_MM:
                pairs.append((at, other))
    return tuple(pairs)


def _is_near(point: tuple[float, float], other: tuple[float, float]) -> bool:
    return math.dist(point, other) <= TOLERANCE_MM


def _mm(size: Size) -> str:
    return f"{size.width_mm:.1f} x {size.height_mm:.1f} mm"
