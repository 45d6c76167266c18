"""Files of pictures -> `PictureData`, known by their bytes and measured by their headers, never by decoding.

Only what a PDF cannot take as it is goes through Pillow (loaded then): pictures that say they must be turned, JPEGs in
CMYK, PNGs with 16 bits or in passes; PNGs whose palette is shorter than their pixels can count; and WebP, TIFF and PSD,
which have to be what their names say. `art.raster` reads PNG and JPEG. Pillow's only way in and out is here too: a
checked file -> its pixels, and pixels -> a PNG. Pillow chooses the filters of a PNG's rows; `core.compression` packs
them, the same everywhere.

`quick_png` packs pictures that are looked at, sent and thrown away in little time. Choosing a filter for each row takes
longer than drawing a card. Here every row says how its pixels differ from those above, and is packed by what is
quickest (`core.compression`): for cards at 300 dpi a tenth of the time of `png_bytes`, and a fifth more bytes
(`benchmarks/pictures.py`). Source: PNG specification, 9.2 (filter type 2, Up), 10.1 (a stream in several chunks).
"""

from __future__ import annotations

import hashlib
import struct
import warnings
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from duckpress.art import BadArt
from duckpress.art.raster import (
    JPEG_MAGIC,
    PNG_MAGIC,
    BarePicture,
    check_size,
    chunks_of,
    damaged,
    kind_of_file,
    read_jpeg,
    read_png,
)
from duckpress.core.compression import QUICK_HEAD, deflated, quick_end, quick_piece
from duckpress.core.geometry import MM_PER_INCH

if TYPE_CHECKING:
    from PIL.Image import Image


_BY_NAME = {".webp": "WEBP", ".tif": "TIFF", ".tiff": "TIFF", ".psd": "PSD"}
PICTURE_ENDINGS = (".png", ".jpg", ".jpeg", *_BY_NAME)
# What Pillow's readers of damaged files were seen to raise besides what they are meant to.
_DAMAGED = (OSError, SyntaxError, ValueError, EOFError, LookupError, TypeError, ArithmeticError, AttributeError)


@contextmanager
def opened(path: str, data: bytes, formats: tuple[str, ...] = ("PNG", "JPEG")) -> Iterator[Image]:
    """Yield the open picture of a checked PNG or JPEG, or of another format after checking its size.

    Raises `BadArt`, also for what is done with it inside the `with`.
    """
    from PIL import Image as Images
    from PIL import UnidentifiedImageError

    # Pillow's own cap on pixels would count before ours, whatever that is set to; ours is asked for here again.
    usual, Images.MAX_IMAGE_PIXELS = Images.MAX_IMAGE_PIXELS, None
    try:
        # `formats` keeps Pillow's other readers, some of which start programs, away from the bytes.
        with warnings.catch_warnings(action="ignore"), Images.open(BytesIO(data), formats=formats) as picture:
            check_size(path, *picture.size)
            picture.load()
            yield picture
    except BadArt:
        raise
    except UnidentifiedImageError as error:  # its own words name an object in memory
        what = f"{path!r} is not a whole {' or '.join(formats)} file"
        raise BadArt(what, "save it again, and give it the ending of what it is") from error
    except (*_DAMAGED, struct.error, RuntimeError) as error:
        raise BadArt(f"{path!r} cannot be decoded: {error}", "save it again") from error
    finally:
        Images.MAX_IMAGE_PIXELS = usual


def upright(picture: Image, turn: int) -> Image:
    """Return a picture turned as an Exif orientation (1 to 8) says."""
    from PIL.Image import Transpose

    ways = (
        None, Transpose.FLIP_LEFT_RIGHT, Transpose.ROTATE_180, Transpose.FLIP_TOP_BOTTOM,
        Transpose.TRANSPOSE, Transpose.ROTATE_270, Transpose.TRANSVERSE, Transpose.ROTATE_90,
    )  # fmt: skip
    way = ways[turn - 1]
    return picture if way is None else picture.transpose(way)


def png_bytes(picture: Image, dpi: float | None = None) -> bytes:
    """Return a picture as a PNG file, with its printed size if `dpi` is given."""
    file = BytesIO()
    picture.save(file, "PNG", compress_level=0, **({} if dpi is None else {"dpi": (dpi, dpi)}))
    chunks = list(chunks_of(file.getvalue()))
    rows = zlib.decompress(b"".join(content for name, content in chunks if name == b"IDAT"))
    *before, end = (png_chunk(name, content) for name, content in chunks if name != b"IDAT")
    return b"".join((PNG_MAGIC, *before, png_chunk(b"IDAT", deflated(rows)), end))


def png_chunk(name: bytes, content: bytes) -> bytes:
    """Return a chunk of a PNG file: its length, name, content and check."""
    crc = zlib.crc32(content, zlib.crc32(name))
    return b"".join((struct.pack(">I", len(content)), name, content, struct.pack(">I", crc)))


_MOST_REMEMBERED = 10_000
SVG, SVG_GREY = DRAWINGS = ("svg", "svg-grey")
_checked: dict[str, None] = {}  # the keys of files whose rows were looked through in this run, for watching


class PictureData(Struct, frozen=True):
    """A raster file ready for the PDF: `key` is the hash of the file it was read from; `kind` is `png` or `jpeg`.

    A drawing that has to be a picture is of the kind `svg` or `svg-grey`, and its file is `path`, until `press` has it
    drawn.
    """

    key: str
    data: bytes
    kind: str
    width_px: int
    height_px: int
    path: str = ""

    @property
    def is_drawn(self) -> bool:
        return self.kind not in DRAWINGS


def read_picture(path: str, data: bytes, *, is_grey: bool = False) -> tuple[PictureData, str]:
    """Return a picture, and words for a warning where only a part of the file is used; raises `BadArt`.

    `is_grey` turns its colours into the greys that look as light (luma by ITU-R BT.601, as for all other colours).
    """
    key = hashlib.sha256(data + b"grey" if is_grey else data).hexdigest()[:32]
    if data.startswith(PNG_MAGIC):
        bare = read_png(path, data, is_checked=key in _checked)
        remember_checked((key,))
    elif data.startswith(JPEG_MAGIC):
        bare = read_jpeg(path, data)
    elif (kind := _BY_NAME.get(path[path.rfind(".") :].lower())) is not None:
        return _by_pillow(path, key, data, kind, is_grey=is_grey)
    else:
        raise kind_of_file(path, data)
    if bare.colours:
        # Viewers show a pixel of a colour that is not in the palette as they like.
        with opened(path, bare.data) as picture:
            last = max(number for number, count in enumerate(picture.histogram()) if count)
        if last >= bare.colours:
            raise damaged(path, f"its palette has {bare.colours} colours, and a pixel has the number {last}")
    if not bare.must_convert and not is_grey:
        return PictureData(key, bare.data, bare.kind, bare.width, bare.height), bare.note
    return _converted(path, key, bare, is_grey=is_grey), bare.note


def remember_checked(keys: Iterable[str]) -> None:
    """Remember the keys of files whose rows have been checked, here or by a worker."""
    _checked.update(dict.fromkeys(keys))
    while len(_checked) > _MOST_REMEMBERED:
        del _checked[next(iter(_checked))]


def _by_pillow(path: str, key: str, data: bytes, kind: str, *, is_grey: bool) -> tuple[PictureData, str]:
    """Return a picture as a PNG: the first of several in a file, the flattened one of a layered file."""
    note = ""
    with opened(path, data, (kind,)) as picture:
        if picture.mode not in _MODES:
            raise BadArt(f"{path!r} has pixels of the kind {picture.mode}", "save it as RGB with 8 bits")
        if picture.mode == "CMYK":
            note = f"{path!r} is in CMYK and printed in RGB: its colours change a little"
        turn = picture.getexif().get(_ORIENTATION, 1) if kind != "PSD" else 1
        plain = upright(_eight_bits(picture), turn if turn in range(1, 9) else 1)
        shown = png_bytes(_greyed(plain, is_grey))
        if kind != "PSD" and _has_more(picture):
            note = f"{path!r} holds several pictures; only the first is printed"
    return PictureData(key, shown, "png", plain.width, plain.height), note


_MODES = ("1", "L", "LA", "P", "PA", "RGB", "RGBA", "RGBX", "CMYK", "I;16", "I;16B")
_ORIENTATION = 0x0112  # Exif 2.3


def _has_more(picture: Image) -> bool:
    try:
        picture.seek(1)
    except EOFError:
        return False
    return True


def _converted(path: str, key: str, bare: BarePicture, *, is_grey: bool) -> PictureData:
    with opened(path, bare.data) as picture:
        if bare.kind == "jpeg":
            is_rgb = picture.mode != "L"
            plain = upright(picture.convert("RGB") if is_rgb else picture, bare.turn)
            out = BytesIO()
            _greyed(plain, is_grey).save(out, "JPEG", quality=95, **({"subsampling": 0} if is_rgb else {}))
            data = out.getvalue()
        else:
            plain = upright(_eight_bits(picture), bare.turn)
            data = png_bytes(_greyed(plain, is_grey))
    return PictureData(key, data, bare.kind, plain.width, plain.height)


def _eight_bits(image: Image) -> Image:
    if image.mode.startswith("I"):
        # 16-bit grey: Pillow's own conversion would cut every value off at 255.
        return image.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    if image.mode in ("L", "LA", "RGBA"):
        return image
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _greyed(image: Image, is_grey: bool) -> Image:
    return image.convert("LA" if "A" in image.mode else "L") if is_grey else image


_COLOUR_TYPES = {"L": 0, "RGB": 2, "LA": 4, "RGBA": 6}  # by modes, whose names have a letter for each band
_BAND_BYTES = 512_000  # rows that a processor holds at hand while it goes over them


def quick_png(picture: Image, dpi: float | None = None, strip_px: int = 0) -> bytes:
    """Return a picture as a PNG file, with its printed size if `dpi` is given.

    With `strip_px`, each so many rows are a chunk that is packed by itself.
    """
    if picture.mode not in _COLOUR_TYPES:
        return png_bytes(picture, dpi)
    chunks = [png_chunk(b"IHDR", struct.pack(">IIBBBBB", *picture.size, 8, _COLOUR_TYPES[picture.mode], 0, 0, 0))]
    if dpi is not None:
        a_metre = int(dpi / MM_PER_INCH * 1000 + 0.5)
        chunks.append(png_chunk(b"pHYs", struct.pack(">IIB", a_metre, a_metre, 1)))
    packed: list[bytes] = []
    sums: list[tuple[int, int]] = []
    high = strip_px or picture.height
    for top in range(0, picture.height, high):
        rows = _rows(picture.crop((0, top, picture.width, min(top + high, picture.height))))
        piece, adler = quick_piece(rows)
        packed.append(piece)
        sums.append((adler, (picture.width * len(picture.mode) + 1) * min(high, picture.height - top)))
    packed[0] = QUICK_HEAD + packed[0]
    packed[-1] += quick_end(sums)
    return b"".join((PNG_MAGIC, *chunks, *(png_chunk(b"IDAT", one) for one in packed), png_chunk(b"IEND", b"")))


def _rows(picture: Image) -> Iterator[bytes]:
    """Yield the filtered rows of a PNG; the first row refers to no row above, so it can follow any other."""
    pixels, length = memoryview(picture.tobytes()), picture.width * len(picture.mode)
    # The byte behind a row is the number of the next one's filter, once that above it is taken off: 2, for Up.
    behind = ((2 * number + 2 & 0xFF).to_bytes() for number in range(picture.height))
    parts = zip(range(0, len(pixels), length), behind, strict=True)
    rows = bytearray().join(part for at, end in parts for part in (pixels[at : at + length], end))
    return _differences(memoryview(rows), length + 1, picture.height)


def _differences(rows: Any, stride: int, height: int) -> Iterator[bytes]:
    from PIL import Image as Pictures
    from PIL import ImageChops

    yield b"\0" + bytes(rows[: stride if height > 1 else -1])
    band = max(1, _BAND_BYTES // stride)
    for top in range(1, height, band):
        many = min(band, height - top)
        size = many * stride, 1  # for Pillow a single row: a long one is handed out in one piece
        here, above = (
            Pictures.frombuffer("L", size, rows[start * stride : (start + many) * stride], "raw", "L", 0, 1)
            for start in (top, top - 1)
        )
        bytes_of_rows = ImageChops.subtract_modulo(here, above).tobytes()
        yield bytes_of_rows if top + many < height else bytes_of_rows[:-1]
