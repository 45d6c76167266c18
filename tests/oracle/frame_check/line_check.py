"""The lines of a text as they were set, held against its box: where they begin, end and stand, and how far apart."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from duckpress.core.frame import Item, Text
from duckpress.core.geometry import MM_PER_PT, Rect
from duckpress.text import TextStyle
from oracle.frame_check.asked_values import SLIP_MM, WrongFrame, words_apart
from oracle.frame_check.measures import AskedFonts, Measures
from oracle.reading.pages import first_way

_STEERING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_AS_HIGH = 0.5  # type sizes: what is no farther from a line belongs to it


class Place(NamedTuple):
    """An item, its ends and its baseline; ends are counted from the left, or from the right of what is mirrored."""

    item: Item
    left: float
    right: float
    baseline: float


def parts_of_words(items: Sequence[Item], size_mm: float) -> set[int]:
    """Return the numbers of runs that stand a little above or under their neighbours: marks, and what they part."""
    parted: set[int] = set()
    for at, (item, after) in enumerate(pairwise(items)):
        if not isinstance(item, Text) or not isinstance(after, Text):
            continue
        if 0.0 < abs(item.y_mm - after.y_mm) < _AS_HIGH * size_mm:
            parted |= {at, at + 1}
    return parted


def mirrored(places: Sequence[Place], edges_mm: float) -> list[Place]:
    """Return places with their ends counted from the right edge; `edges_mm` is the sum of both edges of the box."""
    return [place._replace(left=edges_mm - place.right, right=edges_mm - place.left) for place in places]


def lines_of(places: Sequence[Place], size_mm: float) -> list[list[Place]]:
    """Return the places of each line, in the order of reading, on its baseline: that of most of its width."""
    lines: list[list[Place]] = []
    for place in places:
        if not lines or abs(place.baseline - lines[-1][-1].baseline) > _AS_HIGH * size_mm:
            lines.append([])
        lines[-1].append(place)
    levelled: list[list[Place]] = []
    for line in lines:
        wide_at: dict[float, float] = {}
        for place in line:
            wide_at[place.baseline] = wide_at.get(place.baseline, 0.0) + place.right - place.left
        baseline = max(wide_at, key=lambda high: wide_at[high])
        levelled.append([place._replace(baseline=baseline) for place in line])
    return levelled


def across(line: Sequence[Place]) -> list[Place]:
    return sorted(line, key=lambda place: (place.left + place.right, place.right))


def check_ways(line: Sequence[Place]) -> None:
    """Raise `WrongFrame` where runs of one way, both with letters and unsteered, do not follow each other that way."""
    runs = [place for place in line if isinstance(place.item, Text)]
    if any(isinstance(run.item, Text) and _STEERING.search(run.item.text) for run in runs):
        return
    for one, after in pairwise(runs):
        assert isinstance(one.item, Text)
        assert isinstance(after.item, Text)
        way = first_way(one.item.text)
        is_right = after.left > one.left - SLIP_MM if way == "L" else after.right < one.right + SLIP_MM
        if way and way == first_way(after.item.text) and not is_right:
            raise WrongFrame(f"{after.item.text!r} stands on the wrong side of {one.item.text!r}")


_BEHIND_BULLET_EM = 0.35
_STEP_PT = 0.25
_WIDEST_OPENING_EM = 1.0  # of a space in a justified line
_SLIP_OF_STEPS = 0.01
_BLANK = re.compile("[ \u00a0]")  # which a justified line opens
_BULLET = "•"
_SEEN_FROM_RIGHT = {"at-left": "right", "at-right": "left"}


class AskedText(NamedTuple):
    """What a text asks for beside its words; `size_pt` where texts have it in common."""

    style: TextStyle
    box: Rect
    valign: str = "top"
    max_lines: int | None = None
    size_pt: float | None = None


class SetLine:
    """A line as it was set: its items, its ends, its baseline, how far it hangs behind a bullet."""

    __slots__ = ("baseline", "hang", "items", "left", "right")

    def __init__(self, left: float, baseline: float) -> None:
        self.items: list[Item] = []
        self.left = self.right = left
        self.baseline = baseline
        self.hang = 0.0

    def __str__(self) -> str:
        return "".join([item.text for item in self.items if isinstance(item, Text)])


def check_across(asked: AskedText, lines: Sequence[SetLine], size_mm: float, *, has_breaks: bool) -> None:
    """Hold the ends of lines against the edges of the box, those of lists together."""
    align, (left, _, right, _) = asked.style.align, asked.box.edges
    lists = _lists(lines, asked.style.leading * size_mm)
    listed = {id(line) for block in lists for line in block}
    for block in (*lists, *([line] for line in lines if id(line) not in listed)):
        begin, end = block[0].left - block[0].hang, max(line.right for line in block)
        if align in ("right", "at-right"):
            is_aligned = abs(end - right) < SLIP_MM
        elif align == "center":
            is_aligned = abs(begin + end - left - right) < 2 * SLIP_MM
        else:
            is_aligned = abs(begin - left) < SLIP_MM
        if not is_aligned or end > right + SLIP_MM or begin < left - SLIP_MM:
            raise WrongFrame(f"the line {str(block[0])!r} does not stand {align} in its box")
        for line in block[1:]:
            beside_mm = line.left - block[0].left
            if abs(beside_mm) > SLIP_MM or (line.hang and abs(line.hang - block[0].hang) > SLIP_MM):
                raise WrongFrame(f"the line {str(line)!r} stands {beside_mm:.2f} mm beside the others of its list")
    for line in lines if align == "justify" and not has_breaks else ():
        if line is not lines[-1] and right - line.right > SLIP_MM:
            blanks = sum(len(_BLANK.findall(item.text)) for item in line.items if isinstance(item, Text))
            if blanks and (right - line.right) / blanks <= _WIDEST_OPENING_EM * size_mm:
                raise WrongFrame(f"the line {str(line)!r} ends {right - line.right:.2f} mm before the edge of its box")


def _lists(lines: Sequence[SetLine], leading_mm: float) -> list[list[SetLine]]:
    """Return the lines of each list: from a bullet on, as long as lines follow in whole steps, or another bullet."""
    lists: list[list[SetLine]] = []
    before: SetLine | None = None
    for line in lines:
        step = 0.0 if before is None else (line.baseline - before.baseline) / leading_mm
        is_more = bool(lists) and lists[-1][-1] is before
        if is_more and (line.hang or abs(step - round(step)) < _SLIP_OF_STEPS):
            lists[-1].append(line)
        elif line.hang:
            lists.append([line])
        before = line
    return lists


def check_down(
    asked: AskedText, lines: Sequence[SetLine], size_mm: float, fonts: AskedFonts, em: Measures, *, has_breaks: bool
) -> None:
    """Hold baselines against the leading and the box; letters have to be as high as there is room for."""
    style, box = asked.style, asked.box
    for line, after in pairwise(lines):
        step = (after.baseline - line.baseline) / (style.leading * size_mm)
        if step < 0.99 or (step > 1.01 and not has_breaks):
            raise WrongFrame(f"lines are {step:.2f} of their distance apart")
    reaches = [_reach(line, style, size_mm, fonts, em) for line in lines]
    top, bottom = reaches[0][0], reaches[-1][1]
    free_mm = box.height_mm - (lines[-1].baseline - lines[0].baseline + top - bottom)
    span_mm = lines[-1].baseline - lines[0].baseline if len(lines) > 1 else None
    low_mm = lines[0].baseline - first_baseline_mm(asked, em, size_mm, top, bottom, span_mm)
    if not -SLIP_MM < low_mm < SLIP_MM:
        raise WrongFrame(f"the first line stands {abs(low_mm):.2f} mm too {'low' if low_mm > 0 else 'high'}")
    if free_mm < -SLIP_MM or (asked.max_lines is not None and len(lines) > asked.max_lines):
        raise WrongFrame(f"there are {len(lines)} lines, more than it has room for")
    full_mm = style.size_pt * MM_PER_PT
    if len(lines) == 1 and size_mm < full_mm - SLIP_MM and asked.size_pt is None:
        steps = math.ceil((full_mm - size_mm) / MM_PER_PT / _STEP_PT - 0.01)
        larger = (full_mm - (steps - 1) * _STEP_PT * MM_PER_PT) / size_mm
        wide_mm, high_mm = lines[0].right - lines[0].left + lines[0].hang, top - bottom
        if wide_mm * larger < box.width_mm - SLIP_MM and high_mm * larger < box.height_mm - SLIP_MM:
            raise WrongFrame(f"letters are {size_mm / MM_PER_PT:.2f} pt high, though larger ones would fit")


def _reach(line: SetLine, style: TextStyle, size_mm: float, fonts: AskedFonts, em: Measures) -> tuple[float, float]:
    """Return how far a line reaches above and below its baseline: at least as far as plain letters."""
    top, bottom = em.letter_top * size_mm, em.letter_bottom * size_mm
    for item in line.items[1:] if line.hang else line.items:
        if isinstance(item, Text):
            high, low = fonts.measures(item.font, style).ink(item)
            high, low = high + line.baseline - item.y_mm, low + line.baseline - item.y_mm
        else:
            high = max(em.letter_top, em.cap_height) * size_mm
            low = em.cap_height * size_mm - high
        top, bottom = max(top, high), min(bottom, low)
    return top, bottom


def check_parted(source: str, lines: Sequence[SetLine]) -> None:
    """Hold the spaces between words against those of a text without markup."""
    said = words_apart(" ".join(map(str, lines)))
    if said != words_apart(source) and not any(map(unicodedata.combining, source)):
        raise WrongFrame(f"words are parted as {said[:80]!r}")


def lines_of_runs(places: Sequence[Place], style: TextStyle, size_mm: float, em: Measures) -> list[SetLine]:
    """Return the lines of a text, whose runs have to join."""
    lines: list[SetLine] = []
    line, tracking_mm, is_behind_bullet = SetLine(0.0, -1e9), style.tracking * size_mm / 1000, False
    for item, left, right, baseline in places:
        if not -SLIP_MM < baseline - line.baseline < SLIP_MM:
            line = SetLine(left, baseline)
            lines.append(line)
        gap_mm = left - line.right
        if is_behind_bullet and abs(gap_mm - _BEHIND_BULLET_EM * size_mm) < SLIP_MM:
            gap_mm, line.hang, line.left = 0.0, left - line.left, left
        if not -SLIP_MM < gap_mm < SLIP_MM and (gap_mm < 0 or em.has_space):
            raise WrongFrame(f"{gap_mm:.2f} mm are free before {getattr(item, 'text', 'an icon')!r}")
        is_behind_bullet = not line.items and isinstance(item, Text) and item.text == _BULLET
        line.items.append(item)
        line.right = right
    for line in lines:
        line.right -= tracking_mm
    return lines


def turned_lines(
    asked: AskedText, places: Sequence[Place], size_mm: float, em: Measures, *, is_mirrored: bool
) -> tuple[AskedText, list[SetLine]]:
    """Return the lines of a text with letters that run to the left, each with its items in the order of reading."""
    style = asked.style
    rows = lines_of(places, size_mm)
    for row in rows:
        check_ways(row)
    if is_mirrored:
        asked = asked._replace(style=style._replace(align=_SEEN_FROM_RIGHT.get(style.align, style.align)))
        edges_mm = asked.box.x_mm + asked.box.right_mm + style.tracking * size_mm / 1000
        rows = [mirrored(row, edges_mm) for row in rows]
    lines = lines_of_runs([place for row in rows for place in across(row)], style, size_mm, em)
    for line, row in zip(lines, rows, strict=True):
        line.items = [place.item for place in row]
    return asked, lines


def first_baseline_mm(
    asked: AskedText, em: Measures, size_mm: float, top: float, bottom: float, span_mm: float | None = None
) -> float:
    """Return where the first baseline has to lie; the last one lies `span_mm` below it, None for one line alone."""
    box = asked.box
    highest_mm, free_mm = box.y_mm + top, box.height_mm - (span_mm or 0.0) - top + bottom
    if asked.valign == "middle" and span_mm is None:
        centred_mm = box.y_mm + (box.height_mm + em.cap_height * size_mm) / 2
        return max(highest_mm, min(centred_mm, highest_mm + free_mm))
    share = {"top": 0.0, "middle": 0.5, "bottom": 1.0}[asked.valign]
    return highest_mm + max(free_mm, 0.0) * share
