"""The sheets of a file held against what they must be: whose they are, in which order, and what they say of themselves.

Knows nothing of how they were planned: the pieces of a file follow one another, each from its bookmark on; of a piece
with cards every sheet says in its footer which one it is and which side of it; and a code says the same once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from duckpress.core.language import program
from duckpress.core.problems import Problem
from duckpress.proof.expected import Expected, ExpectedFace, fault
from oracle.reading.cutting import CUT, fold_of
from oracle.reading.placing import PageLayout
from oracle.sheets.card_order import check_grids, shapes_of
from oracle.sheets.code_checks import check_codes
from oracle.sheets.copy_notes import copy_faults, without_copy
from oracle.sheets.crop_marks import mark_faults, mirrored_faults
from oracle.sheets.expected_sheets import ExpectedCopy, ExpectedPiece, ExpectedSheets
from oracle.sheets.footer_checks import check_footer, footer_words, is_behind_tile, is_first_of
from oracle.sheets.footers import FooterWords, squeezed
from oracle.sheets.margin_notes import margin_faults, margin_runs, without
from oracle.sheets.reading_order import reading_faults
from oracle.sheets.sheet_sides import SheetPages, SheetSide, is_empty
from oracle.sheets.tile_notes import TilePlace, behind_tile, tile_places
from oracle.sheets.tile_places import order_faults, place_faults

_UNBROKEN = re.compile("[\u00ad\u200b]")  # where a line may end, which bookmarks and properties do not say


def check_sheets(
    pages: Sequence[PageLayout],
    bookmarks: Sequence[tuple[str, int]],
    expected: Expected,
    sheets: ExpectedSheets,
) -> Iterator[Problem]:
    """Yield everything in which the sheets of a file are not what they must be."""
    starts, wanted = (
        [page for _, page in bookmarks],
        [squeezed(_UNBROKEN.sub("", piece.bookmark or piece.title)) for piece in sheets.pieces],
    )
    if [squeezed(title) for title, _ in bookmarks] != wanted or starts != sorted({0, *starts}):
        named = ", ".join(f"{title!r} on page {page + 1}" for title, page in bookmarks)
        yield fault("proof-bookmark", f"the bookmarks are {named or 'none'}, not {', '.join(map(repr, wanted))}")
        return
    if expected.printer is not None:
        pages = [page.as_planned() for page in pages]
    shared: list[SheetPages] = []
    each = 1 if expected.duplex is None else 2
    for piece, start, end in zip(sheets.pieces, starts, [*starts[1:], len(pages)], strict=True):
        sides = pages[start:end]
        if piece.copy is not None:
            yield from _check_copy(start, sides, piece, piece.copy, expected)
            sides = [without_copy(page) for page in sides]
        part = [SheetPages(start + at + 1, piece, sides[at : at + each]) for at in range(0, len(sides), each)]
        yield from _strangers(part, piece)
        if piece.is_shared:
            shared += part
        elif piece.pages:
            yield from _check_reading(part, piece, expected, sheets)
        else:
            yield from _check_stretch(part, expected, sheets)
    while shared:
        # Pieces on common sheets, and those that save nothing by it, are counted each from 1 on.
        total = next((total for total in range(1, len(shared)) if is_first_of(shared[0], sheets, total)), len(shared))
        yield from _check_stretch(shared[:total], expected, sheets)
        shared = shared[total:]


def _check_copy(
    start: int, pages: Sequence[PageLayout], piece: ExpectedPiece, copy: ExpectedCopy, expected: Expected
) -> Iterator[Problem]:
    """Yield a `proof-copy` for what is wrong with the marks of a copy on pages of a piece, from `start` on."""
    frames = {frame.hash: frame for face in piece.faces for frame in (face.front, face.back) if frame is not None}
    pages_read = {key: frame for key, frame in frames.items() if key in piece.pages}
    for number, page in enumerate(pages, start + 1):
        for what in copy_faults(page, copy, pages_read, expected.drawings):
            yield fault("proof-copy", f"page {number}: {what}")


def _strangers(part: Iterable[SheetPages], piece: ExpectedPiece) -> Iterator[Problem]:
    """Yield a `proof-bookmark` for a page with a face that is not of the piece it belongs to."""
    frames = {*piece.pages, *(face.front.hash for face in piece.faces)}
    frames |= {face.back.hash for face in piece.faces if face.back is not None}
    for sheet in part:
        for number, side in enumerate(sheet.sides, sheet.page):
            if not piece.is_shared and not frames.issuperset([face.frame for face in side.faces]):
                yield fault("proof-bookmark", f"page {number} shows faces that are not of {piece.title!r}")


def _check_reading(
    part: Sequence[SheetPages], piece: ExpectedPiece, expected: Expected, sheets: ExpectedSheets
) -> Iterator[Problem]:
    """Check pages that are read; among backs that are printed alone, they are empty."""
    sides = [side for sheet in part for side in sheet.sides]
    faults: Iterable[tuple[int, str]]
    if sheets.backs == "only":
        faults = ((at, "should be empty") for at, side in enumerate(sides) if not is_empty(side))
    else:
        faults = reading_faults(sides, piece.pages, sheets, is_booklet=piece.is_booklet, duplex=expected.duplex)
    for at, what in faults:
        yield fault("proof-reading", f"page {part[0].page + at} ({piece.title}) {what}")
    yield from check_codes(part, sheets)


def _check_stretch(part: Sequence[SheetPages], expected: Expected, sheets: ExpectedSheets) -> Iterator[Problem]:
    """Check sheets that are counted through, of one piece or of several."""
    piece = part[0].piece
    shown = {face.frame for sheet in part for side in sheet.sides for face in side.faces} if piece.is_shared else ()
    faces = [face for face in piece.faces if (face.front.hash in shown if piece.is_shared else face.copies)]
    backs = {face.back.hash for face in faces if face.back is not None}
    has_backs = bool(backs) or (sheets.backs == "only" and bool(faces))
    fronts = {face.front.hash for face in faces}
    written = []
    for number, sheet in enumerate(part, 1):
        for at, side in enumerate(sheet.sides):
            page = sheet.page + at
            is_back = at > 0 or sheets.backs == "only"
            is_wanted = has_backs or not is_back
            if sheets.backs == "gutterfold":
                lying = {face.frame for face in side.faces}
                is_back = lying <= backs and not lying <= fronts
            if is_empty(side) is is_wanted:
                what = "is empty" if is_wanted else "should be empty"
                yield fault(
                    "proof-sheet", f"page {page} {what}: it is a side of sheet {number} of {sheet.piece.title!r}"
                )
            elif is_wanted:
                written.append(SheetSide(page, number, sheet.piece.title, side, is_back))
    names_of = _names(faces)
    shown_so = _with_tiles(written, sheets.turn)
    places = tile_places([(side.layout, side.is_back) for side in shown_so])
    kinds: dict[tuple[str, bool, bool], FooterWords] = {}
    for one, tile in zip(shown_so, places, strict=True):
        if sheets.backs == "only" and is_behind_tile(one.layout, sheets):
            continue  # which tile lies before it, the backs alone do not show
        kind = one.title, one.is_back, bool(one.layout.folds)
        if kind not in kinds:
            kinds[kind] = footer_words(*kind, sheets, has_backs=has_backs)
        words = kinds[kind]._replace(figures=sheets.say(program.SHEET, {"number": one.number, "total": len(part)}))
        names = margin_runs(one.layout, names_of)
        for what in margin_faults(one.layout, names, names_of):
            yield fault("proof-code", f"page {one.page}: {what}")
        plain = one._replace(layout=without(one.layout, names)) if names else one
        yield from check_footer(plain, words, tile, sheets)
    yield from _check_tiles(written, places, faces, sheets)
    fronts_of = [one for one, tile in zip(written, places, strict=True) if not one.is_back and tile is None]
    yield from check_grids(fronts_of, faces, expected, sheets)
    outlined = {key: shape for key, shape in shapes_of(faces).items() if shape != ""}
    for before, one, tile in zip([None, *written], written, places, strict=False):
        if sheets.backs == "only" and is_behind_tile(one.layout, sheets):
            continue
        faults = _cut_faults(before, one, outlined, expected, is_tile=tile is not None)
        yield from (fault("proof-cut", f"page {one.page}: {what}") for what in faults)
    yield from check_codes(part, sheets)


def _with_tiles(sides: Sequence[SheetSide], turn: str) -> list[SheetSide]:
    """Return sides with what lies behind tiles that have no back: nothing is printed there but what is said of them."""
    shown_so = []
    for before, side in zip([None, *sides], sides, strict=False):
        if before is not None and side.is_back and not before.is_back:
            (width_mm, height_mm), front = side.layout.size, before.layout
            layout = behind_tile(front, side.layout, mirrors_x=(width_mm <= height_mm) is (turn == "long"))
            side = side._replace(layout=layout)
        shown_so.append(side)
    return shown_so


def _names(faces: Iterable[ExpectedFace]) -> dict[str, set[str]]:
    """Return what the margins of their sheets call the cards with each front."""
    names: dict[str, set[str]] = {}
    for face in faces:
        if face.name:
            names.setdefault(face.front.hash, set()).add(face.name)
    return names


def _check_tiles(
    sides: Sequence[SheetSide],
    places: Sequence[TilePlace | None],
    faces: Sequence[ExpectedFace],
    sheets: ExpectedSheets,
) -> Iterator[Problem]:
    """Check how the tiles of fronts lie and follow one another, board by board."""
    boards = {face.front.hash: face for face in faces if face.overlap_mm is not None}
    tiles: dict[str, list[tuple[SheetSide, TilePlace]]] = {}
    for side, place in zip(sides, places, strict=True):
        if place is not None and not side.is_back and side.layout.faces[0].frame in boards:
            tiles.setdefault(side.layout.faces[0].frame, []).append((side, place))
    for frame, parts in tiles.items():
        for what in order_faults([place for _, place in parts]):
            yield fault("proof-tiles", f"from page {parts[0][0].page} on, {what}")
        for side, place in parts:
            for what in place_faults(side.layout, place, boards[frame], sheets.paper, sheets.turn):
                yield fault("proof-tiles", f"page {side.page}: {what}")


def _cut_faults(
    before: SheetSide | None, side: SheetSide, outlined: Mapping[str, str | None], expected: Expected, *, is_tile: bool
) -> Sequence[str]:
    """Return what is wrong with the marks and lines of a side, a back being behind the side before it.

    `outlined` are the shapes of fronts that straight cuts do not give, None where such a one is cut both ways.
    """
    layout, turn = side.layout, expected.duplex or expected.fold_turn
    if expected.cut == "none" and not is_tile:
        return ["there are cut lines, though none are asked for"] if layout.around.strokes(CUT) else ()
    if not side.is_back:
        fold = fold_of(layout.folds)
        if not outlined:
            return mark_faults(layout, ("",) * len(layout.faces), fold)
        needed = [
            outlined.get(face.frame, "")
            if (fold is None or fold.is_before(face.seat.shown)) and face.seat.shown.holds(face.seat.trim_box)
            else ""
            for face in layout.faces
        ]
        return mark_faults(layout, needed, fold)
    if before is None or before.is_back or turn is None:
        return ()
    mirrors_x = (layout.size.width_mm <= layout.size.height_mm) is (turn == "long")
    return mirrored_faults(before.layout, layout, mirrors_x=mirrors_x)
