"""Boxes around all that is printed on a side: faces as they are shown, marks, footers, the code, what pages say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from duckpress.core.frame import Group, Item
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size
from duckpress.core.sizes import Paper
from duckpress.impose import Side
from duckpress.impose.sheets import FOLD_LAYER, Layer
from duckpress.layout import LaidOut
from duckpress.press.sheets.free_places import fold_line, folded, ink_boxes

_RIM_MODULES = 4  # the light rim of a code; source: ISO/IEC 18004, 6.3.8

PageBoxes = Mapping[str, tuple[Rect, ...]]
"""Boxes around what is printed on pages that are read, by the hashes of their frames."""


def page_boxes(one: LaidOut, paper: Paper) -> PageBoxes:
    """Return the boxes of the pages of a piece: they have white margins, which other things may stand in."""
    pages = one.pages.get(paper.name, ())
    return {page.hash: tuple(ink_boxes(page.items, drawings=one.drawings)) for page in pages}


class PrintedBoxes:
    """Finds the boxes; what the sheets of a piece share is looked at once."""

    def __init__(self) -> None:
        self._boxes: dict[tuple[int, Matrix], tuple[Item, tuple[Rect, ...]]] = {}

    def taken(
        self, side: Side, trims: Mapping[str, Size], pages: PageBoxes = MappingProxyType({})
    ) -> list[Rect]:  # fmt: skip
        """Return boxes around all that is printed on a side with a code, and around that."""
        line = fold_line(side.items)
        boxes = [*self.around(side, line, trims, pages), *([] if line is None else [line])]
        return boxes if side.code is None else [*boxes, side.code.box.grown(_RIM_MODULES * side.code.module_mm)]

    def around(self, side: Side, line: Rect | None, trims: Mapping[str, Size], pages: PageBoxes) -> Iterator[Rect]:
        """Yield boxes around all that is printed on a side, but for the line of a fold.

        `trims` are the sizes of the frames on it, by hash.
        """
        places: list[Rect] = []
        for placed in side.placements:
            if placed.frame in pages:
                yield from (box.moved(placed.x_mm, placed.y_mm) for box in pages[placed.frame])
            else:
                places.append(placed.bleed.around(placed.trim_box(trims[placed.frame])))
        yield from places
        for item in side.items:
            parts = item.items if isinstance(item, Layer) else (item,)
            for part in parts[1:] if isinstance(item, Layer) and item.name == FOLD_LAYER else parts:
                yield from self._known_boxes(part, IDENTITY)
        if line is not None:
            # What comes behind a card belongs to it, also where nothing is printed on its back.
            yield from (folded(place, line) for place in places)

    def _known_boxes(self, item: Item, matrix: Matrix) -> Iterator[Rect]:
        """Yield boxes around an item; the footers of a piece's sheets have most of their parts in common."""
        if isinstance(item, Group):
            for inner in item.items:
                yield from self._known_boxes(inner, matrix.after(item.matrix))
            return
        key = (id(item), matrix)
        if key not in self._boxes:
            # The item is kept with its boxes, so that no other can take its id.
            self._boxes[key] = (item, tuple(ink_boxes((item,), matrix)))
        yield from self._boxes[key][1]
