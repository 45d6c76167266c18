"""The fonts of words in SVG files: the first family of a list that is there; letters that it lacks, others lend.

Generic families are those that come with the program, which is noted once for a file.
"""

from __future__ import annotations

from duckpress.art.attribute_values import parse_number
from duckpress.art.bad_art import UndrawnArt
from duckpress.art.svg.svg_file import Complaints
from duckpress.art.svg.svg_reader import SvgNode
from duckpress.fonts import WEIGHTS, FontLibrary, Typeface

_GENERIC = {
    "serif": "Gloock", "sans-serif": "Alegreya Sans", "sans": "Alegreya Sans", "system-ui": "Alegreya Sans",
    "ui-sans-serif": "Alegreya Sans", "cursive": "Patrick Hand", "fantasy": "Grenze Gotisch", "emoji": "Noto Emoji",
}  # fmt: skip
# The letters of the one are those of the other, which went on from it.
_SAME = {"bitstream vera sans": "dejavu sans", "vera sans": "dejavu sans"}
_NAMED_WEIGHTS = {"normal": 400, "bold": 700, "bolder": 700, "lighter": 300}


class SvgFonts:
    """Finds the typefaces of one file's words."""

    def __init__(self, library: FontLibrary | None, complaints: Complaints) -> None:
        self._library = library
        self._complaints = complaints
        self._found: dict[tuple[str, str, str], Typeface] = {}

    def typeface(self, part: SvgNode, style: dict[str, str]) -> Typeface:
        """Return the typeface that a style asks for; raises `UndrawnArt`."""
        key = style["font-family"], style["font-weight"], style["font-style"]
        if key not in self._found:
            self._found[key] = self._find(part, *key)
        return self._found[key]

    def lender(self, typeface: Typeface, style: dict[str, str], letter: str) -> Typeface:
        """Return a typeface that has a letter, this one before others; raises `UndrawnArt`."""
        if typeface.covers(letter):
            return typeface
        weight, is_italic = _weight(style["font-weight"]), _is_italic(style["font-style"])
        for are_others in (False, True):
            for other in self._library.fallbacks(weight, is_italic, are_others=are_others) if self._library else ():
                if other.covers(letter):
                    return other
        raise UndrawnArt(f"the letter {letter!r}, which no font has,")

    def _find(self, part: SvgNode, families: str, weight: str, lean: str) -> Typeface:
        library = self._library
        names = [name.strip().strip("'\"").strip() for name in families.split(",")]
        if library is not None:
            known = {name.lower(): name for name in library.families}
            for name in names:
                generic = _GENERIC.get(name.lower())
                family = known.get(_SAME.get(name.lower(), name.lower())) or generic
                typeface = library.typeface(family, _weight(weight), _is_italic(lean)) if family else None
                if typeface is None:
                    continue
                if family == generic:
                    what = f"the words in {name!r} of an SVG file are printed in {family!r}"
                    self._complaints.note("svg-font", part, what, "name a family of fonts/ in the file's font-family")
                return typeface
        raise UndrawnArt(f"text in the font {names[0][:40]!r}, which is not in fonts/,")


def _weight(text: str) -> str:
    """Return the name of a weight that comes nearest to a number or a name of CSS."""
    wanted = _NAMED_WEIGHTS.get(text.strip(), parse_number(text) or 400)
    return min(WEIGHTS, key=lambda name: abs(WEIGHTS[name] - wanted))


def _is_italic(text: str) -> bool:
    return text.strip().startswith(("italic", "oblique"))
