"""Font files -> measured words: `FontLibrary` finds families, a `Typeface` shapes words and makes subsets."""

from duckpress.fonts.font_files import FontFile
from duckpress.fonts.glyphs import FIGURES, SMALL_CAPS, SPACED_FEATURES, USUAL_FEATURES, tj_body, tj_number
from duckpress.fonts.library import WEIGHTS, FontLibrary
from duckpress.fonts.opentype import read_compact
from duckpress.fonts.typeface import Typeface

__all__ = [
    "FIGURES",
    "SMALL_CAPS",
    "SPACED_FEATURES",
    "USUAL_FEATURES",
    "WEIGHTS",
    "FontFile",
    "FontLibrary",
    "Typeface",
    "read_compact",
    "tj_body",
    "tj_number",
]
