"""The layout language as a table: every element and the names of its attributes. What they mean says `docs/layouts.md`.

Lengths are millimetres from the top left of the box an element stands in: the trim, or the cell that a container gives
it.
"""

from __future__ import annotations

from collections.abc import Mapping

_BOX = "x y width height"
_SHARE = "width height grow"  # of a row's or a column's space
_STROKE = "stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity opacity"
_PAINT = f"fill fill-rule fill-opacity {_STROKE}"
_SHAPE = f"{_PAINT} transform {_SHARE}"
_PANEL = f"gap padding fill stroke stroke-width rx opacity turn {_BOX} {_SHARE}"
_BOARD = f"columns rows labels letters first origin label-style {_PAINT} {_BOX} {_SHARE}"
_PLACE = "at column row"
_NET = "fold fill stroke stroke-width"

_ELEMENTS = {
    "face": "",
    "ground": "fill fill-opacity",
    "rect": f"rx ry {_BOX} {_SHAPE}",
    "circle": f"cx cy r {_SHAPE}",
    "ellipse": f"cx cy rx ry {_SHAPE}",
    "line": f"x1 y1 x2 y2 {_STROKE} transform {_SHARE}",
    "polyline": f"points {_SHAPE}",
    "polygon": f"points {_SHAPE}",
    "path": f"d {_SHAPE}",
    "g": f"opacity clip transform {_SHARE}",
    "image": f"href fit align rx paint outline outline-width opacity {_BOX} {_SHARE}",
    "text": f"style align valign size min colour fill lines hyphenate together decoration {_BOX} {_SHARE}",
    "br": "",
    "icon": f"name size fill align decoration {_BOX} {_SHARE}",
    "pips": f"count icon size fill ace-size decoration {_BOX} {_SHARE}",
    "qr": f"text size error quiet fill ground decoration {_BOX} {_SHARE}",
    "row": _PANEL,
    "column": _PANEL,
    "grid": f"columns rows {_PANEL}",
    "stack": _PANEL,
    "squaregrid": f"cell label-sides label-turned label-gap {_BOARD}",
    "hexgrid": f"cell top {_BOARD}",
    "space": _PLACE,
    "point": f"size {_PLACE}",
    "edge": f"from to {_STROKE}",
    "area": f"at {_PAINT}",
    "track": (
        "way count columns rows points cell gap shape rx first step numbers every every-fill origin label-style "
        f"{_PAINT} {_BOX} {_SHARE}"
    ),
    "slot": f"of room rx label label-style {_PAINT} {_BOX} {_SHARE}",
    "polyomino": f"rows cell inner inner-width {_PAINT} {_BOX} {_SHARE}",
    "dicenet": f"edge tab tab-fill {_NET} {_BOX} {_SHARE}",
    "side": "fill",
    "tucknet": f"depth flap-fill {_NET} {_BOX} {_SHARE}",
    "panel": "name fill",
}
ELEMENTS: Mapping[str, frozenset[str]] = {tag: frozenset(names.split()) for tag, names in _ELEMENTS.items()}
