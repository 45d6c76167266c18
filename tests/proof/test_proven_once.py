"""What was proven of a face is not proven again for its next paper, and what differs there is seen all the same."""

from __future__ import annotations

import io
from collections.abc import Callable

import pikepdf
import pytest

from duckpress.core.frame import Group, PlacedDrawing
from duckpress.core.geometry import Matrix
from duckpress.core.problems import Source
from duckpress.proof import Expected, ExpectedFace, Proven, face_proof, prove
from duckpress.render import DocumentInfo, render_pdf
from handmade import A4, FONTS, ICON, booklet, card, placed, sheet, words
from pdf_reading import opened

FACE = card(words("Wave"), Group((words("mist"),), opacity=0.5), PlacedDrawing(ICON.key, Matrix(e=5, f=20)))
OTHER = card(words("Duck"))
EXPECTED = Expected(
    tuple(ExpectedFace("d", name, 1, face, None) for name, face in (("wave", FACE), ("duck", OTHER))),
    A4, 5.0, None, "Art", "en", {}, {ICON.key: ICON}, font_file=lambda key: FONTS[key].file,
)  # fmt: skip


def printed(x_mm: float) -> bytes:
    """Return a paper on which the faces lie elsewhere."""
    places = [placed(0, FACE, x_mm, 40), placed(1, OTHER, x_mm + 60, 40)]
    return render_pdf([booklet([sheet(places, None)], [FACE, OTHER])], FONTS, DocumentInfo("Art", language="en"))


def changed(pdf: bytes, edit: Callable[[pikepdf.Pdf], None]) -> bytes:
    out = io.BytesIO()
    with opened(pdf) as document:
        edit(document)
        document.save(out)
    return out.getvalue()


def face_of(pdf: pikepdf.Pdf) -> pikepdf.Object:
    return pdf.pages[0].Resources.XObject[f"/C-{FACE.hash}"]


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note each form that is read."""
    looked: list[str] = []
    read_form = face_proof.read_form

    def read(*form: object) -> object:
        looked.append("form")
        return read_form(*form)  # type: ignore[arg-type]

    monkeypatch.setattr(face_proof, "read_form", read)
    return looked


def codes(pdf: bytes, proven: Proven) -> set[str]:
    return {problem.code for problem in prove.prove_pdf(pdf, EXPECTED, Source("woods.pdf"), 1, proven)}


def test_forms_are_read_for_the_first_paper_alone(looked_at: list[str]) -> None:
    proven = Proven()
    assert codes(printed(20), proven) == set()
    assert len(looked_at) == 3
    assert codes(printed(30), proven) == set()
    assert len(looked_at) == 3
    assert codes(printed(30), Proven()) == set()
    assert len(looked_at) == 6


def other_glyph(pdf: pikepdf.Pdf) -> None:
    face = face_of(pdf)
    face.write(face.read_bytes().replace(b" Tm [<", b" Tm [<0001", 1))


def other_words(pdf: pikepdf.Pdf) -> None:
    cmap = next(iter(face_of(pdf).Resources.Font.values())).ToUnicode
    cmap.write(cmap.read_bytes().replace(b"> <0061>", b"> <0062>"))


def other_outlines(pdf: pikepdf.Pdf) -> None:
    font = next(iter(face_of(pdf).Resources.Font.values()))
    file = font.DescendantFonts[0].FontDescriptor.FontFile2
    data = file.read_bytes()
    file.write(data[: len(data) // 2] + bytes(len(data) - len(data) // 2))


def other_group(pdf: pikepdf.Pdf) -> None:
    objects = face_of(pdf).Resources.XObject
    (name,) = (name for name in objects if str(name).startswith("/G-"))
    objects[name].write(objects[name].read_bytes().replace(b" rg", b" rg 1 0 0 rg", 1))


def other_opacity(pdf: pikepdf.Pdf) -> None:
    next(iter(face_of(pdf).Resources.ExtGState.values())).ca = 0.25


def other_drawing(pdf: pikepdf.Pdf) -> None:
    drawing = face_of(pdf).Resources.XObject[f"/D-{ICON.key}"]
    drawing.write(drawing.read_bytes().replace(b"10 0 l", b"11 0 l"))


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (other_glyph, "proof-art"),
        (other_words, "proof-words"),
        (other_outlines, "proof-font"),
        (other_group, "proof-art"),
        (other_opacity, "proof-unreadable"),
        (other_drawing, "proof-art"),
    ],
)
def test_what_differs_on_the_next_paper_is_seen(edit: Callable[[pikepdf.Pdf], None], code: str) -> None:
    proven = Proven()
    assert codes(printed(20), proven) == set()
    assert code in codes(changed(printed(30), edit), proven)


def test_what_was_wrong_is_not_proven() -> None:
    proven = Proven()
    wrong = changed(printed(20), other_glyph)
    assert "proof-art" in codes(wrong, proven)
    assert "proof-art" in codes(wrong, proven)
