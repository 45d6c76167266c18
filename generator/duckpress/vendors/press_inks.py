"""RGB pictures -> CMYK by a profile, with no more ink in one place than a press can dry.

The profile is ISO Coated v2 300 % by basICColor (FOGRA39, under the zlib licence), which lies beside this file. It
puts up to 300 % on black; where less is allowed, cyan, magenta and yellow are thinned together and black is kept, so
that the hue stays. What is neutral grey in RGB is printed with black alone: a line of text in four inks shows every
shift of the press.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

PROFILE_NAME = "ISO Coated v2 300% (basICColor)"
CONDITION = "FOGRA39"
_FILE = "ISOcoated_v2_300_bas.icc"
_NEUTRAL = 2  # how far red, green and blue may lie apart in a grey


@cache
def profile_bytes() -> bytes:
    """Return the profile's file."""
    return (resources.files("duckpress.vendors") / "profiles" / _FILE).read_bytes()


@cache
def _transform() -> Any:
    import io

    from PIL import ImageCms

    return ImageCms.buildTransform(
        ImageCms.createProfile("sRGB"),
        ImageCms.ImageCmsProfile(io.BytesIO(profile_bytes())),
        "RGB",
        "CMYK",
        renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )


def to_cmyk(picture: Image, most_percent: int) -> Image:
    """Return a picture in CMYK with at most so much ink in all at any pixel (400 is everything)."""
    from PIL import Image as Pictures
    from PIL import ImageChops, ImageCms

    rgb = picture.convert("RGB")
    inks = ImageCms.applyTransform(rgb, _transform())
    assert inks is not None
    cyan, magenta, yellow, black = inks.split()
    red, green, blue = rgb.split()
    spread = ImageChops.subtract(
        ImageChops.lighter(ImageChops.lighter(red, green), blue), ImageChops.darker(ImageChops.darker(red, green), blue)
    )
    is_neutral = spread.point(lambda value: 255 if value <= _NEUTRAL else 0)
    none = Pictures.new("L", rgb.size, 0)
    cyan, magenta, yellow = (Pictures.composite(none, ink, is_neutral) for ink in (cyan, magenta, yellow))
    black = Pictures.composite(green.point(_BLACK_FOR_GREY), black, is_neutral)
    return Pictures.merge("CMYK", (*_limited((cyan, magenta, yellow), black, most_percent), black))


def _black_for(grey: int) -> int:
    """Return the black that looks as light as a grey of sRGB.

    Paper white and black ink span L* 95 to 16 on coated paper (ISO 12647-2); dots grow by about 15 % at the middle.
    """
    light = float((grey / 255) ** 2.2)
    black = float(1 - light ** (1 / 1.8))
    return min(255, max(0, round(255 * black)))


_BLACK_FOR_GREY = [_black_for(grey) for grey in range(256)]


def _limited(colours: tuple[Image, Image, Image], black: Image, most_percent: int) -> tuple[Image, Image, Image]:
    """Thin the three colours together where all four are more than allowed."""
    from PIL import ImageChops, ImageMath

    # A hair less than allowed: pixels of 8 bits, multiplied, may come out one too high in each colour.
    most = int(most_percent / 100 * 255) - 3
    bands = {key: band.convert("I") for key, band in zip("cmyk", (*colours, black), strict=True)}

    def kept(args: dict[str, Any]) -> Any:
        total = args["max"](args["c"] + args["m"] + args["y"], 1)
        room = args["max"](most - args["k"], 0)
        return args["convert"](args["min"](room * 255 / total, 255), "L")

    share: Image = ImageMath.lambda_eval(kept, **bands)
    if share.getextrema()[0] == 255:
        return colours
    cyan, magenta, yellow = (ImageChops.multiply(ink, share) for ink in colours)
    return cyan, magenta, yellow


def ink_percent(picture: Image) -> float:
    """Return the most ink that lies on any one pixel of a CMYK picture, in percent."""
    from PIL import ImageMath

    bands = dict(zip("cmyk", (band.convert("I") for band in picture.split()), strict=True))
    total: Image = ImageMath.lambda_eval(lambda args: args["c"] + args["m"] + args["y"] + args["k"], **bands)
    most = total.getextrema()[1]
    assert isinstance(most, (int, float))
    return most / 255 * 100
