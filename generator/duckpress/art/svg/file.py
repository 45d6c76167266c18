"""An SVG file -> `VectorArt`, read once, with its styles and ids; `artist` draws looks of it.

What of an SVG cannot be drawn as outlines (filters, pictures, blend modes) is never drawn wrongly in silence: it is the
problem `svg-unsupported` at its line.

The parser (expat) is told everything: the bytes are UTF-8 whatever they say, a DOCTYPE ends the reading unless it is
that of SVG and declares nothing but namespaces and entities that are short plain words, as drawing programs write them.
So nothing is fetched, entities hold no others, and the caps on elements and depth hold while the tree grows, not after.
Words are kept of `<style>`, and of `<text>` and `<flowRoot>`, each run of them as a part `#text`. What stands outside
of SVG (metadata, an editor's notes) becomes a part without a tag.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from msgspec import Struct, field

from duckpress.art import BadArt, TooMuchArt, refuse_more
from duckpress.art.svg import SvgNode
from duckpress.art.svg.styles import Rules, read_rules
from duckpress.art.values import length, parse_numbers
from duckpress.core.geometry import Rect
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.paths import Path
from duckpress.core.problems import Level, Problem, Source

_FLATTEN = "flatten it in your drawing program (expand, convert to paths), or save the art as PNG"
_MOST_TOLD = 50  # of what is wrong with one file: who has more will do something else about it than go through a list
_SMALLEST, _LARGEST = 1e-3, 1e6  # sides of a viewBox, in its own units
_SVG = "http://www.w3.org/2000/svg"
_ENTITY = re.compile(rb"&(?!amp;|lt;|gt;|quot;|apos;|#)([A-Za-z_][A-Za-z0-9_.-]{0,60})?")
_MOST_ENTITIES, _LONGEST_ENTITY, _MOST_USES = 100, 200, 10_000  # declared, in letters, in the whole file
# Foreign elements that a browser would not pass over: they bring in styles, or what another file says.
_SPEAKING = {"http://www.w3.org/1999/xhtml": "XHTML", "http://www.w3.org/2001/XInclude": "XInclude"}
_DTD = "-//W3C//DTD SVG"
_WITH_WORDS = ("text", "flowRoot")  # which cannot lie in each other
_SAVE_AGAIN = "save it again as plain SVG"
_KINDS = {
    b"\xff\xfe": "saved as UTF-16", b"\xfe\xff": "saved as UTF-16", b"\x1f\x8b": "compressed (SVGZ)",
    b"\x89P": "a PNG picture, whatever its name says", b"\xff\xd8": "a JPEG picture, whatever its name says",
}  # fmt: skip


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
    """Gathers the problems of one file, up to a limit."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.problems: list[Problem] = []

    def add(
        self, code: str, line: int, what: str, fix: str = _FLATTEN, column: int = 1, level: Level = Level.ERROR
    ) -> None:
        if len(self.problems) < _MOST_TOLD:
            self.problems.append(Problem(code, Source(self._path, line, column), what, fix, level))

    def note(self, part: SvgNode, what: str, fix: str) -> None:
        """Warn of a replaced font, once for the file."""
        if all(problem.what != what for problem in self.problems):
            self.add("svg-font", part.line, what, fix, part.column, Level.WARNING)

    def refuse(self, part: SvgNode, what: str) -> None:
        self.add("svg-unsupported", part.line, f"{what} is not drawn from SVG files", _FLATTEN, part.column)

    def leave_out(self, part: SvgNode, what: str, fix: str) -> None:
        """Warn that a part of the file is left out: no viewer shows it from this file alone."""
        self.add("svg-left-out", part.line, f"{what} is left out", fix, part.column, Level.WARNING)

    def complain(self, part: SvgNode, what: str, fix: str) -> None:
        self.add("bad-svg", part.line, what, fix, part.column)


def read_art(path: str, data: bytes) -> tuple[VectorArt | None, list[Problem]]:
    """Return an SVG file's art, None if it cannot be drawn.

    Problems: `bad-svg` (not SVG, too much of it) and `svg-unsupported`.
    """
    parsed = _read_tree(path, data)
    if isinstance(parsed, Problem):
        return None, [parsed]
    root, unsupported = parsed
    complaints = Complaints(path)
    box = _view_box(root)
    if box is None:
        what = f"{path!r} has neither a viewBox nor a width and a height"
        complaints.add("bad-svg", root.line, what, "add viewBox='0 0 width height' to <svg>")
        return None, complaints.problems
    for what, line in unsupported:
        complaints.add("svg-unsupported", line, f"{what} is not drawn from SVG files")
    parts = list(root.every())
    try:
        rules, misread = read_rules([part for part in parts if part.tag == "style"])
    except TooMuchArt as error:
        complaints.add("bad-svg", root.line, f"{path!r}: {error}", error.fix)
        return None, complaints.problems
    for sheet, selector in misread:
        what = f"the style rule {selector!r} is not understood"
        complaints.add("svg-unsupported", sheet.line, what, _FLATTEN, sheet.column)
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
    """Return the rectangle of a `viewBox`, or None if it is malformed, too small or too large."""
    numbers = parse_numbers(text)
    return _drawable(Rect(*numbers)) if numbers is not None and len(numbers) == 4 else None


def _drawable(box: Rect) -> Rect | None:
    is_drawable = all(_SMALLEST <= side <= _LARGEST for side in (box.width_mm, box.height_mm))
    return box if is_drawable else None


def _read_tree(path: str, data: bytes) -> tuple[SvgNode, list[tuple[str, int]]] | Problem:
    """Return the root of an SVG file and its unsupported elements, or the problem `bad-svg`.

    With it comes what is not drawn and would change the picture in a browser, each with its line.
    """
    if len(data) > (most := limit("svg-file")):
        fix = f"simplify it, or save it as PNG; {how_to_raise('svg-file')}"
        return Problem("bad-svg", Source(path), f"{path!r} is larger than {most} bytes", fix)
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        kind = _KINDS.get(data[:2], f"not UTF-8 text (byte {error.start})")
        return Problem("bad-svg", Source(path), f"{path!r} is {kind}", "save it as SVG in UTF-8")
    builder = _Builder(_ENTITY.findall(data))
    try:
        builder.parser.Parse(data, True)
    except BadArt as error:
        place = Source(path, builder.parser.CurrentLineNumber, builder.parser.CurrentColumnNumber + 1)
        return Problem("bad-svg", place, f"{path!r}: {error}", error.fix)
    except expat.ExpatError as error:
        words = expat.errors.messages.get(error.code, "it is not XML")
        place = Source(path, error.lineno, error.offset + 1)
        return Problem("bad-svg", place, f"the SVG file cannot be read: {words}", _SAVE_AGAIN)
    root = builder.root
    assert root is not None  # expat does not accept a text without an element
    if root.tag != "svg":
        what = f"{path!r} begins with <{builder.root_name[:60]}>, not with <svg>"
        return Problem("bad-svg", Source(path, root.line, root.column), what, "save it as SVG")
    return root, builder.unsupported


class _Builder:
    """Handlers of the parser that build the tree of elements."""

    def __init__(self, used: list[bytes]) -> None:
        self._used = used  # the names of entities
        self._declared: set[bytes] = set()
        self.root: SvgNode | None = None
        self.root_name = ""
        self.unsupported: list[tuple[str, int]] = []
        self._open: list[SvgNode] = []
        self._words: list[str] = []
        self._is_text = False
        self._count = 0
        self.parser = parser = expat.ParserCreate("utf-8", "}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._word
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EndDoctypeDeclHandler = self._doctype_end
        parser.EntityDeclHandler = self._entity
        parser.AttlistDeclHandler = self._default
        parser.ElementDeclHandler = self._bad_doctype
        parser.ProcessingInstructionHandler = self._instruction

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        refuse_more(self._count, "svg-elements", "it has more than {most} elements")
        refuse_more(len(self._open) + 1, "svg-depth", "its elements are nested more than {most} deep", "flatten it")
        longest = max(map(len, attributes.values()), default=0)
        refuse_more(longest, "path-letters", "an attribute is longer than {most} letters")
        space, _, tag = name.rpartition("}")
        attrib = {f"{{{key}" if "}" in key else key: value for key, value in attributes.items()}
        line = self.parser.CurrentLineNumber
        if space in _SPEAKING:
            self.unsupported.append((f"<{tag[:40]}> of {_SPEAKING[space]}", line))
        part = SvgNode(tag if space in ("", _SVG) else "", attrib, line, self.parser.CurrentColumnNumber + 1)
        if self._open:
            self._open[-1].children.append(part)
        else:
            self.root, self.root_name = part, tag
        self._open.append(part)
        self._is_text = self._is_text or part.tag in _WITH_WORDS

    def _end(self, _name: str) -> None:
        part = self._open.pop()
        self._is_text = self._is_text and part.tag not in _WITH_WORDS
        if part.tag == "style":
            part.words, self._words = "".join(self._words), []

    def _word(self, words: str) -> None:
        if not self._open:
            return
        part = self._open[-1]
        if part.tag == "style":
            self._words.append(words)
        elif self._is_text and part.tag:
            self._count += 1
            parser = self.parser
            run = SvgNode("#text", {}, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1, words=words)
            part.children.append(run)

    def _bad_doctype(self, *_what: object) -> None:
        raise BadArt("it has a DOCTYPE, which is not read", _SAVE_AGAIN)

    def _doctype(self, name: str, system: str | None, public: str | None, _has_more: object) -> None:
        # That of SVG is not fetched.
        if name != "svg" or not (public.startswith(_DTD) if public else system is None):
            self._bad_doctype()

    def _doctype_end(self) -> None:
        # What is not declared would be left out in silence.
        if not self._declared.issuperset(self._used):
            self._bad_doctype()

    def _entity(self, name: str, is_of_dtd: object, value: str | None, *_of_another_file: object) -> None:
        self._declared.add(name.encode())
        is_plain = value is not None and len(value) <= _LONGEST_ENTITY and not set(value) & set("&<%")
        if is_of_dtd or not is_plain or len(self._declared) > _MOST_ENTITIES or len(self._used) > _MOST_USES:
            self._bad_doctype()

    def _default(self, _element: str, name: str, _kind: str, default: str | None, _required: object) -> None:
        if not name.startswith("xmlns") or len(default or "") > _LONGEST_ENTITY:
            self._bad_doctype()

    def _instruction(self, target: str, _words: str) -> None:
        if target == "xml-stylesheet":
            self.unsupported.append(("a style sheet of another file", self.parser.CurrentLineNumber))
