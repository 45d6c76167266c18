"""The runs of words of a face: their colours, their sizes, and the points on their letters to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.frame import Group, Item, Outline, Paint, Text
from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.core.paths import NO_PATH, rectangle
from duckpress.legibility.grounds import Grounds

_BESIDE = (0.1, 0.9)  # where on a run of words it is looked at besides the middle
_EVERYWHERE = rectangle(-1e6, -1e6, 2e6, 2e6)


class Words(Struct, frozen=True):
    """A run of words as it is printed: what it says, its colour, its size in points, and the middle of its letters.

    The colour is the one that is seen: in a group with an opacity it is mixed with what shines through.
    """

    text: str
    colour: str
    size_pt: float
    middle: tuple[float, float]
    after: int  # how many items of the face were painted before
    item: Text
    matrix: Matrix

    def others(self) -> Iterator[tuple[float, float]]:
        """Yield points on its letters away from the middle."""
        for part in _BESIDE:
            yield _point(self.item, part, self.matrix)


def ends_of(items: Sequence[Item], grounds: Grounds) -> list[Words]:
    """Return the runs of words of a face without those inside a paragraph: of lines that follow each other, the ends.

    `grounds` are open at the face. Words that a picture shines through are left out.
    """
    found: list[Words] = []
    last: tuple[int, Text] | None = None
    is_inside = False  # the last run follows the one before it
    for index, item in enumerate(items):
        if type(item) is Text:
            if item.text.isspace() or not item.text:
                continue
            follows = last is not None and last[0] == index - 1 and _follow(last[1], item)
            if last is not None and not (is_inside and follows):
                found.append(_words(last[1], IDENTITY, last[0]))
            last, is_inside = (index, item), follows
        elif isinstance(item, Group):
            if last is not None:
                found.append(_words(last[1], IDENTITY, last[0]))
                last = None
            # What the group itself paints under its words counts too, so its own items go along.
            found += _words_within(item, (), IDENTITY, index + 1, grounds)
    if last is not None:
        found.append(_words(last[1], IDENTITY, last[0]))
    return found


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
            words = _words(item, matrix, after)
            if is_sheer:
                # The outermost group is the last of the items that count as painted before its words.
                painted = _painted(item, (*around, (group, index)))
                colour = grounds.over(painted, words.middle, after - 1)
                if colour is None:
                    continue
                words = replace(words, colour=colour)
            yield words


def _painted(item: Text, around: _Around) -> Item:
    """Return the groups around words as they are once the words are painted, a sheet of their colour in their place."""
    painted: Item = Outline(_EVERYWHERE, Paint(fill=item.fill))
    for group, index in reversed(around):
        painted = replace(group, items=(*group.items[:index], painted), clip=NO_PATH)
    return painted


def _words(item: Text, matrix: Matrix, after: int) -> Words:
    size_mm = item.size_mm
    if matrix is not IDENTITY:
        size_mm *= abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5
    return Words(item.text, item.fill, size_mm * 72 / 25.4, _point(item, 0.5, matrix), after, item, matrix)


def _follow(one: Text, other: Text) -> bool:
    """Return whether a run of words is set as the one before it, and no further from it than lines of a paragraph."""
    return one.fill == other.fill and one.size_mm == other.size_mm and abs(other.y_mm - one.y_mm) < 2 * one.size_mm


def _point(item: Text, part: float, matrix: Matrix) -> tuple[float, float]:
    """Return the point that so much of a run of words lies before, half way up the small letters."""
    x, y = item.x_mm + item.width_mm * part, item.y_mm - 0.3 * item.size_mm
    return (x, y) if matrix is IDENTITY else matrix.apply(x, y)
