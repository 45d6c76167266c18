"""The sheets of a file held against what they must be: whose they are, in which order, and what they say of themselves.

Knows nothing of how they were planned: the pieces of a file follow one another, each from its bookmark on; of a piece
with cards every sheet says in its footer which one it is and which side of it; and a code says the same once more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from duckpress.core.geometry import Rect
from duckpress.core.problems import Problem
from duckpress.language import program
from duckpress.proof.cutting import CUT, fold_of
from duckpress.proof.expected import Expected, ExpectedCopy, ExpectedFace, ExpectedPiece, ExpectedSheets, fault
from duckpress.proof.placing import PageLayout
from duckpress.proof.settled_sides import NONE_SETTLED, SettledSides
from duckpress.proof.sheets.card_grids import GAPS, CardKind, is_in_grid, is_in_the_middle, most_cards
from duckpress.proof.sheets.copy_notes import copy_faults, without_copy
from duckpress.proof.sheets.crop_marks import mark_faults, mirrored_faults
from duckpress.proof.sheets.fold_notes import fold_faults
from duckpress.proof.sheets.footers import FooterWords, footer_faults, footer_strip, squeezed
from duckpress.proof.sheets.margin_notes import is_clear, margin_faults, margin_runs, without
from duckpress.proof.sheets.reading_order import reading_faults
from duckpress.proof.sheets.tile_notes import TilePlace, tile_faults, tile_places
from duckpress.proof.sheets.tile_places import order_faults, place_faults

_UNBROKEN = re.compile("[\u00ad\u200b]")  # where a line may end, which bookmarks and properties do not say
_OTHERS = re.compile(r"[^A-Z0-9 $%*+.:-]")  # what a code of capitals and figures cannot hold


def check_sheets(
    pages: Sequence[PageLayout],
    bookmarks: Sequence[tuple[str, int]],
    expected: Expected,
    settled: SettledSides = NONE_SETTLED,
) -> Iterator[Problem]:
    """Yield everything in which the sheets of a file are not what they must be, but for sides that are `settled`."""
    sheets = expected.sheets
    if sheets is None:
        return
    starts, wanted = (
        [page for _, page in bookmarks],
        [squeezed(_UNBROKEN.sub("", piece.title)) for piece in sheets.pieces],
    )
    if [squeezed(title) for title, _ in bookmarks] != wanted or starts != sorted({0, *starts}):
        named = ", ".join(f"{title!r} on page {page + 1}" for title, page in bookmarks)
        yield fault("proof-bookmark", f"the bookmarks are {named or 'none'}, not {', '.join(map(repr, wanted))}")
        return
    if expected.printer is not None:
        pages = [page.as_planned() for page in pages]
    if sheets.copy is not None:
        yield from _check_copy(pages, sheets.copy, expected, sheets)
        pages = [without_copy(page) for page in pages]
    shared: list[_SheetPages] = []
    each = 1 if expected.duplex is None else 2
    for piece, start, end in zip(sheets.pieces, starts, [*starts[1:], len(pages)], strict=True):
        part = [_SheetPages(at + 1, piece, pages[at : at + each]) for at in range(start, end, each)]
        yield from _strangers(part, piece)
        if piece.is_shared:
            shared += part
        elif piece.pages:
            yield from _check_reading(part, piece, expected, sheets)
        else:
            yield from _check_stretch(part, expected, sheets, settled)
    while shared:
        # Pieces on common sheets, and those that save nothing by it, are counted each from 1 on.
        total = next((total for total in range(1, len(shared)) if _says(shared[0], sheets, total)), len(shared))
        yield from _check_stretch(shared[:total], expected, sheets, settled)
        shared = shared[total:]


def _check_copy(
    pages: Sequence[PageLayout], copy: ExpectedCopy, expected: Expected, sheets: ExpectedSheets
) -> Iterator[Problem]:
    """Yield a `proof-copy` for what is wrong with the marks of a copy on any page."""
    read = {key for piece in sheets.pieces for key in piece.pages}
    frames = {frame.hash: frame for face in expected.faces for frame in (face.front, face.back) if frame is not None}
    pages_read = {key: frame for key, frame in frames.items() if key in read}
    for number, page in enumerate(pages, 1):
        for what in copy_faults(page, copy, pages_read, expected.drawings):
            yield fault("proof-copy", f"page {number}: {what}")


class _SheetPages(NamedTuple):
    """A sheet of paper: the number of its first page, its piece, and its one or two sides."""

    page: int
    piece: ExpectedPiece
    sides: Sequence[PageLayout]


class _Side(NamedTuple):
    """A side with something on it: its page, the number of its sheet, what its footer calls it, and whether a back."""

    page: int
    number: int
    title: str
    layout: PageLayout
    is_back: bool


def _is_empty(page: PageLayout) -> bool:
    return not page.faces and not page.marks


def _strangers(part: Iterable[_SheetPages], piece: ExpectedPiece) -> Iterator[Problem]:
    """Yield a `proof-bookmark` for a page with a face that is not of the piece it belongs to."""
    frames = {*piece.pages, *(face.front.hash for face in piece.faces)}
    frames |= {face.back.hash for face in piece.faces if face.back is not None}
    for sheet in part:
        for number, side in enumerate(sheet.sides, sheet.page):
            if not piece.is_shared and not frames.issuperset([face.frame for face in side.faces]):
                yield fault("proof-bookmark", f"page {number} shows faces that are not of {piece.title!r}")


def _check_reading(
    part: Sequence[_SheetPages], piece: ExpectedPiece, expected: Expected, sheets: ExpectedSheets
) -> Iterator[Problem]:
    """Check pages that are read; among backs that are printed alone, they are empty."""
    sides = [side for sheet in part for side in sheet.sides]
    faults: Iterable[tuple[int, str]]
    if sheets.backs == "only":
        faults = ((at, "should be empty") for at, side in enumerate(sides) if not _is_empty(side))
    else:
        faults = reading_faults(sides, piece.pages, sheets, is_booklet=piece.is_booklet, duplex=expected.duplex)
    for at, what in faults:
        yield fault("proof-reading", f"page {part[0].page + at} ({piece.title}) {what}")
    yield from _check_codes(part, sheets, NONE_SETTLED)


def _check_stretch(
    part: Sequence[_SheetPages], expected: Expected, sheets: ExpectedSheets, settled: SettledSides
) -> Iterator[Problem]:
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
            if _is_empty(side) is is_wanted:
                what = "is empty" if is_wanted else "should be empty"
                yield fault(
                    "proof-sheet", f"page {page} {what}: it is a side of sheet {number} of {sheet.piece.title!r}"
                )
            elif is_wanted:
                written.append(_Side(page, number, sheet.piece.title, side, is_back))
    names_of = _names(faces)
    places = tile_places([(side.layout, side.is_back) for side in written])
    kinds: dict[tuple[str, bool, bool], FooterWords] = {}
    for one, tile in zip(written, places, strict=True):
        kind = one.title, one.is_back, bool(one.layout.folds)
        if kind not in kinds:
            kinds[kind] = _words(*kind, sheets, has_backs=has_backs)
        words = kinds[kind]._replace(figures=sheets.say(program.SHEET, {"number": one.number, "total": len(part)}))
        asked = "footer", words.as_drawn, words.notes, sheets.paper, sheets.say(program.FOLD)
        if tile is not None or names_of or not settled.has(one.page - 1, *asked):
            names = margin_runs(one.layout, names_of)
            for what in margin_faults(one.layout, names, names_of):
                yield fault("proof-code", f"page {one.page}: {what}")
            plain = one._replace(layout=without(one.layout, names)) if names else one
            yield from _check_footer(plain, words, tile, sheets)
    yield from _check_tiles(written, places, faces, sheets)
    fronts_of = [one for one, tile in zip(written, places, strict=True) if not one.is_back and tile is None]
    yield from _check_grids(fronts_of, faces, expected, sheets, settled)
    outlined = {key: shape for key, shape in _shapes(faces).items() if shape != ""}
    for before, one, tile in zip([None, *written], written, places, strict=False):
        if outlined or one.is_back or tile is not None or not settled.has(one.page - 1, "cuts", expected.cut):
            faults = _cut_faults(before, one, outlined, expected, is_tile=tile is not None)
            yield from (fault("proof-cut", f"page {one.page}: {what}") for what in faults)
    yield from _check_codes(part, sheets, settled)


def _names(faces: Iterable[ExpectedFace]) -> dict[str, set[str]]:
    """Return what the margins of their sheets call the cards with each front."""
    names: dict[str, set[str]] = {}
    for face in faces:
        if face.name:
            names.setdefault(face.front.hash, set()).add(face.name)
    return names


def _shapes(faces: Iterable[ExpectedFace]) -> dict[str, str | None]:
    """Return the shape of each front; None where cards of several shapes look the same."""
    shapes: dict[str, str | None] = {}
    for face in faces:
        if shapes.setdefault(face.front.hash, face.shape) != face.shape:
            shapes[face.front.hash] = None
    return shapes


def _check_tiles(
    sides: Sequence[_Side], places: Sequence[TilePlace | None], faces: Sequence[ExpectedFace], sheets: ExpectedSheets
) -> Iterator[Problem]:
    """Check how the tiles of fronts lie and follow one another, board by board."""
    boards = {face.front.hash: face for face in faces if face.overlap_mm is not None}
    tiles: dict[str, list[tuple[_Side, TilePlace]]] = {}
    for side, place in zip(sides, places, strict=True):
        if place is not None and not side.is_back and side.layout.faces[0].frame in boards:
            tiles.setdefault(side.layout.faces[0].frame, []).append((side, place))
    for frame, parts in tiles.items():
        for what in order_faults([place for _, place in parts]):
            yield fault("proof-tiles", f"from page {parts[0][0].page} on, {what}")
        for side, place in parts:
            for what in place_faults(side.layout, place, boards[frame], sheets.paper, sheets.turn):
                yield fault("proof-tiles", f"page {side.page}: {what}")


def _check_grids(
    sides: Sequence[_Side],
    faces: Sequence[ExpectedFace],
    expected: Expected,
    sheets: ExpectedSheets,
    settled: SettledSides,
) -> Iterator[Problem]:
    """Check where the cards of fronts lie, on how many sheets, and in which order: that of the piece, copies together.

    Cards of several sizes share sheets where that takes fewer of them; what such a sheet holds lies in its middle.
    """
    shapes = _shapes(faces)
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
        sheets_needed += -(-count // max(1, most_cards(kind, sheets.paper, _most(sheets.gaps))))
    if len(sides) > sheets_needed and not expected.fold_turn:
        yield fault("proof-placement", f"{sides[0].title!r} is on {len(sides)} sheets, not on {sheets_needed}")
    for side, of_faces in zip(sides, kinds_on, strict=True):
        on_page = list(dict.fromkeys(of_faces))
        if len(on_page) == 1:
            asked = on_page[0], sheets.paper, ways[on_page[0]]
            if settled.has(side.page - 1, "grid", *asked, len(counts)) or is_in_grid(side.layout, *asked):
                continue
        bleeds = [kind.bleed_mm for kind in of_faces]
        if len(counts) < 2 or not is_in_the_middle(side.layout, bleeds):
            what = "its cards do not lie in the middle, as far apart and with such marks as their sizes give"
            yield fault("proof-placement", f"page {side.page}: {what}")
    if not expected.fold_turn and not any(side.is_back for side in sides):
        yield from _check_order(sides, faces, kinds)


def _most(gaps: str) -> str:
    return "most" if gaps == "auto" else gaps


def _gaps(kind: CardKind, count: int, sheets: ExpectedSheets) -> Sequence[str]:
    """Return how far apart so many cards may lie: where gaps take no more sheets, they have some or look alike."""
    if sheets.gaps != "auto":
        return (sheets.gaps,)
    most, wide = (most_cards(kind, sheets.paper, way) for way in GAPS[:2])
    if count < 2 or most < 2 or not wide or -(-count // wide) > -(-count // most):
        return ("most",)
    return GAPS[1:]


def _check_order(
    sides: Sequence[_Side], faces: Sequence[ExpectedFace], kinds: Mapping[str, CardKind]
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


def _cut_faults(
    before: _Side | None, side: _Side, outlined: Mapping[str, str | None], expected: Expected, *, is_tile: bool
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


def _check_footer(side: _Side, words: FooterWords, tile: TilePlace | None, sheets: ExpectedSheets) -> Iterator[Problem]:
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


def _words(title: str, is_back: bool, is_folded: bool, sheets: ExpectedSheets, *, has_backs: bool) -> FooterWords:
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


def _says(sheet: _SheetPages, sheets: ExpectedSheets, total: int) -> bool:
    """Return whether a sheet says that it is the first of so many."""
    figures = squeezed(sheets.say(program.SHEET, {"number": 1, "total": total}))
    return any(squeezed(run.words) == figures for side in sheet.sides for run in side.around.runs)


def _check_codes(part: Sequence[_SheetPages], sheets: ExpectedSheets, settled: SettledSides) -> Iterator[Problem]:
    """Yield a `proof-code` for a code that says something else than what its sheet is, or that covers something."""
    for number, sheet in enumerate(part, 1):
        names = sheets.id, sheets.version, sheet.piece.code, sheets.numbers.get(sheet.piece.code, 0)
        for page, side in enumerate(sheet.sides, sheet.page):
            codes = side.around.codes
            most = page == sheet.page and sheets.backs != "only"
            if settled.has(page - 1, "code", names, number, most, bool(sheet.piece.pages)):
                continue
            if len(codes) > most:
                yield fault("proof-code", f"page {page} has {len(codes)} codes")
            for code in codes:
                if code.fault or not _is_of(code.said, sheet.piece, number, sheets):
                    said = code.fault or f"it says {code.said!r}"
                    what = f"the code on page {page} does not name sheet {number} of {sheet.piece.title!r}: {said}"
                    yield fault("proof-code", what)
                seats = () if sheet.piece.pages else side.seats
                is_on_text = not all(run.box.is_apart(code.box) for run in side.around.runs)
                if is_on_text or not is_clear(code.box, side.around.paths, seats):
                    yield fault("proof-code", f"the code on page {page} lies on something else")


def _is_of(said: str, piece: ExpectedPiece, number: int, sheets: ExpectedSheets) -> bool:
    """Return whether a code says game, version, piece and sheet: perhaps the game cut short."""
    game, version, *names = (_OTHERS.sub("-", part.upper()) for part in (sheets.id, sheets.version, piece.code))
    parts = said.split("/")
    if len(parts) != 4 or parts[1] != version or parts[2] not in (*names, str(sheets.numbers.get(piece.code, 0))):
        return False
    is_game = parts[0] == game or (parts[0].endswith("*") and len(parts[0]) > 1 and game.startswith(parts[0][:-1]))
    return is_game and parts[3] in (f"{number}", f"0{number}")
