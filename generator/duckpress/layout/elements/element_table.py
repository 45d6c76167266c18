"""The layout language as a table: every element, what it is for, and its attributes with their meaning.

The checks of a face and `docs/layouts.md` are both made from it, so that neither can know an attribute that the other
does not. Lengths are millimetres from the top left of the box an element stands in: the trim, or the cell that a
container gives it.
"""

from __future__ import annotations

from duckpress.layout.elements.attributes import (
    BOX,
    DECORATION,
    PAINT,
    PANEL,
    SHARE,
    STROKE,
    TRANSFORM,
    ElementKind,
    kind,
)
from duckpress.layout.elements.board_element_table import BOARD_ELEMENTS

ELEMENTS: dict[str, ElementKind] = {
    "face": kind("one side of a card, token or sheet: the root of every template", holds_elements=True),
    "ground": kind(
        "fills the trim and the bleed", {"fill": "a role or `#rrggbb` (`ground`)", "fill-opacity": "0 to 1"}
    ),
    "rect": kind(
        "a rectangle",
        {"rx": "radius of the corners", "ry": "their radius downwards"} | BOX, PAINT, TRANSFORM, SHARE,
    ),
    "circle": kind(
        "a circle; without attributes as large as its cell",
        {"cx": "centre", "cy": "centre", "r": "radius"}, PAINT, TRANSFORM, SHARE,
    ),
    "ellipse": kind(
        "an ellipse; without attributes as large as its cell",
        {"cx": "centre", "cy": "centre", "rx": "radius across", "ry": "radius down"}, PAINT, TRANSFORM, SHARE,
    ),
    "line": kind(
        "a straight line", {"x1": "start", "y1": "start", "x2": "end", "y2": "end"}, STROKE, TRANSFORM, SHARE,
    ),
    "polyline": kind("lines through points", {"points": "x,y x,y ..."}, PAINT, TRANSFORM, SHARE),
    "polygon": kind("a closed line through points", {"points": "x,y x,y ..."}, PAINT, TRANSFORM, SHARE),
    "path": kind("any outline", {"d": "SVG path data"}, PAINT, TRANSFORM, SHARE),
    "g": kind(
        "a group: one transform, one opacity, one clip for all in it",
        {"opacity": "0 to 1, of the group as a whole", "clip": "SVG path data; only what lies inside is shown"},
        TRANSFORM, SHARE, holds_elements=True,
    ),
    "image": kind(
        "a picture: SVG (drawn as outlines), PNG or JPEG",
        {
            "href": "file, seen from the game's folder, or from `layouts/`",
            "fit": "`contain` (default), `cover` or `stretch`",
            "align": "`center` (default), `top`, `bottom`, `left`, `right`, or two of them",
            "rx": "radius of its corners",
            "paint": "`class: colour; class.stroke: colour`: repaints the parts of an SVG file by their `class`",
            "outline": "colour: an SVG file is drawn in lines of it, areas white but for those repainted (`none`)",
            "outline-width": "width of these lines in mm (0.2)",
            "opacity": "0 to 1",
        },
        BOX, SHARE,
    ),
    "text": kind(
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
        BOX, DECORATION, SHARE,
    ),
    "br": kind("breaks the line inside a `text`"),
    "icon": kind(
        "an icon, `size` high and as wide as it is",
        {
            "name": "name of a file in `art/icons/`, or an alias of the theme",
            "size": "height in mm; without it, the largest that fits the box",
            "fill": "its colour (`ink`)",
            "align": "where it stands in its box (`center`; with a `size` and no `width`: at `x` and `y`)",
        },
        BOX, DECORATION, SHARE,
    ),
    "pips": kind(
        "1 to 10 icons as on playing cards, the lower half turned",
        {
            "count": "how many, 1 to 10",
            "icon": "name of the icon",
            "size": "height of an icon in mm",
            "fill": "colour (`ink`)",
            "ace-size": "height of the icon where it is the only one (as `size`)",
        },
        BOX, DECORATION, SHARE,
    ),
    "qr": kind(
        "a QR code of a text, as large as fits its box, with its quiet zone",
        {
            "text": "what it says; `{{ report }}` tells game, version and card",
            "size": "side in mm, quiet zone included; without it, the largest that fits the box",
            "error": "how much of it may be damaged: `l` 7 %, `m` 15 % (without it), `q` 25 %, `h` 30 %",
            "quiet": "width of the light rim, in modules (4)",
            "fill": "colour of the dark modules (`ink`)",
            "ground": "colour under them and of the rim (`#ffffff`); `none` leaves what is there",
        },
        BOX, DECORATION, SHARE,
    ),
    "row": kind("children side by side", BOX, PANEL, SHARE, holds_elements=True),
    "column": kind("children below each other", BOX, PANEL, SHARE, holds_elements=True),
    "grid": kind(
        "children in rows and columns, row by row",
        {
            "columns": "a number, or the widths: `20 * 2*` (mm, share, two shares)",
            "rows": "a number, or the heights; without it, as many equal ones as the children need",
        },
        BOX, PANEL, SHARE, holds_elements=True,
    ),
    "stack": kind("children on top of each other, each in the whole cell", BOX, PANEL, SHARE, holds_elements=True),
    **BOARD_ELEMENTS,
}  # fmt: skip
