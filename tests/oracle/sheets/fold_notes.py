"""What is written on a sheet beside its footer: at a fold its line, and at both ends of that the word for it.

Nothing else is written there; around tiles see `tile_notes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from duckpress.core.frame import Paint
from duckpress.core.geometry import Rect
from oracle.reading.cutting import CUT, FOLD, fold_of
from oracle.reading.placing import PageLayout
from oracle.sheets.crop_marks import MARK_PAINT
from oracle.sheets.footers import FooterStrip, footer_runs, squeezed

_PAINT = Paint(None, "#000000", 0.2, dash_mm=(2.0, 1.2))
_NEAR_MM = 0.06
_LARGEST_CODE_MM = 15.0  # with the light rim: so much of the line is left out for it
_FREE_MM = 2.6  # beside the line, for the words
_CLEAR_MM = 0.5  # from the footer to the line
_BESIDE_MM, _FROM_END_MM = 0.8, 0.15  # from the line to the baselines of words, from its ends to the words


def fold_faults(page: PageLayout, strip: FooterStrip, word: str) -> Iterator[str]:
    """Yield what is wrong with the line of a fold and the words beside it; without one there may be no words."""
    fold, in_footer = fold_of(page.folds), footer_runs(page, strip)
    runs = [run for run in page.around.runs if run not in in_footer]
    if fold is None:
        yield from (f"{run.words!r} stands beside the faces" for run in runs)
        return
    left, top, right, bottom = strip.printable.edges
    footer_mm = strip.shape.depth_mm + _CLEAR_MM
    left, bottom = (left + footer_mm, bottom) if strip.is_rising else (left, bottom - footer_mm)
    at_mm, beside_mm = fold.at_mm, fold.at_mm - _BESIDE_MM
    long_mm = max((max(run.box[2:]) for run in runs), default=0.0) + _FROM_END_MM
    if fold.is_upright:
        line, degrees = (at_mm, top, at_mm, bottom), 270
        places = [(beside_mm, top + long_mm), (beside_mm, bottom - _FROM_END_MM)]
    else:
        line, degrees = (left, at_mm, right, at_mm), 0
        places = [(left + _FROM_END_MM, beside_mm), (right - long_mm, beside_mm)]
    paths = page.around.strokes(FOLD)
    drawn = sorted(part.box.edges for path in paths for part in path.parts)
    gaps = [Rect(x, y, x2 - x, y2 - y) for (_, _, x, y), (x2, y2, _, _) in pairwise(drawn)]
    codes = [code.box for code in page.around.codes]
    is_whole = all(any(not gap.is_apart(box) for box in codes) and max(gap[2:]) <= _LARGEST_CODE_MM for gap in gaps)
    is_right = {path.paint for path in paths} == {_PAINT} and _are_near((*drawn[0][:2], *drawn[-1][2:]), line)
    if not (is_right and is_whole):
        yield "the line of the fold is not drawn from edge to edge, but for the sheet's code"
    written = sorted((run.x_mm, run.y_mm) for run in runs)
    is_there = len(written) == 2 and all(map(_are_near, written, places))
    if not is_there or any((squeezed(run.words), run.degrees) != (squeezed(word), degrees) for run in runs):
        yield f"{word!r} does not stand beside the fold at both its ends"
    marks = [part.box for path in page.around.strokes(CUT) if path.paint == MARK_PAINT for part in path.parts]
    if any(fold.distance_mm(mark) < _FREE_MM - _NEAR_MM for mark in marks):
        yield "marks run up to the fold, or through the word beside it"


def _are_near(some: Sequence[float], others: Sequence[float]) -> bool:
    return all(abs(one - other) <= _NEAR_MM for one, other in zip(some, others, strict=True))
