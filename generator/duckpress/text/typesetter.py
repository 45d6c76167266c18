"""Texts -> items that fit their box, in the fonts and icons of one language.

Where lines stand: the first line's letters (their ascenders, as drawn, or higher ink such as an accented capital)
touch the top of the box, the last one's descenders its bottom, when aligned so; `middle` centres the block between
them, and a single line by its capitals, since titles have few descenders. Where it fits, no letter's top or bottom
leaves the box, and no line's advance its width.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from duckpress.core.frame import Item, Text, every_item
from duckpress.core.geometry import MM_PER_PT, Rect
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
from duckpress.text.drawing import LineDrawer, drawn_lines, list_reaches, lost_letters
from duckpress.text.even_lines import break_evenly
from duckpress.text.fonts import FontLibrary, Typeface
from duckpress.text.letters import MAY_BE_EMOJI, Hyphenator, script_of
from duckpress.text.markup import BOLD, ICON, ITALIC, LEVEL, is_french, parse_markup, respaced, spaced, with_named_emoji
from duckpress.text.paragraphs import ICON_SIDE_EM, ParagraphComposer
from duckpress.text.shaping import GlyphPiece, ScaledFont, Segment, Shaper
from duckpress.text.styles import FALLBACKS, FONT, OTHERS, Fitted, IconGlyph, SetText, TextLine, TextStyle, Use

_BOLDER = {"light": "semibold", "regular": "bold", "medium": "bold", "semibold": "extrabold", "bold": "extrabold"}

Icons = Callable[[str, str], IconGlyph | None]
"""Finds an icon by its name and colour; None where there is none."""

_BLOCK = 128  # letters of a script stand together in Unicode
_FEWEST = 3  # borrowed letters in a text: fewer are signs


class Borrowed(NamedTuple):
    """The script of the letters from a fallback, and the families that have the script."""

    script: str
    families: tuple[str, ...]

    @property
    def fix(self) -> str:
        names = ", ".join(map(repr, self.families[:5]))
        return f"take a family that has them: {names}" if names else "add a family that has them to fonts/"


_MOST_BALANCED_LINES = 4
_LEAST_PT = 2.0  # no layout can ask for smaller letters
_NOTHING: Mapping[str, str] = MappingProxyType({})


class Typesetter:
    """Sets texts in one language; measured words are cached for all later texts.

    Styles that differ only in size or colour share shapers, made when first asked for.
    """

    def __init__(
        self, fonts: FontLibrary, icons: Icons, language: str = "en", *, names_emoji: bool = True,
        is_mirrored: bool = False, is_from_right: bool = False,
    ) -> None:  # fmt: skip
        """Take the fonts, the function that finds icons, and whether an emoji may stand for the icon it names.

        `is_mirrored`: the language is written from right to left, and so are paragraphs that have a letter of that.
        With `is_from_right` places in lines are counted from their right edges, for pages that are mirrored when they
        are finished.
        """
        self._is_from_right = is_from_right
        self.is_mirrored = is_mirrored
        self._fonts = fonts
        self._icons = icons
        self._pens: dict[tuple[str, float], ScaledFont] = {}
        self._shapers: dict[tuple[str, str, bool, float, str, str, bool, int], Shaper] = {}
        self._icon_segments: dict[tuple[str, IconGlyph, Shaper], Segment] = {}
        self._uses: dict[Shaper, tuple[Use, Use, Use]] = {}  # the shaper's font, the fallbacks behind it, all others
        self._borrowing: dict[Use, int] = {}  # by font that lacked a letter: 2, or 3 where the fallbacks did, too
        self._lenders: set[tuple[str, str]] = set()  # a family, and the key of what was looked through for its letters
        self._having: dict[tuple[str, int], tuple[str, ...]] = {}  # by script and block: the families that have it
        self._language = language
        self._names_emoji = names_emoji
        self._is_french = is_french(language)
        self.hyphens = Hyphenator(language)
        self._composed: dict[tuple[object, ...], tuple[ParagraphComposer, list[Use]]] = {}
        self.uses: list[Use] = []  # the fonts that texts were set in, as they were asked for

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
        """Set a text into a box: at its style's size, or the largest size down to `min_pt` at which it fits.

        Sizes go down in steps of a quarter point. With `size_pt` that size is used as it is. What does not fit is set
        at the smallest size all the same; `over_mm` says by how much it is over, `fits_pt` at which size it would fit.
        """
        text = self._compose(source, style, values)
        paragraphs = text.paragraphs
        if not paragraphs:
            return Fitted((), size_pt or style.size_pt, 0.0, **_faults(text, style, ()))
        sized = style._replace(size_pt=size_pt, min_pt=size_pt) if size_pt else style
        shaper = self._shaper(style)
        used_pt, block = largest_fit(paragraphs, sized, box, max_lines, self.hyphens, shaper)
        size_mm = used_pt * MM_PER_PT
        over_mm = overflow_mm(block, size_mm, box, max_lines, style)
        over_words: tuple[str, ...] = ()
        fits_pt = None
        if over_mm:
            smaller = style._replace(size_pt=used_pt, min_pt=_LEAST_PT)
            least_pt, least = largest_fit(paragraphs, smaller, box, max_lines, self.hyphens, shaper)
            fits_pt = None if overflow_mm(least, least_pt * MM_PER_PT, box, max_lines, style) else least_pt
            over_words = words_wider_than(block.broken, (box.width_mm + SLIP_MM) / size_mm)
        elif style.align == "center" and block.line_count <= _MOST_BALANCED_LINES:
            even = measured([self._even(part, box.width_mm / size_mm, style) for part in block.broken], style, shaper)
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
        block = break_text(paragraphs, style, width_mm / size_mm, self.hyphens, self._shaper(style))
        return round(block.height_em * size_mm + SLIP_MM, 6)

    def set_paragraphs(self, source: str, style: TextStyle, width_mm: float) -> SetText:
        """Set a text at its style's full size into a column of any height: its lines as even as possible.

        Sheets are set again in other sizes and widths, for each paper: the words of a text are put together once.
        """
        align = style.align if style.align == "justify" else ""
        key = source, style._replace(size_pt=0, min_pt=0, leading=0, align=align, is_hyphenated=False)
        if key in self._composed:
            text, uses = self._composed[key]
            self.uses += uses
        else:
            before = len(self.uses)
            text = self._compose(source, style, _NOTHING)
            self._composed[key] = text, self.uses[before:]
        size_mm, tracking = style.size_pt * MM_PER_PT, style.tracking / 1000
        limit = max(width_mm / size_mm, 0.0) + tracking
        parts = [break_evenly(paragraph, limit, self.hyphens, style.is_hyphenated) for paragraph in text.paragraphs]
        if style.align == "center":
            whole = partial(break_evenly, hyphens=self.hyphens, by_patterns=False)
            parts = [self._even(part, width_mm / size_mm, style, whole) for part in parts]
        shaper = self._shaper(style)
        ends = (shaper.letter_top * size_mm, -shaper.letter_bottom * size_mm)
        over = words_wider_than(parts, limit + SLIP_MM)
        lines = drawn_lines(parts, style, width_mm, width_mm if self._is_from_right else None)
        faults = _faults(text, style, [item for line in lines for item in line.items], over)
        return SetText(lines, style.leading * size_mm, *ends, **faults)

    def line(self, text: str, style: TextStyle) -> TextLine:
        """Return one unbroken line of plain text (without markup), its baseline beginning at the origin."""
        composer = self._composer(style)
        paragraph = composer.plain(spaced(text, self._language) if self._is_french else text)
        size_mm = style.size_pt * MM_PER_PT
        broken = break_plain(paragraph, float("inf"))
        width_mm = round(max((broken.lines[0][2] - style.tracking / 1000) * size_mm, 0.0), 4)
        edges_mm = width_mm if self._is_from_right else None
        drawer = LineDrawer(size_mm, style.colour, style.tracking / 1000, edges_mm)
        drawer.line(broken, 0, 0.0, 0.0, 0.0, "left")
        shaper = self._shaper(style)
        self._note_uses(shaper)
        cap_height_mm = shaper.cap_height * size_mm
        return TextLine(tuple(drawer.items), width_mm, cap_height_mm, tuple(dict.fromkeys(composer.missing)))

    def without_missing(self, text: str, style: TextStyle) -> str:
        return self._shaper(style).without_missing(text)

    def _compose(self, source: str, style: TextStyle, values: Mapping[str, str]) -> ParagraphComposer:
        composer = self._composer(style)
        if self._names_emoji and (values or MAY_BE_EMOJI.search(source)):
            shaper = self._shaper(style)
            source, values = with_named_emoji(
                source, values, lambda name: self._icon(name, style.colour, shaper) is not None
            )
        composer.blocks = blocks = parse_markup(source, values, composer.unknown_fields)
        if self._is_french:
            blocks = [block._replace(tokens=respaced(block.tokens, self._language)) for block in blocks]
        composer.compose(blocks)
        # A text's fonts are noted whether it shows a letter of them or only takes its measures from them.
        for emphasis in {0, *(kind for block in blocks for kind, _ in block.tokens if kind < ICON)}:
            self._note_uses(self._shaper(style, emphasis))
        return composer

    def _note_uses(self, shaper: Shaper) -> None:
        uses = self._uses[shaper]
        self.uses += uses[: self._borrowing.get(uses[0], 1)]

    def _composer(self, style: TextStyle) -> ParagraphComposer:
        return ParagraphComposer(
            partial(self._shaper, style), lambda name: self._icon(name, style.colour, self._shaper(style)),
            is_mirrored=self.is_mirrored,
        )  # fmt: skip

    def _shaper(self, style: TextStyle, emphasis: int = 0) -> Shaper:
        """Return the shaper of a style with an emphasis (markup.BOLD, ITALIC) and a bidi level (multiples of LEVEL).

        Bold is two steps bolder, italic within italic is upright.
        """
        weight = _BOLDER.get(style.weight, "black") if emphasis & BOLD else style.weight
        is_italic = style.is_italic != bool(emphasis & ITALIC)
        level = emphasis // LEVEL
        features = style.tracking, style.caps, style.figures, style.align == "justify"
        key = style.family, weight, is_italic, *features, level
        shaper = self._shapers.get(key)
        if shaper is None:
            shaper = self._shapers[key] = self._make_shaper(style, weight, is_italic, level)
        return shaper

    def _icon(self, name: str, colour: str, shaper: Shaper) -> Segment | None:
        """Return an icon as a word among those of a shaper; None for an unknown name.

        It is as high as ascenders, and reaches as much under the baseline as those are over the capitals: so it is
        centred on capitals and digits, and does not move the baseline of a first line. It is asked for each time:
        whoever finds icons notes for every face which ones it shows.
        """
        icon = self._icons(name, colour)
        if icon is None:
            return None
        key = (name, icon, shaper)
        if key not in self._icon_segments:
            top = max(shaper.letter_top, shaper.cap_height)
            bottom = shaper.cap_height - top
            width = icon.aspect * (top - bottom) + 2 * ICON_SIDE_EM
            piece = GlyphPiece(icon, "", f"{{{name}}}", width, top, bottom)
            self._icon_segments[key] = Segment(width, (piece,), "", 0, shaper, "")
        return self._icon_segments[key]

    def borrowed(self, style: TextStyle, items: tuple[Item, ...]) -> Borrowed | None:
        """Return the script and its families if most letters of a text come from a fallback, else None.

        A few letters of another script, and signs, are what fallbacks are for.
        """
        family = self._fonts.families.get(style.family)
        if not self._lenders or family is None or family.is_fallback:
            return None
        runs = [item for item in every_item(items) if isinstance(item, Text)]
        is_lent_by = {run.font: (style.family, run.font) in self._lenders for run in runs}
        letters = [(letter, is_lent_by[run.font]) for run in runs for letter in run.text if letter.isalpha()]
        lent = Counter((script_of(letter), ord(letter) // _BLOCK) for letter, is_lent in letters if is_lent)
        has_font = self._fonts.typeface(style.family, style.weight, style.is_italic) is not None
        if not has_font or lent.total() < _FEWEST or 2 * lent.total() <= len(letters):
            return None
        script, block = max(lent, key=lambda place: (lent[place], -place[1]))
        if (script, block) not in self._having:
            codes = range(block * _BLOCK, (block + 1) * _BLOCK)
            alphabet = [letter for letter in map(chr, codes) if script_of(letter) == script]
            self._having[script, block] = self._fonts.families_with(alphabet, style.weight, style.is_italic)
        return Borrowed(script.capitalize(), self._having[script, block])

    def _make_shaper(self, style: TextStyle, weight: str, is_italic: bool, level: int) -> Shaper:
        lean = "italic" if is_italic else "upright"
        font = (FONT, style.family, weight, lean)
        own = self._fonts.typeface(style.family, weight, is_italic)

        def fallbacks() -> Iterator[Typeface]:
            for are_others in (False, True):
                self._borrowing[font] = max(3 if are_others else 2, self._borrowing.get(font, 1))
                lenders = self._fonts.fallbacks(weight, is_italic, are_others=are_others)
                self._lenders.update((style.family, typeface.key) for typeface in lenders if typeface is not own)
                yield from lenders

        shaper = Shaper(own, fallbacks, self._pen, self._language, style, level)
        self._uses[shaper] = font, (FALLBACKS, weight, lean), (OTHERS, weight, lean)
        return shaper

    def _pen(self, key: str, scale: float) -> ScaledFont:
        return self._pens.setdefault((key, scale), ScaledFont(key, scale))

    def _draw(self, block: BrokenText, style: TextStyle, box: Rect, valign: str, size_mm: float) -> tuple[Item, ...]:
        free_mm = box.height_mm - block.height_em * size_mm
        baseline = box.y_mm + block.top_em * size_mm
        if valign == "bottom":
            baseline += max(free_mm, 0.0)
        elif valign == "middle" and block.line_count == 1:
            centred = box.y_mm + (box.height_mm + self._shaper(style).cap_height * size_mm) / 2
            baseline = max(baseline, min(centred, baseline + free_mm))
        elif valign == "middle":
            baseline += max(free_mm, 0.0) / 2
        leading_mm = style.leading * size_mm
        drawer = LineDrawer(size_mm, style.colour, style.tracking / 1000)
        for part, list_reach in zip(block.broken, list_reaches(block.broken), strict=True):
            baseline += part.paragraph.gap_lines * leading_mm
            for number in range(len(part.lines)):
                line_mm = baseline + number * leading_mm
                drawer.line(part, number, box.x_mm, box.width_mm, line_mm, style.align, list_reach)
            baseline = baseline + (len(part.lines) - 1) * leading_mm + leading_mm
        return tuple(drawer.items)

    def _even(self, part: Broken, limit_em: float, style: TextStyle, broken_at: Breaker = break_plain) -> Broken:
        if part.words is not part.paragraph.words or len(part.lines) < 2 or part.paragraph.hang_em:
            return part  # divided, or nothing to even out, or in a list, whose lines are not centred one by one
        return balanced(part.paragraph, part, limit_em + style.tracking / 1000, broken_at)


def _faults(
    text: ParagraphComposer, style: TextStyle, items: Sequence[Item], over_words: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return the fields of `WordFaults`, without repetitions, in order of appearance."""
    return {
        "over_words": over_words,
        "missing_glyphs": tuple(dict.fromkeys(text.missing)),
        "unknown_icons": tuple(dict.fromkeys(text.unknown_icons)),
        "unknown_fields": tuple(dict.fromkeys(text.unknown_fields)),
        "needs_dictionary": text.needs_dictionary,
        "lost": "" if text.missing else lost_letters(text.blocks, text.unknown_icons, items, style.caps),
    }
