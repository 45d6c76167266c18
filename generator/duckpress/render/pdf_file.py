"""Numbered objects -> the bytes of a PDF: one behind the other, and then a table of where each of them begins.

reportlab writes the head, the table, the trailer and all texts. Objects are finished bytes: its own dictionaries
are formatted one by one, each time that a file is written, which at two thousand faces costs more than drawing one.
Source: ISO 32000-1, 7.5 (the parts of a file), 7.9.2 (texts), 12.3.3 (bookmarks).
"""

from __future__ import annotations

from collections.abc import Sequence

Number = int
"""The number of an object, from 1 on."""

_VERSION = (1, 7)  # the first with the viewer preference `Duplex`


class PdfFile:
    """The objects of a file; one may be given its number first and its bytes later."""

    def __init__(self) -> None:
        self._objects: list[bytes] = []

    def add(self, body: str = "") -> Number:
        """Add an object, and return its number."""
        self._objects.append(b"")
        number = len(self._objects)
        self.put(number, body)
        return number

    def add_stream(self, entries: str, data: bytes) -> Number:
        """Add a stream: the entries of its dictionary (without `/Length`), and its data as they are."""
        self._objects.append(b"")
        number = len(self._objects)
        self.put_stream(number, entries, data)
        return number

    def put(self, number: Number, body: str) -> None:
        """Set what is written of an object."""
        self._objects[number - 1] = f"{number} 0 obj\n{body}\nendobj\n".encode("ascii")

    def put_stream(self, number: Number, entries: str, data: bytes) -> None:
        """Set the dictionary and the data of a stream."""
        written = number, entries.encode("ascii"), len(data), data
        self._objects[number - 1] = b"%d 0 obj\n<<%b/Length %d>>\nstream\n%b\nendstream\nendobj\n" % written

    def written(self, catalog: Number, info: Number, identity: str) -> bytes:
        """Return the bytes of the file; `identity` are 32 hexadecimal figures."""
        from duckpress.render.pdfdoc import (  # imported while workers lay out
            DummyDoc,
            PDFCrossReferenceTable,
            PDFFile,
            PDFObjectReference,
            PDFTrailer,
        )

        file, plan, numbers = PDFFile(_VERSION), DummyDoc(), range(1, len(self._objects) + 1)
        plan.idToObjectNumberAndVersion = {number: (number, 0) for number in numbers}
        plan.idToOffset = dict(zip(numbers, map(file.add, self._objects), strict=True))
        table = PDFCrossReferenceTable()
        table.addsection(0, numbers)
        begins = file.add(table.format(plan))
        root, facts = PDFObjectReference(catalog), PDFObjectReference(info)
        trailer = PDFTrailer(begins, len(numbers) + 1, None, root, facts, f"[<{identity}><{identity}>]")
        file.add(trailer.format(plan))
        written: bytes = file.format(plan)
        return written

    def add_bookmarks(self, entries: Sequence[tuple[str, Number]]) -> Number:
        """Add bookmarks, each a title and the page that it leads to, and return the number of what holds them."""
        root = self.add()
        numbers = [self.add() for _ in entries]
        for at, (title, page) in enumerate(entries):
            beside = f"/Prev {numbers[at - 1]} 0 R" if at else ""
            beside += f"/Next {numbers[at + 1]} 0 R" if at + 1 < len(entries) else ""
            self.put(numbers[at], f"<</Title{text(title)}/Parent {root} 0 R{beside}/Dest[{page} 0 R/Fit]>>")
        ends = f"/First {numbers[0]} 0 R/Last {numbers[-1]} 0 R/Count {len(numbers)}"
        self.put(root, f"<</Type/Outlines{ends}>>")
        return root


def text(words: str) -> str:
    """Return a text as PDF writes it: in its own alphabet, or in UTF-16 with its mark."""
    from duckpress.render.pdfdoc import DummyDoc, PDFString

    written: bytes = PDFString(words).format(DummyDoc())
    return written.decode("ascii")
