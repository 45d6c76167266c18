"""The plan held against the deck: each card as often as it must be, its own back behind it, all of it printable.

Knows nothing of how the sheets were planned but what lies where on each; that the file shows just that is the business
of `file_proof`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, repeat

from duckpress.core.bounds import item_bounds
from duckpress.core.frame import Drawing, Group, Item, Outline, Text
from duckpress.core.geometry import Matrix, Rect, Size, rect_around
from duckpress.core.problems import Problem
from duckpress.impose import CUT_LAYER, Side, all_items
from duckpress.proof.boards import Pair, TilePart, count_boards, shown_part
from duckpress.proof.cuts import CLEAR_MM, fold_of, lines_of, missing_marks, strokes_of
from duckpress.proof.expected import TOLERANCE_MM, Expected, ExpectedFace, FrameOfCard, fault, frames_of
from duckpress.proof.planned_pages import PlannedPage, Seat, place_of, planned_pages
from duckpress.proof.turned_sheets import turned_sheets


def check_plan(expected: Expected) -> Iterator[Problem]:
    """Yield everything in which the planned pages of a file are not what its cards and its paper ask for.

    Problems: `proof-page-size`, `proof-page-count`, `proof-placement`, `proof-margin`, `proof-cut`, `proof-fold`,
    `proof-copies`, `proof-back`, `proof-tiles`.
    """
    frames = frames_of(expected)
    pages = planned_pages(expected, frames)
    if expected.duplex is not None and len(pages) % 2:
        yield fault("proof-page-count", f"the last sheet has no back: the document has {len(pages)} pages")
    for page in pages:
        on_page = (
            *(("proof-page-size", what) for what in _wrong_size(page, pages, expected)),
            *(("proof-copies", what) for what in _of_no_card(page, frames)),
            *(("proof-placement", what) for what in _misplaced(page)),
            *(("proof-margin", what) for what in _beyond_reach(page, expected)),
            *(("proof-cut", what) for what in _uncut(page, expected)),
            *(("proof-fold", what) for what in _near_fold(page)),
        )
        yield from (fault(code, f"page {page.number}: {what}") for code, what in on_page)
    yield from _check_copies(pages, expected)


def _wrong_size(page: PlannedPage, pages: Sequence[PlannedPage], expected: Expected) -> Iterator[str]:
    if not any(_is_size(page.paper, way) for way in (expected.paper, expected.paper.turned())):
        yield f"the paper is {_mm(page.paper)}, not {_mm(expected.paper)}"
    if expected.duplex is not None and page.number % 2 == 0 and not _is_size(page.paper, pages[page.number - 2].paper):
        yield "the paper does not lie as on the page before, whose back this is"


def _of_no_card(page: PlannedPage, frames: Mapping[str, FrameOfCard]) -> Iterator[str]:
    unknown = [one for one in page.side.placements if one.frame not in frames]
    yield from (f"the face {one.frame} lies there, and is on no card" for one in unknown)


def _misplaced(page: PlannedPage) -> Iterator[str]:
    faces, seats = page.faces, page.seats
    whole, lying = Rect(0.0, 0.0, *page.paper), page.paper.turned() if page.map.b else page.paper
    sheet = page.map.around(Rect(0.0, 0.0, *lying))
    is_empty = page.side == Side((), ())  # behind a sheet of another piece, and corrected for no printer
    if not (is_empty or (sheet.holds(whole, TOLERANCE_MM) and whole.holds(sheet, TOLERANCE_MM))):
        yield f"the printer would print it beside its place, at {place_of(sheet)}"
    yield from (f"{faces[at][0]} is scaled, slanted or mirrored" for at in _askew(seats))
    for one, other in _overlaps(seats):
        shared = seats[one].shown.shared(seats[other].shown)
        yield f"{faces[one][0]} and {faces[other][0]} overlap at {place_of(shared)}"


def _beyond_reach(page: PlannedPage, expected: Expected) -> Iterator[str]:
    """Yield what lies where the printer cannot print."""
    boxes: list[tuple[object, Rect]] = [(face, seat.shown) for face, seat in page.faces]
    boxes += _around(all_items(page.side), expected.drawings, page.map)
    boxes += [("the code of the sheet", page.map.around(page.side.code.box))] if page.side.code is not None else []
    for what, box in boxes:
        if not page.printable.holds(box, TOLERANCE_MM):
            yield f"{what} reaches {place_of(box)}, where the printer cannot print"


def _around(items: Iterable[Item], drawings: Mapping[str, Drawing], matrix: Matrix) -> Iterator[tuple[str, Rect]]:
    """Yield what stands around the faces of a page, in words, with the box around its ink."""
    for item in items:
        if isinstance(item, Group) and not item.clip:
            yield from _around(item.items, drawings, matrix.after(item.matrix))
        elif isinstance(item, Outline) and item.path:
            yield "a line", _ink(item, matrix)
        elif (bounds := item_bounds(item, drawings)) is not None:
            yield repr(item.text) if isinstance(item, Text) else "a picture", matrix.around(bounds)


@lru_cache(maxsize=1024)
def _ink(outline: Outline, matrix: Matrix) -> Rect:
    """Return the box around an outline; a level or upright line with flat ends is wider for its stroke, not longer."""
    half_mm = outline.paint.stroke_mm / 2 if outline.paint.stroke else 0.0
    boxes = []
    for x_mm, y_mm, width_mm, height_mm in lines_of(outline.path):
        is_level, is_upright = (side_mm == 0 and outline.paint.cap == 0 for side_mm in (height_mm, width_mm))
        across_mm, down_mm = 0.0 if is_level else half_mm, 0.0 if is_upright else half_mm
        boxes.append(Rect(x_mm, y_mm, width_mm, height_mm).inside(Size(-across_mm, -down_mm)))
    return matrix.around(rect_around(boxes))


def _uncut(page: PlannedPage, expected: Expected) -> Iterator[str]:
    """Yield the cuts of all that is cut out that are not shown."""
    if expected.cut != "none":
        cut = tuple([seat for face, seat in page.faces if face.card.is_cut])
        strokes = strokes_of(page.side, CUT_LAYER, page.map)
        yield from missing_marks(cut, strokes, is_lined=expected.cut == "lines")


def _near_fold(page: PlannedPage) -> Iterator[str]:
    """Yield the faces that are nearer to the fold than paper lies flat."""
    fold = fold_of(page)
    for face, seat in page.faces:
        away_mm = CLEAR_MM if fold is None else fold.distance_mm(seat.shown)
        if away_mm < CLEAR_MM - TOLERANCE_MM:
            yield f"{face} comes as near as {away_mm:.1f} mm to the fold, not {CLEAR_MM:g} mm"


def _check_copies(pages: Sequence[PlannedPage], expected: Expected) -> Iterator[Problem]:
    """Count the faces, and what lies behind each; name the cards of which there are too few or too many."""
    is_backed = expected.duplex is not None or expected.fold_turn is not None

    def pair_of(face: ExpectedFace) -> Pair:
        return face.front.hash, face.back.hash if face.back is not None and is_backed else None

    wanted = Counter(chain.from_iterable(repeat(pair_of(face), face.copies) for face in expected.faces))
    counts: Counter[Pair] = Counter()
    parts: list[TilePart] = []
    for page, seat, front, back in turned_sheets(pages, expected):
        if front is None:
            what = f"page {page}: {back} at {place_of(seat.shown)} lies behind no face"
            yield fault("proof-back", what)
            continue
        pair = front.frame.hash, None if back is None else back.frame.hash
        part = shown_part(seat)
        if part is None:
            counts[pair] += 1
        else:
            parts.append(TilePart(pair, part, page))
    if parts:
        boards, problems = count_boards(parts, {face.front.hash: face for face in expected.faces})
        counts.update(boards)
        yield from problems
    if dict(counts) != dict(wanted):  # `Counter` would compare them one by one
        cards: dict[Pair, list[ExpectedFace]] = {}
        for face in expected.faces:
            wanted.setdefault(pair_of(face), 0)
            cards.setdefault(pair_of(face), []).append(face)
        yield from _compare_counts(wanted, counts, cards, frames_of(expected))


def _compare_counts(
    wanted: Counter[Pair],
    counts: Counter[Pair],
    cards: Mapping[Pair, Sequence[ExpectedFace]],
    frames: Mapping[str, FrameOfCard],
) -> Iterator[Problem]:
    fronts_wanted, fronts = _by_front(wanted), _by_front(counts)
    named: dict[str, list[ExpectedFace]] = {}
    for (front, _), faces in cards.items():
        named.setdefault(front, []).extend(faces)
    for front, count in fronts_wanted.items():
        if fronts[front] != count:
            what = f"{_listed(named[front])}: expected {count} in the file, found {fronts[front]}"
            yield fault("proof-copies", what)
    for front, count in fronts.items():
        if front not in fronts_wanted:
            what = f"{frames[front]} lies there {count} times as a front, with what is behind it"
            yield fault("proof-copies", what)
    for pair, count in wanted.items():
        if fronts[pair[0]] == fronts_wanted[pair[0]] and counts[pair] < count:
            what = f"{_listed(cards[pair])}: expected {count} with their own back behind them, found {counts[pair]}"
            yield fault("proof-back", what)


def _by_front(pairs: Mapping[Pair, int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for (front, _), count in pairs.items():
        counts[front] += count
    return counts


@lru_cache(maxsize=64)
def _askew(seats: tuple[Seat, ...]) -> tuple[int, ...]:
    """Return the faces that are not at their own size, mirrored, or not turned by quarters."""
    askew = []
    for at, seat in enumerate(seats):
        a, b, c, d, _, _ = seat.matrix
        quarter = sorted((abs(a), abs(b))) + sorted((abs(c), abs(d)))
        if any(abs(one - other) > 1e-4 for one, other in zip(quarter, (0, 1, 0, 1), strict=True)) or a * d - b * c < 0:
            askew.append(at)
    return tuple(askew)


@lru_cache(maxsize=64)
def _overlaps(seats: tuple[Seat, ...]) -> tuple[tuple[int, int], ...]:
    """Return the pairs of faces that paint over each other."""
    overlaps = []
    boxes = sorted(((seat.shown, at) for at, seat in enumerate(seats)), key=lambda box: box[0].x_mm)
    for index, (box, at) in enumerate(boxes):
        for other, beside in boxes[index + 1 :]:
            if other.x_mm >= box.right_mm - TOLERANCE_MM:
                break
            if min(box.bottom_mm, other.bottom_mm) - max(box.y_mm, other.y_mm) > TOLERANCE_MM:
                overlaps.append((at, beside))
    return tuple(overlaps)


def _listed(faces: Iterable[ExpectedFace]) -> str:
    known = list(dict.fromkeys(map(str, faces)))
    return ", ".join(known[:3]) + (f" and {len(known) - 3} more that look the same" if len(known) > 3 else "")


def _is_size(size: Size, other: Size) -> bool:
    return max(abs(size.width_mm - other.width_mm), abs(size.height_mm - other.height_mm)) < TOLERANCE_MM


def _mm(size: Size) -> str:
    return f"{size.width_mm:.1f} x {size.height_mm:.1f} mm"
