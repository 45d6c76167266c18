"""Where the parts of an SVG file come to lie: the paths of shapes, made once for all looks, transforms, views, clips.

A clip is one simple shape; any other is the problem `svg-unsupported` at its line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from duckpress.art.attribute_values import length, parse_transform, rounded
from duckpress.art.bad_art import BadArt, TooMuchArt, refuse_more
from duckpress.art.svg import svg_style as svgstyle
from duckpress.art.svg.path_data import parse_path, parse_points
from duckpress.art.svg.svg_file import Complaints, VectorArt
from duckpress.art.svg.svg_reader import SvgNode
from duckpress.core.geometry import IDENTITY, Matrix, Rect, scaling, translation
from duckpress.core.paths import NO_PATH, Path, ellipse, polyline, rectangle, strokes

SHAPES = ("rect", "circle", "ellipse", "line", "polyline", "polygon", "path")
DESCRIPTIVE = ("title", "desc", "metadata", "")
"""Tags of what may stand in a shape and changes nothing about it; the empty one is that of what is not SVG."""

_URL = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)")
_SHARES = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_ALIGNS = {f"x{across}Y{down}": (_SHARES[across], _SHARES[down]) for across in _SHARES for down in _SHARES}


def shape_path(tag: str, attributes: Mapping[str, str], view: Rect) -> Path:
    """Return the path of a shape in pixels; `view` is what per cent are of. Raises `BadArt`."""

    def lengths(*names: str, default: float = 0.0) -> list[float]:
        return [length(attributes, name, default, view) for name in names]

    if tag == "path":
        return parse_path(attributes.get("d", ""))
    if tag in ("polyline", "polygon"):
        points = parse_points(attributes.get("points", ""))
        if points is None:
            raise BadArt(f"points={attributes['points'][:40]!r} are not numbers")
        return polyline(points, is_closed=tag == "polygon")
    if tag == "line":
        x1, y1, x2, y2 = lengths("x1", "y1", "x2", "y2")
        return strokes([(x1, y1, x2, y2)])
    if tag == "rect":
        x, y, width, height = lengths("x", "y", "width", "height")
        rx, ry = lengths("rx", "ry", default=-1.0)
        rx, ry = rx if rx >= 0 else max(ry, 0), ry if ry >= 0 else max(rx, 0)
        return rectangle(x, y, width, height, rx, ry) if width > 0 and height > 0 else NO_PATH
    cx, cy, rx, ry = lengths("cx", "cy", *(("r", "r") if tag == "circle" else ("rx", "ry")))
    return ellipse(cx, cy, rx, ry) if rx > 0 and ry > 0 else NO_PATH


def placed_view(port: Rect, view: Rect | None, aspect: str) -> tuple[Matrix, Rect]:
    """Return the matrix from a view's coordinates to those around it, and the part of the view that shows.

    The view lies in a port by a `preserveAspectRatio`; without a view, by its corner alone. Raises `BadArt` where
    `aspect` is not understood. Source: SVG 1.1, section 7.8.
    """
    if view is None:
        return translation(port.x_mm, port.y_mm), Rect(0.0, 0.0, port.width_mm, port.height_mm)
    sx, sy = port.width_mm / view.width_mm, port.height_mm / view.height_mm
    align, _, how = aspect.strip().removeprefix("defer ").partition(" ")
    if align != "none":
        if align not in _ALIGNS or how.strip() not in ("", "meet", "slice"):
            raise BadArt(f"preserveAspectRatio={aspect[:40]!r} is not understood")
        sx = sy = max(sx, sy) if how.strip() == "slice" else min(sx, sy)
    across, down = _ALIGNS.get(align, (0.0, 0.0))
    x = port.x_mm + (port.width_mm - view.width_mm * sx) * across
    y = port.y_mm + (port.height_mm - view.height_mm * sy) * down
    matrix = translation(x, y).after(scaling(sx, sy)).after(translation(-view.x_mm, -view.y_mm))
    left, top = (port.x_mm - x) / sx + view.x_mm, (port.y_mm - y) / sy + view.y_mm
    return matrix, Rect(left, top, port.width_mm / sx, port.height_mm / sy)


class Outlines:
    """The paths, transforms and clips of one file for one look of it; `segments` counts what they take."""

    def __init__(self, art: VectorArt, complaints: Complaints) -> None:
        self.segments = 0
        self._art = art
        self._complaints = complaints

    def path(self, part: SvgNode, view: Rect) -> Path:
        """Return the path of a shape in the file's units, made once for all looks; `view` is what per cent are of.

        Raises `BadArt`, for the art as a whole `TooMuchArt`.
        """
        key = (part, view)
        path = self._art.drawn.get(key)
        if path is None:
            path = self._art.drawn[key] = shape_path(part.tag, part.attrib, view)
        self.segments += len(path.kinds)
        refuse_more(self.segments, "svg-segments", "it draws more than {most} segments")
        return path

    def matrix(self, part: SvgNode) -> Matrix:
        """Return the transform of an element, none where it is not understood; problem `bad-svg`."""
        try:
            return rounded(parse_transform(part.attrib.get("transform", "")))
        except BadArt as error:
            self._complaints.complain(part, f"transform: {error}", error.fix)
            return IDENTITY

    def clip(self, part: SvgNode, text: str, view: Rect) -> Path | None:
        """Return a clip: empty for no clip, None where it hides everything or is not understood.

        `text` is the element's `clip-path`. Raises `TooMuchArt`; problems: `svg-unsupported`, `bad-svg`.
        """
        if text == "none":
            return NO_PATH
        match = _URL.fullmatch(text)
        holder = self._art.by_id.get(match[1]) if match else None
        inside = holder.children if holder is not None else []
        shapes = [child for child in inside if child.tag not in DESCRIPTIVE]
        shape = shapes[0] if len(shapes) == 1 else None
        if holder is None or shape is None or holder.tag != "clipPath" or shape.tag not in SHAPES:
            self._complaints.refuse(part, f"the clip {text[:40]!r} (a clip may be one simple shape)")
            return None
        declared = svgstyle.declared_by(shape, self._art.rules)
        # An inherited clip-rule reaches the shape only from what holds the clipPath; the usual way is on the shape.
        if (
            holder.attrib.get("clipPathUnits", "userSpaceOnUse") != "userSpaceOnUse"
            or declared.get("clip-rule", "nonzero") != "nonzero"
            or {"clip-path", "transform"} & {*declared, *svgstyle.declared_by(holder, self._art.rules)}
            or declared.get("display") == "none"
            or declared.get("visibility", "visible") != "visible"
        ):
            self._complaints.refuse(part, f"the clip {text[:40]!r} (its units or its rule)")
            return None
        matrix = self.matrix(holder).after(self.matrix(shape))
        try:
            path = self.path(shape, view)
        except TooMuchArt:
            raise
        except BadArt as error:
            self._complaints.complain(shape, str(error), error.fix)
            return None
        return (path if matrix == IDENTITY else path.mapped(matrix)) or None
