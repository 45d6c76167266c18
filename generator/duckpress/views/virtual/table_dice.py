"""Dice as a virtual table shows them: the six sides of a net that a layout draws, as pictures and as words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from duckpress.core.frame import Group, Item, Outline, Text
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.core.units import MM_PER_INCH
from duckpress.fonts import FontLibrary
from duckpress.layout import Face, LaidOut
from duckpress.layout.elements.nets import SEATS, is_folds
from duckpress.model import Deck
from duckpress.views.face_painter import paint_frames

if TYPE_CHECKING:
    from PIL.Image import Image

_RIM_MM = 0.3  # of the folds and the cut, which a die has not
_SAME_MM = 0.01
TWO_ROWS = ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1))


class TableDie(NamedTuple):
    """A die: what its files are called, its face with the net, where the six sides are on it, and what each says."""

    name: str
    deck: Deck
    laid_out: LaidOut
    face: Face
    places: tuple[Rect, ...]
    sides: tuple[str, ...]

    @property
    def picture_name(self) -> str:
        """Return what the picture of its sides is called."""
        return f"{self.name}-sides.png"

    @property
    def edge_mm(self) -> float:
        """Return how long its edges are."""
        return self.places[0].width_mm

    def pictures(self, fonts: FontLibrary, dpi: float, max_px: int) -> list[Image]:
        """Return its sides, equally large, from the first to the sixth; three of them have so many pixels at most."""
        px = max(1, min(round(self.edge_mm / MM_PER_INCH * dpi), max_px // 3))
        dpi = px / self.edge_mm * MM_PER_INCH
        (net,) = paint_frames(self.laid_out, [self.face.front], fonts, dpi, has_bleed=False)
        scale = net.width / self.face.front.trim.width_mm
        found = []
        for x, y, width, height in self.places:
            edges = (x + _RIM_MM, y + _RIM_MM, x + width - _RIM_MM, y + height - _RIM_MM)
            left, top, right, bottom = (edge * scale for edge in edges)
            found.append(net.resize((px, px), box=(left, top, right, bottom)))
        return found


def sheet_of(sides: Sequence[Image], places: Sequence[tuple[int, int]]) -> Image:
    """Return the sides of a die on one picture, each at its column and row."""
    from PIL import Image as Pictures

    px = sides[0].width
    columns, rows = (max(numbers) + 1 for numbers in zip(*places, strict=True))
    sheet = Pictures.new("RGB", (columns * px, rows * px), "white")
    for side, (column, row) in zip(sides, places, strict=True):
        sheet.paste(side, (column * px, row * px))
    return sheet


def dice_of(name: str, deck: Deck, laid_out: LaidOut, face: Face) -> list[TableDie]:
    """Return the dice whose nets a face draws upright; what a side says is its text, else its number."""
    items = list(_placed(face.front.items, IDENTITY))
    nets = [places for item, matrix in items if isinstance(item, Outline) and (places := _net(item, matrix))]
    dice = []
    for number, places in enumerate(nets, 1):
        sides = tuple(_said(items, place) or str(side) for side, place in enumerate(places, 1))
        title = name if len(nets) == 1 else f"{name}-{number}"
        dice.append(TableDie(title, deck, laid_out, face, places, sides))
    return dice


def _placed(items: tuple[Item, ...], matrix: Matrix) -> Iterator[tuple[Item, Matrix]]:
    """Yield every item with the map that places it on its face."""
    for item in items:
        yield item, matrix
        if isinstance(item, Group):
            yield from _placed(item.items, matrix.after(item.matrix))


def _net(item: Outline, matrix: Matrix) -> tuple[Rect, ...]:
    """Return where the six sides are; nothing where an outline is no net's folds, or is turned."""
    if not is_folds(item):
        return ()
    x1, y1, x2, y2 = item.path.numbers[:4]  # the left edge of the first side
    (left, top), (foot, bottom) = matrix.apply(x1, y1), matrix.apply(x2, y2)
    edge_mm = bottom - top
    if edge_mm <= 0 or abs(foot - left) > _SAME_MM:
        return ()
    return tuple(
        Rect(left + (column - 1) * edge_mm, top + (row - 1) * edge_mm, edge_mm, edge_mm) for column, row in SEATS
    )


def _said(items: list[tuple[Item, Matrix]], place: Rect) -> str:
    """Return the texts whose middles stand on a side."""
    words = []
    for item, matrix in items:
        if isinstance(item, Text):
            x, y = matrix.apply(item.x_mm + item.width_mm / 2, item.y_mm - item.size_mm / 4)
            if 0 <= x - place.x_mm < place.width_mm and 0 <= y - place.y_mm < place.height_mm:
                words.append(item.text)
    return " ".join(" ".join(words).split())
