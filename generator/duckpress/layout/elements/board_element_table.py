"""The part of the layout language for boards, tracks, places and dice; `elements` puts it beside the rest."""

from __future__ import annotations

from duckpress.layout.elements.attributes import (
    BOARD,
    BOX,
    LABEL_STYLE,
    ORIGIN,
    PAINT,
    PLACE,
    SHARE,
    STROKE,
    ElementKind,
    kind,
)

BOARD_ELEMENTS: dict[str, ElementKind] = {
    "squaregrid": kind(
        "a board of squares",
        {
            "cell": "side of a square in mm; without it, the largest that fits",
            "label-sides": "the sides with labels along the edges: `top right bottom left`, `all` (`top left`)",
            "label-turned": "the sides whose labels stand on their heads",
            "label-gap": "distance of the labels from the grid in mm",
        },
        BOARD, BOX, SHARE, holds_elements=True,
    ),
    "hexgrid": kind(
        "a board of hexagons",
        {
            "cell": "width of a hexagon between two parallel sides, in mm; without it, the largest that fits",
            "top": "`point` (default: rows run straight) or `side` (columns run straight)",
        },
        BOARD, BOX, SHARE, holds_elements=True,
    ),
    "space": kind("what stands in a space of a board or a track", PLACE, holds_elements=True),
    "point": kind(
        "what stands on a grid point", {"size": "side of its cell in mm (half a space)"} | PLACE, holds_elements=True
    ),
    "edge": kind("a line from grid point to grid point", {"from": "its start", "to": "its end"}, STROKE),
    "area": kind("several spaces as one shape", {"at": "spaces and ranges: `A1 A2 B1-C3`"}, PAINT),
    "track": kind(
        "numbered spaces along a way",
        {
            "way": "`row` (default), `column`, `lines`, `snake`, `ring` or `path`",
            "count": "how many spaces",
            "columns": "for `lines`, `snake` and `ring`: how many across",
            "rows": "for `ring`: how many down",
            "points": "for `path`: x,y x,y ...",
            "cell": "side of a space in mm; without it, the largest that fits",
            "gap": "space between the spaces",
            "shape": "`square` (default) or `circle`",
            "rx": "radius of their corners",
            "first": "number of the first space (1)",
            "step": "from each number to the next (1)",
            "numbers": "`yes` (in the middle), `corner` or `no`",
            "every": "which spaces have the other colour: the multiples of this number",
            "every-fill": "the other colour",
        },
        PAINT, ORIGIN, LABEL_STYLE, BOX, SHARE, holds_elements=True,
    ),
    "slot": kind(
        "the outline of a place for a card or a round piece",
        {
            "of": "name of a size",
            "room": "how much larger all round than what lies there, in mm (0.5)",
            "rx": "radius of the corners; as the size",
            "label": "words in the middle",
        },
        PAINT, LABEL_STYLE, BOX, SHARE, holds_elements=True,
    ),
    "polyomino": kind(
        "a shape of squares",
        {
            "rows": "its rows from the top: `XX/.X`",
            "cell": "side of a square in mm; without it, the largest that fits, in the middle of the box",
            "inner": "colour of the lines between its squares (none)",
            "inner-width": "their width in mm (0.25)",
        },
        PAINT, BOX, SHARE,
    ),
    "dicenet": kind(
        "a die to cut out and fold: six `side` elements",
        {
            "edge": "length of an edge in mm (16)",
            "tab": "depth of the tabs in mm",
            "tab-fill": "colour of the tabs (none)",
            "fold": "colour of the folds (`ink`)",
            "fill": "colour of the sides (none)",
            "stroke": "colour of the cut line (`ink`)",
            "stroke-width": "width of the cut line and the folds in mm (0.25)",
        },
        BOX, SHARE, holds_elements=True,
    ),
    "side": kind("a side of a die", {"fill": "its colour; as the die's"}, holds_elements=True),
    "tucknet": kind(
        "a tuck box to cut out and fold, with `panel` elements for what stands on it",
        {
            "x": "left edge", "y": "top edge",
            "width": "inner width of the box in mm",
            "height": "inner height",
            "depth": "inner depth",
            "fill": "colour of the panels (none)",
            "flap-fill": "colour of the flaps that tuck in (as the panels)",
            "fold": "colour of the folds (`ink`)",
            "stroke": "colour of the cut line (`ink`)",
            "stroke-width": "width of the cut line and the folds in mm (0.25)",
        },
        SHARE, holds_elements=True,
    ),
    "panel": kind(
        "a panel of a box",
        {"name": "`front`, `back`, `left`, `right`, `top` or `bottom`", "fill": "its colour; as the box's"},
        holds_elements=True,
    ),
}  # fmt: skip
