"""Font files measured anew: words shaped a second time, to be held against the runs of a text. Lengths are in em."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from math import fsum

import uharfbuzz as hb

from duckpress.core.frame import Text
from duckpress.text import TextStyle
from duckpress.text.fonts import WEIGHTS, FontLibrary, Typeface
from oracle.frame_check.asked_values import SLIP_MM, WrongFrame
from oracle.reading.pages import TURNED, first_way

# Of a text with one of these, parts may have been shaped by themselves, or spaces been made up.
_APART = re.compile(
    "[-\u00ad\u2000-\u2015\u202f\u205f\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uffe6\U00020000-\U0003fffd/]"
)
_TURNED_MARK = "\u200f"  # before a word that is drawn from right to left
_HELD = re.compile("[\u0600-\u077f\u07c0-\u07ff\u0840-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")  # not to be spaced out
_JOINING = ("liga", "clig", "calt")  # not where letters are spaced out
_FIGURES = {"own": [], "lining": ["lnum"], "tabular": ["lnum", "tnum"], "old-style": ["onum"]}
_MARKS = re.compile(
    "[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0730-\u074a]"
)  # may be runs of their own
_NO_BREAK = "\u00a0"
_SPACE = re.compile(" ")
_BLANK = re.compile(f"[ {_NO_BREAK}]")  # which justified lines open, all alike
_LONGEST = 1000  # letters that are shaped at once


class Measures(dict[str, str]):
    """The words of one font, one style's tracking and features and one language: their glyphs as in a `TJ` array."""

    def __init__(self, typeface: Typeface, style: TextStyle, language: str) -> None:
        super().__init__({"": ""})
        face = hb.Face(typeface.file.data)
        self._font, self._em = typeface.file.font(face), face.upem
        tracking = style.tracking
        features = [("kern", True), *((name, not tracking) for name in _JOINING), ("dlig", False)]
        features += [(name, True) for name in _FIGURES[style.figures]]
        features += [("smcp", True)] if style.caps == "small" and typeface.has_feature("smcp") else []
        self._features, self._runs = dict(features), typeface.runs(tuple(features), tracking, language)
        self._looked_at = 0  # words of those
        self._tracking, self._language = tracking / 1000, language
        self._widths, self._inks = {"": 0.0}, {"": (0.0, 0.0)}
        self._raised: set[str] = set()  # words of which a mark does not stand on the line
        self.codes = frozenset(face.unicodes)
        self.has_space = 32 in self.codes
        self.letter_top = self._ink(map(self._nominal, "bdfhklHT"))[0] or 0.75
        self.letter_bottom = self._ink(map(self._nominal, "gjpqy"))[1] or -0.22
        self.cap_height = self._ink(map(self._nominal, "H"))[0] or 0.7
        self._blanks = {" ": f"{self._nominal(' '):04X}"}
        self._blanks[_NO_BREAK] = f"{self._nominal(_NO_BREAK) or self._nominal(' '):04X}"

    def __missing__(self, text: str) -> str:
        buffer = hb.Buffer()
        word = text.removeprefix(_TURNED_MARK)
        is_apart = text == word or _HELD.search(word) is None
        buffer.add_str(word)
        buffer.language = self._language
        buffer.guess_segment_properties()
        buffer.direction = "ltr" if text == word else "rtl"
        buffer.flags = hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES
        hb.shape(self._font, buffer, self._features)
        glyphs = [info.codepoint for info in buffer.glyph_infos or ()]
        written, pen, end = "", 0.0, 0.0  # where the pen would be, where it has to be
        for glyph, position in zip(glyphs, buffer.glyph_positions or (), strict=True):
            written += _moved(pen - end - position.x_offset / self._em) + f"{glyph:04X}"
            pen = end + position.x_offset / self._em + self._advance(glyph)
            end += position.x_advance / self._em + (self._tracking if is_apart else 0.0)
            if position.y_offset:
                self._raised.add(text)
        end += 0.0 if is_apart else self._tracking
        self._widths[text], self._inks[text] = end, self._ink(glyphs)
        self[text] = written + _moved(pen - end)
        return self[text]

    def check(
        self, item: Text, size_mm: float, *, may_turn: bool = False, is_turned: bool = False, is_part: bool = False
    ) -> None:
        """Raise `WrongFrame` where a run is not drawn as its words have to be, or not as wide as it says.

        `size_mm` is that of the text, in which small capitals are smaller. What has no letter goes the way of its
        neighbours, where some of them are turned: to the right or to the left. Of a part of a word only
        the width counts.
        """
        way = first_way(item.text) if may_turn else "L"
        words: list[str] = []
        for blank in (_SPACE, _BLANK):  # a no-break space may have been shaped with its words
            words, blanks = blank.split(item.text), [self._blanks[one] for one in blank.findall(item.text)]
            if way == "R" or is_turned:
                words, blanks = [f"{_TURNED_MARK}{word}" for word in reversed(words)], blanks[::-1]
            opened = self._opened(words, blanks, item.glyphs)
            if opened is not None:
                wide = fsum(map(self._widths.__getitem__, words)) - len(blanks) * opened
                self._check_width(item, wide + fsum(self._advance(int(one, 16)) for one in blanks), size_mm)
                return
        if not way and not is_turned and not is_part:
            self.check(item, size_mm, may_turn=True, is_turned=True)
            return
        self._check_glyphs(item, size_mm, is_raised=is_part or not self._raised.isdisjoint(words))

    def _opened(self, words: Sequence[str], blanks: Sequence[str], drawn: str) -> float | None:
        """Return by how much each blank is narrower than in its font; None where words are not drawn so."""
        glyphs = self._joined(words, blanks, _moved(-self._tracking))
        if f"<{glyphs}>" == drawn or _trimmed(glyphs) == drawn:
            return -self._tracking
        head = _trimmed(self[words[0]] + blanks[0])[:-1] if blanks else ""
        move = drawn[len(head) :].partition(">")[2].partition("<")[0] if head and drawn.startswith(head) else ""
        is_so = bool(move) and _trimmed(self._joined(words, blanks, f">{move}<")) == drawn
        return float(move) / 1000 if is_so else None

    def _joined(self, words: Sequence[str], blanks: Sequence[str], move: str) -> str:
        return "".join(self[word] + blank + move for word, blank in zip(words, blanks, strict=False)) + self[words[-1]]

    def check_words(self) -> None:
        """Raise `WrongFrame` where a word that was shaped since this was asked last is not as the font asks for."""
        if len(self._runs) > self._looked_at:
            for text, run in islice(self._runs.items(), self._looked_at, None):
                if len(text) < _LONGEST and self[text] != run.glyphs:
                    raise WrongFrame(f"the word {text[:40]!r} is not drawn as its font asks for")
            self._looked_at = len(self._runs)

    def ink(self, item: Text) -> tuple[float, float]:
        """Return how far a run that was checked reaches above and below its baseline, in millimetres."""
        is_whole = item.text.isascii() or not (_APART.search(item.text) or TURNED.search(item.text))
        codes = "" if is_whole else "".join(item.glyphs.replace(">", "<").split("<")[1::2])
        inks = [self._ink(_numbers(codes)), *map(self._inks.get, item.text.split(" ") + _BLANK.split(item.text))]
        tops, bottoms = zip(*filter(None, inks), strict=True)
        return max(tops) * item.size_mm, min(bottoms) * item.size_mm

    def _check_glyphs(self, item: Text, size_mm: float, *, is_raised: bool) -> None:
        """Check a run that is not made of words and equal spaces alone."""
        is_whole = bool(item.text) and not (_APART.search(item.text) or is_raised or _MARKS.search(item.text))
        if self.has_space and len(item.text) < _LONGEST and is_whole:
            raise WrongFrame(f"{item.text!r} is not drawn as its font asks for")
        parts = item.glyphs.replace(">", "<").split("<")
        if self.has_space:
            moves = fsum(map(float, filter(None, parts[::2])))
            wide = fsum(map(self._advance, _numbers("".join(parts[1::2])))) - moves / 1000
            self._check_width(item, wide, size_mm)

    def _check_width(self, item: Text, wide: float, size_mm: float) -> None:
        wide_mm = wide * item.size_mm - self._tracking * size_mm
        if not -SLIP_MM < wide_mm - item.width_mm < SLIP_MM:
            raise WrongFrame(f"{item.text!r} is drawn {wide_mm:.2f} mm wide, not {item.width_mm:.2f} mm")

    def _nominal(self, letter: str) -> int:
        return self._font.get_nominal_glyph(ord(letter)) or 0

    def _advance(self, glyph: int) -> float:
        return float(self._font.get_glyph_h_advance(glyph) / self._em)

    def _ink(self, glyphs: Iterable[int]) -> tuple[float, float]:
        """Return how far glyphs reach above and below the baseline; 0 where they do not."""
        tops, bottoms = [0.0], [0.0]
        for glyph in filter(None, glyphs):
            extents = self._font.get_glyph_extents(glyph)
            if extents:
                tops.append(extents.y_bearing / self._em)
                bottoms.append((extents.y_bearing + extents.height) / self._em)
        return max(tops), min(bottoms)


def _moved(em: float) -> str:
    """Return the number between glyphs that moves the pen so far to the left; nothing where it would not be seen."""
    number = f"{em * 1000:.3f}".rstrip("0").rstrip(".") if abs(em) >= 5e-7 else ""
    return f">{number}<" if number else ""


def _trimmed(glyphs: str) -> str:
    return f"<{glyphs}>".removeprefix("<>").removesuffix("<>")


def _numbers(codes: str) -> list[int]:
    return [int(codes[at : at + 4], 16) for at in range(0, len(codes), 4)]


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
        return self.measures(typeface.key, style).codes.issuperset(map(ord, text.replace("\u00ad", "-")))
