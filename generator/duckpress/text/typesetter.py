"""Texts -> items that fit their box: the front of the text room.

Where lines stand: the first line's letters (their ascenders, as drawn, or higher ink such as an accented capital)
touch the top of the box, the last one's descenders its bottom, when aligned so; `middle` centres the block between
them, and a single line by its capitals, since titles have few descenders. Where it fits, no letter's top or bottom
leaves the box, and no line's advance its width.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from duckpress.core.frame import Item
from duckpress.core.geometry import Rect
from duckpress.core.units import MM_PER_PT
from duckpress.fonts import FontLibrary
from duckpress.text.breaking import (
    SLIP_MM,
    Breaker,
    Broken,
    BrokenText,
    balanced,
    break_plain,
    break_text,
    largest_fit,
    measured,
    overflow_mm,
    words_wider_than,
)
from duckpress.text.composing import ParagraphComposer
from duckpress.text.drawing import Draughtsman, drawn_lines, list_reaches
from duckpress.text.evenly import break_evenly
from duckpress.text.letters import MAY_BE_EMOJI, Hyphenator
from duckpress.text.lost_letters import lost_letters
from duckpress.text.markup import MarkupBlock, parse_markup, with_named_emoji
from duckpress.text.paragraphs import Paragraph
from duckpress.text.styles import Fitted, Galley, TextLine, TextStyle, Use
from duckpress.text.typecase import Borrowed, Icons, TypeCase
from duckpress.text.typography import is_french, respaced, spaced

_MOST_BALANCED_LINES = 4
_LEAST_PT = 2.0  # no layout can ask for smaller letters
_NOTHING: Mapping[str, str] = MappingProxyType({})


class _Composed(NamedTuple):
    """A text as it was read, and as paragraphs of measured words; its lines are still to be broken."""

    composer: ParagraphComposer
    blocks: list[MarkupBlock]
    paragraphs: list[Paragraph]
    unknown_fields: list[str]


class Typesetter:
    """Sets texts in one language; words once measured are kept for all later texts."""

    def __init__(
        self, fonts: FontLibrary, icons: Icons, language: str = "en", *, names_emoji: bool = True,
        is_mirrored: bool = False, is_from_right: bool = False,
    ) -> None:  # fmt: skip
        """Take the fonts, what finds icons, and whether an emoji that is the name of an icon is that icon.

        `is_mirrored`: the language is written from right to left, and so are paragraphs that have a letter of that.
        With `is_from_right` places in galleys and lines are counted from their right edges, for pages that are mirrored
        when they are finished.
        """
        self._is_from_right = is_from_right
        self.is_mirrored = is_mirrored
        self._case = TypeCase(fonts, icons, language)
        self._language = language
        self._names_emoji = names_emoji
        self._is_french = is_french(language)
        self._hyphens = Hyphenator(language)
        self._composed: dict[tuple[object, ...], _Composed] = {}
        self.uses: list[Use] = []  # the fonts that texts were set in by `fit` and `height`, as they were asked for

    def fit(
        self,
        source: str,
        style: TextStyle,
        box: Rect,
        valign: str = "top",
        values: Mapping[str, str] = _NOTHING,
        max_lines: int | None = None,
        size_pt: float | None = None,
    ) -> Fitted:
        """Set a text into a box: at its style's size, or the largest size not under `min_pt` at which it fits.

        Sizes go down in steps of a quarter point. With `size_pt` that size is used as it is. What does not fit is set
        at the smallest size all the same; `over_mm` says by how much it is over, `fits_pt` at which size it would fit.
        """
        text = self._compose(source, style, values)
        paragraphs = text.paragraphs
        if not paragraphs:
            return Fitted((), size_pt or style.size_pt, 0.0, **_faults(text, style, ()))
        sized = style._replace(size_pt=size_pt, min_pt=size_pt) if size_pt else style
        voice = self._case.voice(style)
        used_pt, block = largest_fit(paragraphs, sized, box, max_lines, self._hyphens, voice)
        size_mm = used_pt * MM_PER_PT
        over_mm = overflow_mm(block, size_mm, box, max_lines, style)
        over_words: tuple[str, ...] = ()
        fits_pt = None
        if over_mm:
            smaller = style._replace(size_pt=used_pt, min_pt=_LEAST_PT)
            least_pt, least = largest_fit(paragraphs, smaller, box, max_lines, self._hyphens, voice)
            fits_pt = None if overflow_mm(least, least_pt * MM_PER_PT, box, max_lines, style) else least_pt
            over_words = words_wider_than(block.broken, (box.width_mm + SLIP_MM) / size_mm)
        elif style.align == "center" and block.line_count <= _MOST_BALANCED_LINES:
            even = measured([self._even(part, box.width_mm / size_mm, style) for part in block.broken], style, voice)
            # A letter that reaches deep may have come into the last line, and have no room there.
            block = block if overflow_mm(even, size_mm, box, max_lines, style) else even
        items = self._draw(block, style, box, valign, size_mm)
        faults = _faults(text, style, items, over_words)
        return Fitted(items, used_pt, round(block.height_em * size_mm, 4), over_mm, fits_pt, block.line_count, **faults)

    def height(self, source: str, style: TextStyle, width_mm: float, values: Mapping[str, str] = _NOTHING) -> float:
        """Return the height in millimetres of a text at its style's full size in a column."""
        paragraphs = self._compose(source, style, values).paragraphs
        if not paragraphs:
            return 0.0
        size_mm = style.size_pt * MM_PER_PT
        block = break_text(paragraphs, style, width_mm / size_mm, self._hyphens, self._case.voice(style))
        return round(block.height_em * size_mm + SLIP_MM, 6)

    def borrowed(self, style: TextStyle, items: tuple[Item, ...]) -> Borrowed | None:
        """Return what a text that was set has borrowed, where most of its letters come from a fallback, else None."""
        return self._case.borrowed(style, items)

    def galley(self, source: str, style: TextStyle, width_mm: float) -> Galley:
        """Set a text at its style's full size into a column of a width, however long: its lines as even as can be.

        Sheets are set again in other sizes and widths, for each paper: the words of a text are put together once.
        """
        align = style.align if style.align == "justify" else ""
        key = source, style._replace(size_pt=0, min_pt=0, leading=0, align=align, is_hyphenated=False)
        if key not in self._composed:
            self._composed[key] = self._compose(source, style, _NOTHING)
        text = self._composed[key]
        size_mm, tracking = style.size_pt * MM_PER_PT, style.tracking / 1000
        limit = max(width_mm / size_mm, 0.0) + tracking
        parts = [break_evenly(paragraph, limit, self._hyphens, style.is_hyphenated) for paragraph in text.paragraphs]
        if style.align == "center":
            whole = partial(break_evenly, hyphens=self._hyphens, by_patterns=False)
            parts = [self._even(part, width_mm / size_mm, style, whole) for part in parts]
        voice = self._case.voice(style)
        ends = (voice.letter_top * size_mm, -voice.letter_bottom * size_mm)
        over = words_wider_than(parts, limit + SLIP_MM)
        lines = drawn_lines(parts, style, width_mm, width_mm if self._is_from_right else None)
        faults = _faults(text, style, [item for line in lines for item in line.items], over)
        return Galley(lines, style.leading * size_mm, *ends, **faults)

    def line(self, text: str, style: TextStyle) -> TextLine:
        """Return one unbroken line of plain text (nothing in it is markup), its baseline beginning at the origin."""
        composer = self._composer(style)
        paragraph = composer.plain(spaced(text, self._language) if self._is_french else text)
        size_mm = style.size_pt * MM_PER_PT
        broken = break_plain(paragraph, float("inf"))
        width_mm = round(max((broken.lines[0][2] - style.tracking / 1000) * size_mm, 0.0), 4)
        edges_mm = width_mm if self._is_from_right else None
        draughtsman = Draughtsman(size_mm, style.colour, style.tracking / 1000, edges_mm)
        draughtsman.line(broken, 0, 0.0, 0.0, 0.0, "left")
        cap_height_mm = self._case.voice(style).cap_height * size_mm
        return TextLine(tuple(draughtsman.items), width_mm, cap_height_mm, tuple(dict.fromkeys(composer.missing)))

    def without_missing(self, text: str, style: TextStyle) -> str:
        """Return a plain text without the letters that no font has."""
        return self._case.voice(style).without_missing(text)

    def _compose(self, source: str, style: TextStyle, values: Mapping[str, str]) -> _Composed:
        unknown_fields: list[str] = []
        composer = self._composer(style)
        if self._names_emoji and (values or MAY_BE_EMOJI.search(source)):
            voice = self._case.voice(style)
            source, values = with_named_emoji(
                source, values, lambda name: self._case.icon(name, style.colour, voice) is not None
            )
        read = blocks = parse_markup(source, values, unknown_fields)
        if self._is_french:
            blocks = [block._replace(tokens=respaced(block.tokens, self._language)) for block in blocks]
        paragraphs = composer.compose(blocks)
        self._case.note_fonts(style, blocks, self.uses)
        return _Composed(composer, read, paragraphs, unknown_fields)

    def _composer(self, style: TextStyle) -> ParagraphComposer:
        case = self._case
        return ParagraphComposer(
            partial(case.voice, style), lambda name: case.icon(name, style.colour, case.voice(style)),
            is_mirrored=self.is_mirrored,
        )  # fmt: skip

    def _draw(self, block: BrokenText, style: TextStyle, box: Rect, valign: str, size_mm: float) -> tuple[Item, ...]:
        free_mm = box.height_mm - block.height_em * size_mm
        baseline = box.y_mm + block.top_em * size_mm
        if valign == "bottom":
            baseline += max(free_mm, 0.0)
        elif valign == "middle" and block.line_count == 1:
            centred = box.y_mm + (box.height_mm + self._case.voice(style).cap_height * size_mm) / 2
            baseline = max(baseline, min(centred, baseline + free_mm))
        elif valign == "middle":
            baseline += max(free_mm, 0.0) / 2
        leading_mm = style.leading * size_mm
        draughtsman = Draughtsman(size_mm, style.colour, style.tracking / 1000)
        for part, list_reach in zip(block.broken, list_reaches(block.broken), strict=True):
            baseline += part.paragraph.gap_lines * leading_mm
            for number in range(len(part.lines)):
                line_mm = baseline + number * leading_mm
                draughtsman.line(part, number, box.x_mm, box.width_mm, line_mm, style.align, list_reach)
            baseline = baseline + (len(part.lines) - 1) * leading_mm + leading_mm
        return tuple(draughtsman.items)

    def _even(self, part: Broken, limit_em: float, style: TextStyle, broken_at: Breaker = break_plain) -> Broken:
        if part.words is not part.paragraph.words or len(part.lines) < 2 or part.paragraph.hang_em:
            return part  # divided, or nothing to even out, or in a list, whose lines are not centred one by one
        return balanced(part.paragraph, part, limit_em + style.tracking / 1000, broken_at)


def _faults(
    text: _Composed, style: TextStyle, items: Sequence[Item], over_words: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return the fields of `WordFaults`, each name and glyph once, in order of appearance."""
    composer = text.composer
    return {
        "over_words": over_words,
        "missing_glyphs": tuple(dict.fromkeys(composer.missing)),
        "unknown_icons": tuple(dict.fromkeys(composer.unknown_icons)),
        "unknown_fields": tuple(dict.fromkeys(text.unknown_fields)),
        "needs_dictionary": composer.needs_dictionary,
        "lost": "" if composer.missing else lost_letters(text.blocks, composer.unknown_icons, items, style.caps),
    }
