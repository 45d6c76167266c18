"""The input and output of a typesetter: styles, icons, fitted boxes and single lines."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from duckpress.core.frame import Item
from duckpress.core.geometry import Matrix, Rect

Use = tuple[str, ...]
"""What a text or a face is made of besides its words: a kind, and what was asked of it."""

FONT = "font"  # family, weight, "italic" or "upright"
FALLBACKS = "fallbacks"  # weight, "italic" or "upright": some letter was not in the font itself
OTHERS = "others"  # the same: some letter was not in the fallbacks either


class TextStyle(NamedTuple):
    """The settings of a text.

    `weight` is a name of `fonts.WEIGHTS`; `align` is left, center, right or justify; `caps` is none, upper or small;
    `leading` is from baseline to baseline in type sizes; `tracking` is added between letters, in thousandths of an em;
    `figures` is a name of `fonts.FIGURES`.
    """

    family: str
    weight: str = "regular"
    is_italic: bool = False
    size_pt: float = 9.0
    min_pt: float = 7.0
    leading: float = 1.2
    align: str = "left"
    colour: str = "#000000"
    is_hyphenated: bool = False
    tracking: float = 0.0
    caps: str = "none"
    figures: str = "own"


class IconGlyph(Struct, frozen=True):
    """A drawing within a line, like a letter: its key and its box in its own coordinates."""

    key: str
    box: Rect

    @property
    def aspect(self) -> float:
        return self.box.width_mm / self.box.height_mm if self.box.height_mm > 0 else 1.0

    def matrix(self, x_mm: float, top_mm: float, height_mm: float) -> Matrix:
        """Return the matrix that places the drawing at a height."""
        scale = height_mm / self.box.height_mm if self.box.height_mm > 0 else 1.0
        scale = (scale * 1e6 + 0.5) // 1 / 1e6  # places and scales to as many digits as they are seen with
        e = ((x_mm - self.box.x_mm * scale) * 1e4 + 0.5) // 1 / 1e4
        f = ((top_mm - self.box.y_mm * scale) * 1e4 + 0.5) // 1 / 1e4
        return Matrix(scale, 0.0, 0.0, scale, e, f)


def in_words(missing_glyphs: tuple[str, ...]) -> str:
    """Return missing glyphs in words: the character and its number, as in `'☃' (U+2603)`."""
    return ", ".join(f"{glyph[0]!r} (U+{ord(glyph[0]):04X}){glyph[1:]}" for glyph in missing_glyphs)


class WordFaults(Struct, frozen=True, kw_only=True):
    """The problems of the words in a set text.

    `over_words` are the words wider than the box or the column. Missing glyphs are characters that no font draws, in
    order of appearance, with words behind each for which a damaged font should. `lost` says in words where letters are
    not drawn for no such reason, which is the program's own fault.
    """

    over_words: tuple[str, ...] = ()
    missing_glyphs: tuple[str, ...] = ()
    unknown_icons: tuple[str, ...] = ()
    unknown_fields: tuple[str, ...] = ()
    needs_dictionary: bool = False
    lost: str = ""

    @property
    def missing_words(self) -> str:
        return in_words(self.missing_glyphs)


class Fitted(WordFaults, frozen=True):
    """A text set into a box; `over_mm` is how far it is too high or too wide at its smallest size.

    `fits_pt` is then the largest size at which it would fit, None where it fits at no size that can be printed.
    """

    items: tuple[Item, ...]
    size_pt: float
    height_mm: float
    over_mm: float = 0.0
    fits_pt: float | None = None
    line_count: int = 0


class SetLine(Struct, frozen=True):
    """A line on the baseline 0, from x 0 on; `gap_mm` is the additional space above it, before a paragraph."""

    items: tuple[Item, ...]
    width_mm: float
    gap_mm: float


class SetText(WordFaults, frozen=True):
    """A text set into an endless column, line by line, `leading_mm` from baseline to baseline.

    Letters reach from `ascent_mm` above the baseline to `descent_mm` under it.
    """

    lines: tuple[SetLine, ...]
    leading_mm: float
    ascent_mm: float
    descent_mm: float

    @property
    def baseline_mm(self) -> float:
        """The distance of a baseline from the top of its line."""
        return (self.leading_mm - self.ascent_mm - self.descent_mm) / 2 + self.ascent_mm


class TextLine(NamedTuple):
    """One unbroken line, with the left end of its baseline at the origin."""

    items: tuple[Item, ...]
    width_mm: float
    cap_height_mm: float
    missing_glyphs: tuple[str, ...] = ()
