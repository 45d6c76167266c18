"""What the elements of a face were made into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from duckpress.core.frame import Item
from duckpress.core.geometry import Rect
from duckpress.layout.face_xml import FaceNode


class MadeElement(NamedTuple):
    """What an element was made into: the cell it was given, its items, and the elements that were made inside."""

    node: FaceNode
    cell: Rect
    items: Sequence[Item]
    inside: Sequence[MadeElement]
