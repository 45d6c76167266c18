"""A finished file as it is read, and what the letters of its faces say when they are copied.

That a face is painted as its frame says is proven whenever a file is made, and its meaning by `test_painted_frames`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import filterfalse
from typing import NamedTuple
from unicodedata import bidirectional, combining

from duckpress.core.frame import Drawing, Frame, Group, Item, Text
from duckpress.core.geometry import IDENTITY
from duckpress.core.problems import Problem
from duckpress.proof.expected import Expected, fault
from oracle.reading.marks import Lettering
from oracle.reading.pages import Document, frames_in, is_turned, read_pages, turned
from oracle.reading.placing import PageLayout
from oracle.reading.streams import StrangeStreamError, StreamReader, glyphs_of

Draws = Callable[[str, str, Sequence[int], Sequence[str]], bool]
"""Returns whether a font, by its key, draws words with glyphs that are said to say something."""


def check_words(document: Document, expected: Expected, draws: Draws | None = None) -> Iterator[Problem]:
    """Yield a `proof-words` for a face, or a drawing in one, whose letters say something else than its frame."""
    frames, met = frames_in(expected), set[str]()
    for number, page in enumerate(document.pages, 1):
        waiting = dict(page.Resources.get("/XObject", {}))
        while waiting:
            name, form = waiting.popitem()
            kind, _, key = name.removeprefix("/FormXob.").partition("-")
            if name in met or kind == "P":
                continue
            met.add(name)
            waiting |= dict(form.get("/Resources", {}).get("/XObject", {}))
            shown: Frame | Drawing | None = {"C": frames, "D": expected.drawings}.get(kind, {}).get(key)
            found = StreamReader(form.Resources, IDENTITY).marks(form.read_bytes()) if shown is not None else ()
            letterings = [mark for mark in found if isinstance(mark, Lettering)]
            for text, mark in zip(_texts(shown.items if shown is not None else ()), letterings, strict=False):
                sayings, numbers = document.font(form.Resources.Font[f"/{mark.font}"]).texts, glyphs_of(mark.body)
                said = [sayings.get(number, "\ufffd") for number in numbers]
                is_drawn = draws is not None and draws(text.font, text.text.replace("\u00ad", "-"), numbers, said)
                if not (is_said(said, text.text) or is_drawn):
                    what = f"page {number}: {name} says {''.join(said)!r}, not {text.text!r}"
                    yield fault("proof-words", what)


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
    """Return what a file shows; `problems` are those of words in its faces."""
    document = Document(pdf)
    try:
        return FileRead(read_pages(document, expected), document.bookmarks, [*check_words(document, expected, draws)])
    except (StrangeStreamError, KeyError, AttributeError) as error:
        return FileRead([], (), [fault("proof-unreadable", f"a stream cannot be read: {error}")])
