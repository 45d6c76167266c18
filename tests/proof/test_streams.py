"""What a content stream paints, and where."""

from __future__ import annotations

from typing import cast

import pytest

from duckpress.core.frame import Group, Outline, Paint, Text
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size
from duckpress.core.paths import Path
from duckpress.proof.opened import OpenedPdf, Used
from duckpress.proof.streams.operators import StrangeStreamError, glyphs_of, kerning_of
from duckpress.proof.streams.page_paint import BitMask, PagePaint, PlacedFace, read_page
from duckpress.proof.streams.painted_marks import Drawn, Lettering, Mark, Painted, marks_on
from duckpress.proof.used_things import read_cmap

USED = Used({"C-a": 1, "D-a": 2, "P-a": 3}, {"F-a": 4})
MITER = b"4 M\n"
BLACK = b"0 0 0 rg 0 0 0 RG\n"


def read(operators: bytes) -> PagePaint:
    return read_page(cast(OpenedPdf, None), MITER + operators, USED, Size(100, 100))


def marks(operators: bytes, matrix: Matrix = IDENTITY) -> list[Mark]:
    return list(marks_on(read(operators), matrix))


def boxes(operators: bytes) -> list[Rect]:
    return [mark.box for mark in marks(operators) if isinstance(mark, Painted)]


def test_a_face_with_its_matrix_and_clip() -> None:
    operators = b"q 5 6 40 60 re W n 1 0 0 1 10 20 cm /C-a Do Q"
    assert read(operators).faces == (PlacedFace("a", Matrix(1, 0, 0, 1, 10, 20), Rect(5, 6, 40, 60)),)
    (mark,) = marks(operators, Matrix(2, 0, 0, 2, 0, 0))
    assert mark == Drawn("C-a", Matrix(2, 0, 0, 2, 20, 40), Rect(10, 12, 80, 120))


def test_the_matrix_of_the_whole_page_comes_first() -> None:
    page = read(b"2 0 0 2 0 0 cm\n1 0 0 1 3 4 cm\nq 1 0 0 1 1 1 cm /C-a Do Q")
    assert page.matrix == Matrix(2, 0, 0, 2, 6, 8)
    with pytest.raises(StrangeStreamError):
        read(b"q 1 0 0 1 1 1 cm /C-a Do Q\n1 0 0 1 3 4 cm")


def test_matrices_and_clips_end_with_their_group() -> None:
    operators = BLACK + b"q 1 0 0 1 5 5 cm 0 0 2 2 re W n\n0 0 9 9 re f\nQ\n0 0 1 1 re f"
    black = Paint("#000000")
    whole = Outline(Path("r", (0, 0, 9, 9)), black)
    clip = Path("r", (0, 0, 2, 2))
    last = Outline(Path("r", (0, 0, 1, 1)), black)
    assert read(operators).layers == (("", (Group((whole,), Matrix(e=5, f=5), clip), last)),)
    assert boxes(operators) == [Rect(5, 5, 2, 2), Rect(0, 0, 1, 1)]


def test_what_belongs_to_layers_is_kept_apart() -> None:
    page = read(BLACK + b"0 0 1 1 re f\n/OC /L-cut BDC\n1 0 0 rg 0 0 2 2 re f\nEMC\n0 1 0 rg 0 0 3 3 re f")
    assert [name for name, _ in page.layers] == ["", "L-cut", ""]
    # What a layer sets does not hold outside it: a viewer may leave it out.
    page = read(b"/OC /L-cut BDC\n1 0 0 rg 0 0 2 2 re f\nEMC\n0 0 3 3 re f")
    assert [items[0].paint.fill for _, items in page.layers if isinstance(items[0], Outline)] == ["#ff0000", ""]


def test_a_mask_of_bits_fills_its_square_and_has_all_its_rows() -> None:
    mask = b"q 10 0 0 -10 5 15 cm BI /W 4 /H 2 /IM true /D [1 0] /F /AHx ID F050> EI Q"
    assert read(mask).masks == (BitMask((15, 5), 4, Matrix(10, 0, 0, -10, 5, 15), ""),)
    assert marks(mask, Matrix(2, 0, 0, 2, 1, 0)) == [Painted(Rect(11, 10, 20, 20))]
    for odd in (b"F0", b"F00000", b"F0g0"):
        with pytest.raises(StrangeStreamError):
            read(mask.replace(b"F050", odd))


@pytest.mark.parametrize(
    ("path", "box"),
    [
        (b"0 0 m 0 10 l S", Rect(-1, 0, 2, 10)),
        (b"0 0 m 10 0 l S", Rect(0, -1, 10, 2)),
        (b"0 0 m 10 10 l S", Rect(-1, -1, 12, 12)),
        (b"q\n1 J 0 0 m 0 10 l S\nQ", Rect(-1, -1, 2, 12)),
        (b"0 0 m 0 10 l 20 5 m 30 5 l S", Rect(-1, 0, 31, 10)),
        (b"0 0 10 10 re f", Rect(0, 0, 10, 10)),
        (b"10 10 -10 -10 re B", Rect(-1, -1, 12, 12)),
        (b"0 0 m 0 5 5 9 9 9 c f", Rect(0, 0, 9, 9)),
    ],
)
def test_the_box_of_a_path_of_two_millimetres_of_stroke(path: bytes, box: Rect) -> None:
    assert boxes(BLACK + b"2 w\n" + path) == [box]


def test_a_page_that_ends_under_an_unusual_state_is_strange() -> None:
    """A stream that stands behind it is read by itself, and would be painted so."""
    for state in (b"1 J", b"[1 2] 0 d", b"1 j", b"2 M"):
        with pytest.raises(StrangeStreamError, match="a page that ends under"):
            marks(BLACK + b"1 w\n" + state + b" 0 0 m 0 10 l S")


def test_where_the_points_of_a_path_lie_and_how_it_is_painted() -> None:
    (mark,) = marks(BLACK + b"q 1 0 0 1 5 0 cm\n.5 w 0 0 m 0 10 l 1 2 3 4 re B\nQ")
    assert isinstance(mark, Painted)
    assert [(part.kinds, part.points) for part in mark.parts] == [("ml", ((5, 0), (5, 10))), ("r", ((6, 2), (9, 6)))]
    assert mark.paint == Paint("#000000", "#000000", 0.5)


def test_a_text_with_its_font_and_place() -> None:
    operators = b"BT\n0 0 0 rg\n/F-a 2.5 Tf\n1 0 0 -1 10 20 Tm [<0001>-20<0002>]TJ\nET"
    assert read(operators).layers == (("", (Text(10, 20, 2.5, "a", "#000000", "<0001>-20<0002>", "", 0.0),)),)
    assert marks(operators) == [Lettering("F-a", 2.5, "<0001>-20<0002>", Matrix(1, 0, 0, -1, 10, 20), "#000000")]


def test_glyphs_and_kerning_of_a_run() -> None:
    body = "<00010002>-20.5<0003>10 -5<0004>7"
    assert glyphs_of(body) == bytes.fromhex("0001000200030004")
    assert kerning_of(body) == -8.5
    assert kerning_of("3<0001>") == 3.0


STRANGE = [
    b"q", b"Q", b"W n", b"1 2 l 3 m S", b"/F Tf", b"[<01>] 2 TJ", b"0 0 1 1 re sh", b"/F-b 2 Tf", b"BT", b"ET", b"EMC",
    b"1 0 0 -1 0 0 Tm [<0001>]TJ", b"q 1 0 0 1 0 0 cm /D-b Do Q", b"/O1-1 gs", b"q 1 1 0 1 0 0 cm /P-a Do Q",
    b"[1 0] 0 d\nq 1 0 0 1 0 0 cm /D-a Do Q", b"10 M\nq 1 0 0 1 0 0 cm /C-a Do Q", b"/OC /L-a BDC", b"0.3 1 1 rg",
    b"0 0 0 rg\n0 0 1 1 re f\nq 1 0 0 1 0 0 cm /C-a Do Q", b"q /O1-1 gs /G-a Do Q", b"[1] 1 d", b"0 0 1 1 re",
    b"/OC /L-a BDC\n/OC /L-b BDC\nEMC\nEMC",
]  # fmt: skip
"""Among them: what is not there, what would be painted in another way than by itself, and faces over what is above."""


@pytest.mark.parametrize("stream", STRANGE)
def test_strange_streams_are_refused(stream: bytes) -> None:
    with pytest.raises(StrangeStreamError):
        read(stream)


def test_a_map_of_glyphs_to_letters() -> None:
    cmap = b"2 beginbfchar\n<0001> <006600660069>\n<000A> <D83CDFB2>\nendbfchar 1 beginbfchar <0002> <0041> endbfchar"
    assert read_cmap(cmap) == {1: "ffi", 10: "\U0001f3b2", 2: "A"}


SQUARES = b" ".join(b"%d %.1f m %d.5 -%d l .5 3. l h" % (at, at / 3, at, 2 * at) for at in range(40))


@pytest.mark.parametrize(
    "line",
    [
        b"5 " + SQUARES + b" f",
        SQUARES.replace(b" l ", b" l l ", 1) + b" f",
        SQUARES.replace(b" h", b" 3 h", 1) + b" f",
        SQUARES.replace(b" m ", b" ", 1) + b" f",
        SQUARES + b" 7 f",
        SQUARES + b" 7",
        SQUARES.replace(b" 3. ", b" 3.1. ", 1) + b" f",
        SQUARES + b" sh",
    ],
)
def test_long_paths_with_anything_strange(line: bytes) -> None:
    with pytest.raises(StrangeStreamError):
        read(line)
