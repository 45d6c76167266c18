"""What places of a drawing show: an SVG file is drawn, and looked at point by point."""

from __future__ import annotations

from duckpress.art.svg.artist import draw_art
from duckpress.art.svg.file import read_art
from duckpress.art.svg.paint import Paints
from duckpress.core.frame import Group, Item, Outline, flattened
from duckpress.core.problems import Problem
from duckpress.text.fonts import FontLibrary

Colour = tuple[float, float, float]


def drawn(
    inside: str, paints: Paints | None = None, fonts: FontLibrary | None = None
) -> tuple[tuple[Item, ...], list[Problem]]:
    """Return the items of a drawing 100 across and 50 down, and its problems."""
    art, problems = read_art(
        "a.svg", f'<svg viewBox="0 0 100 50" xmlns="http://www.w3.org/2000/svg">{inside}</svg>'.encode()
    )
    assert art is not None
    drawing, _, more = draw_art(art, {}, paints or Paints("#000000", "black"), fonts)
    return drawing.items, problems + more


def seen(items: tuple[Item, ...], x: float, y: float, ground: Colour = (255, 255, 255)) -> Colour:
    """Return what a place on white paper shows."""
    for item in items:
        if isinstance(item, Group):
            inner = item.matrix.undo(x, y)
            if inner is not None and (not item.clip or flattened(item.clip).holds(*inner, even_odd=False)):
                over = seen(item.items, *inner, ground)
                lightness = seen(item.mask, *inner, (0, 0, 0))[0] / 255 if item.mask else 1.0
                ground = mixed(ground, over, item.opacity * lightness)
        elif isinstance(item, Outline):
            flat, paint = flattened(item.path), item.paint
            if paint.fill and flat.holds(x, y, even_odd=paint.even_odd):
                ground = mixed(ground, colour(paint.fill), paint.fill_opacity)
            if paint.stroke and flat.is_near(x, y, paint.stroke_mm / 2):
                ground = mixed(ground, colour(paint.stroke), paint.stroke_opacity)
    return ground


def mixed(below: Colour, above: Colour, alpha: float) -> Colour:
    red, green, blue = (a + (b - a) * alpha for a, b in zip(below, above, strict=True))
    return red, green, blue


def colour(text: str) -> Colour:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)
