"""PDF objects that are written as they are, inside reportlab's document: dictionaries and streams as finished bytes.

reportlab's own dictionaries are formatted one by one, which at two thousand faces costs more than drawing them; its
forms lack graphics states; and its streams depend on settings a user may keep for other programs.
"""

from __future__ import annotations

from duckpress.render.pdfdoc import PDFDocument, PDFObject


class IndirectObject(PDFObject):  # type: ignore[misc]
    """An indirect object whose bytes may be set after it was given its number."""

    __RefOnly__ = 1

    def __init__(self, body: bytes = b"") -> None:
        self.body = body

    def format(self, document: PDFDocument) -> bytes:  # noqa: ARG002 - what reportlab calls it with
        """Return the bytes between `obj` and `endobj`."""
        return self.body


def stream(dictionary: str, data: bytes) -> bytes:
    """Return a stream object: the entries of its dictionary (without `/Length`) and its data as they are."""
    return b"<<%b/Length %d>>\nstream\n%b\nendstream\n" % (dictionary.encode("ascii"), len(data), data)


def reference(document: PDFDocument, thing: PDFObject) -> str:
    """Return the reference (`12 0 R`) to an object, which enters the document with this."""
    written: bytes = document.Reference(thing).format(document)
    return written.decode("ascii")
