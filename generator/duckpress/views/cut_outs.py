"""Pictures of faces cut to their shape: round, six-sided, or with round corners; what is cut away is transparent."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from duckpress.core.sizes import Format

if TYPE_CHECKING:
    from PIL.Image import Image

_FINE = 4  # times as large as the picture, so that edges are smooth


def cut_out(picture: Image, format_: Format) -> Image:
    """Return a picture of a whole face, cut to the shape of its format; one of four square corners as it is."""
    if not (format_.is_round or format_.is_hex or format_.corner_mm):
        return picture
    shaped = picture.convert("RGBA")
    shaped.putalpha(_mask(picture.size, format_))
    return shaped


@lru_cache(maxsize=8)
def _mask(size: tuple[int, int], format_: Format) -> Image:
    """Return what shows of a picture of that size; it takes longer to make than many a card to paint."""
    from PIL import Image as Pictures
    from PIL import ImageDraw

    width, height = size[0] * _FINE, size[1] * _FINE
    mask = Pictures.new("L", (width, height), 0)
    pen = ImageDraw.Draw(mask)
    box = (0, 0, width - 1, height - 1)
    if format_.is_round:
        pen.ellipse(box, fill=255)
    elif format_.is_hex:
        first = 0.0 if width >= height else 0.5  # a corner to the right, or one at the top
        corners = [math.pi / 3 * (number + first) for number in range(6)]
        reach = max(abs(math.cos(corner)) for corner in corners), max(abs(math.sin(corner)) for corner in corners)
        pen.polygon(
            [
                (width / 2 * (1 + math.cos(one) / reach[0]), height / 2 * (1 + math.sin(one) / reach[1]))
                for one in corners
            ],
            fill=255,
        )
    else:
        pen.rounded_rectangle(box, format_.corner_mm / format_.trim.width_mm * width, fill=255)
    return mask.resize(size, Pictures.Resampling.BOX)
