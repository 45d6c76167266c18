"""Whatever is changed in a stream of a right file is seen: every number, every glyph, every line that paints."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pikepdf
import pytest
from planned_ducks import EXPECTED, FRONT, PDF, edited, found, told

from duckpress.core.frame import Group, Outline, Paint, PlacedDrawing
from duckpress.core.geometry import Matrix
from duckpress.impose import Edges, Placement, Sheet, Side
from duckpress.proof import ExpectedFace, ExpectedPage
from duckpress.render import DocumentInfo, render_pdf
from handmade import A4, FONTS, ICON, booklet, card, words
from path_texts import path_of
from pdf_reading import opened


def streams(pdf: pikepdf.Pdf) -> list[pikepdf.Object]:
    """Return the streams of the page, its face, and the face's group and drawing."""
    page = pdf.pages[0]
    face = page.Resources.XObject[f"/FormXob.C-{FRONT.hash}"]
    forms = [form for _, form in sorted(face.Resources.XObject.items()) if form.Subtype == "/Form"]
    return [page.Contents, face, *forms]


def changed(stream: int, edit: Callable[[bytes], bytes]) -> bytes:
    def write(pdf: pikepdf.Pdf) -> None:
        one = streams(pdf)[stream]
        one.write(edit(one.read_bytes()))

    return edited(write)


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


LINE = path_of("2 30 m 30 30 l 34 34 36 36 38 40 c")


def test_the_right_file_is_right() -> None:
    assert told(PDF) == []
    assert len(NUMBERS) > 120
    assert len(GLYPHS) > 100
    assert {stream for stream, _, _ in PAINTING} == {0, 1, 2, 3, 4}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("start", range(0, len(NUMBERS), 25))
def test_a_number_that_is_changed_is_seen(start: int) -> None:
    for stream, first, last in NUMBERS[start : start + 25]:

        def more(operators: bytes, first: int = first, last: int = last) -> bytes:
            return operators[:first] + b"%g" % (float(operators[first:last]) + 0.4) + operators[last:]

        assert told(changed(stream, more)), (stream, first)


@pytest.mark.parametrize("start", range(0, len(GLYPHS), 60))
def test_a_glyph_that_is_changed_is_seen(start: int) -> None:
    for stream, first, _ in GLYPHS[start : start + 60 : 3]:

        def other(operators: bytes, first: int = first) -> bytes:
            digit = b"0" if operators[first : first + 1] != b"0" else b"1"
            return operators[:first] + digit + operators[first + 1 :]

        assert told(changed(stream, other)), (stream, first)


@pytest.mark.parametrize("place", PAINTING)
def test_a_line_that_is_gone_or_there_twice_is_seen(place: tuple[int, int, int]) -> None:
    stream, first, last = place
    assert told(changed(stream, lambda operators: operators[:first] + operators[last:]))
    twice = changed(stream, lambda operators: operators[:last].rstrip() + b"\n" + operators[first:])
    assert told(twice)


def test_two_lines_in_another_order_are_seen() -> None:
    for (stream, first, last), (other, start, end) in pairwise(PAINTING):
        if stream == other and last == start:

            def swapped(operators: bytes, first: int = first, last: int = last, end: int = end) -> bytes:
                return (
                    operators[:first] + operators[last:end].rstrip() + b"\n" + operators[first:last] + operators[end:]
                )

            assert told(changed(stream, swapped)), (stream, first)


@pytest.mark.parametrize("number", [0.1235, 0.9996, 0.00005, 1234.56785])
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
    pdf = render_pdf([booklet([Sheet(A4, side, None, 1, 1)], [face])], FONTS, DocumentInfo("Ducks", language="en"))
    assert found(pdf, expected._replace(duplex=None, layers={})) == []
