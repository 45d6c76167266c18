"""The objects of a PDF by their bytes: equal hashes of a page are equal bytes of all that it refers to.

Knows just the plain way of writing: one table of places, objects that fill the file from its first line to that table,
each stream as long as it says. What is written in any other way has no hashes, and is read and proven in full.
"""

from __future__ import annotations

import hashlib
import re
from operator import ge, sub
from typing import Any

from msgspec import Struct

from duckpress.proof.used_things import Called, Number

_TRAILER = re.compile(
    rb"trailer\n<<\n/ID \[<[0-9a-f]{32}><[0-9a-f]{32}>\]\n"
    rb"/Info \d+ 0 R\n/Root \d+ 0 R\n/Size (\d+)\n>>\nstartxref\n(\d+)\n%%EOF\n\Z"
)
_FIRST_LINES = re.compile(rb"%PDF-1\.\d\n%[^\n]*\n")
_LONGEST_TRAILER = 400
_ENTRIES = re.compile(rb"(?:[0-9]{10} 00000 n \n)*")
_ENTRY_BYTES = 20  # source: ISO 32000-1, 7.5.4
_REFERENCES = re.compile(rb"/([!-.0-;=?-Z^-z|~]+) ([0-9]+) 0 R").findall
_REFERENCE = re.compile(rb" [0-9]+ 0 R").sub
_OTHER_REFERENCE = re.compile(rb"[\s\0]R").search
_UNFOLLOWED = (b"F-", b"L-")  # fonts and layers
_LIST_OF_PAGES = re.compile(rb"<</Type/Pages/Count \d+/Kids\[(?:\d+ 0 R ?)+\]>>")
_OWN_STREAM = re.compile(rb"/Contents\[(\d+ 0 R) \d+ 0 R\]>>\Z").sub
_AT_ONCE = 64  # objects that are compared with those of an earlier file
_LENGTH = re.compile(rb"/Length (\d+)>>\Z")
_BEFORE, _BEHIND = b"\nstream\n", b"\nendstream\nendobj\n"


class WrittenPage(Struct, frozen=True):
    """A page by its bytes: `digest` covers it and all that it refers to, but for fonts and layers, and its parent.

    Those are named there. Nor does it cover a second stream, which is read in each file, or whether there is one.
    `called` are all things that it and what it refers to call, in order; `faces` are the keys of frames among them,
    `fonts` those that are fonts, and `art` the names of drawings and pictures.
    """

    digest: bytes
    called: tuple[Called, ...]
    faces: tuple[str, ...]
    fonts: tuple[Called, ...]
    art: frozenset[str]

    @classmethod
    def of(cls, written: bytes, called: tuple[Called, ...]) -> WrittenPage:
        """Return the page that is written so."""
        faces = tuple(name.removeprefix("C-") for name, _ in called if name.startswith("C-"))
        fonts = tuple(call for call in called if call[0].startswith("F-"))
        art = frozenset(name for name, _ in called if name.startswith(("D-", "P-")))
        return cls(hashlib.sha256(written).digest(), called, faces, fonts, art)


class _Head(Struct, frozen=True):
    """What stands before a stream's length, with hashes in place of numbers; and what is called by it."""

    written: bytes
    called: dict[Called, None]
    refers: frozenset[Number]  # what is followed of what it refers to


class UnusualPdf(Exception):
    """A file that is not written in the plain way."""


class WrittenObjects:
    """The objects of a file. Raises `UnusualPdf`, on being made and by each of its methods.

    What has the same bytes as `before`, in an earlier file, with all that it refers to, has the same hash.
    """

    def __init__(self, pdf: bytes, before: WrittenObjects | None = None) -> None:
        self._pdf = pdf
        self._bounds = _bounds(pdf)
        self._has_plain_list = False
        self._digests: dict[Number, bytes] = {}
        self._heads: dict[bytes, _Head] = {}
        self._called: dict[Number, dict[Called, None]] = {}
        self._pages: dict[Number, tuple[Number, WrittenPage]] = {}  # with their parents
        self._refers: dict[Number, frozenset[Number]] = {}
        if before is not None:
            self._take(before)

    @property
    def size(self) -> int:
        """How many bytes the file has."""
        return len(self._pdf)

    def _take(self, before: WrittenObjects) -> None:
        """Take the hashes of what is as it was, from one that is not asked again."""
        changed, count = self._changed(before), -1
        while count != len(changed):
            count = len(changed)
            changed |= {number for number, refers in before._refers.items() if not refers.isdisjoint(changed)}
        self._refers, self._digests, self._called = before._refers, before._digests, before._called
        self._pages = before._pages
        known: tuple[dict[Number, Any], ...] = (self._refers, self._digests, self._called, self._pages)
        for of_objects in known:
            for number in changed:
                of_objects.pop(number, None)

    def _changed(self, before: WrittenObjects) -> set[Number]:
        """Return the numbers of objects that have other bytes than they had; many are compared at once."""
        now, then = self._bounds, before._bounds
        lengths, lengths_then = ([*map(sub, bounds[1:], bounds)] for bounds in (now, then))
        count = min(len(lengths), len(lengths_then))
        changed = set(range(count + 1, max(len(lengths), len(lengths_then)) + 1))
        for first in range(0, count, _AT_ONCE):
            last = min(first + _AT_ONCE, count)
            if lengths[first:last] == lengths_then[first:last] and (
                self._pdf.startswith(before._pdf[then[first] : then[last]], now[first])
            ):
                continue
            changed.update(
                at + 1
                for at in range(first, last)
                if self._pdf[now[at] : now[at + 1]] != before._pdf[then[at] : then[at + 1]]
            )
        return changed

    def page(self, number: Number, parent: Number) -> WrittenPage:
        """Return a page by the number of its object; `parent` is that of the list of pages, which says nothing else."""
        if not self._has_plain_list:
            self._has_plain_list = _LIST_OF_PAGES.fullmatch(self._body(parent)) is not None
            if not self._has_plain_list:
                raise UnusualPdf("the list of pages")
        known = self._pages.get(number)
        if known is None or known[0] != parent:
            body = self._body(number)
            parts = body.split(b"/Parent %d 0 R" % parent)
            if len(parts) != 2:
                raise UnusualPdf(f"page {number}")
            head = self._head(_OWN_STREAM(rb"/Contents \1>>", b"".join(parts)))
            known = parent, WrittenPage.of(head.written, tuple(head.called))
            self._pages[number], self._refers[number] = known, head.refers
        return known[1]

    def _digest(self, number: Number) -> bytes:
        """Return the hash of an object and all that it refers to."""
        digest = self._digests.get(number)
        if digest is None:
            self._digests[number] = b""  # whoever calls itself has none
            body = self._body(number)
            start = body.find(_BEFORE)
            if start < 0:
                raise UnusualPdf(f"object {number}")
            length = _LENGTH.search(body, max(0, start - 30), start)
            if length is None or int(length[1]) != len(body) - start - len(_BEFORE):
                raise UnusualPdf(f"the stream {number}")
            head = self._head(body[: length.start()])
            digest = hashlib.sha256(b"%b%b%b" % (head.written, length[0], body[start:])).digest()
            self._digests[number], self._called[number], self._refers[number] = digest, head.called, head.refers
        elif not digest:
            raise UnusualPdf(f"object {number}")
        return digest

    def _head(self, written: bytes) -> _Head:
        """Return a dictionary with hashes in place of numbers; many faces have the same one."""
        head = self._heads.get(written)
        if head is None:
            references = _REFERENCES(written)
            plain = _REFERENCE(b"\0", written)
            if len(references) != written.count(b" 0 R") or _OTHER_REFERENCE(plain) or b"\0" in written:
                raise UnusualPdf(f"a reference in {written!r}")
            digests, called, refers = [], dict[Called, None](), set()
            for name, figures in references:
                number = int(figures)
                if name[1:2] == b"-":
                    called[name.decode("latin-1"), number] = None
                if name[:2] not in _UNFOLLOWED:
                    refers.add(number)
                    digests.append(self._digests.get(number) or self._digest(number))
                    if inner := self._called[number]:
                        called |= inner
            # As long as it says, and then hashes that are all of one length: nothing else is written like this.
            whole = b"%d:%b%b" % (len(plain), plain, b"".join(digests))
            head = self._heads[written] = _Head(whole, called, frozenset(refers))
        return head

    def _body(self, number: Number) -> bytes:
        """Return what stands between `obj` and `endobj`, a stream up to the end of its data."""
        if not 0 < number < len(self._bounds):
            raise UnusualPdf(f"object {number}")
        start, end = self._bounds[number - 1 : number + 1]
        first = b"%d 0 obj\n" % number
        if not self._pdf.startswith(first, start, end):
            raise UnusualPdf(f"object {number}")
        for last in (_BEHIND, b"\nendobj\n"):
            if self._pdf.endswith(last, start + len(first), end):
                return self._pdf[start + len(first) : end - len(last)]
        raise UnusualPdf(f"the end of object {number}")


def _bounds(pdf: bytes) -> list[int]:
    """Return where the objects begin, in the order of their numbers and of the file; and last, where its table does."""
    trailer = _TRAILER.search(pdf, max(0, len(pdf) - _LONGEST_TRAILER))
    first = _FIRST_LINES.match(pdf)
    if trailer is None or first is None:
        raise UnusualPdf("its end or its beginning")
    count, table = int(trailer[1]), int(trailer[2])
    title = b"xref\n0 %d\n0000000000 65535 f \n" % count
    entries = pdf[table + len(title) : trailer.start()]
    if not pdf.startswith(title, table) or len(entries) != (count - 1) * _ENTRY_BYTES:
        raise UnusualPdf("its table")
    if _ENTRIES.fullmatch(entries) is None:
        raise UnusualPdf("its table")
    bounds = [*map(int, entries.split(b" 00000 n \n")[:-1]), table]
    if bounds[0] != first.end() or any(map(ge, bounds, bounds[1:])):
        raise UnusualPdf("the order of its objects")
    return bounds
