"""reportlab's canvas without a font of its own, in millimetres with y growing downwards: what `Pen` draws with.

Everything that lies below reportlab's public interface is here, each with the reason why. Written for reportlab 5.1.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import md5

from duckpress.core.compression import deflated
from duckpress.core.frame import MITER_LIMIT, Text
from duckpress.core.geometry import Matrix
from duckpress.core.units import PT_PER_MM
from duckpress.render.pdfdoc import (
    BasicFonts,
    Canvas,
    PDFArray,
    PDFDictionary,
    PDFDocument,
    PDFInfo,
    PDFObject,
    PDFObjectReference,
    PDFPage,
    PDFStream,
    PDFStreamFilterZCompress,
    PDFString,
    PDFTextObject,
    fp_str,
)


@lru_cache(maxsize=65536)
def number(value: float) -> str:
    """Return a length as reportlab writes it, to a ten-thousandth: less moves no glyph, and equal places look equal."""
    written: str = fp_str(round(value, 4))
    return written


@lru_cache(maxsize=4096)
def rgb(colour: str) -> tuple[float, ...]:
    """Return `#rrggbb` as reportlab takes it; one of its own colours would set the opacity back to 1 each time."""
    return tuple(round(int(colour[at : at + 2], 16) / 255, 4) for at in (1, 3, 5))


@lru_cache(maxsize=4096)
def _font_and_fill(font: str, size_mm: float, fill: str) -> tuple[str, str]:
    return f"/F-{font} {number(size_mm)} Tf ", f"{fp_str(rgb(fill))} rg "


class GlyphText(PDFTextObject):
    """Runs of glyphs by their numbers, of fonts of the document; reportlab's own methods write letters of its fonts."""

    def setTextOrigin(self, x: float, y: float) -> None:  # noqa: N802 - reportlab's name
        """Write nothing: every run says where it begins."""

    def show(self, runs: Iterable[Text]) -> None:
        """Write runs of glyphs, and font and colour where they are not those of the run before."""
        code, font, fill = self._code, "", ""
        for run in runs:
            now = _font_and_fill(run.font, run.size_mm, run.fill)
            looks = "".join([one for one, before in zip(now, (font, fill), strict=True) if one != before])
            font, fill = now
            code.append(f"1 0 0 -1 {number(run.x_mm)} {number(run.y_mm)} Tm {looks}[{run.glyphs}] TJ")


class _Deflate(PDFStreamFilterZCompress):
    """Packs streams with what is the same on all machines; zlib is not."""

    def encode(self, text: str | bytes) -> bytes:
        return deflated(text.encode("latin-1") if isinstance(text, str) else text)


class _Facts(PDFInfo):
    """What a document says about itself, without the dates that reportlab always writes."""

    def format(self, document: PDFDocument) -> bytes:
        words = {"Title": self.title, "Author": self.author, "Subject": self.subject}
        words |= {"Creator": self.creator, "Producer": self.producer}
        entries = {name: PDFString(one) for name, one in words.items()}
        written: bytes = PDFDictionary({**entries, "Trapped": "/False"}).format(document)
        return written


class Entries(PDFDictionary):
    """The entries that many forms have in common, formatted once: for each form it takes longer than drawing it."""

    written = b""


class Form(PDFStream):
    """A form: the entries that it shares, its length, its operators."""

    def __init__(self, entries: Entries, data: bytes) -> None:
        super().__init__(entries, data)

    def format(self, document: PDFDocument) -> bytes:
        """Return it as it is written."""
        shared = self.dictionary
        shared.written = shared.written or shared.format(document).removesuffix(b"\n>>")
        return b"%b\n/Length %d\n>>\nstream\n%b\nendstream\n" % (shared.written, len(self.content), self.content)


class Resources(PDFObject):
    """What a stream names: forms and images, graphics states, layers, and the fonts of the document.

    reportlab's resources know no layers on pages, and no graphics states in forms. The names are this program's and
    need none of the care that its dictionaries take with each.
    """

    def __init__(self, **named: Mapping[str, PDFObject]) -> None:
        self._named = {kind: things for kind, things in named.items() if things}

    def format(self, document: PDFDocument) -> bytes:
        """Return them as they are written."""
        parts = [b"/Font %b" % PDFObjectReference(BasicFonts).format(document)]
        for kind, things in self._named.items():
            entries = [b"/%b %b" % (name.encode("ascii"), thing.format(document)) for name, thing in things.items()]
            parts.append(b"/%b <<%b>>" % (kind.encode("ascii"), b" ".join(entries)))
        return b"<<%b>>" % b"\n".join(parts)


class BareCanvas(Canvas):
    """A canvas that measures in millimetres from the top left, and names and numbers things as the program does.

    `pages` are those drawn so far, each with its operators: whoever draws them gives them their resources.
    """

    # saveState keeps 23 attributes each time; the others are never asked for.
    STATE_ATTRIBUTES = ("_currentMatrix", "_extgstate")

    def __init__(self, language: str | None = None) -> None:
        super().__init__(None, bottomup=0, invariant=1, pageCompression=0, pdfVersion=(1, 7), lang=language)
        self.pages: list[tuple[PDFPage, str]] = []
        # Begun by reportlab with the time in SOURCE_DATE_EPOCH; it becomes the ID of the file.
        self._doc.signature = md5(usedforsecurity=False)
        # Asked for each stream that says nothing of a filter; pages would else be packed by zlib.
        self._doc.defaultStreamFilters = [_Deflate()]
        self._doc.info = _Facts()

    def _make_preamble(self) -> None:
        # Canvas would set Helvetica here, in every page and form, and no file would have it in it.
        flip = fp_str(PT_PER_MM, 0, 0, -PT_PER_MM, 0, self._pagesize[1])
        self._preamble = f"{flip} cm {MITER_LIMIT} M"

    def _setXObjects(self, page: PDFPage) -> None:  # noqa: N802 - reportlab's name
        # Where showPage gives a page the resources that it knows of: it knows no forms from other processes, no layers.
        page.Rotate = page.Trans = None  # else each page says that it is not turned, and fades in no way
        self.pages.append((page, self.getCurrentPageContent()))

    def clear(self) -> None:
        """Forget what was drawn on the page."""
        self._startPage()

    @property
    def matrix(self) -> Matrix:
        """Where lengths are taken at this point, seen from the page."""
        return Matrix(*self._currentMatrix)

    def show_glyphs(self, runs: Iterable[Text]) -> None:
        """Draw runs of glyphs in one text object."""
        text = GlyphText(self)
        text.show(runs)
        self.drawText(text)

    def refer_to(self, thing: PDFObject) -> PDFObjectReference:
        """Return a reference to an object, which is written on its own."""
        return self._doc.Reference(thing)

    def add_form(self, name: str, form: PDFStream) -> None:
        """Add a form or an image that was drawn elsewhere."""
        self._doc.addForm(name, form)

    def form(self, name: str) -> PDFObjectReference:
        """Return a reference to a form or an image."""
        return PDFObjectReference(self._doc.getXObjectName(name))

    def add_font(self, font: object) -> None:
        """Add a font, whose `addObjects` is called when the document is written."""
        self._doc.delayedFonts.append(font)

    def identify(self, *parts: str) -> None:
        """Let the ID of the file follow from these, too; by itself it is that of the titles."""
        for part in parts:
            self._doc.updateSignature(part)

    def set_layers(self, groups: Iterable[PDFObjectReference]) -> None:
        """Let viewers list the layers."""
        every, catalog = PDFArray(groups), self._doc.Catalog
        events = [
            PDFDictionary({"Event": f"/{event}", "OCGs": every, "Category": PDFArray([f"/{event}"])})
            for event in ("View", "Print")
        ]
        shown = {"Name": PDFString("Layers"), "BaseState": "/ON", "ON": every, "Order": every, "AS": PDFArray(events)}
        catalog.__NoDefault__ = [*catalog.__NoDefault__, "OCProperties"]  # it drops what it does not know
        self.setCatalogEntry("OCProperties", {"OCGs": every, "D": PDFDictionary(shown)})


def enter_font(document: PDFDocument, name: str, font: PDFDictionary) -> None:
    """Let all streams of a document use a font; reportlab's own registry is one for the whole process."""
    document.idToObject[BasicFonts].dict[name] = document.Reference(font)
