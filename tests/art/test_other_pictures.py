"""WebP, TIFF and PSD: what is printed of them, and what is refused."""

from __future__ import annotations

import io
import struct

import pytest
from PIL import Image

from duckpress.art import BadArt
from duckpress.art.picture_files import read_picture
from workshop import MakeWorkspace, lay_out

RED, BLUE = (250, 10, 20), (0, 0, 250)


def saved(kind: str, mode: str = "RGB", **how: object) -> bytes:
    """Return a picture, red at the left and blue at the right."""
    picture = Image.new("RGB", (8, 4), RED)
    picture.paste(BLUE, (4, 0, 8, 4))
    file = io.BytesIO()
    picture.convert(mode).save(file, kind, **how)
    return file.getvalue()


def psd(red: int, side: int = 2) -> bytes:
    """Return a Photoshop file without layers, of one colour."""
    size = side * side
    head = b"8BPS" + struct.pack(">H6xHIIHH", 1, 3, side, side, 8, 3) + bytes(12) + bytes(2)
    return head + bytes([red]) * size + bytes([10]) * size + bytes([20]) * size


def shown(data: bytes) -> list[tuple[int, ...]]:
    with Image.open(io.BytesIO(data)) as picture:
        picture.load()
        return [picture.convert("RGB").getpixel((x, 1)) for x in (0, picture.width - 1)]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.webp", saved("WEBP", lossless=True)), ("a.TIF", saved("TIFF")),
        ("a.tiff", saved("TIFF", compression="tiff_lzw")),
        ("a.tif", saved("TIFF", "RGBA", compression="packbits")),
    ],
)  # fmt: skip
def test_the_pixels_are_printed(name: str, data: bytes) -> None:
    picture, note = read_picture(name, data)
    assert (picture.kind, picture.width_px, picture.height_px, note) == ("png", 8, 4, "")
    assert shown(picture.data) == [RED, BLUE]


def test_a_psd_is_printed_as_its_preview() -> None:
    picture, note = read_picture("a.psd", psd(250))
    assert (shown(picture.data), note) == ([RED, RED], "")


def test_what_changes_is_told() -> None:
    first = Image.new("RGB", (4, 4), RED)
    file = io.BytesIO()
    first.save(file, "WEBP", save_all=True, append_images=[Image.new("RGB", (4, 4), BLUE)], lossless=True)
    picture, note = read_picture("a.webp", file.getvalue())
    assert "only the first" in note
    assert shown(picture.data) == [RED, RED]
    assert "CMYK" in read_picture("a.tif", saved("TIFF", "CMYK"))[1]


def test_a_turned_picture_is_turned_and_a_grey_one_is_grey() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    picture, _ = read_picture("a.webp", saved("WEBP", exif=exif))
    assert (picture.width_px, picture.height_px) == (4, 8)
    grey, _ = read_picture("a.webp", saved("WEBP", lossless=True), is_grey=True)
    ((red, green, blue), _) = shown(grey.data)
    assert red == green == blue


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.webp", saved("WEBP")[:-20]), ("a.tif", saved("TIFF")[:40]), ("a.psd", psd(1)[:30]),
        ("a.tif", saved("WEBP")),
        ("a.png", saved("WEBP")), ("a.psd", b""), ("a.tif", saved("TIFF", "F")),
    ],
)  # fmt: skip
def test_what_is_damaged_or_of_another_kind_is_refused(name: str, data: bytes) -> None:
    with pytest.raises(BadArt) as refused:
        read_picture(name, data)
    assert "object at" not in str(refused.value)  # which is another one in each run


def test_the_size_is_looked_at_before_the_pixels() -> None:
    huge = psd(1)[:14] + struct.pack(">II", 30_000, 30_000) + psd(1)[22:]
    with pytest.raises(BadArt, match="30000 x 30000 pixels; 50 million are the most"):
        read_picture("a.psd", huge)


def test_a_coarse_one_is_told_with_its_dpi(make_workspace: MakeWorkspace) -> None:
    trial = lay_out(
        make_workspace,
        '<image href="art/a.webp" x="10" y="10" width="20" height="20"/>',
        files={"content/trial/art/a.webp": saved("WEBP")},
    )
    (problem,) = trial.problems
    assert problem.code == "low-resolution"
    assert "10 dpi" in problem.what
    assert "237 x 119 pixels are 300 dpi" in problem.fix
