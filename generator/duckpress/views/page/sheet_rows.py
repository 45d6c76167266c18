"""The sheets that come out of a printer, as plain data: where each face lies on each side, and what is around them.

A printer that does not print true is sent other pages, and what comes out of it is as it was meant: that is shown, with
the margins that it cannot reach.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from duckpress.core.frame import Frame, Outline, Text, placed_items
from duckpress.core.geometry import IDENTITY, Matrix, Size
from duckpress.core.paths import CLOSE, CURVE, LINE, MOVE, NUMBERS_OF, RECTANGLE, Path
from duckpress.core.printer_profile import Printer, stood_up
from duckpress.impose import Sheet, Side
from duckpress.impose.sheets import Code, Edges, Placement, all_items
from duckpress.layout import LaidOut
from duckpress.press.print_job import PrintJob
from duckpress.press.sheets.imposition import impose
from duckpress.press.sheets.piece_sheets import frames_of, oversize_pieces
from duckpress.store import ALL_PIECES
from duckpress.views.page.card_rows import finding_row

_Picture = Callable[[LaidOut, Frame], str]
_RUN = re.compile("1+")


def sheets_data(job: PrintJob, pieces: Sequence[LaidOut], picture: _Picture) -> dict[str, Any]:
    """Return the sheets of every piece on the first paper asked for, but for pages that are not made for it.

    `errors` say which pieces are left out because they do not fit the paper.
    """
    paper, printer = job.request.papers[0], job.request.printer
    large = {one.piece.id: oversize_pieces(job.game, [one], job.request) for one in pieces}
    whole = [one for one in pieces if (one.faces or one.pages.get(paper)) and not large[one.piece.id]]
    files = [file for file in impose(job, whole, None, is_draft=False).files if file.piece != ALL_PIECES]
    return {
        "paper": paper,
        "backs": job.request.backs,
        "ink": job.request.ink,
        "printer": "" if printer is None else printer.name,
        "errors": [finding_row(problem) for problem in dict.fromkeys(chain(*large.values()))],
        "files": [
            {
                "piece": file.piece,
                "title": file.title,
                "name": file.name,
                "sheets": [
                    _sheet(sheet, printer, one.laid_out, picture) for one in file.pieces for sheet in one.sheets
                ],
            }
            for file in files
        ],
    }


def _sheet(sheet: Sheet, printer: Printer | None, one: LaidOut, picture: _Picture) -> dict[str, Any]:
    frames = frames_of(one)
    sides = [side for side in (sheet.front, sheet.back) if side is not None]
    reach = None if printer is None or printer.margins is None else printer.printable(sheet.paper, 0.0)
    return {
        "width": round(sheet.paper.width_mm, 2),
        "height": round(sheet.paper.height_mm, 2),
        "reach": None if reach is None else [round(number, 2) for number in reach],
        "sides": [_side(side, sheet.paper, one, frames, picture) for side in sides],
    }


def _side(side: Side, paper: Size, one: LaidOut, frames: dict[str, Frame], picture: _Picture) -> dict[str, Any]:
    # A page that lay on its side was stood up for a printer that is measured upright.
    stand = stood_up(paper.turned()) if abs(side.map.b) > abs(side.map.a) else IDENTITY
    lines: list[str] = []
    words: list[list[Any]] = []
    for item, matrix in placed_items(all_items(side), stand):
        if isinstance(item, Outline):
            lines.append(_drawn(item.path, matrix))
        elif isinstance(item, Text):
            x, y = matrix.apply(item.x_mm, item.y_mm)
            scale, turn = math.hypot(matrix.a, matrix.b), math.degrees(math.atan2(matrix.b, matrix.a))
            shape = (x, y, item.size_mm * scale, item.width_mm * scale, turn)
            words.append([*(round(number, 2) for number in shape), item.text])
    faces = []
    for placed in side.placements:
        frame = frames[placed.frame]
        x, y, turn, bleed = _stood(placed, frame.trim, stand)
        numbers = (x, y, *frame.trim, turn, frame.bleed_mm, *bleed)
        faces.append([picture(one, frame), *(round(number, 2) for number in numbers)])
    return {"faces": faces, "lines": " ".join(lines), "dark": modules_path(side.code, stand), "words": words}


def modules_path(code: Code | None, matrix: Matrix) -> str:
    """Return the dark modules of a code of a sheet as SVG writes a path."""
    if code is None:
        return ""
    size, most = code.module_mm, len(code.rows)
    down = f"{matrix.c * size:.2f} {matrix.d * size:.2f}"
    bars: dict[int, str] = {}  # of so many modules side by side, from their top left
    found = []
    for number, row in enumerate(code.rows):
        for run in _RUN.finditer(f"{row:0{most}b}"):
            long = run.end() - run.start()
            if long not in bars:
                x, y = matrix.a * size * long, matrix.b * size * long
                bars[long] = f"l{x:.2f} {y:.2f} {down} {-x:.2f} {-y:.2f}Z"
            start = _point(matrix, code.x_mm + run.start() * size, code.y_mm + number * size)
            found.append(f"M{start}{bars[long]}")
    return "".join(found)


def _stood(placed: Placement, trim: Size, stand: Matrix) -> tuple[float, float, int, Edges]:
    """Return where a face lies on a page that was stood up, how far it is turned there, and what shows of its bleed."""
    if stand == IDENTITY:
        return placed.x_mm, placed.y_mm, placed.turn_degrees, placed.bleed
    x, y = stand.apply(placed.x_mm + trim.width_mm / 2, placed.y_mm + trim.height_mm / 2)
    left, top, right, bottom = placed.bleed
    turn = (placed.turn_degrees + 90) % 360
    return x - trim.width_mm / 2, y - trim.height_mm / 2, turn, Edges(bottom, left, top, right)


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
