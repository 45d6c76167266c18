"""The segments of words, shaped once for each setting (typeface, spacing, capitals, fallback fonts).

Everything is measured in em, the type size: trying another size is arithmetic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

from duckpress.core.geometry import added
from duckpress.text import letters
from duckpress.text.fonts import FIGURES, SMALL_CAPS, SPACED_FEATURES, USUAL_FEATURES, Typeface, tj_number
from duckpress.text.markup import NARROW, NO_BREAK
from duckpress.text.styles import IconGlyph, TextStyle


class ScaledFont:
    """A font at a share of the text's size; consecutive pieces of one pen form a run."""

    __slots__ = ("key", "scale")

    def __init__(self, key: str, scale: float) -> None:
        self.key = key
        self.scale = scale


class GlyphPiece(NamedTuple):
    """Glyphs of one font, or an icon (its `IconGlyph` is the pen); lengths in em, y growing upwards.

    Glyphs stand from left to right, the text as it is read: with an odd level they go against each other. Marks may
    stand on a line of their own, `rise` above that of the text.
    """

    pen: ScaledFont | IconGlyph
    glyphs: str
    text: str
    width: float
    top: float = 0.0
    bottom: float = 0.0
    level: int = 0
    rise: float = 0.0


PenOf = Callable[[str, float], ScaledFont]


BLANKS = (" ", NO_BREAK)
"""The spaces that a justified line opens, all alike; all others are as wide as they are."""

# The narrow no-break space of a typeface without one: a share of its space between words, so that a sign stands nearer
# to its own word than to the next, and never so little that it cannot be seen. By eye.
NARROW_SHARE = 0.65
NARROWEST_EM = 0.1


# Capitals standing in for small capitals a font lacks: a little more than its x-height, as drawn ones have it. By eye.
SMALL_CAPITAL_SCALE = 0.8

_AT_BLANKS = re.compile(f"({NO_BREAK})")  # which a justified line opens

STICKS_LEFT = 1
STICKS_RIGHT = 2
HAS_MISSING = 4
HAS_SOFT_HYPHEN = 8
NEEDS_DICTIONARY = 16


class Segment(NamedTuple):
    """A part of a line that only hyphenation may break; `notes` is a sum of flags such as STICKS_LEFT.

    `raw` is its text with soft hyphens; `glyphs` those of its piece, where it is one.
    """

    width: float
    pieces: tuple[GlyphPiece, ...]
    raw: str
    notes: int
    shaper: Shaper
    glyphs: str


def _draws_as_one(typeface: Typeface, letter: str, visible: str) -> bool:
    run, first = typeface.shape(letter), typeface.shape(letter[0])
    return typeface.covers(visible) and run.length == 1 and run.glyphs != first.glyphs


class Shaper:
    """The words of one typeface (and of its fallbacks), measured in em and ready for drawing."""

    def __init__(
        self,
        typeface: Typeface | None,
        fallbacks: Callable[[], Iterator[Typeface]],
        pen: PenOf,
        language: str,
        style: TextStyle,
        level: int = 0,
    ) -> None:
        """Take the typeface, the function that loads its fallbacks on demand, and the maker of pens.

        Of the style, tracking, capitals, figures and whether it is justified count. With an odd level all is written
        from right to left.
        """
        self._own = typeface or next(fallbacks(), None)
        self._fallbacks = fallbacks
        self._pen = pen
        self._language = language
        self._tracking = style.tracking
        self._caps = style.caps
        self._is_justified = style.align == "justify"
        self._features = (SPACED_FEATURES if style.tracking else USUAL_FEATURES) + FIGURES[style.figures]
        self._level = level
        self._table: dict[str, tuple[Segment, ...]] = {}
        # The words drawn as one piece in the shaper's own font, with nothing to note: most words are, and lines of
        # them are put together without looking at each.
        self.simple: dict[str, Segment] = {}
        self._segments: dict[str, Segment] = {}
        self._has_smcp: dict[str, bool] = {}
        self._drawn_by: dict[str, Typeface | None] = {}
        self.missing: dict[str, tuple[str, ...]] = {}
        first = self._own
        em = first.units_per_em if first else 1
        self.letter_top: float = first.letter_top / em if first else 0.75
        self.letter_bottom: float = first.letter_bottom / em if first else -0.22
        self.cap_height: float = first.cap_height / em if first else 0.7
        self.space: GlyphPiece = self._space(" ")
        hyphens = [piece for sign in ("-", "\u2010") for piece in self.segment(sign).pieces[:1]]
        hyphen = hyphens[0] if hyphens else GlyphPiece(pen("", 1.0), "", "", 0.0, level=level)
        self.hyphen: GlyphPiece = hyphen._replace(text=letters.SOFT_HYPHEN)

    def words(self, chunk: str) -> tuple[Segment, ...]:
        """Return the segments of a chunk of text without spaces; a line may end between segments."""
        segments = self._table.get(chunk)
        if segments is None:
            segments = self._table[chunk] = self._cut(chunk)
            first = segments[0] if len(segments) == 1 else None
            if first and not first.notes and len(first.pieces) == 1:
                piece = first.pieces[0]
                is_own = piece.pen is self.space.pen and not piece.rise
                if is_own and piece.text == first.raw and self.space.glyphs:
                    self.simple[chunk] = first
        return segments

    def without_missing(self, text: str) -> str:
        """Return a text as drawn: without the letters that no font has, and without control characters."""
        shown = letters.CONTROLS.sub("", text).replace(letters.SOFT_HYPHEN, "").replace(letters.ZERO_WIDTH_SPACE, "")
        clustered = letters.clusters(letters.in_one_colour(shown))
        return "".join(letter for letter in clustered if self._typeface_of(letter) or letter in letters.SPACE_WIDTHS)

    def segment(self, text: str) -> Segment:
        """Return a text that does not break; its capitals are already converted."""
        segment = self._segments.get(text)
        if segment is None:
            segment = self._segments[text] = self._measured(text)
        return segment

    def _cut(self, chunk: str) -> tuple[Segment, ...]:
        word = letters.CONTROLS.sub("", chunk)
        if self._caps == "upper":
            word = letters.upper(word, self._language)
        parts = letters.BREAKS.split(word) if letters.MAY_BREAK.search(word) else [word]
        if not word.isascii() and letters.EAST_ASIAN.search(word):
            parts = list(chain.from_iterable(map(letters.east_asian_parts, parts)))
        known = tuple(map(self._segments.get, parts))
        return known if all(known) else tuple(self.segment(part) for part in parts if part)  # type: ignore[return-value]

    def _measured(self, raw: str) -> Segment:
        text = letters.in_one_colour(raw.replace(letters.SOFT_HYPHEN, "").replace(letters.ZERO_WIDTH_SPACE, ""))
        missing: list[str] = []
        pieces: list[GlyphPiece] = []
        for typeface, part in self._by_typeface(text, missing):
            pieces += self._pieces(typeface, part)
            if typeface is not None and typeface.undrawn:
                shown = part + letters.upper(part, self._language) if self._caps == "small" else part
                fault = f", for which {typeface.origin} draws nothing: the file is damaged"
                missing += [letter + fault for letter in shown if letter in typeface.undrawn]
        notes = HAS_SOFT_HYPHEN if letters.SOFT_HYPHEN in raw else 0
        if missing:
            notes |= HAS_MISSING
            self.missing[raw] = tuple(missing)
        if not text.isascii() and letters.WITHOUT_SPACES.search(text):
            notes |= NEEDS_DICTIONARY
        if text and letters.CLOSING.issuperset(text):
            notes |= STICKS_LEFT
        elif text and letters.OPENING.issuperset(text):
            notes |= STICKS_RIGHT
        glyphs = pieces[0].glyphs if len(pieces) == 1 else ""
        return Segment(added(piece.width for piece in pieces), tuple(pieces), raw, notes, self, glyphs)

    def _by_typeface(self, text: str, missing: list[str]) -> list[tuple[Typeface | None, str]]:
        """Cut a text by the first typeface that has each letter (None for a space in no typeface)."""
        if self._is_justified and NO_BREAK in text and text != NO_BREAK:
            return [part for own in _AT_BLANKS.split(text) if own for part in self._by_typeface(own, missing)]
        if self._level and len(scripts := {letters.script_of(letter) for letter in text} - {""}) > 1:
            return [part for own in letters.by_script(text, scripts) for part in self._by_typeface(own, missing)]
        if self._own is not None and self._own.covers(text):
            return [(self._own, text)] if text else []
        parts: list[tuple[Typeface | None, str]] = []
        clustered = letters.clusters(text)
        if clustered[:1] == [letters.JOINER]:
            clustered[:2] = ["".join(clustered[:2])]
        for letter in clustered:
            typeface = self._typeface_of(letter)
            if typeface is None and letter not in letters.SPACE_WIDTHS:
                missing += self._lacking(letter)
            elif parts and typeface is not None and parts[-1][0] is typeface:
                parts[-1] = (typeface, parts[-1][1] + letter)
            else:
                if parts and letters.is_joined_to(parts[-1][1], letter):
                    parts[-1], letter = (parts[-1][0], parts[-1][1] + letters.JOINER), letters.JOINER + letter
                parts.append((typeface, letter))
        return parts

    def _lacking(self, letter: str) -> list[str]:
        """Return the characters of a letter with its marks that no font has, each in words.

        That is all of it where no single one has all of it; one for an emoji of several characters.
        """
        shown = [character for character in letter if not letters.is_invisible(character)]
        if len(letter) > 1 and letters.EMOJI.fullmatch(letter):
            shown = [f"{letter[0]}, the first of {len(letter)} characters that no font draws as one"]
        alone = [one for one in shown if not any(typeface.covers(one) for typeface in self._all_faces())]
        return alone or shown

    def _typeface_of(self, letter: str) -> Typeface | None:
        if letter not in self._drawn_by:
            visible = "".join(character for character in letter if not letters.is_invisible(character))
            if letters.is_joined(letter):
                fonts = (face for face in self._all_faces() if _draws_as_one(face, letter, visible))
                self._drawn_by[letter] = next(fonts, None)
            elif self._own is None or self._own.covers(visible):
                self._drawn_by[letter] = self._own
            elif letter in letters.SPACE_WIDTHS:  # made from the own space rather than borrowed from another's
                self._drawn_by[letter] = None
            else:
                fonts = (typeface for typeface in self._fallbacks() if typeface.covers(visible))
                self._drawn_by[letter] = next(fonts, None)
        return self._drawn_by[letter]

    def _all_faces(self) -> Iterator[Typeface]:
        if self._own is not None:
            yield self._own
        yield from self._fallbacks()

    def _pieces(self, typeface: Typeface | None, text: str) -> list[GlyphPiece]:
        if typeface is None or (self._is_justified and text == NO_BREAK):
            return [self._space(text)] if self._own else []
        if self._caps != "small":
            return self._shaped(typeface, text, 1.0)
        if typeface.key not in self._has_smcp:
            self._has_smcp[typeface.key] = typeface.has_feature("smcp")
        if self._has_smcp[typeface.key]:
            return self._shaped(typeface, text, 1.0, is_small=True)
        pieces: list[GlyphPiece] = []
        for is_small, run in letters.case_runs(text):
            shown = letters.upper(run, self._language) if is_small else run
            if typeface.covers("".join(c for c in shown if not letters.is_invisible(c))):
                pieces += self._shaped(typeface, shown, SMALL_CAPITAL_SCALE if is_small else 1.0)
            else:
                pieces += self._shaped(typeface, run, 1.0)
        return pieces

    def _shaped(self, typeface: Typeface, text: str, scale: float, is_small: bool = False) -> list[GlyphPiece]:
        features = self._features + SMALL_CAPS if is_small else self._features
        em = typeface.units_per_em / scale
        pen = self._pen(typeface.key, scale)
        if self._level:
            runs = typeface.shape_ordered(
                text, features, self._tracking, self._language, is_turned=self._level & 1 == 1
            )
            return [
                GlyphPiece(
                    pen, run.glyphs, said, run.width / em, (run.top + rise) / em, (run.bottom + rise) / em, self._level,
                    rise / em,
                )
                for run, rise, said in runs
            ]  # fmt: skip
        run = typeface.shape(text, features, self._tracking, self._language)
        if not run.glyphs:
            return []
        return [GlyphPiece(pen, run.glyphs, text, run.width / em, run.top / em, run.bottom / em)]

    def _space(self, space: str) -> GlyphPiece:
        """Return a space in the typeface, drawn as its plain space and moved to the right width.

        The no-break space is drawn with its own glyph where there is one. A narrow one for a typeface without such is a
        part of its space, drawn with an empty glyph of its own: one of another font alone in its text would be lost
        when the text is copied.
        """
        own, tracking, glyphs = self._own, self._tracking / 1000, ""
        has_space = own is not None and own.covers(" ")
        if own is None or not (has_space or space == NARROW):
            width = letters.SPACE_WIDTHS.get(space) or 0.25
            return GlyphPiece(self._pen(own.key if own else "", 1.0), "", space, width, level=self._level)
        if space == NARROW:
            word_space = own.advances([own.glyph(" ")])[0] / 1000 if has_space else NARROWEST_EM
            width = max(NARROWEST_EM, min(letters.SPACE_WIDTHS[NARROW] or 0.0, NARROW_SHARE * word_space)) + tracking
            glyph = own.narrow_space
            glyphs = f"{glyph:04X}{tj_number(own.advances([glyph])[0] - width * 1000)}" if glyph else ""
        else:
            drawn = space if space == NO_BREAK and own.covers(space) else " "
            glyph = own.glyph(drawn)
            own_width = own.advances([glyph])[0] / 1000
            usual = letters.SPACE_WIDTHS.get(space)
            if usual is None:
                like = drawn if space in BLANKS else letters.SPACE_AS_WIDE_AS.get(space, " ")
                shaped = own.shape(like, language=self._language) if own.covers(like) else None
                usual = shaped.width / own.units_per_em if shaped else own_width
            width = usual + tracking
            glyphs = f"{glyph:04X}{tj_number((own_width - width) * 1000)}"
        return GlyphPiece(self._pen(own.key, 1.0), glyphs, space, width, level=self._level)
