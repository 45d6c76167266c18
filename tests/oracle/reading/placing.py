"""Pages held against the cards: each face as often as it must be, its own back behind it, all of it printable.

Knows nothing of how the sheets were planned: it takes where each face lies from the pages, turns every sheet over as
a printer does, and counts what meets what. A fold is the longest straight stroke in its layer, wherever it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, repeat
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.core.problems import Problem
from duckpress.proof.expected import TOLERANCE_MM, Expected, ExpectedFace, fault
from oracle.reading.marks import Around
from oracle.reading.tiles import Pair, TilePart, count_boards, shown_part

CUT, FOLD = "L-cut", "L-fold"
"""The names by which pages call the layers of cut lines and of the fold line."""


class Fold(Struct, frozen=True):
    """A fold line: where it is from the left (upright) or from the top."""

    at_mm: float
    is_upright: bool

    def distance_mm(self, box: Rect) -> float:
        """Return how far a box stays from the line; less than nothing where it crosses it."""
        first, last = (box.x_mm, box.right_mm) if self.is_upright else (box.y_mm, box.bottom_mm)
        return max(self.at_mm - last, first - self.at_mm)

    def is_before(self, box: Rect) -> bool:
        """Return whether a box lies left of the line, or above it: where the fronts are."""
        middle_mm = box.x_mm + box.width_mm / 2 if self.is_upright else box.y_mm + box.height_mm / 2
        return middle_mm < self.at_mm


def fold_of(strokes: Sequence[Rect]) -> Fold | None:
    """Return the fold that a page shows, from the strokes of its fold layer; None where it shows none."""
    straight = [stroke for stroke in strokes if min(stroke.width_mm, stroke.height_mm) <= TOLERANCE_MM]
    longest = max(straight, key=lambda stroke: max(stroke.width_mm, stroke.height_mm), default=None)
    if longest is None:
        return None
    is_upright = longest.height_mm > longest.width_mm
    return Fold(longest.x_mm if is_upright else longest.y_mm, is_upright)


class FaceSeat(Struct, frozen=True):
    """Where a face lies, whatever it shows: its matrix (mm, from the top left), its trim, what it paints."""

    matrix: Matrix
    trim: Size
    shown: Rect

    @property
    def trim_box(self) -> Rect:
        return _trim_on_page(self.matrix, self.trim)


class Lying(NamedTuple):
    """A face on a page: its frame's hash, and where it lies."""

    frame: str
    seat: FaceSeat


class PageLayout(Struct, frozen=True):
    """The faces of a page, what is around them with the boxes of all of it, and where the printer can print."""

    size: Size
    faces: tuple[Lying, ...]
    marks: tuple[Rect, ...]
    printable: Rect
    around: Around = Around()

    @property
    def folds(self) -> tuple[Rect, ...]:
        return tuple([part.box for path in self.around.strokes(FOLD) for part in path.parts])

    @property
    def seats(self) -> tuple[FaceSeat, ...]:
        return tuple([face.seat for face in self.faces])

    def as_planned(self) -> PageLayout:
        """Return the page as its sheet was planned: one that was stood up for a printer is laid on its side again."""
        turns = {face.seat.matrix.b != 0.0 for face in self.faces}
        turns |= {run.degrees == 90 for run in self.around.runs if not turns}
        if True not in turns:
            return self
        down = Matrix(0.0, -1.0, 1.0, 0.0, 0.0, self.size.width_mm)
        faces = []
        for key, seat in self.faces:
            matrix = Matrix(*[round(part, 5) for part in down.after(seat.matrix)])
            faces.append(Lying(key, FaceSeat(matrix, seat.trim, down.around(seat.shown))))
        marks = tuple(map(down.around, self.marks))
        printable, around = down.around(self.printable), self.around.turned_back(down)
        return PageLayout(self.size.turned(), tuple(faces), marks, printable, around)


@lru_cache(maxsize=4096)
def _trim_on_page(matrix: Matrix, trim: Size) -> Rect:
    return matrix.around(Rect(0.0, 0.0, *trim))


def check_page(number: int, page: PageLayout, paper: Size) -> Iterator[Problem]:
    """Yield the problems of a page alone: its size, margins, neighbours."""
    if not any(max(map(abs, map(float.__sub__, page.size, way))) < TOLERANCE_MM for way in (paper, paper.turned())):
        yield fault("proof-page-size", f"page {number} is {_mm(page.size)}, not {_mm(paper)}")
    for what in (*_askew(page.seats), *_overlaps(page.seats)):
        yield fault("proof-placement", f"page {number}: {what}")
    yield from check_margins(number, tuple(seat.shown for seat in page.seats) + page.marks, page.printable)


def check_margins(number: int, boxes: tuple[Rect, ...], printable: Rect) -> Iterator[Problem]:
    for box in _outside(boxes, printable):
        what = f"page {number}: something reaches {_place(box)}, where the printer cannot print"
        yield fault("proof-margin", what)


def check_copies(pages: Sequence[PageLayout], expected: Expected) -> Iterator[Problem]:
    """Count the faces, and what lies behind each; name the cards of which there are too few or too many."""
    is_backed = expected.duplex is not None or expected.fold_turn is not None

    def pair_of(face: ExpectedFace) -> Pair:
        return face.front.hash, face.back.hash if face.back is not None and is_backed else None

    wanted = Counter(chain.from_iterable(repeat(pair_of(face), face.copies) for face in expected.faces))
    counts: Counter[Pair] = Counter()
    parts: list[TilePart] = []
    for sheet in turned_sheets(pages, expected):
        yield from sheet.problems
        shown = [shown_part(lying.seat.matrix, lying.seat.shown, lying.seat.trim) for lying, _ in sheet.faces]
        counts.update((lying.frame, back) for (lying, back), part in zip(sheet.faces, shown, strict=True) if not part)
        parts += (
            TilePart((lying.frame, back), part, sheet.page)
            for (lying, back), part in zip(sheet.faces, shown, strict=True)
            if part
        )
    if parts:
        boards, problems = count_boards(parts, {face.front.hash: face for face in expected.faces})
        counts.update(boards)
        yield from problems
    if dict(counts) != dict(wanted):  # `Counter` would compare them one by one
        cards: dict[Pair, list[ExpectedFace]] = {}
        for face in expected.faces:
            wanted.setdefault(pair_of(face), 0)
            cards.setdefault(pair_of(face), []).append(face)
        yield from _compare_counts(wanted, counts, cards)


def _compare_counts(
    wanted: Counter[Pair], counts: Counter[Pair], cards: Mapping[Pair, Sequence[ExpectedFace]]
) -> Iterator[Problem]:
    fronts_wanted, fronts = _by_front(wanted), _by_front(counts)
    named = {front: faces for (front, _), faces in cards.items()}
    for front, count in fronts_wanted.items():
        if fronts[front] != count:
            what = f"{_listed(named[front])}: expected {count} in the file, found {fronts[front]}"
            yield fault("proof-copies", what)
    for front, count in fronts.items():
        if front not in fronts_wanted:
            yield fault("proof-copies", f"a face that is on no card's front ({front}) lies there {count} times")
    for pair, count in wanted.items():
        if fronts[pair[0]] == fronts_wanted[pair[0]] and counts[pair] < count:
            what = f"{_listed(cards[pair])}: expected {count} with their own back behind them, found {counts[pair]}"
            yield fault("proof-back", what)


def _by_front(pairs: Mapping[Pair, int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for (front, _), count in pairs.items():
        counts[front] += count
    return counts


class TurnedSheet(NamedTuple):
    """A sheet as it is in the end: its first page, its faces with the frame exactly behind each, and its problems."""

    page: int
    faces: Sequence[tuple[Lying, str | None]]
    problems: Sequence[Problem] = ()


def turned_sheets(pages: Sequence[PageLayout], expected: Expected) -> Iterator[TurnedSheet]:
    """Yield the sheets, turned, glued or folded."""
    at = 0
    while at < len(pages):
        page, after = pages[at], pages[at + 1] if at + 1 < len(pages) else None
        fold = fold_of(page.folds) if expected.fold_turn is not None else None
        number = at + 1
        if fold is not None:
            yield _folded(page, fold, number)
        elif expected.duplex is not None and after is not None:
            yield _turned_over(page, after, expected.duplex, number)
            at += 1
        elif expected.duplex is not None:
            what = f"the last sheet has no back: the document has {len(pages)} pages"
            yield TurnedSheet(number, (), [fault("proof-page-count", what)])
        elif expected.fold_turn is not None and after is not None and _is_backed(page, after, expected):
            yield _turned_over(page, after, expected.fold_turn, number)
            at += 1
        else:
            yield TurnedSheet(number, [(lying, None) for lying in page.faces])
        at += 1


def _is_backed(page: PageLayout, after: PageLayout, expected: Expected) -> bool:
    """Return whether the next page holds backs to be glued behind a page's faces."""
    backed = {face.front.hash for face in expected.faces if face.back is not None}
    if after.folds or page.size != after.size or backed.isdisjoint(face.frame for face in page.faces):
        return False
    return any(back is not None for _, back in _turned_over(page, after, expected.fold_turn or "long", 0).faces)


def _folded(page: PageLayout, fold: Fold, number: int) -> TurnedSheet:
    """Return a folded sheet, each front with what comes to lie behind it."""
    fronts = [face for face in page.faces if fold.is_before(face.seat.shown)]
    backs = [face for face in page.faces if not fold.is_before(face.seat.shown)]
    faces, stray = _matched(fronts, backs, 2 * fold.at_mm, mirrors_x=fold.is_upright)
    problems = [fault("proof-back", f"page {number}: the back at {place} is folded behind no face") for place in stray]
    return TurnedSheet(number, faces, problems)


def _turned_over(front: PageLayout, back: PageLayout, turn: str, number: int) -> TurnedSheet:
    """Return a sheet that is turned about an edge, or two glued to each other so."""
    (width_mm, height_mm), problems = front.size, []
    if front.size != back.size:
        problems = [fault("proof-page-size", f"page {number} is {_mm(front.size)}, its back {_mm(back.size)}")]
    mirrors_x = (width_mm <= height_mm) == (turn == "long")
    faces, stray = _matched(front.faces, back.faces, width_mm if mirrors_x else height_mm, mirrors_x=mirrors_x)
    problems += [fault("proof-back", f"page {number + 1}: the back at {place} lies behind no face") for place in stray]
    return TurnedSheet(number, faces, problems)


def _matched(
    fronts: Sequence[Lying], backs: Sequence[Lying], span_mm: float, *, mirrors_x: bool
) -> tuple[list[tuple[Lying, str | None]], list[str]]:
    """Return each front with the frame exactly behind it, and the places of backs that lie behind none."""
    front_seats, back_seats = (tuple(face.seat for face in faces) for faces in (fronts, backs))
    behind = _behind(front_seats, back_seats, span_mm, mirrors_x=mirrors_x)
    faces = [(face, None if index is None else backs[index].frame) for face, index in zip(fronts, behind, strict=True)]
    return faces, [_place(back_seats[index].shown) for index in set(range(len(backs))).difference(behind)]


@lru_cache(maxsize=64)
def _behind(
    fronts: tuple[FaceSeat, ...], backs: tuple[FaceSeat, ...], span_mm: float, *, mirrors_x: bool
) -> tuple[int | None, ...]:
    """Return for each front the index of the back exactly behind it; sheets of one grid are worked out once.

    What lies `x` from the left (or from the top) lies `span_mm - x` from it on the other side.

    A sheet turned about an upright axis shows a card's top where it was, so backs are turned the other way round than
    their fronts (0 behind 0, 270 behind 90); turned about a level axis, 180 degrees further (180 behind 0, 90 behind
    90). In both, the corner that was top left on the front is top right on the back.
    """
    behind: list[int | None] = []
    for front in fronts:
        corners = [front.matrix.apply(x, y) for x, y in ((0.0, 0.0), (front.trim.width_mm, front.trim.height_mm))]
        seen = front.shown.shared(front.trim_box)
        if mirrors_x:
            turned = [(span_mm - x, y) for x, y in corners]
            seen = seen._replace(x_mm=span_mm - seen.right_mm)
        else:
            turned = [(x, span_mm - y) for x, y in corners]
            seen = seen._replace(y_mm=span_mm - seen.bottom_mm)
        behind.append(next((at for at, back in enumerate(backs) if _is_behind(back, turned, seen)), None))
    return tuple(behind)


def _is_behind(back: FaceSeat, turned: Sequence[tuple[float, float]], seen: Rect) -> bool:
    """Return whether a back lies at two corners and shows just what lies behind what is seen of its front."""
    shown = back.shown.shared(back.trim_box)
    if not (shown.holds(seen, TOLERANCE_MM) and seen.holds(shown, TOLERANCE_MM)):
        return False
    width, height = back.trim
    corners = (back.matrix.apply(width, 0.0), back.matrix.apply(0.0, height))
    return all(
        abs(x1 - x2) <= TOLERANCE_MM and abs(y1 - y2) <= TOLERANCE_MM
        for (x1, y1), (x2, y2) in zip(corners, turned, strict=True)
    )


@lru_cache(maxsize=64)
def _askew(seats: tuple[FaceSeat, ...]) -> tuple[str, ...]:
    """Return the faces that are not at their own size, mirrored, or not turned by quarters."""
    askew = []
    for seat in seats:
        a, b, c, d, _, _ = seat.matrix
        quarter = sorted((abs(a), abs(b))) + sorted((abs(c), abs(d)))
        if any(abs(one - other) > 1e-4 for one, other in zip(quarter, (0, 1, 0, 1), strict=True)) or a * d - b * c < 0:
            askew.append(f"a face at {_place(seat.shown)} is scaled, slanted or mirrored")
    return tuple(askew)


@lru_cache(maxsize=64)
def _overlaps(seats: tuple[FaceSeat, ...]) -> tuple[str, ...]:
    """Return the pairs of faces that paint over each other."""
    overlaps = []
    boxes = sorted((seat.shown for seat in seats), key=lambda box: box.x_mm)
    for index, box in enumerate(boxes):
        for other in boxes[index + 1 :]:
            if other.x_mm >= box.right_mm - TOLERANCE_MM:
                break
            if min(box.bottom_mm, other.bottom_mm) - max(box.y_mm, other.y_mm) > TOLERANCE_MM:
                overlaps.append(f"the faces at {_place(box)} and {_place(other)} overlap")
    return tuple(overlaps)


@lru_cache(maxsize=1024)
def _outside(boxes: tuple[Rect, ...], printable: Rect) -> tuple[Rect, ...]:
    return tuple(box for box in boxes if not printable.holds(box, TOLERANCE_MM))


def _listed(faces: Iterable[ExpectedFace]) -> str:
    known = list(dict.fromkeys(map(str, faces)))
    return ", ".join(known[:3]) + (f" and {len(known) - 3} more that look the same" if len(known) > 3 else "")


def _mm(size: Size) -> str:
    return f"{size.width_mm:.1f} x {size.height_mm:.1f} mm"


def _place(box: Rect) -> str:
    return f"{box.x_mm:.1f}..{box.right_mm:.1f} mm across, {box.y_mm:.1f}..{box.bottom_mm:.1f} mm down"
