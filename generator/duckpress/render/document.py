"""Drawn booklets -> PDF bytes: pages, the forms they place, fonts and pictures, each once, in order of first use.

Layers show on a screen, and may be left out where the document is printed. Verified with PDFium: an optional-content
group whose usage says `Print OFF`, together with an `AS` entry for the event `Print`, shows in a viewer and is gone on
paper. Viewers that know no such event print what they show. Source: ISO 32000-1, 8.11.4.4.
"""

from __future__ import annotations

import hashlib
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
from duckpress.render.font_objects import FontObjects
from duckpress.render.glyph_use import GlyphUse
from duckpress.render.ink import Ink
from duckpress.render.item_operators import box_operands, mask_of, number, state_dictionary
from duckpress.render.pdf_file import Number, PdfFile, text

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


class PageObjects(NamedTuple):
    """A page of a document: how it is drawn, the number of its object, and those of its contents.

    `own` is that of what only a copy of an edition has, 0 where there is none.
    """

    drawn: DrawnPage
    number: Number
    contents: Number
    own: Number


class PdfDocument:
    """One document in the making: what already has a number, and which glyphs are used; it is written once.

    The faces of its pages, and those it takes before, are on the shelf by then.
    """

    def __init__(self, shelf: InkShelf, booklets: Sequence[Booklet], info: DocumentInfo) -> None:
        self._shelf = shelf
        self._booklets = booklets
        self._info = info
        self._file = PdfFile()
        self._catalog, self._facts, self._list = self._file.add(), self._file.add(), self._file.add()
        self._numbers: dict[str, Number] = {}
        self._pages: list[PageObjects] = []
        self._fonts: dict[str, FontObjects] = {}
        self._shared: dict[tuple[tuple[str, ...], ...], tuple[str, str]] = {}
        self._glyphs: dict[str, GlyphUse] = {}
        self._layers: dict[str, Number] = {}

    def write(self, pages: Sequence[Sequence[DrawnPage]]) -> bytes:
        """Return the document's bytes, `pages` being those of each booklet.

        Raises `UnusableContent` with all fonts of which the letters in use cannot be had.
        """
        bookmarks = []
        for booklet, drawn in zip(self._booklets, pages, strict=True):
            added = [self._add_page(booklet, page) for page in drawn]
            bookmarks += [(booklet.title, page) for page in added[:1]]
        kids = " ".join(f"{page.number} 0 R" for page in self._pages)
        self._file.put(self._list, f"<</Type/Pages/Count {len(self._pages)}/Kids[{kids}]>>")
        for font in self._fonts.values():
            font.enter(self._file)
        self._write_fonts()
        self._describe(bookmarks)
        return self._written()

    def take_faces(self, faces: Mapping[str, Booklet]) -> None:
        """Add faces, each with a booklet that it is in."""
        for key, booklet in faces.items():
            self._face(key, booklet)

    def _written(self) -> bytes:
        """Return the bytes of the file, now that all its objects have theirs."""
        identity = hashlib.sha256(repr(self._info).encode())
        for page in self._pages:
            identity.update(page.drawn.identity)
        for font in self._fonts.values():
            identity.update(font.name.encode("ascii"))
        return self._file.written(self._catalog, self._facts, identity.hexdigest()[:32])

    def _describe(self, bookmarks: Sequence[tuple[str, Number]]) -> None:
        info = self._info
        facts = (
            f"<</Title{text(info.title)}/Author{text(info.author)}/Subject{text(info.subject)}/Creator(duckpress)"
            f"/Producer(duckpress {__version__} with ReportLab)/Trapped/False>>"
        )
        self._file.put(self._facts, facts)
        duplex = f"/ViewerPreferences<</PrintScaling/None/DisplayDocTitle true/Duplex/{_DUPLEX[info.duplex]}>>"
        shown = "UseOutlines" if len(bookmarks) > 1 else "UseNone"
        outlines = f"/Outlines {self._file.add_bookmarks(bookmarks)} 0 R" if bookmarks else ""
        catalog = (
            f"<</Type/Catalog/Pages {self._list} 0 R/Lang{text(info.language)}/PageMode/{shown}{duplex}{outlines}"
            f"{self._all_layers()}>>"
        )
        self._file.put(self._catalog, catalog)

    def _add_page(self, booklet: Booklet, drawn: DrawnPage) -> Number:
        self._use_glyphs(drawn.ink)
        if drawn.own is not None:
            self._use_glyphs(drawn.own)
        for key in drawn.faces:
            self._face(key, booklet)
        own = 0 if drawn.own is None else self._file.add()
        page = PageObjects(drawn, self._file.add(), self._file.add(), own)
        self._pages.append(page)
        self._write_page(booklet, page)
        return page.number

    def _write_page(self, booklet: Booklet, page: PageObjects) -> None:
        """Write a page; its faces have numbers."""
        drawn = page.drawn
        faces = {key: self._numbers[f"C-{key}"] for key in drawn.faces}
        uses = drawn.ink.with_uses(drawn.own)
        resources = self._resources(uses, booklet, faces, self._properties(drawn.layers))
        width, height = (number(edge * PT_PER_MM) for edge in drawn.paper)
        self._file.put_stream(page.contents, "/Filter/FlateDecode", drawn.ink.data)
        contents = f" {page.contents} 0 R"
        if drawn.own is not None:
            self._file.put_stream(page.own, "/Filter/FlateDecode", drawn.own.data)
            contents = f"[{page.contents} 0 R {page.own} 0 R]"
        self._file.put(
            page.number,
            f"<</Type/Page/Parent {self._list} 0 R/MediaBox[0 0 {width} {height}]"
            f"/TrimBox[{drawn.trim}]/BleedBox[{drawn.bleed}]/Resources{resources}/Contents{contents}>>",
        )

    def _once(self, name: str, make: Callable[[], Number]) -> Number:
        """Return the number of what goes by a name, made where it is not there yet."""
        known = self._numbers.get(name)
        if known is None:
            known = self._numbers[name] = make()
        return known

    def _face(self, key: str, booklet: Booklet) -> Number:
        return self._form(f"C-{key}", self._shelf.faces[key], booklet)

    def _form(self, name: str, ink: Ink, booklet: Booklet, group: str = "") -> Number:
        def make() -> Number:
            self._use_glyphs(ink)
            return self._file.add_stream(self._form_entries(ink, booklet, group), ink.data)

        return self._once(name, make)

    def _form_entries(self, ink: Ink, booklet: Booklet, group: str = "") -> str:
        resources = self._resources(ink, booklet, {})
        box = box_operands(ink.box)
        return f"/Type/XObject/Subtype/Form/BBox[{box}]{group}/Resources{resources}/Filter/FlateDecode"

    def _use_glyphs(self, ink: Ink) -> None:
        for key, glyphs in ink.glyphs.items():
            self._glyphs.setdefault(key, GlyphUse()).add(glyphs)

    def _resources(self, ink: Ink, booklet: Booklet, faces: Mapping[str, Number], properties: str = "") -> str:
        """Return the resources of a stream: what it uses and nothing else."""
        objects = [f"/C-{key} {face} 0 R" for key, face in faces.items()]
        for name, inner in ink.groups.items():
            objects.append(f"/{name} {self._form(name, inner, booklet, _TRANSPARENT)} 0 R")
        uses = (ink.drawings, ink.pictures, tuple(ink.glyphs), ink.states)
        shared = self._shared.get(uses)
        if shared is None:
            shared = self._shared[uses] = self._shared_resources(ink, booklet)
        objects.append(shared[0])
        return f"<<{_dictionary('XObject', ''.join(objects))}{shared[1]}{properties}>>"

    def _shared_resources(self, ink: Ink, booklet: Booklet) -> tuple[str, str]:
        """Return the resources that many faces have in common: drawings and pictures; fonts and graphics states."""
        fonts = _dictionary("Font", "".join(f"/F-{key} {self._font(key)} 0 R" for key in ink.glyphs))
        masks = self._numbers  # forms have one by now
        written = [f"/{name}{state_dictionary(name, masks.get(mask_of(name)))}" for name in ink.states]
        states = _dictionary("ExtGState", "".join(written))
        objects = ""
        for key in ink.drawings:
            drawing = self._shelf.drawing(key, booklet.drawings[key])
            objects += f"/D-{key} {self._form(f'D-{key}', drawing, booklet)} 0 R"
        for key in ink.pictures:
            objects += f"/P-{key} {self._image(key, booklet)} 0 R"
        return objects, fonts + states

    def _image(self, key: str, booklet: Booklet) -> Number:
        def make() -> Number:
            ink = self._shelf.picture(key, booklet.pictures[key].data)
            entries = ink.dictionary
            if ink.mask is not None:
                entries += f"/SMask {self._file.add_stream(ink.mask.dictionary, ink.mask.data)} 0 R"
            return self._file.add_stream(entries, ink.data)

        return self._once(f"P-{key}", make)

    def _font(self, key: str) -> Number:
        return self._once(f"F-{key}", lambda: self._fonts.setdefault(key, FontObjects(self._file)).number)

    def _write_fonts(self) -> None:
        """Write the fonts, now that all glyphs they must hold are known."""
        uncut: list[Problem] = []
        for key, font in self._fonts.items():
            try:
                ink = self._shelf.subset(key, self._glyphs[key].distinct(), self._said_in(key), self._info.language)
            except UnusableContent as unusable:
                uncut += unusable.problems
            else:
                typeface = self._shelf.fonts.load_key(key)
                assert typeface is not None
                font.write(self._file, typeface, ink)
        if uncut:
            raise UnusableContent(*uncut)

    def _properties(self, layers: Sequence[str]) -> str:
        """Return the resources of a page with these layers, or nothing."""
        return _dictionary("Properties", "".join(f"/L-{name} {self._layer(name)} 0 R" for name in layers))

    def _layer(self, name: str) -> Number:
        known = self._layers.get(name)
        if known is None:
            state = "ON" if self._info.prints_layers else "OFF"
            title = text(self._info.layers.get(name, _LAYER_TITLES[name]))
            usage = f"/Usage<</Print<</Subtype/PrintersMarks/PrintState/{state}>>/View<</ViewState/ON>>>>"
            group = f"<</Type/OCG/Name{title}/Intent/View{usage}>>"
            known = self._layers[name] = self._file.add(group)
        return known

    def _all_layers(self) -> str:
        """Return the entry of the catalog with the layers that are used, or nothing."""
        if not self._layers:
            return ""
        groups = " ".join(f"{group} 0 R" for group in self._layers.values())
        events = "".join(f"<</Event/{event}/OCGs[{groups}]/Category[/{event}]>>" for event in ("View", "Print"))
        shown = f"/D<</Name(Layers)/BaseState/ON/ON[{groups}]/Order[{groups}]/AS[{events}]>>"
        return f"/OCProperties<</OCGs[{groups}]{shown}>>"

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
