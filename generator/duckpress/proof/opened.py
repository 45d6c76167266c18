"""PDF bytes -> pages and forms with what they may name, read with qpdf (pikepdf).

pikepdf and not pypdfium2, because a proof must see the objects: the names under which a page finds its forms, whether
a font file is really there. Its import (about 0.1 s) is the larger part of the cost of a small proof.
"""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Iterator, Mapping, Set
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pikepdf


class UnreadablePdf(Exception):
    """A file that is not a PDF, or not one of ours; the message says what was missing."""


class Resources(NamedTuple):
    """Forms, images, graphics states, fonts and layers by their names; `number` tells them from other resources."""

    number: object
    things: Mapping[str, Any]


class FormRead(NamedTuple):
    """A form: its packed operators, its box (x1, y1, x2, y2), whether it is painted as one, what it may name."""

    packed: bytes
    box: tuple[float, ...]
    is_group: bool
    resources: Resources


class PageRead(NamedTuple):
    """A page: its boxes (x1, y1, x2, y2, in points; none where it is empty), its operators, what it may name."""

    media: tuple[float, ...]
    trim: tuple[float, ...]
    bleed: tuple[float, ...]
    content: str
    resources: Resources


@contextmanager
def opened_pdf(pdf: bytes) -> Iterator[OpenedPdf]:
    """Open a PDF to read from. Raises `UnreadablePdf` for whatever reading a broken file raises."""
    import pikepdf

    strange = (pikepdf.PdfError, zlib.error, LookupError, ValueError, TypeError, AttributeError, RecursionError)
    try:
        with ExitStack() as stack:
            if hasattr(os, "memfd_create"):
                # Through Python, qpdf takes three times as long to read as from what is mapped into memory.
                file = stack.enter_context(os.fdopen(os.memfd_create("proof"), "w+b"))
                file.write(pdf)
                file.flush()
                opened = pikepdf.open(file, access_mode=pikepdf.AccessMode.mmap_only)
            else:
                opened = pikepdf.open(io.BytesIO(pdf))
            yield OpenedPdf(stack.enter_context(opened))
    except strange as error:
        raise UnreadablePdf(f"{type(error).__name__}: {error}") from error


class OpenedPdf:
    """A PDF that is open; `root` is its catalog, `pages` are its pages as they stand in it."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self.pages: list[Any] = [page.obj for page in pdf.pages]
        self.page_count = len(self.pages)
        self.root: Any = pdf.Root
        self.title = str(pdf.docinfo.get("/Title", ""))
        self._resources: dict[object, Resources] = {}
        self._named: dict[object, dict[str, Any]] = {}
        self._forms: dict[tuple[bytes, bytes], tuple[tuple[float, ...], bool, Resources]] = {}

    def complaints(self) -> list[str]:
        """Return what qpdf had to mend in all that was read so far."""
        return [str(warning) for warning in self._pdf.get_warnings()]

    def page(self, index: int) -> PageRead:
        """Return a page; the first is 0."""
        page = self.pages[index]
        refuse_keys(page, PAGE_KEYS)
        refuse_keys(page.Contents, _STREAM_KEYS)
        _refuse_packing(page.Contents)
        media, trim, bleed = (tuple(map(float, page.get(f"/{name}Box", ()))) for name in ("Media", "Trim", "Bleed"))
        return PageRead(media, trim, bleed, unpacked(page.Contents.read_raw_bytes()), self._resources_of(page))

    def form(self, form: Any) -> FormRead:
        """Return a form of the file."""
        # The dictionaries of many forms differ in nothing but the length of their streams.
        before, _, after = form.stream_dict.unparse().partition(b"/Length ")
        entries = before, after.partition(b" ")[2]
        known = self._forms.get(entries)
        if known is None:
            refuse_keys(form, _FORM_KEYS)
            group, box = form.get("/Group"), tuple(map(float, form.BBox))
            if group is not None and (group.keys() - {"/Type", "/CS"} != {"/S"} or group.S != "/Transparency"):
                raise ValueError("a form is painted in a way of its own")
            _refuse_packing(form)
            known = self._forms[entries] = box, group is not None, self._resources_of(form)
        return FormRead(form.read_raw_bytes(), *known)

    def _resources_of(self, owner: Any) -> Resources:
        found = owner.get("/Resources", {})
        number = found.objgen if len(found) and found.is_indirect else owner.objgen
        if number not in self._resources:
            refuse_keys(found, _NAMES.keys())
            things = dict[str, Any]()
            for kind in found.keys() & _NAMES.keys():
                things |= self._things(found[kind], _NAMES[kind])
            self._resources[number] = Resources(number, things)
        return self._resources[number]

    def _things(self, found: Any, beginning: str) -> dict[str, Any]:
        """Return things by their names, which all begin alike; those of one object are the same for many streams."""
        known = self._named.get(found.objgen) if found.is_indirect else None
        if known is None:
            known = {name[1:]: thing for name, thing in found.items()}
            if any(not name.startswith(beginning) for name in known):
                raise ValueError(f"something is not called {beginning}")
            if found.is_indirect:
                self._named[found.objgen] = known
        return known


def refuse_keys(thing: Any, known: Set[str]) -> None:
    """Raise `ValueError` for what has more than these keys: others would change how it is painted."""
    for key in thing.keys() - known:
        raise ValueError(f"something in the file has a {key}")


def unpacked(packed: bytes) -> str:
    """Return the text of a stream."""
    return zlib.decompress(packed).decode("latin-1")


def _refuse_packing(stream: Any) -> None:
    """Raise `ValueError` for a stream that is not deflated, once."""
    if stream.Filter.unparse() not in (b"/FlateDecode", b"[ /FlateDecode ]"):
        raise ValueError(f"a stream is packed by {stream.Filter}")


# What else may stand in these would change how they are painted: a matrix, another box, a unit, colours' spaces.
_STREAM_KEYS = frozenset(["/Filter", "/Length"])
_FORM_KEYS = _STREAM_KEYS | {"/Type", "/Subtype", "/BBox", "/Group", "/Resources"}
PAGE_KEYS = frozenset(["/Type", "/Parent", "/MediaBox", "/TrimBox", "/BleedBox", "/Resources", "/Contents"])
_NAMES = {"/XObject": "FormXob.", "/ExtGState": "O", "/Font": "F-", "/Properties": "L-"}
