"""Drawn booklets -> PDF bytes: pages, the forms they place, fonts and pictures, each once, in order of first use.

Layers show on a screen, and may be left out where the document is printed. Verified with PDFium: an optional-content
group whose usage says `Print OFF`, together with an `AS` entry for the event `Print`, shows in a viewer and is gone on
paper. Viewers that know no such event print what they show. Source: ISO 32000-1, 8.11.4.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from duckpress import __version__
from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Frame, Text, every_item
from duckpress.core.problems import Problem, UnusableContent
from duckpress.core.units import PT_PER_MM
from duckpress.impose import CUT_LAYER, FOLD_LAYER, Sheet, all_items
from duckpress.render.drawn import DrawnPage, InkShelf
from duckpress.render.embedded import descriptor_dictionary
from duckpress.render.ink import Ink, distinct_glyphs
from duckpress.render.item_operators import box_operands, mask_of, number, state_dictionary
from duckpress.render.pdfdoc import (
    IndirectObject,
    PDFDestinationFit,
    PDFDocument,
    ViewerPreferencesPDFDictionary,
    reference,
    stream,
)

_PDF_VERSION = (1, 7)  # the first with the viewer preference `Duplex`
_DUPLEX = {None: "Simplex", "long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge"}
_LAYER_TITLES = {CUT_LAYER: "Cut lines", FOLD_LAYER: "Fold line"}
_TRANSPARENT = "/Group<</S/Transparency/CS/DeviceRGB>>"


class Booklet(NamedTuple):
    """The sheets of one piece, in printing order, with all that lies on them, each thing under its key or hash."""

    title: str
    sheets: tuple[Sheet, ...]
    frames: Mapping[str, Frame]
    drawings: Mapping[str, Drawing]
    pictures: Mapping[str, PictureData]


class DocumentInfo(NamedTuple):
    """What a document says about itself; `duplex` is the edge it is turned on (`long`, `short`), None for one side.

    `layers` are the titles of its layers by their names, English where there is none. With `prints_layers` False they
    show on a screen and are left out in print.
    """

    title: str
    author: str = ""
    subject: str = ""
    language: str = "en"
    duplex: str | None = None
    layers: Mapping[str, str] = MappingProxyType({})
    prints_layers: bool = True


class PdfDocument:
    """One document in the making: what already has a number, and which glyphs are used; it is written once.

    The faces of its pages, and those it takes before, are on the shelf by then.
    """

    def __init__(self, shelf: InkShelf, booklets: Sequence[Booklet], info: DocumentInfo) -> None:
        self._shelf = shelf
        self._booklets = booklets
        self._info = info
        self._pdf = PDFDocument(invariant=1, pdfVersion=_PDF_VERSION, lang=info.language)
        self._references: dict[str, str] = {}
        self._fonts: dict[str, IndirectObject] = {}
        self._shared: dict[tuple[tuple[str, ...], ...], tuple[str, str]] = {}
        self._glyphs: dict[str, list[bytes]] = {}
        self._layers: dict[str, str] = {}

    def write(self, pages: Sequence[Sequence[DrawnPage]]) -> bytes:
        """Return the document's bytes, `pages` being those of each booklet.

        Raises `UnusableContent` with all fonts of which the letters in use cannot be had.
        """
        self._describe()
        bookmarks = []
        for booklet, drawn in zip(self._booklets, pages, strict=True):
            added = [self._add_page(booklet, page) for page in drawn]
            bookmarks += [(booklet.title, page) for page in added[:1]]
        uncut: list[Problem] = []
        for key, font in self._fonts.items():
            try:
                self._write_font(key, font)
            except UnusableContent as unusable:
                uncut += unusable.problems
        if uncut:
            raise UnusableContent(*uncut)
        self._bookmark(bookmarks)
        self._write_layers()
        data: bytes = self._pdf.GetPDFData(None)
        return data

    def take_faces(self, faces: Mapping[str, Booklet]) -> None:
        """Add faces, each with a booklet that it is in."""
        for key, booklet in faces.items():
            self._face(key, booklet)

    def _describe(self) -> None:
        pdf, info = self._pdf, self._info
        pdf.setTitle(info.title)
        pdf.setAuthor(info.author)
        pdf.setSubject(info.subject)
        pdf.setKeywords("")
        pdf.setCreator("duckpress")
        pdf.setProducer(f"duckpress {__version__} with ReportLab")
        preferences = ViewerPreferencesPDFDictionary()
        preferences["PrintScaling"] = "None"
        preferences["DisplayDocTitle"] = "true"
        preferences["Duplex"] = _DUPLEX[info.duplex]
        pdf.Catalog.ViewerPreferences = preferences

    def _bookmark(self, entries: Sequence[tuple[str, IndirectObject]]) -> None:
        outlines = self._pdf.Outlines
        tree = []
        for at, (title, page) in enumerate(entries):
            outlines.destinationnamestotitles[str(at)] = title
            tree.append({str(at): PDFDestinationFit(page)})
        if tree:
            outlines.setDestinations(tree)
        if len(tree) > 1:
            self._pdf.Catalog.showOutline()

    def _add_page(self, booklet: Booklet, drawn: DrawnPage) -> IndirectObject:
        self._pdf.updateSignature(drawn.identity)  # the file's identity
        faces = {key: self._face(key, booklet) for key in drawn.faces}
        resources = self._resources(drawn.ink, booklet, faces, self._properties(drawn.layers))
        contents = IndirectObject(stream("/Filter/FlateDecode", drawn.ink.data))
        page = IndirectObject()
        parent = reference(self._pdf, self._pdf.Pages)
        width, height = (number(edge * PT_PER_MM) for edge in drawn.paper)
        page.body = (
            f"<</Type/Page/Parent {parent}/MediaBox[0 0 {width} {height}]"
            f"/TrimBox[{drawn.trim}]/BleedBox[{drawn.bleed}]/Resources{resources}"
            f"/Contents {reference(self._pdf, contents)}>>"
        ).encode("ascii")
        self._pdf.addPage(page)
        return page

    def _once(self, name: str, make: Callable[[], IndirectObject]) -> str:
        """Return the reference to what goes by a name, made where it is not there yet."""
        known = self._references.get(name)
        if known is None:
            known = self._references[name] = reference(self._pdf, make())
        return known

    def _face(self, key: str, booklet: Booklet) -> str:
        return self._form(f"C-{key}", self._shelf.faces[key], booklet)

    def _form(self, name: str, ink: Ink, booklet: Booklet, group: str = "") -> str:
        def make() -> IndirectObject:
            resources = self._resources(ink, booklet, {})
            entries = f"/Type/XObject/Subtype/Form/BBox[{box_operands(ink.box)}]{group}/Resources{resources}"
            return IndirectObject(stream(f"{entries}/Filter/FlateDecode", ink.data))

        return self._once(name, make)

    def _resources(self, ink: Ink, booklet: Booklet, faces: Mapping[str, str], properties: str = "") -> str:
        """Return the resources of a stream: what it uses and nothing else."""
        for key, glyphs in ink.glyphs.items():
            self._glyphs.setdefault(key, []).append(glyphs)
        objects = [f"/C-{key} {face}" for key, face in faces.items()]
        objects += [f"/{name} {self._form(name, inner, booklet, _TRANSPARENT)}" for name, inner in ink.groups.items()]
        uses = (ink.drawings, ink.pictures, tuple(ink.glyphs), ink.states)
        shared = self._shared.get(uses)
        if shared is None:
            shared = self._shared[uses] = self._shared_resources(ink, booklet)
        objects.append(shared[0])
        return f"<<{_dictionary('XObject', ''.join(objects))}{shared[1]}{properties}>>"

    def _shared_resources(self, ink: Ink, booklet: Booklet) -> tuple[str, str]:
        """Return the resources that many faces have in common: drawings and pictures; fonts and graphics states."""
        fonts = _dictionary("Font", "".join(f"/F-{key} {self._font(key)}" for key in ink.glyphs))
        masks = self._references  # forms have one by now
        written = [f"/{name}{state_dictionary(name, masks.get(mask_of(name), ''))}" for name in ink.states]
        states = _dictionary("ExtGState", "".join(written))
        objects = ""
        for key in ink.drawings:
            drawing = self._shelf.drawing(key, booklet.drawings[key])
            objects += f"/D-{key} {self._form(f'D-{key}', drawing, booklet)}"
        for key in ink.pictures:
            objects += f"/P-{key} {self._image(key, booklet)}"
        return objects, fonts + states

    def _image(self, key: str, booklet: Booklet) -> str:
        def make() -> IndirectObject:
            ink = self._shelf.picture(key, booklet.pictures[key].data)
            entries = ink.dictionary
            if ink.mask is not None:
                entries += f"/SMask {reference(self._pdf, IndirectObject(stream(ink.mask.dictionary, ink.mask.data)))}"
            return IndirectObject(stream(entries, ink.data))

        return self._once(f"P-{key}", make)

    def _font(self, key: str) -> str:
        return self._once(f"F-{key}", lambda: self._fonts.setdefault(key, IndirectObject()))

    def _write_font(self, key: str, font: IndirectObject) -> None:
        """Write a font, now that all glyphs it must hold are known."""

        def entered(body: bytes) -> str:
            return reference(self._pdf, IndirectObject(body))

        ink = self._shelf.subset(key, distinct_glyphs(self._glyphs[key]), self._said_in(key))
        typeface = self._shelf.fonts.load_key(key)
        assert typeface is not None
        kind, how, glyph_map = "CIDFontType2", f"/Length1 {ink.file_length}", "/CIDToGIDMap/Identity"
        if typeface.is_compact:
            kind, how, glyph_map = "CIDFontType0", "/Subtype/CIDFontType0C", ""
        file = entered(stream(f"{how}/Filter/FlateDecode", ink.file))
        descriptor = entered(descriptor_dictionary(typeface, ink, file).encode("ascii"))
        descendant = entered(
            f"<</Type/Font/Subtype/{kind}/BaseFont/{ink.name}{glyph_map}/DW 1000/W[{ink.widths}]"
            f"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor {descriptor}>>".encode()
        )
        font.body = (
            f"<</Type/Font/Subtype/Type0/BaseFont/{ink.name}/Encoding/Identity-H/DescendantFonts[{descendant}]"
            f"/ToUnicode {entered(stream('/Filter/FlateDecode', ink.to_unicode))}>>"
        ).encode("ascii")
        self._pdf.updateSignature(ink.name)

    def _properties(self, layers: Sequence[str]) -> str:
        """Return the resources of a page with these layers, or nothing."""
        return _dictionary("Properties", "".join(f"/L-{name} {self._layer(name)}" for name in layers))

    def _layer(self, name: str) -> str:
        known = self._layers.get(name)
        if known is None:
            state = "ON" if self._info.prints_layers else "OFF"
            # UTF-16 with its mark, in hexadecimal.
            title = self._info.layers.get(name, _LAYER_TITLES[name]).encode("utf-16-be").hex().upper()
            usage = f"/Usage<</Print<</Subtype/PrintersMarks/PrintState/{state}>>/View<</ViewState/ON>>>>"
            group = IndirectObject(f"<</Type/OCG/Name <FEFF{title}>/Intent/View{usage}>>".encode("ascii"))
            known = self._layers[name] = reference(self._pdf, group)
        return known

    def _write_layers(self) -> None:
        """Enter the layers that were used into the document's catalog."""
        if not self._layers:
            return
        groups = " ".join(self._layers.values())
        events = "".join(f"<</Event/{event}/OCGs[{groups}]/Category[/{event}]>>" for event in ("View", "Print"))
        body = f"<</OCGs[{groups}]/D<</Name(Layers)/BaseState/ON/ON[{groups}]/Order[{groups}]/AS[{events}]>>>>"
        catalog = self._pdf.Catalog
        # reportlab writes the entries of a catalog that it lists, and knows no layers.
        catalog.__NoDefault__ = catalog.__Refs__ = [*type(catalog).__NoDefault__, "OCProperties"]
        catalog.OCProperties = IndirectObject(body.encode("ascii"))

    def _said_in(self, key: str) -> Iterator[str]:
        """Yield the texts set in a typeface; asked for only where its own tables do not say what a glyph says."""
        for booklet in self._booklets:
            frames = [frame.items for frame in booklet.frames.values()]
            sides = [side for sheet in booklet.sheets for side in (sheet.front, sheet.back) if side is not None]
            for items in (*frames, *map(all_items, sides)):
                before, joined = None, ""
                for item in every_item(items, booklet.drawings):
                    if isinstance(item, Text) and item.font == key:
                        # Marks of a word may stand on a baseline of their own.
                        is_part = before is not None and 0.0 < abs(before.y_mm - item.y_mm) < item.size_mm / 2
                        before, joined = item, joined + item.text if is_part else item.text
                        yield joined


def _dictionary(name: str, entries: str) -> str:
    return f"/{name}<<{entries}>>" if entries else ""
