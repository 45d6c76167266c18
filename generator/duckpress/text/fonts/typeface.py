"""One loaded font file: its measures, the glyphs of words (each word shaped once, with HarfBuzz), and its subsets.

Lengths are in font units (`units_per_em` to the type size), y growing upwards, unless a name says otherwise. Glyphs
go by the font's own numbers, which subsets keep: what is drawn does not depend on what else the PDF holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import groupby, product
from typing import Any

import uharfbuzz as hb

from duckpress.core.geometry import Matrix, added
from duckpress.core.paths import Path
from duckpress.core.problems import NOWHERE, Problem, Source, UnusableContent
from duckpress.text.fonts.font_files import FontFile, name_of
from duckpress.text.fonts.glyphs import (
    FIGURES,
    SMALL_CAPS,
    SPACED_FEATURES,
    USUAL_FEATURES,
    Features,
    GlyphRun,
    GlyphTexts,
    RaisedRun,
    ends_of_clusters,
    ink_of,
    is_drawn,
    outline_of,
    write_run,
)
from duckpress.text.fonts.opentype import read_compact, read_figures

_ASCENDING_LETTERS = "bdfhklHT"
_DESCENDING_LETTERS = "gjpqy"
# What a character map may name and no text can hold: surrogates, controls, what is no character.
_NO_LETTERS = frozenset((*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF))
_EMPTY_LETTERS = "\u2800\ufffc"  # signs that show nothing: the Braille pattern without dots, what stands for a picture
_TOKEN = re.compile(r"<([0-9A-F]*)>|(-?[0-9.]+)")
_LONGEST_WORD = 1_000  # letters shaped at once: a font may make sixty-four glyphs of each
_LENT = re.compile("[\u0131-\u0133\u013f\u0140\u0218-\u021b\u0237\u2190-\u22ff\ue000-\uf8ff]")
"""Letters whose glyphs fonts also draw others with: `j` under a mark, a Romanian `ş`, an arrow for `->`."""
_PLAIN_WAYS = (USUAL_FEATURES, SPACED_FEATURES, USUAL_FEATURES + SMALL_CAPS)
_WAYS = (*_PLAIN_WAYS, *(some + figures for some in _PLAIN_WAYS for figures in FIGURES.values()))
"""The features that texts are set with."""
_NO_TABLES = ("GSUB", "GPOS", "GDEF", "BASE", "STAT", "DSIG", "name", "post", "OS/2", "kern", "gasp", "meta", "FFTM")
_LONGEST_NAME = 63  # letters; source: OpenType, table `name`, PostScript name
_JOINING_LETTERS = re.compile("[\u0600-\u077f\u07c0-\u07ff\u0840-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")
_TURNED = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]")


Runs = Sequence[tuple[int, str]]
"""The text of each run of a stream, with the end of its glyphs."""


class Typeface:
    """An embeddable font file, measured on demand."""

    def __init__(self, data: bytes, pins: tuple[tuple[str, float], ...] = ()) -> None:
        """Take the bytes of a font and its axes' values; `load_typeface` refuses unusable ones."""
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
        self._ink = cache(partial(ink_of, self._font))
        extents = self._font.get_font_extents("ltr")
        self.ascent: int = extents.ascender
        self.descent: int = extents.descender
        self.cap_height = self._tallest("H") or 0.7 * self.units_per_em
        # Where plain letters end, as drawn: makers set `ascent` and `descent` by very different rules.
        self.letter_top = self._tallest(_ASCENDING_LETTERS) or 0.75 * self.units_per_em
        depths = [self._ink(self.glyph(letter))[1] for letter in _DESCENDING_LETTERS if ord(letter) in self.codes]
        self.letter_bottom: float = min(depths, default=0) or -0.22 * self.units_per_em
        self.origin = self.postscript_name
        """The file and the family it was loaded for, in words; set by who loads it."""
        self.source: Source = NOWHERE
        """Where the family names the file; set by who loads it."""
        self.undrawn: dict[str, None] = {}
        """The letters met so far for which the font has a glyph and no outline, though they should be seen."""
        self._looked_at: set[str] = set()
        self._shaped: set[int] = set()
        self._runs: dict[tuple[Features, float, str], dict[str, GlyphRun]] = {}
        self.shape_ordered = cache(self._shape_ordered)
        self._glyph_texts = GlyphTexts(self._font, self.codes)

    @property
    def version(self) -> str:
        """The version in the font's own data, such as `2.004`; empty if there is none."""
        stated = self._face.get_name(hb.OTNameIdPredefined.VERSION_STRING) or ""
        plain = "".join(letter for letter in stated[:200] if letter.isprintable())
        return plain.partition(";")[0].removeprefix("Version").strip()

    def covers(self, text: str) -> bool:
        """Return whether the font has a glyph for every character of the text."""
        return self.codes.issuperset(map(ord, text))

    def has_feature(self, tag: str) -> bool:
        """Return whether the font has substitutions for an OpenType feature, such as `smcp` for small capitals."""
        scripts = range(len(self._face.get_table_script_tags("GSUB")))
        return any(tag in self._face.get_language_feature_tags("GSUB", script) for script in scripts)

    def glyph(self, character: str) -> int:
        """Return the number of a character's plain glyph, or 0."""
        return int(self._font.get_nominal_glyph(ord(character)) or 0)

    @property
    def narrow_space(self) -> int:
        return self._glyph_texts.narrow_space

    def shape(
        self, text: str, features: Features = USUAL_FEATURES, tracking: float = 0.0, language: str = "en"
    ) -> GlyphRun:
        """Return a word's glyphs and advance, cached; `tracking` (thousandths of an em) follows every glyph.

        Marks are moved sideways where the font asks for it, never up or down: a `TJ` array cannot.
        """
        runs = self.runs(features, tracking, language)
        run = runs.get(text)
        if run is None:
            run = runs[text] = self._shape(text, features, tracking, language)
        return run

    def runs(self, features: Features, tracking: float, language: str) -> dict[str, GlyphRun]:
        """Return the cache of words shaped with these settings; later words are added to it."""
        return self._runs.setdefault((features, tracking, language), {})

    def advances(self, glyphs: Iterable[int]) -> list[float]:
        """Return the widths of glyphs in thousandths of an em, as a PDF's `W` array has them."""
        return [round(self._advance(glyph) * 1000 / self.units_per_em, 4) for glyph in glyphs]

    def text_map(
        self, glyphs: Iterable[int], said: Sequence[tuple[bytes, Runs]] = (), language: str = "en"
    ) -> dict[int, str]:
        """Return the texts of glyphs, for a PDF's ToUnicode map, independent of earlier shaping.

        `said` are streams: the glyphs that each draws, two bytes each, and its runs. Where a glyph is in no character
        map (ligatures, small capitals), the words of a run that draws it are shaped again; and where it is there for a
        letter that no run has, for fonts draw some letters with the glyphs of others.
        """
        texts = {glyph: self._glyph_texts.letters.get(glyph, "") for glyph in sorted(set(glyphs))}
        lent = {text for text in texts.values() if _LENT.match(text)}
        lent = {letter for letter in lent if not any(letter in text for _, runs in said for _, text in runs)}
        odd = {glyph: glyph.to_bytes(2, "big") for glyph, text in texts.items() if not text or text in lent}
        tried = set[str]()
        for drawn, text in _runs_with(odd, said):
            words = [word for word in text.split() if word not in tried]
            for way, word in product(_WAYS, words):
                infos, _ = self._glyphs_of(word, way, language, "rtl" if _TURNED.search(word) else "")
                if odd.keys().isdisjoint([info.codepoint for info in infos]):
                    continue
                for info, part in zip(infos, self._glyph_texts.said_by(word, infos), strict=True):
                    if part and odd.pop(info.codepoint, b""):
                        texts[info.codepoint] = part
                if not _has_any(odd, drawn):
                    break
            else:
                tried.update(words)
        return {glyph: text for glyph, text in texts.items() if text}

    def outline(self, glyph: int) -> Path:
        return outline_of(self._font, glyph)

    def outlines(self, body: str, matrix: Matrix) -> Iterator[Path]:
        """Yield the outlines in the body of a `TJ` array, glyph by glyph; `matrix` maps ems (y growing upwards)."""
        x, scale = 0.0, 1 / self.units_per_em
        for glyphs, number in _TOKEN.findall(body):
            x -= float(number or 0) / 1000
            for at in range(0, len(glyphs), 4):
                glyph = int(glyphs[at : at + 4], 16)
                yield self._outline(glyph).mapped(matrix.after(Matrix(scale, 0.0, 0.0, scale, x, 0.0)))
                x += self._advance(glyph) * scale

    def subset(self, glyphs: Iterable[int]) -> bytes:
        """Return a TrueType file, or a bare `CFF ` table, with only the outlines of these glyphs (and .notdef).

        They have their own numbers; those of a variable font are of its instance. Raises `UnusableContent` where an
        outline is damaged.
        """
        request = hb.SubsetInput()
        request.sets(hb.SubsetInputSets.GLYPH_INDEX).update(sorted({0, *glyphs}))
        request.sets(hb.SubsetInputSets.DROP_TABLE_TAG).update(
            int.from_bytes(tag.ljust(4).encode(), "big") for tag in _NO_TABLES
        )
        request.flags = hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NO_HINTING
        if self.is_compact:
            # A reader of PDFs would go by the CIDs of fonts that have such, and draw nothing.
            request.flags |= hb.SubsetFlags.CFF_IDENTITY_CHARSET
            request.flags |= hb.SubsetFlags.DESUBROUTINIZE | hb.SubsetFlags.DOWNGRADE_CFF2
        for tag, value in self.file.pins:
            request.pin_axis_location(self._face, tag, value)
        try:
            cut = hb.subset(self._face, request)
        except RuntimeError:
            cut = hb.Face(b"")
        subset = bytes((cut.reference_table("CFF ") if self.is_compact else cut.blob).data)
        if not subset or (self.is_compact and read_compact(subset) is None):  # HarfBuzz leaves out what it cannot cut
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
        self, text: str, features: Features, tracking: float, language: str, *, is_turned: bool
    ) -> tuple[RaisedRun, ...]:
        """Return a word of a bidirectional line, from right to left if it `is_turned`, cached.

        Its parts come in the order of reading: marks that stand above or under their place in the font are parts of
        their own. Letters that hold on to each other are not spaced out; `tracking` then follows the last.
        """
        parts: list[RaisedRun] = []
        is_spread = _JOINING_LETTERS.search(text) is None
        for start in range(0, len(text), _LONGEST_WORD):
            part = text[start : start + _LONGEST_WORD]
            infos, positions = self._glyphs_of(part, features, language, "rtl" if is_turned else "ltr")
            said = self._glyph_texts.said_by(part, infos)
            rises = [position.y_offset for position in positions]
            groups = [list(group) for _, group in groupby(range(len(infos)), rises.__getitem__)]
            for places in groups[::-1] if is_turned else groups:
                words = "".join([said[at] for at in (places[::-1] if is_turned else places)])
                is_last = places is groups[-1]
                own = [infos[at] for at in places], [positions[at] for at in places]
                follows = tracking if is_spread or is_last else 0.0
                run = write_run(*own, self.units_per_em, follows, self._advance, self._ink, is_spread=is_spread)
                parts.append(RaisedRun(run, rises[places[0]], words if len(groups) > 1 else part))
        return tuple(parts)

    def _glyphs_of(
        self, text: str, features: Features, language: str, direction: str = ""
    ) -> tuple[list[Any], list[Any]]:
        """Return HarfBuzz's glyphs of a text; by default its direction is that of its letters."""
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
        is_new = any(info.codepoint not in self._shaped for info in infos)
        if infos and (is_new or not self._looked_at.issuperset(text)):
            self._look_at(text, infos)
        return infos, positions

    def _look_at(self, text: str, infos: list[Any]) -> None:
        """Note the letters of a word without an outline; of a ligature without one, all its letters."""
        drawn = {info.cluster for info in infos if is_drawn(self._font, info.codepoint)}
        for start, end in ends_of_clusters(text, infos).items():
            if start not in drawn:
                seen = (one for one in text[start:end] if one.isprintable() and not one.isspace())
                self.undrawn |= {letter: None for letter in seen if letter not in _EMPTY_LETTERS}
        self._looked_at.update(text)
        self._shaped.update([info.codepoint for info in infos])

    def _tallest(self, letters: str) -> float:
        return max((self._ink(self.glyph(letter))[0] for letter in letters if ord(letter) in self.codes), default=0)


def _runs_with(odd: Mapping[int, bytes], said: Iterable[tuple[bytes, Runs]]) -> Iterator[tuple[bytes, str]]:
    """Yield the glyphs and the text of each run that draws one of the glyphs that are `odd` by then."""
    for glyphs, runs in said:
        if _has_any(odd, glyphs):
            for start, (end, text) in zip((0, *(end for end, _ in runs)), runs, strict=False):
                if _has_any(odd, glyphs[start:end]):
                    yield glyphs[start:end], text


def _has_any(odd: Mapping[int, bytes], glyphs: bytes) -> bool:
    return any(number in glyphs for number in odd.values())


def _clean_name(name: str | None) -> str:
    # A PDF name without escapes; fonts without a PostScript name exist.
    kept = "".join(letter for letter in name or "" if letter.isascii() and (letter.isalnum() or letter in "-_"))
    return kept[:_LONGEST_NAME] or "Font"
