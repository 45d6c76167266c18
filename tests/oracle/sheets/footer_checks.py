"""What sides say of themselves in their footers, and around tiles and folds, held against what they are."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.core.geometry import Rect
from duckpress.core.language import program
from duckpress.core.problems import Problem
from duckpress.proof.expected import fault
from oracle.reading.placing import PageLayout
from oracle.sheets.expected_sheets import ExpectedSheets
from oracle.sheets.fold_notes import fold_faults
from oracle.sheets.footers import FooterWords, footer_faults, footer_strip, squeezed
from oracle.sheets.sheet_sides import SheetPages, SheetSide
from oracle.sheets.tile_notes import TilePlace, tile_faults


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
