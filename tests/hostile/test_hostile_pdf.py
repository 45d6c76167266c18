"""What gets into a PDF: ink. No addresses, no scripts, no attachments, no forms, whatever a game holds."""

from __future__ import annotations

import re
from pathlib import Path

import pikepdf
import pytest
from harness import assert_prints, assert_refused
from hostile_game import GAME, GOOD, game, with_art, with_text

RULES = """\
# Links

A [link](javascript:alert(1)), <a href="javascript:alert(2)">another</a>, <javascript:alert(3)>, a bare
http://127.0.0.1:9/x and ![a picture](javascript:alert(4)).

[reference][1]

[1]: javascript:alert(5)
"""
SVG_LINK = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10">'
    '<a xlink:href="javascript:alert(1)" href="javascript:alert(2)"><rect width="5" height="5"/></a></svg>'
)
# Sources: ISO 32000-2, 12.5 (annotations), 12.6 (actions), 12.7 (forms), 7.11.4 (embedded files), 13 (multimedia).
ACTIVE = (
    "/Annots", "/AA", "/OpenAction", "/JavaScript", "/JS", "/URI", "/Launch", "/GoToR", "/GoToE", "/SubmitForm",
    "/ImportData", "/AcroForm", "/XFA", "/EmbeddedFiles", "/EmbeddedFile", "/Filespec", "/RichMedia", "/Rendition",
    "/Collection", "/Threads",
)  # fmt: skip
GAMES = {
    "32-link-in-a-text": with_text("<a href='javascript:alert(1)'>Teal</a> [Teal](javascript:alert(1))"),
    "32-link-in-an-svg": with_art("link.svg", SVG_LINK),
    "32-title-of-the-game": game(game=GAME.replace("title: Pond", 'title: "/URI (javascript:alert(1)) /JS"')),
    "x-pdf-in-a-text": with_text("(x) Tj ET endstream endobj 9 0 obj << /S /JavaScript /JS (alert(1)) >> \\) \\("),
    "x-pdf-in-a-name": game(game=GAME.replace("designer: Ann", r'designer: "Ann) /OpenAction << /S /JavaScript >> ("')),
}


def active_parts(folder: Path) -> list[str]:
    """Return what is not ink in the PDFs of a folder: names in their objects, streams and texts left aside."""
    found = []
    paths = sorted(folder.rglob("*.pdf"))
    assert paths
    for path in paths:
        with pikepdf.open(path) as pdf:
            for one in pdf.objects:
                written = (one.stream_dict if isinstance(one, pikepdf.Stream) else one).unparse(resolved=True)
                words = re.findall(rb"/\w+", re.sub(rb"\((?:[^\\()]|\\.)*\)", b"", written, flags=re.DOTALL))
                found += [f"{path.name}: {name}" for name in ACTIVE if name.encode() in words]
    return found


@pytest.mark.sweep(2)
@pytest.mark.parametrize("case", GAMES)
def test_only_ink_gets_into_a_pdf(tmp_path: Path, case: str) -> None:
    assert_prints(tmp_path, GAMES[case])
    assert not active_parts(tmp_path / "output")


def test_32_links_in_rules_are_words(tmp_path: Path) -> None:
    files = {**GOOD, "content/g/rules.md": RULES.replace("![a picture](javascript:alert(4))", "this")}
    assert_prints(tmp_path, files)
    assert not active_parts(tmp_path / "output")


def test_32_a_picture_in_rules_is_a_card_or_a_file(tmp_path: Path) -> None:
    line = "![a picture](javascript:alert(4))\n"
    files = {**GOOD, "content/g/rules.md": f"# Goal\n\n{line}"}
    assert_refused(tmp_path, files, code="bad-picture-line", at="content/g/rules.md:3", command=("build", "g"))


def test_the_test_would_see_a_link(tmp_path: Path) -> None:
    out = tmp_path / "output"
    out.mkdir()
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        link = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot,
            Subtype=pikepdf.Name.Link,
            Rect=[0, 0, 9, 9],
            A=pikepdf.Dictionary(S=pikepdf.Name.URI, URI=pikepdf.String("javascript:alert(1)")),
        )
        pdf.pages[0].Annots = pikepdf.Array([link])
        pdf.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pikepdf.String("x"))
        pdf.save(out / "x.pdf")
    seen = {line.partition(": ")[2] for line in active_parts(out)}
    assert seen == {"/OpenAction", "/JavaScript", "/JS", "/Annots", "/URI"}
