"""The XML of faces -> nodes, or the mistake in it. `art.svg.file` reads SVG files.

A DOCTYPE is refused, so there are no entities to expand and nothing to fetch. How many elements there can be is known
from the text, before any of them is made.
"""

from __future__ import annotations

import re
from collections import deque
from itertools import islice
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.parsers.expat.errors import messages

from msgspec import Struct

from duckpress.core.backs import INKS
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import nearest

MARK = "_at"  # no name of a layout's own: `templates` writes it into every tag
_DEEPEST = 250  # what lies deeper is not looked at: `compose` refuses far less
_MARK = re.compile(rf' {MARK}="(\d+)"', re.ASCII)
_DECLARATION = re.compile(r"\s*<\?xml\s[^>]*\?>")
_FORBIDDEN = re.compile(r"<!DOCTYPE|<!ENTITY")
_NEWLINE = re.compile(r"\r\n?|\n")  # as the parser counts them
# Words, a tag, or what is neither; then the beginning of a tag as far as an attribute whose value does not begin. They
# never go back over what they took, so that a long text takes no longer than it must.
_PIECE = re.compile(
    r"""[^<]++|<(/?)([^\s<>/"'=!?]++)(?>(?:[^<>"']++|"[^"]*+"|'[^']*+')*)>|<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>""",
    re.DOTALL,
)
# A tag, or words without what XML 1.0 does not allow and without carriage returns, which the parser takes for newlines.
_USUAL = re.compile(
    r"""<[^<>"']*(?:"[^"<]*"[^<>"']*|'[^'<]*'[^<>"']*)*>"""
    "|[^<\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]+"
)
_CLOSING = re.compile(r"""</([^\s<>/"'=]++)""")
_UNQUOTED = re.compile(
    r"""<[^\s<>/"'=]++(?>(?:\s++[^\s<>/"'=]++\s*+=\s*+(?:"[^"]*+"|'[^']*+'))*)\s++([^\s<>/"'=]++)\s*+=\s*+"""
)


class FaceNode(Struct, eq=False):
    """An element of a face: its name, its attributes, its place in the template (`at`), and its content.

    `content` has words and elements in their order, `children` the elements alone. An element with nothing in it is
    one and the same node wherever its tag is written the same, so it must never be changed.
    """

    tag: str
    attrib: dict[str, str]
    at: int | None
    content: list[str | FaceNode] = []
    children: list[FaceNode] = []


class Malformed(Struct, frozen=True):
    """A mistake in XML: the words of a problem, its place (an offset in the text), and the fix.

    `closes` is the name of a closing tag, where one is what is wrong: it has no mark of its own.
    """

    what: str
    offset: int = 0
    fix: str = ""
    closes: str = ""


class FaceReader:
    """Reads faces; equal tags are parsed once.

    An element whose `ink` names other inks than the one at hand is left out as if it was not written. `misread` has
    the elements, each once, whose `ink` is none: they are kept.
    """

    def __init__(self, ink: str = "color") -> None:
        self.misread: dict[int | None, str] = {}
        self._ink = ink
        self._was_misread: set[tuple[int | None, str]] = set()
        self._tags: dict[str, tuple[FaceNode, bool]] = {}  # each with whether it shows

    def read(self, xml: str) -> FaceNode | Malformed:
        """Return the root of a face, or its mistake."""
        most = limit("face-elements")
        if xml.count("<") - xml.count("</") - xml.count("<!") > most:
            return Malformed(f"it has more than {most} elements", fix=f"draw less; {how_to_raise('face-elements')}")
        forbidden = _FORBIDDEN.search(xml)
        if forbidden is not None:
            return Malformed("it has a DOCTYPE, which is not read", forbidden.start(), "take the DOCTYPE away")
        if xml[:100].lstrip().startswith("<?xml"):
            # Blanks may stand before the declaration.
            xml = _DECLARATION.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), xml, count=1)
        is_usual = "<!" not in xml and "<?" not in xml and "]]>" not in xml
        if is_usual and (usual := self._put_together(xml)) is not None:
            return usual
        try:
            root = ElementTree.fromstring(xml)
        except ElementTree.ParseError as error:
            line, column = error.position
            stop = offset_of(xml, line, column + 1)
            return _mistake(xml, stop) or Malformed(messages[error.code], stop)
        except (ValueError, OverflowError) as error:
            return Malformed(str(error)[:100])
        return self._node(root, 0)[0]

    def _put_together(self, xml: str) -> FaceNode | None:
        """Return the root of a face from cached tags, in half the time; None for unusual XML."""
        pieces = _USUAL.findall(xml)
        if sum(map(len, pieces)) != len(xml):
            return None
        whole = node = FaceNode("", {}, None)
        opened: list[FaceNode] = []
        for piece in pieces:
            if piece[0] != "<":
                if node.tag == "text" or not piece.isspace():
                    words = piece if "&" not in piece else _unescaped(piece)
                    if words is None:
                        return None
                    node.content.append(words)
            elif piece[1] == "/":
                if not opened or piece[2:-1].rstrip() != node.tag:
                    return None
                node = opened.pop()
            else:
                known = self._tags.get(piece) or self._new_tag(piece)
                if known is None:
                    return None
                inner, is_shown = known
                is_open = piece[-2] != "/"
                if is_open:
                    inner = FaceNode(inner.tag, inner.attrib, inner.at)
                if is_shown:
                    node.content.append(inner)
                    node.children.append(inner)
                if is_open:
                    opened.append(node)
                    node = inner
        return whole.children[0] if not opened and len(whole.content) == len(whole.children) == 1 else None

    def _new_tag(self, piece: str) -> tuple[FaceNode, bool] | None:
        try:
            element = ElementTree.fromstring(piece if piece[-2] == "/" else f"{piece[:-1]}/>")
        except (ElementTree.ParseError, ValueError):
            return None
        self._tags[piece] = known = self._node(element, 0)
        return known

    def _node(self, element: Element, depth: int) -> tuple[FaceNode, bool]:
        """Return an element as a node, and whether it shows in this ink."""
        at = mark_of(element.attrib.pop(MARK, ""))
        is_shown = self._shows(element.attrib.pop("ink", None), at)
        node = FaceNode(element.tag, element.attrib, at)
        if element.text and (node.tag == "text" or not element.text.isspace()):
            node.content.append(element.text)
        for child in element if depth < _DEEPEST else ():
            inner, is_inner_shown = self._node(child, depth + 1)
            if is_inner_shown:
                node.content.append(inner)
                node.children.append(inner)
            if child.tail and (node.tag == "text" or not child.tail.isspace()):
                node.content.append(child.tail)
        return node, is_shown

    def _shows(self, inks: str | None, at: int | None) -> bool:
        """Return whether an element with such an `ink` shows in the current ink."""
        if inks is None or self._ink in (named := inks.split()):
            return True
        if named and set(named) <= set(INKS):
            return False
        if (at, inks) not in self._was_misread:
            self._was_misread.add((at, inks))
            self.misread[at] = inks
        return True


def _unescaped(words: str) -> str | None:
    try:
        return ElementTree.fromstring(f"<t>{words}</t>").text
    except (ElementTree.ParseError, ValueError):
        return None


def _mistake(text: str, stop: int) -> Malformed | None:
    """Return the mistake in plain words at the place where the parser stopped; the text before it is well-formed."""
    opened: list[re.Match[str]] = []
    offset = 0
    while (piece := _PIECE.match(text, offset)) is not None and piece.end() <= stop:
        offset = piece.end()
        if piece[1]:
            del opened[-1:]
        elif piece[2] and not piece[0].endswith("/>"):
            opened.append(piece)
    closing = _CLOSING.match(text, offset)
    if closing is not None and all(closing[1] != tag[2] for tag in opened):
        near = nearest(closing[1], [tag[2] for tag in opened[-1:]])
        fix = f"did you mean </{near}>?" if near else "take it away"
        return Malformed(f"</{closing[1][:40]}> closes nothing that is open", offset, fix, closing[1])
    if opened and (closing is not None or offset == len(text)):
        name = opened[-1][2][:40]
        fix = f"write </{name}>, or end it with />"
        return Malformed(f"<{name}> is opened here and never closed", opened[-1].end(), fix)
    unquoted = _UNQUOTED.fullmatch(text, offset, stop)
    if unquoted is not None:
        name = unquoted[1][:40]
        return Malformed(f"the value of {name!r} stands in no quotes", stop, f'write {name}="..."')
    return None if text.strip() else Malformed("there is nothing in it", 0, "write <face> ... </face>")


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the line and column of a character in a text, both counted from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def offset_of(text: str, line: int, column: int) -> int:
    """Return the offset of the character at a line and a column, both counted from 1."""
    start = 0
    for newline in islice(_NEWLINE.finditer(text), line - 1):
        start = newline.end()
    return start + column - 1


def mark_before(text: str, offset: int) -> re.Match[str] | None:
    """Return the last `at` mark before an offset in a text; its first group is the number."""
    return next(iter(deque(_MARK.finditer(text, 0, offset), maxlen=1)), None)


def mark_of(written: str) -> int | None:
    """Return the number of a mark; None for no mark, or for an attribute of the template's own."""
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 10 else None
