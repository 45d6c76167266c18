"""Pages that were proven before: they are not read again, and whatever is wrong is found as if nothing were known."""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable, Sequence

import msgspec
import pytest

from duckpress.core.frame import Frame, Group, PlacedDrawing
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.core.problems import Problem, Source
from duckpress.impose import Sheet, Side
from duckpress.proof import Expected, ExpectedFace, ExpectedPage, Proven, prove
from duckpress.proof.kept_pages import _FontFacts, _KeptPage
from duckpress.proof.opened import OpenedPdf
from duckpress.proof.placing import PageLayout
from duckpress.proof.written_objects import WrittenObjects
from duckpress.render import DocumentInfo, render_pdf
from handmade import A4, FONTS, ICON, booklet, card, placed, words

COUNT = 5
FACES = [
    card(words(f"Wave {number}"), Group((words("mist"),), opacity=0.5), PlacedDrawing(ICON.key, Matrix(e=5, f=20)))
    for number in range(COUNT)
]
NEW = card(words("Wave 24"), PlacedDrawing(ICON.key, Matrix(e=5, f=20)))
NEW_LETTER = card(words("Quail"))


def printed(faces: Sequence[Frame], x_mm: float = 30.0) -> tuple[bytes, Expected]:
    """Return a file with each face on a page of its own, and what it must hold."""
    sides = [
        Side((placed(number, face, x_mm, 40),), (words("a sheet", 20, 280, 2.2),)) for number, face in enumerate(faces)
    ]
    sheets = [Sheet(A4, side, None, number, len(faces)) for number, side in enumerate(sides, 1)]
    expected = Expected(
        tuple(ExpectedFace("d", f"c{number}", 1, face, None) for number, face in enumerate(faces)),
        A4, 5.0, None, "Art", "en", {}, {ICON.key: ICON},
        pages=tuple(ExpectedPage(side, A4) for side in sides), font_file=lambda key: FONTS[key].file,
    )  # fmt: skip
    return render_pdf([booklet(sheets, faces)], FONTS, DocumentInfo("Art", language="en")), expected


PDF, EXPECTED = printed(FACES)


def found(pdf: bytes, expected: Expected = EXPECTED, proven: Proven | None = None) -> list[Problem]:
    return prove.prove_pdf(pdf, expected, Source("woods.pdf"), 1, proven)


def kept(pdf: bytes = PDF, expected: Expected = EXPECTED) -> bytes:
    """Return what is kept of a right file."""
    proven = Proven(b"")
    assert found(pdf, expected, proven) == []
    return proven.news()


KEPT = kept()


def as_if_nothing_were_known(pdf: bytes, expected: Expected = EXPECTED, known: bytes = KEPT) -> list[Problem]:
    """Return what is found in a file, which is the same with what was proven before as without."""
    try:
        problems = found(pdf, expected)
    except ValueError as error:  # operands that are none: a traceback stops a build, too
        with pytest.raises(ValueError, match=re.escape(str(error))):
            found(pdf, expected, Proven(known))
        return [Problem("traceback", Source(""), str(error))]
    assert found(pdf, expected, Proven(known)) == problems
    return problems


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note each page that is read."""
    pages: list[int] = []
    page = OpenedPdf.page
    monkeypatch.setattr(OpenedPdf, "page", lambda self, index: pages.append(index) or page(self, index))
    return pages


def bodies(pdf: bytes) -> list[bytes]:
    """Return the objects of a plain file between `obj` and `endobj`, the first being number 1."""
    parts = re.split(rb"(?:\A|(?<=\nendobj\n))(\d+) 0 obj\n", pdf[: pdf.rindex(b"xref\n", 0, -60)])
    assert list(map(int, parts[1::2])) == list(range(1, len(parts) // 2 + 1)) or parts[0]
    return [body.removesuffix(b"endobj\n") for body in parts[2::2]]


def rewritten(edit: Callable[[list[bytes]], None], pdf: bytes = PDF) -> bytes:
    """Return a plain file with other objects, written as plainly."""
    start = re.search(rb"1 0 obj\n", pdf)
    assert start is not None
    head, end = pdf[: start.start()], pdf[pdf.rindex(b"trailer") :]
    objects = bodies(pdf[start.start() :])
    edit(objects)
    out, places = head, []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%bendobj\n" % (number, body)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
    table += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + table + re.sub(rb"startxref\n\d+", b"startxref\n%d" % len(out), end)


def test_the_file_is_written_plainly() -> None:
    assert rewritten(lambda _: None) == PDF
    assert WrittenObjects(PDF)
    assert as_if_nothing_were_known(PDF) == []


def test_nothing_is_read_twice(read: list[int]) -> None:
    proven = Proven(KEPT)
    assert found(PDF, EXPECTED, proven) == []
    assert read == []
    assert proven.news() == b""


def test_a_page_that_moves_on_is_not_read_again(read: list[int]) -> None:
    """Its objects have other numbers then."""
    assert found(*printed([FACES[0], NEW, *FACES[1:]]), Proven(KEPT)) == []
    assert read == [1]


def test_one_changed_face_is_one_page(read: list[int]) -> None:
    pdf, expected = printed([*FACES[:2], NEW, *FACES[3:]])
    proven = Proven(KEPT)
    assert found(pdf, expected, proven) == []
    assert read == [2]
    assert found(PDF, EXPECTED, Proven(proven.news())) == []
    assert read == [2]


def test_a_font_with_more_glyphs_says_the_same_of_the_others(read: list[int]) -> None:
    pdf, expected = printed([*FACES, NEW_LETTER])
    proven = Proven(KEPT)
    assert found(pdf, expected, proven) == []
    assert read == [COUNT]
    read.clear()
    assert found(PDF, EXPECTED, Proven(proven.news())) == []
    assert read == []
    # With fewer glyphs than it was proven with, a page is read again.
    few, expected = printed(FACES[:1])
    whole = kept(*printed([*FACES, NEW_LETTER]))
    read.clear()
    assert found(few, expected, Proven(whole)) == []
    assert read == [0]


def inflated(body: bytes) -> bytes | None:
    """Return what stands in a deflated stream; None for anything else."""
    if b"/FlateDecode" not in body.partition(b"stream\n")[0]:
        return None
    return zlib.decompress(body.partition(b"stream\n")[2].removesuffix(b"\nendstream\n"))


def deflated(body: bytes, data: bytes) -> bytes:
    """Return a stream with other data."""
    packed = zlib.compress(data)
    head = re.sub(rb"/Length \d+>>", b"/Length %d>>" % len(packed), body.partition(b"\nstream\n")[0])
    return head + b"\nstream\n" + packed + b"\nendstream\n"


def other_digit(text: bytes, place: int) -> bytes:
    """Return a text with one of its digits changed; as it is where it has none."""
    digits = list(re.finditer(rb"\d", text))
    if not digits:
        return text
    at = digits[place % len(digits)].start()
    return text[:at] + (b"7" if text[at : at + 1] != b"7" else b"3") + text[at + 1 :]


def changes(number: int, place: int) -> Callable[[list[bytes]], None]:
    """Return an edit of one object: of a digit in its stream if it has one and `place` is even, else outside of it."""

    def edit(objects: list[bytes]) -> None:
        body = objects[number]
        data = inflated(body)
        if data is not None and place % 2 == 0:
            objects[number] = deflated(body, other_digit(data, place // 2))
        else:
            head, stream, rest = body.partition(b"/Length")
            objects[number] = other_digit(head, place // 2) + stream + rest

    return edit


@pytest.mark.parametrize("place", [0, 1, 6, 9])
def test_whatever_is_changed_in_an_object_is_found(place: int) -> None:
    unseen = 0
    for number in range(len(bodies(PDF[PDF.index(b"1 0 obj") :]))):
        pdf = rewritten(changes(number, place))
        unseen += pdf != PDF and not as_if_nothing_were_known(pdf)
    assert unseen <= 12  # dates, producers, names of fonts: what nobody prints


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_changed_anywhere_is_found(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        place = chance.randrange(len(PDF))
        pdf = bytearray(PDF)
        pdf[place] = chance.choice(b"0123456789 /<>[]R") if chance.random() < 0.7 else chance.randrange(256)
        as_if_nothing_were_known(bytes(pdf))


@pytest.mark.parametrize(
    "edit",
    [
        lambda pdf: pdf.replace(b"/Kids", b"/Rotate 90 /Kids", 1),
        lambda pdf: pdf + b"\n",
        lambda pdf: pdf.replace(b"trailer\n<<", b"trailer\n<</Prev 9", 1),
        lambda pdf: pdf.replace(b"\nendobj\n", b"\n%\nendobj\n", 1),
        lambda pdf: pdf.replace(b" 0 R", b" 0  R", 1),
    ],
)
def test_what_is_not_written_plainly_is_read_in_full(edit: Callable[[bytes], bytes], read: list[int]) -> None:
    as_if_nothing_were_known(edit(PDF))
    assert read in ([], [0, 0], 2 * list(range(COUNT)))  # all, if any are


def test_a_list_of_pages_that_turns_them_is_seen() -> None:
    """Pages take from it what they do not say themselves."""

    def edit(objects: list[bytes]) -> None:
        (number,) = (at for at, body in enumerate(objects) if b"/Kids" in body)
        objects[number] = objects[number].replace(b"/Kids", b"/Rotate 90 /Kids")

    assert [problem.code for problem in as_if_nothing_were_known(rewritten(edit))] == ["proof-unreadable"]


OTHERS = {
    "another paper": EXPECTED._replace(paper=Size(200.0, 297.0)),
    "wider margins": EXPECTED._replace(margin_mm=25.0),
    "greys": EXPECTED._replace(is_grey=True),
    "duplex": EXPECTED._replace(duplex="long"),
    "marks": EXPECTED._replace(cut="marks"),
    "no drawings": EXPECTED._replace(drawings={}),
    "another side": EXPECTED._replace(pages=(EXPECTED.pages[1], *EXPECTED.pages[1:])),
    "a face is missing": EXPECTED._replace(faces=EXPECTED.faces[1:]),
    "two copies": EXPECTED._replace(faces=(EXPECTED.faces[0]._replace(copies=2), *EXPECTED.faces[1:])),
    "another title": EXPECTED._replace(title="Tar"),
    "another language": EXPECTED._replace(language="fr"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_whatever_else_is_expected_is_missed(name: str) -> None:
    assert as_if_nothing_were_known(PDF, OTHERS[name])


@pytest.mark.parametrize("known", [b"", b"nonsense", KEPT[:-1], KEPT[:1000], bytes(50)])
def test_what_is_no_note_of_pages_counts_for_nothing(known: bytes, read: list[int]) -> None:
    assert found(PDF, EXPECTED, Proven(known)) == []
    assert read == list(range(COUNT))


def test_without_a_place_for_them_no_page_is_kept(read: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duckpress.proof.kept_pages.WrittenObjects", None)
    proven = Proven()
    assert found(PDF, EXPECTED, proven) == found(PDF, EXPECTED, proven) == []
    assert len(read) == 2 * COUNT
    assert proven.news() == b""


def test_what_was_wrong_is_not_kept() -> None:
    proven = Proven(b"")
    assert found(PDF, OTHERS["two copies"], proven)
    assert proven.news() == b""


def test_fonts_of_pages_long_gone_are_forgotten() -> None:
    """Every change that needs another letter makes another font: a game that is watched all evening has thousands."""
    proven, layout, news = Proven(b""), PageLayout(Size(9.0, 9.0), (), (), Rect(0.0, 0.0, 9.0, 9.0)), b""
    facts = [_FontFacts("C", {1: str(number)}, {1: 0.5}, (0.8, -0.2, True, True, True)) for number in range(700)]
    for number, one in enumerate(facts):
        proven.begin()
        digest, _ = proven.font(one)
        proven.keep(b"%d" % number, _KeptPage(layout, {"F-1": digest}, {}))
        news = proven.news()
    pages, fonts = msgspec.msgpack.decode(news, type=tuple[dict[bytes, bytes], dict[bytes, object]])
    assert (len(pages), len(fonts)) == (500, 100)
    again = Proven(news)
    assert again.page(b"699", {"F-1": facts[699]}) is not None
    assert again.page(b"699", {"F-1": facts[698]}) is None
    assert again.page(b"300", {"F-1": facts[300]}) is None  # proven anew, as its font is gone
