"""Rows of a swap sheet or a page of changes: a card before and now, side by side, and in words what differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from duckpress.core.frame import Frame, Item, Outline, Paint
from duckpress.core.geometry import Rect
from duckpress.core.paths import polyline, rectangle
from duckpress.core.problems import Source
from duckpress.core.sizes import Format
from duckpress.layout import Face
from duckpress.rulebook.markdown.blocks import Heading
from duckpress.rulebook.setting.columns import Section, Slug, shifted
from duckpress.rulebook.setting.furniture import Leaflet, escaped
from duckpress.rulebook.setting.pages import PageShape
from duckpress.rulebook.setting.setting import BlockSetting
from duckpress.share.updates.word_marks import as_markup

_TICK_MM = 3.0
_TICK_ROOM_MM = 5.5
_THUMB_MM = (20.0, 28.0)
_ARROW_MM = 6.5
_WORDS_GAP_MM = 3.0
_CAPTION_GAP_MM = 0.8
_PAIR_GAP_MM = 1.6
_PAD_MM = 1.8
_LINE_MM = 0.25
_HAIR_MM = 0.2


class ShownHalf(NamedTuple):
    """A side of a card before or now: its frame, or where that is not known, words in its place; a caption."""

    frame: Frame | None
    format: Format | None
    words: str
    caption: str


class ShownPair(NamedTuple):
    """A side of a card before and now; None where there is nothing to show on that half."""

    old: ShownHalf | None
    new: ShownHalf | None


class SwapRow(NamedTuple):
    """A card before and now, one pair for each side that is shown."""

    pairs: tuple[ShownPair, ...]
    name: str
    code: str
    notes: tuple[str, ...]


def shown_half(face: Face | None, words: str, caption: str, *, is_back: bool) -> ShownHalf | None:
    """Return a side of a card; None where the card is known and has no such side."""
    if face is None:
        return ShownHalf(None, None, words, caption)
    frame = face.back if is_back else face.front
    return None if frame is None else ShownHalf(frame, face.format, words, caption)


class RowSetting:
    """Sets rows in columns of a width; what is ticked off has a box before it."""

    def __init__(self, leaflet: Leaflet, setting: BlockSetting, source: Source, *, has_ticks: bool) -> None:
        self._leaflet = leaflet
        self._setting = setting
        self._source = source
        self._has_ticks = has_ticks

    def section(self, by_deck: Mapping[str, Sequence[SwapRow]], shape: PageShape) -> Section:
        """Return the rows of decks in columns, under the decks' titles."""
        width_mm = shape.column_mm(shape.columns)
        slugs: list[Slug] = []
        for deck, rows in by_deck.items():
            slugs += self._setting.blocks([Heading(2, escaped(deck), self._source)], width_mm)
            slugs += [self._row(row, width_mm) for row in rows]
        return Section(shape.columns, tuple(slugs))

    def _row(self, row: SwapRow, width_mm: float) -> Slug:
        setting = self._setting
        thumb_mm, high_mm = _THUMB_MM
        items: list[Item] = []
        x_mm = 0.0
        if self._has_ticks:
            paint = Paint(stroke=setting.colour("rules-ink"), stroke_mm=_LINE_MM)
            top_mm = _PAD_MM + high_mm / 2 - _TICK_MM / 2
            items.append(Outline(rectangle(_LINE_MM / 2, top_mm, _TICK_MM, _TICK_MM, 0.4), paint))
            x_mm = _TICK_ROOM_MM
        shown_mm = 0.0
        for pair in row.pairs:
            at_mm = shown_mm + _PAIR_GAP_MM if shown_mm else 0.0
            drawn, used_mm = self._pair(pair, x_mm)
            items += shifted(tuple(drawn), 0.0, at_mm)
            shown_mm = at_mm + used_mm
        x_mm += 2 * thumb_mm + _ARROW_MM + _WORDS_GAP_MM
        words, words_mm = self._words(row, width_mm - x_mm)
        items += shifted(tuple(words), x_mm, _PAD_MM)
        height_mm = max(shown_mm, words_mm) + 2 * _PAD_MM
        items.append(setting.bar(0.0, height_mm, width_mm, _HAIR_MM, "rules-line"))
        return Slug(round(height_mm + _HAIR_MM, 3), tuple(items))

    def _pair(self, pair: ShownPair, x_mm: float) -> tuple[list[Item], float]:
        """Return a side before and now with an arrow between, and the height of both with their captions."""
        thumb_mm, high_mm = _THUMB_MM
        items: list[Item] = []
        below_mm = 0.0
        for half, at_mm in zip(pair, (x_mm, x_mm + thumb_mm + _ARROW_MM), strict=True):
            if half is not None:
                drawn, used_mm = self._half(half, at_mm)
                items += drawn
                below_mm = max(below_mm, used_mm)
        if None not in pair:
            items += self._arrow(x_mm + thumb_mm + _ARROW_MM / 2, _PAD_MM + high_mm / 2)
        return items, high_mm + below_mm

    def _half(self, half: ShownHalf, x_mm: float) -> tuple[list[Item], float]:
        """Return a face (or the words in its place) with its caption, and how much the caption takes below it."""
        setting = self._setting
        thumb_mm, high_mm = _THUMB_MM
        items: list[Item] = []
        if half.frame is not None and half.format is not None:
            room = Rect(x_mm, _PAD_MM, thumb_mm, high_mm)
            items += self._leaflet.small(half.frame, half.format, room)
        else:
            paint = Paint(stroke=setting.colour("rules-muted"), stroke_mm=_LINE_MM, dash_mm=(1.0, 0.8))
            items.append(Outline(rectangle(x_mm, _PAD_MM, thumb_mm, high_mm, 1.5), paint))
            style = setting.style("rules-caption")._replace(align="center")
            lines, used_mm = setting.stack([(escaped(half.words), style)], thumb_mm - 2.0, self._source)
            items += shifted(tuple(lines), x_mm + 1.0, _PAD_MM + max(0.0, (high_mm - used_mm) / 2))
        style = setting.style("rules-caption")
        style = style._replace(align="center", weight="bold", colour=setting.colour("rules-ink"))
        lines, used_mm = setting.stack([(escaped(half.caption), style)], thumb_mm + _ARROW_MM - 0.5, self._source)
        at_mm = x_mm - (_ARROW_MM - 0.5) / 2
        items += shifted(tuple(lines), at_mm, _PAD_MM + high_mm + _CAPTION_GAP_MM)
        return items, used_mm + _CAPTION_GAP_MM if lines else 0.0

    def _words(self, row: SwapRow, width_mm: float) -> tuple[list[Item], float]:
        setting = self._setting
        style = setting.style("rules-small")
        items: list[Item] = []
        y_mm = 0.0
        head = f"**{escaped(row.name)}**" + (f"  {escaped(row.code)}" if row.code else "")
        for number, words in enumerate((head, *map(as_markup, row.notes))):
            own = style if number else setting.style("rules-text")
            lines, used_mm = setting.stack([(words, own)], width_mm, self._source)
            items += shifted(tuple(lines), 0.0, y_mm)
            y_mm += used_mm + 0.7
        return items, y_mm

    def _arrow(self, x_mm: float, y_mm: float) -> list[Item]:
        paint = Paint(fill=self._setting.colour("rules-accent"))
        x, y = round(x_mm, 3), round(y_mm, 3)
        corners = ((x - 1.3, y - 1.9), (x + 1.5, y), (x - 1.3, y + 1.9))
        return [Outline(polyline(corners, is_closed=True, is_mark=True), paint)]
