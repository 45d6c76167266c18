"""Hostile inputs 1, 2, 29, 30 and 32, and more of their kind: what card texts and layouts can write onto a face."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from harness import assert_prints, assert_refused, run_here
from hostile_game import DECK, FACE, GAME, GOOD, game, with_face, with_text

LAYOUT = "content/g/layouts/face.xml"
AT = f"{LAYOUT}:6"  # where `with_face` puts its element
ATTACK = "[[[getattr(pow,Attacker('__globals__'))['os'].system('touch /tmp/pwned') for Attacker in [1]]] and 'red'"
BOX = 'x="1" y="1" width="9" height="9"'
TEXT_BOX = 'x="1" y="1" width="50" height="9"'


def raw(path: Path) -> bytes:
    """Return a PDF with its streams unpacked."""
    data = path.read_bytes()
    parts = [data]
    for packed in re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL):
        try:
            parts.append(zlib.decompress(packed))
        except zlib.error:
            parts.append(packed)
    return b"\n".join(parts)


LITERAL = {
    "01-font-colour": f'<font color="{ATTACK}">red</font>',
    "02-img-http": '<img src="http://127.0.0.1:9/x.png"/>',
    "30-nested-b": "<b>" * 20,
    "32-javascript": '<a href="javascript:app.alert(1)">here</a>',
    "x-entities": "&lt;script&gt; &amp;amp; &#60;",
    "x-xml-in-a-text": "</text></face><script>",
    "x-pdf-operators": ") Tj ET Q /JS (app.alert(1)) BT (",
    "x-percent-formats": "%s %n %(x)s $HOME `id`",
}


@pytest.mark.sweep(12)
@pytest.mark.parametrize("case", LITERAL)
def test_what_looks_like_code_is_words(tmp_path: Path, case: str) -> None:
    wide = game(face=FACE.replace('width="50" height="30"', 'width="52" height="40" size="4"'))
    text = LITERAL[case]
    files = {**wide, **{path: made for path, made in with_text(text).items() if path.endswith("duck.yaml")}}
    ran = assert_prints(tmp_path, files, as_process=case == "01-font-colour")
    assert not ran.codes()
    pdf = pypdfium2.PdfDocument(tmp_path / next(path for path in ran.written if path.endswith("cards-a4.pdf")))
    said = re.sub(r"\s", "", "".join(page.get_textpage().get_text_range() for page in pdf))
    for word in text.split():
        assert re.sub(r"\s", "", word).strip("`*")[:12] in said, (word, said)


REFUSED = {
    "01-colour": (f'<rect {BOX} fill="{ATTACK}"/>', "unknown-colour"),
    "01-text-colour": (f'<text {TEXT_BOX} colour="{ATTACK}">a</text>', "unknown-colour"),
    "01-paint": (f'<image href="art/pond.svg" {BOX} paint="a: {ATTACK}"/>', "unknown-class"),
    "29-size-nan": (f'<text {TEXT_BOX} size="nan">a</text>', "bad-number"),
    "29-size-1e9": (f'<text {TEXT_BOX} size="1e9">a</text>', "bad-number"),
    "29-width-1e12": ('<rect x="1" y="1" width="1000000000000" height="9" fill="ink"/>', "bad-length"),
    "29-box-0x0": ('<text x="1" y="1" width="0" height="0">Heron</text>', "text-overflow"),
    "x-superscript-count": ('<pips count="²" icon="star" x="1" y="1" width="9" height="9"/>', "bad-number"),
    "x-superscript-grid": ('<grid columns="²"><rect fill="ink"/></grid>', "bad-grid"),
    "x-superscript-space": ('<track count="4" width="9" height="2"><space at="²"/></track>', "unknown-coordinate"),
    "x-points": (f'<polyline points="{"1 " * 150_000}x" stroke="ink"/>', "bad-path"),
    "x-clip": ('<g clip="M0 0 L"><rect fill="ink" width="9" height="9"/></g>', "bad-path"),
    "x-transform-1e400": (f'<g transform="scale(1e400)"><rect fill="ink" {BOX}/></g>', "bad-transform"),
    "x-transform-product": (f'<g transform="{"scale(9e5) " * 3}"><rect fill="ink" {BOX}/></g>', "bad-transform"),
    "x-dashes": (f'<rect {BOX} stroke="ink" stroke-dasharray="{"1 " * 9000}"/>', "bad-length"),
    "x-qr-too-long": (f'<qr text="{"a" * 3000}" {BOX}/>', "bad-qr"),
    "x-icon-path": (f'<icon name="../../../etc/passwd" {BOX}/>', "unknown-icon"),
    "x-handler": (f'<rect {BOX} fill="ink" onclick="1"/>', "unknown-attribute"),
    "x-own-mark": ("<{{ 'rect' }} _at=\"²\" fill='nope'/>", "unknown-colour"),
}  # fmt: skip


@pytest.mark.sweep(12)
@pytest.mark.parametrize("case", REFUSED)
def test_a_bad_element_is_refused_at_its_line(tmp_path: Path, case: str) -> None:
    element, code = REFUSED[case]
    files = with_face(element)
    if case == "x-own-mark":  # its line is that of the template's own mark
        ran = run_here(tmp_path, "check", "g", files={**GOOD, **files})
        assert (ran.status, set(ran.codes())) == (1, {code})
        return
    assert_refused(tmp_path, only_once(files), code=code, at=AT)


def only_once(files: dict[str, str | bytes]) -> dict[str, str | bytes]:
    """Leave one card of the deck: a mistake of every card is told for every card."""
    one = "".join(line for line in DECK.splitlines(keepends=True) if "smew" not in line)
    return {**files, "content/g/decks/duck.yaml": one}


def test_x_a_layout_has_no_entities(tmp_path: Path) -> None:
    doctype = '<!DOCTYPE face [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    files = only_once(game(face=f"{doctype}\n{FACE}"))
    assert_refused(tmp_path, files, code="malformed-layout", at=f"{LAYOUT}:1", says="DOCTYPE")


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    "element",
    [
        pytest.param("<text>&passwd;</text>", id="x-entity"),
        pytest.param("{% for n in range(9000) %}<g/><g/><g/>{% endfor %}", id="x-27000-elements"),
        pytest.param("<text a='1' a='2'/>", id="x-attribute-twice"),
        pytest.param("<text>\x01</text>", id="x-control-character"),
        pytest.param("<rect a='" + "'\"" * 50_000, id="x-many-quotes"),
        pytest.param("<rect fill=\"<!--\"/>", id="x-comment-in-an-attribute"),
    ],
)  # fmt: skip
def test_a_face_that_is_no_xml_is_refused(tmp_path: Path, element: str) -> None:
    ran = run_here(tmp_path, "check", "g", files={**GOOD, **only_once(with_face(element))})
    assert ran.status == 1
    assert len(ran.problems) == 1
    assert ran.codes()[0] in ("malformed-layout", "bad-character", "template-syntax")


LONG = {
    "30-40000-letters": "a" * 40_000,
    "30-nested-b": "<b>" * 5000,
    "30-stars": "*a " * 10_000,
    "x-emoji": "\U0001f986" * 20_000,
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("case", LONG)
def test_a_long_text_is_named_with_its_card(tmp_path: Path, case: str) -> None:
    ran = run_here(tmp_path, "check", "g", files={**GOOD, **with_text(LONG[case])})
    assert ran.status == 1
    assert set(ran.codes()) <= {"text-overflow", "missing-glyph", "unknown-icon", "unknown-field", "bad-markup"}
    assert any("teal" in problem["what"] for problem in ran.problems)
    assert all(len(problem["what"]) < 2000 for problem in ran.problems)


def test_a_template_in_a_text_is_not_filled(tmp_path: Path) -> None:
    """x-jinja-in-a-text: what stands in braces is the name of an icon, and there is none of that name."""
    text = "{% include '/etc/passwd' %}"
    ran = assert_refused(tmp_path, with_text(text), code="unknown-icon", at=f"{LAYOUT}:5", says="include")
    assert "root:" not in ran.out


TITLES = {
    "x-parentheses": "Pond (((",
    "x-closing": ") >> /JS (app.alert(1)) << (",
    "x-backslash": "Pond \\\\",
    "x-emoji": "Pond \U0001f986",
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("case", TITLES)
def test_a_title_stays_a_title_in_the_pdf(tmp_path: Path, case: str) -> None:
    """Titles, bookmarks and keywords are strings of the PDF, and nothing in them ends one."""
    title = TITLES[case]
    quoted = title.replace("\\\\", "\\").replace("\\", "\\\\").replace('"', '\\"')
    ran = assert_prints(tmp_path, game(game=GAME.replace("title: Pond", f'title: "{quoted}"')))
    path = tmp_path / next(path for path in ran.written if path.endswith("all-a4.pdf"))
    with pikepdf.open(path) as pdf:
        assert title.strip().replace("\\\\", "\\")[:200] in str(pdf.docinfo["/Title"])


SCALES = {"x-huge": ("900000", 55, True), "x-tiny": ("0.0001", 55, False),
          "x-mirror": ("-1 1", 3, False)}  # fmt: skip


@pytest.mark.parametrize("case", SCALES)
def test_groups_in_groups_never_write_what_is_no_number(tmp_path: Path, case: str) -> None:
    """Each factor is small enough, all of them together are not; nothing may become 'inf'."""
    factor, count, is_refused = SCALES[case]
    inside = '<rect x="1" y="1" width="9" height="9" fill="ink"/><text x="1" y="1" width="30" height="9">a</text>'
    element = f'<g transform="scale({factor})">' * count + inside + "</g>" * count
    if is_refused:
        assert_refused(tmp_path, only_once(with_face(element)), code="bad-transform", at=AT)
        return
    ran = assert_prints(tmp_path, with_face(element))
    for path in ran.written:
        if path.endswith(".pdf"):
            assert not re.search(rb"\b(inf|nan)\b", raw(tmp_path / path))
