"""Pillow's only way in: the bytes of a checked PNG or JPEG -> its pixels. Loaded when first needed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from duckpress.art.raster.damage import BadPicture, check_size

if TYPE_CHECKING:
    from PIL.Image import Image


@contextmanager
def opened(path: str, data: bytes) -> Iterator[Image]:
    """Yield the picture of bytes that `read_png` or `read_jpeg` passed.

    Raises `BadPicture`, also for what is done with it inside the `with`.
    """
    from PIL import Image as Images

    # Pillow's own cap on pixels would count before ours, whatever that is set to; ours is asked for here again.
    usual, Images.MAX_IMAGE_PIXELS = Images.MAX_IMAGE_PIXELS, None
    try:
        # `formats` keeps Pillow's other readers, some of which start programs, away from the bytes.
        with warnings.catch_warnings(action="ignore"), Images.open(BytesIO(data), formats=("PNG", "JPEG")) as picture:
            check_size(path, *picture.size)
            picture.load()
            yield picture
    except BadPicture:
        raise
    except (OSError, SyntaxError, ValueError) as error:
        raise BadPicture(f"{path!r} cannot be decoded: {error}", "save it again") from error
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
