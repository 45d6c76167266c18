"""Random faces painted by a painter of frames that knows no PDF, and by PDFium from the file: they look alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise

import pypdfium2
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from duckpress.core.frame import Frame, Group, Item, Outline, Paint, PlacedDrawing, Text
from duckpress.core.geometry import IDENTITY, MM_PER_INCH, Matrix, Size, rotation, scaling, translation
from duckpress.core.paths import Path
from duckpress.impose import Edges, Placement, Sheet, Side
from duckpress.render import DocumentInfo, render_pdf
from handmade import CARD, FONTS, ICON, SERIF, booklet, box, card, words
from path_texts import path_of
from profiles import examples

PAPER = Size(80.0, 90.0)
PX = 8  # for each mm, as it is painted
SEEN = 4  # for each mm, as it is looked at: edges are smooth there
CANVAS = (round(PAPER.width_mm * PX), round(PAPER.height_mm * PX))

COLOURS = st.sampled_from(["#d02020", "#208030", "#2040c0", "#f0d000", "#101010", "#ffffff"])
PLACES = st.tuples(st.integers(2, 38), st.integers(2, 58))
SHAPES = st.lists(PLACES, min_size=3, max_size=5).map(
    lambda some: path_of(" ".join(f"{x} {y} {'l' if at else 'm'}" for at, (x, y) in enumerate(some)) + " h")
)
OUTLINES = st.builds(
    Outline, SHAPES, st.builds(Paint, fill=COLOURS, fill_opacity=st.sampled_from([1.0, 0.6]), even_odd=st.booleans())
)
LINES = st.builds(
    lambda one, other, colour, mm: Outline(
        path_of(f"{one[0]} {one[1]} m {other[0]} {other[1]} l"), Paint(stroke=colour, stroke_mm=mm)
    ),
    PLACES, PLACES, COLOURS, st.sampled_from([0.5, 2.0]),
)  # fmt: skip
TEXTS = st.builds(
    lambda text, at, mm, fill: words(text, *at, mm, SERIF, fill),
    st.sampled_from(["F", "L", "R7", "Q"]), PLACES, st.sampled_from([6.0, 14.0]), COLOURS,
)  # fmt: skip
MATRICES = st.one_of(
    st.just(IDENTITY),
    st.builds(rotation, st.integers(1, 359), st.just(20.0), st.just(30.0)),
    st.builds(
        lambda x, y, s: translation(x, y).after(scaling(s)), st.integers(-9, 9), st.integers(-9, 9), st.just(0.7)
    ),
    st.just(Matrix(-1.0, 0.0, 0.2, 1.0, 36.0, 0.0)),
)
DRAWN = st.builds(lambda x, y, m: PlacedDrawing(ICON.key, translation(x, y).after(m)), st.just(9), st.just(9), MATRICES)
ITEMS = st.recursive(
    st.one_of(OUTLINES, LINES, TEXTS, DRAWN),
    lambda inner: st.builds(
        Group,
        st.lists(inner, min_size=1, max_size=3).map(tuple),
        MATRICES,
        st.one_of(st.just(Path("", ())), SHAPES),
        st.sampled_from([1.0, 0.4]),
        st.sampled_from([(), (box(0, 0, 40, 30, "#ffffff"), box(0, 30, 40, 15, "#808080"))]),
    ),
    max_leaves=6,
)


class Painter:
    """Paints items, each through a picture of what it covers."""

    def __init__(self, ground: str) -> None:
        self.picture = Image.new("RGB", CANVAS, ground)
        self.covered = Image.new("L", CANVAS, 0)

    def paint(self, items: Sequence[Item], matrix: Matrix, within: Image.Image | None = None) -> None:
        for item in items:
            if isinstance(item, Group):
                self._group(item, matrix.after(item.matrix), within)
            elif isinstance(item, PlacedDrawing):
                self.paint(ICON.items, matrix.after(item.matrix), within)
            elif isinstance(item, Text):
                self._put(_letters(item, matrix), item.fill, 1.0, within)
            elif isinstance(item, Outline):
                paint = item.paint
                if paint.fill is not None:
                    self._put(_filled(item.path, matrix, paint.even_odd), paint.fill, paint.fill_opacity, within)
                if paint.stroke is not None:
                    self._put(_stroked(item.path, matrix, paint.stroke_mm), paint.stroke, paint.stroke_opacity, within)

    def _put(self, shape: Image.Image, colour: str, opacity: float, within: Image.Image | None) -> None:
        shape = shape if within is None else ImageChops.multiply(shape, within)
        shape = shape.point(lambda value: round(value * opacity))
        self.picture.paste(colour, (0, 0), shape)
        self.covered = ImageChops.lighter(self.covered, shape)

    def _group(self, group: Group, matrix: Matrix, within: Image.Image | None) -> None:
        if group.clip:
            clip = _filled(group.clip, matrix, False)
            within = clip if within is None else ImageChops.multiply(clip, within)
        if group.opacity == 1.0 and not group.mask:
            self.paint(group.items, matrix, within)
            return
        # As a whole: painted on what is there, and as much of the result shown as the group is seen.
        whole = Painter("#000000")
        whole.picture = self.picture.copy()
        whole.paint(group.items, matrix, within)
        seen = Image.new("L", CANVAS, round(255 * group.opacity))
        if group.mask:
            light = Painter("#000000")
            light.paint(group.mask, matrix)
            seen = ImageChops.multiply(seen, light.picture.convert("L"))
        self.picture = Image.composite(whole.picture, self.picture, seen)


def _filled(path: Path, matrix: Matrix, is_even_odd: bool) -> Image.Image:
    """Return a shape of straight lines, by how often its outline winds round each row of the picture."""
    numbers = path.numbers
    if path.kinds == "r":
        x, y, width, height = numbers
        numbers = (x, y, x + width, y, x + width, y + height, x, y + height)
    points = [matrix.apply(*point) for point in zip(numbers[::2], numbers[1::2], strict=True)]
    points = [(x * PX, y * PX) for x, y in points]
    edges = [(one, other) for one, other in zip(points, [*points[1:], points[0]], strict=True) if one[1] != other[1]]
    picture = Image.new("L", CANVAS, 0)
    draw = ImageDraw.Draw(picture)
    for row in range(CANVAS[1]):
        crossings = sorted(
            (x1 + (row + 0.5 - y1) * (x2 - x1) / (y2 - y1), 1 if y2 > y1 else -1)
            for (x1, y1), (x2, y2) in edges
            if min(y1, y2) <= row + 0.5 < max(y1, y2)
        )
        winding = 0
        for (left, way), (right, _) in pairwise(crossings):
            winding += way
            if (winding % 2 if is_even_odd else winding) and math.ceil(left - 0.5) <= math.ceil(right - 0.5) - 1:
                draw.line((math.ceil(left - 0.5), row, math.ceil(right - 0.5) - 1, row), 255)
    return picture


def _stroked(path: Path, matrix: Matrix, stroke_mm: float) -> Image.Image:
    """Return a straight line with flat ends."""
    x1, y1, x2, y2 = path.numbers
    length = math.dist((x1, y1), (x2, y2)) or 1.0
    dx, dy = (y1 - y2) / length * stroke_mm / 2, (x2 - x1) / length * stroke_mm / 2
    corners = (x1 + dx, y1 + dy, x2 + dx, y2 + dy, x2 - dx, y2 - dy, x1 - dx, y1 - dy)
    return _filled(Path("mlllh", corners), matrix, False)


def _letters(text: Text, matrix: Matrix) -> Image.Image:
    """Return letters as FreeType draws them upright, and mapped afterwards."""
    font = ImageFont.truetype(BytesIO(SERIF.file.data), round(text.size_mm * PX))
    flat = Image.new("L", (CANVAS[0] * 2, CANVAS[1] * 2), 0)
    off = CANVAS[0] / 2, CANVAS[1] / 2
    ImageDraw.Draw(flat).text((text.x_mm * PX + off[0], text.y_mm * PX + off[1]), text.text, 255, font, anchor="ls")
    a, b, c, d, e, f = matrix.inverse()
    back = (a, c, e * PX + off[0], b, d, f * PX + off[1])
    return flat.transform(CANVAS, Image.Transform.AFFINE, back, Image.Resampling.BILINEAR)


def _painted(frame: Frame, x_mm: float, y_mm: float, turn: int) -> Image.Image:
    painter, (width, height) = Painter("#ffffff"), frame.trim
    # Turned clockwise about its middle: so much to the right of it and below it.
    across, down = x_mm + width / 2, y_mm + height / 2
    matrix = {
        0: Matrix(1, 0, 0, 1, across - width / 2, down - height / 2),
        90: Matrix(0, 1, -1, 0, across + height / 2, down - width / 2),
        180: Matrix(-1, 0, 0, -1, across + width / 2, down + height / 2),
        270: Matrix(0, -1, 1, 0, across - height / 2, down + width / 2),
    }[turn]
    bleed = frame.bleed_mm
    edge = box(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed, "#000000").path
    painter.paint(frame.items, matrix, _filled(edge, matrix, False))
    return painter.picture


def _printed(frame: Frame, x_mm: float, y_mm: float, turn: int) -> Image.Image:
    place = Placement(0, False, x_mm, y_mm, turn, frame.hash, Edges(2.0, 2.0, 2.0, 2.0))
    sheet = Sheet(PAPER, Side((place,), ()), None, 1, 1)
    pdf = render_pdf([booklet([sheet], [frame])], FONTS, DocumentInfo("Faces", language="en"))
    return pypdfium2.PdfDocument(pdf)[0].render(scale=PX * MM_PER_INCH / 72).to_pil().convert("RGB").resize(CANVAS)


def differing(one: Image.Image, other: Image.Image) -> float:
    """Return how much of the paper looks clearly different, in mm², without what is under 0.75 mm thin."""
    size = (CANVAS[0] * SEEN // PX, CANVAS[1] * SEEN // PX)
    bands = ImageChops.difference(*(picture.resize(size, Image.Resampling.BOX) for picture in (one, other))).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    clear = most.point(lambda value: 255 if value > 71 else 0).filter(ImageFilter.MinFilter(3))
    return clear.histogram()[255] / SEEN**2


STAR = path_of("20 4 m 31 40 l 3 16 l 37 16 l 9 40 l h")  # its middle is a hole, or is none


@example([Outline(STAR, Paint(fill="#101010", even_odd=True))], 90, (16.0, 14.0))
@example([Outline(STAR, Paint(fill="#101010"))], 270, (16.0, 14.0))
@examples(12)
@given(
    st.lists(ITEMS, min_size=1, max_size=4),
    st.sampled_from([0, 90, 180, 270]),
    st.sampled_from([(16.0, 14.0), (18.5, 13.0)]),
)
def test_pdfium_paints_what_frames_mean(items: list[Item], turn: int, at: tuple[float, float]) -> None:
    frame = card(*items, trim=CARD)
    assert differing(_painted(frame, *at, turn), _printed(frame, *at, turn)) < 0.5


def test_the_painter_tells_what_is_upside_down() -> None:
    frame = card(words("L", 8.0, 40.0, 14.0))
    flipped = card(Group((words("L", 8.0, 40.0, 14.0),), Matrix(1.0, 0.0, 0.0, -1.0, 0.0, 72.0)))
    assert differing(_painted(frame, 16.0, 14.0, 0), _printed(frame, 16.0, 14.0, 0)) < 0.5
    assert differing(_painted(frame, 16.0, 14.0, 0), _printed(flipped, 16.0, 14.0, 0)) > 3.0
    assert differing(_painted(frame, 16.0, 14.0, 90), _printed(frame, 16.0, 14.0, 270)) > 3.0
