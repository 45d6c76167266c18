"""The sheets of a file held against what they must be: whose they are, in which order, and what they say of themselves.

Knows nothing of how they were planned: the pieces of a file follow one another, each from its bookmark on; of a piece
with cards every sheet says in its footer which one it is and which side of it; and a code says the same once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from duckpress.core.frame import Paint
from duckpress.core.geometry import Rect
from duckpress.core.language import program
from duckpress.core.problems import Problem
from duckpress.proof.expected import Expected, ExpectedFace, fault
from oracle.reading.placing import CUT, FOLD, PageLayout, fold_of
from oracle.sheets.crop_marks import MARK_PAINT, mark_faults, mirrored_faults
from oracle.sheets.expected import ExpectedCopy, ExpectedPiece, ExpectedSheets, SheetPages, SheetSide, is_empty
from oracle.sheets.footers import FooterStrip, FooterWords, footer_faults, footer_runs, footer_strip, squeezed
from oracle.sheets.margins import (
    check_codes,
    copy_faults,
    margin_faults,
    margin_runs,
    reading_faults,
    without,
    without_copy,
)
from oracle.sheets.tiles import TilePlace, behind_tile, tile_faults, tile_places


def check_footer(
    side: SheetSide, words: FooterWords, tile: TilePlace | None, sheets: ExpectedSheets
) -> Iterator[Problem]:
    """Check what a side says of itself, and around a tile."""
    layout = side.layout
    printable = Rect(0.0, 0.0, *layout.size).inside(sheets.paper.margins(layout.size))
    strip = footer_strip(layout, printable, is_tile=tile is not None)
    if strip is None:
        yield fault("proof-footer", f"page {side.page}: there is no footer along its lower or left edge")
        return
    if tile is not None:
        words = words._replace(tile=tile.words(sheets))
        for what in tile_faults(layout, tile, strip, is_back=side.is_back):
            yield fault("proof-tiles", f"page {side.page}: {what}")
    else:
        for what in fold_faults(layout, strip, sheets.say(program.FOLD)):
            yield fault("proof-fold", f"page {side.page}: {what}")
    for what in footer_faults(layout, strip, words):
        yield fault("proof-footer", f"page {side.page}: {what}")


def is_behind_tile(layout: PageLayout, sheets: ExpectedSheets) -> bool:
    """Return whether a side without faces has the footer of a tile: its board has no back."""
    printable = Rect(0.0, 0.0, *layout.size).inside(sheets.paper.margins(layout.size))
    return not layout.faces and footer_strip(layout, printable, is_tile=True) is not None


def footer_words(title: str, is_back: bool, is_folded: bool, sheets: ExpectedSheets, *, has_backs: bool) -> FooterWords:
    """Return what the footer of a side must say, but for its number."""
    say = sheets.say
    parts = [program.FOLD_THEN_CUT if is_folded else program.BACK if is_back else program.FRONT]
    if has_backs and sheets.backs in ("duplex", "only"):
        parts.append(program.FLIP_LONG if sheets.turn == "long" else program.FLIP_SHORT)
    rest = [say(program.VERSION, {"version": sheets.version})] if sheets.version else []
    rest += [say(program.CORRECTED, {"name": sheets.printer})] if sheets.printer else []
    tail = "".join(f"· {say(part)}" for part in (*parts, program.PRINT_FULL_SIZE))
    notes = ("", say(program.DRAFT))
    return FooterWords(notes, sheets.game, title, tuple(rest), "", tail, drawn=sheets.drawn)


def is_first_of(sheet: SheetPages, sheets: ExpectedSheets, total: int) -> bool:
    """Return whether a sheet says that it is the first of so many."""
    figures = squeezed(sheets.say(program.SHEET, {"number": 1, "total": total}))
    return any(squeezed(run.words) == figures for side in sheet.sides for run in side.around.runs)


_PAINT = Paint(None, "#000000", 0.2, dash_mm=(2.0, 1.2))
_NEAR_MM = 0.06
_LARGEST_CODE_MM = 15.0  # with the light rim: so much of the line is left out for it
_FREE_MM = 2.6  # beside the line, for the words
_CLEAR_MM = 0.5  # from the footer to the line
_BESIDE_MM, _FROM_END_MM = 0.8, 0.15  # from the line to the baselines of words, from its ends to the words


def fold_faults(page: PageLayout, strip: FooterStrip, word: str) -> Iterator[str]:
    """Yield what is wrong with the line of a fold and the words beside it; without one there may be no words."""
    fold, in_footer = fold_of(page.folds), footer_runs(page, strip)
    runs = [run for run in page.around.runs if run not in in_footer]
    if fold is None:
        yield from (f"{run.words!r} stands beside the faces" for run in runs)
        return
    left, top, right, bottom = strip.printable.edges
    footer_mm = strip.shape.depth_mm + _CLEAR_MM
    left, bottom = (left + footer_mm, bottom) if strip.is_rising else (left, bottom - footer_mm)
    at_mm, beside_mm = fold.at_mm, fold.at_mm - _BESIDE_MM
    long_mm = max((max(run.box[2:]) for run in runs), default=0.0) + _FROM_END_MM
    if fold.is_upright:
        line, degrees = (at_mm, top, at_mm, bottom), 270
        places = [(beside_mm, top + long_mm), (beside_mm, bottom - _FROM_END_MM)]
    else:
        line, degrees = (left, at_mm, right, at_mm), 0
        places = [(left + _FROM_END_MM, beside_mm), (right - long_mm, beside_mm)]
    paths = page.around.strokes(FOLD)
    drawn = sorted(part.box.edges for path in paths for part in path.parts)
    gaps = [Rect(x, y, x2 - x, y2 - y) for (_, _, x, y), (x2, y2, _, _) in pairwise(drawn)]
    codes = [code.box for code in page.around.codes]
    is_whole = all(any(not gap.is_apart(box) for box in codes) and max(gap[2:]) <= _LARGEST_CODE_MM for gap in gaps)
    is_right = {path.paint for path in paths} == {_PAINT} and _are_near((*drawn[0][:2], *drawn[-1][2:]), line)
    if not (is_right and is_whole):
        yield "the line of the fold is not drawn from edge to edge, but for the sheet's code"
    written = sorted((run.x_mm, run.y_mm) for run in runs)
    is_there = len(written) == 2 and all(map(_are_near, written, places))
    if not is_there or any((squeezed(run.words), run.degrees) != (squeezed(word), degrees) for run in runs):
        yield f"{word!r} does not stand beside the fold at both its ends"
    marks = [part.box for path in page.around.strokes(CUT) if path.paint == MARK_PAINT for part in path.parts]
    if any(fold.distance_mm(mark) < _FREE_MM - _NEAR_MM for mark in marks):
        yield "marks run up to the fold, or through the word beside it"


def _are_near(some: Sequence[float], others: Sequence[float]) -> bool:
    return all(abs(one - other) <= _NEAR_MM for one, other in zip(some, others, strict=True))


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
    outlined = {key: shape for key, shape in _shapes(faces).items() if shape != ""}
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


def _shapes(faces: Iterable[ExpectedFace]) -> dict[str, str | None]:
    """Return the shape of each front; None where cards of several shapes look the same."""
    shapes: dict[str, str | None] = {}
    for face in faces:
        if shapes.setdefault(face.front.hash, face.shape) != face.shape:
            shapes[face.front.hash] = None
    return shapes


def _names(faces: Iterable[ExpectedFace]) -> dict[str, set[str]]:
    """Return what the margins of their sheets call the cards with each front."""
    names: dict[str, set[str]] = {}
    for face in faces:
        if face.name:
            names.setdefault(face.front.hash, set()).add(face.name)
    return names


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
