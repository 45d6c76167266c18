"""PDF bytes -> pages and forms with what they may name, read with qpdf (pikepdf).

pikepdf and not pypdfium2, because a proof must see the objects: the names under which a page finds its forms, whether
a font file is really there. Its import (about 0.1 s) is the larger part of the cost of a small proof.

Dictionaries are held against patterns of how qpdf writes them, sorted by their keys: anything else in one of them (a
matrix, another box, a filter, a unit) would change how it is painted.
"""

from __future__ import annotations

import io
import os
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from duckpress.core.geometry import Rect

if TYPE_CHECKING:
    import pikepdf

Pattern = Callable[[bytes], "re.Match[bytes] | None"]
_PAGE = re.compile(
    rb"<< (?:/BleedBox \[ ([^]]+) \] )?/Contents \d+ 0 R /MediaBox \[ ([^]]+) \] /Parent \d+ 0 R /Resources (\d+) 0 R "
    rb"(?:/TrimBox \[ ([^]]+) \] )?/Type /Page >>"
).fullmatch
_CONTENT = re.compile(rb"<< /Filter (?:/FlateDecode|\[ /FlateDecode \]) /Length \d+ >>").fullmatch
_FORM = re.compile(
    rb"<< /BBox \[ ([^]]+) \] /Filter /FlateDecode (/Group << /CS /DeviceRGB /S /Transparency >> )?/Length \d+ "
    rb"/Resources (\d+) 0 R /Subtype /Form /Type /XObject >>"
).fullmatch
_STATE = re.compile(
    rb"<< /CA (\S+) (?:/SMask << /G (\d+) 0 R /S /Luminosity /Type /Mask >> )?/Type /ExtGState /ca (\S+) >>"
).fullmatch
_RESOURCES = re.compile(
    rb"<< (?:/ExtGState << (?:/O\S+ \d+ 0 R )+>> )?/Font (\d+) 0 R (?:/Properties << (?:/L-\S+ \d+ 0 R )+>> )?"
    rb"(?:/XObject << (?:/FormXob\.\S+ \d+ 0 R )+>> )?>>"
).fullmatch
_references = re.compile(r"/((?:FormXob\.|L-|O\d)\S+) (\d+) 0 R").findall


class UnreadablePdf(Exception):
    """A file that is not a PDF, or not one of ours; the message says what was missing."""


class Resources(NamedTuple):
    """Forms, images, graphics states, fonts and layers: the numbers of their objects by their names."""

    number: int
    things: Mapping[str, int]


class FormRead(NamedTuple):
    """A form: its operators, as they are packed, too, its box, whether it is painted as one, what it may name."""

    content: str
    packed: bytes
    box: Rect
    is_group: bool
    resources: Resources


class PageRead(NamedTuple):
    """A page: its boxes in points from the bottom left (of no size where missing), operators, what it may name."""

    media: Rect
    trim: Rect
    bleed: Rect
    content: str
    resources: Resources


class StateRead(NamedTuple):
    """A graphics state: how opaque it makes fills and strokes, and the number of its soft mask's form, if any."""

    fill: float
    stroke: float
    mask: int | None


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
    """A PDF that is open; `root` is its catalog."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._pages: list[Any] = [page.obj for page in pdf.pages]
        self.page_count = len(self._pages)
        self.root: Any = pdf.Root
        self.title = str(pdf.docinfo.get("/Title", ""))
        self._resources: dict[int, Resources] = {}
        self._fonts: dict[int, dict[str, int]] = {}

    def complaints(self) -> list[str]:
        """Return what qpdf had to mend in all that was read so far."""
        return [str(warning) for warning in self._pdf.get_warnings()]

    def thing(self, number: int) -> Any:
        return self._pdf.get_object(number, 0)

    def page(self, index: int) -> PageRead:
        """Return a page; the first is 0."""
        page = self._pages[index]
        bleed, media, resources, trim = _read(page.unparse(resolved=True), _PAGE)
        _read(page.Contents.stream_dict.unparse(), _CONTENT)
        content = _unpacked(page.Contents.read_raw_bytes())
        return PageRead(_box(media), _box(trim), _box(bleed), content, self._resources_of(int(resources)))

    def form(self, number: int) -> FormRead:
        """Return a form of the file."""
        form = self.thing(number)
        box, group, resources = _read(form.stream_dict.unparse(), _FORM)
        packed = form.read_raw_bytes()
        return FormRead(_unpacked(packed), packed, _box(box), group is not None, self._resources_of(int(resources)))

    def state(self, number: int) -> StateRead:
        """Return a graphics state."""
        stroke, mask, fill = _read(self.thing(number).unparse(resolved=True), _STATE)
        return StateRead(float(fill), float(stroke), None if mask is None else int(mask))

    def _resources_of(self, number: int) -> Resources:
        if number not in self._resources:
            written = self.thing(number).unparse(resolved=True)
            (fonts,) = _read(written, _RESOURCES)
            things = {name: int(at) for name, at in _references(written.decode())}
            self._resources[number] = Resources(number, things | self._fonts_of(int(fonts)))
        return self._resources[number]

    def _fonts_of(self, number: int) -> dict[str, int]:
        """Return the numbers of fonts by their names; all resources of a file share them."""
        if number not in self._fonts:
            self._fonts[number] = {name[1:]: font.objgen[0] for name, font in self.thing(number).items()}
        return self._fonts[number]


def _read(written: bytes, pattern: Pattern) -> tuple[Any, ...]:
    """Return what a pattern takes out of a dictionary. Raises `ValueError` where there is anything else."""
    match = pattern(written)
    if match is None:
        raise ValueError(f"something is written in a way of its own: {written[:400].decode('latin-1')}")
    return match.groups()


@lru_cache(maxsize=256)
def _box(written: bytes | None) -> Rect:
    left, bottom, right, top = map(float, (written or b"0 0 0 0").split())
    return Rect(left, bottom, right - left, top - bottom)


def _unpacked(packed: bytes) -> str:
    return zlib.decompress(packed).decode("latin-1")
