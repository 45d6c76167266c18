"""What columns are filled with: slugs, each a strip of the column that is never cut, and how they hold together."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.frame import Item, Outline, Picture, Text
from duckpress.core.geometry import Matrix, translation


class Panel:
    """A box behind slugs that follow one another; two panels are never the same, however alike they are."""

    __slots__ = ("bar", "bar_mm", "fill", "width_mm", "x_mm")

    def __init__(self, x_mm: float, width_mm: float, fill: str, bar: str, bar_mm: float) -> None:
        self.x_mm = x_mm
        self.width_mm = width_mm
        self.fill = fill
        self.bar = bar
        self.bar_mm = bar_mm


class Slug(NamedTuple):
    """A strip of a column: its items, from its own top left.

    `before_mm` is the space above it, which falls away at the top of a column. `keeps_next`: no column ends behind it.
    `lead` is set again above it where it begins a column (the heads of a table). `forces` is `column` or `page` where
    it must begin one.
    """

    height_mm: float
    items: tuple[Item, ...] = ()
    before_mm: float = 0.0
    keeps_next: bool = False
    panel: Panel | None = None
    lead: Slug | None = None
    forces: str = ""

    def moved(self, x_mm: float) -> Slug:
        """Return the slug further to the right."""
        return self._replace(items=shifted(self.items, x_mm, 0.0)) if self.items and x_mm else self


class Section(Struct, frozen=True):
    """Slugs that are set in so many columns across the page."""

    columns: int
    slugs: tuple[Slug, ...]


def shifted(items: tuple[Item, ...], x_mm: float, y_mm: float) -> tuple[Item, ...]:
    """Return items at another place."""
    if not x_mm and not y_mm:
        return items
    return tuple(_moved(item, x_mm, y_mm) for item in items)


def _moved(item: Item, x_mm: float, y_mm: float) -> Item:
    if isinstance(item, Text):
        return replace(item, x_mm=round(item.x_mm + x_mm, 4), y_mm=round(item.y_mm + y_mm, 4))
    if isinstance(item, Picture):
        return replace(item, x_mm=round(item.x_mm + x_mm, 4), y_mm=round(item.y_mm + y_mm, 4))
    matrix = translation(x_mm, y_mm)
    if isinstance(item, Outline):
        return replace(item, path=item.path.mapped(matrix))
    a, b, c, d, e, f = matrix.after(item.matrix)
    return replace(item, matrix=Matrix(a, b, c, d, round(e, 4), round(f, 4)))


def kept_together(slugs: list[Slug]) -> list[Slug]:
    """Return slugs of which all but the last keep to the next."""
    return [slug._replace(keeps_next=True) for slug in slugs[:-1]] + slugs[-1:]
