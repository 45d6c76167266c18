"""Font files -> measured words: `FontLibrary` finds families, a `Typeface` shapes words and makes subsets."""

from duckpress.fonts.family import WEIGHTS, FontFamily, Style
from duckpress.fonts.glyphs import GlyphRun, tj_body, tj_number
from duckpress.fonts.library import FontLibrary
from duckpress.fonts.typeface import SMALL_CAPS, SPACED_FEATURES, USUAL_FEATURES, Features, Typeface

__all__ = [
    "SMALL_CAPS",
    "SPACED_FEATURES",
    "USUAL_FEATURES",
    "WEIGHTS",
    "Features",
    "FontFamily",
    "FontLibrary",
    "GlyphRun",
    "Style",
    "Typeface",
    "tj_body",
    "tj_number",
]
