"""Families by name, and every way a font can be unusable: a problem with a place and a fix, never a traceback."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

import pytest

from duckpress.core.problems import Problem, Source
from duckpress.files.workspace import Workspace
from duckpress.text.fonts import FontLibrary

FONTS = Path(__file__).parents[3] / "fonts"
REGULAR = (FONTS / "alegreya-sans" / "AlegreyaSans-Regular.ttf").read_bytes()
BOLD = (FONTS / "alegreya-sans" / "AlegreyaSans-Bold.ttf").read_bytes()
YAML = """\
name: Tester
licence: OFL-1.1
licence-file: OFL.txt
styles:
  regular: Tester.ttf
"""


def all_problems(fonts: FontLibrary) -> list[Problem]:
    """Load every font file of every family and return all that is wrong with them."""
    for family in fonts.families.values():
        for style in family.styles:
            fonts.typeface_of(style)
    return list(fonts.problems)


def library(root: Path, font: bytes | None = REGULAR, yaml: str = YAML, **more: bytes) -> FontLibrary:
    folder = root / "fonts" / "tester"
    folder.mkdir(parents=True)
    (folder / "family.yaml").write_text(yaml)
    (folder / "OFL.txt").write_text("a licence")
    if font is not None:
        (folder / "Tester.ttf").write_bytes(font)
    for name, data in more.items():
        (folder / f"{name}.ttf").write_bytes(data)
    return FontLibrary(Workspace(root))


def only(problems: list[Problem]) -> Problem:
    assert len(problems) == 1, "\n".join(map(str, problems))
    assert problems[0].what
    assert problems[0].fix
    return problems[0]


def with_table(font: bytes, tag: bytes, change: int, value: bytes) -> bytes:
    """Return the font with some bytes of a table replaced."""
    for index in range(struct.unpack_from(">H", font, 4)[0]):
        name, _, offset, _ = struct.unpack_from(">4sIII", font, 12 + 16 * index)
        if name == tag:
            return font[: offset + change] + value + font[offset + change + len(value) :]
    raise AssertionError(tag)


def test_a_family_is_found_and_its_files_are_read_when_used(tmp_path: Path) -> None:
    fonts = library(tmp_path)
    assert fonts.unknown_family("Tester", Source("t")) is None
    assert fonts.typefaces_by_key == {}
    typeface = fonts.typeface("Tester")
    assert typeface is not None
    assert fonts.typefaces_by_key == {typeface.key: typeface}
    assert FontLibrary(Workspace(tmp_path)).load_key(typeface.key) is not None
    assert fonts.load_key("Nobody-00000000") is None
    assert fonts.problems == []


def test_an_unknown_family_offers_the_nearest_name(tmp_path: Path) -> None:
    problem = library(tmp_path).unknown_family("Testr", Source("layouts/themes/base.yaml", 3, 9))
    assert problem is not None
    assert (problem.code, problem.source.line, problem.fix) == ("unknown-family", 3, "did you mean 'Tester'?")


@pytest.mark.parametrize(
    ("font", "code", "said"),
    [
        (None, "missing-file", "Tester.ttf"),
        (b"<html>", "not-a-font", "is not a font"),
        (b"OTTO" + REGULAR[4:].replace(b"glyf", b"CFF ", 1), "not-a-font", "CFF"),
        (b"wOF2" + REGULAR[4:], "font-not-truetype", "WOFF"),
        (REGULAR[:-2000], "not-a-font", "ends too early"),
        (REGULAR.replace(b"glyf", b"glyx", 1), "not-a-font", "glyf"),
        (with_table(REGULAR, b"OS/2", 8, b"\x00\x02"), "font-embedding", "0x0002"),
        (with_table(REGULAR, b"OS/2", 8, b"\x01\x00"), "font-embedding", "0x0100"),
    ],
)
def test_a_font_that_cannot_be_used_is_a_problem(tmp_path: Path, font: bytes | None, code: str, said: str) -> None:
    fonts = library(tmp_path, font)
    assert fonts.typeface("Tester") is None
    assert fonts.typeface("Tester", "bold") is None
    problem = only(fonts.problems)
    assert problem.code == code
    assert said in problem.what
    assert (problem.source.file, problem.source.line) == ("fonts/tester/family.yaml", 5)


@pytest.mark.parametrize("permissions", [b"\x00\x00", b"\x00\x04", b"\x00\x08", b"\x00\x06"])
def test_a_font_that_allows_embedding_in_some_way_is_used(tmp_path: Path, permissions: bytes) -> None:
    fonts = library(tmp_path, with_table(REGULAR, b"OS/2", 8, permissions))
    assert fonts.typeface("Tester") is not None


def test_one_file_under_two_styles_is_not(tmp_path: Path) -> None:
    assert all_problems(library(tmp_path, yaml=YAML + "  bold: Other.ttf\n", Other=REGULAR)) == []


@pytest.mark.parametrize(
    ("yaml", "code"),
    [
        (YAML + "  blod: Tester.ttf\n", "unknown-style"),
        (YAML.replace("licence-file: OFL.txt", "licence-file: GONE.txt"), "missing-licence"),
        (YAML.replace("  regular: Tester.ttf", "  {}"), "no-style"),
        (YAML + "  bold: ../../../../etc/passwd\n", "outside-workspace"),
        (YAML + "weigth: 3\n", "unknown-key"),
        ("- a\n", "wrong-type"),
    ],
)
def test_a_mistake_in_a_family_is_a_problem(tmp_path: Path, yaml: str, code: str) -> None:
    assert only(all_problems(library(tmp_path, yaml=yaml))).code == code


def test_a_family_of_a_name_already_there_is_a_problem(tmp_path: Path) -> None:
    fonts = library(tmp_path)
    shutil.copytree(tmp_path / "fonts" / "tester", tmp_path / "fonts" / "other")
    problem = only(all_problems(fonts))
    assert problem.code == "duplicate-family"
    assert problem.source.file == "fonts/tester/family.yaml"


def test_a_weight_that_is_not_there_is_drawn_in_the_nearest(tmp_path: Path) -> None:
    fonts = library(tmp_path, yaml=YAML + "  bold: Bold.ttf\n", Bold=BOLD)
    drawn = {}
    for weight in ("light", "regular", "medium", "semibold", "extrabold", "black"):
        typeface = fonts.typeface("Tester", weight, is_italic=True)
        assert typeface is not None
        drawn[weight] = typeface.postscript_name.removeprefix("AlegreyaSans-")
    assert " ".join(drawn.values()) == "Regular Regular Regular Bold Bold Bold"


def test_the_fonts_that_come_along_are_licensed_embeddable_and_of_different_names() -> None:
    fonts = FontLibrary(Workspace(FONTS.parent))
    assert all_problems(fonts) == []
    files = {path.relative_to(FONTS.parent).as_posix() for path in FONTS.rglob("*.[to]tf")}
    named = {style.path for family in fonts.families.values() for style in family.styles}
    assert files == named
    names = [typeface.postscript_name for typeface in fonts.typefaces_by_key.values()]
    assert len(names) == len(set(names)) == len(files)
    for family in fonts.families.values():
        licence = (FONTS.parent / family.licence_path).read_text("utf-8")
        assert len(licence) > 1000, family.name
    assert [face.postscript_name for face in fonts.fallbacks()] == ["DejaVuSans", "NotoEmoji-Regular"]
