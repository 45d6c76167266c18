"""The footer of a sheet: its title, how to print and turn it, and two measuring bars.

The footer is made in its own coordinates (x along the line, y downwards, from its own top left) and stands in one of
two places: along the bottom edge, or along the left edge reading from bottom to top. It has one of two shapes: two
short rows, or one thin and long row for narrow margins. `grid` has both.

Why bars: every guide to printing says "print at 100 %", and a bar is the only way to see that it was. Why two: a
ruler shows centimetres or inches, rarely both.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable
from typing import NamedTuple

from duckpress.core.frame import Group, Item, Outline, Paint
from duckpress.core.geometry import added, scaling, translation
from duckpress.core.language import Speech, program
from duckpress.core.paths import strokes
from duckpress.impose.grid import BAR_LABEL_GAP_MM, BAR_LABEL_ROOM_MM, BAR_STROKE_MM, BARS, ONE_ROW, FooterShape
from duckpress.impose.sheets import Turn

SetLine = tuple[tuple[Item, ...], float]
"""The items of a text on one line, which begins at the origin, on its baseline; and its width in mm."""

Typeset = Callable[[str, float, bool], SetLine]
"""Sets a text, of a size in points, bold or not."""

TEXT_PT = 6.0
BAR_LABEL_PT = 5.5
COLOUR = "#333333"

_TICK_MM = 1.4
_WORD_GAP_MM = 0.6  # about a space at 6 pt
_SHORTEST_TITLE = 4


class SheetLabel(NamedTuple):
    """The texts in the footers of a piece; `note` comes first in bold, for a word such as DRAFT.

    `speech` is the language that the footers' own words are in; `printer` the one that the sheets are corrected for.
    """

    game: str
    piece: str
    version: str
    note: str = ""
    speech: Speech = Speech()
    printer: str = ""


class Footer:
    """The footers of one piece on one size of paper; repeated parts are typeset once.

    `turn` is None for sheets printed on one side. A sheet that is folded has fronts and backs on its one side, and says
    neither.
    """

    def __init__(
        self, label: SheetLabel, typeset: Typeset, turn: Turn | None, shape: FooterShape, length_mm: float,
        *, is_folded: bool,
    ) -> None:  # fmt: skip
        self._typeset = typeset
        self._shape = shape
        self._text_room_mm = length_mm - shape.text_room_mm
        self._label = label
        self._tails = [_tail(label, typeset, turn, is_back=is_back, is_folded=is_folded) for is_back in (False, True)]
        self._bars = _bars(typeset, shape, length_mm - shape.bars_room_mm)
        self._heads: dict[tuple[int, str], SetLine] = {}

    def items(self, number: int, total: int, *, is_back: bool, piece: str = "") -> tuple[Item, ...]:
        """Return the footer of one side in its own coordinates; titles too long for the line end in an ellipsis.

        `piece` is the title of what lies on the sheet, where that is not the piece on the label.
        """
        figures, tail = self._typeset(_sheet_text(self._label, number, total), TEXT_PT, False), self._tails[is_back]
        rows: list[tuple[SetLine, ...]]
        if self._shape is ONE_ROW:
            dot = self._typeset("·", TEXT_PT, False)
            taken_mm = dot[1] + figures[1] + tail[1] + 3 * _WORD_GAP_MM
            rows = [(self._head(self._text_room_mm - taken_mm, piece), dot, figures, tail)]
        else:
            rows = [(self._head(self._text_room_mm, piece),), (figures, tail)]
        items = list(self._bars)
        for row, baseline_mm in zip(rows, self._shape.baselines_mm, strict=False):
            items += set_row(row, baseline_mm, self._text_room_mm)
        return tuple(items)

    def _head(self, room_mm: float, piece: str) -> SetLine:
        """Return the titles and the version, in the longest form that fits."""
        key = (round(room_mm * 10), piece)
        if key not in self._heads:
            label = self._label._replace(piece=piece or self._label.piece)
            self._heads[key] = _fitted_head(label, self._typeset, room_mm)
        return self._heads[key]


def whole_length_mm(
    label: SheetLabel, typeset: Typeset, turn: Turn | None, most_sheets: int, shape: FooterShape, *, is_folded: bool
) -> float:
    """Return the line length for a footer of up to `most_sheets` sheets with unshortened titles."""
    head_mm = _head(label, typeset, len(label.game) + len(label.piece))[1]
    rest_mm = typeset(_sheet_text(label, most_sheets, most_sheets), TEXT_PT, False)[1] + _WORD_GAP_MM
    rest_mm += _tail(label, typeset, turn, is_back=False, is_folded=is_folded)[1]
    dot_mm = typeset("·", TEXT_PT, False)[1] + 2 * _WORD_GAP_MM
    text_mm = head_mm + dot_mm + rest_mm if shape is ONE_ROW else max(head_mm, rest_mm)
    return text_mm + shape.text_room_mm


def _tail(label: SheetLabel, typeset: Typeset, turn: Turn | None, *, is_back: bool, is_folded: bool) -> SetLine:
    """Return the words after the sheet's number."""
    parts = [program.FOLD_THEN_CUT] if is_folded else [program.BACK if is_back else program.FRONT]
    if turn is not None:
        parts.append(program.FLIP_LONG if turn is Turn.LONG else program.FLIP_SHORT)
    words = " ".join(f"· {label.speech.program(part)}" for part in (*parts, program.PRINT_FULL_SIZE))
    return typeset(words, TEXT_PT, False)


def set_row(parts: tuple[SetLine, ...], baseline_mm: float, room_mm: float) -> list[Item]:
    """Return the parts one after the other on a baseline; a row that is too long is scaled down as a whole."""
    full_mm = added(width_mm for _, width_mm in parts) + _WORD_GAP_MM * (len(parts) - 1)
    scale = min(1.0, room_mm / full_mm) if full_mm > 0 else 1.0
    items: list[Item] = []
    x_mm = 0.0
    for part, width_mm in parts:
        items.append(Group(part, translation(x_mm, baseline_mm).after(scaling(scale))))
        x_mm += (width_mm + _WORD_GAP_MM) * scale
    return items


def _fitted_head(label: SheetLabel, typeset: Typeset, room_mm: float) -> SetLine:
    longest = max(len(label.game), len(label.piece), _SHORTEST_TITLE)
    whole = _head(label, typeset, longest)
    if whole[1] <= room_mm:
        return whole
    lengths = range(_SHORTEST_TITLE, longest)
    fits = bisect(lengths, room_mm, key=lambda length: _head(label, typeset, length)[1])
    return _head(label, typeset, lengths[max(0, fits - 1)] if lengths else longest)


def _head(label: SheetLabel, typeset: Typeset, longest: int) -> SetLine:
    """Return the note, titles and version on one line, each title cut to `longest` letters."""
    version = label.speech.program(program.VERSION, {"version": label.version}) if label.version else ""
    corrected = label.speech.program(program.CORRECTED, {"name": label.printer}) if label.printer else ""
    rest = " · ".join(filter(None, (_shortened(label.piece, longest), version, corrected)))
    words = [(label.note, True), (_shortened(label.game, longest), True), (f"· {rest}" if rest else "", False)]
    items: list[Item] = []
    x_mm = 0.0
    for text, is_bold in words:
        if text:
            part, width_mm = typeset(text, TEXT_PT, is_bold)
            if not part:
                continue  # in letters that no font has
            items.append(Group(part, translation(x_mm, 0.0)))
            x_mm += width_mm + _WORD_GAP_MM
    return tuple(items), max(0.0, x_mm - _WORD_GAP_MM)


def _sheet_text(label: SheetLabel, number: int, total: int) -> str:
    return label.speech.program(program.SHEET, {"number": number, "total": total})


def _shortened(title: str, longest: int) -> str:
    return title if len(title) <= longest else title[: longest - 1].rstrip() + "…"


def _bars(typeset: Typeset, shape: FooterShape, start_mm: float) -> tuple[Item, ...]:
    """Return the two bars with end ticks, each measured between the middles of its ticks, and their labels."""
    items: list[Item] = []
    paint = Paint(stroke=COLOUR, stroke_mm=BAR_STROKE_MM)
    # Half a stroke in, so that the first tick does not stick out of the line.
    start_mm += BAR_STROKE_MM / 2
    for (length_mm, words), (x_mm, y_mm) in zip(BARS, shape.bars_mm, strict=True):
        left_mm, right_mm = start_mm + x_mm, start_mm + x_mm + length_mm
        top_mm, bottom_mm = y_mm - _TICK_MM / 2, y_mm + _TICK_MM / 2
        ticks = [(at_mm, top_mm, at_mm, bottom_mm) for at_mm in (left_mm, right_mm)]
        lines = [(left_mm, y_mm, right_mm, y_mm), *ticks]
        items.append(Outline(strokes(lines, is_mark=True), paint))
        label, width_mm = typeset(words, BAR_LABEL_PT, False)
        room_mm = BAR_LABEL_ROOM_MM - 2 * BAR_STROKE_MM
        # 0.66 mm: half the height of figures at 5.5 pt, which centres them on the bar.
        place = translation(right_mm + BAR_LABEL_GAP_MM, y_mm + 0.66)
        items.append(Group(label, place.after(scaling(min(1.0, room_mm / width_mm))) if width_mm > 0 else place))
    return tuple(items)
