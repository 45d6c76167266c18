"""Pages that are read, held against the order of reading: one after the other, or of a booklet as it is folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duckpress.core.frame import Paint
from duckpress.core.geometry import MM_PER_PT, Rect
from duckpress.core.language import program
from duckpress.proof.expected import TOLERANCE_MM
from oracle.reading.placing import PageLayout
from oracle.sheets.expected import ExpectedSheets
from oracle.sheets.footers import squeezed

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
