"""Faces in grids without gaps, which virtual tables load as one picture; and plain sheets of them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from duckpress.art.quick_png import quick_png
from duckpress.core.frame import Frame
from duckpress.core.units import MM_PER_INCH
from duckpress.layout import Face
from duckpress.views.export_files import Files
from duckpress.views.face_painter import pixels_of
from duckpress.views.painted_files import PaintedFile
from duckpress.views.virtual.table_decks import TableDeck
from duckpress.views.virtual.table_dice import TWO_ROWS, sheet_of
from duckpress.views.virtual.table_job import SpriteGrid, TableJob


class SpriteSheet(NamedTuple):
    """Faces of a deck that fill one grid: its columns and rows, and the size of a place in pixels."""

    name: str
    faces: tuple[Face, ...]
    columns: int
    rows: int
    size: tuple[int, int]
    dpi: float


def sprite_sheets(deck: TableDeck, grid: SpriteGrid, most: int) -> list[SpriteSheet]:
    """Return a deck's sheets of `most` faces at most, each as square as it can be."""
    sheets = []
    groups = [deck.faces[start : start + most] for start in range(0, len(deck.faces), most)]
    for number, group in enumerate(groups):
        columns = min(grid.columns, math.ceil(math.sqrt(len(group))))
        rows = math.ceil(len(group) / columns)
        front = group[0].front
        sides = (columns * front.trim.width_mm, rows * front.trim.height_mm)
        dpi = min(grid.dpi, grid.max_px / max(sides) * MM_PER_INCH * (1 - 1e-9))
        size = pixels_of(front, dpi, has_bleed=False)
        if size[0] * columns > grid.max_px or size[1] * rows > grid.max_px:  # rounded up
            dpi *= min((size[0] - 1) / size[0], (size[1] - 1) / size[1])
            size = pixels_of(front, dpi, has_bleed=False)
        name = deck.name if len(groups) == 1 else f"{deck.name}-{number + 1}"
        sheets.append(SpriteSheet(name, tuple(group), columns, rows, size, dpi))
    return sheets


def fronts(deck: TableDeck, sheet: SpriteSheet) -> PaintedFile:
    """Return the picture with the fronts of a sheet, row by row."""
    return _grid(deck, sheet, [face.front for face in sheet.faces])


def backs(deck: TableDeck, sheet: SpriteSheet) -> PaintedFile:
    """Return the picture with the backs of a sheet, each at the place of its front; the one back where all share it."""
    if deck.has_one_back:
        return _grid(deck, sheet._replace(columns=1, rows=1), [sheet.faces[0].back])
    return _grid(deck, sheet, [face.back for face in sheet.faces])


def back_name(deck: TableDeck, sheet: SpriteSheet) -> str:
    """Return what the picture of a sheet's backs is called: all sheets of a deck with one back share it."""
    return f"{deck.name}-back.png" if deck.has_one_back else f"{sheet.name}-backs.png"


def _grid(deck: TableDeck, sheet: SpriteSheet, frames: Sequence[Frame | None]) -> PaintedFile:
    return PaintedFile(deck.laid_out, tuple(frames), sheet.dpi, sheet.size, sheet.columns)


def sprite_files(job: TableJob) -> tuple[Files, dict[str, Any]]:
    """Return the sheets of all decks, and `sheets.csv`: what to type in for each, and which card stands where."""
    files: Files = {}
    rows = list(_sheet_rows(job, files))
    listed = io.StringIO()
    keys = ("sheet", "back", "columns", "rows", "place", "card", "copies")
    writer = csv.DictWriter(listed, keys, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    files["sheets.csv"] = listed.getvalue().encode()
    return files, {"max_px": job.grid.max_px, "cards": rows}


def _sheet_rows(job: TableJob, files: Files) -> Iterator[dict[str, Any]]:
    """Yield a row for each card, in the order of its sheet, and put the sheets among the files."""
    for deck in job.decks:
        job.step(deck.name)
        for sheet in sprite_sheets(deck, job.grid, job.grid.columns * job.grid.rows):
            name, back = f"{sheet.name}-fronts.png", back_name(deck, sheet)
            files[name] = fronts(deck, sheet)
            if sheet.faces[0].back is None and deck.has_one_back:
                back = ""
            elif back not in files:
                files[back] = backs(deck, sheet)
            for place, face in enumerate(sheet.faces, 1):
                around = {"sheet": name, "back": back, "columns": sheet.columns, "rows": sheet.rows}
                yield {**around, "place": place, "card": f"{face.deck}/{face.card}", "copies": face.copies}
    for die in job.dice:
        job.step(die.name)
        sides = sheet_of(die.pictures(job.fonts, job.grid.dpi, job.grid.max_px), TWO_ROWS)
        files[die.picture_name] = quick_png(sides, job.grid.dpi)
        around = {"sheet": die.picture_name, "back": "", "columns": 3, "rows": 2}
        for place in range(1, len(die.sides) + 1):
            yield {**around, "place": place, "card": f"{die.face.deck}/{die.face.card}", "copies": die.face.copies}
