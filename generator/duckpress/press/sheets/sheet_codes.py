"""QR codes on sheets: game, version, piece and sheet, in the free space beside cards and marks.

No card, bleed or mark gives way for a code. It stands along an edge of what the printer reaches, at the end of the
footer's words where that is free, and is as large as the place allows: first with all of its light rim (four modules),
then with half of it, at last so small that a scanner with 300 dots to the inch reads it well. Where a piece fills the
paper so nearly that its name makes the code too large, its number stands for it, and the beginning of a long id for the
game. On sheets that are folded, the strip along the fold is wider than most margins: rather than be small, a code
stands on the line there, which leaves a gap for it and guides the fold from both its sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from duckpress.art.qr_code import Modules, TooLong, modules_of
from duckpress.core.geometry import Rect, Size
from duckpress.core.report_address import report_text, report_within
from duckpress.core.sizes import Paper
from duckpress.impose import Sheet
from duckpress.impose.sheets import Code
from duckpress.press.sheets.free_places import (
    NO_PAGES,
    SMALL_MM,
    PageBoxes,
    PrintedBoxes,
    Spot,
    best_spot,
    fold_line,
    is_free,
    rounded,
    with_gap,
)

_COLOUR = "#333333"
_MASK = 3  # with one mask for all, the codes of a piece's sheets differ by sums only (see `_modules`)
_SMALLEST_HOLDS = 25  # letters, of those in `_FIGURES`, that the smallest code has room for; same source, table 7
_FIGURES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"  # ISO/IEC 18004, table 5: their values in order


class SheetCodes:
    """Adds codes to a game's sheets; results are cached for sheets alike. `pieces` are the ids in order."""

    def __init__(self, game: str, version: str, pieces: Sequence[str]) -> None:
        self._game, self._version = game, version
        self._numbers = {piece: number for number, piece in enumerate(pieces, 1)}
        self._boxes = PrintedBoxes()
        self._spots: dict[object, Spot | None] = {}

    def coded(
        self, sheets: Sequence[Sheet], piece: str, paper: Paper, trims: Mapping[str, Size], pages: PageBoxes = NO_PAGES
    ) -> tuple[Sheet, ...]:
        """Return the sheets of a piece with a code on each front, if possible always at the same place.

        Sheets of backs alone have none: they are the other sides of sheets that have, or are glued to them. `trims` are
        the sizes of the frames on the sheets, by hash, and `pages` those that are read: in their white margins it may
        stand, too.
        """
        coded: list[Sheet] = []
        last: Spot | None = None
        for sheet in sheets:
            spot, items = None, sheet.front.items
            if not all(placed.is_back for placed in sheet.front.placements):
                printable = Rect(0.0, 0.0, *sheet.paper).inside(paper.margins(sheet.paper))
                texts = self._texts(piece, sheet.number)
                counts = tuple(_count(len(text)) for text in texts)
                line = fold_line(items)
                taken = tuple(self._boxes.around(sheet.front, line, trims, pages))
                spot = last
                beside = taken if line is None or (last is not None and last.is_on_fold) else (*taken, line)
                count = 0 if last is None else counts[last.text]
                if last is None or not count or not is_free(last, count, printable, beside):
                    spot = self._spot(counts, printable, taken, line)
            if spot is not None:
                last, modules = spot, _modules(texts[spot.text])
                code = Code(modules, spot.x_mm, spot.y_mm, spot.module_mm, _COLOUR)
                items = with_gap(items, spot.room(len(modules))) if spot.is_on_fold else items
                sheet = sheet._replace(front=sheet.front._replace(items=items, code=code))
            coded.append(sheet)
        return tuple(coded)

    def _texts(self, piece: str, number: int) -> tuple[str, ...]:
        """Return the possible texts of a code: with the piece's id, and a short one with its number."""
        full = _even(report_text(self._game, self._version, piece), number)
        # 0 stands for sheets that several pieces share.
        parts = (str(self._numbers.get(piece, 0)), str(number))
        return full, report_within(_SMALLEST_HOLDS, self._game, self._version, *parts)

    def _spot(
        self, counts: tuple[int, ...], printable: Rect, taken: tuple[Rect, ...], line: Rect | None
    ) -> Spot | None:
        """Return the best place for a code of one of these sizes in modules; cached for equal sheets."""
        key = (counts, printable, frozenset(map(rounded, taken)), line)
        if key not in self._spots:
            self._spots[key] = _found_spot(counts, printable, taken, line)
        return self._spots[key]


@cache
def _count(letters: int) -> int:
    """Return the number of modules of a code with so many letters; 0 if it is too long."""
    try:
        return len(modules_of(_plain(letters, "00"), "l", _MASK))
    except TooLong:
        return 0


def _found_spot(counts: tuple[int, ...], printable: Rect, taken: tuple[Rect, ...], line: Rect | None) -> Spot | None:
    """Return the best place beside the fold line, or one on it if that makes a small code larger."""
    if line is None:
        return best_spot(counts, printable, taken)
    spot = best_spot(counts, printable, (*taken, line))
    if spot is not None and spot.module_mm >= SMALL_MM:
        return spot
    other = best_spot(counts, printable, taken)
    if other is None or (spot is not None and other.module_mm <= spot.module_mm):
        return spot
    return other._replace(is_on_fold=True)


def _even(text: str, number: int) -> str:
    """Return the text of a sheet with an even number of letters: a code encodes letters in pairs."""
    figures = str(number)
    return f"{text}/{figures if len(text) % 2 != len(figures) % 2 else '0' + figures}"


def _modules(text: str) -> Modules:
    """Return the code of a text.

    A code of one size and mask is a sum (without carry) of what each bit of its text gives, correction included. So the
    codes of texts that differ in their last two letters only need no making one by one: each is that of `00` and what
    the bits of its own two letters add. Making each anew would take longer than all else on the sheet.
    """
    if len(text) % 2:
        return modules_of(text, "l", _MASK)
    modules = modules_of(f"{text[:-2]}00", "l", _MASK)
    value = 45 * _FIGURES.index(text[-2]) + _FIGURES.index(text[-1])
    for bit in range(value.bit_length()):
        if value >> bit & 1:
            modules = _sum(modules, _bit_of(len(text), bit))
    return modules


def _plain(letters: int, end: str) -> str:
    """Return a text of so many letters with this end."""
    return "A" * (letters - len(end)) + end


@cache
def _bit_of(letters: int, bit: int) -> Modules:
    """Return the modules that one bit of the last two of so many letters changes, whatever the others are."""
    pair = _FIGURES[(1 << bit) // 45] + _FIGURES[(1 << bit) % 45]
    return _sum(*(modules_of(_plain(letters, end), "l", _MASK) for end in ("00", pair)))


def _sum(rows: Modules, others: Modules) -> Modules:
    return tuple(row ^ other for row, other in zip(rows, others, strict=True))
