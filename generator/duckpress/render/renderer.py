"""Booklets -> documents, one after the other: what was drawn for one is at hand for the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from duckpress.core.frame import Frame
from duckpress.files.memo import Pack
from duckpress.render.document import Booklet, DocumentInfo, SheetDocument
from duckpress.render.pen import Ink
from duckpress.render.shelf import Shelf, drawing_faces
from duckpress.text.fonts import FontLibrary


class Renderer:
    """Makes documents, and keeps what they share: a face drawn for A4 is not drawn again for Letter."""

    def __init__(self, fonts: FontLibrary, pack: Pack | None = None) -> None:
        """Take fonts, and what earlier builds have drawn."""
        self._shelf = Shelf(fonts, pack)
        self._drawing: Callable[[], dict[str, Ink]] = dict

    def branch(self) -> Renderer:
        """Return a renderer that begins with all that this one has drawn; what it draws is its own."""
        other = Renderer(self._shelf.fonts)
        other._shelf = self._shelf.branch()
        return other

    def unpack(self, pictures: Iterable[str]) -> None:
        """Leave these pictures unpacked, by their keys: for documents that are only made into pixels."""
        self._shelf.unpacked = frozenset(pictures)

    @contextmanager
    def drawing(self, frames: Mapping[str, Frame], jobs: int) -> Iterator[None]:
        """Let other processes draw faces, by their hashes, while this one finds out where they lie on their sheets.

        The next document takes them. What is drawn is the same with it or without.
        """
        new = [key for key in frames if not self._shelf.has_face(key)]
        with drawing_faces([frames[key] for key in new], jobs) as results:
            self._drawing = lambda: dict(zip(new, results(), strict=True))
            try:
                yield
            finally:
                self._drawing = dict

    def render(self, booklets: Sequence[Booklet], info: DocumentInfo, jobs: int = 1) -> bytes:
        """Return the PDF of some booklets, one bookmark each; its faces are drawn by up to `jobs` processes.

        The same booklets give the same bytes.
        """
        document = SheetDocument(self._shelf, booklets, info)
        self._shelf.add_faces(self._drawing())
        self._drawing = dict
        new = {key: frame for key, frame in document.faces().items() if not self._shelf.has_face(key)}
        with drawing_faces(list(new.values()), jobs) as results:
            document.draw_pages()  # while others draw faces
            self._shelf.add_faces(dict(zip(new, results(), strict=True)))
        return document.write()


def render_pdf(booklets: Sequence[Booklet], fonts: FontLibrary, info: DocumentInfo) -> bytes:
    """Return the PDF of some booklets; for several documents of the same faces, keep a `Renderer`."""
    return Renderer(fonts).render(booklets, info)
