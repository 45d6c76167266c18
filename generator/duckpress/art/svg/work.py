"""What the parts of an artist share while one look of a file is drawn: its painter, what was counted, what is around.

`draw` draws any element: clips hold such. What must not go on for ever is counted here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from duckpress.art import BadArt, UndrawnArt, refuse_more
from duckpress.art.svg.file import Complaints, VectorArt, numbers_box
from duckpress.art.svg.paint import Painter
from duckpress.art.svg.paths import placed_view, shape_path
from duckpress.art.svg.reader import SvgNode
from duckpress.art.svg.styles import declared_by, inherited
from duckpress.art.values import parse_transform, rounded
from duckpress.core.frame import MOST_FAINT, Group, Item, Outline, flattened
from duckpress.core.geometry import IDENTITY, Matrix, Rect, rect_around
from duckpress.core.paths import Path
from duckpress.text.fonts import FontLibrary

Style = dict[str, str]
Items = tuple[Item, ...]

URL = re.compile(r"url\(\s*['\"]?#([^'\")]+)(?:['\"]\s*)?\)\s*")


class PlacedView(NamedTuple):
    """Where a `viewBox` comes to lie: its matrix, the part that shows, and what per cent are of in it."""

    matrix: Matrix
    shown: Rect
    view: Rect
    is_scaled: bool


class SvgWork:
    """The drawing of one look of a file."""

    def __init__(self, art: VectorArt, painter: Painter, complaints: Complaints, fonts: FontLibrary | None) -> None:
        self.art = art
        self.painter = painter
        self.complaints = complaints
        self.fonts = fonts
        self.draw: Callable[[SvgNode, Style, int], Items] = lambda _part, _style, _depth: ()
        self.segments = 0
        self.faint = 0  # how many elements around the one at hand are blended as a whole
        self.view = art.box  # what per cent are of
        self.root_style: Style = {}
        self._elements = 0
        self._used: list[SvgNode] = []
        self._parents: dict[SvgNode, SvgNode] = {}

    def count(self, segments: int) -> None:
        """Count what is drawn. Raises `TooMuchArt`."""
        self.segments += segments
        refuse_more(self.segments, "svg-segments", "it draws more than {most} segments")

    def count_element(self) -> None:
        """Count an element that is drawn. Raises `TooMuchArt`."""
        self._elements += 1
        refuse_more(self._elements, "svg-drawn", "it draws more elements than a picture may have ({most})")

    def refuse(self, part: SvgNode, what: str) -> None:
        self.complaints.refuse(part, what)

    def declared(self, part: SvgNode) -> Style:
        return declared_by(part, self.art.rules)

    def target(self, text: str, tag: str = "") -> SvgNode | None:
        """Return the element that a `url(#name)` names, None where there is none of that kind."""
        match = URL.match(text)
        node = self.art.by_id.get(match[1]) if match else None
        return node if node is not None and tag in ("", node.tag) else None

    def is_used(self, node: SvgNode) -> bool:
        """Return whether what is drawn stands inside of an element that is shown in another place."""
        return node in self._used

    @contextmanager
    def using(self, node: SvgNode) -> Iterator[None]:
        """Draw what an element holds in another place; raises `BadArt` where that is inside of itself."""
        if node in self._used:
            raise UndrawnArt(f"a <{node.tag}> that is shown inside of itself")
        self._used.append(node)
        around = self.view
        try:
            yield
        finally:
            self._used.pop()
            self.view = around

    @contextmanager
    def blended(self, *, if_so: bool = True) -> Iterator[None]:
        """Draw what is put together first and blended then, as long as so many such things may lie in each other."""
        if if_so and self.faint >= MOST_FAINT:
            raise UndrawnArt(f"more than {MOST_FAINT} see-through elements in each other")
        self.faint += if_so
        try:
            yield
        finally:
            self.faint -= if_so

    def style_at(self, part: SvgNode) -> Style:
        """Return the inherited properties of an element where it stands in the file."""
        if not self._parents:
            self._parents = {child: node for node in self.art.root.every() for child in node.children}
        around = [part]
        while (parent := self._parents.get(around[-1])) is not None:
            around.append(parent)
        style = self.root_style
        for node in reversed(around):
            style = inherited(style, self.declared(node))
        return style

    def path(self, part: SvgNode) -> Path:
        """Return the path of a shape in the file's units, made once for all looks; raises `BadArt`."""
        key = (part, self.view)
        path = self.art.drawn.get(key)
        if path is None:
            path = self.art.drawn[key] = shape_path(part.tag, part.attrib, self.view)
        self.count(len(path.kinds))
        return path

    def matrix(self, part: SvgNode, name: str = "transform") -> Matrix:
        """Return the transform of an element, none where it is not understood; problem `bad-svg`."""
        try:
            return rounded(parse_transform(part.attrib.get(name, "")))
        except BadArt as error:
            self.complaints.complain(part, f"{name}: {error}", error.fix)
            return IDENTITY

    def placed(self, port: Rect, holder: SvgNode) -> PlacedView:
        """Return where the view of a `symbol` or `svg` lies in a rectangle; raises `BadArt`."""
        written = holder.attrib.get("viewBox")
        view = None if written is None else numbers_box(written)
        if written is not None and view is None:
            raise BadArt(f"viewBox={written[:40]!r} is not four numbers with a size")
        aspect = holder.attrib.get("preserveAspectRatio", "xMidYMid")
        matrix, shown = placed_view(port, view, aspect)
        return PlacedView(matrix, shown, view or shown, view is not None)


def onto_box(box: Rect) -> Matrix:
    """Return the map from the unit square to a box."""
    return rounded(Matrix(box.width_mm, 0.0, 0.0, box.height_mm, box.x_mm, box.y_mm))


def shape_box(items: Items) -> Rect | None:
    """Return the box around shapes without their lines; of what is cut off, around what is left."""
    boxes = []
    for item in items:
        if isinstance(item, Outline):
            flat = flattened(item.path)
            if flat.right >= flat.left:
                boxes.append(Rect(flat.left, flat.top, flat.right - flat.left, flat.bottom - flat.top))
        elif isinstance(item, Group) and (inner := shape_box(item.items)) is not None:
            if item.clip:
                flat = flattened(item.clip)
                inner = inner.shared(Rect(flat.left, flat.top, flat.right - flat.left, flat.bottom - flat.top))
            boxes.append(item.matrix.around(inner))
    return rect_around(boxes) if boxes else None
