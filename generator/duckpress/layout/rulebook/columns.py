"""Slugs -> columns: groups of slugs are never broken, columns are balanced where a section ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.frame import Item, Outline, Picture, Text
from duckpress.core.geometry import Matrix, translation

_SLIP_MM = 1e-3
_STEP_MM = 0.1
# A column may be made as high as its neighbours by opening the spaces in it, each by no more than this. By eye.
_WIDEST_OPENING_MM = 1.6
_MOST_OPENED_MM = 9.0


class Panel(Struct, frozen=True, eq=False):
    """A box behind consecutive slugs; two panels are never equal, even with the same values."""

    x_mm: float
    width_mm: float
    fill: str
    bar: str
    bar_mm: float


class Slug(NamedTuple):
    """A strip of a column: its items, from its own top left.

    `before_mm` is the space above it, which falls away at the top of a column. `keeps_next`: no column ends behind it.
    `lead` is set again above it where it begins a column (the heads of a table). `forces` is `column` or `page` where
    it must begin one. `tear` is what a column that ends behind it costs, beside the hole that it leaves.
    """

    height_mm: float
    items: tuple[Item, ...] = ()
    before_mm: float = 0.0
    keeps_next: bool = False
    panel: Panel | None = None
    lead: Slug | None = None
    forces: str = ""
    tear: float = 0.0

    def moved(self, x_mm: float) -> Slug:
        return self._replace(items=shifted(self.items, x_mm, 0.0)) if self.items and x_mm else self


class Section(Struct, frozen=True):
    """Slugs set in a number of columns across the page."""

    columns: int
    slugs: tuple[Slug, ...]


def shifted(items: Sequence[Item], x_mm: float, y_mm: float) -> tuple[Item, ...]:
    return tuple(_moved(item, x_mm, y_mm) for item in items) if x_mm or y_mm else tuple(items)


def _moved(item: Item, x_mm: float, y_mm: float) -> Item:
    if isinstance(item, Text | Picture):
        return replace(item, x_mm=round(item.x_mm + x_mm, 4), y_mm=round(item.y_mm + y_mm, 4))
    matrix = translation(x_mm, y_mm)
    if isinstance(item, Outline):
        return replace(item, path=item.path.mapped(matrix))
    a, b, c, d, e, f = matrix.after(item.matrix)
    return replace(item, matrix=Matrix(a, b, c, d, round(e, 4), round(f, 4)))


def kept_together(slugs: list[Slug]) -> list[Slug]:
    """Return slugs, each but the last of them kept with the next."""
    return [slug._replace(keeps_next=True) for slug in slugs[:-1]] + slugs[-1:]


class Seated(Struct, frozen=True):
    """A slug and the y of its top in its column."""

    y_mm: float
    slug: Slug


Column = tuple[Seated, ...]


class Filled(NamedTuple):
    """Filled columns, their height, and the index of the first remaining slug."""

    columns: tuple[Column, ...]
    height_mm: float
    next: int


def balanced(slugs: Sequence[Slug], start: int, count: int, room_mm: float) -> Filled:
    """Return the slugs from `start` on in `count` columns, as low as possible and opened to the same foot.

    What finds no room in them is left over; only what is higher than a whole column stands over its foot.
    """
    best = _fill(slugs, start, count, room_mm)
    if best.next < len(slugs) or count == 1:
        return best
    low = highest_together_mm(slugs, start) - _SLIP_MM  # lower columns would tear what holds together
    while best.height_mm - low > _STEP_MM:
        middle = (low + best.height_mm) / 2
        tried = _fill(slugs, start, count, middle)
        if tried.next == len(slugs) and tried.height_mm <= middle + _SLIP_MM:
            best = tried
        else:
            low = middle
    return best._replace(columns=tuple(opened(column, best.height_mm) for column in best.columns))


def highest_together_mm(slugs: Sequence[Slug], start: int) -> float:
    """Return the height of the highest inseparable group of slugs, from `start` on."""
    highest_mm = height_mm = 0.0
    for slug in slugs[start:]:
        height_mm += slug.height_mm + (slug.before_mm if height_mm else 0.0)
        highest_mm = max(highest_mm, height_mm)
        if not slug.keeps_next:
            height_mm = 0.0
    return highest_mm


def _fill(slugs: Sequence[Slug], start: int, count: int, room_mm: float) -> Filled:
    columns: list[Column] = []
    at = start
    while at < len(slugs) and len(columns) < count:
        end = _end(slugs, at, room_mm)
        columns.append(seated(slugs[at:end]))
        at = end
    return Filled(tuple(columns), max(map(foot_mm, columns), default=0.0), at)


def foot_mm(column: Column) -> float:
    return column[-1].y_mm + column[-1].slug.height_mm


def _end(slugs: Sequence[Slug], start: int, room_mm: float) -> int:
    """Return the index after the last slug of a column that begins at `start`."""
    lead = slugs[start].lead
    y_mm = lead.height_mm if lead is not None else 0.0
    best = start
    for index in range(start, len(slugs)):
        slug = slugs[index]
        if index > start and slug.forces:
            return index
        y_mm += slug.height_mm + (slug.before_mm if index > start else 0.0)
        if y_mm > room_mm + _SLIP_MM:
            return best if best > start else max(index, start + 1)
        if not slug.keeps_next:
            best = index + 1
    return len(slugs)


def seated(slugs: Sequence[Slug]) -> Column:
    """Return a column of slugs, one below the other."""
    lead = slugs[0].lead
    column = [] if lead is None else [Seated(0.0, lead)]
    y_mm = 0.0 if lead is None else lead.height_mm
    for index, slug in enumerate(slugs):
        y_mm += slug.before_mm if index else 0.0
        column.append(Seated(y_mm, slug))
        y_mm += slug.height_mm
    return tuple(column)


def opened(column: Column, room_mm: float) -> Column:
    """Return a column with its spaces opened to reach the foot of the page; unchanged if they would open too far."""
    free_mm = room_mm - foot_mm(column)
    gaps = [index for index, one in enumerate(column) if index and one.slug.before_mm > 0]
    if not gaps or not 0 < free_mm <= most_opened_mm(len(gaps)):
        return column
    moved: list[Seated] = []
    shift_mm = 0.0
    for index, one in enumerate(column):
        shift_mm += free_mm / len(gaps) if index in gaps else 0.0
        moved.append(Seated(one.y_mm + shift_mm, one.slug))
    return tuple(moved)


def most_opened_mm(gaps: int) -> float:
    """Return the longest distance that a column with so many spaces may be opened."""
    return min(_MOST_OPENED_MM, _WIDEST_OPENING_MM * gaps)
