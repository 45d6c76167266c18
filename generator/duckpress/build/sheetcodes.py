"""QR codes on sheets: which game, version, piece and sheet this is, where the paper has room that nothing else needs.

No card gives way for a code: it stands in what is left along the edges, at the end of the footer's words where that is
free, and where nothing is free there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from duckpress.frame import Group, Item, Outline, Paint
from duckpress.geometry import IDENTITY, Matrix, Rect, Size
from duckpress.reports import report_text

if TYPE_CHECKING:
    from duckpress.impose import Placement, Sheet, Side
    from duckpress.layout.qrcode import Modules
    from duckpress.sizes import Paper

MODULE_MM = 0.4
_QUIET_MM = 4 * MODULE_MM
_COLOUR = "#333333"
_MASK = 3  # with one mask for all, the codes of a piece's sheets differ by sums only (see `_Numbers`)
_FIGURES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"  # ISO/IEC 18004, table 5: their values in order


class SheetCodes:
    """Puts codes onto sheets of a game; what sheets share is looked at once."""

    def __init__(self, game: str, version: str) -> None:
        self._game, self._version = game, version
        self._boxes: dict[int, tuple[Item, tuple[Rect, ...]]] = {}
        self._sizes: Mapping[str, Size] = {}
        self._families: dict[str, _Family] = {}

    def coded(self, sheets: Sequence[Sheet], piece: str, paper: Paper, trims: Mapping[str, Size]) -> tuple[Sheet, ...]:
        """Give the sheets of a piece with a code on the front of each that has room for one.

        `trims` are the sizes of the frames on them, by hash.
        """
        self._sizes = trims
        return tuple(self._coded(sheet, piece, paper) for sheet in sheets)

    def _coded(self, sheet: Sheet, piece: str, paper: Paper) -> Sheet:
        from duckpress.layout.qrcode import outline_of

        margins = paper.margins(sheet.paper)
        printable = Rect(
            margins.width_mm,
            margins.height_mm,
            sheet.paper.width_mm - 2 * margins.width_mm,
            sheet.paper.height_mm - 2 * margins.height_mm,
        )
        text = _even(report_text(self._game, self._version, piece), sheet.number)
        family = self._families.get(text[:-2])
        if family is None:
            family = self._families[text[:-2]] = _Family(text[:-2])
        if family.size == 0:
            return sheet
        place = free_place(family.size * MODULE_MM, printable, list(self._taken(sheet.front)))
        if place is None:
            return sheet
        modules = family.modules(text[-2:])
        code = Outline(outline_of(modules, *place, MODULE_MM), Paint(_COLOUR))
        return sheet._replace(front=sheet.front._replace(items=(*sheet.front.items, code)))

    def _taken(self, side: Side) -> Iterator[Rect]:
        """Give boxes around all that is printed on a side."""
        from duckpress.impose.sheet import Layer

        for placed in side.placements:
            yield placed_box(placed, self._sizes[placed.frame])
        for item in side.items:
            parts = item.items if isinstance(item, Layer) else (item,)
            for part in parts:
                known = self._boxes.get(id(part))
                if known is None:
                    # The item is kept with its boxes, so that no other can take its id.
                    known = self._boxes[id(part)] = (part, tuple(ink_boxes((part,))))
                yield from known[1]


def placed_box(placed: Placement, trim: Size) -> Rect:
    """Give the box around a card on a side, with the bleed that is shown of it."""
    middle_x, middle_y = placed.x_mm + trim.width_mm / 2, placed.y_mm + trim.height_mm / 2
    width_mm, height_mm = trim.turned() if placed.turn_degrees % 180 else trim
    left_mm, top_mm = middle_x - width_mm / 2 - placed.bleed.left_mm, middle_y - height_mm / 2 - placed.bleed.top_mm
    across_mm = width_mm + placed.bleed.left_mm + placed.bleed.right_mm
    return Rect(left_mm, top_mm, across_mm, height_mm + placed.bleed.top_mm + placed.bleed.bottom_mm)


def ink_boxes(items: Sequence[Item], matrix: Matrix = IDENTITY) -> Iterator[Rect]:
    """Give boxes around what items print, a box for every line of an outline: marks lie far apart in one path."""
    from duckpress.layout.bounds import item_bounds, moved_bounds, outline_bounds

    for item in items:
        if isinstance(item, Group):
            yield from ink_boxes(item.items, matrix.after(item.matrix))
        elif isinstance(item, Outline):
            margin_mm = item.paint.stroke_mm / 2 if item.paint.stroke else 0.0
            for part in _subpaths(item.d):
                box = outline_bounds(part, margin_mm)
                if box is not None:
                    yield moved_bounds(box, matrix)
        else:
            box = item_bounds(item, {})
            if box is not None:
                yield moved_bounds(box, matrix)


def _subpaths(d: str) -> list[str]:
    """Give the parts of a path that each begin anew."""
    parts: list[list[str]] = []
    words: list[str] = []
    for word in d.split():
        words.append(word)
        if word in ("m", "re"):
            parts.append(words)
            words = []
        elif word in ("l", "c", "h") and parts:
            parts[-1] += words
            words = []
    return [" ".join(part) for part in parts]


def free_place(side_mm: float, printable: Rect, taken: Sequence[Rect]) -> tuple[float, float] | None:
    """Give the top left of a free square along the bottom or the left edge of the printable area: there footers run.

    Its quiet zone is free too. The place furthest to the right counts, or at the left edge the lowest.
    """
    if side_mm > min(printable.width_mm, printable.height_mm):
        return None
    grown = [box.grown(_QUIET_MM) for box in taken]
    left_mm, right_mm, bottom_mm = printable.x_mm, printable.right_mm - side_mm, printable.bottom_mm - side_mm
    below = [(box.x_mm, box.right_mm) for box in grown if box.bottom_mm > bottom_mm and box.y_mm < printable.bottom_mm]
    x_mm = _free(side_mm, right_mm, left_mm, below)
    if x_mm is not None:
        return x_mm, bottom_mm
    beside = [(box.y_mm, box.bottom_mm) for box in grown if box.right_mm > left_mm and box.x_mm < left_mm + side_mm]
    y_mm = _free(side_mm, bottom_mm, printable.y_mm, beside)
    return None if y_mm is None else (left_mm, y_mm)


def _free(side_mm: float, last_mm: float, first_mm: float, taken: Sequence[tuple[float, float]]) -> float | None:
    """Give the last place of a length on a line that no interval touches, None where there is none."""
    at_mm = last_mm
    for start_mm, end_mm in sorted(taken, key=lambda interval: -interval[1]):
        if end_mm <= at_mm:
            break
        if start_mm < at_mm + side_mm:
            at_mm = start_mm - side_mm
    return round(at_mm, 4) if at_mm >= first_mm else None


def _even(text: str, number: int) -> str:
    """Give the text of a sheet, of an even number of letters: two letters of a code share one number in it."""
    figures = str(number)
    return f"{text}/{figures if len(text) % 2 != len(figures) % 2 else '0' + figures}"


class _Family:
    """The codes of texts that differ in their last two letters only.

    A code of one size and mask is a sum (without carry) of what each bit of its text gives, correction included. So the
    codes of a family need no making one by one: a sheet's code is that of `00` and what the bits of its own two letters
    add. Making each anew would take longer than all else on the sheet.
    """

    def __init__(self, head: str) -> None:
        from duckpress.layout.qrcode import TooLong, modules_of

        self._head = head
        try:
            self._base = modules_of(head + "00", "l", _MASK)
            self.size = self._base.size
        except TooLong:
            self.size = 0

    @cached_property
    def _bits(self) -> list[tuple[int, ...]]:
        from duckpress.layout.qrcode import modules_of

        found = []
        for bit in range(11):
            pair = _FIGURES[(1 << bit) // 45] + _FIGURES[(1 << bit) % 45]
            rows = modules_of(self._head + pair, "l", _MASK).rows
            found.append(tuple(one ^ other for one, other in zip(rows, self._base.rows, strict=True)))
        return found

    def modules(self, pair: str) -> Modules:
        """Give the code of the text that ends in two letters."""
        value = 45 * _FIGURES.index(pair[0]) + _FIGURES.index(pair[1])
        rows = self._base.rows
        for bit, part in enumerate(self._bits if value else ()):
            if value >> bit & 1:
                rows = tuple(one ^ other for one, other in zip(rows, part, strict=True))
        return self._base._replace(rows=rows)
