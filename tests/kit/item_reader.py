"""The forms of a PDF -> the items that they paint, as frames have them, and frames as forms have to paint them.

It knows the operators that `render` writes for items, and no others. Each line is taken apart once: most recur from
face to face. Source of the operators: ISO 32000-1, Annex A.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import pikepdf

from duckpress.core.frame import MITER_LIMIT, Group, Item, Outline, Paint, Picture, PlacedDrawing, Text
from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.core.paths import NO_PATH, Path

_TEXT = re.compile(rb"1 0 0 -1 (-?[\d.]+) (-?[\d.]+) Tm \[([^\]]*)\]TJ").fullmatch
_FONT = re.compile(rb"/F-(\S+) (-?[\d.]+) Tf").fullmatch
_CALL = re.compile(rb"q (-?[\d.]+ -?[\d.]+ -?[\d.]+ -?[\d.]+ -?[\d.]+ -?[\d.]+) cm /([DP])-(\S+) Do Q").fullmatch
_FAINT = re.compile(rb"q /(\S+) gs /(G-\S+) Do Q").fullmatch
_TOKENS = re.compile(rb"\[[^\]]*\]|[^\s\[\]]+").findall
_NUMBER = re.compile(rb"-?(?:\d+\.?\d*|\.\d+)").fullmatch
_SEGMENTS = {b"m": ("m", 2), b"l": ("l", 2), b"c": ("c", 6), b"h": ("h", 0), b"re": ("r", 4)}
_PAINTS = {
    "f": (True, False, False),
    "f*": (True, False, True),
    "S": (False, True, False),
    "B": (True, True, False),
    "B*": (True, True, True),
}
"""What an operator that ends a path does: whether it fills, strokes, and fills by the even-odd rule."""
_OPERANDS = {"rg": 3, "RG": 3, "w": 1, "J": 1, "j": 1, "M": 1, "cm": 6, "q": 0, "Q": 0, "W": 0, "n": 0} | dict.fromkeys(
    _PAINTS, 0
)

Opacity = tuple[float, float]
"""How opaque fills and strokes are, from 0 to 1."""

Step = tuple[str, tuple[float, ...] | Path | str]
"""An operator and its operands; `path` stands for all that builds a path, `gs` has the name of a state."""


class _State(NamedTuple):
    """What of the graphics state items depend on."""

    fill: str = "#000000"
    stroke: str = "#000000"
    stroke_mm: float = 1.0
    dash_mm: tuple[float, ...] = ()
    cap: int = 0
    join: int = 0
    miter: float = float(MITER_LIMIT)
    opacity: Opacity = (1.0, 1.0)
    font: str = ""
    size_mm: float = 0.0


class _Level:
    """The items between `q` and `Q`, the matrix and clip that were set for them, and the state to come back to."""

    def __init__(self, before: _State) -> None:
        self.before = before
        self.items: list[Item] = []
        self.matrix = IDENTITY
        self.clip = NO_PATH

    def closed(self) -> Sequence[Item]:
        """Return what it stands for outside: its items, as a group where anything was set for them."""
        if self.matrix == IDENTITY and not self.clip:
            return self.items
        return (Group(tuple(self.items), self.matrix, self.clip),)


class StrangeStream(ValueError):
    """A stream with something that `render` never writes."""


def items_in(form: pikepdf.Object) -> list[Item]:
    """Return what a form paints, in order, through the forms of groups that have an opacity.

    Of texts, what they say and how wide they are is not in a stream: those fields are empty.
    Raises `StrangeStream`.
    """
    reader = _ItemReader(form.get("/Resources", pikepdf.Dictionary()))
    for line in form.read_bytes().split(b"\n"):
        reader.read(line)
    return reader.items()


class _ItemReader:
    def __init__(self, resources: pikepdf.Object) -> None:
        self._forms = resources.get("/XObject", {})
        self._states = resources.get("/ExtGState", {})
        self._state = _State()
        self._levels = [_Level(self._state)]
        self._is_text = False
        self._path = NO_PATH

    def items(self) -> list[Item]:
        """Return what was read, when all is."""
        if len(self._levels) > 1 or self._is_text or self._path:
            raise StrangeStream("q without Q, BT without ET, or a path that is not painted")
        return self._levels[0].items

    def read(self, line: bytes) -> None:
        """Read a line."""
        if (text := _TEXT(line)) is not None:
            self._write(text)
        elif line in (b"BT", b"ET"):
            if self._is_text is (line == b"BT"):
                raise StrangeStream("a text within another, or the end of none")
            self._is_text = not self._is_text
        elif (font := _FONT(line)) is not None:
            self._state = self._state._replace(font=font[1].decode("latin-1"), size_mm=float(font[2]))
        elif (call := _CALL(line)) is not None:
            self._levels[-1].items.append(_called(call[1], call[2], call[3]))
        elif (faint := _FAINT(line)) is not None:
            self._levels[-1].items.append(self._faint(*faint.groups()))
        else:
            for operator, operands in _steps(line):
                self._take(operator, operands)

    def _write(self, text: re.Match[bytes]) -> None:
        if not self._is_text:
            raise StrangeStream("Tm outside of BT and ET")
        x, y, glyphs = text.groups()
        state = self._state
        item = Text(float(x), float(y), state.size_mm, state.font, state.fill, glyphs.decode("latin-1"), "", 0.0)
        self._levels[-1].items.append(item)

    def _faint(self, state: bytes, name: bytes) -> Group:
        opacity, stroke_opacity = self._named(state.decode("latin-1"))
        form = self._forms.get(f"/{name.decode('latin-1')}")
        if form is None or opacity != stroke_opacity:
            raise StrangeStream(f"the group {name.decode('latin-1')}")
        return _faint(tuple(items_in(form)), opacity)

    def _named(self, name: str) -> Opacity:
        state = self._states.get(f"/{name}")
        if state is None:
            raise StrangeStream(f"a graphics state {name} that is not there")
        return float(state.get("/ca", 1)), float(state.get("/CA", 1))

    def _take(self, operator: str, operands: tuple[float, ...] | Path | str) -> None:
        state = self._state
        if isinstance(operands, Path):
            self._path = operands
        elif isinstance(operands, str):
            self._state = state._replace(opacity=self._named(operands))
        elif operator in _PAINTS:
            self._levels[-1].items.append(Outline(self._path, _paint(state, operator)))
            self._path = NO_PATH
        elif operator == "rg":
            self._state = state._replace(fill=_colour(operands))
        elif operator == "RG":
            self._state = state._replace(stroke=_colour(operands))
        elif operator == "w":
            self._state = state._replace(stroke_mm=operands[0])
        elif operator == "d":
            self._state = state._replace(dash_mm=operands)
        elif operator == "J":
            self._state = state._replace(cap=int(operands[0]))
        elif operator == "j":
            self._state = state._replace(join=int(operands[0]))
        elif operator == "M":
            self._state = state._replace(miter=operands[0])
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
                raise StrangeStream("Q without q")
            self._levels.pop()
            self._state = level.before
            self._levels[-1].items += level.closed()
        elif operator == "cm" and is_new and level.matrix == IDENTITY:
            level.matrix = Matrix(*operands)
        elif operator == "W" and is_new:
            level.clip = self._path
        elif operator == "n" and self._path is level.clip:
            self._path = NO_PATH
        else:
            raise StrangeStream(f"{operator} where no item begins")


def _called(matrix: bytes, kind: bytes, key: bytes) -> Item:
    a, b, c, d, e, f = map(float, matrix.split())
    if kind == b"D":
        return PlacedDrawing(key.decode("latin-1"), Matrix(a, b, c, d, e, f))
    if b or c:
        raise StrangeStream("a picture that is turned")
    return Picture(key.decode("latin-1"), e, round(f + d, 4), a, -d)


@lru_cache(maxsize=1024)
def _paint(state: _State, operator: str) -> Paint:
    fills, strokes, is_even_odd = _PAINTS[operator]
    join = state.join or (-round(state.miter) if state.miter != MITER_LIMIT else 0)
    return Paint(
        fill=state.fill if fills else None,
        stroke=state.stroke if strokes else None,
        stroke_mm=state.stroke_mm if strokes else 0.0,
        fill_opacity=state.opacity[0] if fills else 1.0,
        stroke_opacity=state.opacity[1] if strokes else 1.0,
        dash_mm=state.dash_mm if strokes else (),
        cap=state.cap if strokes else 0,
        join=join if strokes else 0,
        even_odd=is_even_odd,
    )


@lru_cache(maxsize=1024)
def _colour(parts: tuple[float, ...]) -> str:
    """Return a colour of three shares of 1 as `#rrggbb`. Raises `StrangeStream` where it is none of those."""
    numbers = [part * 255 for part in parts]
    if any(abs(number - round(number)) > 0.02 or not 0 <= round(number) <= 255 for number in numbers):
        raise StrangeStream(f"the colour {parts}")
    return "#" + "".join(f"{round(number):02x}" for number in numbers)


@lru_cache(maxsize=16384)
def _steps(line: bytes) -> tuple[Step, ...]:
    """Return the operators of a line with their operands. Raises `StrangeStream`."""
    steps: list[Step] = []
    kinds: list[str] = []
    numbers: list[float] = []
    operands: list[bytes] = []
    for token in _TOKENS(line):
        if _NUMBER(token) or token[:1] in b"/[":
            operands.append(token)
            continue
        if token in _SEGMENTS:
            kind, count = _SEGMENTS[token]
            kinds.append(kind)
            numbers += _floats(token.decode(), operands, count)
        else:
            if kinds:
                steps.append(("path", Path("".join(kinds), tuple(numbers))))
                kinds, numbers = [], []
            steps.append(_step(token.decode("latin-1"), operands))
        operands = []
    if operands or kinds:
        raise StrangeStream(f"operands without an operator: {line[:60]!r}")
    return tuple(steps)


def _step(operator: str, operands: list[bytes]) -> Step:
    if operator in _OPERANDS:
        return operator, _floats(operator, operands, _OPERANDS[operator])
    if operator == "gs" and len(operands) == 1 and operands[0][:1] == b"/":
        return operator, operands[0][1:].decode("latin-1")
    if operator == "d" and len(operands) == 2 and operands[0][:1] == b"[" and operands[1] == b"0":
        lengths = operands[0][1:-1].split()
        return operator, _floats(operator, lengths, len(lengths))
    raise StrangeStream(f"the operator {operator!r} with {len(operands)} operands")


def _floats(operator: str, operands: list[bytes], count: int) -> tuple[float, ...]:
    if len(operands) != count or not all(map(_NUMBER, operands)):
        raise StrangeStream(f"{b' '.join(operands)[:60].decode('latin-1')} {operator}")
    return tuple(map(float, operands))


def shown(items: Iterable[Item]) -> Iterator[Item]:
    """Yield what has to be painted, in order: groups of no effect are taken apart, texts say nothing."""
    for item in items:
        if isinstance(item, Text):
            size_mm, x_mm, y_mm = round(item.size_mm, 4), round(item.x_mm, 4), round(item.y_mm, 4)
            yield Text(x_mm, y_mm, size_mm, item.font, item.fill, item.glyphs, "", 0.0)
        elif isinstance(item, Outline):
            outline = _shown_outline(item)
            if outline is not None:
                yield outline
        elif isinstance(item, PlacedDrawing):
            yield PlacedDrawing(item.key, _rounded(item.matrix))
        elif isinstance(item, Picture):
            y_mm, height_mm = round(item.y_mm + item.height_mm, 4), round(item.height_mm, 4)
            yield Picture(item.key, round(item.x_mm, 4), round(y_mm - height_mm, 4), round(item.width_mm, 4), height_mm)
        elif item.items and item.opacity > 0:
            opacity = round(item.opacity, 3)
            matrix = _rounded(item.matrix)
            inner = tuple(shown(item.items))
            if matrix != IDENTITY or item.clip:
                yield Group(inner, matrix, _plain(item.clip), min(opacity, 1.0))
            elif item.opacity >= 1:
                yield from inner
            else:
                yield _faint(inner, opacity)


def _faint(items: tuple[Item, ...], opacity: float) -> Group:
    """Return items as one group with an opacity: the only group of full opacity among them becomes that group."""
    if len(items) == 1 and isinstance(items[0], Group) and items[0].opacity == 1:
        return Group(items[0].items, items[0].matrix, items[0].clip, opacity)
    return Group(items, opacity=opacity)


@lru_cache(maxsize=16384)
def _shown_outline(outline: Outline) -> Outline | None:
    paint = outline.paint
    strokes = paint.stroke is not None and paint.stroke_mm > 0
    if paint.fill is None and not strokes:
        return None
    even_odd = paint.even_odd and paint.fill is not None
    fill_opacity = round(paint.fill_opacity, 3) if paint.fill is not None else 1.0
    if not strokes:
        return Outline(_plain(outline.path), Paint(paint.fill, fill_opacity=fill_opacity, even_odd=even_odd))
    return Outline(
        _plain(outline.path),
        Paint(
            paint.fill,
            paint.stroke,
            round(paint.stroke_mm, 4),
            fill_opacity,
            round(paint.stroke_opacity, 3),
            tuple(round(length_mm, 4) for length_mm in paint.dash_mm),
            paint.cap,
            paint.join,
            even_odd,
        ),
    )


def _plain(path: Path) -> Path:
    """Return a path as one that was read: of marks or not, it is written with so many digits as it has."""
    return Path(path.kinds, path.numbers) if path.is_mark else path


@lru_cache(maxsize=4096)
def _rounded(matrix: Matrix) -> Matrix:
    a, b, c, d, e, f = matrix
    return Matrix(round(a, 7), round(b, 7), round(c, 7), round(d, 7), round(e, 4), round(f, 4))
