"""The shapes of SVG files -> paths in the file's own units (CSS pixels)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from duckpress.art.number_lists import MAX_NUMBER
from duckpress.art.svg.path_data import parse_path, parse_points
from duckpress.core.geometry import Rect
from duckpress.core.paths import NO_PATH, Path, ellipse, polyline, rectangle, strokes

# CSS Values 3, section 6.2: 96 pixels to the inch.
_UNITS = {"": 1.0, "px": 1.0, "in": 96.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "pt": 96 / 72, "pc": 16.0}
_LENGTH = re.compile(r"\s*+([+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?)\s*+(px|in|mm|cm|pt|pc|%|)\s*+", re.ASCII)


def length(attributes: Mapping[str, str], name: str, default: float, whole: float) -> float:
    """Return a length in pixels, per cent of `whole`. Raises `ValueError` with the words of a problem."""
    text = attributes.get(name)
    if text is None or text == "auto":
        return default
    match = _LENGTH.fullmatch(text) if len(text) < 60 else None
    if match is None:
        raise ValueError(f"{name}={text[:40]!r} is not a length")
    value = float(match[1]) * (whole / 100 if match[2] == "%" else _UNITS[match[2]])
    if not abs(value) < MAX_NUMBER:
        raise ValueError(f"{name}={text[:40]!r} is too large")
    return value


def diagonal(box: Rect) -> float:
    """Return what lengths that are neither across nor down are per cent of. Source: SVG 1.1, section 7.10."""
    return math.hypot(box.width_mm, box.height_mm) / math.sqrt(2)


def _rect(attributes: Mapping[str, str], box: Rect) -> Path:
    x, y = length(attributes, "x", 0, box.width_mm), length(attributes, "y", 0, box.height_mm)
    width, height = length(attributes, "width", 0, box.width_mm), length(attributes, "height", 0, box.height_mm)
    rx, ry = length(attributes, "rx", -1, box.width_mm), length(attributes, "ry", -1, box.height_mm)
    rx, ry = rx if rx >= 0 else max(ry, 0), ry if ry >= 0 else max(rx, 0)
    return rectangle(x, y, width, height, rx, ry) if width > 0 and height > 0 else NO_PATH


def _circle(attributes: Mapping[str, str], box: Rect) -> Path:
    cx, cy = length(attributes, "cx", 0, box.width_mm), length(attributes, "cy", 0, box.height_mm)
    r = length(attributes, "r", 0, diagonal(box))
    return ellipse(cx, cy, r, r) if r > 0 else NO_PATH


def _ellipse(attributes: Mapping[str, str], box: Rect) -> Path:
    cx, cy = length(attributes, "cx", 0, box.width_mm), length(attributes, "cy", 0, box.height_mm)
    rx, ry = length(attributes, "rx", 0, box.width_mm), length(attributes, "ry", 0, box.height_mm)
    return ellipse(cx, cy, rx, ry) if rx > 0 and ry > 0 else NO_PATH


def _line(attributes: Mapping[str, str], box: Rect) -> Path:
    x1, y1 = length(attributes, "x1", 0, box.width_mm), length(attributes, "y1", 0, box.height_mm)
    x2, y2 = length(attributes, "x2", 0, box.width_mm), length(attributes, "y2", 0, box.height_mm)
    return strokes([(x1, y1, x2, y2)])


def _points(attributes: Mapping[str, str], *, is_closed: bool) -> Path:
    points = parse_points(attributes.get("points", ""))
    if points is None:
        raise ValueError(f"points={attributes['points'][:40]!r} are not numbers")
    return polyline(points, is_closed=is_closed)


DESCRIPTIVE = ("title", "desc", "metadata", "")
"""Tags of what may stand in a shape and changes nothing about it; the empty one is that of what is not SVG."""

# Shape -> function of attributes and view box; ValueError carries the words of a problem.
SHAPES: dict[str, Callable[[Mapping[str, str], Rect], Path]] = {
    "rect": _rect,
    "circle": _circle,
    "ellipse": _ellipse,
    "line": _line,
    "polyline": lambda attributes, _box: _points(attributes, is_closed=False),
    "polygon": lambda attributes, _box: _points(attributes, is_closed=True),
    "path": lambda attributes, _box: parse_path(attributes.get("d", "")),
}
