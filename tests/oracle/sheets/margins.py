"""What a sheet says beside its footer: in margins, by a line, by a code; and pages that are read, in their order."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

import segno
import zxingcpp
from msgspec.structs import replace
from PIL import Image

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, Paint, item_bounds, path_bounds
from duckpress.core.geometry import IDENTITY, MM_PER_PT, Matrix, Rect
from duckpress.core.language import program
from duckpress.core.problems import Problem
from duckpress.proof.expected import TOLERANCE_MM, fault
from oracle.reading.marks import Painted, Run
from oracle.reading.placing import FaceSeat, PageLayout, fold_of
from oracle.sheets.expected import ExpectedCopy, ExpectedPiece, ExpectedSheets, SheetPages
from oracle.sheets.footers import squeezed

_CELL = re.compile(r"(.+?)(?: ×([0-9]+))?")
_ROW_MM = 1.0

Names = Mapping[str, Collection[str]]
"""What margins call the cards with a front, by its hash: several, where cards look alike."""


def margin_runs(page: PageLayout, names: Names) -> list[Run]:
    """Return the texts of a page that name cards and nothing else."""
    known = {name for some in names.values() for name in some}
    if not known:
        return []
    return [run for run in page.around.runs if known.issuperset(_cells([run]))]


def without(page: PageLayout, runs: Collection[Run]) -> PageLayout:
    """Return a page without some texts around its faces."""
    around = replace(page.around, runs=tuple(run for run in page.around.runs if run not in runs))
    return replace(page, around=around)


def margin_faults(page: PageLayout, runs: Sequence[Run], names: Names) -> Iterator[str]:
    """Yield what is wrong with the names in the margins of a page; where there was no room there are none."""
    fold = fold_of(page.folds)
    fronts = [one for one in page.faces if one.frame in names and (fold is None or fold.is_before(one.seat.shown))]
    if not runs:
        return
    rows: list[list[tuple[float, Collection[str]]]] = []
    top_mm = -_ROW_MM
    for one in sorted(fronts, key=lambda one: one.seat.trim_box.y_mm):
        box = one.seat.trim_box
        if not rows or box.y_mm - top_mm > _ROW_MM:
            top_mm = box.y_mm
            rows.append([])
        rows[-1].append((box.x_mm, names[one.frame]))
    wanted = [some for row in rows for _, some in sorted(row, key=lambda cell: cell[0])]
    said = _cells(runs)
    if len(said) != len(wanted) or any(name not in some for name, some in zip(said, wanted, strict=True)):
        yield f"its margins name {', '.join(said)}, not the cards that lie on it, row by row"
    for run in runs:
        others = [
            *(other.box for other in page.around.runs if other is not run),
            *(one.box for one in page.around.codes),
        ]
        if not all(box.is_apart(run.box) for box in others) or not is_clear(run.box, page.around.paths, page.seats):
            yield f"{run.words!r} lies on something else"


@lru_cache(maxsize=64)
def is_clear(box: Rect, paths: Sequence[Painted], seats: Sequence[FaceSeat]) -> bool:
    """Return whether a code, or a name, lies beside marks and faces."""
    boxes = [*(part.box for path in paths for part in path.parts), *(seat.shown for seat in seats)]
    return all(one.is_apart(box) for one in boxes)


def _cells(runs: Sequence[Run]) -> list[str]:
    """Return the names in texts, each as often as it counts."""
    said: list[str] = []
    for run in runs:
        for cell in re.split(r"\s*[·/]\s*", run.words.strip()):
            match = _CELL.fullmatch(cell)
            said += [match[1]] * int(match[2] or 1) if match is not None else [cell]
    return said


_COLOUR = "#000000"  # of the line: all other words of margins are grey
_ASCENT, _DESCENT = 0.74, 0.24  # of the type size: capitals, and what goes below the line


def without_copy(page: PageLayout) -> PageLayout:
    """Return a page without the line of a copy."""
    runs = tuple(run for run in page.around.runs if run.colour != _COLOUR)
    return replace(page, around=replace(page.around, runs=runs))


def copy_faults(
    page: PageLayout, copy: ExpectedCopy, pages: Mapping[str, Frame], drawings: Mapping[str, Drawing]
) -> Iterator[str]:
    """Yield what is wrong with the line of a copy on a page; `pages` are those that are read, by hash."""
    plain, runs = without_copy(page), [run for run in page.around.runs if run.colour == _COLOUR]
    said = squeezed("".join(run.words for run in runs))
    if runs and said not in _squeezed(copy.words):
        yield f"it says {said!r} of its copy, not {next(iter(copy.words), 'nothing')!r}"
    boxes = [_letters(run) for run in plain.around.runs] + [code.box for code in plain.around.codes]
    boxes += [part.box for path in plain.around.paths for part in path.parts]
    for key, seat in plain.faces:
        if key in pages:
            boxes += [seat.matrix.around(box) for box in _ink(pages[key].items, IDENTITY, drawings)]
        else:
            boxes.append(seat.shown)
    for run in runs:
        if not all(box.is_apart(_letters(run)) for box in boxes):
            yield f"{run.words!r} lies on something else"


@lru_cache(maxsize=8)
def _squeezed(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(squeezed, words))


def _letters(run: Run) -> Rect:
    """Return the box of a text as high as its letters, of which fonts say more."""
    (x, y, width, height), high, low = run.box, _ASCENT * run.size_mm, _DESCENT * run.size_mm
    if run.degrees in (90, 270):
        left = run.x_mm - (high if run.degrees == 270 else low)
        return Rect(left, y, high + low, height)
    return Rect(x, run.y_mm - (low if run.degrees == 180 else high), width, high + low)


def _ink(items: Sequence[Item], matrix: Matrix, drawings: Mapping[str, Drawing]) -> Iterator[Rect]:
    """Yield boxes around what a page that is read shows, one for each part of a path."""
    for item in items:
        if isinstance(item, Group):
            yield from _ink(item.items, matrix.after(item.matrix), drawings)
        elif isinstance(item, Outline):
            margin_mm = item.paint.stroke_mm / 2 if item.paint.stroke else 0.0
            for part in item.path.subpaths():
                if (box := path_bounds(part, margin_mm)) is not None:
                    yield matrix.around(box)
        elif (box := item_bounds(item, drawings)) is not None:
            yield matrix.around(box)


PIXELS = 4
"""So many pixels across and down stand for a module of a code that is stamped as a mask of bits."""
_OTHERS = re.compile(r"[^A-Z0-9 $%*+.:-]")  # what a code of capitals and figures cannot hold


def check_codes(part: Sequence[SheetPages], sheets: ExpectedSheets) -> Iterator[Problem]:
    """Yield a `proof-code` for a code that says something else than what its sheet is, or that covers something."""
    for number, sheet in enumerate(part, 1):
        for page, side in enumerate(sheet.sides, sheet.page):
            codes = side.around.codes
            most = page == sheet.page and sheets.backs != "only"
            if len(codes) > most:
                yield fault("proof-code", f"page {page} has {len(codes)} codes")
            for code in codes:
                said, fault_ = _read(code.across, code.rows)
                if fault_ or not _is_of(said, sheet.piece, number, sheets):
                    said = fault_ or f"it says {said!r}"
                    what = f"the code on page {page} does not name sheet {number} of {sheet.piece.title!r}: {said}"
                    yield fault("proof-code", what)
                seats = () if sheet.piece.pages else side.seats
                is_on_text = not all(run.box.is_apart(code.box) for run in side.around.runs)
                if is_on_text or not is_clear(code.box, side.around.paths, seats):
                    yield fault("proof-code", f"the code on page {page} lies on something else")


@lru_cache(maxsize=2048)
def _read(across: int, rows: tuple[bytes, ...]) -> tuple[str, str]:
    """Return what a code says, and why nothing where it says nothing: any module that is wrong makes it wrong."""
    bits = [f"{int.from_bytes(row, 'big'):0{8 * len(row)}b}"[:across] for row in rows]
    modules = [row[::PIXELS] for row in bits[::PIXELS]]
    if bits != ["".join(one * PIXELS for one in row) for row in modules for _ in range(PIXELS)]:
        return "", "it is no square of modules"
    side = across + 8 * PIXELS
    picture = Image.new("L", (side, side), 255)
    dark = bytes(0 if bit == "1" else 255 for row in bits for bit in row)
    picture.paste(Image.frombytes("L", (across, len(rows)), dark), (4 * PIXELS, 4 * PIXELS))
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode, is_pure=True)
    if len(found) != 1:
        return "", "no reader finds a code in it"
    said = found[0].text
    version, error = (len(modules) - 17) // 4, found[0].ec_level
    masks = (segno.make_qr(said, error, version, mask=mask, boost_error=False) for mask in range(8))
    if not any(["".join(map(str, row)) for row in one.matrix] == modules for one in masks):
        return "", f"a module of it is wrong, which says {said!r}"
    return said, ""


def _is_of(said: str, piece: ExpectedPiece, number: int, sheets: ExpectedSheets) -> bool:
    """Return whether a code says game, version, piece and sheet: perhaps the game cut short."""
    game, version, *names = (_OTHERS.sub("-", part.upper()) for part in (sheets.id, sheets.version, piece.code))
    parts = said.split("/")
    if len(parts) != 4 or parts[1] != version or parts[2] not in (*names, str(sheets.numbers.get(piece.code, 0))):
        return False
    is_game = parts[0] == game or (parts[0].endswith("*") and len(parts[0]) > 1 and game.startswith(parts[0][:-1]))
    return is_game and parts[3] in (f"{number}", f"0{number}")


_FOLD_PAINT, _FOLD_MM = Paint(None, "#000000", 0.15, dash_mm=(0.8, 0.6)), 3.0
_NOTE_MM, _NOTE_PT, _NOTE_GROUND = (3.0, 3.2), 11.0, Paint("#ffffff")


def reading_faults(
    sides: Sequence[PageLayout], pages: Sequence[str], sheets: ExpectedSheets, *, is_booklet: bool, duplex: str | None
) -> Iterator[tuple[int, str]]:
    """Yield what is wrong with the sides of a piece that is read, each with the index of the side."""
    wanted = _in_pairs(pages, is_double_sided=duplex is not None) if is_booklet else [[page] for page in pages]
    if sheets.is_mirrored:
        wanted = [pair[::-1] for pair in wanted]
    numbers = {page: number for number, page in enumerate(pages, 1)}
    each = 1 if duplex is None else 2
    while len(wanted) % each:
        wanted.append([])
    if len(wanted) != len(sides):
        yield 0, f"{len(pages)} pages are on {len(sides)} sides, not on {len(wanted)}"
        return
    for index, (side, frames) in enumerate(zip(sides, wanted, strict=True)):
        is_turned = index % each == 1 and (side.size.width_mm <= side.size.height_mm) is not (duplex == "long")
        places, lying = _places(side, sheets, is_booklet=is_booklet), []
        for face in side.faces:
            box, upright = face.seat.trim_box, -1.0 if is_turned else 1.0
            if abs(face.seat.matrix.a - upright) < 0.001:
                lying += [at for at, place in enumerate(places) if _is_at(box, place)][:1]
        found = [numbers.get(face.frame, 0) for face in sorted(side.faces, key=lambda face: face.seat.trim_box.x_mm)]
        if found != [numbers[frame] for frame in frames]:
            said = " and ".join(map(str, found)) or "none"
            yield index, f"shows of {len(pages)} pages {said}, not {' and '.join(str(numbers[one]) for one in frames)}"
        elif sorted(lying) != [*range(len(frames))]:
            yield index, "shows a page that does not lie upright on its margins"
        if side.faces:
            yield from ((index, what) for what in _around_faults(side, sheets, is_booklet=is_booklet))


def _in_pairs(pages: Sequence[str], *, is_double_sided: bool) -> list[list[str]]:
    """Return what lies on the sides of a booklet, left and right: folded, its sheets lie in each other, first outside.

    On one side only they are cut apart: then pages follow one another.
    """
    if not is_double_sided:
        return [[*pages[at : at + 2]] for at in range(0, len(pages), 2)]
    sides = []
    first, last = 0, len(pages) - 1
    while first < last:
        sides += [[pages[last], pages[first]], [pages[first + 1], pages[last - 1]]]
        first, last = first + 2, last - 2
    return sides


def _places(side: PageLayout, sheets: ExpectedSheets, *, is_booklet: bool) -> list[Rect]:
    """Return where pages lie: within the margins of the paper, those of a booklet at its outer edges."""
    box = Rect(0.0, 0.0, *side.size).inside(sheets.paper.margins(side.size))
    if not is_booklet or not side.faces:
        return [box]
    width_mm = side.faces[0].seat.trim.width_mm
    return [box._replace(width_mm=width_mm), box._replace(x_mm=box.right_mm - width_mm, width_mm=width_mm)]


def _is_at(box: Rect, place: Rect) -> bool:
    return all(abs(one - other) <= TOLERANCE_MM for one, other in zip(box, place, strict=True))


def _around_faults(side: PageLayout, sheets: ExpectedSheets, *, is_booklet: bool) -> Iterator[str]:
    """Yield what is wrong with the marks of the fold, and with what is written over the pages of a draft."""
    left_mm, top_mm, right_mm, bottom_mm = Rect(0.0, 0.0, *side.size).inside(sheets.paper.margins(side.size)).edges
    middle_mm = (left_mm + right_mm) / 2
    folds = [(top_mm, top_mm + _FOLD_MM), (bottom_mm - _FOLD_MM, bottom_mm)] if is_booklet else []
    paths = [path for path in side.around.paths if path.paint != _NOTE_GROUND]
    drawn = [(part.points, path.paint) for path in paths for part in path.parts]
    lines = [
        points[0][1] <= points[1][1]
        and _is_at(Rect(*points[0], *points[1]), Rect(middle_mm, start_mm, middle_mm, end_mm))
        for (points, _), (start_mm, end_mm) in zip(sorted(drawn), folds, strict=False)
    ]
    if len(drawn) != len(folds) or not all(lines) or any(paint != _FOLD_PAINT for _, paint in drawn):
        yield "does not have just the marks of its fold, in the middle at its upper and lower edge"
    for run in side.around.runs:
        x_mm, y_mm = left_mm + _NOTE_MM[0], top_mm + _NOTE_MM[1]
        is_there = abs(run.x_mm - x_mm) <= TOLERANCE_MM and abs(run.y_mm - y_mm) <= TOLERANCE_MM
        is_large = abs(run.size_mm - _NOTE_PT * MM_PER_PT) <= 0.01
        if squeezed(run.words) != squeezed(sheets.say(program.DRAFT)) or not is_there or not is_large:
            yield f"says {run.words!r} beside its pages"
