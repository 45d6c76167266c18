"""Booklets -> documents, one after the other: what was drawn for one is at hand for the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TypeVar

import msgspec

from duckpress.core.frame import Frame
from duckpress.fonts import FontLibrary
from duckpress.render.document import Booklet, DocumentInfo, PdfDocument
from duckpress.render.drawn import Blank, DrawnPage, InkShelf, blank_key, drawing_faces, drawing_pages, sides_of
from duckpress.render.ink import Ink

_Key = TypeVar("_Key", str, bytes)
_Drawn = TypeVar("_Drawn")

_MOST_KEPT = 3  # times as much as the newest build used, of what only older ones did

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[dict[str, Ink], dict[bytes, DrawnPage]]).decode


class Renderer:
    """Makes documents, and keeps what they share: a face drawn for A4 is not drawn again for Letter."""

    def __init__(self, fonts: FontLibrary, drawn: bytes | None = None) -> None:
        """Take what `news` returned in an earlier run; anything else counts for nothing, and None for no other runs."""
        self._shelf = InkShelf(fonts)
        self._drawing: Callable[[], dict[str, Ink]] = dict
        self._keeps_pages = drawn is not None
        with suppress(msgspec.MsgspecError):
            self._shelf.faces, self._shelf.pages = _decode(drawn or b"")
        self._known: set[str | bytes] = {*self._shelf.faces, *self._shelf.pages}
        self._used: dict[str | bytes, None] = {}

    def unpack(self, pictures: Iterable[str]) -> None:
        """Leave these pictures unpacked, by their keys: for documents that are only made into pixels."""
        self._shelf.unpack(pictures)

    def begin(self, fonts: FontLibrary) -> None:
        """Begin another build with what was drawn for the last one; fonts are cut anew, by all that it says."""
        self._shelf.begin(fonts)
        self._used.clear()

    def news(self) -> bytes:
        """Return what this build used and some of what earlier ones did, as bytes; empty where nothing is new."""
        used, shelf = self._used, self._shelf
        if used.keys() <= self._known:
            return b""
        shelf.faces, shelf.pages = _kept(shelf.faces, used), _kept(shelf.pages, used)
        self._known = {*shelf.faces, *shelf.pages}
        return _encode((shelf.faces, shelf.pages))

    @contextmanager
    def drawing(self, frames: Mapping[str, Frame], jobs: int) -> Iterator[None]:
        """Let other processes draw faces, by their hashes, while this one finds out where they lie on their sheets.

        The next document takes them. What is drawn is the same with it or without.
        """
        new = [key for key in frames if key not in self._shelf.faces]
        with drawing_faces([frames[key] for key in new], jobs) as results:
            self._drawing = lambda: dict(zip(new, results(), strict=True))
            try:
                yield
            finally:
                self._drawing = dict

    def render(self, booklets: Sequence[Booklet], info: DocumentInfo, jobs: int = 1) -> bytes:
        """Return the PDF of some booklets, one bookmark each, drawn by up to `jobs` processes.

        The same booklets give the same bytes.
        """
        document = PdfDocument(self._shelf, booklets, info)
        blanks = [
            [
                Blank(sheet.paper, side, booklet.frames)
                for sheet in booklet.sheets
                for side in sides_of(sheet, is_duplex=info.duplex is not None)
            ]
            for booklet in booklets
        ]
        faces = {
            placement.frame: booklet
            for booklet, of_booklet in zip(booklets, blanks, strict=True)
            for blank in of_booklet
            for placement in blank.side.placements
        }
        self._shelf.faces |= self._drawing()
        self._drawing = dict
        new = {key: booklet.frames[key] for key, booklet in faces.items() if key not in self._shelf.faces}
        with drawing_faces(list(new.values()), jobs) as results:
            self._shelf.faces.update(zip(new, results(), strict=True))
        self._used |= dict.fromkeys(faces)
        pages = iter(self._pages([blank for of_booklet in blanks for blank in of_booklet], document, faces, jobs))
        return document.write([list(islice(pages, len(of_booklet))) for of_booklet in blanks])

    def _pages(
        self, blanks: Sequence[Blank], document: PdfDocument, faces: Mapping[str, Booklet], jobs: int
    ) -> list[DrawnPage]:
        """Return pages, drawn while the document takes their faces, but for those that an earlier build has drawn."""
        if not self._keeps_pages:
            with drawing_pages(blanks, jobs) as results:
                document.take_faces(faces)
                return results()
        keys, drawn = [blank_key(blank) for blank in blanks], self._shelf.pages
        new = {key: blank for key, blank in zip(keys, blanks, strict=True) if key not in drawn}
        with drawing_pages(list(new.values()), jobs) as results:
            document.take_faces(faces)
            drawn.update(zip(new, results(), strict=True))
        self._used |= dict.fromkeys(keys)
        return [drawn[key] for key in keys]


def _kept(things: dict[_Key, _Drawn], used: Mapping[str | bytes, None]) -> dict[_Key, _Drawn]:
    """Return what was used last, behind some of what was used before: that may be wanted again."""
    old = {key: thing for key, thing in things.items() if key not in used}
    kept = dict(list(old.items())[-_MOST_KEPT * len(used) :])
    return kept | {key: thing for key, thing in things.items() if key in used}


def render_pdf(booklets: Sequence[Booklet], fonts: FontLibrary, info: DocumentInfo) -> bytes:
    """Return the PDF of some booklets; for several documents of the same faces, keep a `Renderer`."""
    return Renderer(fonts).render(booklets, info)
