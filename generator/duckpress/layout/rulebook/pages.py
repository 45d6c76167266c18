"""Sections -> pages: columns on the printable part of a paper, with title block and panels.

A page ends behind a section or within one, chosen for all pages together. Of all ways through a sheet those with the
fewest pages are taken, and of these the one that costs least (the shortest path over all breaks, after Plass): what a
column leaves empty costs its square, what is torn costs what its slug says. The columns of a section that ends on a
page are balanced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import accumulate, count, groupby, pairwise, starmap
from typing import Any, NamedTuple

from duckpress.core.frame import Item, Outline, Paint
from duckpress.core.geometry import Size, added
from duckpress.core.paths import rectangle
from duckpress.core.sizes import Paper
from duckpress.files.memo import form_of
from duckpress.layout.rulebook.columns import (
    Column,
    Filled,
    Seated,
    Section,
    Slug,
    balanced,
    foot_mm,
    highest_together_mm,
    most_opened_mm,
    opened,
    seated,
    shifted,
)
from duckpress.layout.rulebook.kept_settings import KeptSettings

_SLIP_MM = 1e-3
# By eye. The unit is a hole of a centimetre at the foot of a column.
_PAGE = 100_000.0
_DEEPEST_HOLE = 0.45  # of a column, where there is enough to fill it
_MOST_UNEVEN = 2.0  # what it costs at most that columns of the last page end higher than others
_DEAR = 1.5  # what costs more is not torn on the last page where its columns are no more than a quarter higher for it
_HIGHER = 1.25

Place = tuple[int, int]
"""A part of the sheet that pages are not forced in, and the first of its slugs that is still to be set."""


class PagePart(NamedTuple):
    """The columns of a section on one page, the number across, the space above, and the height without it."""

    columns: tuple[Column, ...]
    across: int
    before_mm: float
    height_mm: float


class _PageEnd(NamedTuple):
    """A way to fill a page: its content (made on demand), the start of the next page, and the cost."""

    parts: Callable[[], tuple[PagePart, ...]]
    after: Place
    cost: float


class _Way(NamedTuple):
    """The cheapest way to the start of a page: its cost, and the start and content of the page before."""

    cost: float
    before: Place
    parts: Callable[[], tuple[PagePart, ...]]


def break_pages(sections: Sequence[Section], first_mm: float, room_mm: float) -> list[tuple[PagePart, ...]]:
    """Return the parts of each page; the first page has a height of its own."""
    flows = [flow for section in sections for flow in _flows(section)]
    start, end = (0, 0), (len(flows), 0)
    ways = {start: _Way(0.0, start, tuple)}
    waiting = [start]
    while (place := heappop(waiting)) != end:
        # Pages are tried in the order of reading; every page leads forward.
        height_mm = first_mm if place == start else room_mm
        for page in list(_page_ends(flows, place, height_mm)) or [_forced_end(flows, place, height_mm)]:
            cost = ways[place].cost + _PAGE + page.cost
            known = ways.get(page.after)
            if known is None:
                heappush(waiting, page.after)
            if known is None or cost < known.cost - 1e-9:
                ways[page.after] = _Way(cost, place, page.parts)
    pages: list[tuple[PagePart, ...]] = []
    while end != start:
        pages.append(ways[end].parts())
        end = ways[end].before
    return pages[::-1] or [()]


def _flows(section: Section) -> Iterator[_Flow]:
    """Yield a section in parts; each part after the first begins a page."""
    starts = [at for at, slug in enumerate(section.slugs) if not at or slug.forces == "page"]
    for start, end in pairwise([*starts, len(section.slugs)] if starts else ()):
        yield _Flow(section.columns, section.slugs[start:end])


def _page_ends(flows: Sequence[_Flow], place: Place, room_mm: float) -> Iterator[_PageEnd]:
    """Yield the ways to fill a page from a place on, without separating groups of slugs."""
    wholes = list(_wholes(flows, place, room_mm))
    at, cost, used_mm = place[1], 0.0, 0.0
    if wholes and place[0] + len(wholes) == len(flows):
        # Nothing is left for another page: no way has fewer.
        uneven = added(map(_unevenness, wholes[:-1])) + min(_unevenness(wholes[-1]), _MOST_UNEVEN)
        spare_mm = room_mm - added(part.before_mm + part.height_mm for part in wholes)
        wholes[-1] = flows[-1].untorn(place[1] if len(wholes) == 1 else 0, wholes[-1], spare_mm)
        yield _PageEnd(partial(tuple, wholes), (len(flows), 0), uneven)
        return
    widest = max(flow.count for flow in flows)
    for number, flow in enumerate(flows[place[0] : place[0] + len(wholes) + 1]):
        index, parts = place[0] + number, wholes[:number]
        if number:
            before = flows[index - 1].slugs[-1]
            if flow.begins_page or not before.keeps_next:
                hole = 0.0 if flow.begins_page else (_gap_cost(room_mm - used_mm) + before.tear) * widest
                yield _PageEnd(partial(tuple, parts), (index, 0), cost + hole)
            if flow.begins_page:
                return
        before_mm = flow.slugs[at].before_mm if number else 0.0
        free_mm = room_mm - used_mm - before_mm
        for ends, own in flow.cuts(at, free_mm):
            page = partial(flow.page, parts, before_mm, ends, free_mm)
            yield _PageEnd(page, (index, ends[-1]), cost + own * widest / flow.count)
        if number < len(wholes):
            used_mm += before_mm + wholes[number].height_mm
            cost += _unevenness(wholes[number])
        at = 0


def _wholes(flows: Sequence[_Flow], place: Place, room_mm: float) -> Iterator[PagePart]:
    """Yield the sections that end on a page, from a place on, as long as each fits below the others."""
    at = place[1]
    for flow in flows[place[0] :]:
        filled = flow.whole(at)
        before_mm = flow.slugs[at].before_mm if flow is not flows[place[0]] else 0.0
        room_mm -= before_mm + filled.height_mm
        if filled.next < len(flow.slugs) or room_mm < -_SLIP_MM or (flow.begins_page and flow is not flows[place[0]]):
            return
        yield PagePart(filled.columns, flow.count, before_mm, filled.height_mm)
        at = 0


def _unevenness(part: PagePart) -> float:
    """Return the cost of columns of different heights in a section."""
    return added(_gap_cost(part.height_mm - foot_mm(column)) for column in part.columns)


def _forced_end(flows: Sequence[_Flow], place: Place, room_mm: float) -> _PageEnd:
    """Return a page with content higher than a page: it is torn or, if inseparable, extends beyond the foot."""
    index, at = place
    flow = flows[index]
    filled = balanced(flow.slugs, at, flow.count, room_mm)
    after = (index + 1, 0) if filled.next == len(flow.slugs) else (index, filled.next)
    part = PagePart(filled.columns, flow.count, 0.0, filled.height_mm)
    return _PageEnd(partial(tuple, [part]), after, _PAGE)


def _gap_cost(free_mm: float, gaps: int = 0) -> float:
    """Return the cost of free room at the foot of a column: none if opening its spaces can fill it."""
    return 0.0 if free_mm <= most_opened_mm(gaps) else (free_mm / 10) ** 2


class _Flow:
    """Slugs of a section, with cached sums and column ends."""

    def __init__(self, count: int, slugs: Sequence[Slug]) -> None:
        self.count = count
        self.slugs = slugs
        self.begins_page = slugs[0].forces == "page"
        self._feet_mm = [0.0, *accumulate(slug.before_mm + slug.height_mm for slug in slugs)]
        self._gaps = [0, *accumulate(int(slug.before_mm > 0) for slug in slugs)]
        self._wholes: dict[int, Filled] = {}
        self._known_ends: dict[tuple[int, float], list[tuple[int, float]]] = {}

    def whole(self, start: int) -> Filled:
        """Return the slugs from `start` on in balanced columns, of any height."""
        if start not in self._wholes:
            self._wholes[start] = balanced(self.slugs, start, self.count, self._feet_mm[-1] + 1000.0)
        return self._wholes[start]

    def untorn(self, start: int, part: PagePart, spare_mm: float) -> PagePart:
        """Return a sheet's last part without costly breaks; as it is, if its columns would become much higher."""
        slugs = [slug._replace(keeps_next=slug.keeps_next or slug.tear > _DEAR) for slug in self.slugs[:-1]]
        highest_mm = min(part.height_mm * _HIGHER, part.height_mm + spare_mm)
        slugs += self.slugs[-1:]
        if highest_together_mm(slugs, start) > highest_mm:
            return part
        filled = balanced(slugs, start, self.count, highest_mm)
        if filled.next < len(slugs):
            return part
        return part._replace(columns=filled.columns, height_mm=filled.height_mm)

    def cuts(self, start: int, room_mm: float) -> Iterator[tuple[tuple[int, ...], float]]:
        """Yield the ways to fill all columns of a page: the start of each and the end of the last, with the cost."""
        ways: dict[int, tuple[float, tuple[int, ...]]] = {start: (0.0, ())}
        for number in range(self.count):
            longer: dict[int, tuple[float, tuple[int, ...]]] = {}
            for at, (cost, before) in ways.items():
                ends = self._ends(at, room_mm)
                if not ends and number:
                    yield (*before, at), cost + _gap_cost(room_mm) * (self.count - number) + self.slugs[at - 1].tear
                for end, own in ends:
                    known = longer.get(end)
                    if known is None or cost + own < known[0]:
                        longer[end] = (cost + own, (*before, at))
            ways = longer
        for end, (cost, starts) in ways.items():
            yield (*starts, end), cost + self.slugs[end - 1].tear

    def page(
        self, above: Sequence[PagePart], before_mm: float, ends: Sequence[int], room_mm: float
    ) -> tuple[PagePart, ...]:
        """Return the parts of a page whose columns end as in `cuts`."""
        columns = tuple(opened(seated(self.slugs[start:end]), room_mm) for start, end in pairwise(ends))
        return *above, PagePart(columns, self.count, before_mm, max(map(foot_mm, columns)))

    def _ends(self, start: int, room_mm: float) -> list[tuple[int, float]]:
        """Return the possible ends of a column from `start` on, except after the last slug, with their costs."""
        key = (start, room_mm)
        if key not in self._known_ends:
            self._known_ends[key] = self._found_ends(start, room_mm)
        return self._known_ends[key]

    def _found_ends(self, start: int, room_mm: float) -> list[tuple[int, float]]:
        slugs, ends, feet_mm = self.slugs, [], []
        lead = slugs[start].lead
        above_mm = self._feet_mm[start] + slugs[start].before_mm - (lead.height_mm if lead is not None else 0.0)
        for end in range(start + 1, len(slugs)):
            foot_mm = self._feet_mm[end] - above_mm
            if foot_mm > room_mm + _SLIP_MM:
                break
            if slugs[end].forces:
                ends.append((end, 0.0))
                feet_mm.append(room_mm)
                break
            if not slugs[end - 1].keeps_next:
                gaps = self._gaps[end] - self._gaps[start + 1]
                ends.append((end, _gap_cost(room_mm - foot_mm, gaps) + slugs[end - 1].tear))
                feet_mm.append(foot_mm)
        if self._feet_mm[-1] - above_mm > self.count * room_mm:
            full = [end for end, mm in zip(ends, feet_mm, strict=True) if mm >= (1 - _DEEPEST_HOLE) * room_mm]
            return full or ends[-1:]
        return ends


NARROWEST_MM = 55.0  # of a column: about 35 letters
_WIDEST_MM = 110.0
_LARGE_PAGE_MM = 230.0  # larger than A4 and Letter: more columns, not wider ones
_SMALL_PAGE_MM = 138.0  # narrower ones are set smaller, as the pages of a booklet are
_LEAST_SCALE = 0.75
_FOLD_MM = 5.0  # on either side of a booklet's fold: as far as the printer's own margin on the other edges


class PageShape(NamedTuple):
    """The shape of a page of rules: the printable part of its paper (`trim`), and the places of its columns."""

    trim: Size
    inset_mm: float
    top_mm: float
    foot_mm: float
    gap_mm: float
    columns: int
    scale: float

    @property
    def text_mm(self) -> float:
        return self.trim.width_mm - 2 * self.inset_mm

    def column_mm(self, columns: int) -> float:
        return (self.text_mm - (columns - 1) * self.gap_mm) / columns


def shape_of(paper: Paper, columns: int, *, is_folded: bool) -> PageShape:
    """Return the shape of the pages on a paper; for a booklet, of pages on half a sheet."""
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
    """A page in the making: its items, and the foot of its content."""

    items: list[Item]
    filled_mm: float


_BREAKS = form_of(list[list[tuple[list[list[tuple[float, int]]], int, float, float]]])


def _broken(
    sections: Sequence[Section], first_mm: float, room_mm: float, kept: KeptSettings | None
) -> Sequence[Sequence[PagePart]]:
    """Return the parts of each page, kept for a later run: only heights, spaces and costs decide them."""
    if kept is None:
        return break_pages(sections, first_mm, room_mm)
    slugs = [slug for section in sections for slug in section.slugs]
    numbers = count()  # which stand for items here: of a slug its number, of a lead the number inverted

    def bare(slug: Slug, number: Any) -> Slug:
        lead = slug.lead and slug.lead._replace(items=(~number,))
        return slug._replace(items=(number,), panel=None, lead=lead)

    def make() -> tuple[Any, bool]:
        pages = break_pages(numbered, first_mm, room_mm)
        return [
            [
                ([[(one.y_mm, one.slug.items[0]) for one in column] for column in columns], *rest)
                for columns, *rest in page
            ]
            for page in pages
        ], True

    def seated(y_mm: float, number: int) -> Seated:
        return Seated(y_mm, slugs[number] if number >= 0 else slugs[~number].lead or Slug(0.0))

    numbered = [Section(one.columns, tuple(map(bare, one.slugs, numbers))) for one in sections]
    return [
        [PagePart(tuple([tuple(starmap(seated, column)) for column in columns]), *rest) for columns, *rest in page]
        for page in kept.once((numbered, first_mm, room_mm), _BREAKS, make)
    ]


def make_pages(
    sections: Sequence[Section], shape: PageShape, head: tuple[Item, ...], head_mm: float,
    kept: KeptSettings | None = None,
) -> tuple[list[Page], float]:  # fmt: skip
    """Return the pages without footers, and by how much a part exceeds the height of a page (0 if all fit).

    The title block lies across the first page's top.
    """
    bottom_mm = shape.trim.height_mm - shape.foot_mm
    pages: list[Page] = []
    over_mm = 0.0
    rooms_mm = bottom_mm - (head_mm if head else shape.top_mm), bottom_mm - shape.top_mm
    for parts in _broken(sections, *rooms_mm, kept):
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
    for panel, group in groupby(column, lambda one: one.slug.panel):
        run = list(group)
        if panel is not None:
            top_mm = y_mm + run[0].y_mm
            height_mm = y_mm + run[-1].y_mm + run[-1].slug.height_mm - top_mm
            box = rectangle(x_mm + panel.x_mm, top_mm, panel.width_mm, height_mm, 0.0)
            bar = rectangle(x_mm + panel.x_mm, top_mm, panel.bar_mm, height_mm, 0.0)
            items += [Outline(box, Paint(fill=panel.fill)), Outline(bar, Paint(fill=panel.bar))]
    for one in column:
        items += shifted(one.slug.items, x_mm, y_mm + one.y_mm)
    return items
