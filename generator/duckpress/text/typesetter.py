"""Texts -> items that fit their box: the front of the text room.

Where lines stand: the first line's letters (their ascenders, as drawn, or higher ink such as an accented capital)
touch the top of the box, the last one's descenders its bottom, when aligned so; `middle` centres the block between
them, and a single line by its capitals, since titles have few descenders. Where it fits, no letter's top or bottom
leaves the box, and no line's advance its width.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from duckpress.fonts import FontLibrary, Typeface
from duckpress.frame import Item
from duckpress.geometry import Rect
from duckpress.text.breaking import Broken, balanced, break_divided, break_plain, words_wider_than
from duckpress.text.drawing import Draughtsman
from duckpress.text.evenly import break_evenly
from duckpress.text.galley import Galley, drawn_lines
from duckpress.text.hyphens import Hyphenator
from duckpress.text.markup import BOLD, ICON, ITALIC, Block, parse_markup
from duckpress.text.paragraphs import Composer, Paragraph, icon_segment
from duckpress.text.style import FALLBACKS, FONT, Fitted, IconGlyph, Line, TextStyle, Use
from duckpress.text.typography import is_french, respaced, spaced
from duckpress.text.voice import Pen, Piece, Segment, Voice
from duckpress.units import MM_PER_PT

STEP_PT = 0.25
_REACH = itemgetter(2)  # of a line
_TOP, _BOTTOM = (itemgetter(Piece._fields.index(name)) for name in ("top", "bottom"))
_SLIP_MM = 1e-6
_MOST_BALANCED_LINES = 4
_NOTHING: Mapping[str, str] = MappingProxyType({})
_BOLDER = {"light": "semibold", "regular": "bold", "medium": "bold", "semibold": "extrabold", "bold": "extrabold"}

Icons = Callable[[str, str], IconGlyph | None]


class _Block(NamedTuple):
    """A text broken at one size: its height and width in em, the first line's top and the last one's bottom."""

    broken: list[Broken]
    height_em: float
    width_em: float
    top_em: float
    bottom_em: float
    line_count: int


class _Voices(dict[int, Voice]):
    """The voices of a style by emphasis: bold is two steps bolder, italic within italic is upright."""

    def __init__(self, style: TextStyle, make: Callable[[TextStyle, str, bool], Voice]) -> None:
        super().__init__()
        self._style = style
        self._make = make

    def __missing__(self, emphasis: int) -> Voice:
        style = self._style
        weight = _BOLDER.get(style.weight, "black") if emphasis & BOLD else style.weight
        voice = self[emphasis] = self._make(style, weight, style.is_italic != bool(emphasis & ITALIC))
        return voice


class Typesetter:
    """Sets texts in one language; words once measured are kept for all later texts."""

    def __init__(self, fonts: FontLibrary, icons: Icons, language: str = "en") -> None:
        """Take the fonts, the icons by name and colour (None where there is none), and the language of the texts."""
        self._fonts = fonts
        self._icons = icons
        self._language = language
        self._is_french = is_french(language)
        self._hyphens = Hyphenator(language)
        self._pens: dict[tuple[str, float], Pen] = {}
        self._voices: dict[tuple[str, str, bool, float, str], Voice] = {}
        self._by_style: dict[TextStyle, _Voices] = {}
        self._icon_segments: dict[tuple[str, str, Voice], Segment | None] = {}
        self._composed: dict[tuple[object, ...], tuple[Composer, list[Paragraph], list[str]]] = {}
        self._uses: dict[Voice, tuple[Use, Use]] = {}  # the voice's font, and the fallbacks behind it
        self._borrowing: set[Use] = set()  # the fonts that lacked a letter at least once
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
        at the smallest size all the same, and `over_mm` says by how much it is over.
        """
        composer, paragraphs, unknown_fields = self._compose(source, style, values)
        if not paragraphs:
            return Fitted((), size_pt or style.size_pt, 0.0, 0.0, (), *_gathered(composer, unknown_fields))
        full_pt = size_pt or style.size_pt
        least_pt = full_pt if size_pt else min(style.min_pt, full_pt)
        used_pt, block = self._largest(paragraphs, style, box, max_lines, full_pt, least_pt)
        size_mm = used_pt * MM_PER_PT
        over_mm = _over(block, size_mm, box, max_lines, style)
        over_words: tuple[str, ...] = ()
        if over_mm:
            over_words = _wider_than(block, (box.width_mm + _SLIP_MM) / size_mm)
        elif style.align == "center" and block.line_count <= _MOST_BALANCED_LINES:
            block = block._replace(broken=[self._even(part, box.width_mm / size_mm, style) for part in block.broken])
        items = self._draw(block, style, box, valign, size_mm)
        return Fitted(
            items, used_pt, round(block.height_em * size_mm, 4), over_mm, over_words,
            *_gathered(composer, unknown_fields), block.line_count,
        )  # fmt: skip

    def height(self, source: str, style: TextStyle, width_mm: float, values: Mapping[str, str] = _NOTHING) -> float:
        """Give the height in millimetres of a text at its style's full size in a column."""
        _, paragraphs, _ = self._compose(source, style, values)
        if not paragraphs:
            return 0.0
        size_mm = style.size_pt * MM_PER_PT
        return round(self._break(paragraphs, style, width_mm / size_mm).height_em * size_mm + _SLIP_MM, 6)

    def galley(self, source: str, style: TextStyle, width_mm: float, values: Mapping[str, str] = _NOTHING) -> Galley:
        """Set a text at its style's full size into a column of a width, however long: its lines as even as can be.

        Sheets are set again in other sizes and widths, for each paper: the words of a text are put together once.
        """
        key = (source, style.family, style.weight, style.is_italic, style.tracking, style.caps, style.colour)
        known = self._composed.get(key) if not values else None
        composer, paragraphs, unknown_fields = known or self._compose(source, style, values)
        if not values:
            self._composed[key] = composer, paragraphs, unknown_fields
        size_mm, tracking = style.size_pt * MM_PER_PT, style.tracking / 1000
        limit = max(width_mm / size_mm, 0.0) + tracking
        parts = [break_evenly(one, limit, self._hyphens, style.is_hyphenated) for one in paragraphs]
        if style.align == "center":
            parts = [self._even(part, width_mm / size_mm, style) for part in parts]
        voice = self._voices_of(style)[0]
        ends = (voice.letter_top * size_mm, -voice.letter_bottom * size_mm, voice.cap_height * size_mm)
        over = tuple(dict.fromkeys(word for part in parts for word in words_wider_than(part, limit + _SLIP_MM)))
        missing = _gathered(composer, unknown_fields)
        return Galley(drawn_lines(parts, style, width_mm), style.leading * size_mm, *ends, over, *missing)

    def line(self, text: str, style: TextStyle) -> Line:
        """Give one unbroken line of plain text (nothing in it is markup), its baseline beginning at the origin."""
        composer = self._composer(style)
        paragraph = composer.plain(spaced(text, self._language) if self._is_french else text)
        voice = self._voices_of(style)[0]
        size_mm = style.size_pt * MM_PER_PT
        broken = break_plain(paragraph, float("inf"))
        draughtsman = Draughtsman(size_mm, style.colour, style.tracking / 1000)
        draughtsman.paragraph(broken, 0.0, 0.0, [0.0], "left")
        width = max((broken.lines[0][2] - style.tracking / 1000) * size_mm, 0.0)
        missing = tuple(dict.fromkeys(composer.missing))
        return Line(
            tuple(draughtsman.items), round(width, 4), voice.letter_top * size_mm, -voice.letter_bottom * size_mm,
            voice.cap_height * size_mm, missing,
        )  # fmt: skip

    def _compose(
        self, source: str, style: TextStyle, values: Mapping[str, str]
    ) -> tuple[Composer, list[Paragraph], list[str]]:
        unknown_fields: list[str] = []
        composer = self._composer(style)
        blocks = parse_markup(source, values, unknown_fields)
        if self._is_french:
            blocks = [block._replace(tokens=respaced(block.tokens, self._language)) for block in blocks]
        paragraphs = composer.compose(blocks)
        self._note_fonts(self._voices_of(style), blocks)
        return composer, paragraphs, unknown_fields

    def _note_fonts(self, voices: _Voices, blocks: list[Block]) -> None:
        """Enter the fonts of a text, whether it shows a letter of them or only takes its measures from them."""
        for emphasis in {0, *(kind for block in blocks for kind, _ in block.tokens if kind < ICON)}:
            font, fallbacks = self._uses[voices[emphasis]]
            self.uses.append(font)
            if font in self._borrowing:
                self.uses.append(fallbacks)

    def _composer(self, style: TextStyle) -> Composer:
        voices, colour = self._voices_of(style), style.colour
        return Composer(voices, lambda name: self._icon(name, colour, voices[0]))

    def _largest(
        self,
        paragraphs: list[Paragraph],
        style: TextStyle,
        box: Rect,
        max_lines: int | None,
        full_pt: float,
        least_pt: float,
    ) -> tuple[float, _Block]:
        """Give the largest size at which a text fits, and the text broken at it; the smallest where none does."""

        def tried(size_pt: float) -> tuple[bool, _Block]:
            size_mm = size_pt * MM_PER_PT
            block = self._break(paragraphs, style, box.width_mm / size_mm)
            return not _over(block, size_mm, box, max_lines, style), block

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

    def _break(self, paragraphs: list[Paragraph], style: TextStyle, limit_em: float) -> _Block:
        tracking = style.tracking / 1000
        limit = max(limit_em, 0.0) + tracking
        broken: list[Broken] = []
        count, gaps, width = 0, 0.0, 0.0
        for paragraph in paragraphs:
            if style.is_hyphenated or paragraph.has_soft_hyphens:
                part = break_divided(paragraph, limit, self._hyphens, style.is_hyphenated, style.align == "justify")
            else:
                part = break_plain(paragraph, limit)
            broken.append(part)
            count += len(part.lines)
            gaps += paragraph.gap_lines
            width = max(width, paragraph.hang_em - tracking + max(map(_REACH, part.lines)))
        voice = self._voices_of(style)[0]
        first, last = broken[0], broken[-1]
        start, end, _ = first.lines[0]
        top = max(map(_TOP, chain.from_iterable(first.words[start:end])), default=0.0)
        start, end, _ = last.lines[-1]
        bottom = min(map(_BOTTOM, chain.from_iterable(last.words[start:end])), default=0.0)
        top, bottom = max(top, voice.letter_top), min(bottom, voice.letter_bottom)
        height = top - bottom + (count - 1 + gaps) * style.leading
        return _Block(broken, height, width, top, bottom, count)

    def _draw(self, block: _Block, style: TextStyle, box: Rect, valign: str, size_mm: float) -> tuple[Item, ...]:
        free_mm = box.height_mm - block.height_em * size_mm
        baseline = box.y_mm + block.top_em * size_mm
        if valign == "bottom":
            baseline += max(free_mm, 0.0)
        elif valign == "middle" and block.line_count == 1:
            centred = box.y_mm + (box.height_mm + self._voices_of(style)[0].cap_height * size_mm) / 2
            baseline = max(baseline, min(centred, baseline + free_mm))
        elif valign == "middle":
            baseline += max(free_mm, 0.0) / 2
        leading_mm = style.leading * size_mm
        draughtsman = Draughtsman(size_mm, style.colour, style.tracking / 1000)
        for part in block.broken:
            baseline += part.paragraph.gap_lines * leading_mm
            baselines = [baseline + number * leading_mm for number in range(len(part.lines))]
            draughtsman.paragraph(part, box.x_mm, box.width_mm, baselines, style.align)
            baseline = baselines[-1] + leading_mm
        return tuple(draughtsman.items)

    def _even(self, part: Broken, limit_em: float, style: TextStyle) -> Broken:
        is_divided = part.words is not part.paragraph.words
        if is_divided or len(part.lines) < 2:
            return part
        return balanced(part.paragraph, part, limit_em + style.tracking / 1000)

    def _voices_of(self, style: TextStyle) -> _Voices:
        voices = self._by_style.get(style)
        if voices is None:
            voices = self._by_style[style] = _Voices(style, self._make_voice)
        return voices

    def _make_voice(self, style: TextStyle, weight: str, is_italic: bool) -> Voice:
        key = (style.family, weight, is_italic, style.tracking, style.caps)
        if key not in self._voices:
            own = self._fonts.typeface(style.family, weight, is_italic)

            lean = "italic" if is_italic else "upright"
            font = (FONT, style.family, weight, lean)

            def fallbacks() -> tuple[Typeface, ...]:
                self._borrowing.add(font)
                return self._fonts.fallbacks(weight, is_italic)

            voice = Voice(own, fallbacks, self._pen, self._language, style.tracking, style.caps)
            self._voices[key] = voice
            self._uses[voice] = font, (FALLBACKS, weight, lean)
        return self._voices[key]

    def _pen(self, key: str, scale: float) -> Pen:
        pen = self._pens.get((key, scale))
        if pen is None:
            pen = self._pens[key, scale] = Pen(key, scale)
        return pen

    def _icon(self, name: str, colour: str, voice: Voice) -> Segment | None:
        key = (name, colour, voice)
        if key not in self._icon_segments:
            icon = self._icons(name, colour)
            self._icon_segments[key] = icon_segment(icon, name, voice) if icon else None
        return self._icon_segments[key]


def _over(block: _Block, size_mm: float, box: Rect, max_lines: int | None, style: TextStyle) -> float:
    """Give by how much a block is too wide, too high or has too many lines, in millimetres; 0 where it fits."""
    over = max(block.width_em * size_mm - box.width_mm, block.height_em * size_mm - box.height_mm)
    if max_lines is not None and block.line_count > max_lines:
        over = max(over, (block.line_count - max_lines) * style.leading * size_mm)
    return round(over, 4) if over > _SLIP_MM * 100 else 0.0


def _wider_than(block: _Block, limit_em: float) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for part in block.broken for word in words_wider_than(part, limit_em)))


def _gathered(
    composer: Composer, unknown_fields: list[str]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Give each missing glyph, unknown icon and unknown field once, in order of appearance."""
    return (
        tuple(dict.fromkeys(composer.missing)),
        tuple(dict.fromkeys(composer.unknown_icons)),
        tuple(dict.fromkeys(unknown_fields)),
    )
