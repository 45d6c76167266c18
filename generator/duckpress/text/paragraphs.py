"""Tokens -> paragraphs: their words, the spaces between them, and their direction; all in em."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any, cast

from duckpress.core.geometry import added
from duckpress.text.bidi import RIGHT_TO_LEFT, classes_of, is_right_to_left, levels_of
from duckpress.text.letters import EAST_ASIAN, JOINER, east_asian_breaks, has_stacked_marks, is_joined_to
from duckpress.text.markup import BREAK, ICON, LEVEL, MarkupBlock, Token
from duckpress.text.shaping import (
    HAS_MISSING,
    HAS_SOFT_HYPHEN,
    NEEDS_DICTIONARY,
    STICKS_LEFT,
    STICKS_RIGHT,
    GlyphPiece,
    Segment,
    Shaper,
)
from duckpress.text.styles import IconGlyph

_Field = Callable[[Any], Any]
_FIELDS = ("pieces", "width", "glyphs", "raw")
_PIECES, _WIDTH, _GLYPHS, _RAW = (cast(_Field, itemgetter(Segment._fields.index(name))) for name in _FIELDS)
_PEN, _DRAWN, _SAID = (cast(_Field, itemgetter(GlyphPiece._fields.index(name))) for name in ("pen", "glyphs", "text"))
_FIRST = cast(_Field, itemgetter(0))


class Paragraph:
    """The words of a paragraph, or of a part of it up to a forced break, in parallel lists of properties.

    `gaps[i]` is the space before word i, None where a line may break without one. `segments[i]` is what the word is
    made from, None where it is made of several (and cannot be divided). `row_ends[i]` is more than i where the words
    from i up to it are simple ones of one shaper, one space apart, or letters of one pen with nothing between them
    (`has_rows_apart`: there are such letters). `gap_lines` is the space above, in lines; `hang_em` the hanging indent,
    in which `bullet` is drawn on the first line.

    One that `is_mirrored` begins at the right; `is_ordered`: what stands on a line is not drawn as it is read.
    """

    __slots__ = (
        "__dict__", "bullet", "finders", "gap_lines", "gap_widths", "gaps", "hang_em", "has_rows_apart",
        "has_soft_hyphens", "is_mirrored", "is_ordered", "row_ends", "segments", "widths", "words",
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
        self.finders: dict[bool, Any] = {}  # of its best lines (`breaking`)

    @cached_property
    def ends(self) -> list[float]:
        """The end of each word, all on one line; use it only once all words are added."""
        return list(accumulate(chain.from_iterable(zip(self.gap_widths, self.widths, strict=True))))[1::2]

    def add(self, segment: Segment, gap: GlyphPiece | None) -> None:
        """Add a word after a space, or after a possible line end without a space."""
        self.words.append(segment.pieces)
        self.widths.append(segment.width)
        self.gaps.append(gap)
        self.gap_widths.append(gap.width if gap else 0.0)
        self.segments.append(segment)
        self.row_ends.append(0)

    def add_row(self, segments: list[Segment], space: GlyphPiece) -> None:
        """Add simple words of one shaper, each after a space."""
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
        """Add words of one shaper, without notes, with a possible line end but no space before each."""
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


# By eye; gaps in lines.
ICON_SIDE_EM = 0.05
PARAGRAPH_GAP = 0.45
ITEM_GAP = 0.15
BULLET = "•"
BULLET_GAP_EM = 0.35

_NOTES = cast(Callable[[Any], Any], itemgetter(Segment._fields.index("notes")))
_MOST_JOINED = 200  # pieces: what is longer may break all the same, in any column of a width
_IDEOGRAPH = "\u4e00"  # an icon beside East Asian letters is as good as one
_AS_SIGN = {ICON: "\ufffc", BREAK: "\u2028"}
_LEVEL_RUN = re.compile(rb"(.)\1*", re.DOTALL)
_RAISING = 2  # a level that is written from left to right, and on which marks may stand above or under their place
_GLUE = "glue"  # stands where a space might: the next word belongs to the one before

# What stands before the next word: a space, None for nothing where a line may end, _GLUE for nothing where it may not.
_Pending = GlyphPiece | str | None


def _may_part(before: tuple[GlyphPiece, ...], after: tuple[GlyphPiece, ...]) -> bool:
    """Return whether a line may end between pieces without a space: beside East Asian letters, by their rules."""
    if not before or not after:
        return False
    left, right = (_IDEOGRAPH if isinstance(one.pen, IconGlyph) else one.text for one in (before[-1], after[0]))
    is_beside = any(
        not isinstance(one.pen, IconGlyph) and EAST_ASIAN.match(letter)
        for one, letter in ((before[-1], left[-1:]), (after[0], right[:1]))
    )
    return is_beside and bool(east_asian_breaks(left[-1:] + right[:1]))


class ParagraphComposer:
    """Makes the `paragraphs` of one text; `missing` and similar fields gather what could not be set.

    `needs_dictionary` tells whether words of a script that has no spaces were among them.
    """

    def __init__(
        self, shaper: Callable[[int], Shaper], icon: Callable[[str], Segment | None], *, is_mirrored: bool = False
    ) -> None:
        """Take the shaper of each emphasis (markup.BOLD, ITALIC; and LEVEL) and the icon of each name.

        `is_mirrored`: the language is written from right to left.
        """
        self._shaper = shaper
        self._icon = icon
        self._is_mirrored = is_mirrored
        self._is_sticky = False  # opening punctuation was last
        self.blocks: list[MarkupBlock] = []  # the text as it was read
        self.paragraphs: list[Paragraph] = []
        self.missing: list[str] = []
        self.unknown_fields: list[str] = []
        self.unknown_icons: list[str] = []
        self.needs_dictionary = False

    def compose(self, blocks: list[MarkupBlock]) -> None:
        """Make the paragraphs of the blocks; empty ones are left out."""
        for block in blocks:
            gap = 0.0 if not self.paragraphs else PARAGRAPH_GAP if block.is_first else ITEM_GAP
            bullet = self._shaper(0).segment(BULLET) if block.is_item else None
            hang = bullet.width + BULLET_GAP_EM if bullet else 0.0
            paragraph = Paragraph(gap, hang, bullet)
            self._is_sticky = False
            paragraph.is_mirrored = self._is_mirrored
            tokens = self._ordered(paragraph, block.tokens)
            self.paragraphs += [line for line in self._fill(paragraph, tokens) if line.words]

    def plain(self, text: str) -> Paragraph:
        """Return a paragraph of plain text, without markup."""
        paragraph = Paragraph(0.0)
        paragraph.is_mirrored = self._is_mirrored
        return self._fill(paragraph, self._ordered(paragraph, [(0, " ".join(text.split("\n")))]))[0]

    def _ordered(self, paragraph: Paragraph, tokens: list[Token]) -> list[Token]:
        """Return the tokens of a paragraph, cut where the bidi level changes, if it has right-to-left text.

        Letters with several marks are on a level of their own, on which those stand on each other.
        The paragraph runs as its language does, or as its first letter does where that runs to the right.
        """
        for kind, words in tokens:
            if not words.isascii() and kind < ICON and RIGHT_TO_LEFT.search(words):
                break
        else:
            if not any(kind < ICON and has_stacked_marks(words) for kind, words in tokens):
                return tokens
            paragraph.is_ordered = True  # marks stand on baselines of their own
            return [(kind + _RAISING * LEVEL, words) for kind, words in tokens]
        text = "".join([words if kind < ICON else _AS_SIGN[kind] for kind, words in tokens])
        paragraph.is_mirrored = paragraph.is_mirrored or is_right_to_left(text)
        paragraph.is_ordered = True
        levels = levels_of(classes_of(text), int(paragraph.is_mirrored), text)
        cut: list[Token] = []
        at = 0
        for kind, words in tokens:
            end = at + (len(words) if kind < ICON else 1)
            for run in _LEVEL_RUN.finditer(levels, at, end):
                own = text[run.start() : run.end()] if kind < ICON else words
                if cut and kind < ICON > cut[-1][0] % LEVEL and is_joined_to(cut[-1][1], own):
                    cut[-1], own = (cut[-1][0], cut[-1][1] + JOINER), JOINER + own
                cut.append((kind + levels[run.start()] * LEVEL, own))
            at = end
        return cut

    def _fill(self, paragraph: Paragraph, tokens: list[Token]) -> list[Paragraph]:
        lines = [paragraph]
        pending: _Pending = _GLUE
        was_icon = False
        for full_kind, text in tokens:
            kind = full_kind % LEVEL
            if kind == BREAK:
                # A break after a break is an empty line.
                gap = 0.0 if paragraph.words or len(lines) == 1 else paragraph.gap_lines + 1.0
                bullet = None if paragraph.words else paragraph.bullet
                lines.append(Paragraph(gap, paragraph.hang_em, bullet))
                lines[-1].is_mirrored, lines[-1].is_ordered = paragraph.is_mirrored, paragraph.is_ordered
                paragraph = lines[-1]
                pending, was_icon = _GLUE, False
            elif kind == ICON:
                icon = self._icon(text)
                if icon is None:
                    self.unknown_icons.append(text)
                    pending = self._add_text(paragraph, self._shaper(0), f"{{{text}}}", pending)
                else:
                    if kind != full_kind:
                        pieces = tuple(piece._replace(level=full_kind // LEVEL) for piece in icon.pieces)
                        icon = icon._replace(pieces=pieces)
                    if was_icon and pending is _GLUE:
                        pending = None
                    self._add(paragraph, icon, pending)
                    pending = _GLUE
                was_icon = icon is not None
            else:
                pending = self._add_text(paragraph, self._shaper(full_kind), text, pending)
                was_icon = False
        return lines

    def _add_text(self, paragraph: Paragraph, shaper: Shaper, text: str, pending: _Pending) -> _Pending:
        """Add the words of a text; `pending` is the space before the first; return the space after the last."""
        chunks = text.split(" ")
        space = shaper.space
        ends_in_space = len(chunks) > 1 and not chunks[-1]
        if ends_in_space:
            chunks.pop()
        if not chunks[0]:
            del chunks[0]
            pending = space if chunks or ends_in_space else pending
        elif pending is not space and paragraph.words:
            pending = self._add_chunk(paragraph, shaper, chunks.pop(0), pending)
        if chunks:
            row = list(map(shaper.simple.get, chunks))
            if not all(row):
                # Words met for the first time: a line must not come out otherwise for it, not by the last digit.
                for chunk in chunks:
                    shaper.words(chunk)
                row = list(map(shaper.simple.get, chunks))
            if all(row) and not self._is_sticky:
                paragraph.add_row(row, space)  # type: ignore[arg-type]
            else:
                for chunk in chunks:
                    self._add_chunk(paragraph, shaper, chunk, space)
            pending = _GLUE
        return space if ends_in_space else pending

    def _add_chunk(self, paragraph: Paragraph, shaper: Shaper, chunk: str, pending: _Pending) -> _Pending:
        if not chunk:
            return pending
        first, *others = shaper.words(chunk) or (None,)
        if first is not None:
            self._add(paragraph, first, pending)
        if self._is_sticky or any(map(_NOTES, others)):
            for segment in others:
                self._add(paragraph, segment, None)
        elif others:
            paragraph.add_apart(others)
        return _GLUE

    def _add(self, paragraph: Paragraph, segment: Segment, pending: _Pending) -> None:
        """Add a segment as a new word or, if a line may not end before it, to the last word."""
        notes = segment.notes
        gap = None if isinstance(pending, str) else pending
        is_joined = pending is _GLUE or self._is_sticky or notes & STICKS_LEFT
        if pending is _GLUE and paragraph.words and not (self._is_sticky or notes & STICKS_LEFT):
            is_joined = not _may_part(paragraph.words[-1], segment.pieces)
        if is_joined and paragraph.words and len(paragraph.words[-1]) < _MOST_JOINED:
            paragraph.join(segment, gap)
        else:
            paragraph.add(segment, gap)
        self._is_sticky = bool(notes & STICKS_RIGHT)
        if notes:
            if notes & HAS_MISSING:
                self.missing += segment.shaper.missing[segment.raw]
            if notes & HAS_SOFT_HYPHEN:
                paragraph.has_soft_hyphens = True
            if notes & NEEDS_DICTIONARY:
                self.needs_dictionary = True
