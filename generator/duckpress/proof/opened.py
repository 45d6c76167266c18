"""PDF bytes -> pages and forms with their resources, read with qpdf (pikepdf).

pikepdf and not pypdfium2, because a proof must see the objects: the names under which a page finds its forms, whether
a font file is really there. Its import (about 0.1 s) is the larger part of the cost of a small proof.

Dictionaries are held against patterns of how qpdf writes them, sorted by their keys: anything else in one of them (a
matrix, another box, a filter, a unit) would change how it is painted.

Fonts and pictures are held against their own files. Every glyph has its own outline and width, and says something.
Outlines are drawn by HarfBuzz from both, so what is compared is the shape that is printed. The name by which texts call
a font ends in a hash of its file's bytes (`Typeface.key`), so that another typeface under it is seen. A variable font's
instance is drawn from the whole file, to which the embedded one has to come within the rounding of its points.

Pictures have the same pixels, in the same colours, all of them. What was copied from a file is compared as it is stored
there, other pictures pixel by pixel. Source: ISO 32000-1, 8.9.5 (images), 7.4.4.4 (predictors); PNG specification, 11.
"""

from __future__ import annotations

import io
import os
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import uharfbuzz as hb

from duckpress.art.picture_files import opened
from duckpress.art.raster import chunks_of
from duckpress.core.geometry import Rect
from duckpress.text.fonts import FontFile, read_compact

if TYPE_CHECKING:
    import pikepdf
    from PIL.Image import Image

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
    """A file that is not a PDF, or not one of ours; the message says what is missing."""


class Resources(NamedTuple):
    """Forms, images, graphics states, fonts and layers: the numbers of their objects by their names."""

    number: int
    things: Mapping[str, int]


class StreamRead:
    """A stream: its operators, packed, and its resources."""

    def __init__(self, packed: bytes, resources: Resources) -> None:
        self.packed, self.resources = packed, resources

    @cached_property
    def content(self) -> str:
        """The operators, unpacked."""
        return zlib.decompress(self.packed).decode("latin-1")


class FormRead(NamedTuple):
    """A form: its operators, its box, and whether it is a group."""

    stream: StreamRead
    box: Rect
    is_group: bool


class PageRead(NamedTuple):
    """A page: its boxes in points from the bottom left (of no size if missing), and its operators."""

    media: Rect
    trim: Rect
    bleed: Rect
    stream: StreamRead


class StateRead(NamedTuple):
    """A graphics state: its opacities of fills and strokes, and the number of its soft mask's form, if any."""

    fill: float
    stroke: float
    mask: int | None


@contextmanager
def opened_pdf(pdf: bytes) -> Iterator[OpenedPdf]:
    """Open a PDF for reading. Raises `UnreadablePdf` for any error of a broken file."""
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
    """An open PDF; `root` is its catalog."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._pages: list[Any] = [page.obj for page in pdf.pages]
        self.page_count = len(self._pages)
        self.root: Any = pdf.Root
        self.title = str(pdf.docinfo.get("/Title", ""))
        self._resources: dict[int, Resources] = {}
        self._fonts: dict[int, dict[str, int]] = {}

    def complaints(self) -> list[str]:
        """Return qpdf's repairs in all objects read so far."""
        return [str(warning) for warning in self._pdf.get_warnings()]

    def thing(self, number: int) -> Any:
        return self._pdf.get_object(number, 0)

    def page(self, index: int) -> PageRead:
        """Return a page; the first is 0."""
        page = self._pages[index]
        bleed, media, resources, trim = _read(page.unparse(resolved=True), _PAGE)
        _read(page.Contents.stream_dict.unparse(), _CONTENT)
        stream = StreamRead(page.Contents.read_raw_bytes(), self._resources_of(int(resources)))
        return PageRead(_box(media), _box(trim), _box(bleed), stream)

    def form(self, number: int) -> FormRead:
        """Return a form of the file."""
        form = self.thing(number)
        box, group, resources = _read(form.stream_dict.unparse(), _FORM)
        stream = StreamRead(form.read_raw_bytes(), self._resources_of(int(resources)))
        return FormRead(stream, _box(box), group is not None)

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
    """Return the groups of a pattern in a dictionary. Raises `ValueError` if the pattern does not match."""
    match = pattern(written)
    if match is None:
        raise ValueError(f"something is written in a way of its own: {written[:400].decode('latin-1')}")
    return match.groups()


@lru_cache(maxsize=256)
def _box(written: bytes | None) -> Rect:
    left, bottom, right, top = map(float, (written or b"0 0 0 0").split())
    return Rect(left, bottom, right - left, top - bottom)


_WIDTH_TOLERANCE = 0.001  # thousandths of an em: widths are written with four decimals
_ROUNDED = 1.51  # units: an instance has its points rounded, and the bearing that a glyph is shifted by
_HEAD_MAGIC = 0x5F0F3CF5  # source: OpenType, table `head`
_rows = re.compile(rb"(\d+)\s*\[([^\]]*)\]").findall
# The glyphs in texts are those of the file by their numbers.
_TRUETYPE = ["/Type0", "/Identity-H", "/CIDFontType2", "/Identity", "/FontFile2", "None"]
_COMPACT = ["/Type0", "/Identity-H", "/CIDFontType0", "None", "/FontFile3", "/CIDFontType0C"]

_digest_of = lru_cache(maxsize=64)(FontFile.digest)

Outline = list[tuple[float, ...]]


class FontRead(NamedTuple):
    """A font: the entries for its kind, the width of each glyph (thousandths of an em), and its file, if any."""

    kind: list[str]
    widths: Mapping[int, float]
    has_map: bool
    file: Any


def read_font(font: Any) -> FontRead:
    """Return the kind, the widths and the file of a font of the PDF."""
    inner = font.get("/DescendantFonts", [{}])[0]
    descriptor = inner.get("/FontDescriptor", {})
    files = [key for key in descriptor if key.startswith("/FontFile")]
    file = descriptor.get(files[0]) if files else None
    names = (font.get("/Subtype"), font.get("/Encoding"), inner.get("/Subtype"), inner.get("/CIDToGIDMap"), *files)
    kind = [*map(str, names), str(None if file is None else file.get("/Subtype"))]
    rows = _rows(inner.W.unparse()) if "/W" in inner else ()
    widths = {glyph: float(width) for first, row in rows for glyph, width in enumerate(row.split(), int(first))}
    return FontRead(kind, widths, "/ToUnicode" in font, file)


def font_faults(key: str, font: FontRead, file_of: Callable[[str], FontFile | None] | None) -> Iterator[str]:
    """Yield why a font is not embedded, differs from its file, or cannot be searched and copied.

    `file_of` returns the font file that a key stands for; without it, glyphs are not looked at.
    """
    if not font.has_map:
        yield "does not say what its glyphs mean (no ToUnicode map)"
    if font.file is None:
        yield "is not embedded"
    elif not font.widths or font.kind not in (_TRUETYPE, _COMPACT):
        yield "has no widths, or draws other glyphs than texts ask for"
    elif file_of is not None:
        file = file_of(key)
        if file is None or _digest_of(file)[:8] != key.rpartition("-")[2]:
            yield "is none that texts ask for"
        else:
            yield from _glyph_faults(font, file)


def _glyph_faults(font: FontRead, file: FontFile) -> Iterator[str]:
    face, data = hb.Face(file.data), font.file.read_bytes()
    read = _compact_face(data) if font.kind == _COMPACT else hb.Face(data)
    if read is None or read.upem != face.upem:
        yield "has other glyphs under its numbers, or of another size"
        return
    sound, embedded = file.font(face), hb.Font(read)
    slip = _ROUNDED if file.pins else 0.0
    for glyph, width in font.widths.items():
        if not _is_same(_outline(embedded, glyph), _outline(sound, glyph), slip):
            yield f"draws glyph {glyph} otherwise than its file"
        wanted = sound.get_glyph_h_advance(glyph) * 1000 / face.upem
        if abs(width - wanted) > _WIDTH_TOLERANCE:
            yield f"has glyph {glyph} {width:g} wide, not {wanted:g}"


def _compact_face(cff: bytes) -> hb.Face | None:
    """Return the face of a bare `CFF ` table, with its own em size; None if its glyphs are renumbered."""
    facts = read_compact(cff)
    if facts is None or not facts.is_direct or not facts.unit_em:
        return None
    head = struct.pack(">IIIIHH34x", 0x10000, 0, 0, _HEAD_MAGIC, 0, min(round(1 / facts.unit_em), 0xFFFF))
    tables = {"CFF ": cff, "head": head, "maxp": struct.pack(">IH", 0x5000, facts.glyph_count)}
    return hb.Face.create_for_tables(lambda _face, tag, _data: tables.get(tag), None)


def _is_same(one: Outline, other: Outline, slip: float) -> bool:
    """Return whether outlines are the same, up to points that are `slip` units off."""
    if not slip or [*map(len, one)] != [*map(len, other)]:
        return one == other
    return all(abs(x - y) <= slip for x, y in zip(chain(*one), chain(*other), strict=True))


def _outline(font: hb.Font, glyph: int) -> Outline:
    outline: Outline = []
    font.draw_glyph(glyph, _pen(), outline)
    return outline


@cache
def _pen() -> hb.DrawFuncs:
    """Return functions that append each stroke of a glyph to a list: its number of points, and the points."""
    pen = hb.DrawFuncs()
    pen.set_move_to_func(lambda x, y, outline: outline.append((x, y)))
    pen.set_line_to_func(lambda x, y, outline: outline.append((1, x, y)))
    pen.set_quadratic_to_func(lambda x1, y1, x, y, outline: outline.append((2, x1, y1, x, y)))
    pen.set_cubic_to_func(lambda x1, y1, x2, y2, x, y, outline: outline.append((3, x1, y1, x2, y2, x, y)))
    pen.set_close_path_func(lambda outline: outline.append(()))
    return pen


_BAND = 256  # rows
_KEYS = frozenset(
    ["/Type", "/Subtype", "/Width", "/Height", "/ColorSpace", "/BitsPerComponent", "/Filter", "/DecodeParms", "/Length"]
)
_SPACES = {"L": "/DeviceGray", "RGB": "/DeviceRGB"}
_PALETTE = 3
_PNG_KINDS = {b"/DeviceGray": (0, 1), b"/DeviceRGB": (2, 3)}  # their numbers, and how many colours they have
_PNG_PARTS = (b"IHDR", b"PLTE", b"IDAT")


def image_bytes(image: Any) -> bytes:
    """Return all bytes of an image, with its mask, except object numbers."""
    mask = image_bytes(image.SMask) if "/SMask" in image else b""
    entries = re.sub(rb"\d+ 0 R", b"", image.stream_dict.unparse())
    return b"%b%b%b" % (entries, image.read_raw_bytes(), mask)


def is_grey(image: Any) -> bool:
    """Return whether an image has no colours."""
    from pikepdf import PdfImage
    from PIL import ImageChops

    red, green, blue = PdfImage(image).as_pil_image().convert("RGB").split()
    return not any(ImageChops.difference(red, other).getbbox() for other in (green, blue))


def is_shown(image: Any, data: bytes) -> bool:
    """Return whether an image, with its mask, has the pixels of a file."""
    mask = image.get("/SMask")
    if image.keys() - _KEYS - {"/SMask"} or (mask is not None and mask.keys() - _KEYS):
        return False  # others would change how it is painted
    if "/DecodeParms" in image:
        return mask is None and _has_rows(image, data)
    with opened("a picture", data) as picture:
        if image.Filter == "/DCTDecode":
            is_its_space = image.ColorSpace == _SPACES.get(picture.mode) and image.BitsPerComponent == 8
            return mask is None and is_its_space and image.read_raw_bytes() == data
        mode = next((mode for mode, space in _SPACES.items() if space == image.ColorSpace), None)
        is_alike = mode is not None and (mask is not None) is picture.has_transparency_data
        return is_alike and _has_pixels(image, picture, str(mode)) and (mask is None or _has_pixels(mask, picture, "A"))


def _has_rows(image: Any, data: bytes) -> bool:
    """Return whether an image has the unchanged rows of a PNG, in its colours; without alpha."""
    chunks = list(chunks_of(data))
    header, palette, rows = (b"".join([body for name, body in chunks if name == kind]) for kind in _PNG_PARTS)
    kind, colours = _PNG_KINDS.get(image.ColorSpace.unparse(), (_PALETTE, 1))
    width, bits = image.Width, image.BitsPerComponent
    said = {"/Predictor": 15, "/Colors": colours, "/BitsPerComponent": bits, "/Columns": width}
    has_its_colours = kind != _PALETTE or (
        [*image.ColorSpace[:3]] == ["/Indexed", "/DeviceRGB", len(palette) // 3 - 1]
        and bytes(image.ColorSpace[3]) == palette
    )
    return (
        image.Filter == "/FlateDecode"
        and dict(image.DecodeParms) == said
        and header == struct.pack(">IIBBBBB", width, image.Height, bits, kind, 0, 0, 0)
        and b"tRNS" not in dict(chunks)
        and has_its_colours
        and image.read_raw_bytes() == rows
    )


def _has_pixels(image: Any, picture: Image, mode: str) -> bool:
    """Return whether an image has a picture's pixels (`A`: its alpha), compared band by band."""
    kind = (image.Width, image.Height, image.BitsPerComponent, image.Filter)
    if kind != (*picture.size, 8, "/FlateDecode") or "/DecodeParms" in image:
        return False
    packed, stream, actual, wanted = image.read_raw_bytes(), zlib.decompressobj(), sha256(), sha256()
    while packed:
        actual.update(stream.decompress(packed, 1 << 20))
        packed = stream.unconsumed_tail
    for top in range(0, picture.height, _BAND):
        band = picture.crop((0, top, picture.width, min(top + _BAND, picture.height)))
        band = band.convert("RGBA") if picture.has_transparency_data else band
        wanted.update((band.getchannel("A") if mode == "A" else band.convert(mode)).tobytes())
    return actual.digest() == wanted.digest()
