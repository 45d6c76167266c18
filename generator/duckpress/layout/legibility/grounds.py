"""The runs of words of a face, and the ground under them: the colour painted there last before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.frame import (
    Drawing,
    Group,
    Item,
    Outline,
    Paint,
    Picture,
    PlacedDrawing,
    Text,
    flattened,
    item_bounds,
)
from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.core.paths import NO_PATH, rectangle

PAPER = "#ffffff"
_ROUNDING_MM = 1e-6
_EVERYWHERE = rectangle(-1e6, -1e6, 2e6, 2e6)


_Sheer = list[tuple[str, float]]
"""Colours that something shines through, each with its opacity, the topmost first."""

_Look = tuple[str | None, _Sheer]
"""The topmost colour at a point that nothing shines through (None for none, "" for a picture), and what is above it."""


def _visible_colour(look: _Look) -> str | None:
    """Return the visible colour, None for a picture."""
    solid, sheer = look
    if solid == "":
        return None
    colour = solid or PAPER
    for over, opacity in reversed(sheer):
        colour = _over(over, opacity, colour)
    return colour


def _topmost(items: Sequence[Item], x: float, y: float, drawings: Mapping[str, Drawing]) -> _Look:
    """Return the visible layers of several items at a point."""
    sheer: _Sheer = []
    for item in reversed(items):
        solid, above = _look_at(item, x, y, drawings)
        sheer += above
        if solid is not None:
            return solid, sheer
    return None, sheer


def _look_at(item: Item, x: float, y: float, drawings: Mapping[str, Drawing]) -> _Look:
    """Return the visible layers of an item at a point."""
    if isinstance(item, Outline):
        paint, path = item.paint, flattened(item.path)
        if paint.stroke is not None and path.is_near(x, y, paint.stroke_mm / 2):
            return (paint.stroke, []) if paint.stroke_opacity == 1 else (None, [(paint.stroke, paint.stroke_opacity)])
        if paint.fill is None or not path.holds(x, y, even_odd=paint.even_odd):
            return None, []
        return (paint.fill, []) if paint.fill_opacity == 1 else (None, [(paint.fill, paint.fill_opacity)])
    if isinstance(item, Picture):
        is_there = 0 <= x - item.x_mm <= item.width_mm and 0 <= y - item.y_mm <= item.height_mm
        return "" if is_there else None, []
    inner = None if isinstance(item, Text) else item.matrix.undo(x, y)
    if isinstance(item, Text) or inner is None:
        return None, []
    if isinstance(item, PlacedDrawing):
        (x, y), box = inner, drawings[item.key].box
        if not (0 <= x - box.x_mm <= box.width_mm and 0 <= y - box.y_mm <= box.height_mm):
            return None, []
        return _topmost(drawings[item.key].items, x, y, drawings)
    if item.clip and not flattened(item.clip).holds(*inner, even_odd=False):
        return None, []
    solid, sheer = _topmost(item.items, *inner, drawings)
    opacity = item.opacity
    if item.mask:  # it counts as light as it is on black; what masks is grey
        over, above = _topmost(item.mask, *inner, drawings)
        colour = _visible_colour((over or "#000000", above))
        opacity *= int(colour[1:3], 16) / 255 if colour else 0.0
    if opacity == 1 or solid == "":
        return solid, sheer if opacity == 1 else []
    return None, _flattened_group(solid, sheer, opacity)


def _flattened_group(solid: str | None, sheer: _Sheer, of_group: float) -> _Sheer:
    """Return the layers of a transparent group as one layer."""
    if not solid and not sheer:
        return []
    colour, opacity = solid or PAPER, 1.0 if solid else 0.0
    for over, part in reversed(sheer):
        if part > 0:
            opacity = part + opacity * (1 - part)
            colour = _over(over, part / opacity, colour)
    return [(colour, opacity * of_group)]


def _over(colour: str, opacity: float, under: str) -> str:
    pairs = ((int(colour[i : i + 2], 16), int(under[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(top * opacity + below * (1 - opacity)):02x}" for top, below in pairs)


class Grounds:
    """The colours under words; cached for equal items of different cards.

    The ground is looked at by the half millimetre, whatever face asks first.
    """

    def __init__(self, drawings: Mapping[str, Drawing]) -> None:
        self.drawings = drawings
        self._covers: dict[Item, _Cover] = {}
        self._painted: list[_Cover] = []
        self._ranks: list[int] = []

    def open(self, items: Sequence[Item]) -> None:
        """Begin with the items of a face."""
        painted, ranks = [], [0]
        for item in items:
            if not isinstance(item, Text):
                cover = self._covers.get(item)
                if cover is None:
                    bounds = item_bounds(item, self.drawings)
                    box = (1.0, 1.0, 0.0, 0.0) if bounds is None else bounds.grown(_ROUNDING_MM).edges
                    cover = self._covers[item] = _Cover(item, box, {})
                painted.append(cover)
            ranks.append(len(painted))
        self._painted, self._ranks = painted, ranks

    def under(self, point: tuple[float, float], after: int) -> str | None:
        """Return the colour at a point after painting `after` items, or None for a raster picture."""
        column, row = int(2 * point[0] // 1), int(2 * point[1] // 1)
        x, y = (column + 0.5) / 2, (row + 0.5) / 2
        sheer: _Sheer = []
        for cover in self._painted[: self._ranks[after]][::-1]:
            left, top, right, bottom = cover.box
            if not (left <= x <= right and top <= y <= bottom):
                continue
            known = cover.known.get((column, row))
            if known is None:
                known = cover.known[column, row] = _look_at(cover.item, x, y, self.drawings)
            sheer += known[1]
            if known[0] is not None:
                return _visible_colour((known[0], sheer))
        return _visible_colour((None, sheer))

    def over(self, item: Item, point: tuple[float, float], after: int) -> str | None:
        """Return the colour at a point after painting an item over the first `after` items; None as in `under`."""
        solid, sheer = _look_at(item, *point, self.drawings)
        below = self.under(point, after) if solid is None else solid
        return None if below is None else _visible_colour((below, sheer))


class _Cover(Struct, frozen=True):
    """An item, the box around its paint, and its cached layers at points."""

    item: Item
    box: tuple[float, float, float, float]
    known: dict[tuple[int, int], _Look]


class Words(NamedTuple):
    """A run of words as printed: its matrix and colour, and the number of items painted before it.

    The colour is the one that is seen: in a group with an opacity it is mixed with what shines through.
    """

    item: Text
    matrix: Matrix
    after: int
    colour: str

    @property
    def size_pt(self) -> float:
        a, b, c, d, _, _ = self.matrix
        scale: float = abs(a * d - b * c) ** 0.5
        return self.item.size_mm * scale * 72 / 25.4

    def point(self, part: float) -> tuple[float, float]:
        """Return the point at a share of a run's width, half way up the lower-case letters."""
        item = self.item
        return self.matrix.apply(item.x_mm + item.width_mm * part, item.y_mm - 0.3 * item.size_mm)


def ends_of(items: Sequence[Item], grounds: Grounds) -> list[Words]:
    """Return the runs of words of a face, of each paragraph only the first and the last line.

    `grounds` are open at the face. Words that a picture shines through are left out.
    """
    runs: list[Words] = []
    last: tuple[int, Text] | None = None
    is_inside = False  # the last run follows the one before it
    for index, item in enumerate(items):
        if type(item) is Text:
            if item.text.isspace() or not item.text:
                continue
            follows = last is not None and last[0] == index - 1 and _follow(last[1], item)
            if last is not None and not (is_inside and follows):
                runs.append(Words(last[1], IDENTITY, last[0], last[1].fill))
            last, is_inside = (index, item), follows
        elif isinstance(item, Group):
            if last is not None:
                runs.append(Words(last[1], IDENTITY, last[0], last[1].fill))
                last = None
            # What the group itself paints under its words counts too, so its own items go along.
            runs += _words_within(item, (), IDENTITY, index + 1, grounds)
    if last is not None:
        runs.append(Words(last[1], IDENTITY, last[0], last[1].fill))
    return runs


_Around = tuple[tuple[Group, int], ...]
"""The groups that something lies in, from the outermost, each with how many of its items are painted before."""


def _words_within(group: Group, around: _Around, matrix: Matrix, after: int, grounds: Grounds) -> Iterator[Words]:
    if group.opacity <= 0:
        return  # nothing of it is printed
    matrix = matrix.after(group.matrix)
    is_sheer = group.opacity < 1 or any(outer.opacity < 1 for outer, _ in around)
    for index, item in enumerate(group.items):
        if isinstance(item, Group):
            yield from _words_within(item, (*around, (group, index)), matrix, after, grounds)
        elif isinstance(item, Text) and item.text.strip():
            words = Words(item, matrix, after, item.fill)
            if is_sheer:
                # The groups as they are once the words are painted, a sheet of their colour in the place of these. The
                # outermost group is the last of the items that count as painted before its words.
                painted: Item = Outline(_EVERYWHERE, Paint(fill=item.fill))
                for outer, at in ((group, index), *reversed(around)):
                    painted = replace(outer, items=(*outer.items[:at], painted), clip=NO_PATH)
                colour = grounds.over(painted, words.point(0.5), after - 1)
                if colour is None:
                    continue
                words = words._replace(colour=colour)
            yield words


def _follow(one: Text, other: Text) -> bool:
    """Return whether a run of words continues the paragraph of the one before it, in the same setting."""
    return one.fill == other.fill and one.size_mm == other.size_mm and abs(other.y_mm - one.y_mm) < 2 * one.size_mm
