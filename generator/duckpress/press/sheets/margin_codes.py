"""The codes of a sheet's cards in its margins: for faces without codes of their own.

Cards are listed as they lie, row by row: `D1 · D2 ×2 / D4 0.2`, with the version of those that last changed in another
one than the footer names. A list that finds no room in one line is set in several, each where it has room, smaller if
need be. It stands beside marks, bleed and footer, and never where the proof looks for a footer.

Words in margins are set in a family that comes along, other letters in whatever font has them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.core.frame import Group, Item, Text
from duckpress.core.geometry import MM_PER_PT, Matrix, Rect, Size, rotation, translation
from duckpress.core.language import Speech
from duckpress.core.problems import Problem
from duckpress.core.sizes import Paper
from duckpress.impose import Sheet, Side
from duckpress.impose.footer import Typeset
from duckpress.layout import Face
from duckpress.layout.elements.layout_context import first_words
from duckpress.model import Game
from duckpress.press.sheets.free_places import PrintedBoxes, free_line, rounded
from duckpress.text import TextStyle, Typesetter
from duckpress.text.fonts import FontLibrary
from duckpress.text.styles import in_words

_COLOUR = "#333333"
_STYLE = TextStyle("Alegreya Sans", colour=_COLOUR)  # bundled, so it is there whatever fonts a game brings


class MarginWords:
    """Sets the words in margins in one language."""

    def __init__(self, fonts: FontLibrary, speech: Speech, colour: str = _COLOUR) -> None:
        self._typesetter = Typesetter(
            fonts, lambda _name, _colour: None, speech.language, is_mirrored=speech.is_mirrored
        )
        self.drawn = cache(lambda text: self._typesetter.without_missing(text, _STYLE))  # what some font has
        self._style = _STYLE._replace(colour=colour)

    def set(self, text: str, size_pt: float, is_bold: bool) -> tuple[tuple[Item, ...], float]:
        """Return the items of a text on one line, and its width in mm; missing glyphs are left out."""
        style = self._style._replace(size_pt=size_pt, weight="bold" if is_bold else "regular")
        line = self._typesetter.line(text, style)
        if line.missing_glyphs:
            line = self._typesetter.line(self.drawn(text).strip(), style)
        level = [replace(item, y_mm=0.0) if isinstance(item, Text) and item.y_mm else item for item in line.items]
        return tuple(level), line.width_mm  # marks too: rows of margins are told by their baselines

    def missing(self, game: Game) -> list[Problem]:
        """Return a problem for each title, and for the licence, with glyphs that footers cannot set."""
        problems = []
        said = [("title", game.title, game.at("title"))]
        said += [("title", piece.title, piece.source) for piece in game.pieces]
        if game.licence and any(piece.book for piece in game.pieces):
            said.append(("licence", game.licence, game.at("licence")))
        for kind, title, source in said:
            if missing := self._typesetter.line(title, _STYLE).missing_glyphs:
                what = f"the {kind} {first_words(title)!r} has characters that no font has: {in_words(missing)}"
                fix = "write it otherwise, or add a font that has them"
                problems.append(Problem("missing-glyph", source, what, fix))
        return problems


_SIZES_PT = (6.0, 5.0, 4.5, 4.0)
ASCENT, DESCENT = 0.85, 0.25  # of the type size, as the proof has boxes of text, and a little more
_CLEAR_MM = 0.5
_FOOTER_MM = 7.6  # the deepest footer with what is free above it
_MOST_LINES = 12
_ROW_MM = 1.0  # cards whose tops lie nearer are in one row


class LinePlace(NamedTuple):
    """The place of a line, at its baseline; a line that `turns` is read downwards."""

    box: Rect
    turns: bool

    def matrix(self, size_mm: float) -> Matrix:
        """Return the matrix from the line, with its start at the baseline, to the sheet."""
        if self.turns:
            at = translation(round(self.box.x_mm + DESCENT * size_mm, 4), round(self.box.y_mm, 4))
            return at.after(rotation(90))
        return translation(round(self.box.x_mm, 4), round(self.box.y_mm + ASCENT * size_mm, 4))


class MarginCodes:
    """Sets the codes of cards into the margins of sheets; `version` is the one in the footers."""

    def __init__(self, typeset: Typeset, version: str) -> None:
        self._typeset = typeset
        self._version = version
        self._boxes = PrintedBoxes()
        self._places: dict[object, LinePlace | None] = {}

    def named(self, sheet: Sheet, faces: Sequence[Face], paper: Paper, trims: Mapping[str, Size]) -> Sheet:
        """Return a sheet with the codes of its front's faces in the margin, without faces that show their own."""
        words = self._words(sheet.front, faces)
        if not words:
            return sheet
        printable = Rect(0.0, 0.0, *sheet.paper).inside(paper.margins(sheet.paper))
        lines = self._lines(words, printable, self._boxes.taken(sheet.front, trims))
        return sheet._replace(front=sheet.front._replace(items=(*sheet.front.items, *lines)))

    def _words(self, side: Side, faces: Sequence[Face]) -> list[str]:
        """Return the codes of a side in reading order, each with its separator."""
        names = [(one, margin_name(faces[one.face], self._version)) for one in side.placements if not one.is_back]
        rows: list[list[tuple[float, str]]] = []
        row_mm = -math.inf
        for one, name in sorted(filter(itemgetter(1), names), key=lambda cell: (cell[0].y_mm, cell[0].x_mm)):
            if one.y_mm - row_mm > _ROW_MM:
                row_mm = one.y_mm
                rows.append([])
            rows[-1].append((one.x_mm, name))
        words: list[str] = []
        for row in rows:
            counts = [
                (word, len(list(same))) for word, same in groupby(word for _, word in sorted(row, key=itemgetter(0)))
            ]
            cells = [word if count == 1 else f"{word} ×{count}" for word, count in counts]
            words += [f"/ {cells[0]}", *(f"· {cell}" for cell in cells[1:])]
        return words

    def _lines(self, words: Sequence[str], printable: Rect, taken: Sequence[Rect]) -> Sequence[Group]:
        """Return the words in as few lines as possible, in the largest size that fits; none if none fits."""
        for size_pt in _SIZES_PT:
            for count in range(1, min(len(words), _MOST_LINES) + 1):
                each = math.ceil(len(words) / count)
                parts = [words[start : start + each] for start in range(0, len(words), each)]
                lines = self._placed([" ".join(part)[2:] for part in parts], size_pt, printable, taken)
                if lines is not None:
                    return lines
        return ()

    def _placed(
        self, texts: Sequence[str], size_pt: float, printable: Rect, taken: Sequence[Rect]
    ) -> list[Group] | None:
        lines: list[Group] = []
        taken = list(taken)
        size_mm = size_pt * MM_PER_PT
        for text in texts:
            items, width_mm = self._typeset(text, size_pt, False)
            place = self._place(math.ceil(width_mm), (ASCENT + DESCENT) * size_mm, printable, taken)
            if place is None:
                return None
            taken.append(place.box)
            lines.append(Group(items, place.matrix(size_mm)))
        return lines

    def _place(self, width_mm: int, height_mm: float, printable: Rect, taken: Sequence[Rect]) -> LinePlace | None:
        """Return the place of a line, horizontal or else read downwards; cached for equal sheets."""
        key = (width_mm, height_mm, printable, frozenset(map(rounded, taken)))
        if key not in self._places:
            level = printable._replace(height_mm=printable.height_mm - _FOOTER_MM)
            self._places[key] = line_place(Size(width_mm, height_mm), level, printable, taken)
        return self._places[key]


def line_place(size: Size, level: Rect, upright: Rect, taken: Sequence[Rect]) -> LinePlace | None:
    """Return the place of a line: horizontal in one part of a sheet, or else read downwards in another."""
    if at := free_line(size, _CLEAR_MM, level, taken):
        return LinePlace(Rect(*at, *size), turns=False)
    if at := free_line(size, _CLEAR_MM, upright.turned(), [box.turned() for box in taken]):
        return LinePlace(Rect(*at, *size).turned(), turns=True)
    return None


def margin_name(face: Face, version: str) -> str:
    """Return a card's name in the margins; empty if its faces show it, or if it has no code."""
    if face.is_named:
        return ""
    return face.code if face.changed in ("", version) else f"{face.code} {face.changed}"
