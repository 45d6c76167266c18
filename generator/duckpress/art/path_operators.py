"""Numbers and shapes -> PDF path operators as text, in millimetres (`duckpress.core.frame` says which operators).

Four decimals of a millimetre are a tenth of a micrometre: finer than any printer, and short to store.
"""

from __future__ import annotations

import re

from duckpress.core.geometry import Matrix

# Cubic approximation of a quarter circle: 4 (sqrt 2 - 1) / 3; it is at most 0.03 % of the radius off.
KAPPA = 0.5522847498

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
MAX_NUMBER = 1e6
_USUAL_MOST = 1_000  # numbers of a list that is no list of points


def number(value: float) -> str:
    """Give a number as a path operand: at most four decimals, no exponent, no trailing zeros."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def parse_number(text: str) -> float | None:
    """Give the number a text says (SVG's grammar, blanks around it); None where it is not one, or a million or more."""
    text = text.strip()
    if len(text) > 40 or not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if abs(value) < MAX_NUMBER else None


def parse_numbers(text: str, most: int = _USUAL_MOST) -> list[float] | None:
    """Give the numbers of a list separated by commas and blanks; None for anything else in it, and for too many."""
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


_SEPARATOR = re.compile(r"\s*,?\s*")


def move(x: float, y: float) -> str:
    """Give the operator that begins a subpath."""
    return f"{number(x)} {number(y)} m"


def line(x: float, y: float) -> str:
    """Give the operator of a straight line."""
    return f"{number(x)} {number(y)} l"


def curve(x1: float, y1: float, x2: float, y2: float, x: float, y: float) -> str:
    """Give the operator of a cubic curve."""
    return f"{number(x1)} {number(y1)} {number(x2)} {number(y2)} {number(x)} {number(y)} c"


def rectangle(x: float, y: float, width: float, height: float, rx: float = 0.0, ry: float | None = None) -> str:
    """Give a rectangle, its corners rounded by the radii (limited to half a side, as SVG 2 section 10.2 says)."""
    rx = min(rx, width / 2)
    ry = min(rx if ry is None else ry, height / 2)
    if rx <= 0 or ry <= 0:
        return f"{number(x)} {number(y)} {number(width)} {number(height)} re"
    right, bottom, kx, ky = x + width, y + height, rx * (1 - KAPPA), ry * (1 - KAPPA)
    return " ".join(
        (
            move(x + rx, y),
            line(right - rx, y),
            curve(right - kx, y, right, y + ky, right, y + ry),
            line(right, bottom - ry),
            curve(right, bottom - ky, right - kx, bottom, right - rx, bottom),
            line(x + rx, bottom),
            curve(x + kx, bottom, x, bottom - ky, x, bottom - ry),
            line(x, y + ry),
            curve(x, y + ky, x + kx, y, x + rx, y),
            "h",
        )
    )


def ellipse(cx: float, cy: float, rx: float, ry: float) -> str:
    """Give an ellipse as four curves, clockwise from its right end."""
    kx, ky = rx * KAPPA, ry * KAPPA
    return " ".join(
        (
            move(cx + rx, cy),
            curve(cx + rx, cy + ky, cx + kx, cy + ry, cx, cy + ry),
            curve(cx - kx, cy + ry, cx - rx, cy + ky, cx - rx, cy),
            curve(cx - rx, cy - ky, cx - kx, cy - ry, cx, cy - ry),
            curve(cx + kx, cy - ry, cx + rx, cy - ky, cx + rx, cy),
            "h",
        )
    )


def polyline(points: list[float], *, is_closed: bool) -> str:
    """Give straight lines through points (x1 y1 x2 y2 ...); a last number without a partner is left out, as in SVG."""
    pairs = list(zip(points[::2], points[1::2], strict=False))
    if not pairs:
        return ""
    steps = [move(*pairs[0]), *(line(x, y) for x, y in pairs[1:])]
    return " ".join([*steps, "h"] if is_closed else steps)


def mapped(d: str, matrix: Matrix) -> str:
    """Give a path under a matrix; rectangles become closed lines, because they may no longer stand upright."""
    steps: list[str] = []
    numbers: list[float] = []
    for word in d.split():
        if word in ("m", "l", "c"):
            points = (matrix.apply(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True))
            steps += [*(f"{number(x)} {number(y)}" for x, y in points), word]
        elif word == "re":
            x, y, width, height = numbers
            corners = [x, y, x + width, y, x + width, y + height, x, y + height]
            points = (matrix.apply(*corner) for corner in zip(corners[::2], corners[1::2], strict=True))
            steps.append(polyline([value for point in points for value in point], is_closed=True))
        elif word == "h":
            steps.append("h")
        else:
            numbers.append(float(word))
            continue
        numbers = []
    return " ".join(steps)
