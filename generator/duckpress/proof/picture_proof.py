"""The pictures in the file held against the picture files: the same pixels, in the same colours, all of them.

Where a file's own data was copied it is compared as it is; other pictures are decoded once more, a band of rows at a
time. Source: ISO 32000-1, 8.9.5 (images), 7.4.4.4 (predictors); PNG specification, 11.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator

from duckpress.art.picture_files import PictureData, opened
from duckpress.core.problems import Problem
from duckpress.proof.expected import fault
from duckpress.proof.used_things import ImageRead

_BAND = 256  # rows
_PIECE = 1 << 20
_GREY, _PALETTE = 0, 3


def check_picture(key: str, image: ImageRead | None, picture: PictureData | None) -> Iterator[Problem]:
    """Yield a `proof-picture` where an image is not the picture that its key stands for."""
    pixels = None if image is None else (image.width, image.height)
    wanted = None if picture is None else (picture.width_px, picture.height_px)
    if pixels != wanted or image is None or picture is None:
        yield fault("proof-picture", f"picture {key} has {pixels} pixels in the file, not {wanted}")
    elif not _is_shown(image, picture):
        yield fault("proof-picture", f"picture {key} does not show in the file what its own file shows")


def _is_shown(image: ImageRead, picture: PictureData) -> bool:
    if image.filter == "/DCTDecode":
        return image.data == picture.data and image.bits == 8 and image.mask is None and _has_space_of_jpeg(image)
    if image.predictor:
        return image.mask is None and _is_png(image, picture.data)
    return _is_decoded(image, picture)


def _has_space_of_jpeg(image: ImageRead) -> bool:
    with opened("a picture", image.data) as jpeg:
        return image.space == {"L": "/DeviceGray", "RGB": "/DeviceRGB"}.get(jpeg.mode)


def _is_png(image: ImageRead, data: bytes) -> bool:
    """Return whether an image is a PNG's rows as they are, with its colours."""
    chunks = list(_chunks(data))
    if not chunks or chunks[0][0] != b"IHDR":
        return False
    width, height, bits, kind, _, _, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    palette = b"".join(body for name, body in chunks if name == b"PLTE")
    space = "/DeviceGray" if kind == _GREY else "/DeviceRGB"
    if kind == _PALETTE:
        space = f"/Indexed /DeviceRGB {len(palette) // 3 - 1} {palette.hex()}"
    return (
        not interlace
        and not any(name == b"tRNS" for name, _ in chunks)
        and (image.width, image.height, image.bits, image.space) == (width, height, bits, space)
        and image.predictor == (15, 3 if kind not in (_GREY, _PALETTE) else 1, bits, width)
        and image.data == b"".join(body for name, body in chunks if name == b"IDAT")
    )


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks of a PNG: their names and what they hold."""
    at = 8  # behind the signature
    while at + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        yield name, data[at + 8 : at + 8 + length]
        at += length + 12


def _is_decoded(image: ImageRead, picture: PictureData) -> bool:
    """Return whether an image and its mask are a picture's pixels."""
    with opened("a picture", picture.data) as pixels:
        is_grey = pixels.mode in ("1", "L", "LA")
        is_seen_through = pixels.has_transparency_data
        space = "/DeviceGray" if is_grey else "/DeviceRGB"
        if (image.bits, image.space, image.mask is not None) != (8, space, is_seen_through):
            return False
        colours, alpha = hashlib.sha256(), hashlib.sha256()
        if is_seen_through and not pixels.mode.endswith("A"):
            pixels = pixels.convert("LA" if is_grey else "RGBA")
        for top in range(0, pixels.height, _BAND):
            band = pixels.crop((0, top, pixels.width, min(top + _BAND, pixels.height)))
            colours.update(band.convert("L" if is_grey else "RGB").tobytes())
            if is_seen_through:
                alpha.update(band.getchannel("A").tobytes())
    mask = image.mask
    return _inflated_hash(image.data) == colours.digest() and (
        mask is None
        or (
            (mask.width, mask.height, mask.bits, mask.space) == (image.width, image.height, 8, "/DeviceGray")
            and _inflated_hash(mask.data) == alpha.digest()
        )
    )


def _inflated_hash(data: bytes) -> bytes:
    """Return the SHA-256 of what was deflated, without keeping it."""
    stream, inflated = zlib.decompressobj(), hashlib.sha256()
    while data:
        inflated.update(stream.decompress(data, _PIECE))
        data = stream.unconsumed_tail
    return inflated.digest()
