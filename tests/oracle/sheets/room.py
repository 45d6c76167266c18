"""Words and codes around the faces of sheets lie on nothing: not on a face, a mark, a line or each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

from duckpress.core.frame import Group, Item, Outline, Text, path_bounds
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.impose import Side, all_items
from duckpress.press.print_job import ImposedFile, ImposedPiece

_ASCENT, _DESCENT = 0.74, 0.24  # of the type size: capitals, and what goes below the line
_TOUCH_MM = 0.1


def crowds(file: ImposedFile, fold: str) -> Iterator[str]:
    """Yield what lies on something else; the word at a fold, which cut lines may cross, is left to tests of impose."""
    for one in file.pieces:
        for sheet in one.sheets:
            for side in filter(None, (sheet.front, sheet.back)):
                boxes = list(_boxes(all_items(side), IDENTITY))
                words = [(text, box.grown(-_TOUCH_MM)) for text, box in boxes if text not in ("", fold)]
                words += [("the code", side.code.box)] if side.code is not None else []
                others = [box for text, box in boxes if not text]
                if not one.laid_out.piece.book:
                    others += _shown(one, side)
                pairs = [(text, box, other) for (text, box), other in product(words, others)]
                pairs += [(text, box, other) for (text, box), (_, other) in combinations(words, 2)]
                for text, _, _ in (pair for pair in pairs if not pair[1].is_apart(pair[2])):
                    yield f"sheet {sheet.number} of {one.laid_out.piece.title!r}: {text!r} lies on something else"


def _shown(one: ImposedPiece, side: Side) -> Iterator[Rect]:
    faces = [face for laid_out in (one.faces, one.laid_out.faces) for face in laid_out]
    trims = {frame.hash: frame.trim for face in faces for frame in (face.front, face.back) if frame is not None}
    for item in side.placements:
        if item.frame in trims:
            trim = trims[item.frame] if item.turn_degrees % 180 == 0 else trims[item.frame].turned()
            yield item.bleed.around(Rect(item.x_mm, item.y_mm, *trim))


def _boxes(items: Iterable[Item], matrix: Matrix) -> Iterator[tuple[str, Rect]]:
    """Yield each text with its box, and the box of each stroke without one."""
    for item in items:
        if isinstance(item, Group):
            yield from _boxes(item.items, matrix.after(item.matrix))
        elif isinstance(item, Text) and item.text.strip():
            high_mm = (_ASCENT + _DESCENT) * item.size_mm
            yield item.text, matrix.around(Rect(item.x_mm, item.y_mm - _ASCENT * item.size_mm, item.width_mm, high_mm))
        elif isinstance(item, Outline) and item.paint.stroke:
            yield from (("", matrix.around(box)) for part in item.path.subpaths() if (box := path_bounds(part)))
