"""`<text>` of SVG files -> the outlines of its letters, each run of one style painted as a path.

Letters stand where their numbers say, else after each other; what begins at a place of its own is set about it as
`text-anchor` says. Source: SVG 1.1, chapter 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from duckpress.art.bad_art import UndrawnArt
from duckpress.art.svg.svg_fonts import SvgFonts
from duckpress.art.svg.svg_letters import SvgLetter, length_of_type, letters_of, type_size
from duckpress.art.svg.svg_reader import SvgNode
from duckpress.art.svg.svg_shading import Shading
from duckpress.art.svg.svg_work import Items, Style, SvgWork
from duckpress.core.geometry import Matrix, Point, Rect, rect_around
from duckpress.core.paths import Path, joined
from duckpress.core.units import added
from duckpress.fonts import SPACED_FEATURES, USUAL_FEATURES, Typeface, tj_body
from duckpress.text.bidi import RIGHT_TO_LEFT

_WORDS = re.compile(" |[^ ]+")


class _Run(NamedTuple):
    """Letters of one element that are shaped together: their typeface and size, the body of their `TJ`, their width."""

    letters: list[SvgLetter]
    typeface: Typeface
    size: float
    body: str
    width: float

    def number(self, name: str, default: float = 0.0) -> float:
        """Return a number of the first letter."""
        return self.letters[0].numbers.get(name, default)


class _PlacedRun(NamedTuple):
    """A run and where its baseline begins."""

    run: _Run
    place: Point


def draw_text(work: SvgWork, shading: Shading, part: SvgNode, style: Style) -> Items:
    """Return a text as items; raises `BadArt`."""
    letters = letters_of(work, part, style)
    if RIGHT_TO_LEFT.search("".join([letter.said for letter in letters])):
        raise UndrawnArt("text from right to left")
    fonts = SvgFonts(work.fonts, work.complaints)
    runs = [_shaped(work, typeface, some) for typeface, some in _same(fonts, letters)]
    places = list(_placed(runs))
    boxes = []
    for run, (x, y) in places:
        scale = run.size / run.typeface.units_per_em
        top, bottom = run.typeface.ascent * scale, run.typeface.descent * scale
        boxes.append(Rect(x, y - top, run.width, top - bottom))
    items: list[Items] = []
    for _, some in groupby(places, key=lambda place: id(place.run.letters[0].part)):
        own = list(some)
        letter = own[0].run.letters[0]
        outlines = [path for place in own for path in _outlines(work, place)]
        if outlines and letter.style["visibility"] == "visible":
            how = {**letter.style, "fill-rule": "nonzero", "clip-rule": "nonzero"}
            items.append(shading.painted(letter.part, joined(outlines), how, rect_around(boxes)))
    return tuple([item for some in items for item in some])


def _outlines(work: SvgWork, place: _PlacedRun) -> Iterator[Path]:
    run, (x, y) = place
    for path in run.typeface.outlines(run.body, Matrix(run.size, 0.0, 0.0, -run.size, x, y)):
        work.count(len(path.kinds))
        if path:
            yield path


def _placed(runs: list[_Run]) -> Iterator[_PlacedRun]:
    """Yield where runs lie: after each other, but for those that begin at a place of their own."""
    chunks: list[list[_Run]] = []
    for run in runs:
        if not chunks or {"x", "y"} & run.letters[0].numbers.keys():
            chunks.append([])
        chunks[-1].append(run)
    x = y = 0.0
    for chunk in chunks:
        x, y = chunk[0].number("x", x), chunk[0].number("y", y)
        width = added([run.width + run.number("dx") for run in chunk])
        x -= {"middle": 0.5, "end": 1.0}.get(chunk[0].letters[0].style["text-anchor"], 0.0) * width
        for run in chunk:
            x, y = x + run.number("dx"), y + run.number("dy")
            yield _PlacedRun(run, (x, y + _lowered(run)))
            x += run.width


def _same(fonts: SvgFonts, letters: list[SvgLetter]) -> Iterator[tuple[Typeface, list[SvgLetter]]]:
    """Yield letters that follow each other in one element and typeface, only the first of which has numbers."""
    run: list[SvgLetter] = []
    last: Typeface | None = None
    for letter in letters:
        typeface = fonts.typeface(letter.part, letter.style)
        if letter.said != " ":
            typeface = fonts.lender(typeface, letter.style, letter.said)
        if run and last is not None and (typeface is not last or letter.part is not run[0].part or letter.numbers):
            yield last, run
            run = []
        run.append(letter)
        last = typeface
    if run and last is not None:
        yield last, run


def _shaped(work: SvgWork, typeface: Typeface, letters: list[SvgLetter]) -> _Run:
    """Return letters as glyphs."""
    style = letters[0].style
    size = type_size(work, style)
    spacing, between = (
        0.0 if style[name] == "normal" else length_of_type(work, style[name], "x", size)
        for name in ("letter-spacing", "word-spacing")
    )
    bodies, widths = [], []
    for word in _WORDS.findall("".join([letter.said for letter in letters])):
        gap = spacing + (between if word == " " else 0.0)
        features = SPACED_FEATURES if spacing else USUAL_FEATURES
        shaped = typeface.shape(word, features, round(gap / size * 1000, 3) if size > 0 else 0.0)
        bodies.append(shaped.glyphs)
        widths.append(shaped.width * size / typeface.units_per_em)
    return _Run(letters, typeface, size, tj_body("".join(bodies)), added(widths))


def _lowered(run: _Run) -> float:
    """Return how far below its place the baseline of a run lies, for the line of its letters that lies there."""
    scale = run.size / run.typeface.units_per_em
    top, bottom = run.typeface.ascent * scale, run.typeface.descent * scale
    lines = {
        "middle": 0.26 * run.size, "central": (top + bottom) / 2, "hanging": 0.72 * top, "mathematical": top / 2,
        "text-before-edge": top, "text-top": top, "before-edge": top, "text-after-edge": bottom,
        "text-bottom": bottom, "after-edge": bottom, "ideographic": bottom,
    }  # fmt: skip
    return lines.get(run.letters[0].style["dominant-baseline"], 0.0)
