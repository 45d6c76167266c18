"""The words of a paragraph, the spaces between them, and rows of words that are drawn as one; all in em."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any, cast

from duckpress.core.units import added
from duckpress.text.glyph_pieces import GlyphPiece
from duckpress.text.voice import Segment

_Field = Callable[[Any], Any]
_FIELDS = ("pieces", "width", "glyphs", "raw")
_PIECES, _WIDTH, _GLYPHS, _RAW = (cast(_Field, itemgetter(Segment._fields.index(name))) for name in _FIELDS)
_PEN, _DRAWN, _SAID = (cast(_Field, itemgetter(GlyphPiece._fields.index(name))) for name in ("pen", "glyphs", "text"))
_FIRST = cast(_Field, itemgetter(0))


class Paragraph:
    """The words of one paragraph or of a part of it up to a forced break, with parallel lists of what is known of them.

    `gaps[i]` is the space before word i, None where a line may break without one. `segments[i]` is what the word is
    made from, None where it is made of several (and cannot be divided). `row_ends[i]` is more than i where the words
    from i up to it are simple ones of one voice, one space apart, or letters of one pen with nothing between them
    (`has_rows_apart`: there are such letters). `gap_lines` is the space above, in lines; `hang_em` the hanging indent,
    in which `bullet` is drawn on the first line.

    One that `is_mirrored` begins at the right; `is_ordered`: what stands on a line is not drawn as it is read.
    """

    __slots__ = (
        "__dict__", "bullet", "gap_lines", "gap_widths", "gaps", "hang_em", "has_rows_apart", "has_soft_hyphens",
        "is_mirrored", "is_ordered", "row_ends", "segments", "widths", "words",
    )  # fmt: skip

    def __init__(self, gap_lines: float, hang_em: float = 0.0, bullet: Segment | None = None) -> None:
        self.words: list[tuple[GlyphPiece, ...]] = []
        self.widths: list[float] = []
        self.gaps: list[GlyphPiece | None] = []
        self.gap_widths: list[float] = []
        self.segments: list[Segment | None] = []
        self.row_ends: list[int] = []
        self.has_soft_hyphens = self.has_rows_apart = self.is_mirrored = self.is_ordered = False
        self.gap_lines = gap_lines
        self.hang_em = hang_em
        self.bullet = bullet

    @cached_property
    def ends(self) -> list[float]:
        """Where each word ends, all on one line; asked for once all words are there."""
        return list(accumulate(chain.from_iterable(zip(self.gap_widths, self.widths, strict=True))))[1::2]

    def add(self, segment: Segment, gap: GlyphPiece | None) -> None:
        """Add a word after a space, or where a line may end without one."""
        self.words.append(segment.pieces)
        self.widths.append(segment.width)
        self.gaps.append(gap)
        self.gap_widths.append(gap.width if gap else 0.0)
        self.segments.append(segment)
        self.row_ends.append(0)

    def add_row(self, segments: list[Segment], space: GlyphPiece) -> None:
        """Add simple words of one voice, each after a space."""
        count = len(segments)
        self.words += map(_PIECES, segments)
        self.widths += map(_WIDTH, segments)
        self.gaps += [space] * count
        self.gap_widths += [space.width] * count
        self.segments += segments
        self.row_ends += [len(self.row_ends) + count] * count

    def row(self, start: int, stop: int) -> GlyphPiece:
        """Return the simple words from `start` up to `stop` as one piece."""
        if stop == start + 1:
            return self.words[start][0]
        space = self.gaps[start + 1]
        if space is None:
            pieces = list(map(_FIRST, self.words[start:stop]))
            glyphs, text = "".join(map(_DRAWN, pieces)), "".join(map(_SAID, pieces))
            return GlyphPiece(pieces[0].pen, glyphs, text, added(self.widths[start:stop]), level=pieces[0].level)
        segments = self.segments[start:stop]
        text = " ".join(map(_RAW, segments))
        width = added(self.widths[start:stop]) + space.width * (stop - start - 1)
        if not space.level:
            return GlyphPiece(space.pen, space.glyphs.join(map(_GLYPHS, segments)), text, width)
        if space.level & 1:
            segments.reverse()
        return GlyphPiece(space.pen, space.glyphs.join(map(_GLYPHS, segments)), text, width, level=space.level)

    def add_apart(self, segments: list[Segment]) -> None:
        """Add words of one voice, with nothing to note, before each of which a line may end without a space."""
        count = len(segments)
        # Letters of one pen are drawn as a row, too.
        is_row = all(map(_GLYPHS, segments)) and len(set(map(_PEN, map(_FIRST, map(_PIECES, segments))))) == 1
        self.words += map(_PIECES, segments)
        self.widths += map(_WIDTH, segments)
        self.gaps += [None] * count
        self.gap_widths += [0.0] * count
        self.segments += segments
        self.row_ends += [len(self.row_ends) + count if is_row else 0] * count
        self.has_rows_apart = True

    def join(self, segment: Segment, gap: GlyphPiece | None) -> None:
        """Add a segment to the last word, with a space that does not break."""
        pieces, width = segment.pieces, segment.width
        if gap is not None:
            pieces, width = (gap, *pieces), gap.width + width
        self.words[-1] += pieces
        self.widths[-1] += width
        self.segments[-1] = None
        # Nor does a row of simple words reach as far as this word any more.
        last = len(self.words) - 1
        end = self.row_ends[last]
        while last >= 0 and end and self.row_ends[last] == end:
            self.row_ends[last] = end - 1
            last -= 1
