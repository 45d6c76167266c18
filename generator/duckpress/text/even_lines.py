"""Paragraphs -> lines of a width that are as even as they can be, for columns that are read (rules sheets).

Where a paragraph has room to choose, its lines are chosen together (the shortest path over all breaks, after Knuth and
Plass). What a line leaves empty costs its square, a divided word costs something, two in a row more. A last line of one
word, a line that ends on a short word (À, Le, un, a) or behind a hyphen or stroke within a word cost so much that
hardly any paragraph has one.
"""

from __future__ import annotations

from heapq import heappop, heappush

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


def break_evenly(paragraph: Paragraph, limit_em: float, hyphens: Hyphenator, by_patterns: bool) -> Broken:
    """Return the paragraph's lines, evened out; by `break_divided` if a word is wider than the column."""
    limit = limit_em - paragraph.hang_em + SLIP_EM
    whole = added(paragraph.widths) + added(paragraph.gap_widths[1:])
    if paragraph.words and whole <= limit:
        return Broken(paragraph, [(0, len(paragraph.words), whole)], paragraph.words, paragraph.gaps)
    if not paragraph.words or max(paragraph.widths) > limit:
        return break_divided(paragraph, limit_em, hyphens, by_patterns, is_justified=False)
    finder: _Finder | None = paragraph.finders.get(by_patterns)
    if finder is None:
        finder = paragraph.finders[by_patterns] = _Finder(paragraph, hyphens, by_patterns)
    return finder.broken(limit)


class _Finder:
    """Finds the best lines of one paragraph for any width: what its words come to is measured once for all of them."""

    def __init__(self, paragraph: Paragraph, hyphens: Hyphenator, by_patterns: bool) -> None:
        self._paragraph = paragraph
        self._hyphens = hyphens
        self._by_patterns = by_patterns
        self._costs = _costs_of_ends(paragraph)
        self._places: dict[int, list[int]] = {}  # of hyphens, by word
        self._widths: dict[tuple[int, int, int | None], float] = {}  # of parts of words, with their hyphens

    def broken(self, limit: float) -> Broken:
        """Return the paragraph in lines, with the words at line ends divided."""
        paragraph = self._paragraph
        count = len(paragraph.words)
        end: _Place = (count, 0)
        # The best way to each break: its cost, the break before it, and the width of the line between them.
        ways: dict[_Place, tuple[float, _Place | None, float]] = {(0, 0): (0.0, None, 0.0)}
        # Places are visited in reading order; every line leads forward.
        waiting: list[_Place] = [(0, 0)]
        while waiting:
            place = heappop(waiting)
            if place == end:
                break
            before = ways[place][0]
            for after, reach in self._ends(place, limit):
                cost = before + self._cost(place, after, reach, limit, is_last=after == end)
                known = ways.get(after)
                if known is None:
                    heappush(waiting, after)
                if known is None or cost < known[0] - 1e-9:
                    ways[after] = (cost, place, reach)
        breaks: list[tuple[_Place, float]] = []  # the ends of the lines, each with the line's width
        at: _Place = end
        while (start := ways[at][1]) is not None:
            breaks.append((at, ways[at][2]))
            at = start
        breaks.reverse()
        words: list[tuple[GlyphPiece, ...]] = []
        gaps: list[GlyphPiece | None] = []
        lines: list[LineOf] = []
        at = (0, 0)
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

    def _ends(self, start: _Place, limit: float) -> list[tuple[_Place, float]]:
        """Return the possible ends of a line that starts at a place, each with the width of that line."""
        widths, gap_widths = self._paragraph.widths, self._paragraph.gap_widths
        ends: list[tuple[_Place, float]] = []
        short: list[tuple[_Place, float]] = []  # only where nothing longer is to be had
        least = limit * _LEAST_FILLED
        index, letters = start
        count = len(widths)
        reach = gap = 0.0
        while index < count:
            whole = self._width(index, letters, None) if letters else widths[index]
            if reach + gap + whole > least:
                for place in self._places_in(index):
                    if place > letters:
                        width = reach + gap + self._width(index, letters, place)
                        if width > limit:
                            break
                        ends.append(((index, place), width))
            reach += gap + whole
            letters = 0
            index += 1
            if reach > limit:
                break
            (ends if reach > least or index == count else short).append(((index, 0), reach))
            gap = gap_widths[index] if index < count else 0.0
        return ends or short

    def _places_in(self, index: int) -> list[int]:
        places = self._places.get(index)
        if places is None:
            segment = self._paragraph.segments[index]
            is_long = segment is not None and len(segment.raw) >= _LEAST_LETTERS
            places = self._hyphens.positions(segment.raw, self._by_patterns) if segment is not None and is_long else []
            self._places[index] = places
        return places

    def _width(self, index: int, start: int, end: int | None) -> float:
        """Return the width of a part of a word, with a hyphen behind it if the word goes on."""
        key = index, start, end
        width = self._widths.get(key)
        if width is None:
            part = self._part(index, start, end)
            width = self._widths[key] = part.width if end is None else part.width + part.shaper.hyphen.width
        return width

    def _cost(self, start: _Place, end: _Place, reach: float, limit: float, *, is_last: bool) -> float:
        if is_last:
            is_alone = end[0] - start[0] == 1 and start != (0, 0)
            return _LONE_END if is_alone else _SHORT_END if reach < limit * _SHORTEST_END else 0.0
        cost = ((1.0 - reach / limit) * 10) ** 2
        if end[1]:
            return cost + (_HYPHENS_IN_A_ROW if start[1] else _HYPHEN)
        return cost + self._costs[end[0]]

    def _part(self, index: int, start: int, end: int | None = None) -> Segment:
        """Return the letters of a word from `start` to `end`."""
        segment = self._paragraph.segments[index]
        assert segment is not None
        return segment.shaper.segment(segment.raw[start:end].removeprefix(SOFT_HYPHEN))


def _costs_of_ends(paragraph: Paragraph) -> list[float]:
    """Return the cost of a break before each word, by the word at the end of the line."""
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
