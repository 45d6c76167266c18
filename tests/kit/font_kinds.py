"""Fonts of every kind that OpenType knows, made from one of a bundled family: the same letters in each."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import Any

from fontTools import subset, varLib
from fontTools.cffLib import FDArrayIndex, FDSelect, FontDict
from fontTools.designspaceLib import AxisDescriptor, DesignSpaceDocument, InstanceDescriptor, SourceDescriptor
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from duckpress.files.workspace import Workspace
from duckpress.text.fonts import FontLibrary

LETTERS = "DuckTealSmewGr 12fi.,-áéçï"
_ZERO, _CALL, _END = 139, 10, 14  # of outlines; source: Adobe Technical Note 5177, appendix A
_FILE = Path(__file__).parents[2] / "fonts" / "alegreya-sans" / "AlegreyaSans-Regular.ttf"


@cache
def truetype() -> bytes:
    """Return the family's regular weight with few letters."""
    return _saved(_few())


@cache
def compact() -> bytes:
    """Return the same as OpenType with CFF outlines, its glyphs keyed by name."""
    return _saved(_compact(_few()))


@cache
def uncut(name: str, letter: str) -> bytes:
    """Return it under another name, with an outline that is drawn and cannot be cut: it calls what is not there."""
    font = TTFont(io.BytesIO(compact()), recalcBBoxes=False)
    font["name"].setName(name, 6, 3, 1, 0x409)
    outlines = font["CFF "].cff[0].CharStrings
    outline = outlines[font.getBestCmap()[ord(letter)]]
    outline.setBytecode(outline.bytecode.removesuffix(bytes([_END])) + bytes([_ZERO, _CALL, _END]))
    return _saved(font)


@cache
def keyed(step: int = 3) -> bytes:
    """Return the same keyed by CIDs, which are `step` times the numbers of its glyphs."""
    few = TTFont(io.BytesIO(truetype()))
    few.setGlyphOrder([".notdef", *(f"cid{step * glyph:05d}" for glyph in range(1, few["maxp"].numGlyphs))])
    font = _compact(few)
    top = font["CFF "].cff[0]
    part = FontDict()
    part.Private, part.FontName = top.Private, "Part"
    top.ROS, top.CIDCount = ("Adobe", "Identity", 0), step * len(top.charset)
    top.FDArray, top.FDSelect = FDArrayIndex(), FDSelect()
    top.FDArray.append(part)
    top.FDSelect.gidArray, top.FDSelect.format = [0] * len(top.charset), 3
    top.CharStrings.fdSelect, top.CharStrings.fdArray = top.FDSelect, top.FDArray
    del top.Private
    return _saved(font)


@cache
def variable(is_compact: bool = False) -> bytes:
    """Return a variable font: 400 as it is, 700 a quarter wider, `Half Bold` between them; CFF2 outlines on demand."""
    document = DesignSpaceDocument()
    document.addAxis(AxisDescriptor(tag="wght", name="Weight", minimum=400, default=400, maximum=700))
    for width, value in ((1.0, 400), (1.25, 700)):
        font = _compact(_few(width)) if is_compact else _few(width)
        for tag in {"GSUB", "GPOS", "GDEF"}.intersection(font.keys()):
            del font[tag]
        document.addSource(SourceDescriptor(font=font, location={"Weight": value}, familyName="Tester"))
    document.addInstance(InstanceDescriptor(styleName="Half Bold", location={"Weight": 550}))
    return _saved(varLib.build(document)[0])


@cache
def drawing(letters: str) -> bytes:
    """Return a font that has these letters and no others, each drawn as another one of the family's."""
    font = _few()
    glyphs = [font.getBestCmap()[ord(letter)] for letter in LETTERS if letter.isalpha()]
    for table in font["cmap"].tables:
        table.cmap = dict(zip(map(ord, letters), glyphs, strict=False))
    return _saved(font)


def _few(width: float = 1.0) -> TTFont:
    """Return the family's regular weight with few letters, made wider."""
    font = TTFont(_FILE, lazy=False)
    options = subset.Options(layout_features=["liga"], notdef_outline=True, hinting=False, name_IDs=[1, 2, 5, 6])
    cutter = subset.Subsetter(options)
    cutter.populate(text=LETTERS)
    cutter.subset(font)
    glyphs, widths = font.getGlyphSet(), font["hmtx"].metrics
    wider = {}
    for name in font.getGlyphOrder():
        pen = TTGlyphPen(None)
        record = DecomposingRecordingPen(glyphs)
        glyphs[name].draw(record)
        record.replay(TransformPen(pen, (width, 0, 0, 1, 0, 0)))
        wider[name] = pen.glyph()
    for name, outline in wider.items():
        font["glyf"][name] = outline
        widths[name] = (round(width * widths[name][0]), round(width * widths[name][1]))
    return font


def _compact(font: TTFont) -> TTFont:
    """Return a font with each quadratic curve as the cubic that it is."""
    glyphs, outlines = font.getGlyphSet(), {}
    for name in font.getGlyphOrder():
        pen = T2CharStringPen(glyphs[name].width, glyphs)
        glyphs[name].draw(pen)
        outlines[name] = pen.getCharString()
    builder = FontBuilder(font=font)
    for tag in {"glyf", "loca", "maxp", "gasp", "prep", "cvt ", "fpgm"}.intersection(font.keys()):
        del font[tag]
    font.sfntVersion, builder.isTTF = "OTTO", False
    builder.setupMaxp()
    builder.setupPost(keepGlyphNames=False)
    em = font["head"].unitsPerEm
    builder.setupCFF("AlegreyaSans-Regular", {}, outlines, {"FontMatrix": [1 / em, 0, 0, 1 / em, 0, 0]})
    return font


def _saved(font: Any) -> bytes:
    file = io.BytesIO()
    font.save(file)
    return file.getvalue()


def family_of(root: Path, styles: str, **files: bytes) -> FontLibrary:
    """Return the fonts of a workspace with one family, `Tester`, of these styles and files (`T` is `T.ttf`)."""
    folder = root / "fonts" / "tester"
    folder.mkdir(parents=True)
    words = f"name: Tester\nlicence: OFL-1.1\nlicence-file: OFL.txt\nstyles: {{{styles}}}\n"
    (folder / "family.yaml").write_text(words)
    (folder / "OFL.txt").write_text("a licence")
    for name, data in files.items():
        (folder / (f"{name}.ttc" if data.startswith(b"ttcf") else f"{name}.ttf")).write_bytes(data)
    return FontLibrary(Workspace(root))
