"""Paragraphs -> lines of a width, and the largest size that fits a box.

Lines are broken greedily, as readers of narrow columns expect, with words divided if asked. Everything is measured in
em, so trying a size is breaking the lines for as many em as the box is then wide. Lines of columns that are read:
`even_lines`.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.geometry import MM_PER_PT, Rect, added
from duckpress.text.letters import SOFT_HYPHEN, Hyphenator
from duckpress.text.paragraphs import Paragraph
from duckpress.text.shaping import GlyphPiece, Segment, Shaper
from duckpress.text.styles import TextStyle

_STEP_PT = 0.25  # from one size tried to the next
SLIP_MM = 1e-6  # sums of floats in another order

# What a line may leave empty before its next word is divided, as a share of the width. By eye.
_SLACK_RAGGED = 0.22
_SLACK_JUSTIFIED = 0.12
_MANY_PLACES = 12  # in a word: above it, not each is tried
SLIP_EM = 1e-6  # sums of floats in another order
_REACH = itemgetter(2)  # of a line
_TOP, _BOTTOM = (itemgetter(GlyphPiece._fields.index(name)) for name in ("top", "bottom"))

LineOf = tuple[int, int, float]  # first word, word after the last, width without trailing spaces


class Broken(Struct, frozen=True):
    """A paragraph in lines; words, gaps and their widths are the paragraph's, or copies with divided words."""

    paragraph: Paragraph
    lines: list[LineOf]
    words: list[tuple[GlyphPiece, ...]]
    gaps: list[GlyphPiece | None]


def break_plain(paragraph: Paragraph, limit_em: float) -> Broken:
    """Return the paragraph's lines, words whole; a word wider than the limit gets a line of its own."""
    limit = limit_em - paragraph.hang_em + SLIP_EM
    widths = paragraph.widths
    lines: list[LineOf] = []
    start = 0
    reach = -1.0
    index = 0
    if paragraph.has_rows_apart:
        # Most of its words are single letters: the ends of lines are found by halving.
        ends, count = paragraph.ends, len(widths)
        while start < count:
            left = ends[start] - widths[start]
            index = bisect(ends, limit + left, start + 1, count)
            lines.append((start, index, ends[index - 1] - left))
            start = index
        return Broken(paragraph, lines or [(0, 0, 0.0)], paragraph.words, paragraph.gaps)
    for width, gap in zip(widths, paragraph.gap_widths, strict=True):
        if reach < 0.0:
            reach = width
        else:
            wider = reach + gap + width
            if wider > limit:
                lines.append((start, index, reach))
                start = index
                reach = width
            else:
                reach = wider
        index += 1
    lines.append((start, index, max(reach, 0.0)))
    return Broken(paragraph, lines, paragraph.words, paragraph.gaps)


def break_divided(
    paragraph: Paragraph, limit_em: float, hyphens: Hyphenator, by_patterns: bool, is_justified: bool
) -> Broken:
    """Return the paragraph's lines, dividing a word if its line would be poor or the word is too wide."""
    limit = limit_em - paragraph.hang_em + SLIP_EM
    slack = limit * (_SLACK_JUSTIFIED if is_justified else _SLACK_RAGGED)
    words, widths = list(paragraph.words), list(paragraph.widths)
    gaps, gap_widths, segments = list(paragraph.gaps), list(paragraph.gap_widths), list(paragraph.segments)
    lines: list[LineOf] = []
    start, index, reach = 0, 0, 0.0
    while index < len(words):
        gap = gap_widths[index] if index > start else 0.0
        if reach + gap + widths[index] <= limit:
            reach += gap + widths[index]
            index += 1
            continue
        segment = segments[index]
        room = limit - reach - gap
        divided = None
        if segment is not None and (index == start or limit - reach > slack or widths[index] > limit):
            divided = _divide(segment, room, hyphens, by_patterns)
        if divided is not None:
            head, tail = divided
            words[index : index + 1] = [head.pieces, tail.pieces]
            widths[index : index + 1] = [head.width, tail.width]
            gaps.insert(index + 1, None)
            gap_widths.insert(index + 1, 0.0)
            segments[index : index + 1] = [None, tail]
            reach += gap + head.width
            index += 1
        elif index == start:  # too wide whatever is done: a line of its own
            reach = widths[index]
            index += 1
        lines.append((start, index, reach))
        start, reach = index, 0.0
    if start < index or not lines:
        lines.append((start, index, reach))
    return Broken(paragraph, lines, words, gaps)


Breaker = Callable[[Paragraph, float], Broken]
"""Breaks a paragraph into lines of a width in em."""


def words_wider_than(parts: Iterable[Broken], limit_em: float) -> tuple[str, ...]:
    """Return the words wider than a column, in reading order, without repetitions."""
    wide: dict[str, None] = {}
    for part in parts:
        room = limit_em - part.paragraph.hang_em
        for word in part.words:
            if added(piece.width for piece in word) > room:
                wide["".join(piece.text for piece in word)] = None
    return tuple(wide)


def _divide(segment: Segment, room: float, hyphens: Hyphenator, by_patterns: bool) -> tuple[Segment, Segment] | None:
    """Return the longest beginning of a word that fits with its hyphen, and the rest; None if nothing fits."""
    raw, shaper = segment.raw, segment.shaper
    places = hyphens.positions(raw, by_patterns)
    if len(places) > _MANY_PLACES:
        fits = bisect(places, room, key=lambda place: shaper.segment(raw[:place]).width + shaper.hyphen.width)
        places = places[max(0, fits - 1) : fits + 1]
    for place in reversed(places):
        head = shaper.segment(raw[:place])
        width = head.width + shaper.hyphen.width
        if width <= room:
            head = head._replace(width=width, pieces=(*head.pieces, shaper.hyphen))
            return head, shaper.segment(raw[place:].removeprefix(SOFT_HYPHEN))
    return None


def balanced(paragraph: Paragraph, broken: Broken, limit_em: float, broken_at: Breaker = break_plain) -> Broken:
    """Return equally many lines of more even width, for centred titles: the narrowest limit with no more lines."""
    count = len(broken.lines)
    low, high = max(width for _, _, width in broken.lines) / 2, limit_em - paragraph.hang_em
    best = broken
    for _ in range(7):
        middle = (low + high) / 2
        tried = broken_at(paragraph, middle + paragraph.hang_em)
        if len(tried.lines) <= count and max(width for _, _, width in tried.lines) <= middle + SLIP_EM:
            best, high = tried, middle
        else:
            low = middle
    return best


class BrokenText(NamedTuple):
    """A text broken at one size: its height and width in em, and the first line's top."""

    broken: list[Broken]
    height_em: float
    width_em: float
    top_em: float
    line_count: int


def largest_fit(
    paragraphs: list[Paragraph], style: TextStyle, box: Rect, max_lines: int | None, hyphens: Hyphenator, shaper: Shaper
) -> tuple[float, BrokenText]:
    """Return the style's largest size (pt) at which a text fits, else its smallest, and the broken text."""
    full_pt, least_pt = style.size_pt, min(style.min_pt, style.size_pt)

    def tried(size_pt: float) -> tuple[bool, BrokenText]:
        size_mm = size_pt * MM_PER_PT
        block = break_text(paragraphs, style, box.width_mm / size_mm, hyphens, shaper)
        return not overflow_mm(block, size_mm, box, max_lines, style), block

    fits, block = tried(full_pt)
    if fits or least_pt >= full_pt:
        return full_pt, block
    fits, best = tried(least_pt)
    best_pt = least_pt
    if not fits:
        return best_pt, best
    # Sizes full - low steps are too large, full - high steps fit: halve what is between.
    low, high = 0, -int(-(full_pt - least_pt) // _STEP_PT)
    while high - low > 1:
        middle = (low + high) // 2
        size_pt = full_pt - middle * _STEP_PT
        fits, block = tried(size_pt)
        if fits:
            high, best, best_pt = middle, block, size_pt
        else:
            low = middle
    return best_pt, best


def break_text(
    paragraphs: list[Paragraph], style: TextStyle, limit_em: float, hyphens: Hyphenator, shaper: Shaper
) -> BrokenText:
    """Return a text broken for a width."""
    limit = max(limit_em, 0.0) + style.tracking / 1000
    broken: list[Broken] = []
    for paragraph in paragraphs:
        if style.is_hyphenated or paragraph.has_soft_hyphens:
            broken.append(break_divided(paragraph, limit, hyphens, style.is_hyphenated, style.align == "justify"))
        else:
            broken.append(break_plain(paragraph, limit))
    return measured(broken, style, shaper)


def measured(broken: list[Broken], style: TextStyle, shaper: Shaper) -> BrokenText:
    """Return lines with their measures; the first and the last are at least as high as the style's letters."""
    count, gaps, width = 0, 0.0, 0.0
    for part in broken:
        count += len(part.lines)
        gaps += part.paragraph.gap_lines
        width = max(width, part.paragraph.hang_em - style.tracking / 1000 + max(map(_REACH, part.lines)))
    first, last = broken[0], broken[-1]
    start, end, _ = first.lines[0]
    top = max(map(_TOP, chain.from_iterable(first.words[start:end])), default=0.0)
    start, end, _ = last.lines[-1]
    bottom = min(map(_BOTTOM, chain.from_iterable(last.words[start:end])), default=0.0)
    top, bottom = max(top, shaper.letter_top), min(bottom, shaper.letter_bottom)
    height = top - bottom + (count - 1 + gaps) * style.leading
    return BrokenText(broken, height, width, top, count)


def overflow_mm(block: BrokenText, size_mm: float, box: Rect, max_lines: int | None, style: TextStyle) -> float:
    """Return by how much a block is too wide, too high or too long, in millimetres; 0 if it fits."""
    over = max(block.width_em * size_mm - box.width_mm, block.height_em * size_mm - box.height_mm)
    if max_lines is not None and block.line_count > max_lines:
        over = max(over, (block.line_count - max_lines) * style.leading * size_mm)
    return round(over, 4) if over > SLIP_MM * 100 else 0.0
