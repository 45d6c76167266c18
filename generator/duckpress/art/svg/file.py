"""An SVG file -> `VectorArt`: the file read once, its styles and names at hand; `artist` draws looks of it.

What of an SVG cannot be drawn as outlines (filters, pictures, blend modes) is never drawn wrongly in silence: it is the
problem `svg-unsupported` at its line.
"""

from __future__ import annotations

from msgspec import Struct, field

from duckpress.art import BadArt, TooMuchArt
from duckpress.art.svg.reader import SvgNode, read_svg
from duckpress.art.svg.styles import STYLED, Rules, read_rules
from duckpress.art.values import length, parse_numbers
from duckpress.core.geometry import Rect
from duckpress.core.paths import Path
from duckpress.core.problems import Level, Problem, Source

FLATTEN = "flatten it in your drawing program (expand, convert to paths), or save the art as PNG"
_MOST_TOLD = 50  # of what is wrong with one file: who has more will do something else about it than go through a list
_SMALLEST, _LARGEST = 1e-3, 1e6  # sides of a viewBox, in its own units


class VectorArt(Struct, frozen=True):
    """An SVG file that can be drawn: its tree, its style rules, its elements by id, its classes and its box.

    `drawn` keeps the paths of shapes that were drawn once: by the shape and by the box that per cent are of.
    """

    path: str
    root: SvgNode
    box: Rect
    rules: Rules
    by_id: dict[str, SvgNode]
    classes: frozenset[str]
    drawn: dict[tuple[SvgNode, Rect], Path] = field(default_factory=dict)


class Complaints:
    """Gathers the problems of one file, up to a number that anybody reads."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.problems: list[Problem] = []

    def add(self, code: str, place: Source, what: str, fix: str, level: Level = Level.ERROR) -> None:
        if len(self.problems) < _MOST_TOLD:
            self.problems.append(Problem(code, place, what, fix, level))

    def note(self, code: str, part: SvgNode, what: str, fix: str) -> None:
        """Add a warning about an element, once for the file."""
        if all(problem.what != what for problem in self.problems):
            self.add(code, Source(self._path, part.line, part.column), what, fix, Level.WARNING)

    def refuse(self, part: SvgNode, what: str) -> None:
        self.add("svg-unsupported", Source(self._path, part.line, part.column), _undrawn(what), FLATTEN)

    def leave_out(self, part: SvgNode, what: str, fix: str) -> None:
        """Warn of what no viewer shows of an element where the file alone is there."""
        source = Source(self._path, part.line, part.column)
        if len(self.problems) < _MOST_TOLD:
            self.problems.append(Problem("svg-left-out", source, f"{what} is left out", fix, Level.WARNING))

    def complain(self, part: SvgNode, what: str, fix: str) -> None:
        self.add("bad-svg", Source(self._path, part.line, part.column), what, fix)


def _undrawn(what: str) -> str:
    return f"{what} is not drawn from SVG files"


def read_art(path: str, data: bytes) -> tuple[VectorArt | None, list[Problem]]:
    """Return an SVG file's art, None where it cannot be drawn.

    Problems: `bad-svg` (not SVG, too much of it) and `svg-unsupported`.
    """
    parsed = read_svg(path, data)
    if isinstance(parsed, Problem):
        return None, [parsed]
    root, unsupported = parsed
    complaints = Complaints(path)
    box = _view_box(root)
    if box is None:
        what = f"{path!r} has neither a viewBox nor a width and a height"
        complaints.add("bad-svg", Source(path, root.line), what, "add viewBox='0 0 width height' to <svg>")
        return None, complaints.problems
    for what, line in unsupported:
        complaints.add("svg-unsupported", Source(path, line), _undrawn(what), FLATTEN)
    parts = list(root.every())
    try:
        rules, misread = read_rules([part for part in parts if part.tag == "style"], STYLED)
    except TooMuchArt as error:
        complaints.add("bad-svg", Source(path, root.line), f"{path!r}: {error}", error.fix)
        return None, complaints.problems
    for sheet, selector in misread:
        what = f"the style rule {selector!r} is not understood"
        complaints.add("svg-unsupported", Source(path, sheet.line, sheet.column), what, FLATTEN)
    by_id = {part.attrib["id"]: part for part in reversed(parts) if "id" in part.attrib}
    classes = frozenset(name for part in parts for name in part.attrib.get("class", "").split())
    return VectorArt(path, root, box, rules, by_id, classes), complaints.problems


def _view_box(root: SvgNode) -> Rect | None:
    if "viewBox" in root.attrib:
        return numbers_box(root.attrib["viewBox"])
    try:
        width, height = (length(root.attrib, name, 0.0, Rect(0, 0, 0, 0)) for name in ("width", "height"))
    except BadArt:
        return None
    return _drawable(Rect(0.0, 0.0, width, height))


def numbers_box(text: str) -> Rect | None:
    """Return the rectangle of a `viewBox`, or None where it is malformed, too small or too large to be drawn in."""
    numbers = parse_numbers(text)
    return _drawable(Rect(*numbers)) if numbers is not None and len(numbers) == 4 else None


def _drawable(box: Rect) -> Rect | None:
    is_drawable = all(_SMALLEST <= side <= _LARGEST for side in (box.width_mm, box.height_mm))
    return box if is_drawable else None
