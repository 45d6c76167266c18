"""The streams of forms -> the items that they paint, as frames have them.

A small interpreter of the operators that `operators` reads: it keeps the graphics state and the levels of `q` and `Q`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from duckpress.core.frame import MITER_LIMIT, Group, Item, Outline, Paint, Picture, PlacedDrawing, Text
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.core.paths import NO_PATH, Path
from duckpress.proof.opened import FormRead, Number, Opacity, OpenedPdf, Used
from duckpress.proof.operators import PAINTS, StrangeStreamError, colour_of, matrix_of, steps_of

SIX = rb"(\S+ \S+ \S+ \S+ \S+ \S+)"
_TEXTS = re.compile(rb"^1 0 0 -1 (-?[\d.]+) (-?[\d.]+) Tm \[([^\]]*)\]TJ(?:\n|\Z)", re.MULTILINE).split
_FONT = re.compile(rb"/(F-\S+) (-?[\d.]+) Tf").fullmatch
_CALL = re.compile(rb"q " + SIX + rb" cm /([DP]-\S+) Do Q").fullmatch
_FAINT = re.compile(rb"q /(\S+) gs /(G-\S+) Do Q").fullmatch


class DrawingState(NamedTuple):
    """What of the graphics state items depend on; what was never set shows as nothing that a frame could ask for."""

    fill: str = ""
    stroke: str = ""
    stroke_mm: float = -1.0
    dash_mm: tuple[float, ...] = ()
    cap: float = 0
    join: float = 0
    miter: float = float(MITER_LIMIT)
    opacity: Opacity = (1.0, 1.0)
    font: str = ""
    size_mm: float = 0.0


_USUAL = DrawingState()
_SETTERS: dict[str, Callable[[DrawingState, tuple[float, ...]], DrawingState]] = {
    "rg": lambda state, numbers: state._replace(fill=colour_of(numbers)),
    "RG": lambda state, numbers: state._replace(stroke=colour_of(numbers)),
    "w": lambda state, numbers: state._replace(stroke_mm=numbers[0]),
    "d": lambda state, numbers: state._replace(dash_mm=numbers),
    "J": lambda state, numbers: state._replace(cap=numbers[0]),
    "j": lambda state, numbers: state._replace(join=numbers[0]),
    "M": lambda state, numbers: state._replace(miter=numbers[0]),
}


class _Passage(NamedTuple):
    """What lines without texts paint, the state that they leave, whether they end among texts, and what they name."""

    items: tuple[Item, ...]
    state: DrawingState
    is_text: bool
    fonts: tuple[str, ...]
    objects: tuple[str, ...]


@lru_cache(maxsize=16384)
def _read_passage(lines: bytes, state: DrawingState, is_text: bool) -> _Passage | None:
    """Return what lines between texts do, most of which recur; None where they are about more than is usual there."""
    items: list[Item] = []
    fonts: list[str] = []
    objects: list[str] = []
    for line in lines.removesuffix(b"\n").split(b"\n"):
        if line in (b"BT", b"ET", b""):
            if is_text is (line == b"BT"):
                return None
            is_text = line == b"BT" or (is_text and not line)
        elif (font := _FONT(line)) is not None:
            fonts.append(font[1].decode("latin-1"))
            state = state._replace(font=fonts[-1], size_mm=float(font[2]))
        elif (call := _CALL(line)) is not None and state[3:8] == _USUAL[3:8]:
            objects.append(call[2].decode("latin-1"))
            items.append(_called(call[1], objects[-1]))
        elif (plain := _read_plain(line, state)) is not None:
            items += plain[0]
            state = plain[1]
        else:
            return None
    return _Passage(tuple(items), state, is_text, tuple(fonts), tuple(objects))


@lru_cache(maxsize=16384)
def _read_plain(line: bytes, state: DrawingState) -> tuple[tuple[Item, ...], DrawingState] | None:
    """Return what a line paints and how it leaves the state; None where it is about more than colours and paths."""
    if line.endswith((b"Q", b" cm", b"BDC", b"EMC")) or line[:1] == b"q":
        return None
    items: list[Item] = []
    path = NO_PATH
    for operator, operands in steps_of(line):
        if isinstance(operands, Path):
            path = operands
        elif operator in PAINTS and path:
            items.append(Outline(path, _paint(state, operator)))
            path = NO_PATH
        elif operator in _SETTERS and not isinstance(operands, str):
            state = _SETTERS[operator](state, operands)
        else:
            return None
    return None if path else (tuple(items), state)


class _Level:
    """The items between `q` and `Q`, the matrix and clip that were set for them, and the state to come back to."""

    def __init__(self, before: DrawingState) -> None:
        self.before = before
        self.items: list[Item] = []
        self.matrix = IDENTITY
        self.clip = NO_PATH

    def closed(self) -> Sequence[Item]:
        """Return what it stands for outside: its items, as a group where anything was set for them."""
        if self.matrix == IDENTITY and not self.clip:
            return self.items
        return (Group(tuple(self.items), self.matrix, self.clip),)


def read_form(document: OpenedPdf, form: FormRead) -> list[Item]:
    """Return what a form paints, in order, through the forms of groups that have an opacity.

    Of texts, what they say and how wide they are is not in a stream: those fields are empty.
    Raises `StrangeStreamError`.
    """
    x1, y1, x2, y2 = form.box
    reader = ItemReader(document, form.used, Rect(x1, y1, x2 - x1, y2 - y1), DrawingState())
    return reader.items_of(form.operators)


class ItemReader:
    """Reads one stream that begins in a state; `box` is what can be seen of it."""

    def __init__(self, document: OpenedPdf, used: Used, box: Rect, state: DrawingState) -> None:
        self._document = document
        self._used = used
        self._box = box
        self._state = state
        self._levels = [_Level(state)]
        self._is_text = False
        self._path = NO_PATH

    def items_of(self, operators: bytes) -> list[Item]:
        """Return the items of a stream."""
        parts = iter(_TEXTS(operators))
        self._read_lines(next(parts))
        for x, y, glyphs, lines in zip(parts, parts, parts, parts, strict=True):
            self._write(float(x), float(y), glyphs.decode("latin-1"))
            if lines:
                self._read_lines(lines)
        if len(self._levels) > 1 or self._is_text or self._path:
            raise StrangeStreamError("q without Q, BT without ET, or a path that is not painted")
        return self._levels[0].items

    def _read_lines(self, lines: bytes) -> None:
        """Read what stands between texts."""
        passage = None if self._path else _read_passage(lines, self._state, self._is_text)
        used = self._used
        if passage is None or not (
            used.fonts.keys() >= set(passage.fonts) and used.objects.keys() >= set(passage.objects)
        ):
            for line in lines.removesuffix(b"\n").split(b"\n"):
                self._read(line)
        else:
            self._levels[-1].items += passage.items
            self._state, self._is_text = passage.state, passage.is_text

    def _read(self, line: bytes) -> None:
        if line in (b"BT", b"ET"):
            if self._is_text is (line == b"BT"):
                raise StrangeStreamError("a text within another, or the end of none")
            self._is_text = not self._is_text
        elif (font := _FONT(line)) is not None:
            name = self._known(font[1], self._used.fonts)
            self._state = self._state._replace(font=name, size_mm=float(font[2]))
        elif (call := _CALL(line)) is not None:
            self._refuse_unusual(call[2])
            self._levels[-1].items.append(_called(call[1], self._known(call[2], self._used.objects)))
        elif (faint := _FAINT(line)) is not None:
            self._refuse_unusual(faint[2])
            self._levels[-1].items.append(self._faint(*faint.groups()))
        else:
            for operator, operands in steps_of(line):
                self._take(operator, operands)

    def _known(self, written: bytes, things: Mapping[str, Number]) -> str:
        """Return a name that is used. Raises `StrangeStreamError` where nothing goes by it."""
        name = written.decode("latin-1")
        if name not in things:
            raise StrangeStreamError(f"{name}, which is not there")
        return name

    def _write(self, x_mm: float, y_mm: float, glyphs: str) -> None:
        if not self._is_text:
            raise StrangeStreamError("Tm outside of BT and ET")
        state = self._state
        self._levels[-1].items.append(Text(x_mm, y_mm, state.size_mm, state.font[2:], state.fill, glyphs, "", 0.0))

    def _refuse_unusual(self, name: bytes) -> None:
        """Raise `StrangeStreamError` where what is called would be painted in another way than by itself."""
        if self._state[3:8] != _USUAL[3:8]:
            raise StrangeStreamError(f"{name.decode('latin-1')} under {self._state}")

    def _faint(self, state: bytes, name: bytes) -> Group:
        """Return a group with an opacity, which is a form of its own and has to show all that can be seen there."""
        opacity, stroke_opacity = self._named(state.decode("latin-1"))
        key = self._known(name, self._used.objects)
        form = self._document.forms.get(self._used.objects[key])
        if form is None or not form.is_transparent or opacity != stroke_opacity:
            raise StrangeStreamError(f"the group {key}")
        matrix = IDENTITY
        for level in self._levels:
            matrix = matrix.after(level.matrix)
        x1, y1, x2, y2 = form.box
        if not _is_flat(matrix) and not Rect(x1, y1, x2 - x1, y2 - y1).holds(matrix.inverse().around(self._box), 0.01):
            raise StrangeStreamError(f"the group {key} is cut off at {form.box}")
        return faint_group(tuple(read_form(self._document, form)), opacity)

    def _named(self, name: str) -> Opacity:
        opacity = self._used.states.get(name)
        if opacity is None:
            raise StrangeStreamError(f"a graphics state {name} that is not there")
        return opacity

    def _take(self, operator: str, operands: tuple[float, ...] | Path | str) -> None:
        state = self._state
        if isinstance(operands, Path):
            self._path = operands
        elif isinstance(operands, str):
            self._state = state._replace(opacity=self._named(operands))
        elif operator in PAINTS:
            self._levels[-1].items.append(Outline(self._path, _paint(state, operator)))
            self._path = NO_PATH
        elif operator in _SETTERS:
            self._state = _SETTERS[operator](state, operands)
        elif operator == "q":
            self._levels.append(_Level(state))
        else:
            self._place(operator, operands)

    def _place(self, operator: str, operands: tuple[float, ...]) -> None:
        """Take what ends a level, or sets its matrix and clip: once, and before anything is painted."""
        level = self._levels[-1]
        is_new = len(self._levels) > 1 and not (level.items or level.clip)
        if operator == "Q":
            if len(self._levels) == 1:
                raise StrangeStreamError("Q without q")
            self._levels.pop()
            self._state = level.before
            self._levels[-1].items += level.closed()
        elif operator == "cm" and is_new and level.matrix == IDENTITY:
            level.matrix = Matrix(*operands)
        elif operator == "W" and is_new and self._path:
            level.clip = self._path
        elif operator == "n" and self._path and self._path is level.clip:
            self._path = NO_PATH
        else:
            raise StrangeStreamError(f"{operator} where no item begins")


def _is_flat(matrix: Matrix) -> bool:
    a, b, c, d, _, _ = matrix
    return abs(a * d - b * c) < 1e-9


def _called(written: bytes, name: str) -> Item:
    matrix, key = matrix_of(written), name[2:]
    if name.startswith("D-"):
        return PlacedDrawing(key, matrix)
    a, b, c, d, e, f = matrix
    if b or c:
        raise StrangeStreamError("a picture that is turned")
    return Picture(key, e, round(f + d, 4), a, -d)


def faint_group(items: tuple[Item, ...], opacity: float) -> Group:
    """Return items as one group with an opacity: the only group of full opacity among them becomes that group."""
    if len(items) == 1 and isinstance(items[0], Group) and items[0].opacity == 1:
        return Group(items[0].items, items[0].matrix, items[0].clip, opacity)
    return Group(items, opacity=opacity)


@lru_cache(maxsize=1024)
def _paint(state: DrawingState, operator: str) -> Paint:
    fills, strokes, is_even_odd = PAINTS[operator]
    join = state.join or (-state.miter if state.miter != MITER_LIMIT else 0)
    return Paint(
        fill=state.fill if fills else None,
        stroke=state.stroke if strokes else None,
        stroke_mm=state.stroke_mm if strokes else 0.0,
        fill_opacity=state.opacity[0] if fills else 1.0,
        stroke_opacity=state.opacity[1] if strokes else 1.0,
        dash_mm=state.dash_mm if strokes else (),
        cap=state.cap if strokes else 0,  # type: ignore[arg-type]  # one that is no whole number is none of a frame's
        join=join if strokes else 0,  # type: ignore[arg-type]
        even_odd=is_even_odd,
    )
