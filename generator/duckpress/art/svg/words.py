"""`<text>` of SVG files -> the outlines of its letters, each run of one style painted as a path.

Letters stand where their numbers say, else after each other; what begins at a place of its own is set about it as
`text-anchor` says. Blanks are those of CSS, as browsers have them. The font is the first family of a list that is
there; letters that it lacks, others lend. Source: SVG 1.1, chapter 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from msgspec import Struct

from duckpress.art import BadArt, UndrawnArt
from duckpress.art.svg.file import Complaints
from duckpress.art.svg.paths import DESCRIPTIVE
from duckpress.art.svg.reader import SvgNode
from duckpress.art.svg.shading import Shading
from duckpress.art.svg.styles import inherited, refused_by
from duckpress.art.svg.work import Items, Style, SvgWork
from duckpress.art.values import length, parse_number
from duckpress.core.geometry import Matrix, Point, Rect, added, rect_around
from duckpress.core.paths import Path, joined
from duckpress.text.bidi import RIGHT_TO_LEFT
from duckpress.text.fonts import SPACED_FEATURES, USUAL_FEATURES, WEIGHTS, FontLibrary, Typeface, tj_body

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


_MOST_LETTERS = 5_000
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_LISTS = ("x", "y", "dx", "dy")
_REFUSED = ("rotate", "textLength")  # of letters that turn or are stretched
_LENGTHS = re.compile(r"[^\s,]+")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # what no font has and no browser shows
_BLANK = re.compile(r"\r\n|\s")


class SvgLetter(Struct):
    """A letter: who declares its style, and its numbers, as far as it has any of its own."""

    said: str
    part: SvgNode
    style: Style
    keeps_blanks: bool
    numbers: dict[str, float]


def letters_of(work: SvgWork, part: SvgNode, style: Style) -> list[SvgLetter]:
    """Return the letters of a text that are shown; raises `BadArt`."""
    letters: list[SvgLetter] = []
    for letter in _every_letter(work, part, style, keeps_blanks=False):
        work.count(1)
        is_blank = letter.said == " " and not letter.keeps_blanks
        if is_blank and (not letters or letters[-1].said == " "):
            continue
        letters.append(letter)
        if len(letters) > _MOST_LETTERS:
            raise UndrawnArt(f"text of more than {_MOST_LETTERS} letters")
    while letters and letters[-1].said == " " and not letters[-1].keeps_blanks:
        letters.pop()
    places: dict[SvgNode, list[int]] = {}
    for index, letter in enumerate(letters):
        places.setdefault(letter.part, []).append(index)
    for holder in part.every():
        if any(name in holder.attrib for name in _LISTS) and holder.tag != "#text":
            own = sorted([index for inner in holder.every() for index in places.get(inner, ())])
            _take_numbers(work, holder, [letters[index] for index in own])
    return letters


def type_size(work: SvgWork, style: Style) -> float:
    """Return the size of type of a style; raises `UndrawnArt`."""
    try:
        return length(style, "font-size", 16.0, work.view)
    except BadArt as error:
        raise UndrawnArt(f"font-size: {style['font-size'][:40]}") from error


def length_of_type(work: SvgWork, text: str, axis: str, size: float) -> float:
    """Return a length along an axis that may be of the size of the type; raises `BadArt`."""
    for unit, share in (("em", 1.0), ("ex", 0.5)):
        if text.endswith(unit):
            return length({axis: text.removesuffix(unit)}, axis, 0.0, work.view) * share * size
    return length({axis: text}, axis, 0.0, work.view)


def _every_letter(work: SvgWork, part: SvgNode, style: Style, *, keeps_blanks: bool) -> Iterator[SvgLetter]:
    for name in _REFUSED:
        if name in part.attrib:
            work.refuse(part, f"{name} of a text")
    keeps_blanks = {"preserve": True, "default": False}.get(part.attrib.get(_SPACE, ""), keeps_blanks)
    keeps = keeps_blanks or style["white-space"].startswith(("pre", "break-spaces"))
    for child in part.children:
        if child.tag == "#text":
            for said in _UNSEEN.sub("", _BLANK.sub(" ", child.words)):
                yield SvgLetter(said, part, style, keeps, {})
        elif child.tag in ("tspan", "a"):
            declared = work.declared(child)
            for what in refused_by(child, declared):
                work.refuse(child, what)
            if declared.get("display") != "none":
                own = inherited(style, declared | work.painter.repainted(child))
                yield from _every_letter(work, child, own, keeps_blanks=keeps_blanks)
        elif child.tag not in DESCRIPTIVE:
            raise UndrawnArt(f"<{child.tag}> in a text")


def _take_numbers(work: SvgWork, holder: SvgNode, letters: list[SvgLetter]) -> None:
    """Let letters have the numbers of an element that they stand in; those of outer ones were given before."""
    for name in _LISTS:
        if name not in holder.attrib or not letters:
            continue
        size = type_size(work, letters[0].style)
        for letter, text in zip(letters, _LENGTHS.findall(holder.attrib[name]), strict=False):
            letter.numbers[name] = length_of_type(work, text, name[-1], size)


_WORDS = re.compile(" |[^ ]+")


class _Run(NamedTuple):
    """Letters of one element that are shaped together: their typeface and size, the body of their `TJ`, their width."""

    letters: list[SvgLetter]
    typeface: Typeface
    size: float
    body: str
    width: float

    def number(self, name: str, default: float = 0.0) -> float:
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
