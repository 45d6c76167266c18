"""Sections -> pages: columns seated on the printable part of a paper, with title block, panels and footers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from duckpress.core.frame import Item, Outline, Paint
from duckpress.core.geometry import Size
from duckpress.core.paths import rectangle
from duckpress.core.sizes import Paper
from duckpress.rulebook.setting.columns import Column, Section, shifted
from duckpress.rulebook.setting.page_breaks import break_pages

NARROWEST_MM = 55.0  # of a column: about 35 letters
_WIDEST_MM = 110.0
_LARGE_PAGE_MM = 230.0  # larger than A4 and Letter: more columns, not wider ones
_SMALL_PAGE_MM = 138.0  # narrower ones are set smaller, as the pages of a booklet are
_LEAST_SCALE = 0.75
_SLIP_MM = 1e-3
_FOLD_MM = 5.0  # on either side of a booklet's fold: as far as the printer's own margin on the other edges


class PageShape(NamedTuple):
    """A page of rules: the printable part of its paper (`trim`), and where the columns lie on it."""

    trim: Size
    inset_mm: float
    top_mm: float
    foot_mm: float
    gap_mm: float
    columns: int
    scale: float

    @property
    def text_mm(self) -> float:
        """The width of all columns together."""
        return self.trim.width_mm - 2 * self.inset_mm

    def column_mm(self, columns: int) -> float:
        """Return the width of one of so many columns."""
        return (self.text_mm - (columns - 1) * self.gap_mm) / columns


def shape_of(paper: Paper, columns: int, *, is_folded: bool) -> PageShape:
    """Return the shape of the pages on a paper; of a booklet, those of half a sheet."""
    if is_folded:
        sheet = paper.size.turned()
        across_mm, down_mm = paper.margins(sheet)
        half = Size(sheet.width_mm / 2 - across_mm - _FOLD_MM, sheet.height_mm - 2 * down_mm)
        return PageShape(half, 7.5, 8.0, 9.0, 6.0, 1, 0.93)
    across_mm, down_mm = paper.margins(paper.size)
    trim = Size(paper.size.width_mm - 2 * across_mm, paper.size.height_mm - 2 * down_mm)
    if trim.width_mm < _SMALL_PAGE_MM:
        shape = PageShape(trim, 6.0, 8.0, 9.0, 6.0, columns, max(trim.width_mm / _SMALL_PAGE_MM, _LEAST_SCALE))
    else:
        shape = PageShape(trim, 11.0, 11.0, 11.5, 7.5, columns, 1.0)
    while shape.columns > 1 and shape.column_mm(shape.columns) < NARROWEST_MM:
        shape = shape._replace(columns=shape.columns - 1)
    while trim.width_mm > _LARGE_PAGE_MM and shape.column_mm(shape.columns) > _WIDEST_MM:
        shape = shape._replace(columns=shape.columns + 1)
    return shape


class Page(NamedTuple):
    """A page in the making: what lies on it, and how far down it is filled."""

    items: list[Item]
    filled_mm: float


def make_pages(
    sections: Sequence[Section], shape: PageShape, head: tuple[Item, ...], head_mm: float
) -> tuple[list[Page], float]:
    """Return the pages without footers, and by how much something is higher than a page has room (0 where it fits).

    The title block lies across the first page's top.
    """
    bottom_mm = shape.trim.height_mm - shape.foot_mm
    pages: list[Page] = []
    over_mm = 0.0
    for parts in break_pages(sections, bottom_mm - (head_mm if head else shape.top_mm), bottom_mm - shape.top_mm):
        items = [] if pages else list(head)
        y_mm = shape.top_mm if pages or not head else head_mm
        for part in parts:
            y_mm += part.before_mm
            column_mm = shape.column_mm(part.across)
            for number, column in enumerate(part.columns):
                items.extend(_column_items(column, shape.inset_mm + number * (column_mm + shape.gap_mm), y_mm))
            y_mm += part.height_mm
        pages.append(Page(items, y_mm))
        over_mm = max(over_mm, y_mm - bottom_mm)
    return pages, over_mm if over_mm > _SLIP_MM else 0.0


def _column_items(column: Column, x_mm: float, y_mm: float) -> list[Item]:
    items: list[Item] = []
    for panel, group in groupby(column, lambda seated: seated.slug.panel):
        run = list(group)
        if panel is not None:
            top_mm = y_mm + run[0].y_mm
            height_mm = y_mm + run[-1].y_mm + run[-1].slug.height_mm - top_mm
            box = rectangle(x_mm + panel.x_mm, top_mm, panel.width_mm, height_mm, 0.0)
            bar = rectangle(x_mm + panel.x_mm, top_mm, panel.bar_mm, height_mm, 0.0)
            items += [Outline(box, Paint(fill=panel.fill)), Outline(bar, Paint(fill=panel.bar))]
    for seated in column:
        items += shifted(seated.slug.items, x_mm, y_mm + seated.y_mm)
    return items
