"""The parts that an element with places in it has to show: cells to be filled, labels, outlines, items."""

from __future__ import annotations

from typing import NamedTuple

from duckpress.core.frame import Item, Paint
from duckpress.core.geometry import Point, Rect
from duckpress.layout.face_xml import FaceNode


class Inside(NamedTuple):
    """A cell, and the element whose children fill it."""

    node: FaceNode
    cell: Rect


class Label(NamedTuple):
    """Words in a box, at its side or on their head."""

    text: str
    box: Rect
    valign: str = "middle"
    align: str = "center"
    is_turned: bool = False


class AskedOutline(NamedTuple):
    """An outline in a paint: how much it encloses, and the left and top of it; None for any."""

    paint: Paint
    area: float | None = None
    corner: Point | None = None
    opacity: float = 1.0


Part = Inside | Label | AskedOutline | tuple[Item, ...]
