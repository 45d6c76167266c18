"""The letters of `<text>` in SVG files: what is said, in which style, and the numbers that stand at letters.

Blanks are those of CSS, as browsers have them. Source: SVG 1.1, sections 10.4, 10.5 and 10.15.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from duckpress.art.attribute_values import length
from duckpress.art.bad_art import BadArt, UndrawnArt
from duckpress.art.svg import svg_style as svgstyle
from duckpress.art.svg.svg_paths import DESCRIPTIVE
from duckpress.art.svg.svg_reader import SvgNode
from duckpress.art.svg.svg_work import Style, SvgWork

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
            for what in svgstyle.refused_by(child, declared):
                work.refuse(child, what)
            if declared.get("display") != "none":
                own = svgstyle.inherited(style, declared | work.painter.repainted(child))
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
