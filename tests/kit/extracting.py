"""Everything that can be got out of a PDF: raw bytes, streams in every form, texts, metadata, glyphs of fonts."""

from __future__ import annotations

import io
import re
import zlib
from functools import cache
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parents[2]


def every_text(pdf: bytes) -> str:
    """Return all that can be read in a file, one after the other: a word that is nowhere in it is not in the file."""
    found = [pdf.decode("latin-1")]
    # Streams found by looking for them, so that objects which no table lists are looked at too.
    for match in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            data = zlib.decompress(match[1])
        except zlib.error:
            data = match[1]
        found += [data.decode("latin-1"), data.decode("utf-16-be", "ignore"), data.decode("utf-8", "ignore")]
        hexes = re.findall(rb"<([0-9A-Fa-f]{4,})>", data)
        found += [bytes.fromhex(text.decode()).decode("utf-16-be", "ignore") for text in hexes if len(text) % 2 == 0]
    with pikepdf.open(io.BytesIO(pdf)) as document:
        found += [str(value) for value in document.docinfo.values()]
        found += [str(obj) for obj in document.objects]
        found += list(document.attachments)
        found += [item.title for item in document.open_outline().root]
    with pdfium.PdfDocument(pdf) as document:
        found += [page.get_textpage().get_text_bounded() for page in document]
    return "\n".join(found)


LAYERS = ("Cut lines", "Fold lines")


def hidden_places(pdf: bytes) -> list[str]:
    """Return the places that a file might hide something in and that these files do not have at all."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        used = reachable(document)
        objects = enumerate(document.objects, 1)
        found = [f"unused object {number}" for number, obj in objects if number not in used and not is_empty(obj)]
        root = document.Root
        found += [name for name in ("/AcroForm", "/EmbeddedFiles", "/Metadata", "/Names") if name in root]
        if "/OCProperties" in root:
            # The layers of cut lines; one that is switched off would be a place to hide words in.
            found += [f"layer {group.Name}" for group in root.OCProperties.OCGs if str(group.Name) not in LAYERS]
            found += ["a layer that does not show" for _ in root.OCProperties.D.get("/OFF", [])]
        found += ["attachment" for _ in document.attachments]
        found += ["annotation" for page in document.pages if "/Annots" in page]
    if pdf.count(b"%%EOF") != 1:
        found.append("an older version of the file inside it")
    return found


def is_empty(obj: pikepdf.Object) -> bool:
    return isinstance(obj, pikepdf.Dictionary) and not isinstance(obj, pikepdf.Stream) and not list(obj.keys())


def reachable(document: pikepdf.Pdf) -> set[int]:
    """Return the numbers of all objects that lead from the trailer to something."""
    seen: set[int] = set()
    waiting = [document.trailer]
    while waiting:
        obj = waiting.pop()
        if isinstance(obj, pikepdf.Object) and obj.is_indirect:
            if obj.objgen[0] in seen:
                continue
            seen.add(obj.objgen[0])
        if isinstance(obj, pikepdf.Stream | pikepdf.Dictionary):
            waiting += [obj[key] for key in obj.keys() if key != "/Parent"]  # noqa: SIM118
        elif isinstance(obj, pikepdf.Array):
            waiting += list(obj)
    return seen


def letters_of_fonts(pdf: bytes, letters: str) -> set[str]:
    """Return those of some letters whose outlines are in a file's fonts, by their glyph numbers in the whole fonts."""
    found: set[str] = set()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for obj in document.objects:
            if isinstance(obj, pikepdf.Dictionary) and obj.get("/Type") == "/FontDescriptor":
                subset = TTFont(io.BytesIO(obj.FontFile2.read_bytes()))
                whole = _whole_font(str(obj.FontName).partition("+")[2])
                glyphs, order = subset["glyf"], subset.getGlyphOrder()
                for letter in letters:
                    name = whole.getBestCmap().get(ord(letter))
                    number = whole.getGlyphID(name) if name is not None else len(order)
                    if number < len(order) and glyphs[order[number]].numberOfContours:
                        found.add(letter)
    return found


@cache
def _whole_font(name: str) -> TTFont:
    for path in sorted(ROOT.glob("fonts/*/*.ttf")):
        font = TTFont(path)
        if font["name"].getDebugName(6) == name:
            return font
    raise AssertionError(f"no font {name}")
