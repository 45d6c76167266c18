"""Blocks -> slugs: words set in lines, lists, tables and pictures made, and what must not be parted tied together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from duckpress.core.problems import Problem
from duckpress.core.units import MM_PER_PT, added
from duckpress.layout import Look
from duckpress.rulebook.markdown.blocks import (
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
from duckpress.rulebook.setting.columns import Panel, Slug, kept_together
from duckpress.rulebook.setting.word_setting import WordSetting, set_table
from duckpress.text import Typesetter

# Spaces in lines of the running text, by eye.
_PARAGRAPH_GAP = 0.5
_ITEM_GAP = 0.22
_HEADING_GAPS = {1: (1.5, 0.42), 2: (0.95, 0.2), 3: (0.6, 0.05)}
_BLOCK_GAP = 0.75
_CALLOUT_PADDING_MM = 2.6
_BAR_MM = 1.1
_RULE_MM = 0.25
_SHORT_LEAD = 120  # letters
_HEAD_RULE_MM = 0.5


PictureRow = Callable[[Pictures, WordSetting, float], Slug | None]
"""Sets pictures side by side in a column of a width, with what is written under them."""


class BlockSetting(WordSetting):
    """Sets blocks in columns of a width: texts, and what is made of several of them; pictures by `picture_row`."""

    def __init__(
        self, typesetter: Typesetter, look: Look, icons: Sequence[str], problems: list[Problem], scale: float,
        picture_row: PictureRow | None,
    ) -> None:  # fmt: skip
        super().__init__(typesetter, look, icons, problems, scale)
        self._picture_row = picture_row

    def blocks(self, blocks: Sequence[Block], width_mm: float, text: str = "rules-text") -> list[Slug]:
        """Return the slugs of blocks, one after the other; `text` is the style of their running text."""
        slugs: list[Slug] = []
        forces = ""
        for index, block in enumerate(blocks):
            if isinstance(block, Break):
                forces = block.kind
                continue
            own = self._block(block, width_mm, text)
            if not own:
                continue
            after = blocks[index + 1] if index + 1 < len(blocks) else None
            if isinstance(block, Prose) and _announces(block, after):
                own[-1] = own[-1]._replace(keeps_next=True)
            if index and isinstance(blocks[index - 1], Heading):
                own[0] = own[0]._replace(before_mm=0.0)  # the heading has its own space under it
            if forces:
                own[0] = own[0]._replace(forces=forces)
                forces = ""
            slugs += own
        return slugs

    def _block(self, block: Block, width_mm: float, text: str) -> list[Slug]:
        if isinstance(block, Heading):
            return self._heading(block, width_mm)
        if isinstance(block, Prose):
            return self._prose(block, width_mm, text)
        if isinstance(block, Items):
            return self._items(block, width_mm, "rules-small" if block.is_small else text)
        if isinstance(block, Callout):
            return self._callout(block, width_mm)
        if isinstance(block, TableBlock):
            return set_table(block, self, width_mm, self.line_mm * _BLOCK_GAP)
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

    def _prose(self, block: Prose, width_mm: float, text: str) -> list[Slug]:
        name = "rules-lead" if block.is_lead else "rules-small" if block.is_small else text
        slugs = self.lines(block.text, self.style(name), width_mm, block.source)
        if slugs:
            slugs[0] = slugs[0]._replace(before_mm=_PARAGRAPH_GAP * self.leading_mm(name))
        return slugs

    def _items(self, block: Items, width_mm: float, text: str) -> list[Slug]:
        style = self.style(text)
        em_mm = style.size_pt * MM_PER_PT
        labels = ["•"] * len(block.items)
        if block.first is not None:
            labels = [f"{block.first + number}." for number in range(len(block.items))]
        label_style = style._replace(colour=self.colour("rules-accent"), weight="bold", align="left")
        set_labels = [self.typesetter.line(label, label_style) for label in labels]
        hang_mm = max(max((line.width_mm for line in set_labels), default=0.0) + 0.42 * em_mm, 1.1 * em_mm)
        slugs: list[Slug] = []
        for number, (blocks, label) in enumerate(zip(block.items, set_labels, strict=True)):
            own = [slug.moved(hang_mm) for slug in self.blocks(blocks, width_mm - hang_mm, text)]
            x_mm = hang_mm - 0.42 * em_mm - label.width_mm if block.first is not None else 0.12 * em_mm
            gap_mm = (_ITEM_GAP if number else _PARAGRAPH_GAP) * self.leading_mm(text)
            slugs += self.labelled(own, label.items, max(x_mm, 0.0), style, gap_mm) if own else []
        return slugs

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
        if added(slug.height_mm + slug.before_mm for slug in slugs) < 16 * self.line_mm:
            slugs = kept_together(slugs)
        return slugs

    def _entries(self, block: Entries, width_mm: float) -> list[Slug]:
        style, figures = self.style("rules-text"), self.style("rules-text")
        figures = figures._replace(weight="bold", colour=self.colour("rules-accent"), align="right")
        counts = [self.typesetter.line(count, figures) for count, _ in block.entries]
        em_mm = style.size_pt * MM_PER_PT
        count_mm = max(max((line.width_mm for line in counts), default=0.0), 1.2 * em_mm)
        hang_mm = count_mm + 0.6 * em_mm
        slugs: list[Slug] = []
        for number, ((_, words), count) in enumerate(zip(block.entries, counts, strict=True)):
            own = [slug.moved(hang_mm) for slug in self.lines(words, style, width_mm - hang_mm, block.source)]
            gap_mm = (_ITEM_GAP if number else _PARAGRAPH_GAP) * self.line_mm
            slugs += self.labelled(own, count.items, count_mm - count.width_mm, style, gap_mm) if own else []
        return slugs


def _announces(block: Prose, after: Block | None) -> bool:
    """Return whether a paragraph leads to what comes after it: an inner list, or whatever its colon speaks of."""
    if isinstance(after, Items) and len(block.text) < _SHORT_LEAD:
        return True
    return isinstance(after, Items | TableBlock | Entries | Pictures) and block.text.rstrip(" *").endswith(":")
