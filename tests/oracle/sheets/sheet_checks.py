"""The sheets of a file held against what they must be: whose they are, in which order, what they say of themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from duckpress.core.language import program
from duckpress.core.problems import Problem
from duckpress.proof.expected import Expected, fault
from oracle.reading.marks import Around
from oracle.reading.placing import Lying, PageLayout
from oracle.sheets.expected import ExpectedPiece, ExpectedSheets, SheetPages, SheetSide
from oracle.sheets.words import footer_faults, is_code_of, read_code, squeezed, tile_places

_UNBROKEN = re.compile("[\u00ad\u200b]")  # where a line may end, which bookmarks and properties do not say


def check_sheets(
    pages: Sequence[PageLayout], bookmarks: Sequence[tuple[str, int]], expected: Expected, sheets: ExpectedSheets
) -> Iterator[Problem]:
    """Yield everything in which the sheets of a file are not what they must be."""
    starts = [page for _, page in bookmarks]
    wanted = [squeezed(_UNBROKEN.sub("", piece.bookmark or piece.title)) for piece in sheets.pieces]
    if [squeezed(title) for title, _ in bookmarks] != wanted or starts != sorted({0, *starts}):
        named = ", ".join(f"{title!r} on page {page + 1}" for title, page in bookmarks)
        yield fault("proof-bookmark", f"the bookmarks are {named or 'none'}, not {', '.join(map(repr, wanted))}")
        return
    shared: list[SheetPages] = []
    each = 1 if expected.duplex is None else 2
    for piece, start, end in zip(sheets.pieces, starts, [*starts[1:], len(pages)], strict=True):
        sides = pages[start:end]
        part = [SheetPages(start + at + 1, piece, sides[at : at + each]) for at in range(0, len(sides), each)]
        yield from _strangers(part, piece)
        if piece.is_shared:
            shared += part
        elif piece.pages:
            yield from _check_reading(part, piece, expected, sheets)
        else:
            yield from _check_stretch(part, sheets)
    while shared:
        # Pieces on common sheets, and those that save nothing by it, are counted each from 1 on.
        total = next((total for total in range(1, len(shared)) if _is_first_of(shared[0], sheets, total)), len(shared))
        yield from _check_stretch(shared[:total], sheets)
        shared = shared[total:]


def _is_first_of(sheet: SheetPages, sheets: ExpectedSheets, total: int) -> bool:
    figures = squeezed(sheets.say(program.SHEET, {"number": 1, "total": total}))
    return any(squeezed(run) == figures for side in sheet.sides for run in side.around.runs)


def _strangers(part: Iterable[SheetPages], piece: ExpectedPiece) -> Iterator[Problem]:
    """Yield a `proof-bookmark` for a page with a face that is not of the piece it belongs to."""
    frames = {*piece.pages, *(face.front.hash for face in piece.faces)}
    frames |= {face.back.hash for face in piece.faces if face.back is not None}
    for sheet in part:
        for number, side in enumerate(sheet.sides, sheet.page):
            if not piece.is_shared and not frames.issuperset([face.frame for face in side.faces]):
                yield fault("proof-bookmark", f"page {number} shows faces that are not of {piece.title!r}")


def _is_empty(page: PageLayout) -> bool:
    return not page.faces and page.around == Around()


def _check_reading(
    part: Sequence[SheetPages], piece: ExpectedPiece, expected: Expected, sheets: ExpectedSheets
) -> Iterator[Problem]:
    """Check the order of pages that are read; among backs that are printed alone, they are empty."""
    wanted = [[page] for page in piece.pages]
    if piece.is_booklet:
        wanted = _in_pairs(piece.pages, is_double_sided=expected.duplex is not None)
    if sheets.backs == "only":
        wanted = [[] for sheet in part for _ in sheet.sides]
    wanted += [[]] * (len(wanted) % 2 if expected.duplex is not None else 0)
    sides = [side for sheet in part for side in sheet.sides]
    if len(wanted) != len(sides):
        yield fault("proof-reading", f"the pages of {piece.title} are on {len(sides)} sides, not on {len(wanted)}")
    for page, (side, frames) in enumerate(zip(sides, wanted, strict=False), part[0].page):
        shown = [face.frame for face in sorted(side.faces, key=_along)]
        if shown != (frames[::-1] if sheets.is_mirrored else frames):
            yield fault("proof-reading", f"page {page} ({piece.title}) shows other pages than follow there")
        elif _is_empty(side) is bool(frames):
            yield fault("proof-reading", f"page {page} ({piece.title}) should be empty")
    yield from _check_codes(part, sheets)


def _along(face: Lying) -> float:
    """Return where a page lies along its sheet, which may have been stood up for a printer."""
    return face.seat.trim_box.y_mm if face.seat.matrix.b else face.seat.trim_box.x_mm


def _in_pairs(pages: Sequence[str], *, is_double_sided: bool) -> list[list[str]]:
    """Return what lies on the sides of a booklet, left and right: folded, its sheets lie in each other, or are cut."""
    if not is_double_sided:
        return [[*pages[at : at + 2]] for at in range(0, len(pages), 2)]
    sides = []
    first, last = 0, len(pages) - 1
    while first < last:
        sides += [[pages[last], pages[first]], [pages[first + 1], pages[last - 1]]]
        first, last = first + 2, last - 2
    return sides


def _check_stretch(part: Sequence[SheetPages], sheets: ExpectedSheets) -> Iterator[Problem]:
    """Check sheets that are counted through, of one piece or of several."""
    piece = part[0].piece
    shown = {face.frame for sheet in part for side in sheet.sides for face in side.faces} if piece.is_shared else ()
    faces = [face for face in piece.faces if (face.front.hash in shown if piece.is_shared else face.copies)]
    fronts, backs = {face.front.hash for face in faces}, {face.back.hash for face in faces if face.back is not None}
    has_backs = bool(backs) or (sheets.backs == "only" and bool(faces))
    written = []
    for number, sheet in enumerate(part, 1):
        for at, side in enumerate(sheet.sides):
            is_back = at > 0 or sheets.backs == "only"
            is_wanted = has_backs or not is_back
            if sheets.backs == "gutterfold":
                lying = {face.frame for face in side.faces}
                is_back = lying <= backs and not lying <= fronts
            if _is_empty(side) is is_wanted:
                what = "is empty" if is_wanted else "should be empty"
                what += f": it is a side of sheet {number} of {sheet.piece.title!r}"
                yield fault("proof-sheet", f"page {sheet.page + at} {what}")
            elif is_wanted:
                written.append(SheetSide(sheet.page + at, number, sheet.piece.title, side, is_back))
    for one, tile in zip(written, tile_places(written), strict=True):
        for what in footer_faults(one, len(part), tile, sheets, has_backs=has_backs):
            yield fault("proof-footer", f"page {one.page}: {what}")
    yield from _check_codes(part, sheets)


def _check_codes(part: Sequence[SheetPages], sheets: ExpectedSheets) -> Iterator[Problem]:
    """Yield a `proof-code` for a code that says something else than what its sheet is."""
    for number, sheet in enumerate(part, 1):
        for page, side in enumerate(sheet.sides, sheet.page):
            if len(side.around.codes) > (page == sheet.page and sheets.backs != "only"):
                yield fault("proof-code", f"page {page} has {len(side.around.codes)} codes")
            for said in map(read_code, side.around.codes):
                if not is_code_of(said, sheet.piece, number, sheets):
                    what = f"the code on page {page} does not name sheet {number} of {sheet.piece.title!r}"
                    yield fault("proof-code", f"{what}: it says {said!r}")
