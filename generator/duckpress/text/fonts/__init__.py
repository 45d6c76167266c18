"""Font files -> measured words: `FontLibrary` finds families, a `Typeface` shapes words and makes subsets."""

from duckpress.text.fonts.font_files import FontFile
from duckpress.text.fonts.glyphs import FIGURES, SMALL_CAPS, SPACED_FEATURES, USUAL_FEATURES, tj_body, tj_number
from duckpress.text.fonts.library import WEIGHTS, FontLibrary
from duckpress.text.fonts.opentype import read_compact
from duckpress.text.fonts.typeface import Typeface
