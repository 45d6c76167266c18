"""Booklets -> PDF bytes through reportlab: pages drawn on one canvas; faces, drawings, pictures and fonts each once.

Layers show on a screen, and may be left out where the document is printed. Verified with PDFium: an optional-content
group whose usage says `Print OFF`, together with an `AS` entry for the event `Print`, shows in a viewer and is gone on
paper. Viewers that know no such event print what they show. Source: ISO 32000-1, 8.11.4.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from duckpress import __version__
from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Frame, Text, every_item
from duckpress.core.geometry import IDENTITY, Rect, Size, rect_around
from duckpress.core.paths import rectangle
from duckpress.core.problems import Problem, UnusableContent
from duckpress.core.units import PT_PER_MM
from duckpress.impose import CUT_LAYER, FOLD_LAYER, Edges, Sheet, Side, all_items
from duckpress.render.bare_canvas import Entries, Form, Resources, number
from duckpress.render.fonts import GlyphFont
from duckpress.render.ink import Ink, Uses, uses_of
from duckpress.render.pdfdoc import PDFDictionary, PDFObjectReference, PDFPage, PDFStream, PDFString
from duckpress.render.pen import Pen
from duckpress.render.pictures import image_stream
from duckpress.render.shelf import Shelf

_DUPLEX = {None: "Simplex", "long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge"}
_LAYER_TITLES = {CUT_LAYER: "Cut lines", FOLD_LAYER: "Fold line"}


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


class DrawnPage(NamedTuple):
    """A page, its operators, the forms of its groups, and the booklet that it is of."""

    page: PDFPage
    code: str
    groups: Mapping[str, Ink]
    booklet: Booklet


class SheetDocument:
    """One document in the making: its pages are drawn first, and then what they name is added, each thing once."""

    def __init__(self, shelf: Shelf, booklets: Sequence[Booklet], info: DocumentInfo) -> None:
        self._shelf, self._booklets, self._info = shelf, booklets, info
        self._pen = pen = Pen(info.language)
        self._pages: list[DrawnPage] = []
        self._fonts: dict[str, GlyphFont] = {}
        self._resources_of: dict[Uses, PDFObjectReference] = {}
        self._entries_of: dict[object, Entries] = {}
        self._layers: dict[str, PDFObjectReference] = {}
        pen.setTitle(info.title)
        pen.setAuthor(info.author)
        pen.setSubject(info.subject)
        pen.setCreator("duckpress")
        pen.setProducer(f"duckpress {__version__} with ReportLab")
        pen.setViewerPreference("PrintScaling", "None")
        pen.setViewerPreference("DisplayDocTitle", "true")
        pen.setViewerPreference("Duplex", _DUPLEX[info.duplex])
        pen.identify(repr(info._replace(layers=dict(info.layers))))

    def faces(self) -> dict[str, Frame]:
        """Return the faces that lie on its pages, by their hashes."""
        sides = [(booklet, side) for booklet in self._booklets for _, side in self._sides(booklet)]
        return {one.frame: booklet.frames[one.frame] for booklet, side in sides for one in side.placements}

    def draw_pages(self) -> None:
        """Draw all pages; the faces on them may still be drawn elsewhere."""
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
        """Return the bytes of the document, whose faces are on the shelf by now.

        Raises `UnusableContent` with all fonts of which the letters in use cannot be had.
        """
        for page, code, groups, booklet in self._pages:
            page.Resources = self._resources(uses_of(code), groups, booklet)
            self._pen.identify(code)
        self._cut_fonts()
        if self._layers:
            self._pen.set_layers(self._layers.values())
        data: bytes = self._pen.getpdfdata()
        return data

    def _sides(self, booklet: Booklet) -> Iterator[tuple[Size, Side]]:
        """Yield the sides to print; in a document printed on both sides a sheet without a back has an empty one."""
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
        self._add_glyphs(pen.take_glyphs())
        pen.showPage()
        self._pages.append(DrawnPage(*pen.pages[-1], pen.groups, booklet))

    def _add_glyphs(self, glyphs: Mapping[str, bytes]) -> None:
        for key, stream in glyphs.items():
            if key not in self._fonts:
                self._fonts[key] = GlyphFont(key)
                self._pen.add_font(self._fonts[key])
            self._fonts[key].streams.append(stream)

    def _resources(self, uses: Uses, groups: Mapping[str, Ink], booklet: Booklet) -> PDFObjectReference:
        """Return the resources of a stream, which it shares with all that use the same."""
        known = self._resources_of.get(uses)
        if known is None:
            objects = {f"FormXob.{name}": self._object(name, groups, booklet) for name in uses.objects}
            states = {name: self._state(name, groups, booklet) for name in uses.states}
            layers = {f"L-{name}": self._layer(name) for name in uses.layers}
            resources = Resources(XObject=objects, ExtGState=states, Properties=layers)
            known = self._resources_of[uses] = self._pen.refer_to(resources)
        return known

    def _object(self, name: str, groups: Mapping[str, Ink], booklet: Booklet) -> PDFObjectReference:
        """Return a reference to a form or an image, added where it is not there yet."""
        if not self._pen.hasForm(name):
            kind, key = name[0], name[2:]
            if kind == "P":
                self._pen.add_form(name, self._image(key, booklet))
            elif kind == "G":
                self._pen.add_form(name, self._form(groups[name], booklet, is_group=True))
            else:
                ink = self._shelf.faces[key] if kind == "C" else self._shelf.drawing(key, booklet.drawings[key])
                self._pen.add_form(name, self._form(ink, booklet))
        return self._pen.form(name)

    def _form(self, ink: Ink, booklet: Booklet, *, is_group: bool = False) -> Form:
        self._add_glyphs(ink.glyphs)
        key = ink.box, ink.uses, is_group
        entries = self._entries_of.get(key)
        if entries is None:
            box = f"[{' '.join(map(number, ink.box.edges))}]"
            known = {"Type": "/XObject", "Subtype": "/Form", "BBox": box, "Filter": "/FlateDecode"}
            known |= {"Group": "<</S/Transparency/CS/DeviceRGB>>"} if is_group else {}
            known["Resources"] = self._resources(ink.uses, ink.groups, booklet)
            entries = self._entries_of[key] = Entries(known)
        return Form(entries, ink.data)

    def _image(self, key: str, booklet: Booklet) -> PDFStream:
        ink = self._shelf.picture(key, booklet.pictures[key].data)
        return image_stream(ink, ink.mask and self._pen.refer_to(image_stream(ink.mask)))

    def _state(self, name: str, groups: Mapping[str, Ink], booklet: Booklet) -> PDFDictionary:
        fill, stroke, *mask = name[1:].split("-", 2)
        entries: dict[str, object] = {"Type": "/ExtGState", "ca": int(fill) / 1000, "CA": int(stroke) / 1000}
        if mask:
            form = self._object(mask[0], groups, booklet)
            entries["SMask"] = PDFDictionary({"Type": "/Mask", "S": "/Luminosity", "G": form})
        return PDFDictionary(entries)

    def _layer(self, name: str) -> PDFObjectReference:
        known = self._layers.get(name)
        if known is None:
            state = "ON" if self._info.prints_layers else "OFF"
            usage = f"<</Print<</Subtype/PrintersMarks/PrintState/{state}>>/View<</ViewState/ON>>>>"
            title = PDFString(self._info.layers.get(name, _LAYER_TITLES[name]))
            group = PDFDictionary({"Type": "/OCG", "Name": title, "Intent": "/View", "Usage": usage})
            known = self._layers[name] = self._pen.refer_to(group)
        return known

    def _cut_fonts(self) -> None:
        """Cut the fonts, now that all glyphs they must hold are known."""
        uncut: list[Problem] = []
        for key, font in self._fonts.items():
            try:
                font.cut = self._shelf.subset(key, font.glyphs(), self._said_in(key), self._info.language)
            except UnusableContent as unusable:
                uncut += unusable.problems
            else:
                self._pen.identify(font.cut[1].name)
        if uncut:
            raise UnusableContent(*uncut)

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


def _box_pt(rects: Sequence[Rect], side: Side, paper: Size) -> tuple[float, ...]:
    """Return the box of a page around rectangles on a side, in points from the bottom left; the page where none is."""
    around = side.map.around(rect_around(rects)) if rects else Rect(0.0, 0.0, *paper)
    bottom_mm, top_mm = paper.height_mm - around.bottom_mm, paper.height_mm - around.y_mm
    return tuple(edge * PT_PER_MM for edge in (around.x_mm, bottom_mm, around.right_mm, top_mm))
