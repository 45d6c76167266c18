"""A typesetter's case: the voices, pens and icons that texts of one language are set with, each made once and kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from duckpress.core.frame import Item, Text, every_item
from duckpress.fonts import FontLibrary, Typeface
from duckpress.text.composing import icon_segment
from duckpress.text.glyph_pieces import ScaledFont
from duckpress.text.letters import script_of
from duckpress.text.markup import BOLD, ICON, ITALIC, LEVEL, MarkupBlock
from duckpress.text.styles import FALLBACKS, FONT, OTHERS, IconGlyph, TextStyle, Use
from duckpress.text.voice import Segment, Voice

_BOLDER = {"light": "semibold", "regular": "bold", "medium": "bold", "semibold": "extrabold", "bold": "extrabold"}

Icons = Callable[[str, str], IconGlyph | None]
"""Finds an icon by its name and colour; None where there is none."""

_BLOCK = 128  # letters of a script stand together in Unicode
_FEWEST = 3  # borrowed letters in a text: fewer are signs


class Borrowed(NamedTuple):
    """The script of the letters that a fallback draws, and the families that have it."""

    script: str
    families: tuple[str, ...]

    @property
    def fix(self) -> str:
        """What there is to do."""
        names = ", ".join(map(repr, self.families[:5]))
        return f"take a family that has them: {names}" if names else "add a family that has them to fonts/"


class TypeCase:
    """What texts are set with, made when first asked for; styles that differ only in size or colour share voices."""

    def __init__(self, fonts: FontLibrary, icons: Icons, language: str) -> None:
        self._fonts = fonts
        self._icons = icons
        self._language = language
        self._pens: dict[tuple[str, float], ScaledFont] = {}
        self._voices: dict[tuple[str, str, bool, float, str, str, bool, int], Voice] = {}
        self._icon_segments: dict[tuple[str, IconGlyph, Voice], Segment] = {}
        self._uses: dict[Voice, tuple[Use, Use, Use]] = {}  # the voice's font, the fallbacks behind it, all others
        self._borrowing: dict[Use, int] = {}  # by font that lacked a letter: 2, or 3 where the fallbacks did, too
        self._lenders: set[tuple[str, str]] = set()  # a family, and the key of what was looked through for its letters
        self._having: dict[tuple[str, int], tuple[str, ...]] = {}  # by script and block: the families that have it

    def voice(self, style: TextStyle, emphasis: int = 0) -> Voice:
        """Return the voice of a style with an emphasis (markup.BOLD, ITALIC), and of a level (so many times LEVEL).

        Bold is two steps bolder, italic within italic is upright.
        """
        weight = _BOLDER.get(style.weight, "black") if emphasis & BOLD else style.weight
        is_italic = style.is_italic != bool(emphasis & ITALIC)
        level = emphasis // LEVEL
        features = style.tracking, style.caps, style.figures, style.align == "justify"
        voice = self._voices.get((style.family, weight, is_italic, *features, level))
        return voice or self._make_voice(style, weight, is_italic, level)

    def icon(self, name: str, colour: str, voice: Voice) -> Segment | None:
        """Return an icon as a word among those of a voice; None where there is none of that name.

        It is asked for each time: whoever finds icons notes for every face which ones it shows.
        """
        icon = self._icons(name, colour)
        if icon is None:
            return None
        key = (name, icon, voice)
        if key not in self._icon_segments:
            self._icon_segments[key] = icon_segment(icon, name, voice)
        return self._icon_segments[key]

    def note_fonts(self, style: TextStyle, blocks: list[MarkupBlock], uses: list[Use]) -> None:
        """Enter a text's fonts in `uses`, whether it shows a letter of them or only takes its measures from them."""
        for emphasis in {0, *(kind for block in blocks for kind, _ in block.tokens if kind < ICON)}:
            asked = self._uses[self.voice(style, emphasis)]
            uses += asked[: self._borrowing.get(asked[0], 1)]

    def borrowed(self, style: TextStyle, items: tuple[Item, ...]) -> Borrowed | None:
        """Return what a text has borrowed, where most of its letters come from a fallback; None where they do not.

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

    def _make_voice(self, style: TextStyle, weight: str, is_italic: bool, level: int) -> Voice:
        lean = "italic" if is_italic else "upright"
        font = (FONT, style.family, weight, lean)
        own = self._fonts.typeface(style.family, weight, is_italic)

        def fallbacks() -> Iterator[Typeface]:
            for are_others in (False, True):
                self._borrowing[font] = max(3 if are_others else 2, self._borrowing.get(font, 1))
                lenders = self._fonts.fallbacks(weight, is_italic, are_others=are_others)
                self._lenders.update((style.family, typeface.key) for typeface in lenders if typeface is not own)
                yield from lenders

        voice = Voice(own, fallbacks, self._pen, self._language, style, level)
        features = style.tracking, style.caps, style.figures, style.align == "justify"
        self._voices[style.family, weight, is_italic, *features, level] = voice
        self._uses[voice] = font, (FALLBACKS, weight, lean), (OTHERS, weight, lean)
        return voice

    def _pen(self, key: str, scale: float) -> ScaledFont:
        return self._pens.setdefault((key, scale), ScaledFont(key, scale))
