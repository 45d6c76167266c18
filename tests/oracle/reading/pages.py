"""PDF bytes -> pages, forms, fonts, bookmarks; where everything lies on the pages, as printed; and what glyphs say."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

import pikepdf

from duckpress.core.frame import Frame
from duckpress.core.geometry import IDENTITY, MM_PER_PT, Matrix, Rect, Size
from duckpress.core.problems import Problem
from duckpress.proof.expected import Expected, fault
from oracle.reading.marks import Around, Drawn, Lettering, Painted, SheetCode
from oracle.reading.placing import FaceSeat, Lying, PageLayout
from oracle.reading.streams import StrangeStreamError, StreamReader, glyphs_of

_BLOCKS = re.compile(rb"beginbfchar(.*?)endbfchar", re.DOTALL)
_ENTRIES = re.compile(rb"<([0-9A-Fa-f]{4})>\s*<((?:[0-9A-Fa-f]{4})+)>")


class Document:
    """A finished file; what it says is read when it is asked for."""

    def __init__(self, pdf: bytes) -> None:
        self._pdf = pikepdf.open(io.BytesIO(pdf))
        self._texts: dict[object, dict[int, str]] = {}

    @property
    def pages(self) -> list[Any]:
        return [page.obj for page in self._pdf.pages]

    @cached_property
    def bookmarks(self) -> tuple[tuple[str, int], ...]:
        return tuple(self._bookmarks())

    def _bookmarks(self) -> Iterator[tuple[str, int]]:
        numbers = {page.objgen: index for index, page in enumerate(self.pages)}
        entry = self._pdf.Root.get("/Outlines", {}).get("/First")
        while entry is not None:
            yield str(entry.get("/Title", "")), numbers.get(entry.Dest[0].objgen, -1)
            entry = entry.get("/Next")

    def words(self, font: Any, body: str) -> str:
        """Return what the body of a `TJ` array says as it is read."""
        if font.objgen not in self._texts:
            self._texts[font.objgen] = read_cmap(font.ToUnicode.read_bytes())
        return reading_of([self._texts[font.objgen].get(glyph, "\ufffd") for glyph in glyphs_of(body)])


def read_cmap(data: bytes) -> dict[int, str]:
    """Return what each glyph says, from a ToUnicode map that names glyphs one by one."""
    return {
        int(glyph, 16): bytes.fromhex(letters.decode()).decode("utf-16-be", "replace")
        for block in _BLOCKS.findall(data)
        for glyph, letters in _ENTRIES.findall(block)
    }


TURNED = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""A letter, a mark or a figure of a script that is written from right to left."""

_OTHER_SIDE = {"LEFT": "RIGHT", "RIGHT": "LEFT", "LESS": "GREATER", "GREATER": "LESS"}


def reading_of(sayings: Sequence[str]) -> str:
    """Return what a run says as it is read, given what each of its glyphs says as they stand."""
    said = "".join(sayings)
    if said.isascii() or not TURNED.search(said):
        return said
    return turned(sayings) if any(map(is_turned, said)) else said


def first_way(text: str) -> str:
    """Return the way of the first letter, L or R; nothing where there is none."""
    ways = map(unicodedata.bidirectional, text)
    return next(({"L": "L", "R": "R", "AL": "R"}[way] for way in ways if way in ("L", "R", "AL")), "")


def is_turned(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL")


def turned(sayings: Sequence[str]) -> str:
    return "".join(_mirrored(letters) for letters in reversed(sayings))


def _mirrored(letters: str) -> str:
    """Return a sign as it is read from right to left: what is drawn as a closing bracket opens one."""
    if len(letters) != 1 or not unicodedata.mirrored(letters):
        return letters
    words = re.sub("LEFT|RIGHT|LESS|GREATER", lambda side: _OTHER_SIDE[side[0]], unicodedata.name(letters))
    with suppress(KeyError):
        return unicodedata.lookup(words)
    return letters


class FileRead(NamedTuple):
    """What was read of a file: its pages, its bookmarks with the pages they lead to, and why it cannot be read."""

    pages: list[PageLayout]
    bookmarks: tuple[tuple[str, int], ...]
    problems: list[Problem]


def read_file(pdf: bytes, expected: Expected) -> FileRead:
    """Return what a file shows. What is corrected for a printer is read as that printer prints it."""
    document = Document(pdf)
    frames = {frame.hash: frame for face in expected.faces for frame in (face.front, face.back) if frame is not None}
    try:
        pages = [_read_page(document, at + 1, page, expected, frames) for at, page in enumerate(document.pages)]
        return FileRead(pages, document.bookmarks, [])
    except (StrangeStreamError, KeyError, AttributeError) as error:
        return FileRead([], (), [fault("proof-unreadable", f"a stream cannot be read: {error}")])


def _read_page(
    document: Document, number: int, page: Any, expected: Expected, frames: Mapping[str, Frame]
) -> PageLayout:
    left, bottom, right, top = map(float, page.MediaBox)
    size = Size(MM_PER_PT * (right - left), MM_PER_PT * (top - bottom))
    to_mm = Matrix(MM_PER_PT, 0.0, 0.0, -MM_PER_PT, -left * MM_PER_PT, top * MM_PER_PT)
    correction = _correction(number, size, expected)
    if correction is not IDENTITY:
        to_mm = correction.inverse().after(to_mm)
    faces, runs, paths, codes = list[Lying](), list[str](), list[Painted](), list[SheetCode]()
    for mark in StreamReader(page.Resources, to_mm).marks(page.Contents.read_bytes()):
        if isinstance(mark, Drawn) and mark.name.startswith("C-"):
            frame = frames.get(mark.name[2:])
            if frame is None:
                raise StrangeStreamError(f"page {number} shows {mark.name}, a face that is on no card")
            faces.append(Lying(frame.hash, _seat(mark, frame)))
        elif isinstance(mark, Lettering):
            runs.append(document.words(page.Resources.Font[mark.font], mark.body))
        elif isinstance(mark, Painted):
            paths.append(mark)
        elif isinstance(mark, SheetCode):
            codes.append(mark)
    rounded = Size(round(size.width_mm, 3), round(size.height_mm, 3))
    return PageLayout(rounded, tuple(faces), Around(tuple(runs), tuple(paths), tuple(codes)))


def _correction(number: int, size: Size, expected: Expected) -> Matrix:
    """Return how a page was corrected; its sides change places as the document is printed."""
    printer, duplex, backs_turn = expected.printer, expected.duplex, expected.backs_turn
    if printer is None:
        return IDENTITY
    is_back = backs_turn is not None or (duplex is not None and number % 2 == 0)
    flips = (size.width_mm <= size.height_mm) is ((duplex or backs_turn) == "long")
    return printer.correction(size, is_back=is_back, turns_left_right=flips)


def _seat(mark: Drawn, frame: Frame) -> FaceSeat:
    """Return where a face lies, to a thousandth of a mm so that equal places are equal."""
    shown = mark.matrix.around(Rect(0.0, 0.0, *frame.trim).grown(frame.bleed_mm))
    a, b, c, d, e, f = mark.matrix
    rounded = Matrix(round(a, 5), round(b, 5), round(c, 5), round(d, 5), round(e, 3), round(f, 3))
    seen = shown if mark.clip is None else mark.clip.shared(shown)
    return FaceSeat(rounded, frame.trim, Rect(*(round(edge, 3) for edge in seen)))
