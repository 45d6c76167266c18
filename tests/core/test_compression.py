"""What is written is packed by libdeflate alone: the machine's zlib has no say in any byte."""

from __future__ import annotations

import ast
import hashlib
import io
import zlib
from collections.abc import Callable, Iterator

import pikepdf
import pytest
from PIL import Image

from duckpress.art.picture_files import png_bytes, quick_png
from duckpress.art.raster import chunks_of
from duckpress.core.compression import deflated, quick_piece
from duckpress.core.geometry import Size
from duckpress.press.request import Built
from duckpress.vendors.orders import press_pdf, press_picture
from program_trees import nodes


def streams_of(pdf: bytes) -> Iterator[bytes]:
    """Yield what the deflated streams of a document hold, as it lies in the file."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for one in document.objects:
            if isinstance(one, pikepdf.Stream) and one.get("/Filter") is not None:
                assert one.Filter == pikepdf.Name.FlateDecode or list(one.Filter) == [pikepdf.Name.FlateDecode]
                yield one.read_raw_bytes()


def test_the_bytes_are_those_of_the_pinned_version() -> None:
    data = b"".join(b"%d 0 0 %d re f\n" % (number % 97, number) for number in range(5_000))
    assert zlib.decompress(deflated(data)) == data
    # Where this changes, a new version of libdeflate packs otherwise: so do all files, and CHANGELOG.md says so.
    assert hashlib.sha256(deflated(data)).hexdigest()[:32] == "90216b9198585c11f8be496f20572fa7"


def test_pictures_get_the_same_bytes_wherever_they_are_packed() -> None:
    data = [b"".join(b"%d,%d;" % (number % 97, number // 3) for number in range(at, at + 9_000)) for at in (0, 9_000)]
    packed, adler = quick_piece(data)
    assert zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed) == b"".join(data)
    assert adler == zlib.adler32(b"".join(data))
    assert hashlib.sha256(packed).hexdigest()[:32] == "1f280f667cde78189e2e1d9d8f77e4eb"


@pytest.mark.soak
def test_every_stream_of_a_document_is_packed_here(whole: Callable[[str], Built]) -> None:
    built = whole("ducks-in-a-row")
    streams = {stream for name in built.files for stream in streams_of((built.folder / name).read_bytes())}
    assert len(streams) > 50
    assert all(deflated(zlib.decompress(stream)) == stream for stream in streams)


def test_every_stream_for_a_press_is_packed_here() -> None:
    picture = Image.linear_gradient("L").convert("CMYK")
    streams = list(streams_of(press_pdf("Pond", ["a"], {"a": press_picture(picture)}, Size(30, 30), Size(20, 20))))
    assert len(streams) == 3  # the picture, the profile of the inks and the page
    assert all(deflated(zlib.decompress(stream)) == stream for stream in streams)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA"])
def test_a_png_is_filtered_by_its_rows_and_packed_here(mode: str) -> None:
    picture = Image.radial_gradient("L").resize((90, 70)).convert(mode)
    data = png_bytes(picture, 300)
    chunks = list(chunks_of(data))
    assert [name for name, _ in chunks] == [b"IHDR", b"pHYs", b"IDAT", b"IEND"]
    rows = zlib.decompress(chunks[2][1])
    assert chunks[2][1] == deflated(rows)
    assert max(rows[:: len(rows) // 70]) > 0  # some rows are told as differences
    with Image.open(io.BytesIO(data)) as read:
        assert (read.mode, read.info["dpi"], read.tobytes()) == (mode, (299.9994, 299.9994), picture.tobytes())


def test_nothing_else_in_the_program_packs() -> None:
    found = [
        name
        for name, node in nodes(ast.Attribute, ast.Constant, having="compress|writestr|PNG")
        if getattr(node, "attr", "") in ("compress", "compressobj", "writestr") or getattr(node, "value", "") == "PNG"
    ]
    opened = ["art/picture_files.py"] * 2 + ["core/compression.py"] * 2
    opened += ["proof/vendor_files.py"]
    assert sorted(found) == opened, "they open them, too"


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA", "P"])
def test_a_quick_png_holds_the_same_pixels(mode: str) -> None:
    picture = Image.radial_gradient("L").resize((90, 70)).convert(mode)
    with Image.open(io.BytesIO(quick_png(picture, 300))) as read:
        assert (read.mode, read.info["dpi"], read.tobytes()) == (mode, (299.9994, 299.9994), picture.tobytes())
    with Image.open(io.BytesIO(quick_png(picture))) as read:
        assert "dpi" not in read.info


def test_strips_of_rows_make_one_picture() -> None:
    picture = Image.effect_noise((70, 90), 50).convert("RGB")
    data = quick_png(picture, None, 29)
    packed = [content for name, content in chunks_of(data) if name == b"IDAT"]
    assert len(packed) == 4
    assert len(zlib.decompress(b"".join(packed))) == 90 * (3 * 70 + 1)  # its checksum holds, too
    with Image.open(io.BytesIO(data)) as read:
        assert read.tobytes() == picture.tobytes()
