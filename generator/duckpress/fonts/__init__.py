"""Font files -> measured words: `FontLibrary` finds families, a `Typeface` shapes words and makes subsets."""

from duckpress.fonts.compact import read_compact
from duckpress.fonts.features import FIGURES, SMALL_CAPS, SPACED_FEATURES, USUAL_FEATURES
from duckpress.fonts.font_families import WEIGHTS
from duckpress.fonts.glyphs import tj_body, tj_number
from duckpress.fonts.instances import FontFile
from duckpress.fonts.library import FontLibrary
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
