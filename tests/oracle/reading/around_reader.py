"""What is painted around the faces of pages -> texts, paths and boxes as they lie on paper."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from duckpress.core.geometry import Rect, added
from oracle.reading.around import Around, Run, SheetCode
from oracle.reading.documents import Document, Font
from oracle.reading.marks import Lettering, Mark, Painted
from oracle.reading.streams import glyphs_of, kerning_of
from oracle.reading.turned_words import reading_of

_TALLEST = 800.0
"""Thousandths of an em that a letter rises: fonts for other scripts state far more than most of their letters take."""


def read_around(
    document: Document, marks: Iterable[Mark | SheetCode], resources: Any
) -> tuple[Around, tuple[Rect, ...]]:
    """Return what some marks of a page are, and the boxes of all of them."""
    runs, paths, codes, boxes = list[Run](), list[Painted](), list[SheetCode](), list[Rect]()
    for mark in marks:
        if isinstance(mark, Lettering):
            runs.append(_run_of(mark, document.font(resources.Font[f"/{mark.font}"])))
            boxes.append(runs[-1].box)
        elif isinstance(mark, Painted):
            boxes.append(rounded_box(mark.box))
            paths += (mark,) if mark.parts else ()
        elif isinstance(mark, SheetCode):
            codes.append(mark)
            boxes.append(mark.box)
        else:
            x1, y1, x2, y2 = map(float, _thing(resources.XObject, mark.name).get("/BBox", (0, 0, 1, 1)))
            box = mark.matrix.around(Rect(x1, y1, x2 - x1, y2 - y1))
            boxes.append(rounded_box(box if mark.clip is None else mark.clip.shared(box)))
    return Around(tuple(runs), tuple(paths), tuple(codes)), tuple(boxes)


def _thing(objects: Mapping[str, Any], name: str) -> Any:
    """Return what goes by a name, on a page or in a group of it."""
    if f"/FormXob.{name}" in objects:
        return objects[f"/FormXob.{name}"]
    groups = (thing for key, thing in objects.items() if key.startswith("/FormXob.G-"))
    inner = (group.Resources.get("/XObject", {}) for group in groups)
    return next(_thing(one, name) for one in inner if one)


def _run_of(mark: Lettering, font: Font) -> Run:
    """Return a text; its box has the letters from their lowest to their highest, y upwards from the baseline."""
    glyphs = glyphs_of(mark.body)
    width = (added(font.widths.get(glyph, 1000.0) for glyph in glyphs) - kerning_of(mark.body)) * mark.size / 1000
    low, high = font.descent * mark.size / 1000, min(font.ascent, _TALLEST) * mark.size / 1000
    a, b, _, _, e, f = mark.matrix
    degrees = round(math.degrees(math.atan2(b, a)) / 90) * 90 % 360
    words = reading_of([font.texts.get(glyph, "\ufffd") for glyph in glyphs])
    box = rounded_box(mark.matrix.around(Rect(0.0, low, width, high - low)))
    return Run(words, round(mark.size * math.hypot(a, b), 3), round(e, 3), round(f, 3), degrees, mark.fill, box)


def rounded_box(box: Rect) -> Rect:
    """Return a box to a thousandth of a mm, so that equal places are equal."""
    return Rect(*(round(edge, 3) for edge in box))
