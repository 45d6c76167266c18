"""The fonts that texts ask for: the typeface of a style and of its emphasised letters, and what each measures."""

from __future__ import annotations

from duckpress.text import TextStyle
from duckpress.text.fonts import WEIGHTS, FontLibrary, Typeface
from oracle.frame_check.measures import Measures

_BOLDER = {"light": "semibold", "regular": "bold", "medium": "bold", "semibold": "extrabold", "bold": "extrabold"}


class AskedFonts:
    """The typefaces of styles, and the measures of fonts in them; each is looked up once."""

    def __init__(self, fonts: FontLibrary, language: str) -> None:
        self._fonts, self._language = fonts, language
        self._typefaces: dict[tuple[str, str, bool, int], Typeface | None] = {}
        self._measures: dict[tuple[str, float, str, str], Measures] = {}

    def typeface(self, style: TextStyle, stars: int = 0) -> Typeface | None:
        """Return the typeface of a style; `stars` around its letters make them slanted (1), bolder (2) or both (3)."""
        key = (style.family, style.weight, style.is_italic, stars)
        if key not in self._typefaces:
            weight = _BOLDER.get(style.weight, "black") if stars & 2 else style.weight
            self._typefaces[key] = self._nearest(style.family, WEIGHTS[weight], style.is_italic != bool(stars & 1))
        return self._typefaces[key]

    def _nearest(self, family: str, weight: int, is_italic: bool) -> Typeface | None:
        """Return the typeface of a weight of a family, or of the nearest: of two, the one farther from regular."""
        known = self._fonts.families.get(family)
        if known is None:
            return None
        styles = [style for style in known.styles if style.is_italic == is_italic] or known.styles
        away = min(abs(style.weight - weight) for style in styles)
        weights = [style.weight for style in styles if abs(style.weight - weight) == away]
        wanted = max(weights) if weight > WEIGHTS["medium"] else min(weights)
        return self._fonts.typeface_of(next(style for style in styles if style.weight == wanted))

    def measures(self, key: str, style: TextStyle) -> Measures:
        """Return the measures of a font in a style."""
        asked = (key, style.tracking, style.caps, style.figures)
        known = self._measures.get(asked)
        if known is None:
            known = self._measures[asked] = Measures(self._fonts.typefaces_by_key[key], style, self._language)
        return known

    def check_words(self) -> None:
        """Raise `WrongFrame` where a word that was shaped since this was asked last is not drawn as its font asks."""
        for measures in self._measures.values():
            measures.check_words()

    def has_all(self, typeface: Typeface, style: TextStyle, text: str) -> bool:
        """Return whether a typeface has all the letters of a text."""
        return self.measures(typeface.key, style).codes.issuperset(map(ord, text.replace("\u00ad", "-")))
