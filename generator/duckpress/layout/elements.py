"""The layout language as a table: every element, what it is for, and its attributes with their meaning.

The checks of a face and `docs/layouts.md` are both made from it, so that neither can know an attribute that the other
does not. Lengths are millimetres from the top left of the box an element stands in: the trim, or the cell that a
container gives it.
"""

from __future__ import annotations

from typing import NamedTuple


class ElementKind(NamedTuple):
    """One element: its meaning in a line, its attributes (name -> meaning), and whether elements may stand in it."""

    meaning: str
    attributes: dict[str, str]
    holds_elements: bool = False


_BOX = {
    "x": "left edge",
    "y": "top edge",
    "width": "width; without it, what is left of the cell",
    "height": "height; without it, what is left of the cell",
}
_SHARE = {
    "width": "fixed width in a row",
    "height": "fixed height in a column",
    "grow": "weight of its share of a row's or column's free space (1)",
}
_STROKE = {
    "stroke": "colour of the line: a role, `#rrggbb` or `none`",
    "stroke-width": "width of the line in mm (0.25)",
    "stroke-dasharray": "lengths of dashes and gaps",
    "stroke-linecap": "`butt`, `round` or `square`",
    "stroke-linejoin": "`miter`, `round` or `bevel`",
    "stroke-opacity": "0 to 1",
    "opacity": "0 to 1, of the whole",
}
_PAINT = {
    "fill": "colour inside: a role, `#rrggbb` or `none` (none)",
    "fill-rule": "`nonzero` or `evenodd`",
    "fill-opacity": "0 to 1",
    **_STROKE,
}
_DECORATION = {"decoration": "`yes` where it may reach into the safe zone, because nothing is lost if it is cut (no)"}
_TRANSFORM = {"transform": "`translate() rotate() scale() skewX() skewY() matrix()`, applied right to left"}
_PANEL = {
    "gap": "space between the children",
    "padding": "space inside the edge: all, or `v h`, or `t r b l`",
    "fill": "colour of its own background",
    "stroke": "colour of its own edge",
    "stroke-width": "width of the edge in mm (0.25)",
    "rx": "radius of its corners",
    "opacity": "0 to 1, of its background",
}
_BOARD = {
    "columns": "how many across",
    "rows": "how many down",
    "fill": "colour of the cells (none)",
    "stroke": "colour of the lines (`ink`)",
    "stroke-width": "width of the lines in mm (0.25)",
    "labels": "`no`, `edges` (or `yes`: letters and numbers outside, along the edges) or `cells`",
    "label-style": "text style of the labels (`label`)",
}


def _kind(meaning: str, *groups: dict[str, str], holds_elements: bool = False) -> ElementKind:
    """Give an element with the attributes of several groups; the meaning in an earlier group wins."""
    attributes: dict[str, str] = {}
    for group in groups:
        attributes = attributes | group | attributes
    return ElementKind(meaning, attributes, holds_elements)


ELEMENTS: dict[str, ElementKind] = {
    "face": _kind("one side of a card, token or sheet: the root of every template", holds_elements=True),
    "ground": _kind(
        "fills the trim and the bleed", {"fill": "a role or `#rrggbb` (`ground`)", "fill-opacity": "0 to 1"}
    ),
    "rect": _kind(
        "a rectangle",
        {"rx": "radius of the corners", "ry": "their radius downwards"} | _BOX, _PAINT, _TRANSFORM, _SHARE,
    ),
    "circle": _kind(
        "a circle; without attributes as large as its cell",
        {"cx": "centre", "cy": "centre", "r": "radius"}, _PAINT, _TRANSFORM, _SHARE,
    ),
    "ellipse": _kind(
        "an ellipse; without attributes as large as its cell",
        {"cx": "centre", "cy": "centre", "rx": "radius across", "ry": "radius down"}, _PAINT, _TRANSFORM, _SHARE,
    ),
    "line": _kind(
        "a straight line", {"x1": "start", "y1": "start", "x2": "end", "y2": "end"}, _STROKE, _TRANSFORM, _SHARE,
    ),
    "polyline": _kind("lines through points", {"points": "x,y x,y ..."}, _PAINT, _TRANSFORM, _SHARE),
    "polygon": _kind("a closed line through points", {"points": "x,y x,y ..."}, _PAINT, _TRANSFORM, _SHARE),
    "path": _kind("any outline", {"d": "SVG path data"}, _PAINT, _TRANSFORM, _SHARE),
    "g": _kind(
        "a group: one transform, one opacity, one clip for all in it",
        {"opacity": "0 to 1, of the group as a whole", "clip": "SVG path data; only what lies inside is shown"},
        _TRANSFORM, _SHARE, holds_elements=True,
    ),
    "image": _kind(
        "a picture: SVG (drawn as outlines), PNG or JPEG",
        {
            "href": "file, seen from the game's folder, or from `layouts/`",
            "fit": "`contain` (default), `cover` or `stretch`",
            "align": "`center` (default), `top`, `bottom`, `left`, `right`, or two of them",
            "rx": "radius of its corners",
            "paint": "`class: colour; class.stroke: colour`: repaints the parts of an SVG file by their `class`",
            "opacity": "0 to 1",
        },
        _BOX, _SHARE,
    ),
    "text": _kind(
        "words that wrap and fit their box; `**bold** *italic* {icon} {=field}`, `- ` lists, blank line = paragraph",
        {
            "style": "a text style of the theme (`body`)",
            "align": "`left`, `center`, `right` or `justify`",
            "valign": "`top` (default), `middle` or `bottom`",
            "size": "type size in points",
            "min": "smallest size it may shrink to, in points",
            "colour": "a role or `#rrggbb`",
            "fill": "the same as `colour`",
            "lines": "the most lines it may take",
            "hyphenate": "`yes` or `no`",
            "together": "a name: all texts of a deck with this name get one common size",
        },
        _BOX, _DECORATION, _SHARE,
    ),
    "br": _kind("breaks the line inside a `text`"),
    "icon": _kind(
        "an icon, `size` high and as wide as it is",
        {
            "name": "name of a file in `art/icons/`, or an alias of the theme",
            "size": "height in mm; without it, the largest that fits the box",
            "fill": "its colour (`ink`)",
            "align": "where it stands in its box (`center`; with a `size` and no `width`: at `x` and `y`)",
        },
        _BOX, _DECORATION, _SHARE,
    ),
    "pips": _kind(
        "1 to 10 icons as on playing cards, the lower half turned",
        {
            "count": "how many, 1 to 10",
            "icon": "name of the icon",
            "size": "height of an icon in mm",
            "fill": "colour (`ink`)",
            "ace-size": "height of the icon where it is the only one (as `size`)",
        },
        _BOX, _DECORATION, _SHARE,
    ),
    "row": _kind("children side by side", _BOX, _PANEL, _SHARE, holds_elements=True),
    "column": _kind("children below each other", _BOX, _PANEL, _SHARE, holds_elements=True),
    "grid": _kind(
        "children in rows and columns, row by row",
        {
            "columns": "a number, or the widths: `20 * 2*` (mm, share, two shares)",
            "rows": "a number, or the heights; without it, as many equal ones as the children need",
        },
        _BOX, _PANEL, _SHARE, holds_elements=True,
    ),
    "stack": _kind("children on top of each other, each in the whole cell", _BOX, _PANEL, _SHARE, holds_elements=True),
    "squaregrid": _kind(
        "a board of squares",
        {"cell": "side of a square in mm; without it, the largest that fits"}, _BOARD, _BOX, _SHARE,
    ),
    "hexgrid": _kind(
        "a board of hexagons",
        {
            "cell": "width of a hexagon between two parallel sides, in mm; without it, the largest that fits",
            "top": "`point` (default: rows run straight) or `side` (columns run straight)",
        },
        _BOARD, _BOX, _SHARE,
    ),
}  # fmt: skip
