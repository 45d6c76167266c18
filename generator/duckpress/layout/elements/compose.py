"""One face's XML -> its items: the walk over the elements, and the table of valid elements and attributes.

Speed rests on one thing: an empty element looks the same wherever its tag is written the same and its cell is the
same (`face_xml` gives it the same node), so it is made once and remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from duckpress.art.values import is_drawable, rounded
from duckpress.core.frame import MOST_FAINT, Group, Item
from duckpress.core.geometry import IDENTITY, Rect, rotation, translation
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.paths import NO_PATH
from duckpress.core.problems import did_you_mean
from duckpress.layout.elements import board_elements, grids, images, nets, shapes
from duckpress.layout.elements.board_elements import CellElement, Furnished
from duckpress.layout.elements.layout_context import Attributes, LayoutContext
from duckpress.layout.elements.textbox import TextSetter
from duckpress.layout.face_xml import FaceNode
from duckpress.layout.laid_out import Use

# The layout language: every element and its attributes. Lengths are millimetres from the top left of the box that an
# element stands in: the trim, or the cell that a container gives it.
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
    "card": f"of side turn align {_STROKE} {_BOX} {_SHARE}",
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
    "dicenet": f"edge tab tab-fill bleed halo {_NET} {_BOX} {_SHARE}",
    "side": "fill",
    "tucknet": f"depth flap-fill bleed halo marks {_NET} {_BOX} {_SHARE}",
    "panel": "name fill",
}
ELEMENTS: Mapping[str, frozenset[str]] = {tag: frozenset(names.split()) for tag, names in _ELEMENTS.items()}
LEAVES: dict[str, shapes.Leaf] = {
    "ground": shapes.ground,
    **shapes.SHAPES,
    "image": images.image,
    "icon": images.icon,
    "pips": images.pips,
    "polyomino": board_elements.polyomino,
    "qr": images.qr,
    "card": images.card,
}
FURNISHED: dict[str, Callable[[LayoutContext, FaceNode, Rect], Furnished]] = {
    "squaregrid": grids.squaregrid,
    "hexgrid": grids.hexgrid,
    "track": board_elements.track,
    "slot": board_elements.slot,
    "dicenet": nets.dicenet,
    "tucknet": nets.tucknet,
}
INSIDE = {
    "space": "a <squaregrid>, <hexgrid> or <track>",
    "point": "a <squaregrid>",
    "edge": "a <squaregrid>",
    "area": "a <squaregrid> or <hexgrid>",
    "side": "a <dicenet>",
    "panel": "a <tucknet>",
}
_IN_SAFE_ZONE = ("icon", "pips", "qr")


class FaceComposer:
    """Turns the elements of faces into items, and reuses earlier results."""

    def __init__(self, context: LayoutContext) -> None:
        self._context = context
        self._texts = TextSetter(context)
        self._most_deep = limit("face-depth")
        self._named: set[tuple[str, ...]] = set()  # texts whose attributes were found in order
        self._faint = 0  # how many groups around the element at hand have an opacity
        self._made: dict[tuple[FaceNode, Rect], tuple[Sequence[Item], tuple[Use, ...]]] = {}  # with what they use

    def face(self, root: FaceNode, trim: Rect) -> tuple[Item, ...]:
        """Return the items of a face in painting order; problems are added to the context."""
        context = self._context
        context.go_to(root.at)
        if root.tag != "face":
            context.say("unknown-element", f"the template's root is <{root.tag}>", "write <face> ... </face> around it")
            return ()
        self._check_names(root)
        return tuple(self._children(root, trim, 1))

    def _children(self, parent: FaceNode, cell: Rect, depth: int) -> list[Item]:
        items: list[Item] = []
        for child in parent.children:
            items += self._element(child, cell, depth)
        return items

    def _element(self, element: FaceNode, cell: Rect, depth: int) -> Sequence[Item]:
        known = self._made.get((element, cell))
        if known is not None:
            self._context.uses += known[1]
            return known[0]
        before, began = len(self._context.problems), len(self._context.uses)
        items = self._items_of(element, cell, depth)
        if not element.content and len(self._context.problems) == before:
            # It looks the same wherever it is written the same, unless something is wrong with it.
            self._made[element, cell] = items, tuple(dict.fromkeys(self._context.uses[began:]))
        return items

    def _items_of(self, element: FaceNode, cell: Rect, depth: int) -> Sequence[Item]:
        tag = element.tag
        leaf = LEAVES.get(tag)
        if leaf is not None:
            return self._make(leaf, element, cell)
        self._context.go_to(element.at)
        if element.children or (tag, *element.attrib) not in self._named:
            self._check_names(element)
        if tag == "text":
            return self._texts.text(element, cell)
        if depth > self._most_deep:
            fix = f"flatten the layout; {how_to_raise('face-depth')}"
            self._context.say("nested-too-deep", f"elements are nested more than {self._most_deep} deep", fix)
            return ()
        if tag == "g":
            return self._group(element, cell, depth)
        if tag in shapes.CELLS:
            if "turn" in element.attrib:
                return self._turned(element, cell, depth)
            return self._filled(element, element.attrib, cell, depth)
        if tag in FURNISHED:
            return self._furnished(element, cell, depth)
        if tag in INSIDE:
            fix = f"put it into {INSIDE[tag]}"
            self._context.say("unknown-element", f"<{tag}> stands outside of what it belongs to", fix)
        return ()

    def _make(self, leaf: shapes.Leaf, element: FaceNode, cell: Rect) -> tuple[Item, ...]:
        context, tag = self._context, element.tag
        context.go_to(element.at)
        self._check_names(element)
        if element.children:
            context.say("unknown-element", f"<{tag}> cannot hold other elements", "put them beside it")
        items = leaf(context, element.attrib, cell)
        if items:
            context.warn_outside_bleed(f"<{tag}>", items)
            if tag in _IN_SAFE_ZONE and not context.yes_no(element.attrib, "decoration", False):
                context.warn_outside_safe_zone(items, Rect(-1.0, -1.0, 0.0, 0.0))
        return items

    def _group(self, element: FaceNode, cell: Rect, depth: int) -> tuple[Item, ...]:
        context, attributes = self._context, element.attrib
        opacity = context.opacity(attributes)
        clip = shapes.read_path(context, attributes["clip"], "clip") if "clip" in attributes else NO_PATH
        if opacity < 1 and self._faint >= MOST_FAINT:
            what = f"more than {MOST_FAINT} groups with an opacity lie in each other"
            context.say("nested-too-deep", what, "flatten the layout: opacities of groups multiply")
            return ()
        is_placed = "transform" in attributes or bool(clip)
        own, outer = IDENTITY, context.matrix
        if is_placed:
            own = translation(cell.x_mm, cell.y_mm).after(shapes.matrix_of(context, attributes))
            if not is_drawable(outer.after(own)):
                what = "with those around it, the transform makes it larger than anything"
                context.say("bad-transform", what, "correct the transforms")
                return ()
            context.matrix, cell, own = outer.after(own), cell._replace(x_mm=0.0, y_mm=0.0), rounded(own)
        self._faint += opacity < 1
        items = tuple(self._children(element, cell, depth + 1))
        self._faint -= opacity < 1
        context.matrix = outer
        return (Group(items, own, clip, opacity),) if items and (is_placed or opacity < 1) else items

    def _furnished(self, element: FaceNode, cell: Rect, depth: int) -> tuple[Item, ...] | list[Item]:
        """Return the items of a board, track, slot or die with its contents."""
        context = self._context
        for child in element.children:
            if child.tag in INSIDE:
                context.go_to(child.at)
                self._check_names(child)
        context.go_to(element.at)
        items, parts, over, labels = FURNISHED[element.tag](context, element, cell)
        context.warn_outside_bleed(f"<{element.tag}>", items)
        context.warn_of_labels(element.tag, labels)
        over += labels
        result = list(items)
        for part in parts:
            result += self._children(part.node, part.cell, depth + 1) if isinstance(part, CellElement) else part
        return [*result, *over]

    def _turned(self, element: FaceNode, cell: Rect, depth: int) -> list[Item]:
        """Return a container turned about the middle of its box; its content is laid out upright, from 0, 0."""
        context = self._context
        box = context.box(element.attrib, cell)
        degrees = int(context.choice(element.attrib, "turn", ("0", "90", "180", "270"), "0"))
        width_mm, height_mm = (box.height_mm, box.width_mm) if degrees % 180 else (box.width_mm, box.height_mm)
        middle = translation(box.x_mm + box.width_mm / 2, box.y_mm + box.height_mm / 2)
        own = middle.after(rotation(degrees)).after(translation(-width_mm / 2, -height_mm / 2))
        inside = {name: text for name, text in element.attrib.items() if name not in ("x", "y", "width", "height")}
        outer = context.matrix
        context.matrix = outer.after(own)
        items = tuple(self._filled(element, inside, Rect(0.0, 0.0, width_mm, height_mm), depth))
        context.matrix = outer
        return [Group(items, rounded(own))] if items else []

    def _filled(self, element: FaceNode, attributes: Attributes, cell: Rect, depth: int) -> list[Item]:
        context = self._context
        items = list(shapes.panel(context, attributes, cell))
        box = shapes.inner_box(context, attributes, cell)
        cells = shapes.CELLS[element.tag](context, element, box, self._texts.height)
        for child, child_cell in zip(element.children, cells, strict=False):
            items += self._element(child, child_cell, depth + 1)
        return items

    def _check_names(self, element: FaceNode) -> None:
        """Report an unknown element or attribute, misplaced words, and elements inside a text."""
        context, tag, before = self._context, element.tag, len(self._context.problems)
        attributes = ELEMENTS.get(tag)
        if attributes is None:
            context.say("unknown-element", f"there is no element <{tag[:40]}>", did_you_mean(tag, ELEMENTS))
            return
        for name in element.attrib:
            if name not in attributes:
                known = did_you_mean(name, attributes) or "take it away"
                context.say("unknown-attribute", f"<{tag}> has no attribute {name[:40]!r}", known)
        if tag == "text":
            odd = next((child.tag for child in element.children if child.tag != "br"), None)
            if odd is not None:
                fix = "write emphasis as **bold** or *italic*, icons as {name}"
                context.say("unknown-element", f"<{odd[:40]}> cannot stand in a <text>", fix)
            elif len(context.problems) == before:
                self._named.add((tag, *element.attrib))
            return
        stray = next((part.strip() for part in element.content if isinstance(part, str)), None)
        if stray is not None:
            context.say("stray-text", f"the words {stray[:40]!r} stand in <{tag}>", "put them into a <text> element")
