"""How colours look: contrast, lightness, and what is left of a difference for eyes that see fewer colours.

Colours are `#rrggbb` in sRGB (IEC 61966-2-1), differences are CIE 1976 (Euclidean in CIELAB, D65 white).
"""

from __future__ import annotations

import math
from functools import cache

from duckpress.core.units import added

# What dichromats see, on linear RGB. Source: Machado, Oliveira, Fernandes, "A Physiologically-based Model for
# Simulation of Color Vision Deficiency", IEEE TVCG 15 (6), 2009; severity 1.0.
SIMULATIONS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
GREY = "grey"
_WHITE = (0.95047, 1.0, 1.08883)

Linear = tuple[float, float, float]


@cache
def linear(colour: str) -> Linear:
    """Return a colour's red, green and blue as amounts of light, 0 to 1."""
    red, green, blue = (_light(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return red, green, blue


def _light(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def luminance(light: Linear) -> float:
    """Return how light a colour is, 0 (black) to 1 (white). Source: WCAG 2.1, relative luminance."""
    red, green, blue = light
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@cache
def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 (none) to 21 (black on white). Source: WCAG 2.1, contrast ratio."""
    high, low = sorted((luminance(linear(one)), luminance(linear(other))), reverse=True)
    return (high + 0.05) / (low + 0.05)


def difference(one: str, other: str, vision: str) -> float:
    """Return how different two colours look: to all eyes (`""`), to one of `SIMULATIONS`, or printed in `grey`."""
    if vision == GREY:
        return abs(_lightness(one) - _lightness(other))
    return math.dist(_lab(one, vision), _lab(other, vision))


@cache
def _lightness(colour: str) -> float:
    return 116 * _cube_root(luminance(linear(colour))) - 16


@cache
def _lab(colour: str, vision: str) -> tuple[float, float, float]:
    light = linear(colour)
    if vision:
        rows = SIMULATIONS[vision]
        red, green, blue = (min(1.0, max(0.0, added(map(float.__mul__, row, light)))) for row in rows)
    else:
        red, green, blue = light
    x = _cube_root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / _WHITE[0])
    y = _cube_root((0.2126 * red + 0.7152 * green + 0.0722 * blue) / _WHITE[1])
    z = _cube_root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / _WHITE[2])
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _cube_root(value: float) -> float:
    # Source: CIE 15:2004, 8.2.1; below (6/29)^3 the root is replaced by a straight line.
    return math.cbrt(value) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116
