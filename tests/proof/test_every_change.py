"""Whatever is changed in a stream of a right file is seen: every number, every glyph, every line that paints."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from itertools import pairwise

import pikepdf
import pytest

from duckpress.core.frame import Group, Outline, Paint, PlacedDrawing
from duckpress.core.geometry import Matrix, Rect
from duckpress.core.problems import Source
from duckpress.impose import Edges, Layer, Placement, Sheet, Side
from duckpress.impose.sheets import Code
from duckpress.proof import Expected, ExpectedFace, ExpectedPage, prove_pdf
from duckpress.render import DocumentInfo, render_pdf
from handmade import A4, FONTS, ICON, SYMBOLS, booklet, box, card, words
from path_texts import path_of
from pdf_reading import opened

LINE = path_of("2 30 m 30 30 l 34 34 36 36 38 40 c")
UNUSUAL = Paint("#102030", "#405060", 0.3, 0.5, 0.25, (1.0, 0.5), 1, 2, True)
FACE = card(
    words("Wave and AV"),
    words("🂡", 5, 20, face=SYMBOLS, fill="#336699"),
    Outline(LINE, UNUSUAL),
    Outline(LINE, Paint(stroke="#ff0000", stroke_mm=0.2, join=-9)),
    PlacedDrawing(ICON.key, Matrix(0.5, 0.1, 0, 0.5, 5, 20)),
    Group((box(5, 40, 20, 10, "#00aa00"), words("mist", 6, 45)), Matrix(1, 0.2, 0, 1, 1, 1), LINE, 0.5),
    Group((words("clear", 6, 50, 3.0),), Matrix(e=2), path_of("0 0 30 60 re")),
)
SIDE = Side(
    (
        Placement(0, False, 30.0, 40.0, 0, FACE.hash, Edges(1, 2, 2, 2)),
        Placement(0, False, 90, 40, 90, FACE.hash, Edges(2, 2, 2, 2)),
    ),
    (
        Layer("cut", (Outline(path_of("30 20 m 30 25 l"), Paint(stroke="#000000", stroke_mm=0.2)),)),
        Group((words("sheet 1 of 1", 0, 0, 2.2),), Matrix(e=20, f=280)),
    ),
    code=Code((5, 2, 7), 150, 270, 2, "#333333"),
)
EXPECTED = Expected(
    (ExpectedFace("d", "c", 2, FACE, None),), A4, 5.0, None, "Art", "en", {}, {ICON.key: ICON},
    pages=(ExpectedPage(SIDE, A4),),
    layers={"L-cut": "Cut lines"}, font_file=lambda key: FONTS[key].file,
)  # fmt: skip
PDF = render_pdf([booklet([Sheet(A4, SIDE, None, 1, 1)], [FACE])], FONTS, DocumentInfo("Art", language="en"))


def streams(pdf: pikepdf.Pdf) -> list[pikepdf.Object]:
    """Return the streams of the page, its face, and the face's group and drawing."""
    page = pdf.pages[0]
    face = page.Resources.XObject[f"/FormXob.C-{FACE.hash}"]
    return [page.Contents, face, *(form for _, form in sorted(face.Resources.XObject.items()))]


def changed(stream: int, edit: Callable[[bytes], bytes]) -> bytes:
    out = io.BytesIO()
    with opened(PDF) as pdf:
        one = streams(pdf)[stream]
        one.write(edit(one.read_bytes()))
        pdf.save(out)
    return out.getvalue()


def found(pdf: bytes) -> list[str]:
    return [problem.what for problem in prove_pdf(pdf, EXPECTED, Source("woods.pdf"))]


def places(what: str) -> list[tuple[int, int, int]]:
    """Return where in which stream something stands."""
    with opened(PDF) as pdf:
        return [
            (number, *match.span())
            for number, stream in enumerate(streams(pdf))
            for match in re.finditer(what.encode(), stream.read_bytes(), re.MULTILINE)
        ]


# Numbers that stand alone or between glyphs; not those in names, and not the code, which is tried by its digits.
NUMBERS = places(r"(?<![-\w#.])-?\d+\.?\d*(?![-\w.])")
GLYPHS = places(r"(?<=[<0-9A-F])[0-9A-F](?=[0-9A-F]*>(?! EI))")
PAINTING = places(r"^(?:.*(?:\] TJ ET| Do| EI)|f\*?|S|B\*?)$\n?")


def test_the_right_file_is_right() -> None:
    assert found(PDF) == []
    assert len(NUMBERS) > 120
    assert len(GLYPHS) > 100
    assert {stream for stream, _, _ in PAINTING} == {0, 1, 2, 3}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("start", range(0, len(NUMBERS), 25))
def test_a_number_that_is_changed_is_seen(start: int) -> None:
    for stream, first, last in NUMBERS[start : start + 25]:

        def more(operators: bytes, first: int = first, last: int = last) -> bytes:
            return operators[:first] + b"%g" % (float(operators[first:last]) + 0.4) + operators[last:]

        assert found(changed(stream, more)), (stream, first)


@pytest.mark.parametrize("start", range(0, len(GLYPHS), 60))
def test_a_glyph_that_is_changed_is_seen(start: int) -> None:
    for stream, first, _ in GLYPHS[start : start + 60 : 3]:

        def other(operators: bytes, first: int = first) -> bytes:
            digit = b"0" if operators[first : first + 1] != b"0" else b"1"
            return operators[:first] + digit + operators[first + 1 :]

        assert found(changed(stream, other)), (stream, first)


@pytest.mark.parametrize("place", PAINTING)
def test_a_line_that_is_gone_or_there_twice_is_seen(place: tuple[int, int, int]) -> None:
    stream, first, last = place
    assert found(changed(stream, lambda operators: operators[:first] + operators[last:]))
    twice = changed(stream, lambda operators: operators[:last].rstrip() + b"\n" + operators[first:])
    assert found(twice)


def test_two_lines_in_another_order_are_seen() -> None:
    for (stream, first, last), (other, start, end) in pairwise(PAINTING):
        if stream == other and last == start:

            def swapped(operators: bytes, first: int = first, last: int = last, end: int = end) -> bytes:
                return (
                    operators[:first] + operators[last:end].rstrip() + b"\n" + operators[first:last] + operators[end:]
                )

            assert found(changed(stream, swapped)), (stream, first)


def test_a_face_that_lies_elsewhere_is_told_in_mm() -> None:
    moved = changed(0, lambda operators: operators.replace(b"1 0 0 1 30 40 cm", b"1 0 0 1 31.5 40 cm"))
    assert "page 1: a face lies 1.50 mm too far right" in found(moved)
    assert found(changed(0, lambda operators: operators.replace(b"1 0 0 1 30 40 cm", b"1 0 0 1 30.04 40 cm"))) == []
    assert SIDE.code is not None
    assert SIDE.code.box == Rect(150, 270, 6, 6)


def test_a_colour_where_greys_are_asked_for_is_seen() -> None:
    def coloured(pdf: bytes) -> set[str]:
        problems = prove_pdf(pdf, EXPECTED._replace(is_grey=True), Source("woods.pdf"))
        return {problem.what for problem in problems if problem.code == "proof-ink"}

    assert coloured(PDF) >= {
        "page 1: the front of card 'c' of deck 'd' is to be in greys, and sets the colour '.9569 .9176 .8235 rg'",
        f"page 1: the front of card 'c' of deck 'd': drawing {ICON.key[:8]} is to be in greys, and sets the colour"
        " '.6667 .2 .0667 rg'",
    }
    page = changed(0, lambda operators: operators.replace(b"0 0 0 RG", b"0 0 .6 RG"))
    assert "page 1 is to be in greys, and sets the colour '0 0 .6 RG'" in coloured(page)


@pytest.mark.parametrize("number", [0.1235, 0.0005, 0.9996, 1e-5, 0.00005, 12.34565, 1234.56785, 33.333333333])
def test_numbers_between_two_decimals_are_right(number: float) -> None:
    """They are rounded once for the file and once for the proof."""
    share = min(number, 1.0)
    face = card(
        words("Wave", 5 + number / 100, 10 + number / 1000, 1 + share),
        Outline(LINE, Paint("#102030", "#405060", number, share, share, (number, number))),
        Outline(LINE, Paint("#102030", "#405060", number, dash_mm=(1.0, number, number))),
        Group((words("haze"),), Matrix(e=number), LINE, share, (Outline(LINE, Paint("#808080")),)),
        Group((words("mist"),), Matrix(1, share, number, 1, number, -number), LINE, share),
        Group((words("fog"), Outline(LINE, Paint())), opacity=share),
        Group((), opacity=share),
        PlacedDrawing(ICON.key, Matrix(0.5, number, 0, 0.5, number, 20)),
    )
    placement = Placement(0, False, 20.0 + share / 3, 30 + share / 7, 270, face.hash, Edges(share, 2, 2, 2 * share))
    side = Side((placement,), (Group((words("1"),), Matrix(e=20 + share, f=280), opacity=share),))
    expected = EXPECTED._replace(faces=(ExpectedFace("d", "c", 1, face, None),), pages=(ExpectedPage(side, A4),))
    pdf = render_pdf([booklet([Sheet(A4, side, None, 1, 1)], [face])], FONTS, DocumentInfo("Art", language="en"))
    assert [problem.what for problem in prove_pdf(pdf, expected, Source("woods.pdf"))] == []
