"""PDF bytes -> what is in them, read with qpdf (pikepdf): pages, forms, images and fonts, and who uses what.

pikepdf and not pypdfium2, because a proof must see the objects: the names under which a page finds its forms, whether
a font file is really there, what its map says. Its import (about 0.1 s) is the larger part of a proof's cost.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from duckpress.proof.used_things import (
    FontRead,
    ImageRead,
    LayerRead,
    Number,
    Opacity,
    mask_form,
    numbers_in,
    read_font,
    read_image,
    read_layers,
    read_opacity,
    refuse_keys,
)

if TYPE_CHECKING:
    import pikepdf


class Used(Struct, frozen=True):
    """What a stream may use, by the names it uses: forms and images, fonts, layers, opacities, forms of masks."""

    objects: Mapping[str, Number]
    fonts: Mapping[str, Number]
    layers: Mapping[str, Number] = MappingProxyType({})
    states: Mapping[str, Opacity] = MappingProxyType({})
    masks: Mapping[str, Number] = MappingProxyType({})

    @property
    def groups(self) -> list[Number]:
        """The forms of groups that have an opacity, which are a part of whoever calls them."""
        return [number for name, number in self.objects.items() if name.startswith("G-")]


_NOTHING = Used({}, {})


class FormRead(Struct, frozen=True):
    """A form: its operators, its box (x1, y1, x2, y2), what it uses, and whether it is painted as one (a group)."""

    operators: bytes
    box: tuple[float, ...]
    used: Used
    is_transparent: bool = False


class PageRead(Struct, frozen=True):
    """A page: its boxes (x1, y1, x2, y2, in points; None where there is none), its operators and what it uses.

    Of the streams of a page these are the operators of the first one.
    """

    media: tuple[float, ...]
    trim: tuple[float, ...] | None
    bleed: tuple[float, ...] | None
    operators: bytes
    used: Used


class DocumentFacts(Struct, frozen=True):
    """What a document says of itself; `bookmarks` are titles, each with the index of the page that it leads to."""

    preferences: Mapping[str, str]
    title: str
    language: str
    layers: Mapping[Number, LayerRead]
    bookmarks: tuple[tuple[str, int], ...] = ()


class UnreadablePdf(Exception):
    """A file that is not a PDF, or not one of ours; the message says what was missing."""


@contextmanager
def opened_pdf(pdf: bytes) -> Iterator[OpenedPdf]:
    """Open a PDF to read from. Raises `UnreadablePdf` where it cannot be read at all."""
    import pikepdf

    with ExitStack() as stack:
        with _reading():
            if hasattr(os, "memfd_create"):
                # Through Python, qpdf takes three times as long to read as from what is mapped into memory.
                file = stack.enter_context(os.fdopen(os.memfd_create("proof"), "w+b"))
                file.write(pdf)
                file.flush()
                opened = pikepdf.open(file, access_mode=pikepdf.AccessMode.mmap_only)
            else:
                opened = pikepdf.open(io.BytesIO(pdf))
            document = OpenedPdf(stack.enter_context(opened))
        yield document


@contextmanager
def _reading() -> Iterator[None]:
    """Turn whatever reading a broken file raises into `UnreadablePdf`."""
    import pikepdf

    try:
        yield
    except (pikepdf.PdfError, KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadablePdf(str(error)) from error


class OpenedPdf:
    """A PDF that is open: its pages one by one; each form, image and font is read once, by who uses it first."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self.page_count = len(pdf.pages)
        self.forms: dict[Number, FormRead] = {}
        self.images: dict[Number, ImageRead] = {}
        self.fonts: dict[Number, FontRead] = {}
        self.used: dict[bytes, Used] = {}
        """What any page or form uses, by how it is written: equal resources are read once."""

    def page_numbers(self) -> tuple[list[Number], Number]:
        """Return the numbers of all pages' objects, and that of the list that they stand in."""
        with _reading():
            return [page.objgen[0] for page in self._pdf.Root.Pages.Kids], self._pdf.Root.Pages.objgen[0]

    def facts(self) -> DocumentFacts:
        """Return what the document says of itself."""
        with _reading():
            root = self._pdf.Root
            preferences = {key[1:]: str(value) for key, value in dict(root.get("/ViewerPreferences", {})).items()}
            title, language = str(self._pdf.docinfo.get("/Title", "")), str(root.get("/Lang", ""))
            layers = read_layers(root.get("/OCProperties"))
            return DocumentFacts(preferences, title, language, layers, tuple(self._bookmarks(root)))

    def _bookmarks(self, root: Any) -> Iterator[tuple[str, int]]:
        entry = root.get("/Outlines", {}).get("/First")
        numbers = {page.objgen: index for index, page in enumerate(self._pdf.pages)} if entry is not None else {}
        while entry is not None:
            yield str(entry.get("/Title", "")), numbers.get(entry.Dest[0].objgen, -1)
            entry = entry.get("/Next")

    def complaints(self) -> tuple[str, ...]:
        """Return what qpdf had to mend in all that was read since this was last asked."""
        return tuple(str(warning) for warning in self._pdf.get_warnings())

    def page(self, index: int) -> PageRead:
        """Return a page, with everything on it read; the first is 0."""
        with _reading():
            page = self._pdf.pages[index].obj
            refuse_keys(page, _PAGE_KEYS)
            boxes = [page.get(f"/{name}Box") for name in ("Trim", "Bleed")]
            trim, bleed = (None if box is None else numbers_in(box.unparse()) for box in boxes)
            media, used = numbers_in(page.MediaBox.unparse()), self._used(page.get("/Resources"))
            return PageRead(media, trim, bleed, _streams(page)[0].read_bytes(), used)

    def own_stream(self, index: int) -> tuple[bytes, Used] | None:
        """Return the operators of a page's second stream, and what it may use; None where there is no such stream.

        Faces are not read for it: it may use none.
        """
        with _reading():
            page = self._pdf.pages[index].obj
            streams = _streams(page)
            if len(streams) < 2:
                return None
            operators: bytes = streams[1].read_bytes()
            resources: Any = page.get("/Resources", {})
            fonts = {name[1:]: self._font(thing) for name, thing in resources.get("/Font", {}).items()}
            things = resources.get("/XObject", {}).items() if b" Do" in operators else ()
            objects = {name[1:]: self._object(thing) for name, thing in things if name[1:2] in "DP"}
            return operators, Used(objects, fonts)

    def through_groups(self, used: Used) -> Used:
        """Return what a stream and its groups use: a name stands for the same thing everywhere."""
        for number in used.groups:
            inner = self.through_groups(self.forms[number].used)
            used = Used({**used.objects, **inner.objects}, {**used.fonts, **inner.fonts})
        return used

    def _used(self, resources: Any) -> Used:
        if resources is None:
            return _NOTHING
        # Many faces use the same few things: their resources, written out, are the same bytes.
        written: bytes = resources.unparse()
        used = self.used.get(written)
        if used is None:
            objects = {name[1:]: self._object(thing) for name, thing in resources.get("/XObject", {}).items()}
            fonts = {name[1:]: self._font(thing) for name, thing in resources.get("/Font", {}).items()}
            layers = {name[1:]: thing.objgen[0] for name, thing in resources.get("/Properties", {}).items()}
            states = {name[1:]: read_opacity(state) for name, state in resources.get("/ExtGState", {}).items()}
            masks = {
                name[1:]: self._object(form)
                for name, state in resources.get("/ExtGState", {}).items()
                if (form := mask_form(state)) is not None
            }
            used = self.used[written] = Used(objects, fonts, layers, states, masks)
        return used

    def _object(self, thing: Any) -> Number:
        number: Number = thing.objgen[0]
        if number in self.forms or number in self.images:
            return number
        box = thing.get("/BBox")
        if box is not None:
            edges, group = numbers_in(box.unparse()), thing.get("/Group")
            refuse_keys(thing, _FORM_KEYS)
            is_transparent = group is not None and str(group.get("/S")) == "/Transparency"
            used = self._used(thing.get("/Resources"))
            self.forms[number] = FormRead(thing.read_bytes(), edges, used, is_transparent)
        else:
            self.images[number] = read_image(thing)
        return number

    def font(self, number: Number) -> FontRead:
        """Return a font by its number."""
        with _reading():
            return self.fonts[self._font(self._pdf.get_object(number, 0))]

    def _font(self, font: Any) -> Number:
        number: Number = font.objgen[0]
        if number not in self.fonts:
            self.fonts[number] = read_font(font)
        return number


def _streams(page: Any) -> list[Any]:
    """Return the streams of a page: one, and where it is of a copy of an edition, one with what only that copy has."""
    import pikepdf

    streams = list(page.Contents) if isinstance(page.Contents, pikepdf.Array) else [page.Contents]
    if not 1 <= len(streams) <= 2:
        raise ValueError(f"a page in {len(streams)} streams")
    return streams


# What else may stand in these would change how they are painted: a matrix, a turn of the page, another box.
_FORM_KEYS = frozenset(["/Type", "/Subtype", "/BBox", "/Group", "/Resources", "/Filter", "/Length"])
_PAGE_KEYS = frozenset(["/Type", "/Parent", "/MediaBox", "/TrimBox", "/BleedBox", "/Resources", "/Contents"])
