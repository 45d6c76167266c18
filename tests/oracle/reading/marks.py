"""What a page paints, where it lies on paper: faces, texts, paths, codes; and what stands around its faces."""

from __future__ import annotations

from msgspec import Struct

from duckpress.core.geometry import Matrix, Rect


class Drawn(Struct, frozen=True):
    """A form or an image on a page: the name it is called by, its matrix, and the box it is clipped to (None: none)."""

    name: str
    matrix: Matrix
    clip: Rect | None


class Lettering(Struct, frozen=True):
    """A run of glyphs: the name of its font, and the body of its `TJ`."""

    font: str
    body: str


class Painted(Struct, frozen=True):
    """A painted path: the name of the layer that it belongs to, empty for none, and the boxes of its parts."""

    layer: str
    boxes: tuple[Rect, ...]


class SheetCode(Struct, frozen=True):
    """A code: its bits, so many a row; the last bit of a row is the lowest."""

    rows: tuple[bytes, ...]
    across: int


Mark = Drawn | Lettering | Painted | SheetCode


class Around(Struct, frozen=True):
    """All that stands around the faces of a page."""

    runs: tuple[str, ...] = ()
    paths: tuple[Painted, ...] = ()
    codes: tuple[SheetCode, ...] = ()
