"""A cover sheet held against the pages that it speaks of: all that it says and shows is counted there.

What it says and shows is read from its frames, which `face_proof` holds against the file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from duckpress.core.bounds import path_bounds
from duckpress.core.frame import Group, Item, Outline, PlacedDrawing, Text
from duckpress.core.geometry import IDENTITY, Matrix, Rect, box_of_points
from duckpress.core.paths import CURVE
from duckpress.core.problems import Problem
from duckpress.language import program
from duckpress.proof.covers.counted_parts import CountedPart, Line, counted_parts
from duckpress.proof.covers.cover_wording import CoverWording
from duckpress.proof.covers.measuring_bars import bar_faults, strokes_of
from duckpress.proof.expected import TOLERANCE_MM, Expected, fault
from duckpress.proof.placing import PageLayout

_FOOTER_MM = 5.0  # at the foot of a page, which says whose the game is
_ARROW_MM = 0.5  # reaches at least so far to both sides of an edge
_CAPITAL = 0.6  # height of letters in sizes of their type
_UNSEEN = re.compile(r"\{[^{}]*\}|[\s\"'’‘“”«»*\\-]")  # icons, quotes of a language, emphasis, hyphens at ends of lines


class _Placed(NamedTuple):
    """An item of a cover: its page, the matrix that it lies under, and the box that it is clipped to."""

    page: int
    item: Item
    matrix: Matrix
    clip: Rect | None

    def boxes(self) -> Iterator[Rect]:
        """Yield the boxes of the parts of an outline where they lie."""
        if isinstance(self.item, Outline):
            for part in self.item.path.subpaths():
                box = path_bounds(part)
                if box is not None:
                    yield self.matrix.around(box)


def check_cover(pages: Sequence[PageLayout], expected: Expected) -> Iterator[Problem]:
    """Yield a `proof-cover` for whatever a cover says or shows otherwise than it is on the pages behind it."""
    cover = expected.cover
    if cover is None:
        return
    a_sheet = 1 if expected.duplex is None else 2
    count = a_sheet * (cover.sheets + sum(part.sheets for part in cover.parts))
    if len(pages) != count:
        yield fault("proof-page-count", f"the file has {len(pages)} pages, not {count}")
        return
    parts = [*counted_parts(pages, expected, cover.parts)]
    shown = [one for number, page in enumerate(cover.pages) for one in _shown(number, page.items)]
    foot_mm = cover.pages[0].trim.height_mm - _FOOTER_MM
    texts = [(one.page, one.item) for one in shown if isinstance(one.item, Text) and one.item.y_mm < foot_mm]
    title = cover.speech.program(program.COVER_HEAD)
    whats = [*_check_words(texts, title, CoverWording(cover, parts).entries())]
    whats += _check_pictures(shown, parts, expected)
    for number in range(len(cover.pages)):
        outlines = [(one.item, one.matrix) for one in shown if one.page == number]
        strokes = [
            stroke for item, matrix in outlines if isinstance(item, Outline) for stroke in strokes_of(item.path, matrix)
        ]
        whats += bar_faults(((text.text, (text.x_mm, text.y_mm)) for page, text in texts if page == number), strokes)
    for what in whats:
        yield fault("proof-cover", f"the cover sheet: {what}")


def _shown(page: int, items: Iterable[Item], matrix: Matrix = IDENTITY, clip: Rect | None = None) -> Iterator[_Placed]:
    """Yield items where they lie, without the groups that they are in."""
    for item in items:
        if isinstance(item, Group):
            inner, box = matrix.after(item.matrix), path_bounds(item.clip)
            yield from _shown(page, item.items, inner, clip if box is None else inner.around(box))
        else:
            yield _Placed(page, item, matrix, clip)


def _check_words(texts: Sequence[tuple[int, Text]], title: str, entries: Sequence[str]) -> Iterator[str]:
    """Yield where something else is said than has to be said, and texts that lie over each other."""
    texts = [(page, text) for page, text in texts if _folded(text.text)]
    # Above what it says of the pages, which begins with a number, stands the title: it says whose the game is, too.
    start = max(range(len(texts)), key=lambda at: _agreeing(texts[at:], entries[1:])[0], default=0)
    said = ""
    while start and len(said) < len(_folded(entries[0])):
        start -= 1
        said = _folded(texts[start][1].text) + said
    count, at = _agreeing(texts[start:], entries)
    if count < len(entries) or start + at < len(texts):
        words = " ".join(text.text for _, text in texts[start + at : start + at + 4])
        yield f"it says {words!r} where it has to say {' '.join(entries[count : count + 2])!r}"
        return
    if _folded(title) not in _folded("".join(text.text for _, text in texts[:start])):
        yield f"its title does not say {title!r}"
    top_mm = texts[start][1].y_mm
    yield from (f"{text.text!r} stands below its title" for _, text in texts[:start] if text.y_mm >= top_mm)
    boxes: dict[int, list[tuple[Rect, str]]] = {}
    for page, text in texts[start:]:
        high_mm = _CAPITAL * text.size_mm
        box = Rect(text.x_mm, text.y_mm - high_mm, text.width_mm, high_mm).grown(-TOLERANCE_MM)
        under = [words for other, words in boxes.get(page, ()) if not box.is_apart(other)]
        yield from (f"{text.text!r} lies on {words!r}" for words in under)
        boxes.setdefault(page, []).append((box, text.text))


def _agreeing(texts: Sequence[tuple[int, Text]], entries: Sequence[str]) -> tuple[int, int]:
    """Return how many entries are said from the first text on, and how many texts say them."""
    at = 0
    for count, words in enumerate(entries):
        said, wanted, end = "", _folded(words), at
        while end < len(texts) and len(said) < len(wanted):
            said += _folded(texts[end][1].text)
            end += 1
        if said != wanted:
            return count, at
        at = end
    return len(entries), at


def _folded(words: str) -> str:
    """Return the letters alone, capitals as small ones, marks on letters left out: as styles and languages may."""
    letters = unicodedata.normalize("NFKD", _UNSEEN.sub("", words)).casefold()
    return "".join(letter for letter in letters if unicodedata.category(letter) not in ("Mn", "Cf"))


def _check_pictures(shown: Sequence[_Placed], parts: Sequence[CountedPart], expected: Expected) -> Iterator[str]:
    """Yield what is wrong with the pictures of the parts: each is the first sheet, made small."""
    frames = {frame.hash: frame for face in expected.faces for frame in (face.front, face.back) if frame is not None}
    placed = [
        (one, one.matrix.after(one.item.matrix), expected.drawings[one.item.key].items)
        for one in shown
        if isinstance(one.item, PlacedDrawing)
    ]
    placed = placed[max(0, len(placed) - sum(len(part.first.faces) for part in parts)) :]
    for part in parts:
        faces, name = part.first.faces, f"the picture of {part.part.title!r}"
        own, placed = placed[: len(faces)], placed[len(faces) :]
        if len(own) < len(faces) or not own:
            yield f"{name} lacks faces"
            continue
        small = own[0][1].after(faces[0].seat.matrix.inverse())  # the map from the sheet to its picture
        around = [one for one in shown if one.page == own[0][0].page]
        boxes = [box for one in around for box in one.boxes()]
        for face, (one, matrix, items) in zip(faces, own, strict=True):
            seat, whole = face.seat, Rect(0.0, 0.0, *face.seat.trim)
            if items != frames[face.frame].items:
                yield f"{name} shows another face than the sheet"
            is_seated = _is_near(small.around(seat.trim_box), matrix.around(whole))
            if not (is_seated and one.clip is not None and _is_near(small.around(seat.shown), one.clip)):
                yield f"{name} shows a face beside its place"
            cut_out = small.around(seat.trim_box.shared(seat.shown))
            if not any(_is_near(cut_out, box) for box in boxes):
                yield f"{name} shows a face without its edge"
        paper = small.around(Rect(0.0, 0.0, *part.first.size))
        if not any(_is_near(paper, box) for box in boxes):
            yield f"{name} has not the shape of the sheet"
        lines = [_mapped(line, small) for line in (*part.cuts[0], *part.folds[0])]
        if not _are_alike(_dashed(around, paper), lines):
            yield f"{name} shows other cuts and folds than the sheet takes"
        edge = ""
        if part.turns_left_right is not None:
            edge = "right" if _mapped((part.turns_left_right, 0.0), small)[0] else "bottom"
        if _edge_of_arrow(around, paper) != edge:
            yield f"{name} has its arrow over another edge than the one that the sheet is turned about"


def _dashed(around: Sequence[_Placed], paper: Rect) -> Iterator[Line]:
    """Yield the dashed lines in the picture of a sheet."""
    for one in around:
        if isinstance(one.item, Outline) and one.item.paint.dash_mm:
            for (x1, y1), (x2, y2) in strokes_of(one.item.path, one.matrix):
                if paper.holds(box_of_points(((x1, y1), (x2, y2))), TOLERANCE_MM):
                    yield (True, x1) if abs(x1 - x2) < abs(y1 - y2) else (False, y1)


def _mapped(line: Line, matrix: Matrix) -> Line:
    """Return a line as it lies under a matrix that turns by quarters at most."""
    is_upright, place = line
    (x1, y1), (x2, y2) = (matrix.apply(*((place, at) if is_upright else (at, place))) for at in (0.0, 100.0))
    return (True, x1) if abs(x1 - x2) < abs(y1 - y2) else (False, y1)


def _are_alike(lines: Iterable[Line], others: Iterable[Line]) -> bool:
    pairs = zip_longest(sorted(lines), sorted(others))
    return all(one and other and one[0] is other[0] and abs(one[1] - other[1]) <= TOLERANCE_MM for one, other in pairs)


def _edge_of_arrow(around: Sequence[_Placed], paper: Rect) -> str:
    """Return the edge of a picture that a curve leads over in its middle, empty where none does."""
    across_mm, down_mm = paper.x_mm + paper.width_mm / 2, paper.y_mm + paper.height_mm / 2
    places = {"right": (paper.right_mm, down_mm), "bottom": (across_mm, paper.bottom_mm)}
    curves = [one for one in around if isinstance(one.item, Outline) and CURVE in one.item.path.kinds]
    for box in (box for one in curves for box in one.boxes()):
        for edge, (x_mm, y_mm) in places.items():
            if box.grown(-_ARROW_MM).holds(Rect(x_mm, y_mm, 0.0, 0.0)) and not paper.holds(box):
                return edge
    return ""


def _is_near(box: Rect, other: Rect) -> bool:
    return box.holds(other, TOLERANCE_MM) and other.holds(box, TOLERANCE_MM)
