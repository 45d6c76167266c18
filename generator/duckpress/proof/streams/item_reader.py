"""The streams of forms -> the items that they paint, as frames have them.

A small interpreter of the operators that `operators` reads: it keeps the graphics state and the levels of `q` and `Q`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from duckpress.core.frame import Group, Item, Outline, Text
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.core.paths import NO_PATH, Path
from duckpress.proof.opened import FormRead, OpenedPdf, Used
from duckpress.proof.streams.operators import PAINTS, StrangeStreamError, steps_of
from duckpress.proof.streams.passages import CALL, FONT, SETTERS, USUAL, DrawingState, called, paint_in, read_passage
from duckpress.proof.used_things import Number, Opacity

_TEXTS = re.compile(rb"^1 0 0 -1 (-?[\d.]+) (-?[\d.]+) Tm \[([^\]]*)\]TJ(?:\n|\Z)", re.MULTILINE).split
_FAINT = re.compile(rb"q /(\S+) gs /(G-\S+) Do Q").fullmatch


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
        passage = None if self._path else read_passage(lines, self._state, self._is_text)
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
        elif (font := FONT(line)) is not None:
            name = self._known(font[1], self._used.fonts)
            self._state = self._state._replace(font=name, size_mm=float(font[2]))
        elif (call := CALL(line)) is not None:
            self._refuse_unusual(call[2])
            self._levels[-1].items.append(called(call[1], self._known(call[2], self._used.objects)))
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
        if self._state[3:8] != USUAL[3:8]:
            raise StrangeStreamError(f"{name.decode('latin-1')} under {self._state}")

    def _faint(self, state: bytes, name: bytes) -> Group:
        """Return a group with an opacity, which is a form of its own and has to show all that can be seen there."""
        opacity, stroke_opacity = self._named(state.decode("latin-1"))
        key = self._known(name, self._used.objects)
        if opacity != stroke_opacity:
            raise StrangeStreamError(f"the group {key}")
        items = self._items_of_group(self._used.objects[key], key)
        mask = self._used.masks.get(state.decode("latin-1"))
        if mask is None:
            return faint_group(items, opacity)
        # One that paints nothing hides all; there is no group to ask for that.
        if not (masking := self._items_of_group(mask, f"that masks {key}")):
            raise StrangeStreamError(f"a mask of {key} that paints nothing")
        return Group(items, opacity=opacity, mask=masking)

    def _items_of_group(self, number: Number, key: str) -> tuple[Item, ...]:
        form = self._document.forms.get(number)
        if form is None or not form.is_transparent:
            raise StrangeStreamError(f"the group {key}")
        matrix = IDENTITY
        for level in self._levels:
            matrix = matrix.after(level.matrix)
        x1, y1, x2, y2 = form.box
        if not _is_flat(matrix) and not Rect(x1, y1, x2 - x1, y2 - y1).holds(matrix.inverse().around(self._box), 0.01):
            raise StrangeStreamError(f"the group {key} is cut off at {form.box}")
        return tuple(read_form(self._document, form))

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
            if operands in self._used.masks:
                raise StrangeStreamError(f"the mask of {operands} for what is no group")
            self._state = state._replace(opacity=self._named(operands))
        elif operator in PAINTS:
            self._levels[-1].items.append(Outline(self._path, paint_in(state, operator)))
            self._path = NO_PATH
        elif operator in SETTERS:
            self._state = SETTERS[operator](state, operands)
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


def faint_group(items: tuple[Item, ...], opacity: float) -> Group:
    """Return items as one group with an opacity: the only group of full opacity among them becomes that group."""
    if len(items) == 1 and isinstance(items[0], Group) and items[0].opacity == 1:
        return Group(items[0].items, items[0].matrix, items[0].clip, opacity)
    return Group(items, opacity=opacity)
