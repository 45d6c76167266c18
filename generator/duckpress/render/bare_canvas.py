"""reportlab's canvas without its fonts, in millimetres with y growing downwards: the base of `Pen`.

Everything that lies below reportlab's public interface is here, each with the reason why. Written for reportlab 5.1.0.
It is the one place that imports reportlab, so that nothing but reportlab comes with it.

On import, reportlab runs Python that it finds under four names wherever modules are looked for, and in two files of the
home folder, and takes settings that change the bytes of a file from the environment. In a container the home folder is
often the mounted workspace, which may be a stranger's. Empty modules stand under the four names here; with two of them
there it does not look into the home folder either. Source: `reportlab/__init__.py` and `rl_config.py` of 5.1.0.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from hashlib import md5
from itertools import groupby
from types import MappingProxyType, ModuleType

from duckpress.core.compression import deflated
from duckpress.core.frame import MITER_LIMIT, Text
from duckpress.core.geometry import PT_PER_MM, Matrix, Rect

_HOOKS = ("reportlab_mods", "reportlab_settings", "reportlab.local_rl_mods", "reportlab.local_rl_settings")
for _name in _HOOKS:
    sys.modules[_name] = ModuleType(_name)
for _name in [name for name in os.environ if name.startswith("RL_")]:
    del os.environ[_name]

from reportlab.lib.rl_accel import fp_str as fp_str  # noqa: E402 - behind shut doors
from reportlab.pdfbase import pdfdoc as pdfdoc  # noqa: E402
from reportlab.pdfbase.pdfutils import readJPEGInfo as readJPEGInfo  # noqa: E402
from reportlab.pdfgen.canvas import Canvas as Canvas  # noqa: E402
from reportlab.pdfgen.pathobject import PDFPathObject as PDFPathObject  # noqa: E402
from reportlab.pdfgen.textobject import PDFTextObject as PDFTextObject  # noqa: E402


@lru_cache(maxsize=65536)
def number(value: float) -> str:
    """Return a length as reportlab writes it, to a ten-thousandth: less moves no glyph, and equal places stay equal."""
    return str(fp_str(round(value, 4)))


def box_operands(box: Rect) -> str:
    """Return a rectangle as PDF's left, top, right and bottom edge."""
    return " ".join(map(number, box.edges))


@lru_cache(maxsize=4096)
def rgb(colour: str) -> tuple[float, ...]:
    """Return `#rrggbb` for reportlab; one of its own colour objects would reset the opacity to 1."""
    return tuple(round(int(colour[at : at + 2], 16) / 255, 4) for at in (1, 3, 5))


class GlyphText(PDFTextObject):
    """Runs of glyphs by number, in the document's own fonts; reportlab's own methods write characters."""

    def __init__(self) -> None:
        # Neither the state of a canvas nor a place to begin at: each run says where it stands and how it looks.
        self._code, self._clipping = ["BT"], 0

    def show(self, runs: Iterable[Text]) -> None:
        """Write runs of glyphs, with font and colour where they change."""
        write, font, size_mm, fill = self._code.append, "", 0.0, ""
        for run in runs:
            write(f"1 0 0 -1 {number(run.x_mm)} {number(run.y_mm)} Tm")
            if run.font != font or run.size_mm != size_mm:
                font, size_mm = run.font, run.size_mm
                write(f"/F-{font} {number(size_mm)} Tf")
            if run.fill != fill:
                fill = run.fill
                write(f"{fp_str(rgb(fill))} rg")
            write(f"[{run.glyphs}] TJ")


def entries(named: Mapping[str, object]) -> str:
    """Return a dictionary as reportlab writes it, which takes care with each name and number, as they may be any."""
    words = [f"/{name} {value}" for name, value in sorted(named.items())]
    for at in range((len(words) - 1) // 6 * 6, 0, -6):
        words.insert(at, "\n ")
    return f"<<\n{' '.join(words)}\n>>"


def referred(document: pdfdoc.PDFDocument, thing: pdfdoc.PDFObject) -> str:
    """Add an object to a document, unless it is there, and return how it is referred to."""
    return f"{document.idToObjectNumberAndVersion[document.Reference(thing).name][0]} 0 R"


class Finished(pdfdoc.PDFObject):
    """An object that is a finished dictionary, or a stream with that dictionary, but for its length."""

    def __init__(self, named: Mapping[str, object], data: bytes | None = None) -> None:
        self._named, self._data = named, data

    def format(self, _document: pdfdoc.PDFDocument) -> bytes:
        """Return its bytes in the file."""
        if self._data is None:
            return entries(self._named).encode("ascii")
        head = entries({**self._named, "Length": len(self._data)}).encode("ascii")
        return b"%b\nstream\n%bendstream\n" % (head, self._data)


def _page(page: pdfdoc.PDFPage, boxes: Mapping[str, str], code: str, document: pdfdoc.PDFDocument) -> bytes:
    """Return a page's bytes in the file, and add its operators."""
    named = {"Type": "/Page", "Parent": referred(document, document.Pages), **boxes}
    packed = Finished({"Filter": "[ /FlateDecode ]"}, deflated(code.encode("ascii")))
    resources, contents = referred(document, page.Resources), referred(document, packed)
    return entries({**named, "Resources": resources, "Contents": contents}).encode("ascii")


class _Facts(pdfdoc.PDFInfo):
    """A document's properties, without the dates that reportlab always writes; `more` are other entries."""

    more: Mapping[str, object] = MappingProxyType({})

    def format(self, document: pdfdoc.PDFDocument) -> bytes:
        words = ("Title", "Author", "Subject", "Creator", "Producer")
        entries = {word: pdfdoc.PDFString(getattr(self, word.lower())) for word in words}
        return bytes(pdfdoc.PDFDictionary({**entries, "Trapped": "/False", **self.more}).format(document))


class Form(pdfdoc.PDFObject):
    """A form with finished operators; reportlab's own forms are slower, and compressed by zlib."""

    def __init__(self, box: Rect, resources: pdfdoc.PDFObjectReference, data: bytes, *, is_group: bool) -> None:
        group = "/Group <</S/Transparency/CS/DeviceRGB>>" if is_group else ""
        self._head = f"<</Type/XObject/Subtype/Form/BBox[{box_operands(box)}]{group}/Filter/FlateDecode"
        self._resources, self._data = resources, data

    def format(self, document: pdfdoc.PDFDocument) -> bytes:
        """Return its bytes in the file."""
        head = self._head.encode("ascii"), self._resources.format(document), len(self._data), self._data
        return b"%b/Resources %b/Length %d>>\nstream\n%b\nendstream\n" % head


_KINDS = {"F": "XObject", "L": "Properties", "O": "ExtGState"}


class Resources(pdfdoc.PDFObject):
    """The resources of a stream: forms and images, graphics states, layers, and the fonts of the document.

    reportlab's own know no layers on pages and no states in forms, and take care with each name, as it may be any.
    """

    def __init__(self, named: Mapping[str, pdfdoc.PDFObjectReference]) -> None:
        self._named = named

    def format(self, document: pdfdoc.PDFDocument) -> bytes:
        """Return their bytes in the file."""
        numbers = document.idToObjectNumberAndVersion
        written = f"<</Font {numbers[pdfdoc.BasicFonts][0]} 0 R"
        for kind, named in groupby(self._named.items(), lambda item: _KINDS[item[0][0]]):
            entries = " ".join([f"/{name} {numbers[thing.name][0]} 0 R" for name, thing in named])
            written += f"/{kind} <<{entries}>>"
        return f"{written}>>".encode("ascii")


class BareCanvas(Canvas):
    """A canvas that measures in millimetres from the top left, with the program's own names and numbers.

    `pages` are those drawn so far, each with its operators: whoever draws them gives them their resources.
    """

    def __init__(self, language: str | None = None, version: tuple[int, int] = (1, 7)) -> None:
        super().__init__(None, bottomup=0, invariant=1, pageCompression=0, pdfVersion=version, lang=language)
        self.pages: list[tuple[pdfdoc.PDFPage, str]] = []
        self.document: pdfdoc.PDFDocument = self._doc
        # Begun by reportlab with the time in SOURCE_DATE_EPOCH; it becomes the ID of the file.
        self.document.signature = md5(usedforsecurity=False)
        self.document.info = _Facts()

    def _make_preamble(self) -> None:
        # Canvas would set Helvetica here, in every page and form, and no file would have it in it.
        self._preamble = f"{fp_str(PT_PER_MM, 0, 0, -PT_PER_MM, 0)} {self._edges()[1]} cm {MITER_LIMIT} M"

    def _edges(self) -> list[str]:
        """Return the page's width and height; from 1,000 points on, fp_str would write three decimals."""
        return [f"{edge:.4f}".rstrip("0").removesuffix(".") for edge in self._pagesize]

    def _setXObjects(self, page: pdfdoc.PDFPage) -> None:  # noqa: N802 - reportlab's name
        # Where showPage gives a page the resources that it knows of: it knows no forms from other processes, no layers.
        code = self.getCurrentPageContent()
        boxes = {name: box.sequence for name in ("TrimBox", "BleedBox") if (box := getattr(page, name)) is not None}
        boxes = {name: f"[ {fp_str(*box)} ]" for name, box in boxes.items()}
        boxes["MediaBox"] = f"[ 0 0 {' '.join(self._edges())} ]"
        # In place of reportlab's, which looks for 24 entries on each page.
        page.format = partial(_page, page, boxes, f"{self._preamble}\n{code}\n")
        self.pages.append((page, code))

    def saveState(self) -> None:  # noqa: N802 - reportlab's name
        """Save the graphics state. Canvas saves 23 attributes, of which one is needed here."""
        self.state_stack.append(self._currentMatrix)
        self._code.append("q")

    def restoreState(self) -> None:  # noqa: N802 - reportlab's name
        """Restore the last saved graphics state."""
        self._currentMatrix = self.state_stack.pop()
        self._code.append("Q")

    def clear(self) -> None:
        self._startPage()

    @property
    def matrix(self) -> Matrix:
        """The current matrix, from local coordinates to the page's."""
        return Matrix(*self._currentMatrix)

    def show_glyphs(self, runs: Iterable[Text]) -> None:
        """Draw runs of glyphs in one text object."""
        text = GlyphText()
        text.show(runs)
        self.drawText(text)

    def enter(self, name: str, thing: object) -> None:
        """Set an entry of the catalog, which silently drops unknown entries otherwise."""
        catalog = self.document.Catalog
        catalog.__NoDefault__ = [*catalog.__NoDefault__, name]
        self.setCatalogEntry(name, thing)
