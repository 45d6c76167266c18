"""Booklets -> PDF bytes through reportlab: pages drawn on one canvas; faces, drawings, pictures and fonts once each.

Layers show on a screen, and may be left out where the document is printed. Verified with PDFium: an optional-content
group whose usage says `Print OFF`, together with an `AS` entry for the event `Print`, shows in a viewer and is gone on
paper. Viewers that know no such event print what they show. Source: ISO 32000-1, 8.11.4.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from duckpress import __version__
from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Frame
from duckpress.core.geometry import IDENTITY, PT_PER_MM, Rect, Size, rect_around
from duckpress.core.paths import rectangle
from duckpress.core.problems import Problem, UnusableContent
from duckpress.files.memo import Pack
from duckpress.impose import CUT_LAYER, FOLD_LAYER, Edges, Sheet, Side
from duckpress.render.bare_canvas import Form, Resources, pdfdoc
from duckpress.render.fonts import GlyphFont
from duckpress.render.pen import Ink, Pen, Words, uses_of
from duckpress.render.pictures import image_stream
from duckpress.render.shelf import Shelf, drawing_faces
from duckpress.text.fonts import FontLibrary

Reference: TypeAlias = pdfdoc.PDFObjectReference
_DUPLEX = {None: "Simplex", "long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge"}
_LAYER_TITLES = {CUT_LAYER: "Cut lines", FOLD_LAYER: "Fold line"}


class Booklet(NamedTuple):
    """The sheets of one piece, in printing order, with all their content, by key or hash."""

    title: str
    sheets: tuple[Sheet, ...]
    frames: Mapping[str, Frame]
    drawings: Mapping[str, Drawing]
    pictures: Mapping[str, PictureData]


class DocumentInfo(NamedTuple):
    """A document's properties; `duplex` is the edge it is turned on (`long`, `short`), None for one side.

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


class SheetDocument:
    """One document in the making: first its pages are drawn, then their resources are added, once each."""

    def __init__(self, shelf: Shelf, booklets: Sequence[Booklet], info: DocumentInfo) -> None:
        self._shelf, self._booklets, self._info = shelf, booklets, info
        self._pen = pen = Pen(info.language)
        self._document = pen.document
        self._pages: list[tuple[Mapping[str, Ink], Booklet]] = []
        self._fonts: dict[str, GlyphFont] = {}
        self._resources_of: dict[tuple[str, ...], Reference] = {}
        self._states: dict[str, Reference] = {}
        self._layers: dict[str, Reference] = {}
        pen.setTitle(info.title)
        pen.setAuthor(info.author)
        pen.setSubject(info.subject)
        pen.setCreator("duckpress")
        pen.setProducer(f"duckpress {__version__} with ReportLab")
        pen.setViewerPreference("PrintScaling", "None")
        pen.setViewerPreference("DisplayDocTitle", "true")
        pen.setViewerPreference("Duplex", _DUPLEX[info.duplex])
        self._document.updateSignature(repr(info._replace(layers=dict(info.layers))))

    def faces(self) -> dict[str, Frame]:
        """Return the faces on its pages, by their hashes."""
        sides = [(booklet, side) for booklet in self._booklets for _, side in self._sides(booklet)]
        return {one.frame: booklet.frames[one.frame] for booklet, side in sides for one in side.placements}

    def draw_pages(self) -> None:
        """Draw all pages; their faces may still be drawn by other processes."""
        for booklet in self._booklets:
            for at, (paper, side) in enumerate(self._sides(booklet)):
                if at == 0:
                    key = f"page-{self._pen.getPageNumber()}"
                    self._pen.bookmarkPage(key)
                    self._pen.addOutlineEntry(booklet.title, key)
                self._draw_page(booklet, side, paper)
        if sum(bool(booklet.sheets) for booklet in self._booklets) > 1:
            self._pen.showOutline()

    def write(self) -> bytes:
        """Return the bytes of the document; its faces must be drawn by now.

        Raises `UnusableContent` with all fonts of which the letters in use cannot be had.
        """
        for (page, code), (groups, booklet) in zip(self._pen.pages, self._pages, strict=True):
            page.Resources = self._resources(uses_of(code), groups, booklet)
            self._document.updateSignature(code)
        self._cut_fonts()
        if self._layers:
            self._list_layers()
        return bytes(self._pen.getpdfdata())

    def _sides(self, booklet: Booklet) -> Iterator[tuple[Size, Side]]:
        """Yield the sides to print; in a duplex document a missing back becomes an empty side."""
        for sheet in booklet.sheets:
            yield sheet.paper, sheet.front
            if sheet.back is not None or self._info.duplex is not None:
                yield sheet.paper, sheet.back or Side((), ())

    def _draw_page(self, booklet: Booklet, side: Side, paper: Size) -> None:
        pen = self._pen
        pen.begin(Rect(0.0, 0.0, *paper))
        pen.setPageSize((paper.width_mm * PT_PER_MM, paper.height_mm * PT_PER_MM))
        if side.map != IDENTITY:
            pen.move(side.map)
        trims, shown = [], []
        for placement in side.placements:
            frame = booklet.frames[placement.frame]
            trim = placement.trim_box(frame.trim)
            seen = Edges(*(min(frame.bleed_mm, edge_mm) for edge_mm in placement.bleed)).around(trim)
            clip = rectangle(*seen) if min(placement.bleed) < frame.bleed_mm else None
            pen.place(f"C-{placement.frame}", placement.matrix(frame.trim), clip)
            trims.append(trim.shared(seen))  # of a tile's trim only what it shows counts
            shown.append(seen)
        pen.draw(side.items)
        if side.code is not None:
            pen.stamp(side.code.rows, side.code.box, side.code.colour)
        pen.draw(side.own)
        pen.setTrimBox(_box_pt(trims, side, paper))
        pen.setBleedBox(_box_pt(shown, side, paper))
        self._add_words(pen.take_words())
        pen.showPage()
        self._pages.append((pen.groups, booklet))

    def _add_words(self, words: Mapping[str, Words]) -> None:
        for key, stream in words.items():
            if key not in self._fonts:
                self._fonts[key] = GlyphFont(key)
                self._document.delayedFonts.append(self._fonts[key])
            self._fonts[key].streams.append(stream)

    def _resources(self, uses: tuple[str, ...], groups: Mapping[str, Ink], booklet: Booklet) -> Reference:
        """Return the resources of a stream, shared by streams with equal uses."""
        known = self._resources_of.get(uses)
        if known is None:
            named = {name: self._named(name, groups, booklet) for name in uses}
            known = self._resources_of[uses] = self._document.Reference(Resources(named))
        return known

    def _named(self, name: str, groups: Mapping[str, Ink], booklet: Booklet) -> Reference:
        if name[0] == "O":
            return self._state(name, groups, booklet)
        return self._layer(name) if name[0] == "L" else self._object(name, groups, booklet)

    def _object(self, name: str, groups: Mapping[str, Ink], booklet: Booklet) -> Reference:
        """Return a reference to a form or an image, adding it at its first use."""
        name = name.removeprefix("FormXob.")
        if not self._document.hasForm(name):
            kind, key = name[0], name[2:]
            if kind == "P":
                self._document.addForm(name, self._image(key, booklet))
            elif kind == "G":
                self._document.addForm(name, self._form(groups[name], booklet, is_group=True))
            else:
                ink = self._shelf.face(key) if kind == "C" else self._shelf.drawing(key, booklet.drawings[key])
                self._document.addForm(name, self._form(ink, booklet))
        return Reference(self._document.getXObjectName(name))

    def _form(self, ink: Ink, booklet: Booklet, *, is_group: bool = False) -> Form:
        self._add_words(ink.words)
        return Form(ink.box, self._resources(ink.uses, ink.groups, booklet), ink.data, is_group=is_group)

    def _image(self, key: str, booklet: Booklet) -> pdfdoc.PDFStream:
        ink = self._shelf.picture(key, booklet.pictures[key].data)
        return image_stream(ink, ink.mask and self._document.Reference(image_stream(ink.mask)))

    def _state(self, name: str, groups: Mapping[str, Ink], booklet: Booklet) -> Reference:
        if name not in self._states:
            fill, stroke, *mask = name[1:].split("-", 2)
            entries: dict[str, object] = {"Type": "/ExtGState", "ca": int(fill) / 1000, "CA": int(stroke) / 1000}
            if mask:
                form = self._object(mask[0], groups, booklet)
                entries["SMask"] = pdfdoc.PDFDictionary({"Type": "/Mask", "S": "/Luminosity", "G": form})
            self._states[name] = self._document.Reference(pdfdoc.PDFDictionary(entries))
        return self._states[name]

    def _layer(self, name: str) -> Reference:
        if name not in self._layers:
            state, key = "ON" if self._info.prints_layers else "OFF", name.removeprefix("L-")
            usage = f"<</Print<</Subtype/PrintersMarks/PrintState/{state}>>/View<</ViewState/ON>>>>"
            title = pdfdoc.PDFString(self._info.layers.get(key, _LAYER_TITLES[key]))
            group = pdfdoc.PDFDictionary({"Type": "/OCG", "Name": title, "Intent": "/View", "Usage": usage})
            self._layers[name] = self._document.Reference(group)
        return self._layers[name]

    def _list_layers(self) -> None:
        """Let viewers list the layers, and follow each layer's settings for screen and print."""
        every = pdfdoc.PDFArray(self._layers.values())
        events = [{"Event": name, "OCGs": every, "Category": f"[{name}]"} for name in ("/View", "/Print")]
        shown = {"Name": pdfdoc.PDFString("Layers"), "BaseState": "/ON", "ON": every, "Order": every}
        shown["AS"] = pdfdoc.PDFArray(map(pdfdoc.PDFDictionary, events))
        self._pen.enter("OCProperties", {"OCGs": every, "D": pdfdoc.PDFDictionary(shown)})

    def _cut_fonts(self) -> None:
        """Subset the fonts, now that all their glyphs are known."""
        uncut: list[Problem] = []
        for key, font in self._fonts.items():
            try:
                font.cut = self._shelf.subset(key, font.glyphs(), font.streams, self._info.language)
            except UnusableContent as unusable:
                uncut += unusable.problems
            else:
                self._document.updateSignature(font.cut[1].name)
        if uncut:
            raise UnusableContent(*uncut)


def _box_pt(rects: Sequence[Rect], side: Side, paper: Size) -> tuple[float, ...]:
    """Return the box around rectangles on a side, in points from the bottom left; the page if there are none."""
    around = side.map.around(rect_around(rects)) if rects else Rect(0.0, 0.0, *paper)
    bottom_mm, top_mm = paper.height_mm - around.bottom_mm, paper.height_mm - around.y_mm
    return tuple(edge * PT_PER_MM for edge in (around.x_mm, bottom_mm, around.right_mm, top_mm))


class Renderer:
    """Makes documents, and caches what they share: a face drawn for A4 is not drawn again for Letter."""

    def __init__(self, fonts: FontLibrary, pack: Pack | None = None) -> None:
        """Take fonts, and the drawings of earlier builds."""
        self._shelf = Shelf(fonts, pack)
        self._drawing: Callable[[], dict[str, Ink]] = dict

    def branch(self) -> Renderer:
        """Return an independent renderer that begins with all drawings of this one."""
        other = Renderer(self._shelf.fonts)
        other._shelf = self._shelf.branch()
        return other

    def unpack(self, pictures: Iterable[str]) -> None:
        """Leave the pictures with these keys uncompressed, for documents that are only turned into pixels."""
        self._shelf.unpacked = frozenset(pictures)

    @contextmanager
    def drawing(self, frames: Mapping[str, Frame], jobs: int) -> Iterator[None]:
        """Let other processes draw faces, by their hashes, while this one imposes them.

        The next document takes them. What is drawn is the same with it or without.
        """
        new = [key for key in frames if not self._shelf.has_face(key)]
        with drawing_faces([frames[key] for key in new], jobs) as results:
            self._drawing = lambda: dict(zip(new, results(), strict=True))
            try:
                yield
            finally:
                self._drawing = dict

    def render(self, booklets: Sequence[Booklet], info: DocumentInfo, jobs: int = 1) -> bytes:
        """Return the PDF of booklets, one bookmark each; its faces are drawn by up to `jobs` processes.

        The same booklets give the same bytes.
        """
        document = SheetDocument(self._shelf, booklets, info)
        self._shelf.add_faces(self._drawing())
        self._drawing = dict
        new = {key: frame for key, frame in document.faces().items() if not self._shelf.has_face(key)}
        with drawing_faces(list(new.values()), jobs) as results:
            document.draw_pages()  # while others draw faces
            self._shelf.add_faces(dict(zip(new, results(), strict=True)))
        return document.write()


def render_pdf(booklets: Sequence[Booklet], fonts: FontLibrary, info: DocumentInfo) -> bytes:
    """Return the PDF of booklets; for several documents with the same faces, use a `Renderer`."""
    return Renderer(fonts).render(booklets, info)
