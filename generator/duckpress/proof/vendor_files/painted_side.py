"""A picture to be printed, in RGB or CMYK, held against the side of a card, painted anew: the same, cell by cell.

A cell is about 0.7 mm wide. Colours in inks are compared as a proofing screen shows them, by the profile of the press,
after the painted side has gone the same way; no colour is changed by more than `_MOST_OF_ALL` then.
"""

from __future__ import annotations

import io
import math
from functools import cache
from typing import TYPE_CHECKING, Any

from duckpress.vendors import profile_bytes

if TYPE_CHECKING:
    from PIL.Image import Image

_CELLS_PER_INCH = 37.5
_MOST_OF_A_CELL = 64  # levels of 255: fine words that were painted at 150 dpi and at 300 differ by up to 63
_MOST_OF_ALL = 6
_NEUTRAL = 2  # how far red, green and blue of a grey lie apart at most


def is_shown(picture: Image, painted: Image, dpi: int, times: int, most_percent: int) -> bool:
    """Return whether a picture shows a side that was painted with `dpi`, `times` as few pixels as the picture has.

    Their middles are the same; what lies beyond the smaller of both is not looked at. Ink may be limited to
    `most_percent` at any pixel, and greys have black alone.
    """
    from PIL import ImageChops, ImageStat

    cell = round(dpi / _CELLS_PER_INCH)
    box, painted = _common(picture, painted, times)
    greys = _greys(painted).reduce(cell).point([0] * 255 + [255])
    if times == 1:
        picture = picture.crop(box)
    else:  # a look at a few pixels: inks that are mixed first come out a little different
        picture, painted, cell = picture.reduce(times * cell, box), painted.reduce(cell), 1
    if picture.mode == "CMYK":
        cyan, magenta, yellow, _ = picture.reduce(cell).split()
        if _highest(ImageChops.darker(_lightest(cyan, magenta, yellow), greys)) > _MOST_OF_A_CELL:
            return False
        picture, painted = _on_screen(picture), _as_printed(painted, most_percent)
    differences = _lightest(*ImageChops.difference(picture.reduce(cell), painted.reduce(cell)).split())
    return _highest(differences) <= _MOST_OF_A_CELL and ImageStat.Stat(differences).mean[0] <= _MOST_OF_ALL


def most_ink(picture: Image) -> int:
    """Return how much ink lies on any pixel of a CMYK picture, of 4 * 255; up to three too little."""
    from PIL import Image as Pictures

    inks = Pictures.frombytes("L", (picture.width * 4, picture.height), picture.tobytes())
    return 4 * _highest(inks.reduce((4, 1))) - 2


def _highest(band: Image) -> int:
    return max(level for level, count in enumerate(band.histogram()) if count)


def _common(picture: Image, painted: Image, times: int) -> tuple[tuple[int, int, int, int], Image]:
    """Return what both have about their middles: the box of it in the picture, and that part of what was painted."""
    across, down = (
        max(1, math.ceil((few - many / times) / 2)) for few, many in zip(painted.size, picture.size, strict=True)
    )
    part = painted.crop((across, down, painted.width - across, painted.height - down))
    width, height = part.width * times, part.height * times
    left, top = (picture.width - width) // 2, (picture.height - height) // 2
    return (left, top, left + width, top + height), part


def _lightest(first: Image, second: Image, third: Image) -> Image:
    from PIL import ImageChops

    return ImageChops.lighter(ImageChops.lighter(first, second), third)


def _greys(painted: Image) -> Image:
    """Return a mask of what is neutral."""
    from PIL import ImageChops

    red, green, blue = painted.split()
    darkest = ImageChops.darker(ImageChops.darker(red, green), blue)
    spread = ImageChops.subtract(_lightest(red, green, blue), darkest)
    return spread.point([255] * (_NEUTRAL + 1) + [0] * (255 - _NEUTRAL))


def _as_printed(painted: Image, most_percent: int) -> Image:
    """Return what a side looks like in inks: greys between paper and black ink, other colours by the profile."""
    from PIL import Image as Pictures
    from PIL import ImageCms, ImageMath

    inks = ImageCms.applyTransform(painted, _transforms()[0])
    assert inks is not None
    most = most_percent * 255 // 100
    if most_ink(inks) + 3 > most:
        bands = inks.split()

        def thinned(args: dict[str, Any]) -> Any:
            colours = args["max"](args["c"] + args["m"] + args["y"], 1)
            room = args["min"](args["max"](most - args["k"], 0), colours)
            return args["convert"](args["ink"] * room / colours, "L")

        c, m, y, k = (band.convert("I") for band in bands)
        thin = (ImageMath.lambda_eval(thinned, c=c, m=m, y=y, k=k, ink=ink) for ink in (c, m, y))
        inks = Pictures.merge("CMYK", (*thin, bands[3]))
    darkest = _on_screen(Pictures.new("CMYK", (1, 1), (0, 0, 0, 255))).tobytes()[1]
    grey = painted.getchannel("G").point([round(darkest + level * (255 - darkest) / 255) for level in range(256)])
    return Pictures.composite(Pictures.merge("RGB", (grey, grey, grey)), _on_screen(inks), _greys(painted))


def _on_screen(inks: Image) -> Image:
    from PIL import ImageCms

    shown = ImageCms.applyTransform(inks, _transforms()[1])
    assert shown is not None
    return shown


@cache
def _transforms() -> tuple[Any, Any]:
    """Return the profile's ways from RGB to CMYK and back."""
    from PIL import ImageCms

    press, screen = ImageCms.ImageCmsProfile(io.BytesIO(profile_bytes())), ImageCms.createProfile("sRGB")
    intent, flags = ImageCms.Intent.RELATIVE_COLORIMETRIC, ImageCms.Flags.BLACKPOINTCOMPENSATION
    return (
        ImageCms.buildTransform(screen, press, "RGB", "CMYK", renderingIntent=intent, flags=flags),
        ImageCms.buildTransform(press, screen, "CMYK", "RGB", renderingIntent=intent, flags=flags),
    )
