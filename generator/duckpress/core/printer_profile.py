"""A printer's measured errors, and the matrix that corrects a page for them.

A profile is measured on the calibration sheet: how long a line of 100 mm came out, and where the mark of the back lies
as seen through the paper from the front. Both are undone by mapping each page the other way.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size, rotation
from duckpress.core.sizes import Paper

MOST_OFFSET_MM = 20.0
LEAST_SCALE, MOST_SCALE = 0.9, 1.1
MOST_MARGIN_MM = 40.0


class Margins(NamedTuple):
    """The edges that a printer cannot reach, on upright paper as the page is read."""

    top_mm: float
    right_mm: float
    bottom_mm: float
    left_mm: float


def margins_in_words(margins: Margins) -> str:
    """Return margins as people read them: one number if all four are equal."""
    if len(set(margins)) == 1:
        return f"margin {margins[0]:g} mm"
    edges = ("top", "right", "bottom", "left")
    return f"margins {', '.join(f'{edge} {mm:g}' for edge, mm in zip(edges, margins, strict=True))} mm"


class Printer(NamedTuple):
    """The measured margins, scales and shifts of a printer, with the paper upright.

    `offset_x_mm` and `offset_y_mm` say how far the back lies to the right and below its place, seen from the front.
    `scale_x` and `scale_y` are printed by true length. `margins` are the edges it cannot reach, None where unknown.
    """

    name: str
    offset_x_mm: float = 0.0
    offset_y_mm: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0
    margins: Margins | None = None

    def paper(self, paper: Paper, *, has_backs: bool) -> Paper:
        """Return a paper with margins large enough for corrected pages to stay in the printable area.

        Opposite margins count alike, as large as the larger of the two: a page lies in the middle, because its back
        would else lie twice as far from its place as its front, and a printer may turn a back before it prints it.
        What the correction adds at an edge is kept free too: lengths printed short are drawn longer, and backs move.
        """
        edges = self.margins or Margins(*[paper.margin_mm] * 4)
        sides = (
            (paper.size.width_mm, max(edges.left_mm, edges.right_mm), self.scale_x, self.offset_x_mm),
            (paper.size.height_mm, max(edges.top_mm, edges.bottom_mm), self.scale_y, self.offset_y_mm),
        )
        across_mm, down_mm = (
            max(margin_mm, side_mm / 2 - (side_mm / 2 - margin_mm - abs(moved_mm if has_backs else 0.0)) * scale)
            for side_mm, margin_mm, scale, moved_mm in sides
        )
        # Rounded up to a hundredth, for the figures shown to people.
        kept = Size(math.ceil(across_mm * 100 - 1e-6) / 100, math.ceil(down_mm * 100 - 1e-6) / 100)
        return paper._replace(margin_mm=max(kept), edges=kept if kept.width_mm != kept.height_mm else None)

    def printable(self, paper: Size, default_mm: float) -> Rect:
        """Return the printable part of a page, as the file has it: `default_mm` is the margin where unknown."""
        edges = self.margins or Margins(*[default_mm] * 4)
        if paper.width_mm > paper.height_mm:
            # Turned to the left or to the right before it is printed: which, nobody knows.
            across_mm, down_mm = max(edges.top_mm, edges.bottom_mm), max(edges.left_mm, edges.right_mm)
            return Rect(0.0, 0.0, *paper).inside(Size(across_mm, down_mm))
        top_mm, right_mm, bottom_mm, left_mm = edges
        return Rect(left_mm, top_mm, paper.width_mm - left_mm - right_mm, paper.height_mm - top_mm - bottom_mm)

    def correction(self, paper: Size, *, is_back: bool, turns_left_right: bool) -> Matrix:
        """Return the matrix for a page, upright for its reader, that cancels the printer's errors.

        Scales are undone about the middle of the page. A back is moved against its drift: on a back that was turned
        left-right, what lies to the right seen from the front lies to the left. A back stands upright (see `stood_up`);
        a page on its side is none, and is turned by whatever prints it, so that its scales change places.
        """
        if self.scale_x == self.scale_y == 1.0 and not (is_back and (self.offset_x_mm or self.offset_y_mm)):
            return IDENTITY
        a, d = 1 / self.scale_x, 1 / self.scale_y
        if paper.width_mm > paper.height_mm:
            a, d, is_back = d, a, False
        e, f = (1 - a) * paper.width_mm / 2, (1 - d) * paper.height_mm / 2
        if is_back:
            e += self.offset_x_mm if turns_left_right else -self.offset_x_mm
            f += -self.offset_y_mm if turns_left_right else self.offset_y_mm
        return Matrix(round(a, 6), 0.0, 0.0, round(d, 6), round(e, 4), round(f, 4))


def stood_up(paper: Size) -> Matrix:
    """Return the matrix that turns a landscape page clockwise, so that it is upright for the printer.

    Both sides of a sheet are turned the same way: whichever edge it is flipped on, what met still meets.
    """
    # Turned about the top left corner, the page lies to the left of it by its height.
    return rotation(90)._replace(e=paper.height_mm)
