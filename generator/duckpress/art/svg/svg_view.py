"""A `viewBox` in the rectangle that an inner `svg` or a `symbol` has: where it comes to lie, and what of it shows.

Source: SVG 1.1, section 7.8 (preserveAspectRatio).
"""

from __future__ import annotations

from typing import NamedTuple

from duckpress.core.geometry import Matrix, Rect, scaling, translation

_SHARES = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_ALIGNS = {f"x{across}Y{down}": (_SHARES[across], _SHARES[down]) for across in _SHARES for down in _SHARES}


class PlacedView(NamedTuple):
    """How a view is placed: the matrix from its coordinates to those around it, and the part of it that shows."""

    matrix: Matrix
    clip: Rect


def placed_view(port: Rect, view: Rect | None, aspect: str) -> PlacedView:
    """Return how a view lies in a port, by a `preserveAspectRatio`; without a view, by its corner alone.

    Raises `ValueError` with the words of a problem where `aspect` is not understood.
    """
    if view is None:
        return PlacedView(translation(port.x_mm, port.y_mm), Rect(0.0, 0.0, port.width_mm, port.height_mm))
    sx, sy = port.width_mm / view.width_mm, port.height_mm / view.height_mm
    align, _, how = aspect.strip().removeprefix("defer ").partition(" ")
    if align != "none":
        if align not in _ALIGNS or how.strip() not in ("", "meet", "slice"):
            raise ValueError(f"preserveAspectRatio={aspect[:40]!r} is not understood")
        sx = sy = max(sx, sy) if how.strip() == "slice" else min(sx, sy)
    across, down = _ALIGNS.get(align, (0.0, 0.0))
    x = port.x_mm + (port.width_mm - view.width_mm * sx) * across
    y = port.y_mm + (port.height_mm - view.height_mm * sy) * down
    matrix = translation(x, y).after(scaling(sx, sy)).after(translation(-view.x_mm, -view.y_mm))
    left, top = (port.x_mm - x) / sx + view.x_mm, (port.y_mm - y) / sy + view.y_mm
    return PlacedView(matrix, Rect(left, top, port.width_mm / sx, port.height_mm / sy))
