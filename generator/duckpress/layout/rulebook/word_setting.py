"""Words -> slugs: a text set in the styles of a rules sheet, and the problems of its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct

from duckpress.core.frame import Item, Outline, Paint
from duckpress.core.geometry import MM_PER_PT, added
from duckpress.core.paths import rectangle
from duckpress.core.problems import Level, Problem, Source, did_you_mean, fault
from duckpress.files.memo import Form, form_of
from duckpress.layout import Look
from duckpress.layout.rulebook.blocks import TableBlock
from duckpress.layout.rulebook.columns import Slug, shifted
from duckpress.layout.rulebook.kept_settings import KeptSettings
from duckpress.text import SetText, TextStyle, Typesetter

_PAPER = "#ffffff"
_SIDE_MM = 1.4  # beside the words of a cell, and the least there may be where it is tight
_LEAST_SIDE_MM = 0.6
_SMALLER = 0.96
_SMALLEST_PT = 6.5
_ABOVE_MM = 0.9  # above and under them
_MOST_OVER_MM = 11.0
_NEARLY_FULL = 0.8
_HAIR_MM = 0.2
_HEAD_LINE_MM = 0.4
_WIDE_MM = 2000.0
_STACK = form_of(tuple[list[Item], float])
# What it costs to end a column there: a hole of a centimetre costs 1. By eye.
_TEAR_LINES = 1.5  # between two lines of a paragraph
_TEAR_ROWS = 4.0  # between two rows of a table

T = TypeVar("T")


class WordSetting:
    """Sets texts in columns of a width; gathers the problems of words in `problems`, once each."""

    def __init__(
        self, typesetter: Typesetter, look: Look, icons: Sequence[str], problems: list[Problem], scale: float,
        kept: KeptSettings | None = None,
    ) -> None:  # fmt: skip
        self.typesetter = typesetter
        self.look = look
        self._icons = icons
        self._problems = problems
        self._scale = scale
        self._kept = kept
        self._has_problems = False  # whether a text that was set had any, told before or not
        self._styles: dict[str, TextStyle] = {}

    def once(self, parts: tuple[object, ...], form: Form[T], make: Callable[[], T]) -> T:
        """Return what `make` gives, or gave in an earlier run for the same parts; it is kept if it has no problems."""
        kept = self._kept
        if kept is None:
            return make()

        def make_here() -> tuple[T, bool]:
            self._kept, self._has_problems = None, False  # what is in it is kept with it
            made = make()
            self._kept = kept
            return made, not self._has_problems

        return kept.once((*parts, self._scale), form, make_here)

    def style(self, name: str) -> TextStyle:
        """Return a style of rules sheets, scaled for this setting."""
        style = self._styles.get(name)
        if style is None:
            own = self.look.styles[name]
            own = own if own.colour != "none" else own._replace(colour=_PAPER)
            style = self._styles[name] = own._replace(size_pt=round(own.size_pt * self._scale, 3))
        return style

    def colour(self, role: str) -> str:
        return self.look.palette.get(role, _PAPER)  # a role may be `none` in an ink

    @property
    def line_mm(self) -> float:
        """The height of a line of the running text."""
        return self.leading_mm("rules-text")

    def leading_mm(self, name: str) -> float:
        style = self.style(name)
        return style.size_pt * style.leading * MM_PER_PT

    def baseline_mm(self, style: TextStyle) -> float:
        """Return the distance of a style's baseline from the top of its line."""
        return self.typesetter.set_paragraphs("x", style, 100.0).baseline_mm

    def labelled(
        self, slugs: list[Slug], label: Sequence[Item], x_mm: float, style: TextStyle, before_mm: float
    ) -> list[Slug]:
        """Return slugs with a label on their first line, which has a given style; the slugs are in place already."""
        items = (*shifted(label, x_mm, self.baseline_mm(style)), *slugs[0].items)
        return [slugs[0]._replace(items=items, before_mm=before_mm), *slugs[1:]]

    def bar(self, x_mm: float, y_mm: float, width_mm: float, height_mm: float, role: str) -> Outline:
        """Return a filled rectangle, such as a thin line."""
        return Outline(rectangle(x_mm, y_mm, width_mm, height_mm, 0.0), Paint(fill=self.colour(role)))

    def set_paragraphs(self, source: str, style: TextStyle, width_mm: float, place: Source) -> SetText:
        """Set a text in lines, and report the problems of its words."""
        set_text = self.typesetter.set_paragraphs(source, style, width_mm)
        problems: list[Problem] = []
        for name in set_text.unknown_icons:
            fix = did_you_mean(name, self._icons)
            problems.append(Problem("unknown-icon", place, f"there is no icon {name!r}", fix))
        if set_text.missing_glyphs:
            what = f"no font has {set_text.missing_words}"
            problems.append(Problem("missing-glyph", place, what, "write it otherwise, or add a font"))
        borrowed = self.typesetter.borrowed(style, tuple(item for line in set_text.lines for item in line.items))
        if borrowed is not None:
            self._has_problems = True
            what = f"the family {style.family!r} has no {borrowed.script} letters: another family draws them"
            if all(one.what != what for one in self._problems):  # told of the first text
                problems.append(Problem("borrowed-letters", place, what, borrowed.fix, Level.WARNING))
        if set_text.needs_dictionary and len(set_text.lines) > 1:
            what = f"{source[:40]!r} is in a script without spaces between words: its lines end where there is one"
            fix = "put a zero width space (U+200B) between words where lines may end"
            problems.append(Problem("needs-dictionary", place, what, fix, Level.WARNING))
        for word in set_text.over_words:
            what = f"{word[:60]!r} is wider than its column"
            problems.append(Problem("text-overflow", place, what, "shorten it, or give it more room"))
        for name in set_text.unknown_fields:
            what = f"{{={name}}} stands for a card's field, and this is no card"
            problems.append(Problem("unknown-field", place, what, "write {{ an expression }}"))
        if set_text.lost:
            problems.append(fault("proof-frame", f"the text {source[:40]!r} {set_text.lost}", place))
        self._has_problems = self._has_problems or bool(problems)
        self._problems += [problem for problem in problems if problem not in self._problems]
        return set_text

    def lines(self, source: str, style: TextStyle, width_mm: float, place: Source) -> list[Slug]:
        """Return a text as slugs, one for each line, without widows and orphans."""
        set_text = self.set_paragraphs(source, style, width_mm, place)
        leading_mm = set_text.leading_mm
        count = len(set_text.lines)
        slugs: list[Slug] = []
        for number, line in enumerate(set_text.lines):
            is_held = number < count - 1 and (number == 0 or number == count - 2)
            items = shifted(line.items, 0.0, set_text.baseline_mm)
            tear = _TEAR_LINES if number < count - 1 else 0.0
            slugs.append(Slug(leading_mm, items, line.gap_mm if number else 0.0, is_held, tear=tear))
        return slugs

    def stack(self, texts: Sequence[tuple[str, TextStyle]], width_mm: float, place: Source) -> tuple[list[Item], float]:
        """Return texts set in lines, one below the other, and their height together."""
        return self.once((texts, width_mm), _STACK, lambda: self._stack(texts, width_mm, place))

    def _stack(
        self, texts: Sequence[tuple[str, TextStyle]], width_mm: float, place: Source
    ) -> tuple[list[Item], float]:
        items: list[Item] = []
        y_mm = 0.0
        for text, style in texts:
            for slug in self.lines(text, style, width_mm, place):
                y_mm += slug.before_mm
                items += shifted(slug.items, 0.0, y_mm)
                y_mm += slug.height_mm
        return items, y_mm


class _Fit(Struct, frozen=True):
    """A setting of a table: widths of its columns, the space beside words, and the styles of cells and heads."""

    widths: list[float]
    side_mm: float
    body: TextStyle
    head: TextStyle


def needs_more_mm(table: TableBlock, setting: WordSetting, width_mm: float) -> bool:
    """Return whether a table at its full size is too wide for a column."""
    body, head = setting.style("rules-table"), setting.style("rules-table-head")
    least = _measured(table, setting, body, head, 1.0)
    return added(least) + 2 * _LEAST_SIDE_MM * len(least) > width_mm


def set_table(table: TableBlock, setting: WordSetting, width_mm: float, before_mm: float) -> list[Slug]:
    """Return a table's slugs: its heads, which are repeated at the top of a column, and its rows."""
    fit = _fitted(table, setting, width_mm)
    slugs: list[Slug] = []
    lead: Slug | None = None
    if table.heads:
        lead = _row(table, table.heads, fit, setting, is_head=True)._replace(keeps_next=True)
        slugs.append(lead)
    rows = [_row(table, cells, fit, setting, is_head=False) for cells in table.rows]
    # Neither one row alone under the heads, nor one alone at the top of the next column.
    for index, row in enumerate(rows):
        is_held = len(rows) > 1 and index in (0, len(rows) - 2)
        slugs.append(row._replace(keeps_next=is_held, lead=lead, tear=_TEAR_ROWS if index < len(rows) - 1 else 0.0))
    if slugs:
        slugs[0] = slugs[0]._replace(before_mm=before_mm)
    return slugs


def _row(table: TableBlock, cells: tuple[str, ...], fit: _Fit, setting: WordSetting, *, is_head: bool) -> Slug:
    style, widths = fit.head if is_head else fit.body, fit.widths
    set_texts: list[tuple[SetText, float, float]] = []
    x_mm = 0.0
    for cell, align, width_mm in zip(cells, table.aligns, widths, strict=True):
        inner_mm = max(width_mm - 2 * fit.side_mm, 1.0)
        set_text = setting.set_paragraphs(
            cell, style._replace(align=align, is_hyphenated=False), inner_mm, table.source
        )
        own_mm = len(set_text.lines) * set_text.leading_mm + added(line.gap_mm for line in set_text.lines)
        set_texts.append((set_text, x_mm + fit.side_mm, own_mm))
        x_mm += width_mm
    height_mm = max(height for _, _, height in set_texts)
    items: list[Item] = []
    for set_text, left_mm, own_mm in set_texts:
        # Heads stand on the line under them; cells begin at the top of their row.
        y_mm = _ABOVE_MM + (height_mm - own_mm if is_head else 0.0) + set_text.baseline_mm
        for line in set_text.lines:
            y_mm += line.gap_mm
            items += shifted(line.items, left_mm, y_mm)
            y_mm += set_text.leading_mm
    line_mm, role = (_HEAD_LINE_MM, "rules-accent") if is_head else (_HAIR_MM, "rules-line")
    total_mm = height_mm + 2 * _ABOVE_MM + line_mm
    items.append(setting.bar(0.0, total_mm - line_mm, added(widths), line_mm, role))
    return Slug(total_mm, tuple(items))


def _fitted(table: TableBlock, setting: WordSetting, width_mm: float) -> _Fit:
    """Return the largest setting of a table that fits: first less space beside the words, then smaller words."""
    body, head = setting.style("rules-table"), setting.style("rules-table-head")
    count = len(table.aligns)
    while True:
        least = _measured(table, setting, body, head, 1.0)
        wanted = _measured(table, setting, body, head, _WIDE_MM)
        side_mm = min(_SIDE_MM, max(_LEAST_SIDE_MM, (width_mm - added(wanted)) / count / 2))
        if added(least) + 2 * side_mm * count <= width_mm or body.size_pt * _SMALLER < _SMALLEST_PT:
            widths = _widths(table, least, wanted, width_mm - 2 * side_mm * count)
            return _Fit([one + 2 * side_mm for one in widths], side_mm, body, head)
        body = body._replace(size_pt=body.size_pt * _SMALLER)
        head = head._replace(size_pt=head.size_pt * _SMALLER)


def _measured(
    table: TableBlock, setting: WordSetting, body: TextStyle, head: TextStyle, width_mm: float
) -> list[float]:
    """Return the widths of the columns with their lines broken at a width."""
    widths = [0.0] * len(table.aligns)
    rows = [(row, body) for row in table.rows] + ([(table.heads, head)] if table.heads else [])
    for cells, style in rows:
        style = style._replace(align="left", is_hyphenated=False)
        for index, cell in enumerate(cells):
            lines = setting.typesetter.set_paragraphs(cell, style, width_mm).lines
            widths[index] = max(widths[index], max((line.width_mm for line in lines), default=0.0) + 0.05)
    return widths


def _widths(table: TableBlock, least: list[float], wanted: list[float], room_mm: float) -> list[float]:
    """Return the widths of the columns: as wide as their words, or shared out if the room is too small."""
    over_mm = room_mm - added(wanted)
    if over_mm >= 0:
        if all(align == "left" for align in table.aligns[1:]):
            # Words: the last column takes what is over, so that the others stand near each other.
            return [*wanted[:-1], wanted[-1] + over_mm]
        share_mm = over_mm / len(wanted)
        if share_mm > _MOST_OVER_MM and added(wanted) + _MOST_OVER_MM * len(wanted) < room_mm * _NEARLY_FULL:
            share_mm = _MOST_OVER_MM  # few short words: a table as wide as the page would tear them apart
        return [one + share_mm for one in wanted]
    if added(least) > room_mm:
        return [one * room_mm / added(least) for one in least]
    growth = [max(one - low, 0.0) for one, low in zip(wanted, least, strict=True)]
    total = added(growth) or 1.0
    return [low + (room_mm - added(least)) * more / total for low, more in zip(least, growth, strict=True)]
