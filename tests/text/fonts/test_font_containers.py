"""Web fonts and collections are read as the fonts in them; what cannot be is told with the way out."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest
from fontTools.ttLib import TTCollection, TTFont

from duckpress.core.limits import LIMITS
from duckpress.text.fonts import Typeface
from duckpress.text.fonts.library import load_typeface
from duckpress.text.fonts.opentype import Unusable
from font_kinds import compact, family_of, truetype, variable


def named(data: bytes, name: str) -> TTFont:
    """Return a font under another name."""
    font = TTFont(io.BytesIO(data))
    for kind, said in ((4, f"The {name}"), (6, name)):
        font["name"].setName(said, kind, 3, 1, 0x409)
    return font


def collection(*fonts: TTFont) -> bytes:
    """Return a collection of fonts."""
    made, written = TTCollection(), io.BytesIO()
    made.fonts = list(fonts)
    made.save(written)
    return written.getvalue()


def woff(data: bytes) -> bytes:
    """Return a font as a web font."""
    font, written = TTFont(io.BytesIO(data)), io.BytesIO()
    font.flavor = "woff"
    font.save(written)
    return written.getvalue()


def loaded(data: bytes, member: str = "", instance: str = "") -> Typeface:
    typeface = load_typeface(data, instance, member=member)
    assert isinstance(typeface, Typeface), typeface
    return typeface


def refused(data: bytes, member: str = "") -> Unusable:
    found = load_typeface(data, member=member)
    assert isinstance(found, Unusable)
    return found


TWO = collection(named(truetype(), "Pond-Regular"), named(compact(), "Pond-Book"))


@pytest.mark.parametrize("data", [truetype(), compact(), variable()])
def test_a_web_font_is_the_font_in_it(data: bytes) -> None:
    plain, web = loaded(data), loaded(woff(data))
    assert web.postscript_name == plain.postscript_name
    assert web.shape("Duck Teal") == plain.shape("Duck Teal")
    glyphs = [plain.glyph(letter) for letter in "Duck"]
    assert [web.outline(glyph) for glyph in glyphs] == [plain.outline(glyph) for glyph in glyphs]
    assert web.subset(glyphs)


@pytest.mark.parametrize("member", ["Pond-Book", "pond-book", "The Pond-Book", "2"])
def test_a_font_of_a_collection_is_found_by_name_and_by_number(member: str) -> None:
    book = loaded(TWO, member)
    assert (book.postscript_name, book.is_compact) == ("Pond-Book", True)
    assert not loaded(TWO, "1").is_compact
    assert book.shape("Duck").width == loaded(compact()).shape("Duck").width


def test_the_only_font_of_a_collection_needs_no_name() -> None:
    assert loaded(collection(named(truetype(), "Pond-Regular"))).postscript_name == "Pond-Regular"


def test_an_instance_of_a_font_of_a_collection() -> None:
    both = collection(named(truetype(), "Pond-Regular"), named(variable(), "Reed-Regular"))
    assert loaded(both, "2", "Half Bold").file.pins == (("wght", 550.0),)


@pytest.mark.parametrize(
    ("data", "member", "code", "what", "fix"),
    [
        (TWO, "", "font-collection", "is a collection of 2 fonts", "name one of Pond-Regular, Pond-Book: `FILE.ttc#P"),
        (TWO, "Pond-Bok", "font-collection", "has no font 'Pond-Bok'", "did you mean 'Pond-Book'?"),
        (TWO, "3", "font-collection", "has no font '3'", "it has"),
        (truetype(), "2", "font-collection", "is no collection with a font '2'", "leave out `#2`"),
        (TWO[:40], "1", "not-a-font", "is damaged: it ends too early", "get the whole file"),
        (woff(truetype())[:-90], "", "not-a-font", "is damaged: it cannot be unpacked", "get the whole file"),
        (b"wOF2" + bytes(50), "", "font-not-truetype", "WOFF2", "fonttools ttLib.woff2 decompress"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, member: str, code: str, what: str, fix: str) -> None:
    found = refused(data, member)
    assert found.code == code
    assert what in found.what
    assert fix in found.fix


def test_a_web_font_unpacks_to_no_more_than_a_font_file_may_have() -> None:
    data = bytearray(woff(truetype()))
    struct.pack_into(">I", data, 44 + 12, LIMITS["font-file"].usual + 1)
    assert "unpacks to more than" in refused(bytes(data)).what


def test_one_collection_makes_the_styles_of_a_family(tmp_path: Path) -> None:
    fonts = family_of(tmp_path, "regular: 'Pond.ttc#Pond-Regular', bold: 'Pond.ttc#2'", Pond=TWO)
    faces = [fonts.typeface("Tester", weight) for weight in ("regular", "bold")]
    assert [face and face.postscript_name for face in faces] == ["Pond-Regular", "Pond-Book"]
    assert not fonts.problems
