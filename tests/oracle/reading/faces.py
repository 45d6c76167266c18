"""Faces of a finished file held against their frames: what is read from each, and what its words say."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import filterfalse
from typing import Any, NamedTuple
from unicodedata import bidirectional, combining

from duckpress.core.frame import Drawing, Frame, Group, Item, Text
from duckpress.core.geometry import IDENTITY
from duckpress.core.problems import Problem
from duckpress.proof.expected import TOLERANCE_MM, Expected, fault
from oracle.reading.marks import Drawn, Lettering, Mark, Painted, marks_in
from oracle.reading.pages import Document, frames_in, is_turned, read_pages, turned
from oracle.reading.placing import PageLayout, check_copies, check_page
from oracle.reading.streams import StrangeStreamError, StreamReader, glyphs_of

Draws = Callable[[str, str, Sequence[int], Sequence[str]], bool]
"""Returns whether a font, by its key, draws words with glyphs that are said to say something."""


def check_faces(document: Document, expected: Expected, draws: Draws | None = None) -> Iterator[Problem]:
    """Yield a `proof-art` or a `proof-words` for a face that shows or says something else than its frame.

    So for drawings, through which faces show others.
    """
    frames, met = frames_in(expected), set[str]()
    for number, page in enumerate(document.pages, 1):
        waiting = dict(page.Resources.get("/XObject", {}))
        while waiting:
            name, form = waiting.popitem()
            kind, _, key = name.removeprefix("/FormXob.").partition("-")
            shown: Frame | Drawing | None = {"C": frames, "D": expected.drawings}.get(kind, {}).get(key)
            if name in met or kind == "P":
                continue
            met.add(name)
            waiting |= dict(form.get("/Resources", {}).get("/XObject", {}))
            if shown is not None:
                for code, what in _differences(document, form, shown.items, draws):
                    yield fault(code, f"page {number}: {name} {what}")


def _differences(
    document: Document, form: Any, items: tuple[Item, ...], draws: Draws | None
) -> Iterator[tuple[str, str]]:
    wanted = [mark for mark in marks_in(_visible(items), IDENTITY) if not _is_nothing(mark)]
    found = list(StreamReader(form.Resources, IDENTITY).marks(form.read_bytes()))
    if len(wanted) != len(found):
        yield "proof-art", f"paints {len(found)} things, not {len(wanted)}"
    for one, other in zip(wanted, found, strict=False):
        if not _is_same(one, other):
            yield "proof-art", f"paints {other}, not {one}"
            return
    for text, mark in zip(_texts(items), (mark for mark in found if isinstance(mark, Lettering)), strict=False):
        sayings = document.font(_font(form, mark.font)).texts
        numbers = glyphs_of(mark.body)
        said = [sayings.get(number, "\ufffd") for number in numbers]
        is_drawn = draws is not None and draws(text.font, text.text.replace("\u00ad", "-"), numbers, said)
        if not (is_said(said, text.text) or is_drawn):
            yield "proof-words", f"says {''.join(said)!r}, not {text.text!r}"


def _font(form: Any, name: str) -> Any:
    return form.Resources.Font[f"/{name}"]


def _visible(items: Iterable[Item]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Group):
            if item.opacity > 0:
                yield Group(tuple(_visible(item.items)), item.matrix, item.clip)
        else:
            yield item


def _is_nothing(mark: Mark) -> bool:
    if not isinstance(mark, Painted):
        return False
    return mark.paint.fill is None and (mark.paint.stroke is None or mark.paint.stroke_mm <= 0)


def _is_same(one: Mark, other: object) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, Painted) and isinstance(other, Painted):
        points = [[point for part in mark.parts for point in part.points] for mark in (one, other)]
        pairs = zip(points[0], points[1], strict=False)
        return (
            [part.kinds for part in one.parts] == [part.kinds for part in other.parts]
            and all(math.dist(a, b) <= TOLERANCE_MM for a, b in pairs)
            and _paint(one) == _paint(other)
        )
    if isinstance(one, Drawn) and isinstance(other, Drawn):
        return one.name == other.name and _are_near(one.matrix, other.matrix)
    assert isinstance(one, Lettering)
    assert isinstance(other, Lettering)
    same = (one.font, one.body, one.fill) == (other.font, other.body, other.fill)
    return same and _are_near((one.size, *one.matrix), (other.size, *other.matrix))


def _paint(mark: Painted) -> tuple[object, ...]:
    """Return what is seen of a paint."""
    paint = mark.paint
    opacity = None if paint.fill is None else round(paint.fill_opacity, 3)
    if paint.stroke is None or paint.stroke_mm <= 0:
        return paint.fill, opacity, paint.even_odd and paint.fill is not None
    dashes = tuple(round(dash, 3) for dash in paint.dash_mm)
    if len(dashes) % 2 and not dashes[-1]:
        dashes = dashes[:-1]
    line = paint.stroke, round(paint.stroke_mm, 3), round(paint.stroke_opacity, 3), dashes, paint.cap
    return paint.fill, opacity, paint.even_odd and paint.fill is not None, *line, 0 if paint.join == -4 else paint.join


def _are_near(one: Iterable[float], other: Iterable[float]) -> bool:
    return all(abs(a - b) <= 0.001 for a, b in zip(one, other, strict=True))


def _texts(items: Iterable[Item]) -> Iterator[Text]:
    for item in items:
        if isinstance(item, Text):
            yield item
        elif isinstance(item, Group) and item.opacity > 0:
            yield from _texts(item.items)


def is_said(sayings: Sequence[str], wanted: str) -> bool:
    """Return whether glyphs say what is wanted: from right to left where it has letters that are written so.

    What has no letters at all may stand either way, as its line asks for.
    """
    said, has_turned = "".join(sayings), any(map(is_turned, wanted))
    if not has_turned and (said == wanted or _folded(said) == _folded(wanted)):
        return True
    if not has_turned and any(bidirectional(letter) == "L" for letter in wanted):
        return False
    said, wanted = _folded(turned(sayings)), _folded(wanted)
    if said == wanted:
        return True
    # A mark on the first letter of a ligature is drawn beside the whole of it.
    both = [("".join(filterfalse(combining, text)), sorted(filter(combining, text))) for text in (said, wanted)]
    return both[0] == both[1]


def _folded(text: str) -> str:
    """Return the letters alone: no-break spaces are drawn as spaces, é as one letter or two.

    A soft hyphen in a run is one that is drawn, with the glyph of the hyphen, and is read back as that.
    """
    text = text.replace("\u00ad", "-")
    kept = (letter for letter in text if not letter.isspace() and unicodedata.category(letter) != "Cf")
    return unicodedata.normalize("NFKC", "".join(kept))


class FileRead(NamedTuple):
    """What was read of a file: its pages, its bookmarks with the pages they lead to, and what is wrong with both."""

    pages: list[PageLayout]
    bookmarks: tuple[tuple[str, int], ...]
    problems: list[Problem]


def read_file(pdf: bytes, expected: Expected, draws: Draws | None = None) -> FileRead:
    """Return what a file shows; `problems` are those of cards and words, without any look at a plan."""
    document = Document(pdf)
    try:
        pages = read_pages(document, expected)
        problems = [one for at, page in enumerate(pages, 1) for one in check_page(at, page, expected.paper)]
        problems += [*check_copies(pages, expected), *check_faces(document, expected, draws)]
    except (StrangeStreamError, KeyError, AttributeError) as error:
        return FileRead([], (), [fault("proof-unreadable", f"a stream cannot be read: {error}")])
    return FileRead(pages, document.bookmarks, problems)
