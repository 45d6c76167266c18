"""Booklets -> documents, one after the other: what was drawn for one is at hand for the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice

from duckpress.core.frame import Frame
from duckpress.fonts import FontLibrary
from duckpress.render.document import Booklet, DocumentInfo, PdfDocument
from duckpress.render.drawn import Blank, InkShelf, drawing_faces, drawing_pages, sides_of
from duckpress.render.ink import Ink


class Renderer:
    """Makes documents, and keeps what they share: a face drawn for A4 is not drawn again for Letter."""

    def __init__(self, fonts: FontLibrary) -> None:
        self._shelf = InkShelf(fonts)
        self._drawing: Callable[[], dict[str, Ink]] = dict

    def begin(self, fonts: FontLibrary) -> None:
        """Begin another build with what was drawn for the last one; fonts are cut anew, by all that it says."""
        self._shelf.begin(fonts)

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
        with drawing_pages([blank for of_booklet in blanks for blank in of_booklet], jobs) as results:
            document.take_faces(faces)
            pages = iter(results())
        return document.write([list(islice(pages, len(of_booklet))) for of_booklet in blanks])


def render_pdf(booklets: Sequence[Booklet], fonts: FontLibrary, info: DocumentInfo) -> bytes:
    """Return the PDF of some booklets; for several documents of the same faces, keep a `Renderer`."""
    return Renderer(fonts).render(booklets, info)
