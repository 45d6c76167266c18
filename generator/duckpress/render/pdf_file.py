"""Numbered objects -> the bytes of a PDF: one behind the other, and then a table of where each of them begins.

Objects are written as they are given, dictionaries and streams as finished bytes. Source: ISO 32000-1, 7.5 (the parts
of a file), 7.9.2 (texts), 12.3.3 (bookmarks).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

Number = int
"""The number of an object, from 1 on."""

# The second line says that there are bytes beyond ASCII in what follows.
_HEAD = b"%PDF-1.7\n%\x93\x8c\x8b\x9e\n"  # 1.7: the first with the viewer preference `Duplex`
_PLAIN = re.compile(r"[ -~]*")
_ESCAPED = str.maketrans({"(": r"\(", ")": r"\)", "\\": r"\\"})


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
        *starts, table = accumulate(map(len, self._objects), initial=len(_HEAD))
        count = len(starts) + 1
        end = (
            f"trailer\n<</Size {count}/Root {catalog} 0 R/Info {info} 0 R/ID[<{identity}><{identity}>]>>\n"
            f"startxref\n{table}\n%%EOF\n"
        )
        places = [b"%010d 00000 n \n" % start for start in starts]
        xref = b"xref\n0 %d\n0000000000 65535 f \n" % count
        return b"".join([_HEAD, *self._objects, xref, *places, end.encode("ascii")])

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
    """Return a text as PDF writes it: in UTF-16 with its mark, in hexadecimal, where it is not plain ASCII."""
    if _PLAIN.fullmatch(words):
        return f"({words.translate(_ESCAPED)})"
    return f"<FEFF{words.encode('utf-16-be').hex().upper()}>"
