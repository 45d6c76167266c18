"""The items of a frame as a stream has to paint them.

Lengths in a stream have four decimals, factors of matrices seven, opacities three (`number` and `factor` of `render`
say so too, in a way of their own). What paints nothing is not in it, and groups of no effect are taken apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from duckpress.core.frame import Group, Item, Outline, Paint, Picture, PlacedDrawing, Text
from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.core.paths import LONG_PATH, Path
from duckpress.proof.streams.item_reader import faint_group


def wanted_items(items: Iterable[Item]) -> Iterator[Item]:
    """Yield what has to be painted, in order; texts come as they are (`rounded_text` says how they are written)."""
    for item in items:
        if isinstance(item, Text):
            yield item
        elif isinstance(item, Outline):
            outline = _outline(item)
            if outline is not None:
                yield outline
        elif isinstance(item, PlacedDrawing):
            yield PlacedDrawing(item.key, wanted_matrix(item.matrix))
        elif isinstance(item, Picture):
            y_mm, height_mm = round(item.y_mm + item.height_mm, 4), round(item.height_mm, 4)
            yield Picture(item.key, round(item.x_mm, 4), round(y_mm - height_mm, 4), round(item.width_mm, 4), height_mm)
        elif item.items and item.opacity > 0:
            yield from _group(item)


def rounded_text(text: Text) -> Text:
    """Return a text as it is written, without what it says."""
    size_mm, x_mm, y_mm = round(text.size_mm, 4), round(text.x_mm, 4), round(text.y_mm, 4)
    return Text(x_mm, y_mm, size_mm, text.font, text.fill, text.glyphs, "", 0.0)


def _group(group: Group) -> Iterator[Item]:
    if group.mask:
        shown, mask = Group(group.items, group.matrix, group.clip), Group(group.mask, group.matrix)
        opacity = min(_thousandths(group.opacity), 1.0)
        yield Group(tuple(wanted_items([shown])), opacity=opacity, mask=tuple(wanted_items([mask])))
        return
    matrix, opacity, inner = wanted_matrix(group.matrix), _thousandths(group.opacity), tuple(wanted_items(group.items))
    if matrix != IDENTITY or group.clip:
        yield Group(inner, matrix, _plain(group.clip), min(opacity, 1.0))
    elif group.opacity >= 1:
        yield from inner
    else:
        yield faint_group(inner, opacity)


def _outline(outline: Outline) -> Outline | None:
    return (_known_outline if len(outline.path.kinds) < LONG_PATH else _written_outline)(outline)


def _written_outline(outline: Outline) -> Outline | None:
    paint = outline.paint
    strokes = paint.stroke is not None and paint.stroke_mm > 0
    if paint.fill is None and not strokes:
        return None
    even_odd = paint.even_odd and paint.fill is not None
    fill_opacity = _thousandths(paint.fill_opacity) if paint.fill is not None else 1.0
    if not strokes:
        return Outline(_plain(outline.path), Paint(paint.fill, fill_opacity=fill_opacity, even_odd=even_odd))
    return Outline(
        _plain(outline.path),
        Paint(
            paint.fill,
            paint.stroke,
            round(paint.stroke_mm, 4),
            fill_opacity,
            _thousandths(paint.stroke_opacity),
            _dashes(paint.dash_mm),
            paint.cap,
            paint.join,
            even_odd,
        ),
    )


_known_outline = lru_cache(maxsize=16384)(_written_outline)


def _dashes(lengths_mm: tuple[float, ...]) -> tuple[float, ...]:
    """Return dashes as they are written: what begins with the first is not said to begin there."""
    rounded = tuple(round(length_mm, 4) for length_mm in lengths_mm)
    return rounded[:-1] if len(rounded) % 2 and rounded[-1] == 0 else rounded


def _plain(path: Path) -> Path:
    """Return a path as one that was read: of marks or not, it is written with so many digits as it has."""
    return Path(path.kinds, path.numbers) if path.is_mark else path


def _thousandths(opacity: float) -> float:
    """Return an opacity as it is written: a half of a thousandth goes the way that its thousandfold goes."""
    return round(opacity * 1000) / 1000


@lru_cache(maxsize=4096)
def wanted_matrix(matrix: Matrix) -> Matrix:
    """Return a matrix as it is written."""
    a, b, c, d, e, f = matrix
    return Matrix(round(a, 7), round(b, 7), round(c, 7), round(d, 7), round(e, 4), round(f, 4))
