"""PDF bytes -> what is in them, read with qpdf (pikepdf): pages, forms, images and fonts, and who uses what.

pikepdf and not pypdfium2, because a proof must see the objects: the names under which a page finds its forms, whether
a font file is really there, what its map says. Its import (about 0.1 s) is the larger part of a proof's cost.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pikepdf

Number = int
"""The number of an indirect object; 0 for an object that stands in another one."""


class Used(NamedTuple):
    """What a stream may use, by the names it uses: forms and images, fonts, and layers."""

    objects: Mapping[str, Number]
    fonts: Mapping[str, Number]
    layers: Mapping[str, Number] = MappingProxyType({})


_NOTHING = Used({}, {})


class FormRead(NamedTuple):
    """A form: its operators, its box (x1, y1, x2, y2) and what it uses."""

    operators: bytes
    box: tuple[float, ...]
    used: Used


class ImageRead(NamedTuple):
    """An image: its pixels across and down."""

    width_px: int
    height_px: int


class FontRead(NamedTuple):
    """A font: its name, what each glyph says and how wide it is (thousandths of an em); whether it is really there."""

    name: str
    kind: str
    texts: Mapping[int, str]
    widths: Mapping[int, float]
    ascent: float
    descent: float
    is_embedded: bool
    has_map: bool


class LayerRead(NamedTuple):
    """A layer: its title, whether viewers list it, whether it shows on a screen, and whether it is printed."""

    title: str
    is_listed: bool
    is_shown: bool
    is_printed: bool


class PageRead(NamedTuple):
    """A page: its boxes (x1, y1, x2, y2, in points; None where there is none), its operators and what it uses."""

    media: tuple[float, ...]
    trim: tuple[float, ...] | None
    bleed: tuple[float, ...] | None
    operators: bytes
    used: Used


class DocumentRead(NamedTuple):
    """A document as it is in the file; `complaints` is what qpdf had to mend."""

    pages: tuple[PageRead, ...]
    forms: Mapping[Number, FormRead]
    images: Mapping[Number, ImageRead]
    fonts: Mapping[Number, FontRead]
    preferences: Mapping[str, str]
    title: str
    language: str
    complaints: tuple[str, ...]
    layers: Mapping[Number, LayerRead] = MappingProxyType({})


def read_pdf(pdf: bytes) -> DocumentRead:
    """Give what is in a PDF. Raises `UnreadableError` where it cannot be read at all."""
    import pikepdf

    try:
        with pikepdf.open(io.BytesIO(pdf)) as opened:
            return _Reading(opened).document()
    except (pikepdf.PdfError, KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableError(str(error)) from error


class UnreadableError(Exception):
    """A file that is not a PDF, or not one of ours; the message says what was missing."""


class _Reading:
    """Reads each object once, whoever uses it first."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._forms: dict[Number, FormRead] = {}
        self._images: dict[Number, ImageRead] = {}
        self._fonts: dict[Number, FontRead] = {}
        self._used_by: dict[bytes, Used] = {}

    def document(self) -> DocumentRead:
        pdf = self._pdf
        pages = tuple(self._page(page.obj) for page in pdf.pages)
        root = pdf.Root
        preferences = {key[1:]: str(value) for key, value in dict(root.get("/ViewerPreferences", {})).items()}
        title = str(pdf.docinfo.get("/Title", ""))
        language = str(root.get("/Lang", ""))
        complaints = tuple(str(warning) for warning in pdf.get_warnings())
        layers = _read_layers(root.get("/OCProperties"))
        return DocumentRead(
            pages, self._forms, self._images, self._fonts, preferences, title, language, complaints, layers
        )

    def _page(self, page: Any) -> PageRead:
        media, trim, bleed = (page.get(f"/{name}Box") for name in ("Media", "Trim", "Bleed"))
        return PageRead(
            _numbers(media.unparse()),
            None if trim is None else _numbers(trim.unparse()),
            None if bleed is None else _numbers(bleed.unparse()),
            page.Contents.read_bytes(),
            self._used(page.get("/Resources")),
        )

    def _used(self, resources: Any) -> Used:
        if resources is None:
            return _NOTHING
        # Many faces use the same few things: their resources, written out, are the same bytes.
        written: bytes = resources.unparse()
        used = self._used_by.get(written)
        if used is None:
            objects = {name[1:]: self._object(thing) for name, thing in resources.get("/XObject", {}).items()}
            fonts = {name[1:]: self._font(thing) for name, thing in resources.get("/Font", {}).items()}
            layers = {name[1:]: thing.objgen[0] for name, thing in resources.get("/Properties", {}).items()}
            used = self._used_by[written] = Used(objects, fonts, layers)
        return used

    def _object(self, thing: Any) -> Number:
        number: Number = thing.objgen[0]
        if number in self._forms or number in self._images:
            return number
        box = thing.get("/BBox")
        if box is not None:
            edges = _numbers(box.unparse())
            self._forms[number] = FormRead(thing.read_bytes(), edges, self._used(thing.get("/Resources")))
        else:
            self._images[number] = ImageRead(int(thing.Width), int(thing.Height))
        return number

    def _font(self, font: Any) -> Number:
        number: Number = font.objgen[0]
        if number not in self._fonts:
            self._fonts[number] = _read_font(font)
        return number


def _read_layers(properties: Any) -> dict[Number, LayerRead]:
    """Give the layers of a document. One that is not to be printed says so itself, and an event asks it."""
    if properties is None:
        return {}
    default = properties.get("/D", {})

    def numbers(owner: Any, key: str) -> set[Number]:
        return {group.objgen[0] for group in owner.get(key, [])}

    listed, hidden = numbers(default, "/Order"), numbers(default, "/OFF")
    asked = set()
    for event in default.get("/AS", []):
        if str(event.get("/Event")) == "/Print" and "/Print" in map(str, event.get("/Category", [])):
            asked |= numbers(event, "/OCGs")
    found = {}
    for group in properties.get("/OCGs", []):
        number, usage = group.objgen[0], group.get("/Usage", {})
        says_off = str(usage.get("/Print", {}).get("/PrintState", "/ON")) == "/OFF"
        is_shown = number not in hidden and str(usage.get("/View", {}).get("/ViewState", "/ON")) == "/ON"
        is_printed = number not in hidden and not (says_off and number in asked)
        found[number] = LayerRead(str(group.get("/Name", "")), number in listed, is_shown, is_printed)
    return found


@lru_cache(maxsize=256)
def _numbers(written: bytes) -> tuple[float, ...]:
    """Give the numbers of an array that is written out."""
    return tuple(map(float, written.strip(b"[] ").split()))


def _read_font(font: Any) -> FontRead:
    name, kind = str(font.get("/BaseFont", "")).lstrip("/"), str(font.get("/Subtype", "")).lstrip("/")
    to_unicode = font.get("/ToUnicode")
    texts = read_cmap(to_unicode.read_bytes()) if to_unicode is not None else {}
    descendants = font.get("/DescendantFonts")
    if kind != "Type0" or descendants is None:
        return FontRead(name, kind, texts, {}, 0.0, 0.0, False, to_unicode is not None)
    inner = descendants[0]
    descriptor = inner.get("/FontDescriptor", {})
    file = descriptor.get("/FontFile2")
    # 12 bytes are the head of a TrueType file; one without tables draws nothing.
    is_embedded = file is not None and len(file.read_bytes()) > 12
    widths = _read_widths(inner.W.unparse())
    ascent, descent = float(descriptor.get("/Ascent", 0)), float(descriptor.get("/Descent", 0))
    return FontRead(name, kind, texts, widths, ascent, descent, is_embedded, to_unicode is not None)


_BLOCKS = re.compile(rb"beginbfchar(.*?)endbfchar", re.DOTALL)
_ENTRIES = re.compile(rb"<([0-9A-Fa-f]{4})>\s*<((?:[0-9A-Fa-f]{4})+)>")


def read_cmap(data: bytes) -> dict[int, str]:
    """Give what each glyph says, from a ToUnicode map that names glyphs one by one."""
    found = {}
    for block in _BLOCKS.findall(data):
        for glyph, letters in _ENTRIES.findall(block):
            found[int(glyph, 16)] = bytes.fromhex(letters.decode()).decode("utf-16-be", "replace")
    return found


_ROWS = re.compile(rb"(\d+)\s*\[([^\]]*)\]")


def _read_widths(written: bytes) -> dict[int, float]:
    """Give the widths in a `W` array of the form `first [width width ...]`."""
    return {
        glyph: width for first, row in _ROWS.findall(written) for glyph, width in enumerate(_numbers(row), int(first))
    }
