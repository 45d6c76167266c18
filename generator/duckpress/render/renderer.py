"""Booklets -> documents, one after the other: what was drawn for one is at hand for the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TypeVar

import msgspec

from duckpress.core.frame import Frame
from duckpress.core.geometry import Size
from duckpress.fonts import FontLibrary
from duckpress.render.document import Booklet, DocumentInfo
from duckpress.render.drawn import (
    Blank,
    DrawnPage,
    InkShelf,
    OwnInk,
    blank_key,
    draw_own,
    drawing_faces,
    drawing_pages,
    sides_of,
)
from duckpress.render.ink import Ink
from duckpress.render.renewed import RenewableDocument

_Key = TypeVar("_Key", str, bytes)
_Drawn = TypeVar("_Drawn")

_MOST_KEPT = 3  # times as much as the newest build used, of what only older ones did
_MOST_BYTES = 64_000_000  # of documents that are kept to be written again

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
        self.keeps_documents = False  # they are of use to a program that goes on
        self._documents: dict[str, tuple[RenewableDocument, int]] = {}

    def branch(self) -> Renderer:
        """Return a renderer that begins with all that this one has drawn; what it draws is its own."""
        other = Renderer(self._shelf.fonts)
        other._shelf, other._keeps_pages = self._shelf.branch(), self._keeps_pages
        other.keeps_documents = self.keeps_documents
        return other

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
        papers = [sheet.paper for booklet in booklets for sheet in booklet.sheets[:1]]
        name = repr((info, [booklet.title for booklet in booklets], papers))
        kept, _ = self._documents.pop(name, (None, 0))
        document = RenewableDocument(self._shelf, booklets, info)
        with self._pages([blank for of_booklet in blanks for blank in of_booklet], jobs) as results:
            if kept is None:
                document.take_faces(faces)  # while pages are drawn
            drawn = iter(_of_copy(results(), [blank for of_booklet in blanks for blank in of_booklet]))
        pages = [list(islice(drawn, len(of_booklet))) for of_booklet in blanks]
        written = None if kept is None else kept.renewed(booklets, faces, pages)
        if written is None:
            document.take_faces(faces)
            kept, written = document, document.write(pages)
        assert kept is not None
        self._keep(name, kept, len(written))
        return written

    @contextmanager
    def _pages(self, blanks: Sequence[Blank], jobs: int) -> Iterator[Callable[[], list[DrawnPage]]]:
        """Let pages be drawn, but for those that an earlier build has drawn; what is yielded returns all of them."""
        if not self._keeps_pages:
            with drawing_pages(blanks, jobs) as results:
                yield results
            return
        keys, drawn = [blank_key(blank) for blank in blanks], self._shelf.pages
        new = {key: blank for key, blank in zip(keys, blanks, strict=True) if key not in drawn}
        self._used |= dict.fromkeys(keys)

        def every() -> list[DrawnPage]:
            drawn.update(zip(new, results(), strict=True))
            return [drawn[key] for key in keys]

        with drawing_pages(list(new.values()), jobs) as results:
            yield every

    def _keep(self, name: str, document: RenewableDocument, size: int) -> None:
        """Keep a document to be written again, where there is room for it."""
        if self.keeps_documents and sum(kept for _, kept in self._documents.values()) + size <= _MOST_BYTES:
            self._documents[name] = document, size


def _of_copy(pages: Sequence[DrawnPage], blanks: Sequence[Blank]) -> Iterator[DrawnPage]:
    """Yield pages with what only a copy of an edition has; many sides have the very same of it."""
    drawn: dict[tuple[int, Size], OwnInk] = {}
    for page, blank in zip(pages, blanks, strict=True):
        own = id(blank.side.own), blank.paper
        if blank.side.own and own not in drawn:
            drawn[own] = draw_own(blank)
        yield page.of_copy(drawn[own]) if blank.side.own else page


def _kept(things: dict[_Key, _Drawn], used: Mapping[str | bytes, None]) -> dict[_Key, _Drawn]:
    """Return what was used last, behind some of what was used before: that may be wanted again."""
    old = {key: thing for key, thing in things.items() if key not in used}
    kept = dict(list(old.items())[-_MOST_KEPT * len(used) :])
    return kept | {key: thing for key, thing in things.items() if key in used}


def render_pdf(booklets: Sequence[Booklet], fonts: FontLibrary, info: DocumentInfo) -> bytes:
    """Return the PDF of some booklets; for several documents of the same faces, keep a `Renderer`."""
    return Renderer(fonts).render(booklets, info)
