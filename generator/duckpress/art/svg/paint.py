"""The styles of an SVG shape -> `Paint`, in one look: repainted classes, the ink, lines instead of areas.

Source: SVG 1.1, chapter 11; `styles` has what an element declares and inherits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from duckpress.art.svg import SvgNode
from duckpress.art.svg.file import Complaints
from duckpress.art.svg.gradients import Stop
from duckpress.art.svg.styles import Rules, declared_by, repainted
from duckpress.art.values import CAPS, JOINS, css_alpha, css_colour, dash_lengths, grey_of, length, parse_number
from duckpress.core.frame import MITER_LIMIT, Paint
from duckpress.core.geometry import Rect, added


class Lines(NamedTuple):
    """Art drawn in lines: their colour, and their width in the art's own units."""

    colour: str
    width: float


class Paints(Struct, frozen=True):
    """The colours of a look: `currentColor`, the default fill, the ink, and lines instead of areas."""

    colour: str
    fill: str
    ink: str = "color"
    lines: Lines | None = None


class Painter:
    """Paints the shapes of one file in one look; for an unsupported paint it reports `svg-unsupported`."""

    def __init__(self, repaint: dict[str, str], paints: Paints, complaints: Complaints) -> None:
        self._complaints = complaints
        self._repaint = repaint
        self._paints = paints
        self.is_clip = False  # whether shapes are painted as a clip, in which all is white

    @property
    def is_lined(self) -> bool:
        """Whether areas become white with a line around them."""
        return self._paints.lines is not None and not self.is_clip

    @contextmanager
    def clipping(self) -> Iterator[None]:
        """Paint shapes as a clip."""
        before, self.is_clip = self.is_clip, True
        try:
            yield
        finally:
            self.is_clip = before

    def repainted(self, part: SvgNode) -> dict[str, str]:
        """Return the properties with which this look overrides an element's own."""
        own = {} if self.is_clip else repainted(part.attrib.get("class", ""), self._repaint)
        if self._paints.lines is not None and own:
            own["repainted"] = "yes"
        return own

    def paint(self, part: SvgNode, style: dict[str, str], view: Rect, shaded: Collection[str] = ()) -> Paint:
        """Return the paint of a shape, with lengths in the file's units; percentages refer to `view`.

        What is `shaded` (`fill`, `stroke`) is black: a gradient comes in its place. Raises `BadArt`
        where the width of its line is no length.
        """
        if self.is_clip:
            return Paint("#ffffff", even_odd=style["clip-rule"] == "evenodd")
        colours = dict.fromkeys(shaded, "#000000")
        stroke = self._paint_colour(part, {**style, **colours}, "stroke")
        width = length(style, "stroke-width", 1.0, view) if stroke else 0.0
        dashes = dash_lengths(style["stroke-dasharray"].replace("px", ""))
        if dashes is None or (dashes and stroke and "pathLength" in part.attrib):
            self._complaints.refuse(part, f"stroke-dasharray {style['stroke-dasharray'][:40]!r}")
        if dashes and stroke:
            dashes = _from_offset(dashes, length(style, "stroke-dashoffset", 0.0, view))
        for name, known in (("stroke-linecap", CAPS), ("stroke-linejoin", JOINS)):
            if stroke and style[name] not in known:
                self._complaints.refuse(part, f"{name} {style[name][:40]!r}")
        paint = Paint(
            fill=self._paint_colour(part, {**style, **colours}, "fill"),
            stroke=stroke if width > 0 else None,
            stroke_mm=max(width, 0.0),
            fill_opacity=self._opacity(part, style, "fill-opacity"),
            stroke_opacity=self._opacity(part, style, "stroke-opacity"),
            dash_mm=(dashes or ()) if stroke else (),
            cap=CAPS.get(style["stroke-linecap"], 0),
            join=self._join(part, style, is_drawn=stroke is not None),
            even_odd=style["fill-rule"] == "evenodd",
        )
        if self._paints.lines is None or not self.is_lined:
            return paint
        return _in_lines(paint, self._paints.lines, is_repainted=style.get("repainted") == "yes")

    def stops(self, chain: list[SvgNode], rules: Rules) -> tuple[Stop, ...]:
        """Return the stops of a gradient, or of the first gradient in its chain that has stops."""
        holder = next((node for node in chain if any(child.tag == "stop" for child in node.children)), None)
        stops = []
        for node in holder.children if holder is not None else ():
            if node.tag == "stop":
                style = {"stop-color": "#000000", "stop-opacity": "1", "color": "", **declared_by(node, rules)}
                colour = self._paint_colour(node, style, "stop-color") or "#000000"
                red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
                rgba = red, green, blue, self._opacity(node, style, "stop-opacity")
                stops.append(Stop(parse_opacity(node.attrib.get("offset", "0").strip()) or 0.0, rgba))
        return tuple(stops)

    def _join(self, part: SvgNode, style: dict[str, str], *, is_drawn: bool) -> int:
        """Return the style of corners, as in `Paint.join`."""
        join = JOINS.get(style["stroke-linejoin"], 0)
        longest = parse_number(style["stroke-miterlimit"])
        if not is_drawn or join:
            return join
        if longest is None:
            self._complaints.refuse(part, f"stroke-miterlimit {style['stroke-miterlimit'][:40]!r}")
            return join
        longest = longest if longest >= 1 else MITER_LIMIT  # browsers pass over one that is too small
        return 0 if round(longest) == MITER_LIMIT else -round(longest)

    def _paint_colour(self, part: SvgNode, style: dict[str, str], name: str) -> str | None:
        text = self._colour_text(style[name], style)
        if text in ("none", "transparent"):
            return None
        colour = css_colour(text)
        if colour is None:
            self._complaints.refuse(part, f"the {name} {text[:40]!r}")
            return None
        return grey_of(colour) if self._paints.ink == "grey" else colour

    def _opacity(self, part: SvgNode, style: dict[str, str], name: str) -> float:
        value = parse_opacity(style[name])
        if value is None:
            self._complaints.refuse(part, f"{name} {style[name][:30]!r}")
        colour = self._colour_text(style[name.replace("-opacity", "-color" if name.startswith("stop") else "")], style)
        return round((1.0 if value is None else value) * css_alpha(colour), 4)

    def _colour_text(self, text: str, style: dict[str, str]) -> str:
        """Return a paint, with `currentColor` replaced by its colour."""
        if text.lower() == "currentcolor":
            return style["color"] if style["color"].lower() not in ("", "currentcolor") else self._paints.colour
        return text


def parse_opacity(text: str) -> float | None:
    """Return an opacity, or an offset: a number or a percentage, as a number from 0 to 1; None if it is neither."""
    is_percent = text.endswith("%")
    value = parse_number(text.removesuffix("%"))
    return None if value is None else min(1.0, max(0.0, value / 100 if is_percent else value))


def _in_lines(paint: Paint, lines: Lines, *, is_repainted: bool) -> Paint:
    """Return a shape's paint in lines: its fill becomes white, unless the look gives it a colour."""
    lined = replace(paint, stroke=lines.colour, stroke_mm=lines.width, join=1)
    if paint.fill is None:
        return lined if paint.stroke else paint
    fill = paint.fill if is_repainted else "#ffffff"
    return replace(lined, fill=fill, fill_opacity=1.0, stroke_opacity=1.0, dash_mm=())


def _from_offset(dashes: tuple[float, ...], offset: float) -> tuple[float, ...]:
    """Return dashes that start at an offset: rotated to another dash, or with one more number, inside one."""
    rest = offset % added(dashes)
    for index in range(0, len(dashes), 2):
        if abs(rest - added(dashes[:index])) < 1e-3:
            return (*dashes[index:], *dashes[:index])
    return (*dashes, round(rest, 4))
