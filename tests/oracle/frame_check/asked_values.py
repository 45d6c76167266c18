"""What attributes and light markup ask for, once no element has a mistake in it; and what is alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import fsum
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.art.values import dash_lengths, grey_of, hex_colour, parse_number, parse_transform
from duckpress.core.frame import Group, Item, Outline, Paint, Picture, PlacedDrawing, Text
from duckpress.core.geometry import IDENTITY, Matrix, Rect, parse_length
from duckpress.core.paths import Path
from duckpress.layout.face_xml import FaceNode
from duckpress.layout.theme import Look

Attributes = Mapping[str, str]

SLIP_MM = 0.003  # places are rounded more than once on their way
_SLIP_OF_SCALES = 2e-5
_CAPS = ("butt", "round", "square")
_JOINS = ("miter", "round", "bevel")


class WrongFrame(Exception):
    """What a frame has otherwise than its template asks for, in words."""


def mm(attributes: Attributes, name: str, default: float) -> float:
    """Return a length in millimetres; the default for none and for `auto`."""
    text = attributes.get(name, "auto")
    if text == "auto":
        return default
    length = parse_length(text)
    return (parse_number(text) or 0.0) if length is None else length


def number(attributes: Attributes, name: str, default: float = 1.0) -> float:
    return float(attributes.get(name, default))


def box_in(attributes: Attributes, cell: Rect) -> Rect:
    """Return the box of x, y, width and height in a cell."""
    x_mm, y_mm = mm(attributes, "x", 0.0), mm(attributes, "y", 0.0)
    width_mm = mm(attributes, "width", max(0.0, cell.width_mm - x_mm))
    height_mm = mm(attributes, "height", max(0.0, cell.height_mm - y_mm))
    return Rect(cell.x_mm + x_mm, cell.y_mm + y_mm, width_mm, height_mm)


def matrix_in(attributes: Attributes) -> Matrix:
    return parse_transform(attributes["transform"]) if "transform" in attributes else IDENTITY


def colour_in(look: Look, text: str) -> str | None:
    """Return what a role or `#rrggbb` is painted in; None for nothing."""
    if text in look.unpainted:
        return None
    written = hex_colour(text)
    own = grey_of(written) if written is not None and look.is_grey else written
    return look.palette.get(text, own)


def paint_in(look: Look, attributes: Attributes, fill: str = "none", stroke: str = "none") -> Paint:
    """Return how a shape is painted; `fill` and `stroke` are the colours where the attribute is missing."""
    line, width_mm = colour_in(look, attributes.get("stroke", stroke)), mm(attributes, "stroke-width", 0.25)
    return Paint(
        fill=colour_in(look, attributes.get("fill", fill)),
        stroke=line if width_mm else None,
        stroke_mm=width_mm if line else 0.0,
        fill_opacity=number(attributes, "fill-opacity"),
        stroke_opacity=number(attributes, "stroke-opacity"),
        dash_mm=dash_lengths(attributes.get("stroke-dasharray", "")) or (),
        cap=_CAPS.index(attributes.get("stroke-linecap", "butt")),
        join=_JOINS.index(attributes.get("stroke-linejoin", "miter")),
        even_odd=attributes.get("fill-rule") == "evenodd",
    )


def painted(path: Path, paint: Paint, opacity: float = 1.0) -> tuple[Item, ...]:
    """Return a path as an item; the opacity of a filled path with a line is that of both together."""
    if not path or not (paint.fill or paint.stroke) or not opacity:
        return ()
    return (Group((Outline(path, paint),), opacity=opacity),) if opacity < 1 else (Outline(path, paint),)


def is_near(numbers: Iterable[float], others: Iterable[float], slip: float = SLIP_MM) -> bool:
    return all(abs(one - other) <= slip for one, other in zip(numbers, others, strict=True))


def is_alike(items: Sequence[Item], others: Sequence[Item]) -> bool:
    return len(items) == len(others) and all(map(_is_alike, map(_plain, items), map(_plain, others)))


def _plain(item: Item) -> Item:
    """Return an item without a group that only makes one line, or one fill, fainter."""
    if not (isinstance(item, Group) and item.matrix == IDENTITY and not item.clip and len(item.items) == 1):
        return item
    inner = item.items[0]
    if not isinstance(inner, Outline) or (inner.paint.fill and inner.paint.stroke):
        return item
    paint = inner.paint
    fill_opacity, stroke_opacity = (round(one * item.opacity, 4) for one in (paint.fill_opacity, paint.stroke_opacity))
    return Outline(inner.path, replace(paint, fill_opacity=fill_opacity, stroke_opacity=stroke_opacity))


def _is_alike(item: Item, other: Item) -> bool:
    if item == other:
        return True
    if isinstance(item, Outline) and isinstance(other, Outline):
        return item.paint == other.paint and is_same_path(item.path, other.path)
    if isinstance(item, Picture) and isinstance(other, Picture):
        place, wanted = [(one.x_mm, one.y_mm, one.width_mm, one.height_mm) for one in (item, other)]
        return item.key == other.key and is_near(place, wanted)
    if isinstance(item, PlacedDrawing) and isinstance(other, PlacedDrawing):
        return item.key == other.key and is_same_matrix(item.matrix, other.matrix)
    if isinstance(item, Group) and isinstance(other, Group):
        is_same = is_same_matrix(item.matrix, other.matrix) and is_same_path(item.clip, other.clip)
        return is_same and abs(item.opacity - other.opacity) < SLIP_MM and is_alike(item.items, other.items)
    return False


def is_same_path(path: Path, other: Path) -> bool:
    return path.kinds == other.kinds and is_near(path.numbers, other.numbers)


def is_same_matrix(matrix: Matrix, other: Matrix) -> bool:
    return is_near(matrix[:4], other[:4], _SLIP_OF_SCALES) and is_near(matrix[4:], other[4:])


def area_of(path: Path) -> tuple[float, tuple[float, float]]:
    """Return the area within a path of straight lines, and its left and top."""
    area = 0.0
    for part in path.subpaths():
        corners = list(zip(part.numbers[::2], part.numbers[1::2], strict=True))
        area += fsum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise([*corners, corners[0]])) / 2
    return abs(area), (min(path.numbers[::2]), min(path.numbers[1::2]))


class MadeElement(NamedTuple):
    """What an element was made into: the cell it was given, its items, and the elements that were made inside."""

    node: FaceNode
    cell: Rect
    items: Sequence[Item]
    inside: Sequence[MadeElement]


ICON = "{}"  # stands for an icon among letters
_MARKS = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])|\{=(?P<field>[^{}\n\\*]{1,80})\}|\{(?P<icon>[^={}\n\\*\s][^{}\n\\*]{0,80})\}"
    r"|(?P<end><br ?/?>)"
)
_ICONS = re.compile(r"\{([^={}\n\\*\s][^{}\n\\*]{0,80})\}")
_ITEMS = re.compile(r"^[ \t\r\f\v]*- (?=[ \t\r\f\v]*\S)", re.MULTILINE)
_EMPHASIS = re.compile(r"(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])\1")

_EAST_ASIAN = "\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uffe6\U00020000-\U0003fffd"
_WITHIN = re.compile(f"(?<=[-\u2010\u2013\u2014/{_EAST_ASIAN}]) | (?=[{_EAST_ASIAN}])")


_UNSEEN = dict.fromkeys((0xAD, 0x200D))


class AskedWords(NamedTuple):
    """The letters that a text asks for, folded, and the names of its icons.

    `emphasised` are the letters with one star, two and three around them; None where that is not plain to see.
    `has_breaks`: it may have more than one paragraph.
    """

    letters: str
    icons: Sequence[str] = ()
    emphasised: Sequence[str] | None = ()
    has_breaks: bool = False


class _Letters(dict[int, str]):
    """What each character counts as: French quotes as plain ones, what nobody sees as nothing."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        is_seen = not character.isspace() and unicodedata.category(character) not in ("Cf", "Cc")
        self[code] = character if is_seen else ""
        return self[code]


_COLOURING = [0xFE0E, 0xFE0F, *range(0x1F3FB, 0x1F400)]  # of emoji, which are drawn in one colour
_LETTERS = _Letters(
    {**dict.fromkeys(_COLOURING, ""), **{ord(quote): '"' for quote in "«»“”"}, ord("’"): "'", ord("•"): ""}
)


def folded(text: str, caps: str = "none") -> str:
    """Return the letters of a text; where they are set in capitals, all are small and without accents."""
    letters = "".join(text.split())
    if "*" in letters or "\\" in letters:
        letters = letters.replace("*", "").replace("\\", "")
    if not (letters.isascii() and letters.isprintable()):
        letters = letters.translate(_LETTERS)
    if caps != "none":
        bare = unicodedata.normalize("NFKD", letters.replace("ı", "i").casefold())
        letters = "".join(letter for letter in bare if not unicodedata.combining(letter))
    return letters


def asked_words(source: str, values: Mapping[str, str], caps: str = "none") -> AskedWords:
    """Return what a text asks for, with the values of fields that it names."""
    has_breaks = "\n" in source or "<br" in source
    if has_breaks or source.startswith("- "):
        source = _ITEMS.sub("", source)
    icons: list[str] = []
    is_plain = True
    if "\\" in source or "<br" in source or "{=" in source:
        filled = _filled(source, values, icons)
        is_plain = "\\" not in source and filled.count("*") == source.count("*")
        source = filled
    elif "{" in source:
        parts = _ICONS.split(source)
        icons, source = parts[1::2], ICON.join(parts[::2])
    emphasised: Sequence[str] | None = ()
    if "*" in source:
        parts = _EMPHASIS.split(source)
        emphasised = None
        if is_plain and "*" not in "".join(parts[::3]):
            inside = ["", "", ""]
            for stars, inner in zip(parts[1::3], parts[2::3], strict=True):
                inside[len(stars) - 1] += inner
            emphasised = [folded(inner, caps) if inner else "" for inner in inside]
    return AskedWords(folded(source, caps), icons, emphasised, has_breaks)


def _filled(source: str, values: Mapping[str, str], icons: list[str]) -> str:
    """Return a text with its escapes, fields and breaks worked out, and its icons named in `icons`."""

    def said(match: re.Match[str]) -> str:
        if match["field"]:
            return _MARKS.sub(said, values.get(match["field"].strip(), ""))
        if match["icon"]:
            icons.append(match["icon"])
            return ICON
        return match["escaped"] or " "

    return _MARKS.sub(said, source)


def words_apart(text: str) -> str:
    """Return the words of a text with one space between them, none where a line may end within one."""
    return _WITHIN.sub("", " ".join(text.replace("\u00ad ", "").translate(_UNSEEN).split()))


def shown_letters(items: Iterable[Item], caps: str = "none") -> str:
    return folded("".join([item.text if isinstance(item, Text) else ICON for item in items]), caps)


def without_marks(letters: str) -> tuple[str, list[str]]:
    """Return letters without their marks, and the marks: one on a ligature stands beside the whole of it."""
    marks = filter(unicodedata.combining, letters)
    return "".join(letter for letter in letters if not unicodedata.combining(letter)), sorted(marks)


def letters_differ(asked: str, shown: str) -> str:
    """Return where letters differ, in words: what stands there, and what was asked for."""
    at = next((at for at, both in enumerate(zip(asked, shown, strict=False)) if both[0] != both[1]), None)
    at = min(len(asked), len(shown)) if at is None else at
    start = max(0, at - 10)
    return f"are {shown[start : at + 15]!r} where {asked[start : at + 15]!r} was asked for"
