"""Soft masks: what the proof sees of them, and what it refuses."""

from __future__ import annotations

import io
from collections.abc import Callable

import pikepdf
import pytest

from duckpress.core.frame import Group, Outline, Paint
from duckpress.core.paths import rectangle
from duckpress.core.problems import Source
from duckpress.impose import Edges, Placement, Sheet, Side
from duckpress.proof import Expected, ExpectedFace, ExpectedPage, prove_pdf
from duckpress.render import DocumentInfo, render_pdf
from handmade import A4, FONTS, ICON, booklet, box, card
from pdf_reading import opened

MASK = (Outline(rectangle(0, 0, 30, 30), Paint("#808080")),)
FACE = card(Group((box(5, 5, 20, 20, "#00aa00"), box(9, 9, 9, 9, "#aa0000")), mask=MASK))
SIDE = Side((Placement(0, False, 30.0, 40.0, 0, FACE.hash, Edges(2, 2, 2, 2)),), ())
EXPECTED = Expected(
    (ExpectedFace("d", "c", 1, FACE, None),), A4, 5.0, None, "Art", "en", {}, {ICON.key: ICON},
    pages=(ExpectedPage(SIDE, A4),),
    font_file=lambda key: FONTS[key].file,
)  # fmt: skip
PDF = render_pdf([booklet([Sheet(A4, SIDE, None, 1, 1)], [FACE])], FONTS, DocumentInfo("Art", language="en"))


def states(face: pikepdf.Object) -> pikepdf.Object:
    return next(iter(face.Resources.ExtGState.values()))


def lost(face: pikepdf.Object) -> None:
    del states(face)["/SMask"]


def of_alpha(face: pikepdf.Object) -> None:
    states(face).SMask.S = pikepdf.Name.Alpha


def on_white(face: pikepdf.Object) -> None:
    states(face).SMask.BC = pikepdf.Array([1, 1, 1])


def inverted(face: pikepdf.Object) -> None:
    states(face).SMask.TR = pikepdf.Dictionary(FunctionType=2, Domain=[0, 1], N=1, C0=[1], C1=[0])


def darker(face: pikepdf.Object) -> None:
    form = states(face).SMask.G
    form.write(form.read_bytes().replace(b"0.502", b"0.251"))


def exchanged(face: pikepdf.Object) -> None:
    masking = states(face).SMask.G.objgen
    (states(face).SMask.G,) = (form for form in face.Resources.XObject.values() if form.objgen != masking)


def no_group(face: pikepdf.Object) -> None:
    del states(face).SMask.G["/Group"]


def smaller(face: pikepdf.Object) -> None:
    states(face).SMask.G.BBox = pikepdf.Array([0, 0, 9, 9])


CHANGES = [lost, of_alpha, on_white, inverted, darker, exchanged, no_group, smaller]


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_of_a_mask_is_seen(change: Callable[[pikepdf.Object], None]) -> None:
    assert prove_pdf(PDF, EXPECTED, Source("woods.pdf")) == []
    out = io.BytesIO()
    with opened(PDF) as pdf:
        change(pdf.pages[0].Resources.XObject[f"/C-{FACE.hash}"])
        pdf.save(out)
    assert {problem.code[:5] for problem in prove_pdf(out.getvalue(), EXPECTED, Source("woods.pdf"))} == {"proof"}
