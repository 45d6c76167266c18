"""Paragraphs -> lines as even as they can be: of all ways to break a paragraph, the one with the quietest right edge.

For columns that are read (rules sheets), where a paragraph has room to choose; boxes of cards are broken greedily.
The lines are chosen together (the shortest path over all breaks, after Knuth and Plass): what a line leaves empty
costs its square, a divided word costs something, two in a row more. A last line of one word, a line that ends on a
short word (À, Le, un, a) or behind a hyphen or stroke within a word cost so much that hardly any paragraph has one.
"""

from __future__ import annotations

from typing import NamedTuple

from duckpress.core.geometry import added
from duckpress.text.breaking import SLIP_EM, Broken, LineOf, break_divided
from duckpress.text.letters import SOFT_HYPHEN, Hyphenator
from duckpress.text.markup import NARROW, NO_BREAK
from duckpress.text.paragraphs import Paragraph
from duckpress.text.shaping import GlyphPiece, Segment

# By eye. The unit is a line that leaves a tenth of its column empty.
_HYPHEN = 3.0
_HYPHENS_IN_A_ROW = 8.0
_SHORT_END = 4.0
_SHORTEST_END = 0.16  # of the column
_LONE_END = 60.0  # a last line of one word
_SHORT_WORD = 25.0  # of one letter, or the first of a sentence, at the end of a line
_SHORTER_WORD = 10.0  # of two
_BEFORE_NUMBER = 5.0  # of one or two digits, at the beginning of a line: seat 4, step 1
_WITHIN_WORD = 16.0  # a break behind the hyphen or stroke of a word
_SHORT_FIRST_LETTERS = 3  # of the first word of a sentence
_LEAST_LETTERS = 6
_LEAST_FILLED = 0.5  # of the column, by any line but the last

_SENTENCE_ENDS = ".!?:…»”"
_CLOSERS = ".,;:)…"
_OPENERS = "«“‘(¿¡" + NO_BREAK + NARROW

_Place = tuple[int, int]  # a word, and how many of its letters stand before the break


class _BreakPath(NamedTuple):
    """The best way to a break: its cost, the break before it, and the width of the line between them."""

    cost: float
    before: _Place | None
    reach: float


def break_evenly(paragraph: Paragraph, limit_em: float, hyphens: Hyphenator, by_patterns: bool) -> Broken:
    """Return the paragraph's lines, evened out; where a word is wider than the column, as `break_divided` has them."""
    limit = limit_em - paragraph.hang_em + SLIP_EM
    whole = added(paragraph.widths) + added(paragraph.gap_widths[1:])
    if paragraph.words and whole <= limit:
        return Broken(paragraph, [(0, len(paragraph.words), whole)], paragraph.words, paragraph.gaps)
    if not paragraph.words or max(paragraph.widths) > limit:
        return break_divided(paragraph, limit_em, hyphens, by_patterns, is_justified=False)
    finder = _Finder(paragraph, limit, hyphens, by_patterns)
    return finder.built(finder.breaks())


class _Finder:
    def __init__(self, paragraph: Paragraph, limit: float, hyphens: Hyphenator, by_patterns: bool) -> None:
        self._paragraph = paragraph
        self._limit = limit
        self._hyphens = hyphens
        self._by_patterns = by_patterns
        self._costs = _costs_of_ends(paragraph)

    def breaks(self) -> list[tuple[_Place, float]]:
        """Return the ends of the lines, each with the line's width."""
        count = len(self._paragraph.words)
        end: _Place = (count, 0)
        ways: dict[_Place, _BreakPath] = {(0, 0): _BreakPath(0.0, None, 0.0)}
        # Places are visited in reading order; every line leads forward.
        waiting: list[_Place] = [(0, 0)]
        while waiting:
            place = min(waiting)
            waiting.remove(place)
            if place == end:
                break
            way = ways[place]
            for after, reach in self._ends(place):
                cost = way.cost + self._cost(place, after, reach, is_last=after == end)
                known = ways.get(after)
                if known is None:
                    waiting.append(after)
                if known is None or cost < known.cost - 1e-9:
                    ways[after] = _BreakPath(cost, place, reach)
        ends: list[tuple[_Place, float]] = []
        at: _Place = end
        while (way := ways[at]).before is not None:
            ends.append((at, way.reach))
            at = way.before
        return ends[::-1]

    def _ends(self, start: _Place) -> list[tuple[_Place, float]]:
        """Return the places at which a line from a place may end."""
        paragraph, limit = self._paragraph, self._limit
        ends: list[tuple[_Place, float]] = []
        short: list[tuple[_Place, float]] = []  # only where nothing longer is to be had
        least = limit * _LEAST_FILLED
        index, letters = start
        reach = 0.0
        while index < len(paragraph.words):
            gap = 0.0 if (index, letters) == start else paragraph.gap_widths[index]
            whole = self._part(index, letters).width if letters else paragraph.widths[index]
            segment = paragraph.segments[index]
            places: list[int] = []
            if reach + gap + whole > least and segment is not None and len(segment.raw) >= _LEAST_LETTERS:
                places = self._hyphens.positions(segment.raw, self._by_patterns)
            for place in places:
                if place > letters:
                    part = self._part(index, letters, place)
                    width = reach + gap + (part.width + part.shaper.hyphen.width)
                    if width > limit:
                        break
                    ends.append(((index, place), width))
            reach += gap + whole
            letters = 0
            index += 1
            if reach > limit:
                break
            (ends if reach > least or index == len(paragraph.words) else short).append(((index, 0), reach))
        return ends or short

    def _cost(self, start: _Place, end: _Place, reach: float, *, is_last: bool) -> float:
        if is_last:
            is_alone = end[0] - start[0] == 1 and start != (0, 0)
            return _LONE_END if is_alone else _SHORT_END if reach < self._limit * _SHORTEST_END else 0.0
        cost = ((1.0 - reach / self._limit) * 10) ** 2
        if end[1]:
            return cost + (_HYPHENS_IN_A_ROW if start[1] else _HYPHEN)
        return cost + self._costs[end[0]]

    def _part(self, index: int, start: int, end: int | None = None) -> Segment:
        """Return the letters of a word from one place up to another."""
        segment = self._paragraph.segments[index]
        assert segment is not None
        return segment.shaper.segment(segment.raw[start:end].removeprefix(SOFT_HYPHEN))

    def built(self, breaks: list[tuple[_Place, float]]) -> Broken:
        """Return the paragraph in lines, with the words divided that a line ends in."""
        paragraph = self._paragraph
        words: list[tuple[GlyphPiece, ...]] = []
        gaps: list[GlyphPiece | None] = []
        lines: list[LineOf] = []
        at: _Place = (0, 0)
        for end, reach in breaks:
            first = len(words)
            index, letters = at
            while (index, 0) < end:
                gaps.append(None if letters else paragraph.gaps[index])
                if index == end[0]:
                    head = self._part(index, letters, end[1])
                    words.append((*head.pieces, head.shaper.hyphen))
                    break
                words.append(self._part(index, letters).pieces if letters else paragraph.words[index])
                index, letters = index + 1, 0
            lines.append((first, len(words), reach))
            at = end
        if not any(letters for (_, letters), _ in breaks):
            words, gaps = paragraph.words, paragraph.gaps  # which rows of simple words are counted by
        return Broken(paragraph, lines, words, gaps)


def _costs_of_ends(paragraph: Paragraph) -> list[float]:
    """Return what a break before each word costs, by the word that the line then ends on."""
    costs: list[float] = []
    before, is_first = "", True  # the word that the line ends on, and whether it is the first of a sentence
    for word, gap in zip(paragraph.words, paragraph.gaps, strict=True):
        text = "".join(piece.text for piece in word)
        letters = before.lstrip(_OPENERS)
        cost = _BEFORE_NUMBER if text.rstrip(_CLOSERS).isdigit() and len(text.rstrip(_CLOSERS)) <= 2 else 0.0
        if letters.isalnum() and len(letters) <= _SHORT_FIRST_LETTERS:
            cost = _SHORT_WORD if is_first or len(letters) == 1 else _SHORTER_WORD if len(letters) == 2 else cost
        costs.append(_WITHIN_WORD if gap is None and costs else cost)
        before, is_first = text, before[-1:] in _SENTENCE_ENDS
    return [*costs, 0.0]
