"""The footer of a sheet: what the sheet is, how to print and turn it, and two bars to hold a ruler against.

The footer is made in its own coordinates (x along the line, y downwards, from its own top left) and stands in one of
two places: along the bottom edge, or along the left edge reading from bottom to top. It has one of two shapes: two
short rows, or one thin and long row for narrow margins. `grid` chooses both.

Why bars: every guide to printing says "print at 100 %", and a bar is the only way to see that it was. Why two: a
ruler shows centimetres or inches, rarely both.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from duckpress.core.frame import Group, Item, Outline, Paint
from duckpress.core.geometry import Matrix, Size, scaling, translation
from duckpress.core.paths import strokes
from duckpress.core.units import MM_PER_INCH, added
from duckpress.impose.sheets import Turn
from duckpress.language import Speech, program

Typeset = Callable[[str, float, bool], tuple[tuple[Item, ...], float]]
"""Sets a text, of a size in points, bold or not: returns the items of its line, and its width in mm.

The line begins at the origin, on its baseline.
"""

TEXT_PT = 6.0
BAR_LABEL_PT = 5.5
COLOUR = "#333333"

_BAR_STROKE_MM = 0.15
_TICK_MM = 1.4
_BAR_LABEL_GAP_MM = 1.0
_BAR_LABEL_ROOM_MM = 8.0
_WORD_GAP_MM = 0.6  # about a space at 6 pt
_TEXT_TO_BARS_MM = 4.0
_SHORTEST_TITLE = 4
_BARS = ((50.0, "50 mm"), (2 * MM_PER_INCH, "2 in"))


class SheetLabel(NamedTuple):
    """What the footers of a piece say of it; `note` stands first and bold, for a word such as DRAFT.

    `speech` is the language that the footers' own words are in; `printer` the one that the sheets are corrected for.
    """

    game: str
    piece: str
    version: str
    note: str = ""
    speech: Speech = Speech()
    printer: str = ""


class FooterPlace(StrEnum):
    """The margin in which the footer stands."""

    BOTTOM = "bottom"
    LEFT = "left"


class FooterShape(NamedTuple):
    """A way to arrange the footer: baselines of its rows, room for its bars, and the shortest line that holds it."""

    thickness_mm: float
    baselines_mm: tuple[float, ...]
    bars_mm: tuple[tuple[float, float], ...]  # x from the start of the bars and y of the middle, one for each of _BARS
    bars_room_mm: float
    shortest_mm: float

    @property
    def text_room_mm(self) -> float:
        """What the bars and the gap before them take off the length of the line."""
        return self.bars_room_mm + _TEXT_TO_BARS_MM


# Ascenders reach 0.8 of the type size above the baseline, descenders 0.3 below: 1.7 mm and 0.65 mm at 6 pt.
_ROW_MM = 2.35
_SECOND_BAR_MM = _BARS[0][0] + _BAR_LABEL_GAP_MM + _BAR_LABEL_ROOM_MM + _BAR_STROKE_MM
TWO_ROWS = FooterShape(
    2 * _ROW_MM,
    (1.7, 1.7 + _ROW_MM),
    ((0.0, 0.45 * _ROW_MM), (0.0, 1.45 * _ROW_MM)),
    _BARS[1][0] + _BAR_LABEL_GAP_MM + _BAR_LABEL_ROOM_MM,
    125.0,
)
ONE_ROW = FooterShape(
    _ROW_MM,
    (1.7, 1.7),
    ((0.0, 0.45 * _ROW_MM), (_SECOND_BAR_MM, 0.45 * _ROW_MM)),
    _SECOND_BAR_MM + _BARS[1][0] + _BAR_LABEL_GAP_MM + _BAR_LABEL_ROOM_MM,
    220.0,
)
SHAPES = (TWO_ROWS, ONE_ROW)


class Footer:
    """The footers of one piece on one size of paper; the parts that repeat are typeset once."""

    def __init__(
        self,
        label: SheetLabel,
        typeset: Typeset,
        turn: Turn | None,
        shape: FooterShape,
        length_mm: float,
        *,
        is_folded: bool = False,
    ) -> None:
        self._typeset = typeset
        self._shape = shape
        self._length_mm = length_mm
        self._text_room_mm = length_mm - shape.text_room_mm
        self._label = label
        self.speech = label.speech
        self._tails = {
            is_back: typeset(tail_text(turn, is_back=is_back, speech=label.speech, is_folded=is_folded), TEXT_PT, False)
            for is_back in (False, True)
        }
        self._numbers: dict[tuple[int, int], tuple[tuple[Item, ...], float]] = {}
        self._bars = _bars(typeset, shape, length_mm - shape.bars_room_mm)
        self._heads: dict[tuple[int, str], tuple[tuple[Item, ...], float]] = {}

    def items(self, number: int, total: int, *, is_back: bool, piece: str = "") -> tuple[Item, ...]:
        """Return the footer of one side in its own coordinates; titles too long for the line end in an ellipsis.

        `piece` is the title of what lies on the sheet, where that is not the piece on the label.
        """
        figures = self._numbers.get((number, total))
        if figures is None:
            figures = self._typeset(_sheet_text(self._label, number, total), TEXT_PT, False)
            self._numbers[number, total] = figures
        tail = self._tails[is_back]
        if self._shape is TWO_ROWS:
            rows = [(self._head(self._text_room_mm, piece),), (figures, tail)]
        else:
            taken_mm = figures[1] + tail[1] + 2 * _WORD_GAP_MM
            rows = [(self._head(self._text_room_mm - taken_mm, piece), figures, tail)]
        return (
            *self._bars,
            *(
                item
                for row, baseline_mm in zip(rows, self._shape.baselines_mm, strict=False)
                for item in _set_row(row, baseline_mm, self._text_room_mm)
            ),
        )

    def _head(self, room_mm: float, piece: str) -> tuple[tuple[Item, ...], float]:
        """Return the titles and the version, the longest form that the room holds."""
        key = (round(room_mm * 10), piece)
        if key not in self._heads:
            label = self._label._replace(piece=piece or self._label.piece)
            self._heads[key] = _fitted_head(label, self._typeset, room_mm)
        return self._heads[key]


def tail_text(turn: Turn | None, *, is_back: bool, speech: Speech | None = None, is_folded: bool = False) -> str:
    """Return the words after the sheet's number; `turn` is None for sheets printed on one side.

    A sheet that is folded has fronts and backs on its one side, and says neither.
    """
    said = (speech or Speech()).program
    parts = [program.FOLD_THEN_CUT] if is_folded else [program.BACK if is_back else program.FRONT]
    if turn is not None:
        parts.append(program.FLIP_LONG if turn is Turn.LONG else program.FLIP_SHORT)
    return "".join(f"· {said(part)} " for part in (*parts, program.PRINT_FULL_SIZE)).rstrip()


def whole_length_mm(
    label: SheetLabel,
    typeset: Typeset,
    turn: Turn | None,
    most_sheets: int,
    shape: FooterShape,
    *,
    is_folded: bool = False,
) -> float:
    """Return the length of line that holds the footer of at most so many sheets without shortening a title."""
    head_mm = _head(label, typeset, len(label.game) + len(label.piece))[1]
    rest_mm = typeset(_sheet_text(label, most_sheets, most_sheets), TEXT_PT, False)[1] + _WORD_GAP_MM
    tail = tail_text(turn, is_back=False, speech=label.speech, is_folded=is_folded)
    rest_mm += typeset(tail, TEXT_PT, False)[1]
    text_mm = max(head_mm, rest_mm) if shape is TWO_ROWS else head_mm + _WORD_GAP_MM + rest_mm
    return text_mm + shape.text_room_mm


def placing(place: FooterPlace, shape: FooterShape, paper: Size, margins: Size) -> Matrix:
    """Return the map from the footer's coordinates to the page's, for a sheet as it lies."""
    if place is FooterPlace.BOTTOM:
        return translation(margins.width_mm, paper.height_mm - margins.height_mm - shape.thickness_mm)
    # A quarter turn anticlockwise: the line runs up the page, its top to the left.
    return Matrix(0.0, -1.0, 1.0, 0.0, margins.width_mm, paper.height_mm - margins.height_mm)


def _set_row(parts: tuple[tuple[tuple[Item, ...], float], ...], baseline_mm: float, room_mm: float) -> list[Item]:
    """Return the parts one after the other on a baseline; a row still too long is set smaller as a whole."""
    full_mm = added(width_mm for _, width_mm in parts) + _WORD_GAP_MM * (len(parts) - 1)
    scale = min(1.0, room_mm / full_mm) if full_mm > 0 else 1.0
    items: list[Item] = []
    x_mm = 0.0
    for part, width_mm in parts:
        items.append(Group(part, translation(x_mm, baseline_mm).after(scaling(scale))))
        x_mm += (width_mm + _WORD_GAP_MM) * scale
    return items


def _fitted_head(label: SheetLabel, typeset: Typeset, room_mm: float) -> tuple[tuple[Item, ...], float]:
    longest = max(len(label.game), len(label.piece), _SHORTEST_TITLE)
    best = _head(label, typeset, longest)
    if best[1] <= room_mm:
        return best
    low, high = _SHORTEST_TITLE, longest
    best = _head(label, typeset, low)
    while low + 1 < high:
        middle = (low + high) // 2
        head = _head(label, typeset, middle)
        if head[1] <= room_mm:
            low, best = middle, head
        else:
            high = middle
    return best


def _head(label: SheetLabel, typeset: Typeset, longest: int) -> tuple[tuple[Item, ...], float]:
    """Return the note, titles and version on one line, no title longer than so many letters."""
    version = label.speech.program(program.VERSION, {"version": label.version}) if label.version else ""
    corrected = label.speech.program(program.CORRECTED, {"name": label.printer}) if label.printer else ""
    rest = " · ".join(filter(None, (_shortened(label.piece, longest), version, corrected)))
    words = [(label.note, True), (_shortened(label.game, longest), True), (f"· {rest}" if rest else "", False)]
    items: list[Item] = []
    x_mm = 0.0
    for text, is_bold in words:
        if text:
            part, width_mm = typeset(text, TEXT_PT, is_bold)
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
    paint = Paint(stroke=COLOUR, stroke_mm=_BAR_STROKE_MM)
    # Half a stroke in, so that the first tick does not stick out of the line.
    start_mm += _BAR_STROKE_MM / 2
    for (length_mm, words), (x_mm, y_mm) in zip(_BARS, shape.bars_mm, strict=True):
        left_mm, right_mm = start_mm + x_mm, start_mm + x_mm + length_mm
        top_mm, bottom_mm = y_mm - _TICK_MM / 2, y_mm + _TICK_MM / 2
        lines = (
            (left_mm, y_mm, right_mm, y_mm),
            (left_mm, top_mm, left_mm, bottom_mm),
            (right_mm, top_mm, right_mm, bottom_mm),
        )
        items.append(Outline(strokes(lines, is_mark=True), paint))
        label, width_mm = typeset(words, BAR_LABEL_PT, False)
        room_mm = _BAR_LABEL_ROOM_MM - 2 * _BAR_STROKE_MM
        # 0.66 mm: half the height of figures at 5.5 pt, which centres them on the bar.
        place = translation(right_mm + _BAR_LABEL_GAP_MM, y_mm + 0.66)
        items.append(Group(label, place.after(scaling(min(1.0, room_mm / width_mm))) if width_mm > 0 else place))
    return tuple(items)
