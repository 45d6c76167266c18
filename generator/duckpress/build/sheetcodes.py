"""QR codes on sheets: which game, version, piece and sheet this is, in what the paper has left beside cards and marks.

No card, bleed or mark gives way for a code. It stands along an edge of what the printer reaches, at the end of the
footer's words where that is free, and is as large as the place allows: first with all of its light rim (four modules),
then with half of it, at last so small that a scanner with 200 dots to the inch just reads it. Where a piece fills the
paper so nearly that its name makes the code too large, its number stands for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from duckpress.frame import Drawing, Group, Item, Outline, Paint
from duckpress.geometry import IDENTITY, Matrix, Rect, Size
from duckpress.reports import report_text

if TYPE_CHECKING:
    from duckpress.impose import Placement, Sheet, Side
    from duckpress.layout import LaidOut
    from duckpress.layout.qrcode import Modules
    from duckpress.sizes import Paper

MODULE_MM = 0.4
_COLOUR = "#333333"
_HAIR = 1e-4  # what touches does not overlap
_MOST_LOOKED_AT = 1000  # boxes on a sheet; with more, only its edges are looked at
_MASK = 3  # with one mask for all, the codes of a piece's sheets differ by sums only (see `_Family`)
_FIGURES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"  # ISO/IEC 18004, table 5: their values in order

# Sizes of modules with the width of the light rim in modules, best first. Source: the rim of ISO/IEC 18004, 6.3.8, is
# 4; GS1 General Specifications allow modules of 0.254 mm for small things; below 0.22 mm a picture of 200 dpi has fewer
# than 1.75 pixels for a module, and zxing-cpp fails to read some.
_FULL_RIM = tuple((module_mm, 4.0) for module_mm in (MODULE_MM, 0.36, 0.33, 0.3))
_HALF_RIM = tuple((module_mm, 2.0) for module_mm in (0.33, 0.3, 0.28, 0.26, 0.25, 0.24, 0.23, 0.22))
_LEAST_RIM = tuple((module_mm, 1.0) for module_mm in (0.28, 0.26, 0.25, 0.24, 0.23, 0.22))
_SHORT_BELOW_MM = 0.3  # smaller than this, the shorter text is tried too


class Spot(NamedTuple):
    """Where a code stands: its top left, its modules' size, its rim in modules, and which of its texts it says."""

    x_mm: float
    y_mm: float
    module_mm: float
    rim: float
    text: int


class SheetCodes:
    """Puts codes onto sheets of a game; what sheets share is looked at once. `pieces` are the ids in their order."""

    def __init__(self, game: str, version: str, pieces: Sequence[str]) -> None:
        self._game, self._version = game, version
        self._numbers = {piece: number for number, piece in enumerate(pieces, 1)}
        self._boxes: dict[tuple[int, Matrix], tuple[Item, tuple[Rect, ...]]] = {}
        self._sizes: Mapping[str, Size] = {}
        self._pages: Mapping[str, tuple[Rect, ...]] = {}
        self._families: dict[str, _Family] = {}
        self._spots: dict[object, Spot | None] = {}
        self._counts: dict[int, int] = {}

    def coded(self, sheets: Sequence[Sheet], piece: str, paper: Paper, trims: Mapping[str, Size]) -> tuple[Sheet, ...]:
        """Give the sheets of a piece with a code on the front of each, at one place of all where that can be.

        Sheets of backs alone have none: they are the other sides of sheets that have, or are glued to them. `trims` are
        the sizes of the frames on the sheets, by hash.
        """
        self._sizes, self._pages = trims, {}
        return self._all_coded(sheets, piece, paper)

    def coded_pages(self, sheets: Sequence[Sheet], one: LaidOut, paper: Paper) -> tuple[Sheet, ...]:
        """Give sheets of pages that are read with a code each: pages have white margins, which it may stand in."""
        pages = one.pages.get(paper.name, ())
        self._pages = {page.hash: tuple(ink_boxes(page.items, drawings=one.drawings)) for page in pages}
        return self._all_coded(sheets, one.piece.id, paper)

    def _all_coded(self, sheets: Sequence[Sheet], piece: str, paper: Paper) -> tuple[Sheet, ...]:
        found: list[Sheet] = []
        last: Spot | None = None
        for sheet in sheets:
            if all(placed.is_back for placed in sheet.front.placements):
                found.append(sheet)
                continue
            coded, last = self._coded(sheet, piece, paper, last)
            found.append(coded)
        return tuple(found)

    def _coded(self, sheet: Sheet, piece: str, paper: Paper, last: Spot | None) -> tuple[Sheet, Spot | None]:
        from duckpress.layout.qrcode import outline_of

        printable = Rect(0.0, 0.0, *sheet.paper).inside(paper.margins(sheet.paper))
        texts = self._texts(piece, sheet.number)
        counts = tuple(self._count(text) for text in texts)
        taken = tuple(self._taken(sheet.front))
        spot = last
        if last is None or counts[last.text] == 0 or not _is_free(last, counts[last.text], printable, taken):
            spot = self._spot(counts, printable, taken)
        if spot is None:
            return sheet, last
        modules = self._modules(texts[spot.text])
        code = Outline(outline_of(modules, spot.x_mm, spot.y_mm, spot.module_mm), Paint(_COLOUR))
        return sheet._replace(front=sheet.front._replace(items=(*sheet.front.items, code))), spot

    def _texts(self, piece: str, number: int) -> tuple[str, ...]:
        """Give what a code may say: with the piece's id, and with its number."""
        full = _even(report_text(self._game, self._version, piece), number)
        # 0 stands for sheets that several pieces share.
        return full, report_text(self._game, self._version, str(self._numbers.get(piece, 0)), str(number))

    def _family(self, head: str) -> _Family:
        if head not in self._families:
            self._families[head] = _Family(head)
        return self._families[head]

    def _count(self, text: str) -> int:
        """Give how many modules a text's code has across, which its length decides; 0 where no code can hold it."""
        from duckpress.layout.qrcode import TooLong, modules_of

        if len(text) not in self._counts:
            try:
                self._counts[len(text)] = modules_of(text, "l", _MASK).size
            except TooLong:
                self._counts[len(text)] = 0
        return self._counts[len(text)]

    def _modules(self, text: str) -> Modules:
        from duckpress.layout.qrcode import modules_of

        if len(text) % 2:
            return modules_of(text, "l", _MASK)
        return self._family(text[:-2]).modules(text[-2:])

    def _spot(self, counts: tuple[int, ...], printable: Rect, taken: tuple[Rect, ...]) -> Spot | None:
        """Give the best place for a code of one of these sizes in modules; sheets alike have theirs alike."""
        key = (counts, printable, frozenset(tuple(round(side_mm, 1) for side_mm in box) for box in taken))
        if key not in self._spots:
            self._spots[key] = best_spot(counts, printable, taken)
        return self._spots[key]

    def _taken(self, side: Side) -> Iterator[Rect]:
        """Give boxes around all that is printed on a side."""
        from duckpress.impose.sheet import FOLD_LAYER, Layer

        places: list[Rect] = []
        for placed in side.placements:
            if placed.frame in self._pages:
                yield from (box.moved(placed.x_mm, placed.y_mm) for box in self._pages[placed.frame])
            else:
                places.append(placed_box(placed, self._sizes[placed.frame]))
        yield from places
        for item in side.items:
            for part in item.items if isinstance(item, Layer) else (item,):
                yield from self._known_boxes(part, IDENTITY)
            if isinstance(item, Layer) and item.name == FOLD_LAYER:
                # What comes behind a card belongs to it, also where nothing is printed on its back.
                (line, *_) = ink_boxes(item.items[:1])
                yield from (_folded(place, line) for place in places)

    def _known_boxes(self, item: Item, matrix: Matrix) -> Iterator[Rect]:
        """Give boxes around an item; the footers of a piece's sheets have most of their parts in common."""
        if isinstance(item, Group):
            matrix = matrix.after(item.matrix)
            for inner in item.items:
                yield from self._known_boxes(inner, matrix)
            return
        key = (id(item), matrix)
        known = self._boxes.get(key)
        if known is None:
            # The item is kept with its boxes, so that no other can take its id.
            known = self._boxes[key] = (item, tuple(ink_boxes((item,), matrix)))
        yield from known[1]


def _folded(box: Rect, fold: Rect) -> Rect:
    """Give where a box comes to lie when a sheet is folded along an upright or a level line."""
    if fold.width_mm < fold.height_mm:
        return box._replace(x_mm=fold.x_mm + fold.right_mm - box.right_mm)
    return box._replace(y_mm=fold.y_mm + fold.bottom_mm - box.bottom_mm)


def placed_box(placed: Placement, trim: Size) -> Rect:
    """Give the box around a card on a side, with the bleed that is shown of it."""
    middle_x, middle_y = placed.x_mm + trim.width_mm / 2, placed.y_mm + trim.height_mm / 2
    width_mm, height_mm = trim.turned() if placed.turn_degrees % 180 else trim
    left_mm, top_mm = middle_x - width_mm / 2 - placed.bleed.left_mm, middle_y - height_mm / 2 - placed.bleed.top_mm
    across_mm = width_mm + placed.bleed.left_mm + placed.bleed.right_mm
    return Rect(left_mm, top_mm, across_mm, height_mm + placed.bleed.top_mm + placed.bleed.bottom_mm)


def ink_boxes(
    items: Sequence[Item], matrix: Matrix = IDENTITY, drawings: Mapping[str, Drawing] = MappingProxyType({})
) -> Iterator[Rect]:
    """Give boxes around what items print, a box for every line of an outline: marks lie far apart in one path."""
    from duckpress.layout.bounds import item_bounds, moved_bounds, outline_bounds

    for item in items:
        if isinstance(item, Group):
            yield from ink_boxes(item.items, matrix.after(item.matrix), drawings)
        elif isinstance(item, Outline):
            margin_mm = item.paint.stroke_mm / 2 if item.paint.stroke else 0.0
            for part in _subpaths(item.d):
                box = outline_bounds(part, margin_mm)
                if box is not None:
                    yield moved_bounds(box, matrix)
        else:
            box = item_bounds(item, drawings)
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


def best_spot(counts: Sequence[int], printable: Rect, taken: Sequence[Rect]) -> Spot | None:
    """Give the first place, of the sizes in their order, that leaves a code and its rim free; None where none does.

    `counts` are how many modules the code of each text has across, 0 for a text that no code can hold.
    """
    for sizes in (_FULL_RIM, _HALF_RIM, _LEAST_RIM):
        for module_mm, rim in sizes:
            for text, count in enumerate(counts):
                if count and (text == 0 or (module_mm < _SHORT_BELOW_MM and count < counts[0])):
                    place = free_place(count * module_mm, rim * module_mm, printable, taken)
                    if place is not None:
                        return Spot(*place, module_mm, rim, text)
    return None


def free_place(side_mm: float, rim_mm: float, printable: Rect, taken: Sequence[Rect]) -> tuple[float, float] | None:
    """Give the top left of a square that is free with a rim around it: beyond what is printable paper is light anyway.

    Looked at are the bottom edge, the left one, the top and the right; then, for the strip beside a fold, the rows and
    columns along what is taken. The place furthest to the right, or the lowest, counts.
    """
    if side_mm > min(printable.width_mm, printable.height_mm):
        return None
    grown = [box.grown(rim_mm) for box in taken]
    left_mm, right_mm = printable.x_mm, printable.right_mm - side_mm
    top_mm, bottom_mm = printable.y_mm, printable.bottom_mm - side_mm

    def in_row(y_mm: float) -> tuple[float, float] | None:
        ends = [
            (box.x_mm, box.right_mm)
            for box in grown
            if box.bottom_mm > y_mm + _HAIR and box.y_mm < y_mm + side_mm - _HAIR
        ]
        x_mm = _free(side_mm, right_mm, left_mm, ends)
        return None if x_mm is None else (x_mm, round(y_mm, 4))

    def in_column(x_mm: float) -> tuple[float, float] | None:
        ends = [
            (box.y_mm, box.bottom_mm)
            for box in grown
            if box.right_mm > x_mm + _HAIR and box.x_mm < x_mm + side_mm - _HAIR
        ]
        y_mm = _free(side_mm, bottom_mm, top_mm, ends)
        return None if y_mm is None else (round(x_mm, 4), y_mm)

    edges = in_row(bottom_mm) or in_column(left_mm) or in_row(top_mm) or in_column(right_mm)
    if edges is not None or len(taken) > _MOST_LOOKED_AT:
        return edges
    rows = {one for box in grown for one in (box.y_mm - side_mm, box.bottom_mm) if top_mm <= one <= bottom_mm}
    found = next((place for y_mm in sorted(rows, reverse=True) if (place := in_row(y_mm)) is not None), None)
    if found is not None:
        return found
    columns = {one for box in grown for one in (box.x_mm - side_mm, box.right_mm) if left_mm <= one <= right_mm}
    return next((place for x_mm in sorted(columns) if (place := in_column(x_mm)) is not None), None)


def _is_free(spot: Spot, count: int, printable: Rect, taken: Sequence[Rect]) -> bool:
    """Tell whether a code may stand where that of the sheet before does."""
    side_mm = count * spot.module_mm
    square = Rect(spot.x_mm, spot.y_mm, side_mm, side_mm)
    room = square.grown(spot.rim * spot.module_mm - _HAIR)
    return printable.holds(square) and not any(
        box.x_mm < room.right_mm
        and box.right_mm > room.x_mm
        and box.y_mm < room.bottom_mm
        and box.bottom_mm > room.y_mm
        for box in taken
    )


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
        from duckpress.layout.qrcode import modules_of

        self._head = head
        self._base = modules_of(head + "00", "l", _MASK)

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
