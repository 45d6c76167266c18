"""What a printer does wrong, and the map that puts it right before it happens.

A profile is measured on the calibration sheet: how long a line of 100 mm came out, and where the mark of the back lies
as seen through the paper from the front. Both are undone by mapping each page the other way.
"""

from __future__ import annotations

from typing import NamedTuple

from duckpress.geometry import IDENTITY, Matrix, Size

MOST_OFFSET_MM = 20.0
LEAST_SCALE, MOST_SCALE = 0.9, 1.1
MOST_MARGIN_MM = 40.0


class Printer(NamedTuple):
    """A printer as it was measured.

    `offset_x_mm` and `offset_y_mm` say how far the back lies to the right and below its place, seen from the front.
    `scale_x` and `scale_y` are printed by true length. `margin_mm` is the edge it cannot reach, None where unknown.
    """

    name: str
    offset_x_mm: float = 0.0
    offset_y_mm: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0
    margin_mm: float | None = None

    def correction(self, paper: Size, *, is_back: bool, turns_left_right: bool) -> Matrix:
        """Give the map of a page, as it is read, that makes it come out as it was meant.

        Scales are undone about the middle of the page. A back is moved against its drift: on a back that was turned
        left-right, what lies to the right seen from the front lies to the left.
        """
        if self.scale_x == self.scale_y == 1.0 and not (is_back and (self.offset_x_mm or self.offset_y_mm)):
            return IDENTITY
        a, d = 1 / self.scale_x, 1 / self.scale_y
        e, f = (1 - a) * paper.width_mm / 2, (1 - d) * paper.height_mm / 2
        if is_back:
            e += self.offset_x_mm if turns_left_right else -self.offset_x_mm
            f += -self.offset_y_mm if turns_left_right else self.offset_y_mm
        return Matrix(round(a, 6), 0.0, 0.0, round(d, 6), round(e, 4), round(f, 4))
