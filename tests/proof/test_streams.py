"""Where a content stream puts things."""

from __future__ import annotations

import pytest

from duckpress.core.geometry import Matrix, Rect
from duckpress.proof.opened import read_cmap
from duckpress.proof.stream_operators import StrangeStreamError, glyphs_of, kerning_of
from duckpress.proof.streams import Drawn, Lettering, Painted, read_marks


def test_a_called_form_with_its_matrix_and_clip() -> None:
    (mark,) = read_marks(b"q 5 6 40 60 re W n 1 0 0 1 10 20 cm /C-a Do Q", Matrix(2, 0, 0, 2, 0, 0))
    assert mark == Drawn("C-a", Matrix(2, 0, 0, 2, 20, 40), Rect(10, 12, 80, 120))


def test_matrices_and_clips_end_with_their_group() -> None:
    marks = read_marks(b"q 1 0 0 1 5 5 cm 0 0 2 2 re W n\n0 0 9 9 re f\nQ\n0 0 1 1 re f")
    assert marks == [Painted(Rect(5, 5, 2, 2)), Painted(Rect(0, 0, 1, 1))]


def test_a_mask_of_bits_fills_its_square_and_has_all_its_rows() -> None:
    mask = b"q 10 0 0 -10 5 15 cm BI /W 4 /H 2 /IM true /D [1 0] /F /AHx ID F000> EI Q"
    assert read_marks(mask, Matrix(2, 0, 0, 2, 1, 0)) == [Painted(Rect(11, 10, 20, 20))]
    for odd in (b"F0", b"F00000", b"F0g0"):
        with pytest.raises(StrangeStreamError):
            read_marks(mask.replace(b"F000", odd))


@pytest.mark.parametrize(
    ("path", "box"),
    [
        (b"0 0 m 0 10 l S", Rect(-1, 0, 2, 10)),
        (b"0 0 m 10 0 l S", Rect(0, -1, 10, 2)),
        (b"0 0 m 10 10 l S", Rect(-1, -1, 12, 12)),
        (b"1 J 0 0 m 0 10 l S", Rect(-1, -1, 2, 12)),
        (b"0 0 m 0 10 l 20 5 m 30 5 l S", Rect(-1, 0, 31, 10)),
        (b"0 0 10 10 re f", Rect(0, 0, 10, 10)),
        (b"10 10 -10 -10 re B", Rect(-1, -1, 12, 12)),
        (b"0 0 m 0 5 5 9 9 9 c f", Rect(0, 0, 9, 9)),
    ],
)
def test_the_box_of_a_path_of_two_millimetres_of_stroke(path: bytes, box: Rect) -> None:
    assert read_marks(b"2 w\n" + path) == [Painted(box)]


def test_lettering_with_its_font_and_place() -> None:
    marks = read_marks(b"BT\n0 0 0 rg\n/F-a 2.5 Tf\n1 0 0 -1 10 20 Tm [<0001>-20<0002>]TJ\nET")
    assert marks == [Lettering("F-a", 2.5, b"<0001>-20<0002>", Matrix(1, 0, 0, -1, 10, 20))]


def test_glyphs_and_kerning_of_a_run() -> None:
    body = b"<00010002>-20.5<0003>10 -5<0004>7"
    assert glyphs_of(body) == bytes.fromhex("0001000200030004")
    assert kerning_of(body) == -8.5
    assert kerning_of(b"3<0001>") == 3.0


@pytest.mark.parametrize("stream", [b"q", b"Q", b"W n", b"1 2 l 3 m S", b"/F Tf", b"[<01>] 2 TJ", b"0 0 1 1 re sh"])
def test_strange_streams_are_refused(stream: bytes) -> None:
    with pytest.raises(StrangeStreamError):
        read_marks(stream)


def test_a_map_of_glyphs_to_letters() -> None:
    cmap = b"2 beginbfchar\n<0001> <006600660069>\n<000A> <D83CDFB2>\nendbfchar 1 beginbfchar <0002> <0041> endbfchar"
    assert read_cmap(cmap) == {1: "ffi", 10: "\U0001f3b2", 2: "A"}


SQUARES = b" ".join(b"%d %.1f m %d.5 -%d l .5 +3. l h" % (at, at / 3, at, 2 * at) for at in range(40))


@pytest.mark.parametrize(
    "line",
    [
        b"5 " + SQUARES + b" f",
        SQUARES.replace(b" l ", b" l l ", 1) + b" f",
        SQUARES.replace(b" h", b" 3 h", 1) + b" f",
        SQUARES.replace(b" m ", b" ", 1) + b" f",
        SQUARES + b" 7 f",
        SQUARES + b" 7",
        SQUARES.replace(b"+3.", b"+3.1.", 1) + b" f",
        SQUARES + b" sh",
    ],
)
def test_long_paths_with_anything_strange(line: bytes) -> None:
    with pytest.raises(StrangeStreamError):
        read_marks(line)
