"""Hostile input 31, and more of its kind: fonts that lie, burst, lack letters, or may not be embedded."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from harness import assert_prints, assert_refused, run_here
from hostile_game import DECK, FACE, GOOD, THEME, game

from duckpress.render.fonts import font_ink
from duckpress.render.pen import Words
from duckpress.text.fonts import Typeface
from duckpress.text.fonts.library import load_typeface
from font_kinds import compact, uncut, variable

FONTS = Path(__file__).resolve().parents[2] / "fonts"
GOOD_FONT = (FONTS / "alegreya-sans" / "AlegreyaSans-Regular.ttf").read_bytes()
FAMILY = "name: Evil\nlicence: None at all\nlicence-file: OFL.txt\nstyles:\n  regular: evil.ttf\n"
AT = "fonts/evil/family.yaml:5"


def tables(data: bytes) -> dict[bytes, bytes]:
    """Return a font's tables."""
    (count,) = struct.unpack_from(">H", data, 4)
    places = (struct.unpack_from(">4s4xII", data, 12 + 16 * index) for index in range(count))
    return {tag: data[offset : offset + length] for tag, offset, length in places}


def built(parts: Mapping[bytes, bytes], magic: bytes = b"\0\1\0\0") -> bytes:
    """Return a font of tables."""
    head, body = magic + struct.pack(">HHHH", len(parts), 16, 0, 0), b""
    for tag, data in sorted(parts.items()):
        head += tag + struct.pack(">III", 0, 12 + 16 * len(parts) + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    return head + body


def changed(**replaced: bytes | None) -> bytes:
    """Return the good font with tables replaced, or left out; `OS_2` is `OS/2`."""
    parts = tables(GOOD_FONT)
    for name, data in replaced.items():
        tag = name.replace("_", "/").encode().ljust(4)
        if data is None:
            del parts[tag]
        else:
            parts[tag] = data
    return built(parts)


def patched(table: bytes, offset: int, new: bytes) -> bytes:
    """Return the good font with some bytes of a table replaced."""
    data = tables(GOOD_FONT)[table]
    return built({**tables(GOOD_FONT), table: data[:offset] + new + data[offset + len(new) :]})


def character_map(*groups: tuple[int, int, int]) -> bytes:
    """Return a `cmap` of format 12."""
    body = b"".join(struct.pack(">III", *group) for group in groups)
    return struct.pack(">HHHHI", 0, 1, 3, 10, 12) + struct.pack(">HHIII", 12, 0, 16 + len(body), 0, len(groups)) + body


def segments(count: int) -> bytes:
    """Return a `cmap` of format 4 in which every segment is the whole of the first plane."""
    whole, none = b"\xff\xff" * count, b"\0\0" * count
    body = struct.pack(">HHHHHHH", 4, 0xFFFF, 0, 2 * count, 0, 0, 0) + whole + b"\0\0" + none + b"\0\1" * count + none
    return struct.pack(">HHHHI", 0, 1, 3, 1, 12) + body


def named(text: str) -> bytes:
    """Return the good font under another PostScript name and version."""
    words = text.encode("utf-16-be")
    records = b"".join(struct.pack(">HHHHHH", 3, 1, 0x409, which, len(words), 0) for which in (1, 4, 5, 6))
    return changed(name=struct.pack(">HHH", 0, 4, 6 + 48) + records + words)


def files(font: bytes, family: str = FAMILY, **more: str | bytes) -> dict[str, str | bytes]:
    return {
        **game(theme=THEME + "families: {text: Evil, body: Evil}\ntext: {body: {font: body, size: 9}}\n"),
        "fonts/evil/family.yaml": family,
        "fonts/evil/OFL.txt": "none",
        "fonts/evil/evil.ttf": font,
        **more,
    }


COMPACT = tables(compact())
REFUSED: dict[str, tuple[bytes, str, str]] = {
    "31-otf-of-rubbish": (built({**COMPACT, b"CFF ": bytes(range(256))}, b"OTTO"), "not-a-font", "make no sense"),
    "31-otf-of-fewer-outlines": (built({**COMPACT, b"maxp": b"\0\0\x50\0\0\2"}, b"OTTO"), "not-a-font", ""),
    "31-otf-of-another-em": (
        built({**COMPACT, b"head": COMPACT[b"head"][:18] + b"\x08\0" + COMPACT[b"head"][20:]}, b"OTTO"),
        "not-a-font",
        "another size",
    ),
    "31-woff2-bomb": (b"wOF2" + bytes(44) + b"\xff" * 1000, "font-not-truetype", "WOFF"),
    "31-collection": (b"ttcf" + bytes(100), "font-collection", "of 0 fonts"),
    "x-empty-cmap": (changed(cmap=b""), "not-a-font", "no glyphs"),
    "x-only-surrogates": (changed(cmap=character_map((0xD800, 0xDFFF, 1))), "not-a-font", "no glyphs"),
    "x-characters-over-and-over": (
        changed(cmap=character_map(*[(0, 0x10FFFF, 1)] * 50_000)),
        "not-a-font",
        "over and over",
    ),
    "x-segments-over-and-over": (changed(cmap=segments(8_000)), "not-a-font", "over and over"),
    "x-head-rubbish": (changed(head=b"\xff" * 54), "not-a-font", ""),
    "x-em-of-0": (patched(b"head", 18, b"\0\0"), "not-a-font", "em is 0 units"),
    "x-index-of-no-format": (patched(b"head", 50, b"\0\7"), "not-a-font", "of format 7"),
    "x-index-of-the-other-format": (patched(b"head", 50, b"\0\0"), "not-a-font", "'loca'"),
    "x-index-of-ff": (changed(loca=b"\xff" * len(tables(GOOD_FONT)[b"loca"])), "not-a-font", "points beyond"),
    "x-index-backwards": (patched(b"loca", 400, b"\0\0\0\1"), "not-a-font", "backwards"),
    "x-index-cut-short": (changed(loca=tables(GOOD_FONT)[b"loca"][:400]), "not-a-font", "an index of 99 outlines"),
    "x-more-widths-than-glyphs": (patched(b"hhea", 34, b"\xff\xff"), "not-a-font", "widths"),
    "x-head-cut-short": (changed(head=tables(GOOD_FONT)[b"head"][:40]), "not-a-font", "'head' is 40 bytes"),
}


@pytest.mark.sweep(6)
@pytest.mark.parametrize("case", REFUSED)
def test_a_bad_font_is_refused(tmp_path: Path, case: str) -> None:
    font, code, says = REFUSED[case]
    assert_refused(tmp_path, files(font), code=code, at=AT, says=says, as_process=case == "31-woff2-bomb")


def test_31_two_fonts_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """A PDF would show one for the other."""
    family = FAMILY + "  bold: bold.ttf\n"
    other = patched(b"hhea", 4, b"\3\x21")
    assert_refused(
        tmp_path, files(GOOD_FONT, family, **{"fonts/evil/bold.ttf": other}), code="duplicate-font-name",
        at="fonts/evil/family.yaml",
    )  # fmt: skip


def test_31_missing_letters_of_a_label_are_named(tmp_path: Path) -> None:
    slot = FACE.replace("</face>", '<slot label="\u0c15" width="20" height="20"/>\n</face>')
    one = "".join(line for line in DECK.splitlines(keepends=True) if "smew" not in line)
    found = assert_refused(
        tmp_path, game(face=slot, deck=one), code="missing-glyph", at="content/g/layouts/face.xml:6"
    )  # fmt: skip
    assert "U+0C15" in found.problems[0]["what"]


def usable(data: bytes) -> Typeface:
    font = load_typeface(data)
    assert isinstance(font, Typeface)
    return font


def with_outline(letters: str, outline: Callable[[int], bytes]) -> bytes:
    """Return the good font with other outlines for letters, made from their glyph's number; not longer than its own."""
    parts = tables(GOOD_FONT)
    whole = usable(GOOD_FONT)
    glyf = bytearray(parts[b"glyf"])
    places = array("I", parts[b"loca"])
    places.byteswap()
    for letter in letters:
        glyph = whole.glyph(letter)
        start, end = places[glyph : glyph + 2]
        new = outline(glyph)
        assert 0 < len(new) <= end - start
        glyf[start : start + len(new)] = new
    return built({**parts, b"glyf": bytes(glyf)})


def without_outlines(letters: str) -> bytes:
    """Return the good font with nothing where the outlines of letters were: what `loca` says of them is one place."""
    parts, whole = tables(GOOD_FONT), usable(GOOD_FONT)
    places = array("I", parts[b"loca"])
    places.byteswap()
    for letter in letters:
        places[whole.glyph(letter)] = places[whole.glyph(letter) + 1]
    assert sorted(places) == list(places)  # no two of them beside each other
    places.byteswap()
    return built({**parts, b"loca": places.tobytes()})


BLANK = {
    "x-outlines-left-out": without_outlines("Th"),
    "x-outlines-of-ff": with_outline("Th", lambda _: b"\xff" * 20),
    "x-glyph-of-itself": with_outline("Th", lambda glyph: struct.pack(">5hHHbb", -1, 0, 0, 500, 500, 2, glyph, 0, 0)),
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("case", BLANK)
def test_letters_that_a_font_does_not_draw_are_told(tmp_path: Path, case: str) -> None:
    """`Teal` printed as `eal`, with status 0. A text without those letters prints: `Smew`, on the other card."""
    assert_refused(
        tmp_path, {**files(BLANK[case]), **with_name("Teal")}, code="missing-glyph", at="content/g/layouts/face.xml:4",
        says="'T' (U+0054), for which 'fonts/evil/evil.ttf' of the family 'Evil' draws nothing: the file is damaged",
    )  # fmt: skip
    (tmp_path / "sound").mkdir()
    assert_prints(tmp_path / "sound", {**files(BLANK[case]), **with_name("Gadwall")})


def with_name(name: str) -> dict[str, str]:
    """Return a deck of one card, with that name and few other letters."""
    deck = DECK.replace("Teal", name).replace("A small **duck**.", "oo").split("  - {id: smew")[0]
    return {"content/g/decks/duck.yaml": deck}


@pytest.mark.sweep(6)
@pytest.mark.parametrize("path", sorted(FONTS.rglob("*.ttf")), ids=lambda path: path.name)
def test_x_bundled_fonts_draw_every_letter(path: Path) -> None:
    font = usable(path.read_bytes())
    for code in sorted(font.codes):
        font.shape(chr(code))
    assert not font.undrawn


PRINTS = {
    "x-axes-of-nothing": changed(fvar=bytes(16)),
    "x-axes-of-ff": changed(fvar=b"\0\1\0\0" + b"\xff" * 500, gvar=b"\xff" * 500),
    "x-changes-of-ff": built({**tables(variable()), b"gvar": tables(variable())[b"gvar"][:20] + b"\xff" * 900}),
    "x-changes-of-cff2-of-ff": built(
        {**tables(variable(True)), b"CFF2": tables(variable(True))[b"CFF2"][:200] + b"\xff" * 900}, b"OTTO"
    ),
    "x-all-characters": changed(cmap=character_map((0, 0x10FFFF, 1))),
    "x-rules-of-rubbish": changed(GSUB=b"\0\1\0\0" + b"\xff" * 500, GPOS=b"\0\1\0\0" + b"\xff" * 500),
    "x-program": changed(fpgm=b"\xff" * 60_000, prep=b"\x1c\xff\xfd" * 20_000),
}


@pytest.mark.sweep(7)
@pytest.mark.parametrize("case", PRINTS)
def test_an_odd_font_prints_or_is_told(tmp_path: Path, case: str) -> None:
    """What HarfBuzz passes over is no danger; a text may come out too wide, but never a traceback."""
    ran = run_here(tmp_path, "build", "g", "--paper", "a4", files={**GOOD, **files(PRINTS[case])})
    assert ran.status in (0, 1)
    assert set(ran.codes()) <= {"text-overflow", "missing-glyph", "print-text", "glyph-unreadable", "not-a-font"}, ran
    for path in ran.written:
        if path.endswith(".pdf"):
            data = (tmp_path / path).read_bytes()
            assert b"\xff" * 200 not in data


@pytest.mark.parametrize("name", ["Evil/Name<>()[]{}", "\x1b[2J\u202educk", "\0" * 30, "A" * 30_000, "\ud800", ""])
def test_names_in_a_font_cannot_leave_their_place(name: str) -> None:
    """x-font-name: it becomes a name of the PDF, and the version a word of the licences."""
    found = usable(named(name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")))
    assert found.postscript_name.replace("-", "").replace("_", "").isalnum()
    assert len(found.postscript_name) <= 63
    assert found.version.isprintable()
    assert len(found.version) <= 200


def test_letters_of_a_font_that_are_none_are_not_taken() -> None:
    """x-surrogates: a map from half a letter would make a ToUnicode map that cannot be written."""
    found = usable(changed(cmap=character_map((0xD800, 0xD8FF, 40), (0, 0x1F, 90), (0x41, 0x5A, 40))))
    assert found.codes == frozenset(range(0x41, 0x5B))
    ink = font_ink(found, array("H", range(120)), [Words(bytes(240), ((240, "ABC"),))])
    assert ink.to_unicode


def test_a_word_of_a_hundred_thousand_letters_is_shaped_in_parts() -> None:
    """x-long-word: rules of a font may make sixty-four glyphs of a letter, and none makes more than that at once."""
    found = usable(GOOD_FONT)
    run = found.shape("ab" * 20_000)
    assert run.length == 40_000
    assert run.width == pytest.approx(20 * found.shape("ab" * 1_000).width, rel=0.01)


def test_x_fonts_of_which_letters_in_use_cannot_be_cut_are_told_together(tmp_path: Path) -> None:
    """Nothing can tell before the printing; a font is told once for all papers, and nothing is written."""
    families = {"Evil": "e", "Worse": "l", "Sound": "G"}
    written: dict[str, str | bytes] = {}
    for name, letter in families.items():
        written[f"fonts/{name}/family.yaml"] = FAMILY.replace("Evil", name).replace(".ttf", ".otf")
        written |= {f"fonts/{name}/OFL.txt": "none", f"fonts/{name}/evil.otf": uncut(name, letter)}
    roles = ", ".join(f"{name.lower()}: {name}" for name in families)
    styles = ", ".join(f"{name.lower()}: {{font: {name.lower()}}}" for name in families)
    boxes = "".join(
        f'<text x="5" y="{y}" width="50" height="9" style="{name.lower()}">Teal</text>'
        for y, name in zip((10, 30, 50), families, strict=True)
    )
    one_game = game(theme=f"{THEME}families: {{{roles}}}\ntext: {{{styles}}}\n", face=f"<face>{boxes}</face>")
    ran = run_here(tmp_path, "build", "g", "--paper", "a4,letter", files={**one_game, **written})
    assert (ran.status, [path for path in ran.written if path.endswith(".pdf")]) == (1, []), ran
    told = [(one["code"], one["file"], one["line"]) for one in ran.problems if one["level"] == "error"]
    assert told == [("not-a-font", f"fonts/{name}/family.yaml", 5) for name in ("Evil", "Worse")]
    pictures = run_here(tmp_path, "export", "g", "--to", "png", form=None)
    assert (pictures.status, pictures.err.count("error[not-a-font]")) == (1, 2), pictures
