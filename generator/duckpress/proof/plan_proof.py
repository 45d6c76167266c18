"""The plan held against the deck: each card as often as it must be, its own back behind it, all of it printable.

Knows nothing of how the sheets were planned but what lies where on each; that the file shows just that is the business
of `file_proof`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain

from duckpress.core.bounds import item_bounds
from duckpress.core.geometry import Rect, Size
from duckpress.core.problems import Problem
from duckpress.impose import CUT_LAYER, MARK_STROKE_MM, Side, all_items
from duckpress.proof.copies import check_copies
from duckpress.proof.expected import TOLERANCE_MM, Expected, FrameOfCard, fault, frames_of
from duckpress.proof.planned_pages import PlannedPage, Seat, place_of, planned_pages

CLEAR_MM = 5.0
"""How far from a fold paper lies flat; source: github.com/ernierasta/pnp-howto."""


def check_plan(expected: Expected) -> Iterator[Problem]:
    """Yield everything in which the planned pages of a file are not what its cards and its paper ask for.

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
    """Yield where a page is not on its paper, just as large as it was planned, upright or turned by quarters."""
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
    """Yield the faces that are on no card, that stand askew, or that lie over others or too near to a fold."""
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
    """Yield what lies where the printer cannot print; the box of a line is longer than it by half of its width."""
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
    """Yield the cuts of all that is cut out that have no mark, or no line."""
    if expected.cut != "none":
        cut = tuple([seat for face, seat in page.faces if face.card.is_cut])
        for what in _missing_marks(cut, page.lines(CUT_LAYER), is_lined=expected.cut == "lines"):
            yield fault("proof-cut", what)


@lru_cache(maxsize=64)
def _missing_marks(seats: tuple[Seat, ...], lines: tuple[Rect, ...], *, is_lined: bool) -> tuple[str, ...]:
    """Return the cuts of faces that have no mark, or no line along all of it; of a tile, those that lie on its page."""
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
