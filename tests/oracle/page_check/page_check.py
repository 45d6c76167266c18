"""Pages held against the letters and pictures that a sheet asks for: nothing lost, doubled or in a heap."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise, zip_longest
from typing import NamedTuple

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, PlacedDrawing, Text
from duckpress.core.geometry import MM_PER_PT
from duckpress.layout import Look
from duckpress.layout.rulebook.pages import PageShape
from oracle.frame_check.asked_values import WrongFrame
from oracle.frame_check.asked_words import folded, letters_differ
from oracle.page_check.asked_letters import CAPS, PICTURE, Asked

_FOOT_MM = 4.0  # above the lower edge of a page: what stands lower is the footer
_SLIP_MM = 0.02
_SMALLEST, _LARGEST = 0.92, 1.17  # of the usual size
_HEIGHT = 0.5  # of letters, in type sizes: lines that are nearer lie over each other


class PagesAsked(NamedTuple):
    """What pages have to show: letters, the title block of the first; `frames` are cards by the targets of pictures."""

    asked: Sequence[Asked]
    head: Sequence[Item]
    look: Look
    drawings: Mapping[str, Drawing]
    frames: Mapping[str, Frame | None]
    is_mirrored: bool = False  # the language is written from right to left


def check_pages(pages: Sequence[Frame], shape: PageShape, wanted: PagesAsked) -> None:
    """Raise `WrongFrame` where pages do not show what a sheet asks for, or in a heap."""
    asked, head = wanted.asked, wanted.head
    shown = [item for number, page in enumerate(pages) for item in _columns_of(page, () if number else head)]
    kept = _without_repeated_heads(shown, asked)
    _check_styles(kept, asked, shape, wanted.look)
    pictures = [item for item in kept if not isinstance(item, Text)]
    for item, target in zip_longest(pictures, [target for one in asked for target in one.shows]):
        frame = wanted.frames.get(target or "")
        if frame is not None and not (isinstance(item, PlacedDrawing) and _shows(wanted.drawings[item.key], frame)):
            raise WrongFrame(f"another picture stands in the place of {target!r}")
    for number, page in enumerate(pages, 1):
        try:
            _check_places(_columns_of(page, () if number > 1 else head), shape, is_mirrored=wanted.is_mirrored)
        except WrongFrame as wrong:
            raise WrongFrame(f"page {number}: {wrong}") from None


def with_notes(asked: Sequence[Asked], pages: Sequence[Frame], notes: str) -> list[Asked]:
    """Return what is asked for, with the words of pages at the end that are only there to be written on."""
    wanted, count = folded(notes, CAPS), 0
    while wanted and "".join(map(_letters, _columns_of(pages[-1 - count], ()))) == wanted:
        count += 1
    return [*asked, *[Asked(wanted)] * count]


def check_footers(pages: Sequence[Frame], shape: PageShape, version: str, *, is_mirrored: bool) -> None:
    """Raise `WrongFrame` where a page does not say which it is, on its outer side, nor what the sheet is of."""
    for number, page in enumerate(pages, 1):
        foot = [item for item in page.items if isinstance(item, Text) and _is_foot(item, page)]
        text, figures = folded("".join(item.text for item in foot)), folded(f"{number}/{len(pages)}")
        ends = [
            (item.x_mm, item.x_mm + item.width_mm)
            for item in foot
            if item.text.strip() and figures.endswith(folded(item.text))
        ]
        if not text.startswith(folded(version)) or not text.endswith(figures) or not ends:
            raise WrongFrame(f"page {number} of {len(pages)} says {text[:60]!r} at its foot")
        outer_mm = (
            ends[0][0] - shape.inset_mm
            if (number % 2 == 0) != is_mirrored
            else page.trim.width_mm - shape.inset_mm - ends[-1][1]
        )
        if abs(outer_mm) > _SLIP_MM:
            raise WrongFrame(f"the number of page {number} stands {abs(outer_mm):.2f} mm off its place")


def _columns_of(page: Frame, head: Sequence[Item]) -> list[Item]:
    """Return what stands in the columns of a page: texts, and whatever shows a picture."""
    above = {id(item) for item in head}
    inner = [item for item in page.items if id(item) not in above and not isinstance(item, Outline)]
    return [item for item in inner if not (isinstance(item, Text) and _is_foot(item, page))]


def _is_foot(item: Text, page: Frame) -> bool:
    return item.y_mm > page.trim.height_mm - _FOOT_MM


def _letters(item: Item) -> str:
    return folded(item.text, CAPS) if isinstance(item, Text) else PICTURE


def _without_repeated_heads(shown: Sequence[Item], asked: Sequence[Asked]) -> list[Item]:
    """Return what is shown, where it is all that is asked for, but for heads of tables that stand again."""
    wanted, kept = "".join(one.letters for one in asked), list(shown)
    heads = [one.letters for one in asked if one.is_head and one.letters]
    while True:
        parts = list(map(_letters, kept))
        said = "".join(parts)
        if said == wanted:
            return kept
        at = next((at for at, both in enumerate(zip(said, wanted, strict=False)) if both[0] != both[1]), len(wanted))
        starts = [0, *accumulate(map(len, parts))]
        spans = (
            (first, bisect(starts, starts[first] + len(head)) - 1)
            for first in range(bisect(starts, at) - 1, -1, -1)
            for head in heads
            if said.startswith(head, starts[first]) and starts[first] + len(head) > at
        )
        first, end = next(spans, (0, 0))
        if not end:
            raise WrongFrame(f"the words {letters_differ(wanted, said)}")
        del kept[first:end]


def _check_styles(kept: Sequence[Item], asked: Sequence[Asked], shape: PageShape, look: Look) -> None:
    """Hold colours and sizes of runs against the styles that are asked for; all are set at one scale."""
    ends = list(accumulate(len(one.letters) for one in asked))
    at, scales = 0, dict[str, float]()
    for item in kept:
        style_name = asked[min(bisect(ends, at), len(asked) - 1)].style
        style = look.styles.get(style_name)
        at += len(_letters(item))
        if style is None or style.caps == "small" or not isinstance(item, Text) or not _letters(item):
            continue
        if style.colour != "none" and item.fill != style.colour:
            raise WrongFrame(f"{item.text[:40]!r} is {item.fill}, not {style.colour}")
        if shape.columns > 1 and style_name != "rules-caption":
            column_mm = shape.column_mm(shape.columns)
            beside_mm = (item.x_mm - shape.inset_mm + _SLIP_MM) % (column_mm + shape.gap_mm)
            if beside_mm + item.width_mm > column_mm + 2 * _SLIP_MM:
                raise WrongFrame(f"{item.text[:40]!r} does not stand in a column")
        scales[item.text] = item.size_mm / (style.size_pt * MM_PER_PT)
    usual = sorted(scales.values())[len(scales) // 2] if scales else shape.scale
    odd = next((text for text, scale in scales.items() if abs(scale - usual) > 0.002), None)
    if odd is not None or not shape.scale * _SMALLEST < usual < shape.scale * _LARGEST:
        raise WrongFrame(f"{odd or 'the text'!r} is set {scales.get(odd or '', usual):.2f} times as large as its style")


def _check_places(items: Sequence[Item], shape: PageShape, *, is_mirrored: bool) -> None:
    """Hold runs against the margins, against the way that reading goes, and against each other."""
    runs = [item for item in items if isinstance(item, Text)]
    left_mm, right_mm = shape.inset_mm - _SLIP_MM, shape.trim.width_mm - shape.inset_mm + _SLIP_MM
    for run in runs:
        if run.x_mm < left_mm or run.x_mm + run.width_mm > right_mm or not 0 < run.y_mm < shape.trim.height_mm:
            raise WrongFrame(f"{run.text[:40]!r} stands beside the columns")
    for run, after in pairwise(runs):
        is_back = after.x_mm + after.width_mm > run.x_mm + run.width_mm if is_mirrored else after.x_mm < run.x_mm
        if after.y_mm < run.y_mm - (_HEIGHT * run.size_mm if is_mirrored else _SLIP_MM) and is_back:
            raise WrongFrame(f"{after.text[:40]!r} stands above {run.text[:40]!r}, which is read before it")
    for run, other in _near(runs):
        share_mm = min(run.x_mm + run.width_mm, other.x_mm + other.width_mm) - max(run.x_mm, other.x_mm)
        if share_mm > _SLIP_MM and run.text.strip() and other.text.strip():
            raise WrongFrame(f"{other.text[:40]!r} lies over {run.text[:40]!r}")


def _near(runs: Sequence[Text]) -> Iterator[tuple[Text, Text]]:
    """Yield the pairs of runs whose lines are nearer than letters are high."""
    in_order = sorted(runs, key=lambda run: run.y_mm)
    for at, run in enumerate(in_order):
        for other in in_order[at + 1 :]:
            if other.y_mm - run.y_mm > _HEIGHT * min(run.size_mm, other.size_mm):
                break
            yield run, other


def _shows(drawing: Drawing, frame: Frame) -> bool:
    inner = drawing.items[0]
    return isinstance(inner, Group) and inner.items == frame.items
