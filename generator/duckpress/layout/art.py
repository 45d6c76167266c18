"""An SVG file -> `VectorArt`: the file read once, its styles and names at hand; `artist` draws looks of it.

Drawn are shapes, groups, transforms, styles, `use`, `symbol`, `defs` and clips of one simple shape. What else an SVG
can hold (text, gradients, patterns, masks, filters, pictures) is never drawn wrongly in silence: it is the problem
`svg-unsupported` at its line.
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from duckpress.geometry import Rect
from duckpress.layout import operators, svgshapes, svgstyle
from duckpress.layout.svgstyle import Rule
from duckpress.layout.templates import mark_places
from duckpress.layout.xmldoor import MARK, Malformed, find_excess, read_xml
from duckpress.problems import Problem, Source

MAX_DRAWN = 20_000  # elements, those drawn again by `use` counted every time
MAX_DEPTH = 60
FLATTEN = "flatten it in your drawing program (expand, convert to paths), or save the art as PNG"


@dataclass(frozen=True, slots=True)
class VectorArt:
    """An SVG file that can be drawn: its tree, its style rules, its elements by id, its classes and its box."""

    path: str
    root: Element
    box: Rect
    rules: tuple[Rule, ...]
    by_id: dict[str, Element]
    classes: frozenset[str]
    places: list[Source]


def read_art(path: str, data: bytes, problems: list[Problem]) -> VectorArt | None:
    """Give an SVG file's art; problems: `bad-svg` (not SVG, too much of it) and `svg-unsupported`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"{path!r} is not UTF-8 text (byte {error.start})"
        problems.append(Problem("bad-svg", Source(path), what, "save it as UTF-8"))
        return None
    places: list[Source] = []
    root = read_xml(mark_places(text, path, places))
    if isinstance(root, Malformed):
        what = f"the SVG file cannot be read: {root.what}"
        problems.append(Problem("bad-svg", Source(path, root.line), what, "save it again as plain SVG"))
        return None
    excess = find_excess(root, MAX_DRAWN, MAX_DEPTH)
    if excess or tag_of(root) != "svg":
        what = f"{path!r}: {excess}" if excess else f"{path!r} begins with <{tag_of(root)}>, not with <svg>"
        problems.append(Problem("bad-svg", Source(path), what, "simplify it" if excess else "save it as SVG"))
        return None
    box = _view_box(root)
    if box is None:
        what = f"{path!r} has neither a viewBox nor a width and a height"
        problems.append(Problem("bad-svg", Source(path), what, "add viewBox='0 0 width height' to <svg>"))
        return None
    misread: list[str] = []
    elements = list(root.iter())
    sheets = [element for element in elements if tag_of(element) == "style"]
    rules = svgstyle.read_rules("\n".join("".join(sheet.itertext()) for sheet in sheets), misread)
    for selector in misread:
        what = f"the style rule {selector!r} is not understood; only .class, #id and tag are"
        problems.append(Problem("svg-unsupported", place_of(sheets[0], places, path), what, FLATTEN))
    by_id = {element.attrib["id"]: element for element in reversed(elements) if "id" in element.attrib}
    classes = frozenset(name for element in elements for name in element.attrib.get("class", "").split())
    return VectorArt(path, root, box, tuple(rules), by_id, classes, places)


def tag_of(element: Element) -> str:
    """Give an SVG element's name, or nothing for elements of other namespaces (editors' own notes)."""
    namespace, _, name = element.tag.rpartition("}")
    return name if namespace in ("", "{http://www.w3.org/2000/svg") else ""


def place_of(element: Element, places: list[Source], path: str) -> Source:
    """Give the place in its file where an element begins."""
    mark = element.attrib.get(MARK, "")
    return places[int(mark)] if mark.isdigit() and int(mark) < len(places) else Source(path)


def _view_box(root: Element) -> Rect | None:
    if "viewBox" in root.attrib:
        return numbers_box(root.attrib["viewBox"])
    try:
        width, height = (svgshapes.length(root.attrib, name, 0.0, 0.0) for name in ("width", "height"))
    except ValueError:
        return None
    return Rect(0.0, 0.0, width, height) if width > 0 and height > 0 else None


def numbers_box(text: str) -> Rect | None:
    """Give the rectangle of a `viewBox`; None where it is none."""
    numbers = operators.parse_numbers(text)
    return Rect(*numbers) if numbers is not None and len(numbers) == 4 and numbers[2] > 0 and numbers[3] > 0 else None
