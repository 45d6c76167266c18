"""Pictures in the file are the pictures of the cards, with all their pixels."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import NamedTuple

import pikepdf
import pytest
from PIL import Image

from duckpress.core.frame import Group, Picture
from duckpress.core.geometry import Matrix
from duckpress.core.problems import Level, Source
from duckpress.proof import Expected, ExpectedFace, prove_pdf
from duckpress.render import DocumentInfo, render_pdf
from handmade import A4, FONTS, booklet, card, placed, sheet
from pdf_reading import opened


class File(NamedTuple):
    """A picture's bytes and size."""

    data: bytes
    width_px: int
    height_px: int


def a_png(width_px: int, height_px: int) -> File:
    """Return a red picture."""
    out = io.BytesIO()
    Image.new("RGB", (width_px, height_px), (255, 0, 0)).save(out, "PNG")
    return File(out.getvalue(), width_px, height_px)


KEY = "5" * 32
FACE = card(Picture(KEY, 0.0, 0.0, 30.0, 20.0))
PICTURE = a_png(300, 200)
EXPECTED = Expected((ExpectedFace("d", "c", 1, FACE, None),), A4, 5.0, None, "Art", "en", {KEY: PICTURE})
BOOKLET = booklet([sheet([placed(0, FACE, 20, 20)], None)], [FACE], {KEY: PICTURE})
PDF = render_pdf([BOOKLET], FONTS, DocumentInfo("Art", language="en"))


def codes(pdf: bytes) -> list[str]:
    """Return the codes of everything the proof finds."""
    return [problem.code for problem in prove_pdf(pdf, EXPECTED, Source("game.yaml"))]


def test_a_right_picture() -> None:
    assert codes(PDF) == []


def test_a_smaller_copy_of_a_picture() -> None:
    smaller = BOOKLET._replace(pictures={KEY: a_png(150, 100)})
    assert codes(render_pdf([smaller], FONTS, DocumentInfo("Art", language="en"))) == ["proof-picture"]


def test_a_picture_that_is_not_shown() -> None:
    out = io.BytesIO()
    with opened(PDF) as pdf:
        form: pikepdf.Object = next(iter(pdf.pages[0].Resources.XObject.values()))
        form.write(b"\n".join(line for line in form.read_bytes().split(b"\n") if b"/P-" not in line))
        pdf.save(out)
    assert codes(out.getvalue()) == ["proof-art"]


def test_a_picture_enlarged_after_it_was_laid_out() -> None:
    # 300 x 200 pixels on 30 x 20 mm are 254 dpi; twice as large, 127.
    for scale, stretch, dpi in ((1.5, 1.5, None), (2.0, 2.0, 127), (1.0, 2.0, 127)):
        big = card(Group((Group((FACE.items[1],), opacity=0.5),), Matrix(scale, 0, 0, stretch, 0, 0)))
        expected = EXPECTED._replace(faces=(ExpectedFace("d", "c", 1, big, None),))
        sheets = booklet([sheet([placed(0, big, 20, 20)], None)], [big], {KEY: PICTURE})
        pdf = render_pdf([sheets], FONTS, DocumentInfo("Art", language="en"))
        found = prove_pdf(pdf, expected, Source("game.yaml"))
        assert [(problem.code, problem.level) for problem in found] == (
            [("picture-resolution", Level.WARNING)] if dpi else []
        )
        assert all(
            problem.what.startswith(f"the front of card 'c' of deck 'd': a picture is printed at {dpi} dpi")
            for problem in found
        )


def a_file(mode: str, kind: str = "PNG", seed: int = 0, **options: object) -> File:
    """Return a picture of many colours in a mode of Pillow."""
    width_px, height_px = 60, 40
    picture = Image.new("RGBA", (width_px, height_px))
    picture.putdata([((x * 4 + seed) % 256, y * 6, x ^ y, 255 - x) for y in range(height_px) for x in range(width_px)])
    out = io.BytesIO()
    plain = picture if "A" in mode else picture.convert("RGB")
    plain.convert(mode).save(out, kind, **options)
    return File(out.getvalue(), width_px, height_px)


KINDS = {
    "RGB": a_file("RGB"),
    "grey": a_file("L"),
    "palette": a_file("P"),
    "two colours": a_file("1"),
    "transparent": a_file("RGBA"),
    "transparent grey": a_file("LA"),
    "a transparent colour": a_file("P", transparency=3),
    "JPEG": a_file("RGB", "JPEG"),
    "grey JPEG": a_file("L", "JPEG"),
}


def with_picture(file: File) -> bytes:
    return render_pdf([BOOKLET._replace(pictures={KEY: file})], FONTS, DocumentInfo("Art", language="en"))


def image_of(pdf: pikepdf.Pdf) -> pikepdf.Object:
    form = next(iter(pdf.pages[0].Resources.XObject.values()))
    return form.Resources.XObject[f"/P-{KEY}"]


def held_against(pdf: bytes, file: File) -> set[str]:
    found = prove_pdf(pdf, EXPECTED._replace(pictures={KEY: file}), Source("game.yaml"))
    return {problem.code for problem in found if problem.level is Level.ERROR}


@pytest.mark.parametrize("kind", KINDS)
def test_every_pixel_is_that_of_the_file(kind: str) -> None:
    file = KINDS[kind]
    pdf = with_picture(file)
    assert held_against(pdf, file) == set()
    others = [name for name, other in KINDS.items() if held_against(pdf, other) != {"proof-picture"}]
    assert others == [kind]


def no_mask(image: pikepdf.Object) -> None:
    del image["/SMask"]


def other_mask(image: pikepdf.Object) -> None:
    image.SMask.write(bytes(len(image.SMask.read_bytes())))


def negative(image: pikepdf.Object) -> None:
    image.Decode = pikepdf.Array([1, 0] * 3)


def in_grey(image: pikepdf.Object) -> None:
    image.ColorSpace = pikepdf.Name.DeviceGray


def other_rows(image: pikepdf.Object) -> None:
    image.DecodeParms.Colors = 1


def other_palette(image: pikepdf.Object) -> None:
    space = list(image.ColorSpace)
    image.ColorSpace = pikepdf.Array([*space[:3], pikepdf.String(bytes(len(bytes(space[3]))))])


def other_byte(image: pikepdf.Object) -> None:
    data = bytearray(image.read_bytes())
    data[len(data) // 2] ^= 1
    image.write(bytes(data))


@pytest.mark.parametrize(
    ("kind", "edit"),
    [
        ("transparent", no_mask),
        ("transparent", other_mask),
        ("RGB", negative),
        ("JPEG", negative),
        ("transparent", in_grey),
        ("JPEG", in_grey),
        ("RGB", other_rows),
        ("palette", other_palette),
        ("transparent grey", other_byte),
    ],
)
def test_a_picture_painted_otherwise(kind: str, edit: Callable[[pikepdf.Object], None]) -> None:
    out = io.BytesIO()
    with opened(with_picture(KINDS[kind])) as pdf:
        edit(image_of(pdf))
        pdf.save(out)
    assert held_against(out.getvalue(), KINDS[kind]) & {"proof-picture", "proof-unreadable"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_with_colours_among_greys(kind: str) -> None:
    expected = EXPECTED._replace(pictures={KEY: KINDS[kind]}, is_grey=True)
    found = prove_pdf(with_picture(KINDS[kind]), expected, Source("game.yaml"))
    is_grey = kind in ("grey", "transparent grey", "grey JPEG", "two colours")
    told = [problem for problem in found if problem.code == "proof-ink" and problem.what.startswith("picture")]
    assert len(told) == (not is_grey)
