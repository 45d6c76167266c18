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
from duckpress.art.svg import SvgNode
from duckpress.art.svg.paths import DESCRIPTIVE
from duckpress.art.svg.styles import inherited, refused_by
from duckpress.art.svg.work import Items, Style, SvgWork
from duckpress.art.values import length, parse_number
from duckpress.core.frame import Item
from duckpress.core.geometry import Matrix, Point, Rect, added, rect_around
from duckpress.core.paths import Path, joined
from duckpress.text.bidi import RIGHT_TO_LEFT
from duckpress.text.fonts import SPACED_FEATURES, USUAL_FEATURES, WEIGHTS, Typeface, tj_body

_GENERIC = {
    "serif": "Gloock", "sans-serif": "Alegreya Sans", "sans": "Alegreya Sans", "system-ui": "Alegreya Sans",
    "ui-sans-serif": "Alegreya Sans", "cursive": "Patrick Hand", "fantasy": "Grenze Gotisch", "emoji": "Noto Emoji",
}  # fmt: skip
# The letters of the one are those of the other, which went on from it.
_SAME = {"bitstream vera sans": "dejavu sans", "vera sans": "dejavu sans"}
_NAMED_WEIGHTS = {"normal": 400, "bold": 700, "bolder": 700, "lighter": 300}


def _typeface(work: SvgWork, part: SvgNode, families: str, weight: str, lean: str) -> Typeface:
    """Return the typeface of a style; raises `UndrawnArt`."""
    library = work.fonts
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
                work.complaints.note(part, what, "name a family of fonts/ in the file's font-family")
            return typeface
    raise UndrawnArt(f"text in the font {names[0][:40]!r}, which is not in fonts/,")


def _fallback(work: SvgWork, style: Style, letter: str) -> Typeface:
    """Return a fallback typeface that has a letter; raises `UndrawnArt`."""
    weight, is_italic = _weight(style["font-weight"]), _is_italic(style["font-style"])
    for are_others in (False, True):
        for other in work.fonts.fallbacks(weight, is_italic, are_others=are_others) if work.fonts else ():
            if other.covers(letter):
                return other
    raise UndrawnArt(f"the letter {letter!r}, which no font has,")


def _weight(text: str) -> str:
    """Return the name of the nearest weight to a number or a name of CSS."""
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


class _Letter(Struct):
    """A letter: its element, its style, and its own coordinates, if it has any."""

    said: str
    part: SvgNode
    style: Style
    keeps_blanks: bool
    numbers: dict[str, float]


def _letters_of(work: SvgWork, part: SvgNode, style: Style) -> list[_Letter]:
    """Return the visible letters of a text; raises `BadArt`."""
    letters: list[_Letter] = []
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
            size = _type_size(work, letters[own[0]].style) if own else 0.0
            for name in _LISTS if own else ():  # those of outer elements were given before
                for index, text in zip(own, _LENGTHS.findall(holder.attrib.get(name, "")), strict=False):
                    letters[index].numbers[name] = _length_of_type(work, text, name[-1], size)
    return letters


def _type_size(work: SvgWork, style: Style) -> float:
    """Return the size of type of a style; raises `UndrawnArt`."""
    try:
        return length(style, "font-size", 16.0, work.view)
    except BadArt as error:
        raise UndrawnArt(f"font-size: {style['font-size'][:40]}") from error


def _length_of_type(work: SvgWork, text: str, axis: str, size: float) -> float:
    """Return a length along an axis, perhaps relative to the size of type; raises `BadArt`."""
    for unit, share in (("em", 1.0), ("ex", 0.5)):
        if text.endswith(unit):
            return length({axis: text.removesuffix(unit)}, axis, 0.0, work.view) * share * size
    return length({axis: text}, axis, 0.0, work.view)


def _every_letter(work: SvgWork, part: SvgNode, style: Style, *, keeps_blanks: bool) -> Iterator[_Letter]:
    for name in _REFUSED:
        if name in part.attrib:
            work.refuse(part, f"{name} of a text")
    keeps_blanks = {"preserve": True, "default": False}.get(part.attrib.get(_SPACE, ""), keeps_blanks)
    keeps = keeps_blanks or style["white-space"].startswith(("pre", "break-spaces"))
    for child in part.children:
        if child.tag == "#text":
            for said in _UNSEEN.sub("", _BLANK.sub(" ", child.words)):
                yield _Letter(said, part, style, keeps, {})
        elif child.tag in ("tspan", "a"):
            declared = work.declared(child)
            for what in refused_by(child, declared):
                work.refuse(child, what)
            if declared.get("display") != "none":
                own = inherited(style, declared | work.painter.repainted(child))
                yield from _every_letter(work, child, own, keeps_blanks=keeps_blanks)
        elif child.tag not in DESCRIPTIVE:
            raise UndrawnArt(f"<{child.tag}> in a text")


_WORDS = re.compile(" |[^ ]+")


class _Run(NamedTuple):
    """Letters of one element that are shaped together: their typeface and size, the body of their `TJ`, their width."""

    letters: list[_Letter]
    typeface: Typeface
    size: float
    body: str
    width: float

    def number(self, name: str, default: float = 0.0) -> float:
        return self.letters[0].numbers.get(name, default)


def draw_text(work: SvgWork, part: SvgNode, style: Style) -> Items:
    """Return a text as items; raises `BadArt`."""
    letters = _letters_of(work, part, style)
    if RIGHT_TO_LEFT.search("".join([letter.said for letter in letters])):
        raise UndrawnArt("text from right to left")
    places = list(_run_starts([_shaped(work, typeface, some) for typeface, some in _letter_runs(work, letters)]))
    boxes = []
    for run, (x, y) in places:
        scale = run.size / run.typeface.units_per_em
        top, bottom = run.typeface.ascent * scale, run.typeface.descent * scale
        boxes.append(Rect(x, y - top, run.width, top - bottom))
    items: list[Item] = []
    for _, some in groupby(places, key=lambda place: id(place[0].letters[0].part)):
        own = list(some)
        letter = own[0][0].letters[0]
        outlines: list[Path] = []
        for run, (x, y) in own:
            for path in run.typeface.outlines(run.body, Matrix(run.size, 0.0, 0.0, -run.size, x, y)):
                work.count(len(path.kinds))
                outlines += [path] if path else []
        if outlines and letter.style["visibility"] == "visible":
            how = {**letter.style, "fill-rule": "nonzero", "clip-rule": "nonzero"}
            items += work.painted(letter.part, joined(outlines), how, rect_around(boxes))
    return tuple(items)


def _run_starts(runs: list[_Run]) -> Iterator[tuple[_Run, Point]]:
    """Yield runs and the starts of their baselines: one after the other, unless a run has coordinates of its own."""
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
            yield run, (x, y + _baseline_shift(run))
            x += run.width


def _letter_runs(work: SvgWork, letters: list[_Letter]) -> Iterator[tuple[Typeface, list[_Letter]]]:
    """Yield runs of letters of one element and typeface; only the first letter may have coordinates."""
    typefaces: dict[tuple[str, str, str], Typeface] = {}
    run: list[_Letter] = []
    last: Typeface | None = None
    for letter in letters:
        key = letter.style["font-family"], letter.style["font-weight"], letter.style["font-style"]
        if key not in typefaces:
            typefaces[key] = _typeface(work, letter.part, *key)
        typeface = typefaces[key]
        if letter.said != " " and not typeface.covers(letter.said):
            typeface = _fallback(work, letter.style, letter.said)
        if run and last is not None and (typeface is not last or letter.part is not run[0].part or letter.numbers):
            yield last, run
            run = []
        run.append(letter)
        last = typeface
    if run and last is not None:
        yield last, run


def _shaped(work: SvgWork, typeface: Typeface, letters: list[_Letter]) -> _Run:
    """Return letters as glyphs."""
    style = letters[0].style
    size = _type_size(work, style)
    spacing, between = (
        0.0 if style[name] == "normal" else _length_of_type(work, style[name], "x", size)
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


def _baseline_shift(run: _Run) -> float:
    """Return how far the baseline of a run lies below its y, by its `dominant-baseline`."""
    scale = run.size / run.typeface.units_per_em
    top, bottom = run.typeface.ascent * scale, run.typeface.descent * scale
    lines = {
        "middle": 0.26 * run.size, "central": (top + bottom) / 2, "hanging": 0.72 * top, "mathematical": top / 2,
        "text-before-edge": top, "text-top": top, "before-edge": top, "text-after-edge": bottom,
        "text-bottom": bottom, "after-edge": bottom, "ideographic": bottom,
    }  # fmt: skip
    return lines.get(run.letters[0].style["dominant-baseline"], 0.0)
