"""Paragraphs -> lines at the largest size at which they fit a box.

Everything is measured in em, so trying a size is breaking the lines for as many em as the box is then wide.
"""

from __future__ import annotations

from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from duckpress.core.geometry import Rect
from duckpress.core.units import MM_PER_PT
from duckpress.text.breaking import Broken, break_divided, break_plain
from duckpress.text.hyphens import Hyphenator
from duckpress.text.paragraphs import Paragraph
from duckpress.text.styles import TextStyle
from duckpress.text.voice import GlyphPiece, Voice

STEP_PT = 0.25  # from one size tried to the next
SLIP_MM = 1e-6  # sums of floats in another order
_REACH = itemgetter(2)  # of a line
_TOP, _BOTTOM = (itemgetter(GlyphPiece._fields.index(name)) for name in ("top", "bottom"))


class BrokenText(NamedTuple):
    """A text broken at one size: its height and width in em, and the first line's top."""

    broken: list[Broken]
    height_em: float
    width_em: float
    top_em: float
    line_count: int


def largest_fit(
    paragraphs: list[Paragraph], style: TextStyle, box: Rect, max_lines: int | None, hyphens: Hyphenator, voice: Voice
) -> tuple[float, BrokenText]:
    """Return the style's largest size (pt) at which a text fits, and the text broken at it; else its smallest."""
    full_pt, least_pt = style.size_pt, min(style.min_pt, style.size_pt)

    def tried(size_pt: float) -> tuple[bool, BrokenText]:
        size_mm = size_pt * MM_PER_PT
        block = break_text(paragraphs, style, box.width_mm / size_mm, hyphens, voice)
        return not overflow_mm(block, size_mm, box, max_lines, style), block

    fits, block = tried(full_pt)
    if fits or least_pt >= full_pt:
        return full_pt, block
    fits, best = tried(least_pt)
    best_pt = least_pt
    if not fits:
        return best_pt, best
    # Sizes full - low steps are too large, full - high steps fit: halve what is between.
    low, high = 0, -int(-(full_pt - least_pt) // STEP_PT)
    while high - low > 1:
        middle = (low + high) // 2
        size_pt = full_pt - middle * STEP_PT
        fits, block = tried(size_pt)
        if fits:
            high, best, best_pt = middle, block, size_pt
        else:
            low = middle
    return best_pt, best


def break_text(
    paragraphs: list[Paragraph], style: TextStyle, limit_em: float, hyphens: Hyphenator, voice: Voice
) -> BrokenText:
    """Return a text broken for a width, its first and last line at least as high as letters of the style's voice."""
    tracking = style.tracking / 1000
    limit = max(limit_em, 0.0) + tracking
    broken: list[Broken] = []
    count, gaps, width = 0, 0.0, 0.0
    for paragraph in paragraphs:
        if style.is_hyphenated or paragraph.has_soft_hyphens:
            part = break_divided(paragraph, limit, hyphens, style.is_hyphenated, style.align == "justify")
        else:
            part = break_plain(paragraph, limit)
        broken.append(part)
        count += len(part.lines)
        gaps += paragraph.gap_lines
        width = max(width, paragraph.hang_em - tracking + max(map(_REACH, part.lines)))
    first, last = broken[0], broken[-1]
    start, end, _ = first.lines[0]
    top = max(map(_TOP, chain.from_iterable(first.words[start:end])), default=0.0)
    start, end, _ = last.lines[-1]
    bottom = min(map(_BOTTOM, chain.from_iterable(last.words[start:end])), default=0.0)
    top, bottom = max(top, voice.letter_top), min(bottom, voice.letter_bottom)
    height = top - bottom + (count - 1 + gaps) * style.leading
    return BrokenText(broken, height, width, top, count)


def overflow_mm(block: BrokenText, size_mm: float, box: Rect, max_lines: int | None, style: TextStyle) -> float:
    """Return by how much a block is too wide, too high or has too many lines, in millimetres; 0 where it fits."""
    over = max(block.width_em * size_mm - box.width_mm, block.height_em * size_mm - box.height_mm)
    if max_lines is not None and block.line_count > max_lines:
        over = max(over, (block.line_count - max_lines) * style.leading * size_mm)
    return round(over, 4) if over > SLIP_MM * 100 else 0.0
