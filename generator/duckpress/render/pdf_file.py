"""Numbered objects -> the bytes of a PDF: one behind the other, and then a table of where each of them begins.

Source: ISO 32000-1, 7.5 (the parts of a file), 7.9.2 (texts), 12.3.3 (bookmarks).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

Number = int
"""The number of an object, from 1 on."""

# 1.7 is the first version with the viewer preference `Duplex`; the other bytes tell who copies a file that it is none
# of text.
_HEAD = b"%PDF-1.7\n%\223\214\213\236\n"


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
        count = len(self._objects) + 1
        *begins, table = accumulate(map(len, self._objects), initial=len(_HEAD))
        places = "".join([f"{begin:010} 00000 n \n" for begin in begins])
        end = (
            f"xref\n0 {count}\n0000000000 65535 f \n{places}trailer\n<<\n/ID [<{identity}><{identity}>]\n"
            f"/Info {info} 0 R\n/Root {catalog} 0 R\n/Size {count}\n>>\nstartxref\n{table}\n%%EOF\n"
        )
        return b"".join((_HEAD, *self._objects, end.encode("ascii")))

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
    """Return a text as PDF writes it: plain letters as they stand, all others in UTF-16 with its mark."""
    if words.isascii() and words.isprintable():
        return "(" + words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") + ")"
    return f"<FEFF{words.encode('utf-16-be').hex().upper()}>"
