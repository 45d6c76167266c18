"""Where cards do not lie as they must: in grids, on as few sheets as hold them, in the order of their piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from duckpress.core.problems import Problem
from duckpress.proof.expected import Expected, ExpectedFace, fault
from oracle.sheets.card_grids import GAPS, CardKind, is_in_grid, is_in_the_middle, most_cards
from oracle.sheets.expected_sheets import ExpectedSheets
from oracle.sheets.sheet_sides import SheetSide


def shapes_of(faces: Iterable[ExpectedFace]) -> dict[str, str | None]:
    """Return the shape of each front; None where cards of several shapes look the same."""
    shapes: dict[str, str | None] = {}
    for face in faces:
        if shapes.setdefault(face.front.hash, face.shape) != face.shape:
            shapes[face.front.hash] = None
    return shapes


def check_grids(
    sides: Sequence[SheetSide],
    faces: Sequence[ExpectedFace],
    expected: Expected,
    sheets: ExpectedSheets,
) -> Iterator[Problem]:
    """Check where the cards of fronts lie, on how many sheets, and in which order: that of the piece, copies together.

    Cards of several sizes share sheets where that takes fewer of them; what such a sheet holds lies in its middle.
    """
    shapes = shapes_of(faces)
    if None in shapes.values():
        return  # which of them lies where cannot be known
    kinds = {face.front.hash: CardKind(face.front.trim, face.front.bleed_mm, face.shape) for face in faces}
    sides = [side for side in sides if not side.layout.folds]
    kinds_on = [[kinds[face.frame] for face in side.layout.faces if face.frame in kinds] for side in sides]
    counts = Counter(chain.from_iterable(kinds_on))
    sheets_needed = 0
    ways: dict[CardKind, Sequence[str]] = {}
    for kind, count in counts.items():
        ways[kind] = _gaps(kind, count, sheets) if len(counts) == 1 else GAPS
        sheets_needed += -(-count // max(1, most_cards(kind, sheets.paper, _roomiest(sheets.gaps))))
    if len(sides) > sheets_needed and not expected.fold_turn:
        yield fault("proof-placement", f"{sides[0].title!r} is on {len(sides)} sheets, not on {sheets_needed}")
    for side, of_faces in zip(sides, kinds_on, strict=True):
        on_page = list(dict.fromkeys(of_faces))
        if len(on_page) == 1:
            asked = on_page[0], sheets.paper, ways[on_page[0]]
            if is_in_grid(side.layout, *asked):
                continue
        bleeds = [kind.bleed_mm for kind in of_faces]
        if len(counts) < 2 or not is_in_the_middle(side.layout, bleeds):
            what = "its cards do not lie in the middle, as far apart and with such marks as their sizes give"
            yield fault("proof-placement", f"page {side.page}: {what}")
    if not expected.fold_turn and not any(side.is_back for side in sides):
        yield from _check_order(sides, faces, kinds)


def _roomiest(gaps: str) -> str:
    return "always" if gaps == "auto" else gaps


def _gaps(kind: CardKind, count: int, sheets: ExpectedSheets) -> Sequence[str]:
    """Return how far apart so many cards may lie: where gaps take more sheets, they have some or look alike."""
    if sheets.gaps != "auto":
        return (sheets.gaps,)
    most, wide = (most_cards(kind, sheets.paper, way) for way in GAPS[:2])
    if count < 2 or most < 2 or not wide:
        return ("most",)
    return GAPS if -(-count // wide) > -(-count // most) else GAPS[1:3]


def _check_order(
    sides: Sequence[SheetSide], faces: Sequence[ExpectedFace], kinds: Mapping[str, CardKind]
) -> Iterator[Problem]:
    """Check that cards of one size follow one another in the order of the piece, each with all of its copies."""
    for kind in dict.fromkeys(kinds.values()):
        wanted = [face.front.hash for face in faces for _ in range(face.copies) if kinds[face.front.hash] == kind]
        found = [(one.frame, side.page) for side in sides for one in side.layout.faces if kinds.get(one.frame) == kind]
        if wanted[: len(found)] == [frame for frame, _ in found]:
            continue
        names = {face.front.hash: face for face in reversed(faces)}
        for frame, (other, page) in zip(wanted, found, strict=False):
            if frame != other:
                what = f"page {page}: {names[other]} lies where {names[frame]} should, in the order of the piece"
                yield fault("proof-placement", what)
                break
