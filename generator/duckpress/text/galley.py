"""A text set into a column without an end: its lines one by one, for whoever makes columns and pages of them."""

from __future__ import annotations

from msgspec import Struct

from duckpress.core.frame import Item
from duckpress.core.units import MM_PER_PT
from duckpress.text.breaking import Broken
from duckpress.text.drawing import Draughtsman
from duckpress.text.styles import TextStyle


class GalleyLine(Struct, frozen=True):
    """A line on the baseline 0, from x 0 on; `gap_mm` is the space above it beside the leading, before a paragraph."""

    items: tuple[Item, ...]
    width_mm: float
    gap_mm: float
    is_first: bool
    is_last: bool


class Galley(Struct, frozen=True):
    """A text in lines, `leading_mm` from baseline to baseline.

    Letters reach from `ascent_mm` above the baseline to `descent_mm` under it. `over_words` are the words wider than
    the column; missing glyphs are characters that no font has, in order of appearance. Of a text that
    `is_right_to_left`, all of it or in part, the words are in the wrong order.
    """

    lines: tuple[GalleyLine, ...]
    leading_mm: float
    ascent_mm: float
    descent_mm: float
    cap_height_mm: float
    over_words: tuple[str, ...] = ()
    missing_glyphs: tuple[str, ...] = ()
    unknown_icons: tuple[str, ...] = ()
    unknown_fields: tuple[str, ...] = ()
    is_right_to_left: bool = False

    @property
    def baseline_mm(self) -> float:
        """How far a baseline lies below the top of its line."""
        return (self.leading_mm - self.ascent_mm - self.descent_mm) / 2 + self.ascent_mm


def drawn_lines(parts: list[Broken], style: TextStyle, width_mm: float) -> tuple[GalleyLine, ...]:
    """Return the lines of paragraphs broken at a style's full size."""
    size_mm = style.size_pt * MM_PER_PT
    lines: list[GalleyLine] = []
    for part in parts:
        last = len(part.lines) - 1
        for number, (_, _, reach) in enumerate(part.lines):
            draughtsman = Draughtsman(size_mm, style.colour, style.tracking / 1000)
            draughtsman.line(part, number, 0.0, width_mm, 0.0, style.align)
            gap_mm = part.paragraph.gap_lines * style.leading * size_mm if number == 0 else 0.0
            wide_mm = (reach + part.paragraph.hang_em - style.tracking / 1000) * size_mm
            lines.append(GalleyLine(tuple(draughtsman.items), wide_mm, gap_mm, number == 0, number == last))
    return tuple(lines)
