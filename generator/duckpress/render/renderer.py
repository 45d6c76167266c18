"""Booklets -> documents, one after the other: what was drawn for one is at hand for the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice

from duckpress.core.frame import Frame
from duckpress.render.booklets import Booklet, DocumentInfo, Typefaces
from duckpress.render.document import Document
from duckpress.render.drawn import Blank, DrawnPage, draw, drawing, sides_of
from duckpress.render.ink import Ink
from duckpress.render.inkshelf import InkShelf


class Renderer:
    """Makes documents, and keeps what they share: a face drawn for A4 is not drawn again for Letter."""

    def __init__(self, fonts: Typefaces) -> None:
        self._shelf = InkShelf(fonts)
        self._awaited: Callable[[], dict[str, Ink]] | None = None

    def begin(self, fonts: Typefaces) -> None:
        """Begin another build with what was drawn for the last one; fonts are cut anew, by all that it says."""
        self._shelf.begin(fonts)

    @contextmanager
    def ahead(self, frames: Mapping[str, Frame], jobs: int) -> Iterator[None]:
        """Let other processes draw faces, by their hashes, while this one finds out where they lie on their sheets.

        The next document takes them. What is drawn is the same with it or without.
        """
        new = [key for key in frames if key not in self._shelf.faces]
        with drawing([frames[key] for key in new], jobs) as finish:
            self._awaited = (lambda: dict(zip(new, finish(), strict=True))) if finish is not None else None
            try:
                yield
            finally:
                self._awaited = None

    def render(self, booklets: Sequence[Booklet], info: DocumentInfo, jobs: int = 1) -> bytes:
        """Give the PDF of some booklets, one bookmark each, drawn by up to `jobs` processes.

        The same booklets give the same bytes.
        """
        document = Document(self._shelf, booklets, info)
        return document.write(self._drawn(booklets, document, jobs, is_duplex=info.duplex is not None))

    def _drawn(
        self, booklets: Sequence[Booklet], document: Document, jobs: int, *, is_duplex: bool
    ) -> list[list[DrawnPage]]:
        """Draw the faces that were not drawn before, and all pages; gives those of each booklet.

        The document takes in the faces, where possible while other processes draw pages.
        """
        blanks = [
            [
                Blank(sheet.paper, side, booklet.frames)
                for sheet in booklet.sheets
                for side in sides_of(sheet, is_duplex=is_duplex)
            ]
            for booklet in booklets
        ]
        if self._awaited is not None:
            self._shelf.faces |= self._awaited()
            self._awaited = None
        flat = [blank for some in blanks for blank in some]
        keys = {
            placement.frame: booklet
            for booklet, some in zip(booklets, blanks, strict=True)
            for blank in some
            for placement in blank.side.placements
        }
        new = [key for key in keys if key not in self._shelf.faces]
        if new:
            inks, pages = draw([keys[key].frames[key] for key in new], flat, jobs)
            self._shelf.faces.update(zip(new, inks, strict=True))
            document.take_faces(keys)
        else:
            _, pages = draw([], flat, jobs, lambda: document.take_faces(keys))
        waiting = iter(pages)
        return [list(islice(waiting, len(some))) for some in blanks]


def render_pdf(booklets: Sequence[Booklet], fonts: Typefaces, info: DocumentInfo) -> bytes:
    """Give the PDF of some booklets; for several documents of the same faces, keep a `Renderer`."""
    return Renderer(fonts).render(booklets, info)
