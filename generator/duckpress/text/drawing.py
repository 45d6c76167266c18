"""Broken lines -> items at fixed places: one `Text` for each stretch of one font on a line, icons between them.

The letters of a text are then held against those of its runs: all there, once, in order. That is the one check of a
text that every build makes, because it depends on its words and fonts. What a line break, a style, a language or a font
may change counts for nothing: blanks, hyphens, capitals, quotes, marks that only steer.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from duckpress.core.frame import Item, PlacedDrawing, Text
from duckpress.core.geometry import MM_PER_PT
from duckpress.text.bidi import drawing_order
from duckpress.text.breaking import Broken
from duckpress.text.fonts import tj_body, tj_number
from duckpress.text.letters import EAST_ASIAN, is_invisible
from duckpress.text.markup import BREAK, ICON, MarkupBlock
from duckpress.text.paragraphs import ICON_SIDE_EM
from duckpress.text.shaping import BLANKS, GlyphPiece, ScaledFont
from duckpress.text.styles import SetLine, TextStyle

# A line with fewer spaces than its slack needs stays ragged rather than fall apart. By eye.
_WIDEST_STRETCH_EM = 1.0

# Places are kept to a ten-thousandth of a millimetre; `round` does the same, but takes half the time of drawing.
_GRID = 1e4

_AT_BEGINNING = (("left", "justify", "at-left"), ("left", "justify", "at-right"))  # and in a mirrored paragraph


class LineDrawer:
    """Draws lines of one size and colour into `items`; `tracking_em` is the space after a line's last letter.

    Where `edges_mm` (the sum of the edges of a column) is given, places are counted from its right edge.
    """

    def __init__(self, size_mm: float, colour: str, tracking_em: float, edges_mm: float | None = None) -> None:
        self._edges_mm = edges_mm
        self.items: list[Item] = []
        self._size_mm = size_mm
        self._drawn_mm = round(size_mm, 5)
        self._colour = colour
        self._tracking_em = tracking_em

    def line(
        self, broken: Broken, number: int, left_mm: float, width_mm: float, baseline_mm: float, align: str,
        list_reach: float | None = None,
    ) -> None:  # fmt: skip
        """Draw a line of a paragraph on its baseline, in a column at `left_mm`; the first line has a bullet.

        `list_reach` is that of the longest line of the list that the paragraph belongs to: a list is moved as a whole.
        """
        paragraph, size, hang = broken.paragraph, self._size_mm, broken.paragraph.hang_em
        is_mirrored = paragraph.is_mirrored
        start, end, reach = broken.lines[number]
        # A line too wide for its column begins at its left edge: what is over is over at one end.
        room = width_mm / size - hang + self._tracking_em
        slack = max(room - reach, 0.0)
        stretch = 0.0
        if align == "justify" and number < len(broken.lines) - 1:
            stretch = _stretch_of(broken, start, end, slack)
            slack = 0.0 if stretch else slack
        indent = slack if list_reach is None else max(room - list_reach, 0.0)
        indent = 0.0 if align in _AT_BEGINNING[is_mirrored] else indent / 2 if align == "center" else indent
        if paragraph.bullet is not None and number == 0:
            wide_mm = (paragraph.bullet.width - self._tracking_em) * size
            bullet_mm = width_mm - wide_mm - indent * size if is_mirrored else indent * size
            self._pieces(paragraph.bullet.pieces, left_mm + bullet_mm, baseline_mm)
        words, gaps = broken.words, broken.gaps
        pieces: list[GlyphPiece] = []
        # Rows of simple words are drawn at once. A paragraph with divided words has other words than its rows count;
        # stretched spaces are not those of rows.
        row_ends = paragraph.row_ends if words is paragraph.words and not stretch else None
        index = start
        while index < end:
            if index > start and (gap := gaps[index]):
                pieces.append(_stretched(gap, stretch) if stretch else gap)
            elif stretch and index > start and _is_opened(words, index):
                pen = pieces[-1].pen
                assert isinstance(pen, ScaledFont)
                glyphs = tj_number(-stretch * 1000 / pen.scale)
                pieces.append(GlyphPiece(pen, glyphs, "", stretch, level=pieces[-1].level))
            stop = row_ends[index] if row_ends else 0
            if stop > index:
                stop = min(stop, end)
                pieces.append(paragraph.row(index, stop))
                index = stop
            else:
                word = words[index]
                pieces += [_stretched(one, stretch) if one.text in BLANKS else one for one in word] if stretch else word
                index += 1
        x_mm = left_mm + (slack - indent if is_mirrored else hang + indent) * size
        if paragraph.is_ordered:
            self._in_order(pieces, x_mm, baseline_mm)
        else:
            self._pieces(pieces, x_mm, baseline_mm)

    def _in_order(self, pieces: list[GlyphPiece], x_mm: float, baseline_mm: float) -> None:
        """Draw pieces in reading order, placed by their levels, those of one level and pen as one item."""
        runs: list[GlyphPiece] = []
        for piece in pieces:
            last = runs[-1] if runs else None
            is_more = last is not None and piece.pen is last.pen and isinstance(piece.pen, ScaledFont)
            if last is None or not is_more or (piece.level, piece.rise) != (last.level, last.rise):
                runs.append(piece)
                continue
            glyphs = piece.glyphs + last.glyphs if piece.level & 1 else last.glyphs + piece.glyphs
            runs[-1] = last._replace(glyphs=glyphs, text=last.text + piece.text, width=last.width + piece.width)
        places_mm = [0.0] * len(runs)
        for at in drawing_order([run.level for run in runs]):
            places_mm[at] = x_mm
            x_mm += runs[at].width * self._size_mm
        for run, place_mm in zip(runs, places_mm, strict=True):
            self._pieces((run,), place_mm, baseline_mm - run.rise * self._size_mm)

    def _pieces(self, pieces: list[GlyphPiece] | tuple[GlyphPiece, ...], x_mm: float, baseline_mm: float) -> None:
        """Draw consecutive pieces, those of one pen as one item."""
        size = self._size_mm
        y_mm = (baseline_mm * _GRID + 0.5) // 1 / _GRID
        pen: ScaledFont | None = None
        glyphs = text = ""
        start = x = 0.0
        for piece_pen, piece_glyphs, piece_text, width, top, bottom, _, _ in pieces:
            if piece_pen is not pen:
                if glyphs and pen is not None:
                    self._text(pen, x_mm + start * size, y_mm, glyphs, text, x - start)
                glyphs = text = ""
                if isinstance(piece_pen, ScaledFont):
                    pen, start = piece_pen, x
                else:
                    pen = None  # two of the same icon are two drawings
                    left_mm = x_mm + (x + ICON_SIDE_EM) * size
                    if self._edges_mm is not None:
                        left_mm = self._edges_mm - left_mm - (width - 2 * ICON_SIDE_EM) * size
                    at = piece_pen.matrix(left_mm, y_mm - top * size, (top - bottom) * size)
                    self.items.append(PlacedDrawing(piece_pen.key, at))
                    x += width
                    continue
            glyphs += piece_glyphs
            text += piece_text
            x += width
        if glyphs and pen is not None:
            self._text(pen, x_mm + start * size, y_mm, glyphs, text, x - start)

    def _text(self, pen: ScaledFont, x_mm: float, y_mm: float, glyphs: str, text: str, width_em: float) -> None:
        size = self._size_mm
        if self._edges_mm is not None:
            x_mm = self._edges_mm - x_mm - (width_em - self._tracking_em) * size
        left_mm = (x_mm * _GRID + 0.5) // 1 / _GRID
        width_mm = ((width_em - self._tracking_em) * size * _GRID + 0.5) // 1 / _GRID
        drawn_mm = self._drawn_mm if pen.scale == 1.0 else round(size * pen.scale, 5)
        self.items.append(Text(left_mm, y_mm, drawn_mm, pen.key, self._colour, tj_body(glyphs), text, width_mm))


def drawn_lines(parts: list[Broken], style: TextStyle, width_mm: float, edges_mm: float | None) -> tuple[SetLine, ...]:
    """Return the lines of paragraphs broken at a style's full size; places as `LineDrawer` has them."""
    size_mm = style.size_pt * MM_PER_PT
    lines: list[SetLine] = []
    for part, list_reach in zip(parts, list_reaches(parts), strict=True):
        for number, (_, _, reach) in enumerate(part.lines):
            drawer = LineDrawer(size_mm, style.colour, style.tracking / 1000, edges_mm)
            drawer.line(part, number, 0.0, width_mm, 0.0, style.align, list_reach)
            gap_mm = part.paragraph.gap_lines * style.leading * size_mm if number == 0 else 0.0
            wide_mm = (reach + part.paragraph.hang_em - style.tracking / 1000) * size_mm
            lines.append(SetLine(tuple(drawer.items), wide_mm, gap_mm))
    return tuple(lines)


def list_reaches(parts: list[Broken]) -> list[float | None]:
    """Return for each paragraph the width of the longest line of its list (in em), None for one in no list.

    A list is one block, wherever it stands in a column: items that follow each other, and that run the same way.
    """
    reaches: list[float | None] = []
    for (is_in_list, _), group in groupby(parts, lambda one: (one.paragraph.hang_em > 0, one.paragraph.is_mirrored)):
        items = list(group)
        reach = max(reach for one in items for _, _, reach in one.lines) if is_in_list else None
        reaches += [reach] * len(items)
    return reaches


def _stretch_of(broken: Broken, start: int, end: int, slack: float) -> float:
    """Return the additional width of each blank that justifies a line; 0 if it would be too much."""
    words = broken.words
    count = sum(1 for at in range(start + 1, end) if broken.gaps[at] or _is_opened(words, at))
    count += sum(1 for word in words[start:end] for piece in word if piece.text in BLANKS)
    return slack / count if count and slack / count <= _WIDEST_STRETCH_EM else 0.0


def _is_opened(words: list[tuple[GlyphPiece, ...]], index: int) -> bool:
    """Return whether a justified line may be opened before a word without a space: after East Asian letters."""
    before = words[index - 1][-1:]
    return bool(before) and isinstance(before[0].pen, ScaledFont) and bool(EAST_ASIAN.match(before[0].text[-1:]))


def _stretched(gap: GlyphPiece, by_em: float) -> GlyphPiece:
    # A space may end in a number already: tracking, or a width made up for a font that lacks the space.
    glyph, _, number = gap.glyphs.partition(">")
    scale = gap.pen.scale if isinstance(gap.pen, ScaledFont) else 1.0
    thousandths = float(number.rstrip("<") or 0.0) - by_em * 1000 / scale
    return gap._replace(glyphs=glyph + tj_number(thousandths), width=gap.width + by_em)


_ICON = "{}"
_COLOURING = (0xFE0E, 0xFE0F, *range(0x1F3FB, 0x1F400))  # of emoji, which are drawn in one colour
_QUOTES = {**{ord(quote): '"' for quote in "«»“”"}, ord("’"): "'"}
_SHOWN = 15  # letters of a difference


class _Counted(dict[int, str]):
    """A translation table of characters: invisible ones are left out."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        is_unseen = letter.isspace() or is_invisible(letter) or unicodedata.category(letter) in ("Cc", "Cf")
        self[code] = "" if is_unseen else letter
        return self[code]


_COUNTED = _Counted({**dict.fromkeys(_COLOURING, ""), **_QUOTES, ord("•"): ""})


def lost_letters(
    blocks: Sequence[MarkupBlock], unknown_icons: Collection[str], items: Iterable[Item], caps: str = "none"
) -> str:
    """Return in words the differences between a text's runs and its blocks; empty if there are none."""
    tokens = [token for block in blocks for token in block.tokens if token[0] != BREAK]
    expected = "".join(
        words if kind != ICON else f"{{{words}}}" if words in unknown_icons else _ICON for kind, words in tokens
    )
    said = "".join(item.text if isinstance(item, Text) else _ICON for item in items)
    if "".join(expected.split()) == "".join(said.split()):
        return ""
    expected, said = expected.translate(_COUNTED), said.translate(_COUNTED)
    if caps != "none":  # where letters are set in capitals, all are small
        expected, said = (unicodedata.normalize("NFKD", one.replace("ı", "i").casefold()) for one in (expected, said))
    if _letters_and_marks(expected, caps) == _letters_and_marks(said, caps):
        return ""
    at = next((at for at, both in enumerate(zip(expected, said, strict=False)) if both[0] != both[1]), None)
    at = min(len(expected), len(said)) if at is None else at
    start, end = max(0, at - _SHOWN), at + _SHOWN
    return f"has {expected[start:end]!r} where {said[start:end]!r} is drawn"


def _letters_and_marks(text: str, caps: str) -> tuple[str, list[str]]:
    """Return letters, and their marks separately: a mark on a ligature comes after the whole of it.

    Capitals have their own marks: Greek ones none, Turkish ones a dot. A font may have the letter with one of its
    marks, and draw the others beside it.
    """
    if text.isascii():
        return text, []
    text = unicodedata.normalize("NFD", text)
    marks = sorted(filter(unicodedata.combining, text)) if caps == "none" else []
    return "".join(letter for letter in text if not unicodedata.combining(letter)), marks
