"""Pages looked at by several processes: the findings are those of one, wherever the fault lies and whoever meets it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable

import pikepdf
import pytest

from duckpress.core.frame import Outline, Paint
from duckpress.core.problems import Problem, Source
from duckpress.pool.process_pool import can_fork
from duckpress.proof import Expected, ExpectedFace, prove
from duckpress.render import DocumentInfo, render_pdf
from forking import child_does
from handmade import A4, FONTS, booklet, card, placed, sheet, words
from path_texts import path_of
from pdf_reading import opened

pytestmark = pytest.mark.skipif(not can_fork(), reason="this process may not fork")

PAGES = 6
CARDS = [card(words(f"Card {number}")) for number in range(PAGES)]
SHARED = card(words("On every page"))
MARK = Outline(path_of("10 10 m 10 15 l"), Paint(stroke="#000000", stroke_mm=0.2))
SHEETS = [
    sheet([placed(0, one, 20, 20), placed(1, SHARED, 70, 20)], None, MARK, words(f"sheet {number}", 20, 280, 2.2))
    for number, one in enumerate(CARDS)
]
EXPECTED = Expected(
    (
        *(ExpectedFace("woods", f"card-{number}", 1, one, None) for number, one in enumerate(CARDS)),
        ExpectedFace("woods", "shared", PAGES, SHARED, None),
    ),
    A4,
    5.0,
    None,
    "Woods",
    "en",
    {},
)
PDF = render_pdf([booklet(SHEETS, (*CARDS, SHARED))], FONTS, DocumentInfo("Woods", language="en"))

Edit = Callable[[pikepdf.Pdf, int], None]


def proven(pdf: bytes, children: int) -> list[Problem]:
    """Return what is found when children look at so many parts before this process looks at any."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prove, "PAGES_A_PART", 1)
        patch.setattr(prove, "LEAST_PARTS", 1)
        if children:
            patch.setattr(prove, "in_parts", child_does(children))
        return prove.prove_pdf(pdf, EXPECTED, Source("woods.pdf"), jobs=2 if children else 1)


def edited(*edits: tuple[Edit, int]) -> bytes:
    """Return the file with faults on pages."""
    out = io.BytesIO()
    with opened(PDF) as pdf:
        for edit, page in edits:
            edit(pdf, page)
        pdf.save(out)
    return out.getvalue()


def face_of(pdf: pikepdf.Pdf, page: int) -> pikepdf.Object:
    return pdf.pages[page].Resources.XObject[f"/C-{CARDS[page].hash}"]


def without_words(pdf: pikepdf.Pdf, page: int) -> None:
    form = face_of(pdf, page)
    form.write(b"\n".join(line for line in form.read_bytes().split(b"\n") if b"TJ" not in line))


def without_card(pdf: pikepdf.Pdf, page: int) -> None:
    contents = pdf.pages[page].Contents
    lines = contents.read_bytes().split(b"\n")
    contents.write(b"\n".join(line for line in lines if CARDS[page].hash.encode() not in line))


def off_the_paper(pdf: pikepdf.Pdf, page: int) -> None:
    contents = pdf.pages[page].Contents
    contents.write(contents.read_bytes() + b"\n0 0 m 3 3 l S")


def as_its_neighbour(pdf: pikepdf.Pdf, page: int) -> None:
    form, other = face_of(pdf, page), face_of(pdf, (page + 1) % PAGES)
    form.write(other.read_bytes())


def another_shared_form(pdf: pikepdf.Pdf, page: int) -> None:
    name = f"/C-{SHARED.hash}"
    pdf.pages[page].Resources = pdf.make_indirect(pikepdf.Dictionary(pdf.pages[page].Resources))
    form = face_of(pdf, page)
    pdf.pages[page].Resources.XObject[name] = pdf.make_stream(
        form.read_bytes(), Type=form.Type, Subtype=form.Subtype, BBox=form.BBox, Resources=form.Resources
    )


def a_strange_operator(pdf: pikepdf.Pdf, page: int) -> None:
    contents = pdf.pages[page].Contents
    contents.write(contents.read_bytes() + b"\n/Sh1 sh")


def test_a_right_file_is_right_whoever_looks() -> None:
    assert [proven(PDF, children) for children in (0, 1, PAGES // 2, PAGES)] == [[], [], [], []]


@pytest.mark.parametrize("page", [0, 2, PAGES - 1])
@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (without_words, "proof-art"),
        (without_card, "proof-copies"),
        (off_the_paper, "proof-margin"),
        (as_its_neighbour, "proof-art"),
        (another_shared_form, "proof-face-mixed"),
        (a_strange_operator, "proof-unreadable"),
    ],
)
def test_a_fault_is_found_on_any_page_by_anyone(edit: Edit, code: str, page: int) -> None:
    pdf = edited((edit, page))
    alone = proven(pdf, 0)
    assert code in {problem.code for problem in alone}
    assert proven(pdf, PAGES // 2) == alone
    assert proven(pdf, PAGES) == alone


def test_faults_in_several_parts_are_told_in_the_order_of_the_pages() -> None:
    pdf = edited((off_the_paper, 5), (without_words, 4), (without_card, 1), (without_words, 0))
    alone = proven(pdf, 0)
    assert len(alone) >= 4
    assert [proven(pdf, children) for children in (2, 4, PAGES)] == [alone] * 3


@pytest.mark.parametrize("edit", [without_words, off_the_paper])
def test_pages_of_a_child_that_died_are_read_here(edit: Edit, monkeypatch: pytest.MonkeyPatch) -> None:
    here, read = os.getpid(), prove.PageReader.read
    pdf = edited((edit, 1), (edit, 4))
    alone = proven(pdf, 0)

    def die(reader: prove.PageReader, pages: range) -> prove.PageReadings:
        if os.getpid() != here and pages.start == 3:
            os._exit(0)
        return read(reader, pages)

    monkeypatch.setattr(prove.PageReader, "read", die)
    assert proven(pdf, 4) == alone != []
