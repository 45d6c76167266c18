"""What stands on a page around its faces, as it was read: texts, paths and the code of the sheet."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.geometry import Matrix, Rect, box_of_points
from oracle.reading.marks import Painted, Part


class Run(Struct, frozen=True):
    """A text: what it says, where its baseline begins and in which direction it is read, and its box.

    That is to the right (0 degrees), downwards (90), to the left (180) or upwards (270).
    """

    words: str
    size_mm: float
    x_mm: float
    y_mm: float
    degrees: int
    colour: str
    box: Rect


class SheetCode(Struct, frozen=True):
    """A code: the square of its modules, and its bits, so many a row; the last bit of a row is the lowest."""

    box: Rect
    rows: tuple[bytes, ...]
    across: int


class Around(Struct, frozen=True):
    """All that stands around the faces of a page."""

    runs: tuple[Run, ...] = ()
    paths: tuple[Painted, ...] = ()
    codes: tuple[SheetCode, ...] = ()

    def strokes(self, layer: str) -> tuple[Painted, ...]:
        """Return the paths of a layer; of none where its name is empty."""
        return tuple([path for path in self.paths if path.layer == layer])

    def turned_back(self, matrix: Matrix) -> Around:
        """Return it under a matrix that turns it by a quarter, anticlockwise."""
        runs = []
        for run in self.runs:
            (x_mm, y_mm), box = matrix.apply(run.x_mm, run.y_mm), matrix.around(run.box)
            runs.append(replace(run, x_mm=x_mm, y_mm=y_mm, degrees=(run.degrees - 90) % 360, box=box))
        paths = []
        for path in self.paths:
            turned = [(part.kinds, tuple(matrix.apply(*point) for point in part.points)) for part in path.parts]
            parts = tuple(Part(kinds, points, box_of_points(points)) for kinds, points in turned)
            paths.append(replace(path, box=matrix.around(path.box), parts=parts))
        codes = tuple(replace(code, box=matrix.around(code.box)) for code in self.codes)
        return Around(tuple(runs), tuple(paths), codes)
