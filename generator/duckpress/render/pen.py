"""Frame items -> operators, drawn by reportlab's canvas in millimetres with y growing downwards.

The canvas of a document is a `Pen`, and so is the scratch one that draws faces, in whatever process. Names of forms,
fonts and states say what they are, so that they mean the same in every process and every document: reportlab's own
(`F1`, `gRLs0`) count what a canvas happened to use first.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.compression import deflated
from duckpress.core.frame import Group, Item, Outline, Paint, Picture, PlacedDrawing, Text
from duckpress.core.geometry import IDENTITY, Matrix, Rect, box_of_points
from duckpress.core.paths import LONG_PATH, NUMBERS_OF, Path
from duckpress.impose import Layer
from duckpress.render.bare_canvas import BareCanvas, PDFPathObject, box_operands, rgb

_named = re.compile(r"/(FormXob\.\S+(?= Do)|O\S+(?= gs)|L-\S+(?= BDC))").findall
# A run is `<0012>-20<0034>`: the numbers of glyphs stand between `<` and `>`, kerning outside.
_kerning = re.compile(r"(?:^|>)[^<\n]*(?:<|$)", re.MULTILINE).sub


class Words(NamedTuple):
    """What a stream draws in a font: its glyphs, two bytes each; the text of each run, with the end of its glyphs."""

    glyphs: bytes
    texts: tuple[tuple[int, str], ...]


class Ink(Struct, frozen=True):
    """A form: its box, its deflated operators and its resources, and its words in each font.

    `groups` are forms of its own.
    """

    box: Rect
    data: bytes
    uses: tuple[str, ...]
    words: Mapping[str, Words]
    groups: Mapping[str, Ink]


class Pen(BareCanvas):
    """A canvas that draws items. `groups` are the forms of blended groups; `box` is the visible area."""

    def __init__(self, language: str | None = None, version: tuple[int, int] = (1, 7)) -> None:
        super().__init__(language, version)
        self._runs: defaultdict[str, list[Text]] = defaultdict(list)
        self.begin(Rect(0.0, 0.0, 0.0, 0.0))

    def begin(self, box: Rect) -> None:
        """Begin a stream with a visible area."""
        self._box = box
        self.groups: dict[str, Ink] = {}

    def ink(self, items: Iterable[Item], box: Rect) -> Ink:
        """Return the form of these items, independent of earlier drawing."""
        self.clear()
        self.begin(box)
        self.draw(items)
        code = self.getCurrentPageContent()
        return Ink(box, deflated(code.encode("ascii")), uses_of(code), self.take_words(), self.groups)

    def take_words(self) -> dict[str, Words]:
        """Return the words drawn in each font since the last call."""
        runs, self._runs = self._runs, defaultdict(list)
        return {font: _words(runs[font]) for font in sorted(runs)}

    def draw(self, items: Iterable[Item | Layer]) -> None:
        """Draw items in order; consecutive texts form one text object."""
        texts: list[Text] = []
        for item in items:
            if isinstance(item, Text):
                texts.append(item)
                self._runs[item.font].append(item)
                continue
            if texts:
                self.show_glyphs(texts)
                texts = []
            if isinstance(item, PlacedDrawing):
                self.place(f"D-{item.key}", item.matrix)
            elif isinstance(item, Group):
                self._draw_group(item)
            elif isinstance(item, Layer):
                self.addLiteral(f"/OC /L-{item.name} BDC")  # Canvas knows no layers
                self.draw(item.items)
                self.addLiteral("EMC")
            elif isinstance(item, Outline) and len(item.path.kinds) >= LONG_PATH:
                self.draw_outline(item)
            elif code := _recurring(item):
                self.addLiteral(code)
        if texts:
            self.show_glyphs(texts)

    def draw_outline(self, item: Outline) -> None:
        """Draw an outline with all its settings, so that its operators are the same in any place."""
        paint = item.paint
        has_stroke = paint.stroke is not None and paint.stroke_mm > 0
        if paint.fill is None and not has_stroke:
            return
        is_unusual = min(paint.fill_opacity, paint.stroke_opacity) < 1 or paint.dash_mm or paint.cap or paint.join
        if is_unusual:
            self.saveState()
            self._set_unusual(paint)
        if paint.fill is not None:
            self.setFillColor(rgb(paint.fill))
        if paint.stroke is not None and has_stroke:
            self.setStrokeColor(rgb(paint.stroke))
            self.setLineWidth(round(paint.stroke_mm, 4))
        self.drawPath(self._path(item.path), int(has_stroke), int(paint.fill is not None), int(not paint.even_odd))
        if is_unusual:
            self.restoreState()

    def place(self, name: str, matrix: Sequence[float], clip: Path | None = None) -> None:
        """Draw a form or an image in a place, within a clip."""
        self.saveState()
        if clip:
            self.clipPath(self._path(clip), 0, 0, 1)
        self.move(matrix)
        self.doForm(name)
        self.restoreState()

    def move(self, matrix: Sequence[float]) -> None:
        """Apply a matrix to the coordinates that follow; its last two numbers are lengths."""
        a, b, c, d, e, f = matrix
        self.transform(a, b, c, d, round(e, 4), round(f, 4))

    def stamp(self, rows: Sequence[int], box: Rect, fill: str) -> None:
        """Draw square modules as an image mask in a box; in each row the highest bit is the leftmost module.

        Not as an outline, which takes ten times as long to write and to prove; and four pixels across to a module, so
        that viewers that smooth pictures blur no more than the edges of the modules.
        """
        count = len(rows)
        # Four pixels are one digit; a row takes whole bytes.
        digits = [f"{row:0{count}b}{'0' * (count % 2)}".replace("1", "F") * 4 for row in rows]
        self.saveState()
        self.setFillColor(rgb(fill))
        self.move((box.width_mm, 0, 0, -box.height_mm, box.x_mm, box.bottom_mm))
        size = f"/W {4 * count} /H {4 * count}"
        self.addLiteral(f"BI {size} /IM true /D [1 0] /F /AHx ID {''.join(digits)}> EI")
        self.restoreState()

    def _draw_group(self, group: Group) -> None:
        if not group.items or group.opacity <= 0:
            return
        self.saveState()
        if group.is_blended:
            form = self._form((replace(group, opacity=1.0, mask=()),))
            mask = f"-{self._form((Group(group.mask, group.matrix),))}" if group.mask else ""
            self._set_opacity(group.opacity, group.opacity, mask)
            self.doForm(form)
        else:
            if group.matrix != IDENTITY:
                self.move(group.matrix)
            if group.clip:
                self.clipPath(self._path(group.clip), 0, 0, 1)
            self.draw(group.items)
        self.restoreState()

    def _form(self, items: tuple[Item, ...]) -> str:
        """Draw items as a form of their own and return its name."""
        box = seen_through(self.matrix, self._box)
        pen = Pen()
        ink = pen.ink(items, box)
        # Named by what it shows, not by its compressed bytes: those differ between versions of libdeflate.
        shows = f"{box_operands(box)} {pen.getCurrentPageContent()}"
        name = f"G-{hashlib.sha256(shows.encode('ascii')).hexdigest()[:32]}"
        self.groups[name] = ink
        return name

    def _path(self, path: Path) -> PDFPathObject:
        made, at = self.beginPath(), 0
        draw = {"m": made.moveTo, "l": made.lineTo, "c": made.curveTo, "r": made.rect, "h": made.close}
        for kind in path.kinds:
            end = at + NUMBERS_OF[kind]
            draw[kind](*path.numbers[at:end])
            at = end
        return made

    def _set_opacity(self, fill: float, stroke: float, mask: str = "") -> None:
        """Set a graphics state, named by its opacities in thousandths and its mask's form.

        Canvas gives forms no states, numbers its own by first use, and knows no soft masks.
        """
        self.addLiteral(f"/O{round(fill * 1000)}-{round(stroke * 1000)}{mask} gs")

    def _set_unusual(self, paint: Paint) -> None:
        if paint.fill_opacity < 1 or paint.stroke_opacity < 1:
            self._set_opacity(paint.fill_opacity, paint.stroke_opacity)
        dashes = [round(length, 4) for length in paint.dash_mm]
        if any(dashes[: len(dashes) & ~1]):  # Canvas refuses others; they would be a line without gaps
            self.setDash(dashes[: len(dashes) & ~1], dashes[-1] if len(dashes) % 2 else 0)
        if paint.cap:
            self.setLineCap(paint.cap)
        if paint.join > 0:
            self.setLineJoin(paint.join)
        elif paint.join < 0:
            self.setMiterLimit(-paint.join)


@lru_cache(maxsize=1)
def _scratch() -> Pen:
    return Pen()


@lru_cache(maxsize=16384)
def _recurring(item: Outline | Picture) -> str:
    """Return the operators of an item, cached: many faces have it in the same place."""
    pen = _scratch()
    pen.clear()
    if isinstance(item, Outline):
        pen.draw_outline(item)
    else:
        bottom_mm = item.y_mm + item.height_mm
        size = round(item.width_mm, 4), 0, 0, round(-item.height_mm, 4)
        pen.place(f"P-{item.key}", (*size, item.x_mm, bottom_mm))
    return str(pen.getCurrentPageContent())


def _words(runs: Sequence[Text]) -> Words:
    """Return the words of runs of one font; marks of a word may stand on a baseline of their own."""
    glyphs = _kerning("", "\n".join([run.glyphs for run in runs])).split("\n")
    texts, end, y_mm, text = list[tuple[int, str]](), 0, math.inf, ""
    for run, own in zip(runs, glyphs, strict=True):
        text = text + run.text if 0.0 < abs(y_mm - run.y_mm) < run.size_mm / 2 else run.text
        end, y_mm = end + len(own) // 2, run.y_mm
        texts.append((end, text))
    return Words(bytes.fromhex("".join(glyphs)), tuple(texts))


def uses_of(code: str) -> tuple[str, ...]:
    """Return the names of all resources in operators, sorted."""
    return tuple(sorted(set(_named(code))))


def seen_through(matrix: Matrix, box: Rect) -> Rect:
    """Return the smallest upright box, in a matrix's inner coordinates, that covers an outer box."""
    if matrix == IDENTITY:
        return box
    points = [point for corner in box.corners if (point := matrix.undo(*corner)) is not None]
    return box_of_points(points) if points else box
