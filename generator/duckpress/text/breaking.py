"""Paragraphs -> lines of a width, in em: greedy, as readers of narrow columns expect, with words divided if asked."""

from __future__ import annotations

from bisect import bisect

from msgspec import Struct

from duckpress.core.units import added
from duckpress.text.hyphens import Hyphenator
from duckpress.text.letters import SOFT_HYPHEN
from duckpress.text.paragraphs import Paragraph
from duckpress.text.voice import GlyphPiece, Segment

# What a line may leave empty before its next word is divided, as a share of the width. By eye.
_SLACK_RAGGED = 0.22
_SLACK_JUSTIFIED = 0.12
_MANY_PLACES = 12  # in a word: above it, not each is tried
_SLIP_EM = 1e-6  # sums of floats in another order

LineOf = tuple[int, int, float]  # first word, word after the last, width without trailing spaces


class Broken(Struct, frozen=True):
    """A paragraph in lines; words, gaps and their widths are the paragraph's, or copies in which words are divided."""

    paragraph: Paragraph
    lines: list[LineOf]
    words: list[tuple[GlyphPiece, ...]]
    gaps: list[GlyphPiece | None]


def break_plain(paragraph: Paragraph, limit_em: float) -> Broken:
    """Return the paragraph's lines, words whole; a word wider than the limit has a line of its own."""
    limit = limit_em - paragraph.hang_em + _SLIP_EM
    widths = paragraph.widths
    lines: list[LineOf] = []
    start = 0
    reach = -1.0
    index = 0
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
    """Return the paragraph's lines, dividing a word where its line would be poor or the word is wider than the line."""
    limit = limit_em - paragraph.hang_em + _SLIP_EM
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


def words_wider_than(broken: Broken, limit_em: float) -> list[str]:
    """Return the words that are wider than a column, in reading order."""
    room = limit_em - broken.paragraph.hang_em
    wide = (word for word in broken.words if added(piece.width for piece in word) > room)
    return ["".join(piece.text for piece in word) for word in wide]


def _divide(segment: Segment, room: float, hyphens: Hyphenator, by_patterns: bool) -> tuple[Segment, Segment] | None:
    """Return the longest beginning of a word that fits with its hyphen, and the rest; None where nothing fits."""
    raw, voice = segment.raw, segment.voice
    places = hyphens.positions(raw, by_patterns)
    if len(places) > _MANY_PLACES:
        fits = bisect(places, room, key=lambda place: voice.segment(raw[:place]).width + voice.hyphen.width)
        places = places[max(0, fits - 1) : fits + 1]
    for place in reversed(places):
        head = voice.segment(raw[:place])
        width = head.width + voice.hyphen.width
        if width <= room:
            head = head._replace(width=width, pieces=(*head.pieces, voice.hyphen))
            return head, voice.segment(raw[place:].removeprefix(SOFT_HYPHEN))
    return None


def balanced(paragraph: Paragraph, broken: Broken, limit_em: float) -> Broken:
    """Return as many lines of more even width, for centred titles: the narrowest limit that needs no more lines."""
    count = len(broken.lines)
    low, high = max(width for _, _, width in broken.lines) / 2, limit_em - paragraph.hang_em
    best = broken
    for _ in range(7):
        middle = (low + high) / 2
        tried = break_plain(paragraph, middle + paragraph.hang_em)
        if len(tried.lines) <= count and max(width for _, _, width in tried.lines) <= middle + _SLIP_EM:
            best, high = tried, middle
        else:
            low = middle
    return best
