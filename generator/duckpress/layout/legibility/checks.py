"""Checks of legibility: `low-contrast` for words on their ground, `colour-alone` for cards that differ in nothing else,
`picture-resolution` for pictures that are printed larger than their pixels allow.

Colours are `#rrggbb` in sRGB (IEC 61966-2-1), differences are CIE 1976 (Euclidean in CIELAB, D65 white).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, Picture, PlacedDrawing, Text, digest_of
from duckpress.core.geometry import IDENTITY, MM_PER_INCH, Matrix, added
from duckpress.core.problems import Level, Problem, Source
from duckpress.layout.legibility.grounds import Grounds, ends_of

LOWEST_DPI = 150.0
_ENLARGED = 1.001


def coarsest_dpi(items: Iterable[Item], drawings: Mapping[str, Drawing], pictures: Mapping[str, PictureData]) -> float:
    """Return the lowest resolution in dots per inch of a face's pictures that a group enlarges.

    It is `LOWEST_DPI` where none is coarser. What no group enlarges is the business of `layout`, which warns of it at
    its element (`low-resolution`).
    """
    coarsest = LOWEST_DPI
    for item in items if pictures else ():
        if isinstance(item, Group):
            for key, (a, b, c, d, _, _), outer in _placed([item], drawings, IDENTITY, IDENTITY):
                is_enlarged = max(math.hypot(outer.a, outer.b), math.hypot(outer.c, outer.d)) > _ENLARGED
                picture = pictures.get(key)
                if picture is not None and is_enlarged and a * d != b * c:
                    dots = min(picture.width_px / math.hypot(a, b), picture.height_px / math.hypot(c, d))
                    coarsest = min(coarsest, dots * MM_PER_INCH)
    return coarsest if coarsest < LOWEST_DPI - 0.5 else LOWEST_DPI  # a picture of just so many pixels is not told of


def largest_scale(key: str, shown: Iterable[Iterable[Item]], drawings: Mapping[str, Drawing]) -> float:
    """Return the largest scale at which a drawing is printed."""
    placed = (
        matrix for items in shown for name, matrix, _ in _placed(items, drawings, IDENTITY, IDENTITY) if name == key
    )
    return max([max(math.hypot(m.a, m.b), math.hypot(m.c, m.d)) for m in placed], default=1.0)


def _placed(
    items: Iterable[Item], drawings: Mapping[str, Drawing], matrix: Matrix, groups: Matrix
) -> Iterator[tuple[str, Matrix, Matrix]]:
    """Yield the pictures (as of one mm) and the drawings that items place, nested ones included.

    Each comes with its matrix, and with that of the groups around it alone.
    """
    for item in items:
        if isinstance(item, Picture):
            yield item.key, matrix.after(Matrix(item.width_mm, 0.0, 0.0, item.height_mm)), groups
        elif isinstance(item, PlacedDrawing):
            inner = matrix.after(item.matrix)
            yield item.key, inner, groups
            if item.key in drawings:
                yield from _placed(drawings[item.key].items, drawings, inner, groups)
        elif isinstance(item, Group) and item.opacity > 0:
            yield from _placed(item.items, drawings, matrix.after(item.matrix), groups.after(item.matrix))


# What dichromats see, on linear RGB. Source: Machado, Oliveira, Fernandes, "A Physiologically-based Model for
# Simulation of Color Vision Deficiency", IEEE TVCG 15 (6), 2009; severity 1.0.
SIMULATIONS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
GREY = "grey"
_WHITE = (0.95047, 1.0, 1.08883)

Linear = tuple[float, float, float]


@cache
def linear(colour: str) -> Linear:
    """Return a colour's red, green and blue as amounts of light, 0 to 1."""
    values = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in values)
    return red, green, blue


def light_of(colour: str) -> float:
    """Return the share of light that a colour reflects, 0 (black) to 1 (white).

    Source: IEC 61966-2-1 (sRGB), ITU-R BT.709; WCAG 2.1, relative luminance.
    """
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@cache
def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 (none) to 21 (black on white). Source: WCAG 2.1, contrast ratio."""
    high, low = sorted((light_of(one), light_of(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def difference(one: str, other: str, vision: str) -> float:
    """Return how different two colours look: to all eyes (`""`), to one of `SIMULATIONS`, or printed in `grey`."""
    if vision == GREY:
        return abs(_lightness(one) - _lightness(other))
    return math.dist(_lab(one, vision), _lab(other, vision))


@cache
def _lightness(colour: str) -> float:
    return 116 * _cube_root(light_of(colour)) - 16


@cache
def _lab(colour: str, vision: str) -> tuple[float, float, float]:
    light = linear(colour)
    if vision:
        rows = SIMULATIONS[vision]
        red, green, blue = (min(1.0, max(0.0, added(map(float.__mul__, row, light)))) for row in rows)
    else:
        red, green, blue = light
    x = _cube_root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / _WHITE[0])
    y = _cube_root((0.2126 * red + 0.7152 * green + 0.0722 * blue) / _WHITE[1])
    z = _cube_root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / _WHITE[2])
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _cube_root(value: float) -> float:
    # Source: CIE 15:2004, 8.2.1; below (6/29)^3 the root is replaced by a straight line.
    return math.cbrt(value) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116


# Source: WCAG 2.1, success criterion 1.4.3 (AA): 4.5 to 1, and 3 to 1 for words of 18 pt and more. Weights of fonts
# are unknown here, so bold of 14 pt is not let off.
LEAST_CONTRAST = 4.5
LEAST_CONTRAST_LARGE = 3.0
LARGE_PT = 18.0
# Two colours nearer than this are taken for one at arm's length on paper; five times what the eye just notices side by
# side (2.3: Mahy, Van Eycken, Oosterlinck, Color Research and Application 19 (2), 1994).
LEAST_DIFFERENCE = 11.5
# Smaller words (a card's number in the corner of its edition) tell nobody at the table one card from another.
LEAST_TOLD_PT = 6.0
_LEAST_TOLD_MM = LEAST_TOLD_PT * 25.4 / 72
_MOST_PAIRS = 2_000
_BESIDE = (0.1, 0.9)  # where on a run of words it is looked at besides the middle
_NAMES = {"protanopia": "without red", "deuteranopia": "without green", "tritanopia": "without blue", GREY: "in grey"}


_Colours = tuple[str | None, ...]


class Seen(Struct, frozen=True):
    """A face to check: its deck and card, its side, and the sources of card and layout."""

    deck: str
    card: str
    side: str
    frame: Frame
    card_at: Source
    layout_at: Source


Colour = Annotated[str, Meta(pattern="^#[0-9a-f]{6}$")]


class Faint(NamedTuple):
    """A run of words too near its ground: its text, its colour, the ground's colour, and the required contrast.

    `fill` is the colour that it is painted in, `colour` the one that is seen in a group with an opacity.
    """

    text: str
    fill: Colour
    colour: Colour
    ground: Colour
    least: float


def check_legibility(
    faces: Sequence[Seen],
    drawings: Mapping[str, Drawing],
    decorations: Collection[tuple[str, str]] = (),
    faint: Mapping[str, Sequence[Faint]] | None = None,
    said: Mapping[str, str] | None = None,
    coarse: Mapping[str, float] | None = None,
) -> list[Problem]:
    """Return the findings of a piece's faces, as warnings: repeated ones once, with the first card and a count.

    Words of `decorations` (with their colours) are ornaments: nobody has to read them. `faint` are the words of frames
    that were looked at before, by the hashes of the frames; `said` is what `words_said` returns of such frames,
    `coarse` what `coarsest_dpi` does.
    """
    return [
        *_hard_to_read(faces, drawings, decorations, faint or {}),
        *_told_by_colour(faces, drawings, said or {}),
        *_coarse(faces, coarse or {}),
    ]


def _coarse(faces: Sequence[Seen], coarse: Mapping[str, float]) -> Iterator[Problem]:
    """Yield a `picture-resolution` for the coarsest enlarged picture on a side of a deck."""
    by_side: dict[tuple[str, str], list[tuple[float, Seen]]] = {}
    for face in faces:
        dpi = coarse.get(face.frame.hash, LOWEST_DPI)
        if dpi < LOWEST_DPI:
            by_side.setdefault((face.deck, face.side), []).append((dpi, face))
    for (deck, side), alike in by_side.items():
        dpi, face = min(alike, key=lambda one: one[0])
        others = _and_others({face.card for _, face in alike})
        what = (
            f"the {side} of card {face.card!r} of deck {deck!r}: a picture is printed at {dpi:.0f} dpi; below "
            f"{LOWEST_DPI:.0f} it looks coarse{others}"
        )
        fix = "use a larger picture, or print it smaller"
        yield Problem("picture-resolution", face.layout_at, what, fix, Level.WARNING)


def _and_others(cards: set[str]) -> str:
    return f" (and on {len(cards) - 1} more card{'s' if len(cards) > 2 else ''})" if len(cards) > 1 else ""


def words_said(items: Sequence[Item]) -> str:
    """Return a hash of all words on a face that are large enough to tell cards apart."""
    return digest_of(*[item.text for item in items if type(item) is Text and item.size_mm >= _LEAST_TOLD_MM])


def faint_words(items: Sequence[Item], grounds: Grounds) -> list[Faint]:
    """Return the words of a face with too little contrast, ornaments included."""
    grounds.open(items)
    faint = []
    for words in ends_of(items, grounds):
        least = LEAST_CONTRAST_LARGE if words.size_pt >= LARGE_PT else LEAST_CONTRAST
        ground = grounds.under(words.point(0.5), words.after)
        if ground is None or contrast(words.colour, ground) >= least:
            continue  # where a picture lies nothing is said
        if any(grounds.under(words.point(part), words.after) == ground for part in _BESIDE):  # it is under most of them
            faint.append(Faint(words.item.text, words.item.fill, words.colour, ground, least))
    return faint


def _hard_to_read(
    faces: Sequence[Seen],
    drawings: Mapping[str, Drawing],
    decorations: Collection[tuple[str, str]],
    faint: Mapping[str, Sequence[Faint]],
) -> Iterable[Problem]:
    """Yield a `low-contrast` for each pair of word colour and ground colour in a deck."""
    by_kind: dict[tuple[str, str, Source, str, str, str], list[tuple[Faint, str]]] = {}
    first: dict[str, Seen] = {}
    for face in faces:
        first.setdefault(face.frame.hash, face)
    grounds = Grounds(drawings)
    new_faint = {key: faint_words(face.frame.items, grounds) for key, face in first.items() if key not in faint}
    for key, face in first.items():
        for run in new_faint[key] if key in new_faint else faint[key]:
            if (run.text, run.fill) not in decorations:
                kind = (face.deck, face.side, face.layout_at, run.fill, run.colour, run.ground)
                by_kind.setdefault(kind, []).append((run, face.card))
    for (deck, side, source, fill, colour, ground), alike in by_kind.items():
        worst, card = max(alike, key=lambda one: one[0].least - contrast(one[0].colour, one[0].ground))
        others = _and_others({card for _, card in alike})
        words = " ".join(worst.text.split())
        words = words if len(words) <= 30 else f"{words[:29]}…"
        seen = colour if colour == fill else f"{fill}, seen as {colour} in a group with an opacity,"
        what = (
            f"{side} of card {card!r} of deck {deck!r}: {words!r} is hard to read: {seen} on "
            f"{ground} has a contrast of {math.floor(contrast(colour, ground) * 10) / 10} to 1{others}"
        )
        fix = f"take a darker or a lighter colour for one of the two, for {worst.least:g} to 1 or more"
        if colour != fill:
            fix = f"give the group more opacity, or {fix}"
        yield Problem("low-contrast", source, what, fix, Level.WARNING)


def _told_by_colour(
    faces: Sequence[Seen], drawings: Mapping[str, Drawing], said: Mapping[str, str]
) -> Iterable[Problem]:
    """Yield a `colour-alone` for two cards of a deck that differ only in colours that some eyes confuse."""
    alike: dict[tuple[str, str, str], list[Seen]] = {}
    for face in faces:
        says = said.get(face.frame.hash) or words_said(face.frame.items)
        alike.setdefault((face.deck, face.side, says), []).append(face)
    for (deck, side, _says), group in alike.items():
        if len(group) < 2:
            continue
        by_shape: dict[object, dict[_Colours, Seen]] = {}
        for face in group:
            parts = list(_parts(face.frame.items, drawings))
            colours = tuple([colour for _, painted in parts for colour in painted])
            by_shape.setdefault(tuple([part for part, _ in parts]), {}).setdefault(colours, face)
        for different in by_shape.values():
            yield from _confused(deck, side, different)


def _confused(deck: str, side: str, faces: Mapping[_Colours, Seen]) -> Iterable[Problem]:
    pairs = combinations(faces.items(), 2)
    for number, ((colours, one), (others, other)) in enumerate(pairs):
        if number >= _MOST_PAIRS:
            return
        pairs_of_colours = [pair for pair in zip(colours, others, strict=True) if pair[0] != pair[1]]
        visions = [_NAMES[vision] for vision in (*SIMULATIONS, GREY) if not _differ(pairs_of_colours, vision)]
        if visions:
            listed = " and ".join(filter(None, (", ".join(visions[:-1]), visions[-1])))
            what = (
                f"the {side}s of cards {one.card!r} and {other.card!r} of deck {deck!r} differ in colour alone, and "
                f"look alike {listed}"
            )
            fix = "tell them apart by a mark, a word or a pattern as well, or by one colour much lighter than the other"
            yield Problem("colour-alone", other.card_at, what, fix, Level.WARNING)


def _differ(pairs: Iterable[tuple[str | None, str | None]], vision: str) -> bool:
    return any(not one or not other or difference(one, other, vision) >= LEAST_DIFFERENCE for one, other in pairs)


def _parts(items: Sequence[Item], drawings: Mapping[str, Drawing]) -> Iterator[tuple[object, _Colours]]:
    """Yield all visible items, in painting order, each without its colours and with them."""
    for item in items:
        if isinstance(item, Outline):
            fill, stroke = item.paint.fill, item.paint.stroke
            yield (item.path, replace(item.paint, fill=fill and "x", stroke=stroke and "x")), (fill, stroke)
        elif isinstance(item, Text):
            if item.size_mm >= _LEAST_TOLD_MM:
                yield replace(item, fill=""), (item.fill,)
        elif isinstance(item, Picture):
            yield item, ()
        else:
            # A drawing or a group: what is in it stands between two marks.
            inside = drawings[item.key].items if isinstance(item, PlacedDrawing) else item.items
            yield (item.matrix, None if isinstance(item, PlacedDrawing) else (item.clip, item.opacity)), ()
            yield from _parts(inside, drawings)
            yield "end", ()
