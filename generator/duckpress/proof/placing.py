"""The pages held against the cards: each face as often as it must be, its own back behind it, all of it printable.

Knows nothing of how the sheets were planned: it reads where each face lies from the pages, turns every sheet over as
a printer does, and counts what meets what.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from duckpress.core.frame import Frame
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.proof.expected import Expected, ExpectedFace
from duckpress.proof.folding import Fold, check_clearance, fold_of
from duckpress.proof.proof_findings import ProofFindings
from duckpress.proof.tiles import TiledFace, TilePart, count_boards, shown_part

TOLERANCE_MM = 0.05


class Lying(Struct, frozen=True):
    """A face on a page: its frame's hash, its matrix (mm, from the top left), and what of the page it may paint."""

    frame: str
    matrix: Matrix
    shown: Rect


class PageLayout(Struct, frozen=True):
    """The faces of a page, the boxes of all that is painted around them, and where the printer can print.

    `cuts` and `folds` are the strokes of the layers of cut lines and of the fold line.
    """

    size: Size
    faces: tuple[Lying, ...]
    marks: tuple[Rect, ...]
    printable: Rect
    cuts: tuple[Rect, ...] = ()
    folds: tuple[Rect, ...] = ()


class _Seat(Struct, frozen=True):
    """Where a face lies, whatever it shows: its matrix, its trim and what it may paint."""

    matrix: Matrix
    trim: Size
    shown: Rect


@lru_cache(maxsize=4096)
def trim_on_page(matrix: Matrix, trim: Size) -> Rect:
    """Return where a trim lies on the page."""
    return matrix.around(Rect(0.0, 0.0, *trim))


def check_page(
    number: int, page: PageLayout, frames: Mapping[str, Frame], expected: Expected, findings: ProofFindings
) -> None:
    """Check a page alone: its size, margins, neighbours."""
    wide, high = expected.paper
    if not any(
        abs(page.size.width_mm - w) < TOLERANCE_MM and abs(page.size.height_mm - h) < TOLERANCE_MM
        for w, h in ((wide, high), (high, wide))
    ):
        findings.add("proof-page-size", f"page {number} is {_mm(page.size)}, not {_mm(expected.paper)}")
    seats = _seats(page.faces, frames)
    for what in (*_askew(seats), *_overlaps(seats)):
        findings.add("proof-placement", f"page {number}: {what}")
    for box in _outside(tuple(face.shown for face in page.faces) + page.marks, page.printable):
        what = f"page {number}: something reaches {_place(box)}, where the printer cannot print"
        findings.add("proof-margin", what)


def check_copies(
    pages: Sequence[PageLayout], frames: Mapping[str, Frame], expected: Expected, findings: ProofFindings
) -> None:
    """Count the faces, and what lies behind each; name the cards of which there are too few or too many."""
    is_backed = expected.duplex is not None or expected.fold_turn is not None
    wanted: Counter[tuple[str, str | None]] = Counter()
    cards: dict[tuple[str, str | None], list[ExpectedFace]] = {}
    for face in expected.faces:
        back = face.back.hash if face.back is not None and is_backed else None
        wanted[face.front.hash, back] += face.copies
        cards.setdefault((face.front.hash, back), []).append(face)
    found: Counter[tuple[str, str | None]] = Counter()
    parts: list[TilePart] = []
    for at, pairs in _leaves(pages, frames, expected, findings):
        for lying, back in pairs:
            part = shown_part(lying.matrix, lying.shown, frames[lying.frame].trim)
            if part is None:
                found[lying.frame, back] += 1
            else:
                parts.append(TilePart((lying.frame, back), part, at + 1))
    if parts:
        tiled = {face.front.hash: TiledFace(str(face), face.front.trim, face.overlap_mm) for face in expected.faces}
        found.update(count_boards(parts, tiled, findings))
    _compare_counts(wanted, found, cards, findings)


def _compare_counts(
    wanted: Counter[tuple[str, str | None]],
    found: Counter[tuple[str, str | None]],
    cards: Mapping[tuple[str, str | None], Sequence[ExpectedFace]],
    findings: ProofFindings,
) -> None:
    fronts_wanted, fronts_found = _by_front(wanted), _by_front(found)
    named = {front: names for (front, _), names in cards.items()}
    for front, count in fronts_wanted.items():
        if fronts_found[front] != count:
            what = f"{_listed(named[front])}: expected {count} in the file, found {fronts_found[front]}"
            findings.add("proof-copies", what)
    for front, count in fronts_found.items():
        if front not in fronts_wanted:
            findings.add("proof-copies", f"a face that is on no card's front ({front}) lies there {count} times")
    for pair, count in wanted.items():
        same_fronts = fronts_found[pair[0]] == fronts_wanted[pair[0]]
        if same_fronts and found[pair] < count:
            what = f"{_listed(cards[pair])}: expected {count} with their own back behind them, found {found[pair]}"
            findings.add("proof-back", what)


def _by_front(pairs: Mapping[tuple[str, str | None], int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for (front, _), count in pairs.items():
        counts[front] += count
    return counts


Pair = tuple[Lying, str | None]
"""A face, and the frame of what lies exactly behind it."""


def _leaves(
    pages: Sequence[PageLayout], frames: Mapping[str, Frame], expected: Expected, findings: ProofFindings
) -> Iterator[tuple[int, Iterable[Pair]]]:
    """Yield each sheet, by the index of its first page, with what lies behind its faces in the end."""
    at = 0
    while at < len(pages):
        page, after = pages[at], pages[at + 1] if at + 1 < len(pages) else None
        fold = fold_of(page.folds) if expected.fold_turn is not None else None
        if fold is not None:
            yield at, _folded(page, fold, at + 1, frames, findings)
        elif expected.duplex is not None and after is not None:
            yield at, _met(page, after, expected.duplex, at + 1, frames, findings)
            at += 1
        elif expected.duplex is not None:
            findings.add("proof-page-count", f"the last sheet has no back: the document has {len(pages)} pages")
        elif expected.fold_turn is not None and after is not None and _is_backed(page, after, expected, frames):
            yield at, _met(page, after, expected.fold_turn, at + 1, frames, findings)
            at += 1
        else:
            yield at, [(lying, None) for lying in page.faces]
        at += 1


def _is_backed(page: PageLayout, after: PageLayout, expected: Expected, frames: Mapping[str, Frame]) -> bool:
    """Return whether the next page holds backs to be glued behind a page's faces."""
    backed = {face.front.hash for face in expected.faces if face.back is not None}
    if after.folds or page.size != after.size or backed.isdisjoint(face.frame for face in page.faces):
        return False
    return any(at is not None for at in _turned_over(page, after, expected.fold_turn or "long", frames))


def _folded(
    page: PageLayout, fold: Fold, number: int, frames: Mapping[str, Frame], findings: ProofFindings
) -> Iterator[Pair]:
    """Yield each front of a folded sheet with what comes to lie behind it."""
    check_clearance(fold, [face.shown for face in page.faces], number, findings)
    fronts = [face for face in page.faces if fold.is_before(face.shown)]
    backs = [face for face in page.faces if not fold.is_before(face.shown)]
    behind = _behind(_seats(fronts, frames), _seats(backs, frames), 2 * fold.at_mm, mirrors_x=fold.is_upright)
    for face, index in zip(fronts, behind, strict=True):
        yield face, None if index is None else backs[index].frame
    for index in set(range(len(backs))).difference(behind):
        findings.add("proof-back", f"page {number}: the back at {_place(backs[index].shown)} is folded behind no face")


def _seats(faces: Sequence[Lying], frames: Mapping[str, Frame]) -> tuple[_Seat, ...]:
    return tuple(_Seat(face.matrix, frames[face.frame].trim, face.shown) for face in faces)


def _turned_over(front: PageLayout, back: PageLayout, turn: str, frames: Mapping[str, Frame]) -> tuple[int | None, ...]:
    """Return for each face of a page the index of what lies behind it once the sheet is turned about an edge."""
    width_mm, height_mm = front.size
    mirrors_x = (width_mm <= height_mm) == (turn == "long")
    span_mm = width_mm if mirrors_x else height_mm
    return _behind(_seats(front.faces, frames), _seats(back.faces, frames), span_mm, mirrors_x=mirrors_x)


def _met(
    front: PageLayout, back: PageLayout, duplex: str, number: int, frames: Mapping[str, Frame], findings: ProofFindings
) -> Iterator[Pair]:
    """Yield each face of a front page with what lies exactly behind it once the sheet is turned."""
    if front.size != back.size:
        findings.add("proof-page-size", f"page {number} is {_mm(front.size)}, its back {_mm(back.size)}")
    behind = _turned_over(front, back, duplex, frames)
    for face, index in zip(front.faces, behind, strict=True):
        yield face, None if index is None else back.faces[index].frame
    for index in set(range(len(back.faces))).difference(behind):
        what = f"page {number + 1}: the back at {_place(back.faces[index].shown)} lies behind no face"
        findings.add("proof-back", what)


@lru_cache(maxsize=64)
def _behind(
    fronts: tuple[_Seat, ...], backs: tuple[_Seat, ...], span_mm: float, *, mirrors_x: bool
) -> tuple[int | None, ...]:
    """Return for each front the index of the back exactly behind it; sheets of one grid are worked out once.

    What lies `x` from the left (or from the top) lies `span_mm - x` from it on the other side.

    A sheet turned about an upright axis shows a card's top where it was, so backs are turned the other way round than
    their fronts (0 behind 0, 270 behind 90); turned about a level axis, 180 degrees further (180 behind 0, 90 behind
    90). In both, the corner that was top left on the front is top right on the back.
    """
    found: list[int | None] = []
    for front in fronts:
        corners = [front.matrix.apply(x, y) for x, y in ((0.0, 0.0), (front.trim.width_mm, front.trim.height_mm))]
        if mirrors_x:
            turned = [(span_mm - x, y) for x, y in corners]
        else:
            turned = [(x, span_mm - y) for x, y in corners]
        seen = front.shown.shared(trim_on_page(front.matrix, front.trim))
        if mirrors_x:
            seen = seen._replace(x_mm=span_mm - seen.right_mm)
        else:
            seen = seen._replace(y_mm=span_mm - seen.bottom_mm)
        found.append(
            next((at for at, back in enumerate(backs) if _is_behind(back, turned) and _shows(back, seen)), None)
        )
    return tuple(found)


def _shows(back: _Seat, seen: Rect) -> bool:
    """Return whether a back shows just what lies behind the part of its front that is seen: all of it, or a tile's."""
    shown = back.shown.shared(trim_on_page(back.matrix, back.trim))
    return shown.holds(seen, TOLERANCE_MM) and seen.holds(shown, TOLERANCE_MM)


def _is_behind(back: _Seat, turned: Sequence[tuple[float, float]]) -> bool:
    width, height = back.trim
    corners = (back.matrix.apply(width, 0.0), back.matrix.apply(0.0, height))
    return all(
        abs(x1 - x2) <= TOLERANCE_MM and abs(y1 - y2) <= TOLERANCE_MM
        for (x1, y1), (x2, y2) in zip(corners, turned, strict=True)
    )


@lru_cache(maxsize=64)
def _askew(seats: tuple[_Seat, ...]) -> tuple[str, ...]:
    """Return the faces that are not at their own size, mirrored, or not turned by quarters."""
    found = []
    for seat in seats:
        a, b, c, d, _, _ = seat.matrix
        quarter = sorted((abs(a), abs(b))) + sorted((abs(c), abs(d)))
        if any(abs(one - other) > 1e-4 for one, other in zip(quarter, (0, 1, 0, 1), strict=True)) or a * d - b * c < 0:
            found.append(f"a face at {_place(seat.shown)} is scaled, slanted or mirrored")
    return tuple(found)


@lru_cache(maxsize=64)
def _overlaps(seats: tuple[_Seat, ...]) -> tuple[str, ...]:
    """Return the pairs of faces that paint over each other."""
    found = []
    boxes = sorted((seat.shown for seat in seats), key=lambda box: box.x_mm)
    for index, box in enumerate(boxes):
        for other in boxes[index + 1 :]:
            if other.x_mm >= box.right_mm - TOLERANCE_MM:
                break
            if min(box.bottom_mm, other.bottom_mm) - max(box.y_mm, other.y_mm) > TOLERANCE_MM:
                found.append(f"the faces at {_place(box)} and {_place(other)} overlap")
    return tuple(found)


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
