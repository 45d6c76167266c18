"""Frame items -> the operators of a PDF content stream, in millimetres with y growing downwards.

Every outline sets what it needs, so that its operators are the same wherever it stands and are made once. What is
unusual (dashes, caps, joins, opacity) stands between `q` and `Q`; outside them a stream only ever changes colours, the
line width and the font. Source of the operators: ISO 32000-1, Annex A.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from duckpress.core.frame import Outline, Paint
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.core.paths import LONG_PATH, NUMBERS_OF, RECTANGLE, Path


@lru_cache(maxsize=65536)
def number(value: float) -> str:
    """Return a number as PDF writes it: four decimals (a ten-thousandth of a millimetre), without trailing zeros."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


@lru_cache(maxsize=4096)
def factor(value: float) -> str:
    """Return a factor of a matrix: seven decimals, so that a metre of drawing lands within a ten-thousandth of a mm."""
    text = f"{value:.7f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def matrix_operands(matrix: Matrix) -> str:
    """Return the six operands of `cm`."""
    a, b, c, d, e, f = matrix
    return f"{factor(a)} {factor(b)} {factor(c)} {factor(d)} {number(e)} {number(f)}"


@lru_cache(maxsize=256)
def box_operands(box: Rect) -> str:
    """Return a rectangle as PDF's `x1 y1 x2 y2`."""
    return " ".join(map(number, box.edges))


@lru_cache(maxsize=4096)
def colour(value: str) -> str:
    """Return the operands of `rg` and `RG` for `#rrggbb`."""
    parts = (int(value[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return " ".join(number(part) for part in parts)


def state_name(fill_opacity: float, stroke_opacity: float) -> str:
    """Return the resource name of a graphics state with these opacities, in thousandths."""
    return f"O{round(fill_opacity * 1000)}-{round(stroke_opacity * 1000)}"


def masked_state_name(opacity: float, mask: str) -> str:
    """Return the resource name of a graphics state with an opacity and the soft mask that a form makes."""
    return f"{state_name(opacity, opacity)}-{mask}"


def mask_of(name: str) -> str:
    """Return the name of the form that makes the mask of a graphics state, empty for none."""
    return "-".join(name.split("-")[2:])


def state_dictionary(name: str, mask: int | None = None) -> str:
    """Return the graphics state that goes by a name; `mask` is the number of the form of `mask_of`."""
    fill, stroke = (int(part) / 1000 for part in name[1:].split("-")[:2])
    soft = f"/SMask<</Type/Mask/S/Luminosity/G {mask} 0 R>>" if mask else ""
    return f"<</Type/ExtGState/ca {number(fill)}/CA {number(stroke)}{soft}>>"


class PaintedPath(NamedTuple):
    """The operators of an outline, the fill colour they leave behind (None: as before) and the state they use."""

    operators: str
    fill: str | None
    state: str | None


def painted_path(outline: Outline) -> PaintedPath | None:
    """Return the operators that paint an outline; None where its paint shows nothing."""
    return (_known_path if len(outline.path.kinds) < LONG_PATH else _painted_path)(outline)


def _painted_path(outline: Outline) -> PaintedPath | None:
    paint = outline.paint
    has_fill, has_stroke = paint.fill is not None, paint.stroke is not None and paint.stroke_mm > 0
    if not (has_fill or has_stroke):
        return None
    unusual, state = _unusual_state(paint)
    colours = f"{colour(paint.fill)} rg " if paint.fill is not None else ""
    if has_stroke and paint.stroke is not None:
        colours += f"{colour(paint.stroke)} RG {number(paint.stroke_mm)} w "
    star = "*" if paint.even_odd else ""
    end = f"B{star}" if has_fill and has_stroke else f"f{star}" if has_fill else "S"
    path = path_operators(outline.path)
    if unusual:
        return PaintedPath(f"q {unusual}{colours}{path} {end} Q", None, state)
    return PaintedPath(f"{colours}{path} {end}", paint.fill, None)


_known_path = lru_cache(maxsize=16384)(_painted_path)


def path_operators(path: Path) -> str:
    """Return the operators that build a path; numbers of marks have three decimals, even where they are zeros."""
    if path.is_mark and path.kinds == RECTANGLE * len(path.kinds):  # dots: hundreds of them
        return ("%.3f %.3f %.3f %.3f re " * len(path.kinds))[:-1] % path.numbers
    numbers = map("{:.3f}".format if path.is_mark else number, path.numbers)
    words: list[str] = []
    for kind in path.kinds:
        words += islice(numbers, NUMBERS_OF[kind])
        words.append("re" if kind == RECTANGLE else kind)
    return " ".join(words)


def _unusual_state(paint: Paint) -> tuple[str, str | None]:
    """Return the operators for what differs from PDF's defaults, and the name of the graphics state among them."""
    parts = []
    state = None
    if paint.fill_opacity < 1 or paint.stroke_opacity < 1:
        state = state_name(paint.fill_opacity, paint.stroke_opacity)
        parts.append(f"/{state} gs ")
    if paint.dash_mm:
        length = len(paint.dash_mm)
        dashes, begun = paint.dash_mm[: length - length % 2], paint.dash_mm[-1] if length % 2 else 0.0
        parts.append(f"[{' '.join(map(number, dashes))}] {number(begun)} d ")
    if paint.cap:
        parts.append(f"{paint.cap} J ")
    if paint.join > 0:
        parts.append(f"{paint.join} j ")
    elif paint.join < 0:
        parts.append(f"{-paint.join} M ")
    return "".join(parts), state


def opening(matrix: Matrix, clip: Path) -> str:
    """Return the operators that open a group: save, transform, clip."""
    moved = "" if matrix == IDENTITY else f" {matrix_operands(matrix)} cm"
    return f"q{moved} {path_operators(clip)} W n" if clip else f"q{moved}"
