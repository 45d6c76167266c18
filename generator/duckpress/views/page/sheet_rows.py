"""The sheets that come out of a printer, as plain data: where each face lies on each side, and what is around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from duckpress.core.frame import Frame, Group, Item, Outline, Text
from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.core.paths import CLOSE, CURVE, LINE, MOVE, NUMBERS_OF, RECTANGLE, Path
from duckpress.impose import Sheet, Side
from duckpress.impose.sheets import all_items
from duckpress.layout import LaidOut
from duckpress.press.print_job import PrintJob
from duckpress.press.sheets.imposition import impose
from duckpress.press.sheets.piece_sheets import frames_of
from duckpress.store import ALL_PIECES

_Picture = Callable[[LaidOut, Frame], str]


def sheets_data(job: PrintJob, pieces: Sequence[LaidOut], picture: _Picture) -> dict[str, Any]:
    """Return the sheets of every piece on the first paper asked for, but for pages that are not made for it."""
    paper = job.request.papers[0]
    whole = [one for one in pieces if one.faces or one.pages.get(paper)]
    files = [file for file in impose(job, whole, None, is_draft=False).files if file.piece != ALL_PIECES]
    return {
        "paper": paper,
        "backs": job.request.backs,
        "ink": job.request.ink,
        "files": [
            {
                "title": file.title,
                "name": file.name,
                "sheets": [_sheet(sheet, one.laid_out, picture) for one in file.pieces for sheet in one.sheets],
            }
            for file in files
        ],
    }


def _sheet(sheet: Sheet, one: LaidOut, picture: _Picture) -> dict[str, Any]:
    frames = frames_of(one)
    return {
        "width": round(sheet.paper.width_mm, 2),
        "height": round(sheet.paper.height_mm, 2),
        "sides": [_side(side, one, frames, picture) for side in (sheet.front, sheet.back) if side is not None],
    }


def _side(side: Side, one: LaidOut, frames: dict[str, Frame], picture: _Picture) -> dict[str, Any]:
    lines: list[str] = []
    words: list[list[Any]] = []
    for item, matrix in _placed(all_items(side), IDENTITY):
        if isinstance(item, Outline):
            lines.append(_drawn(item.path, matrix))
        elif isinstance(item, Text) and abs(matrix.b) + abs(matrix.c) < 1e-6:  # upright: footers
            x, y = matrix.apply(item.x_mm, item.y_mm)
            words.append([round(x, 1), round(y, 1), round(item.size_mm * matrix.a, 2), item.text])
    faces = []
    for placed in side.placements:
        frame = frames[placed.frame]
        numbers = (placed.x_mm, placed.y_mm, *frame.trim, placed.turn_degrees, frame.bleed_mm, *placed.bleed)
        faces.append([picture(one, frame), *(round(number, 2) for number in numbers)])
    return {"faces": faces, "lines": " ".join(lines), "words": words}


def _placed(items: Sequence[Item], matrix: Matrix) -> Iterator[tuple[Item, Matrix]]:
    for item in items:
        if isinstance(item, Group):
            yield from _placed(item.items, matrix.after(item.matrix))
        else:
            yield item, matrix


def _drawn(path: Path, matrix: Matrix) -> str:
    """Return a path as SVG writes it, in millimetres of the page."""
    words: list[str] = []
    at = 0
    for kind in path.kinds:
        numbers = path.numbers[at : at + NUMBERS_OF[kind]]
        at += NUMBERS_OF[kind]
        if kind == CLOSE:
            words.append("Z")
        elif kind == RECTANGLE:
            x, y, width, height = numbers
            corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
            words.append("M" + "L".join(_point(matrix, *corner) for corner in corners) + "Z")
        else:
            pairs = zip(numbers[::2], numbers[1::2], strict=True)
            words.append({MOVE: "M", LINE: "L", CURVE: "C"}[kind] + " ".join(_point(matrix, *pair) for pair in pairs))
    return "".join(words)


def _point(matrix: Matrix, x: float, y: float) -> str:
    left, top = matrix.apply(x, y)
    return f"{left:.2f} {top:.2f}"
