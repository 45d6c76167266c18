"""`VectorArt` -> a `Drawing`: one look of an SVG file, its classes repainted, its transforms and clips kept."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree.ElementTree import Element

from duckpress.frame import Drawing, Group, Item, Outline, Paint
from duckpress.geometry import IDENTITY, Matrix, scaling, translation
from duckpress.inks import INKS
from duckpress.layout import operators, svgshapes, svgstyle
from duckpress.layout.art import FLATTEN, MAX_DEPTH, MAX_DRAWN, VectorArt, numbers_box, place_of, tag_of
from duckpress.layout.bounds import items_bounds
from duckpress.layout.colours import css_colour, grey_of
from duckpress.layout.strokes import CAPS, JOINS, dash_lengths
from duckpress.layout.transforms import BadTransform, parse_transform, rounded
from duckpress.problems import Problem, Source

_CONTAINERS = ("svg", "g", "a", "symbol")
# Definitions and words: they show nothing where they stand.
_UNSEEN = frozenset(
    (
        "title", "desc", "metadata", "defs", "style", "symbol", "clipPath", "linearGradient", "radialGradient",
        "pattern", "mask", "filter", "marker",
    )
)  # fmt: skip
_URL = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)")


_INK_CLASS = "ink-"  # what has the class ink-color shows in that ink only; several such classes are several inks
_INK_CLASSES = frozenset(_INK_CLASS + ink for ink in INKS)


class Lines(NamedTuple):
    """Art drawn in lines: their colour, and their width in the art's own units."""

    colour: str
    width: float


class Paints(NamedTuple):
    """How art is painted: `currentColor`, what is filled without being told how, the ink, lines instead of areas."""

    colour: str
    fill: str
    ink: str = "color"
    lines: Lines | None = None


def draw_art(art: VectorArt, repaint: dict[str, str], paints: Paints, problems: list[Problem]) -> Drawing:
    """Give one look of the art.

    `repaint` maps `class` or `class.stroke` to `#rrggbb`. What reaches outside the art's box is cut off, as every
    viewer does. Drawn in lines, every area is white with a line around it, but for those that are repainted.
    """
    artist = _Artist(art, repaint, paints, problems)
    items = artist.children(art.root, {**svgstyle.INHERITED, "fill": paints.fill}, 0)
    bounds = items_bounds(items, {})
    if bounds is not None and not art.box.holds(bounds, 1e-3 * max(art.box.width_mm, art.box.height_mm)):
        items = (Group(items, clip=operators.rectangle(*art.box)),)
    return Drawing(art.box, items)


class _Artist:
    """Draws the elements of one file in one look."""

    def __init__(self, art: VectorArt, repaint: dict[str, str], paints: Paints, problems: list[Problem]) -> None:
        self._art = art
        self._repaint = repaint
        self._colour = paints.colour
        self._is_grey = paints.ink == "grey"
        self._ink_class = _INK_CLASS + paints.ink
        self._lines = paints.lines
        self._problems = problems
        self._left = MAX_DRAWN
        self._used: list[str] = []

    def children(self, parent: Element, style: dict[str, str], depth: int) -> tuple[Item, ...]:
        """Give the items of an element's children."""
        items: list[Item] = []
        for child in parent:
            items += self.element(child, style, depth + 1)
        return tuple(items)

    def element(self, element: Element, style: dict[str, str], depth: int) -> tuple[Item, ...]:
        """Give the items of one element under its transform, clip and opacity."""
        tag = tag_of(element)
        if not tag or tag in _UNSEEN:
            return ()
        inks = [name for name in element.attrib.get("class", "").split() if name in _INK_CLASSES]
        if inks and self._ink_class not in inks:
            return ()
        self._left -= 1
        if self._left < 0 or depth > MAX_DEPTH:
            if self._left >= -1:
                self._refuse(element, "it draws more elements than a picture may have")
            return ()
        declared = svgstyle.declared_by(element, tag, self._art.rules)
        self._look_for_refused(element, declared)
        if declared.get("display") == "none":
            return ()
        repainted = self._repainted(element)
        if self._lines is not None and repainted:
            repainted["repainted"] = "yes"
        style = svgstyle.inherited(style, declared | repainted)
        try:
            inner = self._inner(element, tag, style, depth)
        except ValueError as error:
            self._problems.append(Problem("bad-svg", self._place(element), f"<{tag}>: {error}", "correct the file"))
            return ()
        if not inner:
            return ()
        matrix = self._matrix(element, declared)
        clip = self._clip(element, declared.get("clip-path", "none"))
        opacity = _fraction(declared.get("opacity", "1"))
        if opacity is None:
            self._refuse(element, f"the opacity {declared['opacity'][:30]!r}")
            opacity = 1.0
        if opacity == 0 or clip is None:
            return ()
        if matrix == IDENTITY and not clip and opacity == 1:
            return inner
        return (Group(inner, matrix, clip, opacity),)

    def _inner(self, element: Element, tag: str, style: dict[str, str], depth: int) -> tuple[Item, ...]:
        if tag == "use":
            return self._use(element, style, depth)
        if tag == "svg":
            return self._viewport(element, element, style, depth)
        if tag in _CONTAINERS:
            return self.children(element, style, depth)
        if tag not in svgshapes.SHAPES:
            self._refuse(element, f"<{tag}>")
            return ()
        d = svgshapes.SHAPES[tag](element.attrib, self._art.box)
        if not d or style["visibility"] != "visible":
            return ()
        paint = self._paint(element, style)
        if self._lines is not None:
            paint = _in_lines(paint, self._lines, is_repainted=style.get("repainted") == "yes")
        return (Outline(d, paint),) if paint.fill or paint.stroke else ()

    def _use(self, element: Element, style: dict[str, str], depth: int) -> tuple[Item, ...]:
        href = element.attrib.get("href") or element.attrib.get("{http://www.w3.org/1999/xlink}href", "")
        target = self._art.by_id.get(href[1:]) if href.startswith("#") else None
        if target is None:
            self._refuse(element, f"<use> of {href[:60]!r}, which is not an element of this file")
            return ()
        if href in self._used:
            self._refuse(element, f"<use> of {href[:60]!r} inside itself")
            return ()
        self._used.append(href)
        tag = tag_of(target)
        if tag in ("symbol", "svg"):
            declared = svgstyle.declared_by(target, tag, self._art.rules)
            inner_style = svgstyle.inherited(style, declared | self._repainted(target))
            items = self._viewport(target, element, inner_style, depth)
        else:
            items = self.element(target, style, depth + 1)
            x, y = (svgshapes.length(element.attrib, name, 0.0, 0.0) for name in ("x", "y"))
            items = (Group(items, translation(x, y)),) if items and (x or y) else items
        self._used.pop()
        return items

    def _viewport(self, holder: Element, placed: Element, style: dict[str, str], depth: int) -> tuple[Item, ...]:
        """Draw a `symbol` or inner `svg` into the rectangle that `placed` gives it."""
        items = self.children(holder, style, depth)
        box = self._art.box
        x = svgshapes.length(placed.attrib, "x", 0.0, box.width_mm)
        y = svgshapes.length(placed.attrib, "y", 0.0, box.height_mm)
        sizes = dict(holder.attrib)
        sizes.update((key, placed.attrib[key]) for key in ("width", "height") if key in placed.attrib)
        view = numbers_box(holder.attrib.get("viewBox", ""))
        if view is None or not items:
            return (Group(items, translation(x, y)),) if items and (x or y) else items
        width = svgshapes.length(sizes, "width", box.width_mm, box.width_mm)
        height = svgshapes.length(sizes, "height", box.height_mm, box.height_mm)
        sx, sy = width / view.width_mm, height / view.height_mm
        if holder.attrib.get("preserveAspectRatio", "xMidYMid") != "none":
            sx = sy = min(sx, sy)
        x += (width - view.width_mm * sx) / 2
        y += (height - view.height_mm * sy) / 2
        matrix = translation(x, y).after(scaling(sx, sy)).after(translation(-view.x_mm, -view.y_mm))
        return (Group(items, matrix, operators.rectangle(*view)),)

    def _repainted(self, element: Element) -> dict[str, str]:
        found = {}
        for name in element.attrib.get("class", "").split() if self._repaint else ():
            for key, property_ in ((name, "fill"), (f"{name}.fill", "fill"), (f"{name}.stroke", "stroke")):
                if key in self._repaint:
                    found[property_] = self._repaint[key]
        return found

    def _paint(self, element: Element, style: dict[str, str]) -> Paint:
        stroke = self._paint_colour(element, style, "stroke")
        width = svgshapes.length(style, "stroke-width", 1.0, self._art.box.width_mm) if stroke else 0.0
        dashes = dash_lengths(style["stroke-dasharray"].replace("px", ""))
        if dashes is None:
            self._refuse(element, f"stroke-dasharray {style['stroke-dasharray'][:40]!r}")
        return Paint(
            fill=self._paint_colour(element, style, "fill"),
            stroke=stroke if width > 0 else None,
            stroke_mm=max(width, 0.0),
            fill_opacity=self._opacity(element, style, "fill-opacity"),
            stroke_opacity=self._opacity(element, style, "stroke-opacity"),
            dash_mm=(dashes or ()) if stroke else (),
            cap=CAPS.get(style["stroke-linecap"], 0),
            join=JOINS.get(style["stroke-linejoin"], 0),
            even_odd=style["fill-rule"] == "evenodd",
        )

    def _paint_colour(self, element: Element, style: dict[str, str], name: str) -> str | None:
        text = style[name]
        if text in ("none", "transparent"):
            return None
        if text.lower() == "currentcolor":
            text = style["color"] if style["color"].lower() not in ("", "currentcolor") else self._colour
        found = css_colour(text)
        if found is None:
            self._refuse(element, f"the {name} {text[:40]!r}")
            return None
        return grey_of(found) if self._is_grey else found

    def _opacity(self, element: Element, style: dict[str, str], name: str) -> float:
        value = _fraction(style[name])
        if value is None:
            self._refuse(element, f"{name} {style[name][:30]!r}")
        return 1.0 if value is None else value

    def _matrix(self, element: Element, declared: dict[str, str]) -> Matrix:
        if "transform" in declared:
            self._refuse(element, "a transform in a style (write it as an attribute)")
        try:
            return rounded(parse_transform(element.attrib.get("transform", "")))
        except BadTransform as error:
            self._problems.append(Problem("bad-svg", self._place(element), f"transform: {error}", "correct the file"))
            return IDENTITY

    def _clip(self, element: Element, text: str) -> str | None:
        """Give a clip as operators: empty for no clip, None where it hides everything or is not understood."""
        if text == "none":
            return ""
        match = _URL.fullmatch(text)
        holder = self._art.by_id.get(match[1]) if match else None
        shapes = [child for child in holder if tag_of(child) not in ("title", "desc", "")] if holder is not None else []
        shape = shapes[0] if len(shapes) == 1 else None
        if holder is None or shape is None or tag_of(holder) != "clipPath" or tag_of(shape) not in svgshapes.SHAPES:
            self._refuse(element, f"the clip {text[:40]!r} (a clip may be one simple shape)")
            return None
        declared = svgstyle.declared_by(shape, tag_of(shape), self._art.rules)
        if (
            holder.attrib.get("clipPathUnits", "userSpaceOnUse") != "userSpaceOnUse"
            or declared.get("clip-rule", "nonzero") != "nonzero"
            or "clip-path" in declared
        ):
            self._refuse(element, f"the clip {text[:40]!r} (its units or its rule)")
            return None
        matrix = self._matrix(holder, {}).after(self._matrix(shape, {}))
        try:
            d = svgshapes.SHAPES[tag_of(shape)](shape.attrib, self._art.box)
        except ValueError as error:
            self._problems.append(Problem("bad-svg", self._place(shape), str(error), "correct the file"))
            return None
        return (d if matrix == IDENTITY else operators.mapped(d, matrix)) or None

    def _look_for_refused(self, element: Element, declared: dict[str, str]) -> None:
        for name, value in declared.items():
            harmless = svgstyle.REFUSED.get(name)
            if harmless is not None and value not in harmless and value != "inherit":
                self._refuse(element, f"{name}: {value[:40]}")

    def _refuse(self, element: Element, what: str) -> None:
        words = f"{what} is not drawn from SVG files"
        self._problems.append(Problem("svg-unsupported", self._place(element), words, FLATTEN))

    def _place(self, element: Element) -> Source:
        return place_of(element, self._art.places, self._art.path)


def _in_lines(paint: Paint, lines: Lines, *, is_repainted: bool) -> Paint:
    """Give how a shape is painted in lines: what is filled becomes white, unless it was given a colour of its own."""
    if paint.fill is None:
        return paint._replace(stroke=lines.colour, stroke_mm=lines.width, join=1) if paint.stroke else paint
    fill = paint.fill if is_repainted else "#ffffff"
    return paint._replace(
        fill=fill, fill_opacity=1.0, stroke=lines.colour, stroke_mm=lines.width, stroke_opacity=1.0, dash_mm=(), join=1
    )


def _fraction(text: str) -> float | None:
    is_percent = text.endswith("%")
    value = operators.parse_number(text.removesuffix("%"))
    return None if value is None else min(1.0, max(0.0, value / 100 if is_percent else value))
