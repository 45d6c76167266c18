"""Attributes that elements share, each with its meaning, and what makes an element of them."""

from __future__ import annotations

from msgspec import Struct


class ElementKind(Struct, frozen=True):
    """One element: its meaning in a line, its attributes (name -> meaning), and whether elements may stand in it."""

    meaning: str
    attributes: dict[str, str]
    holds_elements: bool = False


BOX = {
    "x": "left edge",
    "y": "top edge",
    "width": "width; without it, what is left of the cell",
    "height": "height; without it, what is left of the cell",
}
SHARE = {
    "width": "fixed width in a row",
    "height": "fixed height in a column",
    "grow": "weight of its share of a row's or column's free space (1)",
}
STROKE = {
    "stroke": "colour of the line: a role, `#rrggbb` or `none`",
    "stroke-width": "width of the line in mm (0.25)",
    "stroke-dasharray": "lengths of dashes and gaps",
    "stroke-linecap": "`butt`, `round` or `square`",
    "stroke-linejoin": "`miter`, `round` or `bevel`",
    "stroke-opacity": "0 to 1",
    "opacity": "0 to 1, of the whole",
}
PAINT = {
    "fill": "colour inside: a role, `#rrggbb` or `none` (none)",
    "fill-rule": "`nonzero` or `evenodd`",
    "fill-opacity": "0 to 1",
    **STROKE,
}
DECORATION = {"decoration": "`yes` where it may reach into the safe zone, because nothing is lost if it is cut (no)"}
TRANSFORM = {"transform": "`translate() rotate() scale() skewX() skewY() matrix()`, applied right to left"}
PANEL = {
    "gap": "space between the children",
    "padding": "space inside the edge: all, or `v h`, or `t r b l`",
    "fill": "colour of its own background",
    "stroke": "colour of its own edge",
    "stroke-width": "width of the edge in mm (0.25)",
    "rx": "radius of its corners",
    "opacity": "0 to 1, of its background",
    "turn": "`90`, `180` or `270` degrees clockwise, about the middle of its box, with all that is in it",
}
LABEL_STYLE = {"label-style": "text style of the labels (`label`)"}
ORIGIN = {"origin": "the corner where counting begins: `top-left`, `top-right`, `bottom-left` or `bottom-right`"}
BOARD = {
    "columns": "how many across",
    "rows": "how many down",
    "labels": "`no`, `edges` (outside, along the edges), `points` (the same for the grid lines) or `cells`; `yes`",
    "letters": "`across` (columns have letters, rows numbers) or `down`",
    "first": "the label where counting begins (`A1`)",
    **PAINT,
    **ORIGIN,
    **LABEL_STYLE,
}
PLACE = {
    "at": "its coordinate",
    "column": "instead of `at`: its column, counted from 1 at the left",
    "row": "instead of `at`: its row, counted from 1 at the top",
}


def kind(meaning: str, *groups: dict[str, str], holds_elements: bool = False) -> ElementKind:
    """Return an element with the attributes of several groups; the meaning in an earlier group wins."""
    attributes: dict[str, str] = {}
    for group in groups:
        attributes = attributes | group | attributes
    return ElementKind(meaning, attributes, holds_elements)
