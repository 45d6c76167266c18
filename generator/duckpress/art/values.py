"""Values of attributes in SVG files and layouts: lengths, numbers, dashes, transforms, and colours as `#rrggbb`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from colorsys import hls_to_rgb

from duckpress.art import BadArt
from duckpress.core.geometry import IDENTITY, Matrix, Rect, rotation, scaling, translation
from duckpress.core.limits import how_to_raise, limit

MAX_NUMBER = 1e6
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_SEPARATOR = re.compile(r"\s*(?:,\s*)?")
_USUAL_MOST = 1_000  # numbers of a list that is no list of points


# CSS Values 3, section 6.2: 96 pixels to the inch.
_PIXELS = {"": 1.0, "px": 1.0, "in": 96.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "pt": 96 / 72, "pc": 16.0}
_LENGTH = re.compile(r"\s*+([+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?)\s*+(px|in|mm|cm|pt|pc|%|)\s*+", re.ASCII)
_ACROSS, _DOWN = ("x", "x1", "x2", "cx", "rx", "width"), ("y", "y1", "y2", "cy", "ry", "height")


def length(attributes: Mapping[str, str], name: str, default: float, view: Rect) -> float:
    """Return a length of an SVG file in pixels; percentages refer to `view`. Raises `BadArt`. Source: SVG 1.1, 7.10."""
    text = attributes.get(name)
    if text is None or text == "auto":
        return default
    match = _LENGTH.fullmatch(text) if len(text) < 60 else None
    if match is None:
        raise BadArt(f"{name}={text[:40]!r} is not a length")
    if match[2] != "%":
        pixels = _PIXELS[match[2]]
    elif name in _ACROSS or name in _DOWN:
        pixels = (view.width_mm if name in _ACROSS else view.height_mm) / 100
    else:
        pixels = math.hypot(view.width_mm, view.height_mm) / math.sqrt(2) / 100
    value = float(match[1]) * pixels
    if not abs(value) < MAX_NUMBER:
        raise BadArt(f"{name}={text[:40]!r} is too large")
    return value


def parse_number(text: str) -> float | None:
    """Return a text as a number, or None if it is no number, or one of a million or more."""
    text = text.strip()
    if len(text) > 40 or not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if abs(value) < MAX_NUMBER else None


def parse_numbers(text: str, most: int = _USUAL_MOST) -> list[float] | None:
    """Return the numbers of a list separated by commas and blanks; None for any other text, and for too many."""
    values: list[float] = []
    position = 0
    text = text.strip()
    while position < len(text):
        match = _NUMBER.match(text, position)
        if match is None or abs(value := float(match[0])) >= MAX_NUMBER or len(values) >= most:
            return None
        values.append(value)
        position = match.end()
        separator = _SEPARATOR.match(text, position)
        position = separator.end() if separator else position
    return values


# Source: the numbers are those of PDF's operators J and j: ISO 32000-1, 8.4.3.
CAPS = {"butt": 0, "round": 1, "square": 2}
JOINS = {"miter": 0, "round": 1, "bevel": 2}


def dash_lengths(text: str) -> tuple[float, ...] | None:
    """Return dashes and gaps; an odd number of them is doubled, as in SVG; None if they are no lengths."""
    if text.strip() in ("none", ""):
        return ()
    numbers = parse_numbers(text)
    if numbers is None or len(numbers) > 32 or any(number < 0 for number in numbers):
        return None
    if not any(numbers):
        return ()
    return tuple(numbers * 2 if len(numbers) % 2 else numbers)


_STEP = re.compile(r"[\s,]*([A-Za-z]+)\s*\(([^()]*)\)")
_OPERANDS = {
    "translate": (1, 2), "scale": (1, 2), "rotate": (1, 3), "skewX": (1,), "skewY": (1,), "matrix": (6,),
}  # fmt: skip
_LARGEST = 1e9  # of a matrix: beyond it a drawing is one point, or nothing of it on any paper
_CORRECT = "correct the transform"


def parse_transform(text: str) -> Matrix:
    """Return the matrix of a transform list (SVG 1.1, section 7.6), applied right to left; raises `BadArt`."""
    matrix = IDENTITY
    position = 0
    text = text.strip().rstrip(",")
    most = limit("transform-steps")
    for _ in range(most + 1):
        if position >= len(text):
            if not is_drawable(matrix):
                raise BadArt(f"{text[:40]!r} makes it larger than anything", _CORRECT)
            return matrix
        match = _STEP.match(text, position)
        if match is None:
            what = f"{text[position : position + 30]!r} is not a transform such as 'rotate(45 10 10)'"
            raise BadArt(what, _CORRECT)
        matrix = matrix.after(_step(match[1], match[2]))
        position = match.end()
    raise BadArt(f"it has more than {most} steps", f"simplify it; {how_to_raise('transform-steps')}")


def is_drawable(matrix: Matrix) -> bool:
    return all(abs(value) < _LARGEST for value in matrix)  # not "none at least so large": that lets NaN through


def rounded(matrix: Matrix) -> Matrix:
    """Return a matrix rounded to a millionth: equal places get equal numbers on every machine, and zero has no sign."""
    return Matrix(*(round(value, 6) + 0.0 for value in matrix))


def _step(name: str, operands: str) -> Matrix:
    if name not in _OPERANDS:
        raise BadArt(f"{name!r} is not one of {', '.join(_OPERANDS)}", _CORRECT)
    values = parse_numbers(operands)
    if values is None or len(values) not in _OPERANDS[name]:
        wanted = " or ".join(str(count) for count in _OPERANDS[name])
        raise BadArt(f"'{name}({operands[:30]})' needs {wanted} number{'' if wanted == '1' else 's'}", _CORRECT)
    if name == "translate":
        return translation(values[0], values[1] if len(values) == 2 else 0.0)
    if name == "scale":
        return scaling(*values)
    if name == "rotate":
        return rotation(*values)
    if name == "matrix":
        return Matrix(*values)
    slope = math.tan(math.radians(values[0]))
    return Matrix(c=slope) if name == "skewX" else Matrix(b=slope)


_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_PART = r"(\d+(?:\.\d*)?|\.\d+)(%?)"
_ALPHA = r"(?:[,/]\s*(\d+(?:\.\d+)?|\.\d+)(%?)\s*)?"
_RGB = re.compile(rf"rgba?\(\s*{_PART}[\s,]+{_PART}[\s,]+{_PART}\s*{_ALPHA}\)")
_HSL = re.compile(rf"hsla?\(\s*(-?\d+(?:\.\d*)?)(?:deg)?[\s,]+{_PART}[\s,]+{_PART}\s*{_ALPHA}\)")
_HEX_ALPHA = re.compile(r"#(?:[0-9a-fA-F]{4}|[0-9a-fA-F]{8})")


def hex_colour(text: str) -> str | None:
    """Return `#rgb` or `#rrggbb` as `#rrggbb` in lower case; None for any other text."""
    if not _HEX.fullmatch(text):
        return None
    digits = text[1:].lower()
    return f"#{digits}" if len(digits) == 6 else "#" + "".join(digit * 2 for digit in digits)


def typed_colour(text: str) -> str | None:
    """Return a colour as people write it (`#rgb`, `#rrggbb`, `rrggbb`, a name of CSS) as `#rrggbb`, or None."""
    colour = hex_colour(text) or (hex_colour(f"#{text}") if len(text) == 6 else None)
    return colour or (css_colour(text) if text.isalpha() else None)


def css_colour(text: str) -> str | None:
    """Return a colour as SVG files write it (`#rgb`, `rgb(...)`, `hsl(...)`, a CSS name) as `#rrggbb`, or None.

    How opaque it is, if it says so, is left out: `css_alpha` returns that.
    """
    text = text.strip()
    colour = hex_colour(text)
    if colour is not None or len(text) > 60:
        return colour
    if _HEX_ALPHA.fullmatch(text):
        return hex_colour(text[:4] if len(text) == 5 else text[:7])
    if (match := _RGB.fullmatch(text.lower())) is not None:
        values = [float(match[i]) / (100 if match[i + 1] else 255) for i in (1, 3, 5)]
    elif (match := _HSL.fullmatch(text.lower())) is not None:
        hue, saturation, lightness = (float(match[i]) for i in (1, 2, 4))
        values = list(hls_to_rgb(hue % 360 / 360, min(lightness, 100) / 100, min(saturation, 100) / 100))
    else:
        from PIL.ImageColor import colormap, getrgb  # the keywords of CSS Color 3, section 4.3, which little art has

        if text.lower() not in colormap:
            return None
        values = [value / 255 for value in getrgb(text)]
    return "#" + "".join(f"{min(255, int(value * 255 + 0.5)):02x}" for value in values)


def css_alpha(text: str) -> float:
    """Return the opacity, 0 to 1, of a colour that `css_colour` reads."""
    text = text.strip().lower()
    if len(text) > 60 or text == "transparent":
        return float(text != "transparent")
    if _HEX_ALPHA.fullmatch(text):
        return int(text[-1] * 2 if len(text) == 5 else text[-2:], 16) / 255
    match = _RGB.fullmatch(text) or _HSL.fullmatch(text)
    if match is None or match[match.re.groups - 1] is None:
        return 1.0
    share = float(match[match.re.groups - 1])
    return min(1.0, share / 100 if match[match.re.groups] else share)


def grey_of(colour: str) -> str:
    """Return the grey as light as a `#rrggbb` colour looks: luma by ITU-R BT.601, as printers and viewers weigh."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + f"{round(0.299 * red + 0.587 * green + 0.114 * blue):02x}" * 3
