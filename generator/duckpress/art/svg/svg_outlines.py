"""Where the parts of an SVG file come to lie: the paths of shapes, made once for all looks, transforms and clips.

A clip is one simple shape; any other is the problem `svg-unsupported` at its line.
"""

from __future__ import annotations

import re

from duckpress.art.svg import svg_shapes as svgshapes
from duckpress.art.svg import svg_style as svgstyle
from duckpress.art.svg.path_data import BadPath
from duckpress.art.svg.svg_file import Complaints, VectorArt
from duckpress.art.svg.svg_reader import SvgNode
from duckpress.art.svg.transform_lists import BadTransform, parse_transform, rounded
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.paths import NO_PATH, Path

_URL = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)")


class ArtTooLarge(Exception):
    """More in one drawing than one may have; its words are those of a problem, with the `fix`."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(what)
        self.fix = fix


class Outlines:
    """The paths, transforms and clips of one file for one look of it; `segments` counts what they take."""

    def __init__(self, art: VectorArt, complaints: Complaints) -> None:
        self.segments = 0
        self._art = art
        self._complaints = complaints
        self._most_segments = limit("svg-segments")

    def path(self, part: SvgNode, view: Rect) -> Path:
        """Return the path of a shape in the file's units, made once for all looks; `view` is what per cent are of.

        Raises `ArtTooLarge`, and `ValueError` with the words of a problem.
        """
        key = (part, view)
        path = self._art.drawn.get(key)
        if path is None:
            path = self._art.drawn[key] = svgshapes.SHAPES[part.tag](part.attrib, view)
        self.segments += len(path.kinds)
        if self.segments > self._most_segments:
            fix = f"simplify it; {how_to_raise('svg-segments')}"
            raise ArtTooLarge(f"it draws more than {self._most_segments} segments", fix)
        return path

    def matrix(self, part: SvgNode) -> Matrix:
        """Return the transform of an element, none where it is not understood; problem `bad-svg`."""
        try:
            return rounded(parse_transform(part.attrib.get("transform", "")))
        except BadTransform as error:
            self._complaints.complain(part, f"transform: {error}", error.fix)
            return IDENTITY

    def clip(self, part: SvgNode, text: str, view: Rect) -> Path | None:
        """Return a clip: empty for no clip, None where it hides everything or is not understood.

        `text` is the element's `clip-path`. Raises `ArtTooLarge`; problems: `svg-unsupported`, `bad-svg`.
        """
        if text == "none":
            return NO_PATH
        match = _URL.fullmatch(text)
        holder = self._art.by_id.get(match[1]) if match else None
        inside = holder.children if holder is not None else []
        shapes = [child for child in inside if child.tag not in svgshapes.DESCRIPTIVE]
        shape = shapes[0] if len(shapes) == 1 else None
        if holder is None or shape is None or holder.tag != "clipPath" or shape.tag not in svgshapes.SHAPES:
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
        except ValueError as error:
            fix = error.fix if isinstance(error, BadPath) else "correct the file"
            self._complaints.complain(shape, str(error), fix)
            return None
        return (path if matrix == IDENTITY else path.mapped(matrix)) or None
