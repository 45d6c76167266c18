"""Lines between texts -> what they paint and how they leave the graphics state; read once, as most of them recur."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from duckpress.core.frame import MITER_LIMIT, Item, Outline, Paint, Picture, PlacedDrawing
from duckpress.core.paths import NO_PATH, Path
from duckpress.proof.streams.operators import LONG_LINE, PAINTS, StrangeStreamError, colour_of, matrix_of, steps_of
from duckpress.proof.used_things import Opacity

SIX = rb"(\S+ \S+ \S+ \S+ \S+ \S+)"
FONT = re.compile(rb"/(F-\S+) (-?[\d.]+) Tf").fullmatch
CALL = re.compile(rb"q " + SIX + rb" cm /([DP]-\S+) Do Q").fullmatch


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


USUAL = DrawingState()
SETTERS: dict[str, Callable[[DrawingState, tuple[float, ...]], DrawingState]] = {
    "rg": lambda state, numbers: state._replace(fill=colour_of(numbers)),
    "RG": lambda state, numbers: state._replace(stroke=colour_of(numbers)),
    "w": lambda state, numbers: state._replace(stroke_mm=numbers[0]),
    "d": lambda state, numbers: state._replace(dash_mm=numbers),
    "J": lambda state, numbers: state._replace(cap=numbers[0]),
    "j": lambda state, numbers: state._replace(join=numbers[0]),
    "M": lambda state, numbers: state._replace(miter=numbers[0]),
}


class Passage(NamedTuple):
    """What lines without texts paint, the state that they leave, whether they end among texts, and what they name."""

    items: tuple[Item, ...]
    state: DrawingState
    is_text: bool
    fonts: tuple[str, ...]
    objects: tuple[str, ...]


def read_passage(lines: bytes, state: DrawingState, is_text: bool) -> Passage | None:
    """Return what lines between texts do, most of which recur; None where they are about more than is usual there."""
    return (_known_passage if len(lines) < LONG_LINE else _passage)(lines, state, is_text)


def _passage(lines: bytes, state: DrawingState, is_text: bool) -> Passage | None:
    items: list[Item] = []
    fonts: list[str] = []
    objects: list[str] = []
    for line in lines.removesuffix(b"\n").split(b"\n"):
        if line in (b"BT", b"ET"):
            if is_text is (line == b"BT"):
                return None
            is_text = not is_text
        elif (font := FONT(line)) is not None:
            fonts.append(font[1].decode("latin-1"))
            state = state._replace(font=fonts[-1], size_mm=float(font[2]))
        elif (call := CALL(line)) is not None and state[3:8] == USUAL[3:8]:
            objects.append(call[2].decode("latin-1"))
            items.append(called(call[1], objects[-1]))
        elif (plain := _read_plain(line, state)) is not None:
            items += plain[0]
            state = plain[1]
        else:
            return None
    return Passage(tuple(items), state, is_text, tuple(fonts), tuple(objects))


_known_passage = lru_cache(maxsize=16384)(_passage)


def _read_plain(line: bytes, state: DrawingState) -> tuple[tuple[Item, ...], DrawingState] | None:
    return (_known_line if len(line) < LONG_LINE else _plain_line)(line, state)


def _plain_line(line: bytes, state: DrawingState) -> tuple[tuple[Item, ...], DrawingState] | None:
    """Return what a line paints and how it leaves the state; None where it is about more than colours and paths."""
    if line.endswith((b"Q", b" cm", b"BDC", b"EMC")) or line[:1] == b"q":
        return None
    items: list[Item] = []
    path = NO_PATH
    for operator, operands in steps_of(line):
        if isinstance(operands, Path):
            path = operands
        elif operator in PAINTS and path:
            items.append(Outline(path, paint_in(state, operator)))
            path = NO_PATH
        elif operator in SETTERS and not isinstance(operands, str):
            state = SETTERS[operator](state, operands)
        else:
            return None
    return None if path else (tuple(items), state)


_known_line = lru_cache(maxsize=16384)(_plain_line)


def called(written: bytes, name: str) -> Item:
    """Return the drawing or picture that goes by a name, under a matrix that is written out."""
    matrix, key = matrix_of(written), name[2:]
    if name.startswith("D-"):
        return PlacedDrawing(key, matrix)
    a, b, c, d, e, f = matrix
    if b or c:
        raise StrangeStreamError("a picture that is turned")
    return Picture(key, e, round(f + d, 4), a, -d)


@lru_cache(maxsize=1024)
def paint_in(state: DrawingState, operator: str) -> Paint:
    """Return what an operator paints with in a state."""
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
