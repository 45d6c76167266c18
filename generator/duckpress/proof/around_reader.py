"""What is painted around the faces of pages -> texts, paths and boxes as they lie on paper."""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

from duckpress.core.geometry import Rect
from duckpress.core.units import added
from duckpress.proof.around import Run
from duckpress.proof.opened import OpenedPdf, Used
from duckpress.proof.streams.operators import glyphs_of, kerning_of
from duckpress.proof.streams.painted_marks import Drawn, Lettering, Painted
from duckpress.proof.turned_words import reading_of
from duckpress.proof.used_things import FontRead, Number

Mark = Drawn | Lettering | Painted


class AroundMarks(Struct, frozen=True):
    """Texts, paths, and the boxes of these and of all else, in the order in which they are painted."""

    runs: tuple[Run, ...]
    paths: tuple[Painted, ...]
    boxes: tuple[Rect, ...]


class AroundReader:
    """Reads what is around the faces of one document; what footers say on every page is read once."""

    def __init__(self, document: OpenedPdf) -> None:
        self._document = document
        self._lettered: dict[tuple[Lettering, int], Run] = {}
        self._lines: dict[tuple[str, float, Number], tuple[str, Rect]] = {}

    def read(self, marks: Iterable[Mark], used: Used) -> AroundMarks:
        """Return what some marks of a page are."""
        runs: list[Run] = []
        paths: list[Painted] = []
        boxes: list[Rect] = []
        for mark in marks:
            if isinstance(mark, Lettering):
                runs.append(self._run(mark, used.fonts[mark.font]))
                boxes.append(runs[-1].box)
            elif isinstance(mark, Painted):
                boxes.append(rounded_box(mark.box))
                paths += (mark,) if mark.parts else ()
            else:
                boxes.append(self._box(used, mark))
        return AroundMarks(tuple(runs), tuple(paths), tuple(boxes))

    def _run(self, mark: Lettering, number: Number) -> Run:
        """Return a text around the faces."""
        run = self._lettered.get((mark, number))
        if run is None:
            line = mark.body, mark.size, number
            if line not in self._lines:
                self._lines[line] = _read_line(mark, self._document.fonts[number])
            run = self._lettered[mark, number] = _run_of(mark, *self._lines[line])
        return run

    def _box(self, used: Used, mark: Drawn) -> Rect:
        """Return the box of a drawing or picture around the faces."""
        form = self._document.forms.get(used.objects[mark.name])
        x1, y1, x2, y2 = form.box if form is not None else (0.0, 0.0, 1.0, 1.0)
        box = mark.matrix.around(Rect(x1, y1, x2 - x1, y2 - y1))
        return rounded_box(box if mark.clip is None else mark.clip.shared(box))


_TALLEST = 800.0
"""Thousandths of an em that a letter rises: fonts for other scripts state far more than most of their letters take."""


def _read_line(mark: Lettering, font: FontRead) -> tuple[str, Rect]:
    """Return what a text says, and its box about the beginning of its baseline, y upwards."""
    numbers = glyphs_of(mark.body)
    glyphs = [high << 8 | low for high, low in zip(numbers[::2], numbers[1::2], strict=True)]
    width = (added(font.widths.get(glyph, 1000.0) for glyph in glyphs) - kerning_of(mark.body)) * mark.size / 1000
    low, high = font.descent * mark.size / 1000, min(font.ascent, _TALLEST) * mark.size / 1000
    return reading_of([font.texts.get(glyph, "\ufffd") for glyph in glyphs]), Rect(0.0, low, width, high - low)


def _run_of(mark: Lettering, words: str, box: Rect) -> Run:
    a, b, _, _, e, f = mark.matrix
    degrees = round(math.degrees(math.atan2(b, a)) / 90) * 90 % 360
    place = round(mark.size * math.hypot(a, b), 3), round(e, 3), round(f, 3), degrees
    return Run(words, *place, mark.fill, rounded_box(mark.matrix.around(box)))


def rounded_box(box: Rect) -> Rect:
    """Return a box to a thousandth of a mm, so that equal places are equal."""
    return Rect(*(round(edge, 3) for edge in box))
