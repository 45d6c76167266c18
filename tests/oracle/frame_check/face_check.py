"""A finished face held against the elements of its template: all there, in order, each where and as it asks to be."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from duckpress.art.svg.paths import parse_path
from duckpress.art.values import parse_number, parse_numbers, rounded
from duckpress.core import paths
from duckpress.core.frame import Group, Item
from duckpress.core.geometry import Rect, rotation, translation
from duckpress.core.paths import NO_PATH
from duckpress.expressions.budget import as_written
from duckpress.layout.elements.layout_context import LayoutContext
from duckpress.layout.face_xml import FaceNode
from duckpress.text.fonts import FontLibrary
from oracle.frame_check.asked_values import (
    Attributes,
    MadeElement,
    WrongFrame,
    box_in,
    colour_in,
    is_alike,
    is_near,
    is_same_matrix,
    is_same_path,
    matrix_in,
    mm,
    number,
    paint_in,
    painted,
)
from oracle.frame_check.line_check import AskedText
from oracle.frame_check.shape_check import ShapeCheck
from oracle.frame_check.text_check import TextCheck

_CONTAINERS = ("stack", "row", "column", "grid")
_BOARDS = ("squaregrid", "hexgrid", "track", "slot", "dicenet", "tucknet")
"""What has places in it: `test_boards`, `test_dice`, `test_tucknet`, `test_every_element` of `layout` ask for it."""


class FaceCheck:
    """Holds the faces of one piece against their elements; what was looked at once is not looked at again."""

    def __init__(self, context: LayoutContext, fonts: FontLibrary) -> None:
        self._context = context
        self._texts = TextCheck(fonts, context.art, context.language, is_mirrored=context.typesetter.is_mirrored)
        self._shapes = ShapeCheck(context.look, context.art, context.decks)
        self._good: dict[int, MadeElement] = {}  # elements without words in them that were looked at

    def fault(self, root: FaceNode, made: Sequence[MadeElement], items: Sequence[Item]) -> str | None:
        """Return what a face has otherwise than its elements ask for; None where nothing is wrong."""
        uses = len(self._context.uses)
        try:
            shown = self._inside(root, [Rect(0.0, 0.0, *self._context.format.trim)] * len(root.children), made)
            if shown != list(items):
                raise WrongFrame("the face does not show its elements in their order")
            self._texts.check_words()
        except WrongFrame as wrong:
            return str(wrong)
        finally:
            del self._context.uses[uses:]
        return None

    def _inside(self, parent: FaceNode, cells: Sequence[Rect], made: Sequence[MadeElement]) -> list[Item]:
        """Return the items of a parent's children, each of which has to be made once, in order, in its cell."""
        items: list[Item] = []
        if len(made) != len(parent.children) or len(cells) < len(made):
            raise WrongFrame(f"{len(made)} of the {len(parent.children)} elements in <{parent.tag}> are there")
        for node, cell, element in zip(parent.children, cells, made, strict=False):
            if element.node is not node:
                raise WrongFrame(f"<{element.node.tag}> stands in the place of <{node.tag}>")
            if element.cell != cell and not is_near(element.cell, cell):
                raise WrongFrame(f"the cell of <{node.tag}> is {_written(element.cell)}, not {_written(cell)}")
            if self._good.get(id(element)) is not element:
                self._check(element)
                if not node.content:
                    self._good[id(element)] = element
            items += element.items
        return items

    def _check(self, made: MadeElement) -> None:
        node, tag = made.node, made.node.tag
        if tag == "text":
            self._check_text(made)
        elif tag == "g":
            self._check_group(made)
        elif tag in _CONTAINERS:
            self._check_container(made)
        elif tag not in _BOARDS:
            self._shapes.check(tag, node.attrib, made.cell, self._context.format, made.items)

    def _check_text(self, made: MadeElement) -> None:
        node, cell, items, _ = made
        content = node.content
        first = content[0] if len(content) == 1 else None
        if not isinstance(first, str):
            first = "".join([part if isinstance(part, str) else "<br/>" for part in content])
        source, asked = first.strip(), self._asked_text(node.attrib, cell)
        if asked.style.colour == "none":
            source = ""
        values = {}
        if "{=" in source:
            named = self._context.values.items()
            values = {name: str(as_written(value)) for name, value in named if not isinstance(value, dict | list)}
        self._texts.check(source, values, asked, items)

    def _asked_text(self, attributes: Attributes, cell: Rect) -> AskedText:
        context = self._context
        style = context.look.styles[attributes.get("style", "body")]
        size_pt = number(attributes, "size", style.size_pt)
        min_pt = style.min_pt if "size" not in attributes or "min" in attributes else size_pt
        colour = attributes.get("colour", attributes.get("fill"))
        style = style._replace(
            align=attributes.get("align", style.align), size_pt=size_pt, min_pt=number(attributes, "min", min_pt),
            colour=style.colour if colour is None else colour_in(context.look, colour) or "none",
            is_hyphenated=attributes.get("hyphenate", "yes" if style.is_hyphenated else "no") in ("yes", "true"),
        )  # fmt: skip
        lines = int(attributes["lines"]) if "lines" in attributes else None
        together = context.forced_pt.get(attributes.get("together", ""))
        return AskedText(style, box_in(attributes, cell), attributes.get("valign", "top"), lines, together)

    def _check_group(self, made: MadeElement) -> None:
        attributes, cell = made.node.attrib, made.cell
        clip = parse_path(attributes["clip"]) if "clip" in attributes else NO_PATH
        opacity, is_placed = number(attributes, "opacity"), "transform" in attributes or bool(clip)
        inner = Rect(0.0, 0.0, cell.width_mm, cell.height_mm) if is_placed else cell
        items = self._inside(made.node, [inner] * len(made.node.children), made.inside)
        if not items or not (is_placed or opacity < 1):
            _same("g", items, made.items)
            return
        group = made.items[0]
        matrix = translation(cell.x_mm, cell.y_mm).after(matrix_in(attributes)) if is_placed else rotation(0)
        if not isinstance(group, Group) or not is_same_matrix(group.matrix, matrix):
            raise WrongFrame("a <g> lies elsewhere, or otherwise turned, than it asks to")
        if not is_same_path(group.clip, clip) or group.opacity != opacity:
            raise WrongFrame("a <g> is cut off, or faint, otherwise than it asks to be")
        _same("g", items, group.items)

    def _check_container(self, made: MadeElement) -> None:
        attributes, cell, items = made.node.attrib, made.cell, made.items
        box = box_in(attributes, cell)
        turn = int(attributes.get("turn", 0))
        if "turn" in attributes:
            middle = translation(box.x_mm + box.width_mm / 2, box.y_mm + box.height_mm / 2)
            box = Rect(0.0, 0.0, box.height_mm, box.width_mm) if turn % 180 else box._replace(x_mm=0.0, y_mm=0.0)
            if items:
                group = items[0]
                back = translation(-box.width_mm / 2, -box.height_mm / 2)
                matrix = rounded(middle.after(rotation(turn)).after(back))
                if not isinstance(group, Group) or not is_same_matrix(group.matrix, matrix):
                    raise WrongFrame(f"a <{made.node.tag}> is not turned by {turn} degrees about its middle")
                items = group.items
        own: Sequence[Item] = ()
        if "fill" in attributes or "stroke" in attributes:
            path = paths.rectangle(*box, mm(attributes, "rx", 0.0))
            own = painted(path, paint_in(self._context.look, attributes), number(attributes, "opacity"))
        if not is_alike(own, items[: len(own)]):
            raise WrongFrame(f"the ground of a <{made.node.tag}> is not painted as it asks to be")
        inner = self._inside(made.node, _cells(made, box), made.inside)
        _same(made.node.tag, inner, items[len(own) :])


def _cells(made: MadeElement, box: Rect) -> list[Rect]:
    """Return the cells of a container's children; texts of a column that are as high as they are keep their height."""
    node, attributes = made.node, made.node.attrib
    padding = parse_numbers(attributes.get("padding", "0")) or [0.0]
    top, right, bottom, left = (padding * 4)[:4]
    box = Rect(box.x_mm + left, box.y_mm + top, box.width_mm - left - right, box.height_mm - top - bottom)
    gap_mm, count = mm(attributes, "gap", 0.0), len(node.children)
    if node.tag == "stack":
        return [box] * count
    if node.tag == "grid":
        columns = _tracks(attributes.get("columns", "1"))
        rows = _tracks(attributes.get("rows", str(-(-count // len(columns)) or 1)))
        across, down = _spans(columns, box.width_mm, gap_mm), _spans(rows, box.height_mm, gap_mm)
        return [Rect(box.x_mm + x, box.y_mm + y, wide, high) for y, high in down for x, wide in across]
    name = "width" if node.tag == "row" else "height"
    tracks = []
    for child, inner in zip(node.children, made.inside, strict=False):
        if name in child.attrib:
            is_auto = child.attrib[name] == "auto"
            tracks.append((inner.cell.height_mm if is_auto else mm(child.attrib, name, 0.0), 0.0))
        else:
            tracks.append((0.0, number(child.attrib, "grow")))
    if node.tag == "row":
        return [Rect(box.x_mm + x, box.y_mm, wide, box.height_mm) for x, wide in _spans(tracks, box.width_mm, gap_mm)]
    return [Rect(box.x_mm, box.y_mm + y, box.width_mm, high) for y, high in _spans(tracks, box.height_mm, gap_mm)]


def _tracks(written: str) -> list[tuple[float, float]]:
    """Return the fixed length and the share of each column or row: as many as a number says, or `20 * 2*`."""
    words = written.split()
    if len(words) == 1 and words[0].isdecimal():
        return [(0.0, 1.0)] * int(words[0])
    shares = [(word, parse_number(word.removesuffix("*") or "1") or 0.0) for word in words]
    return [(0.0, length) if word.endswith("*") else (length, 0.0) for word, length in shares]


def _spans(tracks: Sequence[tuple[float, float]], room_mm: float, gap_mm: float) -> list[tuple[float, float]]:
    free_mm = max(0.0, room_mm - gap_mm * (len(tracks) - 1) - fsum(fixed for fixed, _ in tracks))
    shares = fsum(share for _, share in tracks) or 1.0
    lengths = [fixed + free_mm * share / shares for fixed, share in tracks]
    return [(fsum(lengths[:at]) + gap_mm * at, length) for at, length in enumerate(lengths)]


def _same(tag: str, asked: Sequence[Item], items: Sequence[Item]) -> None:
    if list(asked) != list(items):
        raise WrongFrame(f"<{tag}> does not show its elements in their order")


def _written(cell: Rect) -> str:
    return " ".join(f"{length:.2f}" for length in cell)
