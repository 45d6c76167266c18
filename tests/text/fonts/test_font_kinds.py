"""OpenType fonts with CFF outlines, and instances of variable ones: embedded, proven, and drawn by other readers."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pytest
import uharfbuzz as hb

from duckpress.core.problems import MachineError, Problem, Source
from duckpress.files.workspace import Workspace
from duckpress.proof import Expected, ExpectedFace, ExpectedPage, prove_pdf
from duckpress.render import DocumentInfo, render_pdf
from duckpress.text.fonts import FontLibrary, Typeface, read_compact
from duckpress.text.fonts.library import load_typeface
from duckpress.text.fonts.opentype import Unusable
from font_kinds import compact, family_of, keyed, truetype, variable
from handmade import A4, Shelf, booklet, card, placed, sheet, words
from pdf_reading import opened, text_of

KINDS: dict[str, Callable[[], bytes]] = {
    "truetype": truetype,
    "by names": compact,
    "by CIDs": keyed,
    "variable": variable,
    "variable CFF2": lambda: variable(True),
}


def loaded(data: bytes, instance: str = "", weight: int = 400, is_italic: bool = False) -> Typeface:
    found = load_typeface(data, instance, weight, is_italic)
    assert isinstance(found, Typeface), found
    return found


def printed(typeface: Typeface) -> tuple[bytes, list[Problem]]:
    """Return a sheet with a card set in a typeface, and what the proof says of it."""
    face = card(words("Duck Teal", face=typeface, size_mm=8.0), ground="#ffffff")
    shelf = Shelf({typeface.key: typeface})
    one = sheet([placed(0, face, 40, 40)], None)
    pdf = render_pdf([booklet([one], [face])], shelf, DocumentInfo("Art", language="en"))
    expected = Expected(
        (ExpectedFace("d", "a", 1, face, None),), A4, 5.0, None, "Art", "en", {},
        pages=(ExpectedPage(one.front, one.paper),), font_file=lambda key: shelf[key].file,
    )  # fmt: skip
    return pdf, prove_pdf(pdf, expected, Source("a.pdf"))


def dark(pdf: bytes) -> list[bool]:
    """Return which pixels of a page are dark."""
    with pdfium.PdfDocument(pdf) as document:
        return [pixel < 128 for pixel in document[0].render(scale=2).to_pil().convert("L").tobytes()]


@pytest.mark.sweep(6)
@pytest.mark.parametrize("kind", KINDS)
def test_a_font_of_each_kind_prints_the_same_letters(kind: str) -> None:
    pdf, problems = printed(loaded(KINDS[kind]()))
    assert not problems
    assert "Duck Teal" in text_of(pdf)
    pairs = list(zip(dark(pdf), dark(printed(loaded(truetype()))[0]), strict=True))
    assert sum(one for one, _ in pairs) > 1000
    assert sum(one != other for one, other in pairs) < 40  # at the edges of letters
    assert len(pdf) < 12_000


def test_outlines_of_postscript_are_a_bare_table_without_a_map_of_glyphs() -> None:
    for kind in ("by names", "by CIDs", "variable CFF2"):
        with opened(printed(loaded(KINDS[kind]()))[0]) as pdf:
            (font,) = [one for one in pdf.objects if isinstance(one, pikepdf.Dictionary) and "/W" in one]
            assert (font.Subtype, font.FontDescriptor.FontFile3.Subtype) == ("/CIDFontType0", "/CIDFontType0C")
            assert "/CIDToGIDMap" not in font
            assert read_compact(font.FontDescriptor.FontFile3.read_bytes()) is not None


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("qpdf", ["--check", "a.pdf"]),
        ("gs", ["-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=pgmraw", "-r72", "-sOutputFile=out.pgm", "a.pdf"]),
        ("pdftoppm", ["-gray", "-r", "72", "-singlefile", "a.pdf", "out"]),
    ],
)
@pytest.mark.parametrize("kind", ["by CIDs", "variable CFF2"])
def test_other_readers_draw_them(tmp_path: Path, name: str, arguments: list[str], kind: str) -> None:
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is not installed")
    (tmp_path / "a.pdf").write_bytes(printed(loaded(KINDS[kind]()))[0])
    ran = subprocess.run([program, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert not ran.stderr
    if name != "qpdf":
        assert sum(pixel < 128 for pixel in (tmp_path / "out.pgm").read_bytes()[20:]) > 200


def test_glyphs_that_go_by_other_numbers_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a text is invisible in every reader, and its words can be copied all the same."""
    own = bytes(hb.Face(keyed()).reference_table("CFF ").data)
    monkeypatch.setattr(Typeface, "subset", lambda _self, _glyphs: own)
    pdf, problems = printed(loaded(keyed()))
    assert "Duck Teal" in text_of(pdf)
    assert [problem.code for problem in problems] == ["proof-font"]
    assert "other glyphs under its numbers" in problems[0].what


def test_another_instance_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    bold, other, subset = loaded(variable(), weight=700), loaded(variable(), "wght=690"), Typeface.subset
    monkeypatch.setattr(Typeface, "subset", lambda _self, glyphs: subset(other, glyphs))
    problems = printed(bold)[1]
    assert problems
    assert all(problem.code == "proof-font" and "otherwise than its file" in problem.what for problem in problems)


def test_a_style_of_a_variable_font_is_its_own_instance() -> None:
    regular, bold = (loaded(variable(), weight=weight) for weight in (400, 700))
    half = loaded(variable(), "half bold")
    assert half.file.pins == loaded(variable(), "wght=550").file.pins == (("wght", 550.0),)
    widths = [one.shape("Duck").width for one in (regular, half, bold)]
    assert widths[1] == pytest.approx(widths[0] * 1.125, abs=4)
    assert widths[2] == pytest.approx(widths[0] * 1.25, abs=4)
    assert [one.postscript_name for one in (regular, half, bold)] == [
        "AlegreyaSans-Regular", "AlegreyaSans_550wght", "AlegreyaSans_700wght",
    ]  # fmt: skip
    assert len({one.key for one in (regular, half, bold)}) == 3
    assert not printed(half)[1]
    assert not printed(loaded(variable(True), "Half Bold"))[1]


@pytest.mark.parametrize(
    ("instance", "weight", "what", "fix"),
    [
        ("", 900, "goes from 400 to 700 on its axis 'wght', and 900 is asked for", "write `FILE @ wght=700`"),
        ("wght=nan", 400, "goes from 400 to 700 on its axis 'wght', and nan is asked for", "write `FILE @ wght=700`"),
        ("wdht=75", 400, "has no axis 'wdht'", "did you mean 'wght'?"),
        ("wght=bold", 400, "cannot have 'bold' on its axis 'wght'", "write a number"),
        ("Half Bald", 400, "has no instance 'Half Bald'", "did you mean 'half bold'?"),
    ],
)
def test_an_instance_that_is_not_there_is_told(instance: str, weight: int, what: str, fix: str) -> None:
    found = load_typeface(variable(), instance, weight)
    assert isinstance(found, Unusable)
    assert (found.code, found.what) == ("font-variable", what)
    assert fix in found.fix
    static = load_typeface(truetype(), "Bold")
    assert isinstance(static, Unusable)
    assert static.what == "is not variable, and has no instances"


def test_one_file_makes_the_styles_of_a_family(tmp_path: Path) -> None:
    styles = "regular: 'T[wght].ttf', semibold: 'T[wght].ttf @ Half Bold', bold: 'T[wght].ttf'"
    fonts = family_of(tmp_path, styles, **{"T[wght]": variable()})
    pins = [one.file.pins[0][1] for name in ("regular", "semibold", "bold") if (one := fonts.typeface("Tester", name))]
    assert pins == [400.0, 550.0, 700.0]
    assert fonts.paths == ("fonts/tester/T[wght].ttf",)
    assert not fonts.problems
    again = FontLibrary(Workspace(tmp_path))
    again.load_paths(fonts.paths)
    assert again.typefaces_by_key.keys() == fonts.typefaces_by_key.keys()


def test_a_damaged_table_of_outlines_makes_no_font() -> None:
    data = compact()
    at = data.index(b"CFF ")
    start, length = (int.from_bytes(data[at + k : at + k + 4], "big") for k in (8, 12))
    for place in range(0, length, 7):
        spoilt = data[: start + place] + b"\xff\xff" + data[start + place + 2 :]
        found = load_typeface(spoilt)
        assert isinstance(found, Typeface) or found.code == "not-a-font"
        if isinstance(found, Typeface):
            found.shape("Duck")
            with contextlib.suppress(MachineError):  # says that the file is damaged
                found.subset(range(10))
    for place in range(0, length, 3):
        facts = read_compact(data[start : start + place])
        assert facts is None or facts.glyph_count
