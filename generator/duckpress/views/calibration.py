"""The calibration sheet: scales for a printer's errors in length, in front-to-back alignment and at its edges.

Every guide to printing cards at home ends in "print a test page": this is the page. It is printed like any other file,
so what it shows is what the printer will do to cards.
"""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.core.frame import Group, Item, Outline, Paint
from duckpress.core.geometry import Matrix, Size, rotation, translation
from duckpress.core.paths import ellipse, joined, rectangle, strokes
from duckpress.core.printer_profile import Printer
from duckpress.core.sizes import Paper
from duckpress.files.workspace import Workspace
from duckpress.impose import Sheet, Side, Turn
from duckpress.impose.sheets import turns_left_right
from duckpress.render import Booklet, DocumentInfo, Renderer
from duckpress.text import TextStyle, Typesetter
from duckpress.text.fonts import FontLibrary

_FAMILY = "Alegreya Sans"
_LINE = Paint(stroke="#000000", stroke_mm=0.15)
_FINE = Paint(stroke="#000000", stroke_mm=0.08)
_BACK = Paint(stroke="#000000", stroke_mm=0.2)
_EDGE_MOST = 14  # the edge scale counts so many millimetres
_REACH_MM = 5.0  # a cross measures drift up to this
_CARD = Size(85.6, 53.98)  # a bank card. Source: ISO/IEC 7810, ID-1
_RULER_MM = 100


def calibration_pdf(workspace: Workspace, paper: Paper, turn: Turn, printer: Printer | None) -> bytes:
    """Return the two pages of a calibration sheet; with a printer, corrected for it, so that the marks must meet."""
    fonts = FontLibrary(workspace)
    page = _CalibrationPage(paper, turn, printer, Typesetter(fonts, lambda _name, _colour: None, "en"))
    sheet = Sheet(paper.size, Side((), page.front()), Side((), page.back()), 1, 1)
    info = DocumentInfo(
        title=f"duckpress calibration sheet, {paper.name}", author="duckpress", subject="Print at 100 %.",
        duplex=turn.value,
    )  # fmt: skip
    return Renderer(fonts).render([Booklet("Calibration", (sheet,), {}, {}, {})], info)


class _CalibrationPage:
    """Both sides of the sheet, in millimetres of the page, upright for its reader."""

    def __init__(self, paper: Paper, turn: Turn, printer: Printer | None, typesetter: Typesetter) -> None:
        self._size = paper.size
        self._turn = turn
        self._printer = printer
        self._typesetter = typesetter
        self._name = paper.name

    def front(self) -> tuple[Item, ...]:
        """Return the front: rulers, edge scales, and crosses with a scale."""
        width_mm = self._size.width_mm
        items: list[Item] = []
        for x_mm, y_mm in self._crosses():
            items += self._scaled_cross(x_mm, y_mm)
        items += self._edges()
        left_mm, top_mm = (width_mm - _RULER_MM) / 2, 28.0
        items += self._words("Calibration sheet", width_mm / 2, top_mm, 14.0, is_bold=True, is_centred=True)
        note = "as the printer is" if self._printer is None else f"corrected for printer {self._printer.name}"
        how = f"Print at 100 %, on both sides, flipped on the {self._turn.value} edge."
        items += self._words(f"{self._name}, front, {note}. {how}", width_mm / 2, top_mm + 5, 7.5, is_centred=True)
        items += self._ruler(left_mm, top_mm + 12)
        items += [Group(tuple(self._ruler(0, 0)), translation(left_mm - 12, top_mm + 16).after(rotation(90)))]
        items += self._bank_card(left_mm, top_mm + 24)
        items += self._steps(left_mm, top_mm + 24 + _CARD.height_mm + 8)
        return self._corrected(items, is_back=False)

    def back(self) -> tuple[Item, ...]:
        """Return the back: a plain mark behind each scaled cross."""
        items: list[Item] = []
        width_mm, height_mm = self._size
        is_left_right = turns_left_right(self._size, self._turn)
        for x_mm, y_mm in self._crosses():
            x_mm, y_mm = (width_mm - x_mm, y_mm) if is_left_right else (x_mm, height_mm - y_mm)
            reach_mm = _REACH_MM + 2
            lines = ((x_mm - reach_mm, y_mm, x_mm + reach_mm, y_mm), (x_mm, y_mm - reach_mm, x_mm, y_mm + reach_mm))
            circle = ellipse(x_mm, y_mm, 1.0, 1.0, is_mark=True)
            items.append(Outline(joined([strokes(lines, is_mark=True), circle]), _BACK))
        words = (
            "This is the back. Hold the sheet against a light, the front towards you:",
            "the marks of this side shine through onto the scales of the front.",
        )
        for number, line in enumerate(words):
            items += self._words(line, width_mm / 2, 30 + 5.0 * number, 9.0, is_bold=number == 0, is_centred=True)
        return self._corrected(items, is_back=True)

    def _crosses(self) -> list[tuple[float, float]]:
        width_mm, height_mm = self._size
        inset_mm = 28.0
        corners = [(x, y) for y in (inset_mm, height_mm - inset_mm) for x in (inset_mm, width_mm - inset_mm)]
        return [*corners, (width_mm / 2, height_mm - inset_mm)]

    def _scaled_cross(self, x_mm: float, y_mm: float) -> Iterator[Item]:
        lines = [
            (x_mm - _REACH_MM, y_mm, x_mm + _REACH_MM, y_mm),
            (x_mm, y_mm - _REACH_MM, x_mm, y_mm + _REACH_MM),
        ]
        for half_mm in range(int(-2 * _REACH_MM), int(2 * _REACH_MM) + 1):
            at_mm = half_mm / 2
            tick_mm = 1.3 if half_mm % 10 == 0 else 0.9 if half_mm % 2 == 0 else 0.5
            if half_mm:
                lines.append((x_mm + at_mm, y_mm - tick_mm, x_mm + at_mm, y_mm + tick_mm))
                lines.append((x_mm - tick_mm, y_mm + at_mm, x_mm + tick_mm, y_mm + at_mm))
        yield Outline(strokes(lines, is_mark=True), _FINE)
        yield from self._words("+x", x_mm + _REACH_MM + 0.8, y_mm + 0.7, 6.0)
        yield from self._words("+y", x_mm, y_mm + _REACH_MM + 2.6, 6.0, is_centred=True)

    def _edges(self) -> Iterator[Item]:
        """Yield a staircase at the middle of each edge: its first whole line tells the margin."""
        width_mm, height_mm = self._size
        for degrees, along_mm, x_mm, y_mm in (
            (0, width_mm, 0.0, 0.0),
            (90, height_mm, width_mm, 0.0),
            (180, width_mm, width_mm, height_mm),
            (270, height_mm, 0.0, height_mm),
        ):
            yield Group(tuple(self._staircase(along_mm)), translation(x_mm, y_mm).after(rotation(degrees)))

    def _staircase(self, along_mm: float) -> Iterator[Item]:
        step_mm = 4.0
        start_mm = along_mm / 2 - _EDGE_MOST * step_mm / 2
        lines = []
        for depth_mm in range(1, _EDGE_MOST + 1):
            x_mm = start_mm + (depth_mm - 1) * step_mm
            lines.append((x_mm, depth_mm, x_mm + step_mm - 0.6, depth_mm))
            yield from self._words(str(depth_mm), x_mm + (step_mm - 0.6) / 2, depth_mm + 2.3, 5.5, is_centred=True)
        yield Outline(strokes(lines, is_mark=True), _LINE)

    def _ruler(self, x_mm: float, y_mm: float) -> Iterator[Item]:
        lines = [(x_mm, y_mm, x_mm + _RULER_MM, y_mm)]
        for at_mm in range(_RULER_MM + 1):
            tick_mm = 4.0 if at_mm % 10 == 0 else 2.8 if at_mm % 5 == 0 else 1.6
            lines.append((x_mm + at_mm, y_mm, x_mm + at_mm, y_mm + tick_mm))
            if at_mm % 10 == 0:
                yield from self._words(str(at_mm), x_mm + at_mm, y_mm + 6.6, 6.0, is_centred=True)
        yield Outline(strokes(lines, is_mark=True), _LINE)

    def _bank_card(self, x_mm: float, y_mm: float) -> Iterator[Item]:
        yield Outline(rectangle(x_mm, y_mm, *_CARD, is_mark=True), _LINE)
        yield Outline(rectangle(x_mm + 1.8, y_mm + 1.99, 50.0, 50.0, is_mark=True), _LINE)
        yield from self._words("50 mm", x_mm + 26.8, y_mm + 28, 7.0, is_centred=True)
        for words, down_mm in (("A bank card", 24.0), ("covers this frame", 27.4), ("exactly.", 30.8)):
            yield from self._words(words, x_mm + 69, y_mm + down_mm, 7.0, is_centred=True)

    def _steps(self, x_mm: float, y_mm: float) -> Iterator[Item]:
        steps = (
            ("Lengths", "Measure both rulers. 99.2 mm instead of 100 across is --scale-x 99.2, down --scale-y."),
            ("Sides", "Hold against a light, front towards you. Read where the back's mark crosses the scales, from"),
            (
                "",
                "their middles: 0.5 to the right and 1 up is --offset-x 0.5 --offset-y -1. Take the mean of all five.",
            ),
            ("Margin", "The smallest number whose line is whole, on the worst edge, is --margin."),
            ("Keep", "duckpress printer add NAME --scale-x 99.2 --offset-x 0.5 --offset-y -1 --margin 5"),
            ("Use", "duckpress build --printer NAME; and print this sheet again with calibrate --printer NAME."),
        )
        for number, (head, words) in enumerate(steps):
            base_mm = y_mm + 4.2 * number
            yield from self._words(head, x_mm - 6, base_mm, 7.5, is_bold=True)
            yield from self._words(words, x_mm + 7, base_mm, 7.5)

    def _words(
        self, text: str, x_mm: float, y_mm: float, size_pt: float, *, is_bold: bool = False, is_centred: bool = False
    ) -> Iterator[Item]:
        if text:
            style = TextStyle(_FAMILY, weight="bold" if is_bold else "regular", size_pt=size_pt)
            line = self._typesetter.line(text, style)
            shift_mm = line.width_mm / 2 if is_centred else 0.0
            yield Group(line.items, translation(round(x_mm - shift_mm, 3), round(y_mm, 3)))

    def _corrected(self, items: list[Item], *, is_back: bool) -> tuple[Item, ...]:
        matrix = Matrix()
        if self._printer is not None:
            is_left_right = turns_left_right(self._size, self._turn)
            matrix = self._printer.correction(self._size, is_back=is_back, turns_left_right=is_left_right)
        return (Group(tuple(items), matrix),)
