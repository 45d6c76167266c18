"""Blocks -> slugs: words set in lines, lists, tables and pictures, with the rules for keeping slugs together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from duckpress.content.yaml.kinds import Placed
from duckpress.core.geometry import MM_PER_PT, added
from duckpress.core.problems import NOWHERE, Problem
from duckpress.files.memo import form_of
from duckpress.layout import Look, Theme, ThemeRule
from duckpress.layout.rulebook.blocks import (
    Block,
    Break,
    Callout,
    Entries,
    Heading,
    Items,
    Pictures,
    Prose,
    Rule,
    TableBlock,
)
from duckpress.layout.rulebook.columns import Panel, Slug, kept_together
from duckpress.layout.rulebook.kept_settings import KeptSettings
from duckpress.layout.rulebook.word_setting import WordSetting, needs_more_mm, set_table
from duckpress.text import Typesetter
from duckpress.text.styles import TextLine

_LIGHT = "#ffffff"
_INK = ("ink", "#1d1b18")

# By ink: the first of these roles that the theme has, else the last.
COLOURS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "rules-ink": {"color": _INK},
    "rules-muted": {"color": ("muted", "soft", *_INK)},
    "rules-accent": {"color": ("accent", "signal", *_INK)},
    "rules-line": {"color": ("line", "hair", "#b9b2a6")},
    "rules-panel": {"color": ("panel", "#f2efe8"), "low": (_LIGHT,)},
    "rules-paper": {"color": (_LIGHT,)},
    "rules-band": {"color": ("rules-accent",), "low": (_LIGHT,)},
    "on-rules-band": {"color": (_LIGHT,), "low": ("rules-ink",)},
}

# The style that each is like, and what differs; sizes in points, chosen by eye for columns of 80 to 120 mm.
STYLES: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "rules-text": ("body", {"size": 9.6, "leading": 1.3, "align": "left", "colour": "rules-ink", "hyphenate": True}),
    "rules-lead": ("rules-text", {"size": 11.5, "leading": 1.34, "hyphenate": False}),
    "rules-small": ("rules-text", {"size": 8.4, "leading": 1.27}),
    "rules-callout": ("rules-text", {"size": 9.2, "leading": 1.28}),
    "rules-caption": ("rules-text", {"size": 8.2, "leading": 1.2, "hyphenate": False, "colour": "rules-muted"}),
    "rules-table": ("rules-text", {"size": 9.2, "leading": 1.18, "hyphenate": False}),
    "rules-table-head": ("rules-table", {"size": 8.2, "leading": 1.12, "weight": "bold", "colour": "rules-accent"}),
    "rules-h1": (
        "title",
        {"size": 15.5, "leading": 1.08, "align": "left", "colour": "rules-accent", "hyphenate": False},
    ),
    "rules-h2": ("rules-text", {"size": 11.2, "leading": 1.15, "weight": "bold", "hyphenate": False}),
    "rules-h3": ("rules-text", {"leading": 1.25, "weight": "bold", "hyphenate": False}),
    "rules-footer": ("rules-text", {"size": 7.2, "hyphenate": False, "colour": "rules-muted"}),
    "rules-title": (
        "title",
        {"size": 34, "min": 16, "leading": 1.0, "align": "left", "colour": "on-rules-band", "hyphenate": False},
    ),
    "rules-subtitle": (
        "rules-text",
        {"size": 11.5, "min": 8.5, "leading": 1.15, "hyphenate": False, "colour": "on-rules-band"},
    ),
}


def with_rules_roles(theme: Theme) -> Theme:
    """Return a theme with all roles of rules sheets added."""
    colours = dict(theme.colours)
    for role, by_ink in COLOURS.items():
        if role not in colours:
            own = {
                ink: next((one for one in roles if one in theme.colours), roles[-1]) for ink, roles in by_ink.items()
            }
            colours[role] = {ink: Placed(colour, theme.source) for ink, colour in own.items()}
    styles = dict(theme.styles)
    for name, (like, values) in STYLES.items():
        styles[name] = _completed(styles.get(name), like, values, theme)
    return replace(theme, colours=colours, styles=styles)


def _completed(own: ThemeRule | None, like: str, defaults: Mapping[str, object], theme: Theme) -> ThemeRule:
    if own is not None and own.like is not None:
        return own
    is_known = like in theme.styles or like.startswith("rules-")
    base = Placed(like, theme.source) if is_known else None
    values = dict(defaults)
    if "size" in values:
        values.setdefault("min", values["size"])  # a rules sheet has all the room it needs: nothing shrinks
    if own is None:
        return ThemeRule(values, theme.source, {}, base)
    if "size" in own.values and "min" not in own.values and "min" in values:
        values["min"] = min(values["min"], own.values["size"])  # type: ignore[call-overload]
    return ThemeRule({**values, **own.values}, own.source, own.sources, base)


# Spaces in lines of the running text, by eye.
_PARAGRAPH_GAP = 0.5
_ITEM_GAP = 0.22
_HEADING_GAPS = {1: (1.5, 0.42), 2: (0.95, 0.2), 3: (0.6, 0.05)}
_BLOCK_GAP = 0.75
_CALLOUT_PADDING_MM = 2.6
_BAR_MM = 1.1
_RULE_MM = 0.25
_SHORT_LEAD = 120  # letters
# What is at most so high is never torn, in lines of the running text; and with how much above it a figure is kept.
_FEW_LINES = 8  # of a list
_SMALL_LINES = 16  # of a table, a callout
_FIGURE_LINES = 10  # from the heading down to the figure
_FIGURE_WORDS_LINES = 6  # of a paragraph alone
# What it costs to tear larger ones all the same: a hole of a centimetre at the foot of a column costs 1.
_TEAR = 0.6  # between the parts of a list
_TEAR_LONE = 3.0  # behind the first part of a list, or before its last one
_TEAR_TABLE = 2.0  # between a table and what is said before it
_TEAR_CALLOUT = 6.0
# What is so near the next heading is not parted from the rest of its section.
_STUB_LINES = 7
_TEAR_STUB = 5.0
_HEAD_RULE_MM = 0.5
_SLIP_MM = 1e-3
_SLUGS, _ANSWER = form_of(list[Slug]), form_of(bool)


PictureRow = Callable[[Pictures, WordSetting, float], Slug | None]
"""Sets pictures side by side in a column of a width, with what is written under them."""


class BlockSetting(WordSetting):
    """Sets blocks in columns of a width: texts, and composite blocks; pictures by `picture_row`."""

    def __init__(
        self, typesetter: Typesetter, look: Look, icons: Sequence[str], problems: list[Problem], scale: float,
        picture_row: PictureRow | None, kept: KeptSettings | None = None,
    ) -> None:  # fmt: skip
        super().__init__(typesetter, look, icons, problems, scale, kept)
        self._picture_row = picture_row

    def blocks(
        self, blocks: Sequence[Block], width_mm: float, text: str = "rules-text", after: Block | None = None
    ) -> list[Slug]:
        """Return the slugs of consecutive blocks; `after` is the next block, which is set separately.

        `text` is the style of their running text.
        """
        slugs: list[Slug] = []
        forces, start = "", 0
        heading: int | None = None  # the first slug of the heading that what comes next stands under
        for before, block, following in zip([None, *blocks], blocks, [*blocks[1:], after], strict=False):
            if isinstance(block, Break):
                forces, heading = block.kind, None
                continue
            own = self._block(block, width_mm, text)
            if not own:
                continue
            if isinstance(block, Prose) and _announces(block, following):
                own[-1] = own[-1]._replace(keeps_next=True)
            if isinstance(before, Heading):
                own[0] = own[0]._replace(before_mm=0.0)  # the heading has its own space under it
            if forces:
                own[0] = own[0]._replace(forces=forces)
                forces = ""
            if slugs and isinstance(before, Prose) and isinstance(block, TableBlock):
                slugs[-1] = _dearer(slugs[-1], _TEAR_TABLE)
            start = len(slugs)
            if isinstance(block, Heading) and not isinstance(before, Heading):
                slugs = self._without_stub(slugs)
                heading = start
            elif isinstance(block, Pictures):
                heading = None
            slugs += own
            if isinstance(following, Pictures):
                slugs = self._up_to_figure(slugs, heading, start)
        return self._without_stub(slugs) if isinstance(after, Heading) else slugs

    def _without_stub(self, slugs: list[Slug]) -> list[Slug]:
        """Return slugs before a heading; a column that leaves only a few lines of them to the next costs more."""
        first = len(slugs)
        while first and _height_mm(slugs[first - 1 :]) <= _STUB_LINES * self.line_mm:
            first -= 1
        near = (_dearer(slug, _TEAR_STUB) for slug in slugs[max(first - 1, 0) : -1])
        return [*slugs[: max(first - 1, 0)], *near, *slugs[-1:]]

    def _up_to_figure(self, slugs: list[Slug], heading: int | None, last: int) -> list[Slug]:
        """Return slugs before a figure, kept with it from the heading on, or from the last block, if they are short.

        What is too long to be kept whole is kept by its last lines, and torn from them only at a price.
        """
        for start, lines in ((heading, _FIGURE_LINES), (last, _FIGURE_WORDS_LINES)):
            if start is not None and _height_mm(slugs[start:]) <= lines * self.line_mm:
                return [*slugs[:start], *(slug._replace(keeps_next=True) for slug in slugs[start:])]
        return [*slugs[:-1], slugs[-1]._replace(tear=_TEAR_CALLOUT)]

    def _block(self, block: Block, width_mm: float, text: str) -> list[Slug]:
        """Return the slugs of a block; those of words alone may be kept from an earlier run."""
        if not isinstance(block, Heading | Prose | TableBlock | Entries):
            return self._slugs(block, width_mm, text)
        key = replace(block, source=NOWHERE), width_mm, text
        return self.once(key, _SLUGS, partial(self._slugs, block, width_mm, text))

    def is_too_wide(self, table: TableBlock, width_mm: float) -> bool:
        """Return whether a table at its full size is too wide for a column."""
        key = replace(table, source=NOWHERE), width_mm
        return self.once(key, _ANSWER, partial(needs_more_mm, table, self, width_mm))

    def _slugs(self, block: Block, width_mm: float, text: str) -> list[Slug]:
        if isinstance(block, Heading):
            return self._heading(block, width_mm)
        if isinstance(block, Prose):
            name = "rules-lead" if block.is_lead else "rules-small" if block.is_small else text
            slugs = self.lines(block.text, self.style(name), width_mm, block.source)
            gap_mm = _PARAGRAPH_GAP * self.leading_mm(name)
            return [slug._replace(before_mm=gap_mm) if not at else slug for at, slug in enumerate(slugs)]
        if isinstance(block, Items):
            return self._items(block, width_mm, "rules-small" if block.is_small else text)
        if isinstance(block, Callout):
            return self._callout(block, width_mm)
        if isinstance(block, TableBlock):
            return self._short_group(set_table(block, self, width_mm, self.line_mm * _BLOCK_GAP), _SMALL_LINES)
        if isinstance(block, Entries):
            return self._entries(block, width_mm)
        if isinstance(block, Pictures):
            row = self._picture_row(block, self, width_mm) if self._picture_row is not None else None
            return [row._replace(before_mm=self.line_mm * _BLOCK_GAP)] if row is not None else []
        if isinstance(block, Rule):
            line = self.bar(0.0, self.line_mm / 2, width_mm, _RULE_MM, "rules-line")
            return [Slug(self.line_mm, (line,), self.line_mm * 0.3)]
        return []

    def _heading(self, block: Heading, width_mm: float) -> list[Slug]:
        before, after = _HEADING_GAPS[block.level]
        slugs = self.lines(block.text, self.style(f"rules-h{block.level}"), width_mm, block.source)
        if not slugs:
            return []
        gap_mm = after * self.line_mm
        last = slugs[-1]
        items = last.items
        if block.level == 1:
            items = (*items, self.bar(0.0, last.height_mm + 0.5, width_mm, _HEAD_RULE_MM, "rules-accent"))
            gap_mm += 0.5 + _HEAD_RULE_MM
        slugs[-1] = last._replace(height_mm=last.height_mm + gap_mm, items=items)
        slugs = [slug._replace(keeps_next=True) for slug in slugs]
        slugs[0] = slugs[0]._replace(before_mm=before * self.line_mm)
        return slugs

    def _items(self, block: Items, width_mm: float, text: str) -> list[Slug]:
        style = self.style(text)
        em_mm = style.size_pt * MM_PER_PT
        labels = ["•"] * len(block.items)
        if block.first is not None:
            labels = [f"{block.first + number}." for number in range(len(block.items))]
        label_style = style._replace(colour=self.colour("rules-accent"), weight="bold", align="left")
        lines = {label: self.typesetter.line(label, label_style) for label in dict.fromkeys(labels)}
        set_labels = [lines[label] for label in labels]
        hang_mm = max(max((line.width_mm for line in set_labels), default=0.0) + 0.42 * em_mm, 1.1 * em_mm)
        parts = [self.blocks(blocks, width_mm - hang_mm, text) for blocks in block.items]
        places_mm = [0.12 * em_mm] * len(parts)
        if block.first is not None:
            places_mm = [max(hang_mm - 0.42 * em_mm - label.width_mm, 0.0) for label in set_labels]
        return self._list(list(zip(parts, set_labels, places_mm, strict=True)), hang_mm, text)

    def _callout(self, block: Callout, width_mm: float) -> list[Slug]:
        padding = _CALLOUT_PADDING_MM
        inner = self.blocks(block.blocks, width_mm - 2 * padding - _BAR_MM, "rules-callout")
        if not inner:
            return []
        panel = Panel(0.0, width_mm, self.colour("rules-panel"), self.colour("rules-accent"), _BAR_MM)
        top = Slug(padding * 0.8, before_mm=self.line_mm * _BLOCK_GAP, keeps_next=True)
        inner[0] = inner[0]._replace(before_mm=0.0)
        inner[-1] = inner[-1]._replace(keeps_next=True)
        slugs = [top, *(slug.moved(padding + _BAR_MM) for slug in inner), Slug(padding * 0.8)]
        slugs = [slug._replace(panel=panel) for slug in slugs]
        # A short one is never cut; a long one is cut as its paragraphs may be.
        return self._short_group([slug._replace(tear=_TEAR_CALLOUT) for slug in slugs[:-1]] + slugs[-1:], _SMALL_LINES)

    def _entries(self, block: Entries, width_mm: float) -> list[Slug]:
        style = self.style("rules-text")
        figures = style._replace(weight="bold", colour=self.colour("rules-accent"), align="right")
        counts = [self.typesetter.line(count, figures) for count, _ in block.entries]
        em_mm = style.size_pt * MM_PER_PT
        count_mm = max(max((line.width_mm for line in counts), default=0.0), 1.2 * em_mm)
        hang_mm = count_mm + 0.6 * em_mm
        parts = [
            (self.lines(words, style, width_mm - hang_mm, block.source), count, count_mm - count.width_mm)
            for (_, words), count in zip(block.entries, counts, strict=True)
        ]
        return self._list(parts, hang_mm, "rules-text")

    def _list(self, parts: Sequence[tuple[list[Slug], TextLine, float]], hang_mm: float, text: str) -> list[Slug]:
        """Return the parts of a list one below the other, each hanging with its label before its first line."""
        slugs: list[Slug] = []
        for number, (part, label, x_mm) in enumerate(parts):
            if part:
                gap_mm = (_ITEM_GAP if number else _PARAGRAPH_GAP) * self.leading_mm(text)
                own = [slug.moved(hang_mm) for slug in part]
                slugs += self.labelled(own, label.items, x_mm, self.style(text), gap_mm)
                is_lone = len(parts) > 2 and number in (0, len(parts) - 2)
                slugs[-1] = slugs[-1]._replace(tear=_TEAR_LONE if is_lone else _TEAR)
        return self._short_group(slugs, _FEW_LINES)

    def _short_group(self, slugs: list[Slug], lines: int) -> list[Slug]:
        """Return slugs, kept together if they are no higher than so many lines of the running text."""
        return kept_together(slugs) if _height_mm(slugs) <= lines * self.line_mm + _SLIP_MM else slugs


def _height_mm(slugs: Sequence[Slug]) -> float:
    """Return the height of slugs at the top of a column."""
    return added(slug.height_mm + (slug.before_mm if number else 0.0) for number, slug in enumerate(slugs))


def _dearer(slug: Slug, tear: float) -> Slug:
    """Return a slug with a higher cost of ending a column after it."""
    return slug._replace(tear=slug.tear + tear)


def _announces(block: Prose, after: Block | None) -> bool:
    """Return whether a paragraph introduces the block after it: an inner list, or any block after a colon."""
    if isinstance(after, Items) and len(block.text) < _SHORT_LEAD:
        return True
    return isinstance(after, Items | TableBlock | Entries | Pictures) and block.text.rstrip(" *").endswith(":")
