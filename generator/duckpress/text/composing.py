"""Tokens -> paragraphs: which segments are words of their own, what stands between them, in which order they run."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import itemgetter
from typing import Any, cast

from duckpress.text.bidi import RIGHT_TO_LEFT, classes_of, is_right_to_left, levels_of
from duckpress.text.east_asian import EAST_ASIAN, east_asian_breaks
from duckpress.text.glyph_pieces import GlyphPiece
from duckpress.text.letters import JOINER, has_stacked_marks, is_joined_to
from duckpress.text.markup import BREAK, ICON, LEVEL, MarkupBlock, Token
from duckpress.text.paragraphs import Paragraph
from duckpress.text.styles import IconGlyph
from duckpress.text.voice import (
    HAS_MISSING,
    HAS_SOFT_HYPHEN,
    NEEDS_DICTIONARY,
    STICKS_LEFT,
    STICKS_RIGHT,
    Segment,
    Voice,
)

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


def icon_segment(icon: IconGlyph, name: str, voice: Voice) -> Segment:
    """Return an icon as a word: as high as ascenders, and as much under the baseline as those are over the capitals.

    So it is centred on capitals and digits, and does not move the baseline of a first line.
    """
    top = max(voice.letter_top, voice.cap_height)
    bottom = voice.cap_height - top
    width = icon.aspect * (top - bottom) + 2 * ICON_SIDE_EM
    piece = GlyphPiece(icon, "", f"{{{name}}}", width, top, bottom)
    return Segment(width, (piece,), "", 0, voice, "")


def _on_level(segment: Segment, level: int) -> Segment:
    return segment._replace(pieces=tuple(piece._replace(level=level) for piece in segment.pieces))


class ParagraphComposer:
    """Makes the paragraphs of one text; `missing` and `unknown_icons` gather what could not be made.

    `needs_dictionary` tells whether words of a script that has no spaces were among them.
    """

    def __init__(
        self, voice: Callable[[int], Voice], icon: Callable[[str], Segment | None], *, is_mirrored: bool = False
    ) -> None:
        """Take the voice of each emphasis (markup.BOLD, ITALIC; and LEVEL) and the icon of each name.

        `is_mirrored`: the language is written from right to left.
        """
        self._voice = voice
        self._icon = icon
        self._is_mirrored = is_mirrored
        self._is_sticky = False  # opening punctuation was last
        self.missing: list[str] = []
        self.unknown_icons: list[str] = []
        self.needs_dictionary = False

    def compose(self, blocks: list[MarkupBlock]) -> list[Paragraph]:
        """Return the paragraphs of the blocks; empty ones are left out."""
        paragraphs: list[Paragraph] = []
        for block in blocks:
            gap = 0.0 if not paragraphs else PARAGRAPH_GAP if block.is_first else ITEM_GAP
            bullet = self._voice(0).segment(BULLET) if block.is_item else None
            hang = bullet.width + BULLET_GAP_EM if bullet else 0.0
            paragraph = Paragraph(gap, hang, bullet)
            self._is_sticky = False
            paragraph.is_mirrored = self._is_mirrored
            tokens = self._ordered(paragraph, block.tokens)
            paragraphs += [line for line in self._fill(paragraph, tokens) if line.words]
        return paragraphs

    def plain(self, text: str) -> Paragraph:
        """Return a paragraph of plain text, in which nothing is markup."""
        paragraph = Paragraph(0.0)
        paragraph.is_mirrored = self._is_mirrored
        return self._fill(paragraph, self._ordered(paragraph, [(0, " ".join(text.split("\n")))]))[0]

    def _ordered(self, paragraph: Paragraph, tokens: list[Token]) -> list[Token]:
        """Return the tokens of a paragraph cut where its level changes, where any of it runs from right to left.

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
                    pending = self._add_text(paragraph, self._voice(0), f"{{{text}}}", pending)
                else:
                    icon = icon if kind == full_kind else _on_level(icon, full_kind // LEVEL)
                    if was_icon and pending is _GLUE:
                        pending = None
                    self._add(paragraph, icon, pending)
                    pending = _GLUE
                was_icon = icon is not None
            else:
                pending = self._add_text(paragraph, self._voice(full_kind), text, pending)
                was_icon = False
        return lines

    def _add_text(self, paragraph: Paragraph, voice: Voice, text: str, pending: _Pending) -> _Pending:
        """Add the words of a text; `pending` is what stands before the first; give what stands after the last."""
        chunks = text.split(" ")
        space = voice.space
        ends_in_space = len(chunks) > 1 and not chunks[-1]
        if ends_in_space:
            chunks.pop()
        if not chunks[0]:
            del chunks[0]
            pending = space if chunks or ends_in_space else pending
        elif pending is not space and paragraph.words:
            pending = self._add_chunk(paragraph, voice, chunks.pop(0), pending)
        if chunks:
            row = list(map(voice.simple.get, chunks))
            if not all(row):
                # Words met for the first time: a line must not come out otherwise for it, not by the last digit.
                for chunk in chunks:
                    voice.words(chunk)
                row = list(map(voice.simple.get, chunks))
            if all(row) and not self._is_sticky:
                paragraph.add_row(row, space)  # type: ignore[arg-type]
            else:
                for chunk in chunks:
                    self._add_chunk(paragraph, voice, chunk, space)
            pending = _GLUE
        return space if ends_in_space else pending

    def _add_chunk(self, paragraph: Paragraph, voice: Voice, chunk: str, pending: _Pending) -> _Pending:
        if not chunk:
            return pending
        first, *others = voice.words(chunk) or (None,)
        if first is not None:
            self._add(paragraph, first, pending)
        if self._is_sticky or any(map(_NOTES, others)):
            for segment in others:
                self._add(paragraph, segment, None)
        elif others:
            paragraph.add_apart(others)
        return _GLUE

    def _add(self, paragraph: Paragraph, segment: Segment, pending: _Pending) -> None:
        """Add a segment as a word of its own or, where a line may not end before it, to the word before."""
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
                self.missing += segment.voice.missing[segment.raw]
            if notes & HAS_SOFT_HYPHEN:
                paragraph.has_soft_hyphens = True
            if notes & NEEDS_DICTIONARY:
                self.needs_dictionary = True
