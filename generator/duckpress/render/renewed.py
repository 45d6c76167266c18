"""A document written once more, in a program that goes on: where only looks of faces differ, only these are written.

Numbers follow from what is used where, and in which order. So a document whose faces and pages use the same things in
the same places has its objects under the same numbers, and the bytes are those that it would have had anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duckpress.render.document import Booklet, DocumentInfo, PdfDocument
from duckpress.render.drawn import DrawnPage, InkShelf
from duckpress.render.ink import Ink


class RenewableDocument(PdfDocument):
    """A document that may be written again as a later one."""

    def __init__(self, shelf: InkShelf, booklets: Sequence[Booklet], info: DocumentInfo) -> None:
        super().__init__(shelf, booklets, info)
        self._faces: dict[str, Ink] = {}
        self._lengths: list[int] = []  # how many pages each booklet has

    def take_faces(self, faces: Mapping[str, Booklet]) -> None:
        """Add faces, and remember them."""
        super().take_faces(faces)
        self._faces = {key: self._shelf.faces[key] for key in faces}

    def write(self, pages: Sequence[Sequence[DrawnPage]]) -> bytes:
        """Return the document's bytes, and remember how long its booklets are."""
        self._lengths = list(map(len, pages))
        return super().write(pages)

    def renewed(
        self, booklets: Sequence[Booklet], faces: Mapping[str, Booklet], pages: Sequence[Sequence[DrawnPage]]
    ) -> bytes | None:
        """Return the bytes of a later document; None where it does not use the same things in the same places.

        It is on the same paper, says the same of itself, and its booklets have the same titles. A document that has
        raised `UnusableContent` is not to be asked again.
        """
        drawn = [(page, booklet) for booklet, of_booklet in zip(booklets, pages, strict=True) for page in of_booklet]
        inks = {key: self._shelf.faces[key] for key in faces}
        new_faces = [(old, new) for old, new in zip(self._faces, inks, strict=False) if old != new]
        places = {new: self._numbers[f"C-{old}"] for old, new in new_faces}
        new_pages = [
            (at, page, booklet)
            for at, (before, (page, booklet)) in enumerate(zip(self._pages, drawn, strict=False))
            if before.drawn is not page or not places.keys().isdisjoint(page.faces)
        ]
        is_alike = (
            (len(inks), list(map(len, pages))) == (len(self._faces), self._lengths)
            and all(_uses(self._faces[old]) == _uses(inks[new]) for old, new in new_faces)
            and all(_shape(self._pages[at].drawn) == _shape(page) for at, page, _ in new_pages)
        )
        if not is_alike:
            return None
        for old, _ in new_faces:
            del self._numbers[f"C-{old}"]
        self._numbers.update((f"C-{new}", number) for new, number in places.items())
        for old, new in new_faces:
            self._draw_otherwise(self._faces[old], inks[new])
            self._file.put_stream(places[new], self._form_entries(inks[new], faces[new]), inks[new].data)
        for at, page, booklet in new_pages:
            before = self._pages[at]
            self._draw_otherwise(before.drawn.ink, page.ink)
            if before.drawn.own is not None and page.own is not None:
                self._draw_otherwise(before.drawn.own, page.own)
            self._pages[at] = before._replace(drawn=page)
            self._write_page(booklet, self._pages[at])
        self._booklets, self._faces = booklets, inks
        self._write_fonts()
        return self._written()

    def _draw_otherwise(self, old: Ink, new: Ink) -> None:
        for key, glyphs in old.glyphs.items() if old is not new else ():
            self._glyphs[key].replace(glyphs, new.glyphs[key])


def _uses(ink: Ink) -> object:
    """Return what a stream uses, in order; a group of its own is the stream's alone, and equals no other."""
    return ink.drawings, ink.pictures, list(ink.glyphs), ink.states, ink.groups and id(ink)


def _shape(page: DrawnPage) -> object:
    return _uses(page.ink), page.own and _uses(page.own), len(page.faces), page.layers
