"""One font file in use: its measures, the glyphs of words (each word shaped once, with HarfBuzz), and its subsets.

Lengths are in font units (`units_per_em` to the type size), y growing upwards, unless a name says otherwise. Glyphs
go by the font's own numbers, which subsets keep: what is drawn does not depend on what else the PDF holds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property, partial
from itertools import groupby
from typing import Any

import uharfbuzz as hb

from duckpress.core.geometry import Matrix
from duckpress.core.paths import Path, PathBuilder
from duckpress.core.problems import NOWHERE, Problem, Source, UnusableContent
from duckpress.core.units import added
from duckpress.fonts.compact import read_compact
from duckpress.fonts.glyphs import GlyphRun, RaisedRun, write_run
from duckpress.fonts.instances import FontFile, name_of
from duckpress.fonts.opentype import read_figures

Features = tuple[tuple[str, bool], ...]

# Discretionary ligatures ("st", "ct") are for titles set by hand; the rest is what any reader expects.
USUAL_FEATURES: Features = (("kern", True), ("liga", True), ("clig", True), ("calt", True), ("dlig", False))
# Spaced-out letters must not be joined. Source: CSS Text 3, letter-spacing.
SPACED_FEATURES: Features = (("kern", True), ("liga", False), ("clig", False), ("calt", False), ("dlig", False))
SMALL_CAPS: Features = (("smcp", True),)
FIGURES: dict[str, Features] = {
    "own": (),
    "lining": (("lnum", True),),
    "tabular": (("lnum", True), ("tnum", True)),
    "old-style": (("onum", True),),
}
"""By how a style has its figures; a font without a feature keeps its own."""

_JOINER = "\u200d"
_NARROW = "\u202f"
_EMPTY_GLYPHS = ("nonmarkingreturn", "CR", "uni000D", ".null", "NULL", "uni0000")
# The presentation forms of ligatures, and of Hebrew and Arabic letters: they copy as the letters they join.
_KEPT_AS_LETTERS = frozenset((*range(0xFB00, 0xFB07), *range(0xFB1D, 0xFDFE), *range(0xFE70, 0xFEFD)))
_ASCENDING_LETTERS = "bdfhklHT"
_DESCENDING_LETTERS = "gjpqy"
# What a character map may name and no text can hold: surrogates, controls, what is no character.
_NO_LETTERS = frozenset((*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF))
_EMPTY_LETTERS = "\u2800\ufffc"  # signs that show nothing: the Braille pattern without dots, what stands for a picture
_TOKEN = re.compile(r"<([0-9A-F]*)>|(-?[0-9.]+)")
_LONGEST_WORD = 1_000  # letters shaped at once: a font may make sixty-four glyphs of each
_LONGEST_NAME = 63  # letters; source: OpenType, table `name`, PostScript name
_HELD_LETTERS = re.compile("[\u0600-\u077f\u07c0-\u07ff\u0840-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")  # by their neighbours
_TURNED = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]")
_NO_TABLES = ("GSUB", "GPOS", "GDEF", "BASE", "STAT", "DSIG", "name", "post", "OS/2", "kern", "gasp", "meta", "FFTM")


class Typeface:
    """A font file that may be embedded, measured on demand."""

    def __init__(self, data: bytes, pins: tuple[tuple[str, float], ...] = ()) -> None:
        """Take the bytes of a font and its axes' values; `load_typeface` refuses those that cannot be used."""
        self.file = FontFile(data, pins)
        self._face = hb.Face(data)
        self._font = self.file.font(self._face)
        self.postscript_name = _clean_name(name_of(self._face, pins))
        self.key = f"{self.postscript_name}-{self.file.digest()[:8]}"
        self.is_compact = "glyf" not in self._face.table_tags
        """Whether its outlines are those of PostScript (CFF)."""
        self.units_per_em: int = self._face.upem
        self.glyph_length: int = self._face.glyph_count
        self.codes: frozenset[int] = frozenset(self._face.unicodes) - _NO_LETTERS
        self.figures = read_figures(lambda tag: bytes(self._face.reference_table(tag).data))
        self._advance: Callable[[int], int] = cache(self._font.get_glyph_h_advance)
        self._outline: Callable[[int], Path] = cache(self.outline)
        self._ink = cache(partial(_ink_of, self._font))
        extents = self._font.get_font_extents("ltr")
        self.ascent: int = extents.ascender
        self.descent: int = extents.descender
        self.cap_height = self._tallest("H") or 0.7 * self.units_per_em
        # Where plain letters end, as drawn: makers set `ascent` and `descent` by very different rules.
        self.letter_top = self._tallest(_ASCENDING_LETTERS) or 0.75 * self.units_per_em
        self.letter_bottom = self._deepest(_DESCENDING_LETTERS) or -0.22 * self.units_per_em
        self.origin = self.postscript_name
        """The file and the family it was loaded for, in words; set by who loads it."""
        self.source: Source = NOWHERE
        """Where the family names the file; set by who loads it."""
        self.undrawn: dict[str, None] = {}
        """The letters met so far for which the font has a glyph and no outline, though they should be seen."""
        self._looked_at: set[str] = set()
        self._runs: dict[tuple[Features, float, str], dict[str, GlyphRun]] = {}
        self._ordered_runs: dict[tuple[str, Features, float, str, bool], tuple[RaisedRun, ...]] = {}
        self._seen: dict[int, str] = {}

    @property
    def version(self) -> str:
        """The version that the font states of itself, such as `2.004`; empty where it states none."""
        stated = self._face.get_name(hb.OTNameIdPredefined.VERSION_STRING) or ""
        plain = "".join(letter for letter in stated[:200] if letter.isprintable())
        return plain.partition(";")[0].removeprefix("Version").strip()

    def covers(self, text: str) -> bool:
        """Return whether the font has a glyph for every character of the text."""
        return self.codes.issuperset(map(ord, text))

    def has_feature(self, tag: str) -> bool:
        """Return whether the font substitutes glyphs under an OpenType feature, such as `smcp` for small capitals."""
        scripts = range(len(self._face.get_table_script_tags("GSUB")))
        return any(tag in self._face.get_language_feature_tags("GSUB", script) for script in scripts)

    def glyph(self, character: str) -> int:
        """Return the number of a character's plain glyph, 0 where there is none."""
        return int(self._font.get_nominal_glyph(ord(character)) or 0)

    @cached_property
    def narrow_space(self) -> int:
        """The number of a glyph that can stand for a narrow no-break space, 0 where there is none.

        It is the font's own, else an empty one that no text uses (the return that old fonts carry), which then says
        U+202F in copied text; else its no-break space, or its plain one.
        """
        unused = [self.glyph("\r"), *(int(self._font.get_glyph_from_name(name) or 0) for name in _EMPTY_GLYPHS)]
        kept = [self.glyph(space) for space in ("\u00a0", " ")]
        empty = [glyph for glyph in unused if glyph and glyph not in kept and self._ink(glyph) == (0, 0)]
        return self.glyph(_NARROW) or next((glyph for glyph in (*empty, *kept) if glyph), 0)

    def shape(
        self, text: str, features: Features = USUAL_FEATURES, tracking: float = 0.0, language: str = "en"
    ) -> GlyphRun:
        """Return a word's glyphs and advance, shaped once; `tracking` (thousandths of an em) follows every glyph.

        Marks are moved sideways where the font asks for it, never up or down: a `TJ` array cannot.
        """
        runs = self.runs(features, tracking, language)
        run = runs.get(text)
        if run is None:
            run = runs[text] = self._shape(text, features, tracking, language)
        return run

    def shape_ordered(
        self, text: str, features: Features, tracking: float, language: str, *, is_turned: bool
    ) -> tuple[RaisedRun, ...]:
        """Return a word of a line with both directions, from right to left where it `is_turned`, shaped once.

        Its parts come in the order of reading: marks that stand above or under their place in the font are parts of
        their own. Letters that hold on to each other are not spaced out; `tracking` then follows the last.
        """
        key = text, features, tracking, language, is_turned
        runs = self._ordered_runs.get(key)
        if runs is None:
            runs = self._ordered_runs[key] = self._shape_ordered(*key)
        return runs

    def runs(self, features: Features, tracking: float, language: str) -> dict[str, GlyphRun]:
        """Return all that was shaped so, to which each word is added that will be."""
        return self._runs.setdefault((features, tracking, language), {})

    def advances(self, glyphs: Iterable[int]) -> list[float]:
        """Return the widths of glyphs in thousandths of an em, as a PDF's `W` array has them."""
        return [round(self._advance(glyph) * 1000 / self.units_per_em, 4) for glyph in glyphs]

    @property
    def texts(self) -> dict[int, str]:
        """What each glyph says, by number: the font's character map, and the ligatures and variants seen so far."""
        return self._seen | self._character_map

    def text_map(self, glyphs: Iterable[int], said: Iterable[str] = (), language: str = "en") -> dict[int, str]:
        """Return what the glyphs say, for a PDF's ToUnicode map, the same whatever was shaped before.

        `said` are the texts drawn with them: where a glyph is in no character map (ligatures, small capitals) and
        was not shaped in this run of the program (a frame from a cache), their words are shaped again.
        """
        wanted = sorted(set(glyphs))
        if any(not self._character_map.get(glyph) and not self._seen.get(glyph) for glyph in wanted):
            words = sorted({word for text in said for word in text.split()})
            plain = (USUAL_FEATURES, SPACED_FEATURES, USUAL_FEATURES + SMALL_CAPS)
            for features in (*plain, *(some + figures for some in plain for figures in FIGURES.values())):
                for word in words:
                    if _TURNED.search(word):
                        self.shape_ordered(word, features, 0.0, language, is_turned=True)
                    else:
                        self.shape(word, features, language=language)
        texts = self.texts
        return {glyph: texts[glyph] for glyph in wanted if texts.get(glyph)}

    def outline(self, glyph: int) -> Path:
        """Return what a glyph draws, in font units, y growing upwards."""
        builder = PathBuilder()
        self._font.draw_glyph(glyph, _pen(), builder)
        return builder.path()

    def outlines(self, body: str, matrix: Matrix) -> Iterator[Path]:
        """Yield what the body of a `TJ` array draws, glyph by glyph; `matrix` maps ems (y growing upwards)."""
        x, scale = 0.0, 1 / self.units_per_em
        for glyphs, number in _TOKEN.findall(body):
            x -= float(number or 0) / 1000
            for at in range(0, len(glyphs), 4):
                glyph = int(glyphs[at : at + 4], 16)
                yield self._outline(glyph).mapped(matrix.after(Matrix(scale, 0.0, 0.0, scale, x, 0.0)))
                x += self._advance(glyph) * scale

    def subset(self, glyphs: Iterable[int]) -> bytes:
        """Return a TrueType file, or a bare `CFF ` table, with the outlines of these glyphs (and .notdef) alone.

        They have their own numbers, by which also a reader of PDFs finds them: without that flag, it would go by the
        CIDs of fonts that have such, and draw nothing. Those of a variable font are of its instance. Raises
        `UnusableContent` where an outline is damaged.
        """
        request = hb.SubsetInput()
        request.sets(hb.SubsetInputSets.GLYPH_INDEX).update(sorted({0, *glyphs}))
        request.sets(hb.SubsetInputSets.DROP_TABLE_TAG).update(
            int.from_bytes(t.ljust(4).encode(), "big") for t in _NO_TABLES
        )
        request.flags = hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NO_HINTING
        if self.is_compact:
            request.flags |= (
                hb.SubsetFlags.CFF_IDENTITY_CHARSET | hb.SubsetFlags.DESUBROUTINIZE | hb.SubsetFlags.DOWNGRADE_CFF2
            )
        for tag, value in self.file.pins:
            request.pin_axis_location(self._face, tag, value)
        try:
            face = hb.subset(self._face, request)
        except RuntimeError:
            face = hb.Face(b"")
        subset = bytes((face.reference_table("CFF ") if self.is_compact else face.blob).data)
        if not subset or (self.is_compact and read_compact(subset) is None):  # HarfBuzz leaves out tables it cannot cut
            what = f"the font {self.origin} is damaged: the letters in use cannot be taken out of it"
            fix = "get the whole file again, or use another font"
            raise UnusableContent(Problem("not-a-font", self.source, what, fix))
        return subset

    def _shape(self, text: str, features: Features, tracking: float, language: str) -> GlyphRun:
        if len(text) > _LONGEST_WORD:
            parts = [text[at : at + _LONGEST_WORD] for at in range(0, len(text), _LONGEST_WORD)]
            runs = [self._shape(part, features, tracking, language) for part in parts]
            glyphs, widths, lengths, tops, bottoms = zip(*runs, strict=True)
            return GlyphRun("".join(glyphs), added(widths), sum(lengths), max(tops), min(bottoms))
        infos, positions = self._glyphs_of(text, features, language)
        return write_run(infos, positions, self.units_per_em, tracking, self._advance, self._ink)

    def _shape_ordered(
        self, text: str, features: Features, tracking: float, language: str, is_turned: bool
    ) -> tuple[RaisedRun, ...]:
        parts: list[RaisedRun] = []
        is_spread = _HELD_LETTERS.search(text) is None
        for start in range(0, len(text), _LONGEST_WORD):
            part = text[start : start + _LONGEST_WORD]
            infos, positions = self._glyphs_of(part, features, language, "rtl" if is_turned else "ltr")
            said = self._said_by(part, infos)
            groups = [
                list(group) for _, group in groupby(range(len(infos)), [one.y_offset for one in positions].__getitem__)
            ]
            for places in groups[::-1] if is_turned else groups:
                words = (
                    "".join([said[at] for at in (places[::-1] if is_turned else places)]) if len(groups) > 1 else part
                )
                is_last = places is groups[-1]
                own = [infos[at] for at in places], [positions[at] for at in places]
                follows = tracking if is_spread or is_last else 0.0
                run = write_run(*own, self.units_per_em, follows, self._advance, self._ink, is_spread=is_spread)
                parts.append(RaisedRun(run, positions[places[0]].y_offset, words))
        return tuple(parts)

    def _glyphs_of(
        self, text: str, features: Features, language: str, direction: str = ""
    ) -> tuple[list[Any], list[Any]]:
        """Return what HarfBuzz makes of a text, whose direction is that of its letters where none is given."""
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.language = language  # left to guess, HarfBuzz takes the machine's
        buffer.guess_segment_properties()
        if direction:
            buffer.direction = direction
            buffer.cluster_level = hb.BufferClusterLevel.MONOTONE_CHARACTERS
        buffer.flags = hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES
        hb.shape(self._font, buffer, dict(features))
        infos, positions = buffer.glyph_infos or [], buffer.glyph_positions or []
        is_new = any(info.codepoint not in self._seen for info in infos)
        if infos and (is_new or not self._looked_at.issuperset(text)):
            self._look_at(text, infos)
        if is_new:
            self._learn(text, infos)
        return infos, positions

    def _look_at(self, text: str, infos: list[Any]) -> None:
        """Note the letters of a word for which nothing is drawn; those of a ligature have none where it has none."""
        drawn = {info.cluster for info in infos if self._is_drawn(info.codepoint)}
        for start, end in _ends_of_clusters(text, infos).items():
            if start not in drawn:
                self.undrawn |= dict.fromkeys(filter(_is_seen, text[start:end]))
        self._looked_at.update(text)

    def _learn(self, text: str, infos: list[Any]) -> None:
        for info, stands_for in zip(infos, self._said_by(text, infos), strict=True):
            if not self._seen.get(info.codepoint):
                self._seen[info.codepoint] = stands_for

    def _said_by(self, text: str, infos: list[Any]) -> list[str]:
        """Return what each glyph says: the first of a cluster all of it, but for what others say by themselves."""
        said = [""] * len(infos)
        places: dict[int, list[int]] = {}
        for at, info in enumerate(infos):
            places.setdefault(info.cluster, []).append(at)
        for start, end in _ends_of_clusters(text, infos).items():
            letters, own = text[start:end].replace(_JOINER, ""), places[start]
            if len(own) == 1:
                said[own[0]] = letters
                continue
            first = next((at for at in own if infos[at].codepoint not in self._character_map), own[0])
            for at in own:
                letter = self._character_map.get(infos[at].codepoint, "")
                if at != first and letter and letter in letters:
                    said[at], letters = letter, letters.replace(letter, "", 1)
            said[first] = letters
        return said

    @cached_property
    def _character_map(self) -> dict[int, str]:
        nominal = self._font.get_nominal_glyph
        texts: dict[int, str] = {}
        # Private characters say the least of what a glyph means.
        for code in sorted(self.codes, key=lambda code: (0xE000 <= code <= 0xF8FF or code >= 0xF0000, code)):
            character = chr(code)
            said = unicodedata.normalize("NFKC", character).strip() if code in _KEPT_AS_LETTERS else character
            texts.setdefault(nominal(code) or 0, said)
        if texts.get(self.narrow_space, "\r") in "\r\0":
            texts[self.narrow_space] = _NARROW
        texts.pop(0, None)
        return texts

    def _is_drawn(self, glyph: int) -> bool:
        """Return whether a glyph has an outline that can be drawn; what its header says does not count."""
        strokes: list[int] = []
        self._font.draw_glyph(glyph, _strokes(), strokes)
        return bool(strokes)

    def _tallest(self, letters: str) -> float:
        return max((self._ink(self.glyph(letter))[0] for letter in letters if ord(letter) in self.codes), default=0)

    def _deepest(self, letters: str) -> float:
        return min((self._ink(self.glyph(letter))[1] for letter in letters if ord(letter) in self.codes), default=0)


def _ink_of(font: hb.Font, glyph: int) -> tuple[int, int]:
    """Return the top and the bottom of what a glyph draws."""
    extents = font.get_glyph_extents(glyph)
    return (extents.y_bearing, extents.y_bearing + extents.height) if extents else (0, 0)


def _ends_of_clusters(text: str, infos: list[Any]) -> dict[int, int]:
    """Return where each cluster ends: it is the index of the first of the characters that its glyphs stand for."""
    starts = sorted({info.cluster for info in infos})
    return dict(zip(starts, [*starts[1:], len(text)], strict=False))  # none where nothing is drawn


@cache
def _strokes() -> hb.DrawFuncs:
    """Return functions of HarfBuzz that add to a list for each contour they are to draw."""
    functions = hb.DrawFuncs()
    functions.set_move_to_func(lambda _x, _y, strokes: strokes.append(1))
    return functions


@cache
def _pen() -> hb.DrawFuncs:
    """Return functions of HarfBuzz that build a path; it makes cubic curves of the others itself."""
    pen = hb.DrawFuncs()
    pen.set_move_to_func(lambda x, y, builder: builder.move(x, y))
    pen.set_line_to_func(lambda x, y, builder: builder.line(x, y))
    pen.set_cubic_to_func(lambda x1, y1, x2, y2, x, y, builder: builder.curve(x1, y1, x2, y2, x, y))
    pen.set_close_path_func(lambda builder: builder.close())
    return pen


def _is_seen(character: str) -> bool:
    return character.isprintable() and not character.isspace() and character not in _EMPTY_LETTERS


def _clean_name(name: str | None) -> str:
    # A PDF name without escapes; fonts without a PostScript name exist.
    kept = "".join(letter for letter in name or "" if letter.isascii() and (letter.isalnum() or letter in "-_"))
    return kept[:_LONGEST_NAME] or "Font"
