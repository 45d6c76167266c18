"""A cover sheet held against the pages that it speaks of: all that it says and shows is counted there.

What it says and shows is read from its frames, which `face_proof` holds against the file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from duckpress.core.frame import Outline, Text
from duckpress.core.geometry import Rect, box_of_points
from duckpress.core.language import program
from duckpress.core.problems import Problem
from duckpress.proof.expected import TOLERANCE_MM, Expected, fault
from oracle.covers.counted_parts import counted_parts
from oracle.covers.cover_pictures import PlacedItem, picture_faults, placed_items, small_sheets
from oracle.covers.cover_wording import CoverWording
from oracle.covers.expected_cover import ExpectedCover
from oracle.covers.measuring_bars import bar_faults
from oracle.reading.placing import PageLayout

_FOOTER_MM = 5.0  # at the foot of a page, which says whose the game is
_CAPITAL, _LINE = 0.6, 0.9  # height of letters, and of letters under those of another line, in sizes of their type
_BOX_MM = (1.2, 3.2)  # a box to tick: the smaller, the smaller the paper
_UNSEEN = re.compile(r"\{[^{}]*\}|[\s\"'’‘“”«»*\\-]")  # icons, quotes of a language, emphasis, hyphens at ends of lines

_Texts = Sequence[tuple[int, Text]]
"""Texts with their pages, in the order in which they are read."""


def check_cover(pages: Sequence[PageLayout], expected: Expected, cover: ExpectedCover) -> Iterator[Problem]:
    """Yield a `proof-cover` for whatever a cover says or shows otherwise than it is on the pages behind it."""
    a_sheet = 1 if expected.duplex is None else 2
    count = a_sheet * (cover.sheets + sum(part.sheets for part in cover.parts))
    if len(pages) != count:
        yield fault("proof-page-count", f"the file has {len(pages)} pages, not {count}")
        return
    parts = [*counted_parts(pages, expected, cover.parts)]
    items = [one for number, page in enumerate(cover.pages) for one in placed_items(number, page.items)]
    trim = Rect(0.0, 0.0, *cover.pages[0].trim)
    texts = [
        (one.page, one.item)
        for one in items
        if isinstance(one.item, Text) and _folded(one.item.text) and one.item.y_mm < trim.height_mm - _FOOTER_MM
    ]
    wording = CoverWording(cover, parts)
    whats, own = _differences(texts, cover.speech.program(program.COVER_HEAD), wording.entries())
    frames = {frame.hash: frame for face in expected.faces for frame in (face.front, face.back) if frame is not None}
    sheets = small_sheets(items, parts)
    whats += [] if len(sheets) == len(parts) else [f"it shows {len(sheets)} sheets, not {len(parts)}"]
    for sheet in sheets:
        faults = picture_faults(sheet, expected.drawings, frames)
        whats += [f"the picture of {sheet.part.part.title!r} {what}" for what in faults]
    for number in range(len(cover.pages)):
        papers = [sheet.paper for sheet in sheets if sheet.faces[0].page == number]
        around = [one for one in items if one.page == number]
        whats += _misplaced([text for page, text in own if page == number], papers, around, trim)
    boxes = sum(_is_to_tick(one) for one in items)
    whats += [] if boxes == wording.boxes else [f"it has {boxes} boxes to tick, not {wording.boxes}"]
    yield from (fault("proof-cover", f"the cover sheet: {what}") for what in whats)


def _differences(texts: _Texts, title: str, entries: Sequence[str]) -> tuple[list[str], _Texts]:
    """Return what is said otherwise than in the entries, and the texts below the title.

    The title stands above what is said of the pages, which begins with a number. It says whose the game is, too.
    """
    start = max(range(len(texts)), key=lambda at: _agreeing(texts[at:], entries[1:])[0], default=0)
    said = ""
    while start and len(said) < len(_folded(entries[0])):
        start -= 1
        said = _folded(texts[start][1].text) + said
    count, at = _agreeing(texts[start:], entries)
    if count < len(entries) or start + at < len(texts):
        words = " ".join(text.text for _, text in texts[start + at : start + at + 4])
        return [f"it says {words!r} where it has to say {' '.join(entries[count : count + 2])!r}"], ()
    top_mm = texts[start][1].y_mm
    whats = [f"{text.text!r} stands below its title" for _, text in texts[:start] if text.y_mm >= top_mm]
    if _folded(title) not in _folded("".join(text.text for _, text in texts[:start])):
        whats.append(f"its title does not say {title!r}")
    return whats, texts[start:]


def _agreeing(texts: _Texts, entries: Sequence[str]) -> tuple[int, int]:
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


@lru_cache(maxsize=1024)
def _folded(words: str) -> str:
    """Return the letters alone, capitals as small ones, marks on letters left out: as styles and languages may."""
    letters = unicodedata.normalize("NFKD", _UNSEEN.sub("", words)).casefold()
    return "".join(letter for letter in letters if unicodedata.category(letter) not in ("Mn", "Cf"))


def _misplaced(
    texts: Sequence[Text], papers: Sequence[Rect], around: Sequence[PlacedItem], trim: Rect
) -> Iterator[str]:
    """Yield what stands where it cannot be read: off its page, on other words, on a picture; and wrong bars."""
    taken = [(paper, "a picture") for paper in papers]
    yield from (f"{what} lies beside the page" for paper, what in taken if not trim.holds(paper))
    taken += [(box, "a box to tick") for one in around if _is_to_tick(one) for box in one.boxes()]
    strokes = [stroke for one in around for stroke in one.strokes()]
    taken += [(box_of_points(stroke), "a bar") for one in around if _is_bar(one) for stroke in one.strokes()]
    others: list[tuple[Text, Rect]] = []
    for text in texts:
        high_mm = _CAPITAL * text.size_mm
        box = Rect(text.x_mm, text.y_mm - high_mm, text.width_mm, high_mm).grown(-TOLERANCE_MM)
        line_mm = _LINE * text.size_mm
        line = Rect(box.x_mm, text.y_mm - line_mm, box.width_mm, line_mm - TOLERANCE_MM)
        yield from dict.fromkeys(f"{text.text!r} lies on {what}" for other, what in taken if not box.is_apart(other))
        yield from (f"{text.text!r} lies on {other.text!r}" for other, own in others if not line.is_apart(own))
        if not trim.holds(box):
            yield f"{text.text!r} lies beside the page"
        others.append((text, box))
    yield from bar_faults(((text.text, (text.x_mm, text.y_mm)) for text in texts), strokes)


def _is_bar(one: PlacedItem) -> bool:
    """Return whether an item is a bar to measure: a line with a tick at each end."""
    return isinstance(one.item, Outline) and one.item.path.kinds == "mlmlml"


def _is_to_tick(one: PlacedItem) -> bool:
    """Return whether an item is a box to tick: a small square with round corners."""
    if not isinstance(one.item, Outline) or one.item.paint.fill is not None or one.item.path.kinds != "mlclclclch":
        return False
    least_mm, most_mm = _BOX_MM
    return all(least_mm <= min(box[2:]) and max(box[2:]) <= most_mm for box in one.boxes())
