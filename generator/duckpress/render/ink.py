"""Faces, drawings and pages as finished content streams: compressed, with the names of everything they use.

An ink knows no document: its resource names follow from what they name (`F-` a font's key, `D-` a drawing's, `P-` a
picture's, `G-` the hash of a group's operators), so that the same ink serves every document of a build.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.compression import deflated
from duckpress.core.frame import Group, Item, Outline, Picture, PlacedDrawing, Text
from duckpress.core.geometry import IDENTITY, Matrix, Rect, box_of_points
from duckpress.render.item_operators import (
    box_operands,
    colour,
    masked_state_name,
    matrix_operands,
    number,
    opening,
    painted_path,
    state_name,
)

_NUMBERS = re.compile("<([0-9A-Fa-f]+)").findall


class Ink(Struct, frozen=True):
    """A content stream, deflated, and what it uses.

    `glyphs` gives for each font key the numbers of the glyphs as drawn, two bytes each; `groups` are forms of its own.
    """

    box: Rect
    data: bytes
    glyphs: Mapping[str, bytes]
    drawings: tuple[str, ...]
    pictures: tuple[str, ...]
    groups: Mapping[str, Ink]
    states: tuple[str, ...]

    def with_uses(self, other: Ink | None) -> Ink:
        """Return it as one that uses what another one uses, too; of glyphs only the fonts."""
        if other is None:
            return self
        return replace(
            self,
            glyphs=dict(sorted({**other.glyphs, **self.glyphs}.items())),
            drawings=tuple(sorted({*self.drawings, *other.drawings})),
            pictures=tuple(sorted({*self.pictures, *other.pictures})),
            groups={**self.groups, **other.groups},
            states=tuple(sorted({*self.states, *other.states})),
        )


def ink_of(items: Iterable[Item], box: Rect) -> Ink:
    """Return the stream that draws the items; nothing of it shows outside the box."""
    pen = InkPen()
    pen.draw(items, box)
    return pen.ink(box)


class InkPen:
    """Gathers operators and what they use; knows the fill colour and the font that stand at this point."""

    def __init__(self, *before: str) -> None:
        self._out = list(before)
        self._runs: dict[str, list[str]] = {}
        self._drawings: dict[str, None] = {}
        self._pictures: dict[str, None] = {}
        self._groups: dict[str, Ink] = {}
        self._states: dict[str, None] = {}
        self._fill: str | None = None
        self._font: tuple[str, float] | None = None

    def draw(self, items: Iterable[Item], box: Rect) -> None:
        """Draw items; `box` is what can be seen, in the coordinates of the items."""
        out = self._out
        is_text = False
        for item in items:
            if isinstance(item, Text):
                if not is_text:
                    out.append("BT")
                    is_text = True
                self._write(item)
                continue
            if is_text:
                out.append("ET")
                is_text = False
            if isinstance(item, Outline):
                self._paint(item)
            elif isinstance(item, Picture):
                self._pictures[item.key] = None
                width, height = number(item.width_mm), number(-item.height_mm)
                x, y = number(item.x_mm), number(item.y_mm + item.height_mm)
                out.append(f"q {width} 0 0 {height} {x} {y} cm /P-{item.key} Do Q")
            elif isinstance(item, PlacedDrawing):
                self._drawings[item.key] = None
                out.append(f"q {matrix_operands(item.matrix)} cm /D-{item.key} Do Q")
            else:
                self._open(item, box)
        if is_text:
            out.append("ET")

    def draw_layer(self, name: str, items: Iterable[Item], box: Rect) -> None:
        """Draw items that belong to a layer, which is called by a name of the stream's resources."""
        self._out.append(f"/OC /{name} BDC")
        # Whoever reads a stream may leave out a layer: what it sets is set again for what follows.
        self._fill, self._font = None, None
        self.draw(items, box)
        self._out.append("EMC")
        self._fill, self._font = None, None

    def stamp(self, rows: Sequence[int], box: Rect, fill: str) -> None:
        """Draw square modules as a mask of bits, in a box; in each row the highest of as many bits as rows comes first.

        Not as an outline, which takes ten times as long to write and to prove; and four pixels across to a module, so
        that viewers that smooth pictures blur no more than the edges of the modules.
        """
        if fill != self._fill:
            self._fill = fill
            self._out.append(f"{colour(fill)} rg")
        count = len(rows)
        # Four pixels are one digit; a row takes whole bytes.
        digits = [f"{row:0{count}b}{'0' * (count % 2)}".replace("1", "F") * 4 for row in rows]
        x, y = number(box.x_mm), number(box.bottom_mm)
        width, height = number(box.width_mm), number(-box.height_mm)
        pixels = 4 * count
        self._out.append(
            f"q {width} 0 0 {height} {x} {y} cm BI /W {pixels} /H {pixels} /IM true /D [1 0] /F /AHx"
            f" ID {''.join(digits)}> EI Q"
        )

    def operators(self) -> bytes:
        """Return what was drawn so far."""
        return "\n".join(self._out).encode("ascii")

    def ink(self, box: Rect) -> Ink:
        """Return what was drawn, and let go of its text."""
        data = deflated(self.operators())
        self._out.clear()
        glyphs = {key: glyph_numbers(runs) for key, runs in sorted(self._runs.items())}
        names = (tuple(sorted(self._drawings)), tuple(sorted(self._pictures)))
        return Ink(box, data, glyphs, *names, self._groups, tuple(sorted(self._states)))

    def _paint(self, item: Outline) -> None:
        path = painted_path(item)
        if path is not None:
            self._out.append(path.operators)
            if path.fill is not None:
                self._fill = path.fill
            if path.state is not None:
                self._states[path.state] = None

    def _write(self, item: Text) -> None:
        out, size_mm, font, fill, glyphs = self._out, item.size_mm, item.font, item.fill, item.glyphs
        if fill != self._fill:
            self._fill = fill
            out.append(f"{colour(fill)} rg")
        if (font, size_mm) != self._font:
            self._font = (font, size_mm)
            out.append(f"/F-{font} {number(size_mm)} Tf")
        out.append(f"1 0 0 -1 {number(item.x_mm)} {number(item.y_mm)} Tm [{glyphs}]TJ")
        runs = self._runs.get(font)
        if runs is None:
            runs = self._runs[font] = []
        runs.append(glyphs)

    def _open(self, group: Group, box: Rect) -> None:
        if not group.items or group.opacity <= 0:
            return
        if group.is_blended:
            self._flatten(group, box)
            return
        self._out.append(opening(group.matrix, group.clip))
        fill = self._fill
        self.draw(group.items, seen_through(group.matrix, box))
        # The font is named again for what follows: whoever reads the stream need not know what `Q` brings back.
        self._fill, self._font = fill, None
        self._out.append("Q")

    def _flatten(self, group: Group, box: Rect) -> None:
        """Draw a group as a form of its own: its opacity and its mask hold for the group and not for each item."""
        name = self._form((replace(group, opacity=1.0, mask=()),), box)
        state = state_name(group.opacity, group.opacity)
        if group.mask:
            state = masked_state_name(group.opacity, self._form((Group(group.mask, group.matrix),), box))
        self._states[state] = None
        self._out.append(f"q /{state} gs /{name} Do Q")

    def _form(self, items: Iterable[Item], box: Rect) -> str:
        """Draw items as a form of its own and return its name."""
        pen = InkPen()
        pen.draw(items, box)
        # Named by what it shows, not by its compressed bytes: those differ between versions of libdeflate.
        shows = box_operands(box).encode("ascii") + b" " + pen.operators()
        name = f"G-{hashlib.sha256(shows).hexdigest()[:32]}"
        self._groups[name] = pen.ink(box)
        return name


def seen_through(matrix: Matrix, box: Rect) -> Rect:
    """Return the smallest upright box, in the coordinates inside a matrix, that covers a box outside it."""
    if matrix == IDENTITY:
        return box
    points = [point for corner in box.corners if (point := matrix.undo(*corner)) is not None]
    return box_of_points(points) if points else box


def glyph_numbers(runs: Iterable[str]) -> bytes:
    """Return the glyph numbers in bodies of `TJ` arrays, two bytes each, in order."""
    # A body is `<0012>-20<0034>`: the numbers stand between `<` and `>`, kerning outside.
    return bytes.fromhex("".join(_NUMBERS("".join(runs))))
