"""The XML of faces -> nodes, or why there are none. `art.svg.svg_reader` reads SVG files.

A DOCTYPE is refused, so there are no entities to expand and nothing to fetch. How many elements there can be is known
from the text, before any of them is made.
"""

from __future__ import annotations

import re
from collections import deque
from itertools import islice
from xml.parsers import expat

from msgspec import Struct

from duckpress.core.inks import INKS
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import nearest

MARK = "_at"  # no name of a layout's own: `templates` writes it into every tag
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
_CLOSING = re.compile(r"""</([^\s<>/"'=]++)""")
_UNQUOTED = re.compile(
    r"""<[^\s<>/"'=]++(?>(?:\s++[^\s<>/"'=]++\s*+=\s*+(?:"[^"]*+"|'[^']*+'))*)\s++([^\s<>/"'=]++)\s*+=\s*+"""
)


class FaceNode(Struct, eq=False):
    """An element of a face: its name, its attributes, its place in the template (`at`), and what stands in it.

    `content` has words and elements in their order, `children` the elements alone. An element with nothing in it is
    one and the same node wherever its tag is written the same, so it must never be changed.
    """

    tag: str
    attrib: dict[str, str]
    at: int | None
    content: list[str | FaceNode] = []
    children: list[FaceNode] = []


class Malformed(Struct, frozen=True):
    """Why a text is not the XML wanted: the words of a problem, where (an offset in the text), and the fix.

    `closes` is the name of a closing tag, where one is what is wrong: it has no mark of its own.
    """

    what: str
    offset: int = 0
    fix: str = ""
    closes: str = ""


class FaceReader:
    """Reads faces; the empty elements of one are those of the next.

    An element whose `ink` names other inks than the one at hand is left out as if it was not written. `misread` has
    the elements, each once, whose `ink` is none: they are kept.
    """

    def __init__(self, ink: str = "color") -> None:
        self.misread: dict[int | None, str] = {}
        self._ink = ink
        self._was_misread: set[tuple[int | None, str]] = set()
        self._empty: dict[tuple[object, ...], FaceNode] = {}
        self._open: list[tuple[FaceNode, bool]] = []  # each with whether it shows

    def read(self, xml: str) -> FaceNode | Malformed:
        """Return the root of a face, or why there is none."""
        most = limit("face-elements")
        if xml.count("<") - xml.count("</") - xml.count("<!") > most:
            return Malformed(f"it has more than {most} elements", fix=f"draw less; {how_to_raise('face-elements')}")
        forbidden = _FORBIDDEN.search(xml)
        if forbidden is not None:
            return Malformed("it has a DOCTYPE, which is not read", forbidden.start(), "take the DOCTYPE away")
        if xml[:100].lstrip().startswith("<?xml"):
            # Blanks may stand before the declaration.
            xml = _DECLARATION.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), xml, count=1)
        whole = FaceNode("", {}, None)
        self._open = [(whole, True)]
        parser = expat.ParserCreate("utf-8", "}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._word
        try:
            parser.Parse(xml, True)
        except expat.ExpatError as error:
            stop = offset_of(xml, error.lineno, error.offset + 1)
            return _mistake(xml, stop) or Malformed(expat.errors.messages[error.code], stop)
        except (ValueError, OverflowError) as error:
            return Malformed(str(error)[:100])
        return whole.children[0]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        at = mark_of(attributes.pop(MARK, ""))
        is_shown = self._shows(attributes.pop("ink", None), at) or len(self._open) == 1
        if "}" in name + "".join(attributes):
            name, attributes = _spelt(name), {_spelt(key): value for key, value in attributes.items()}
        self._open.append((FaceNode(name, attributes, at), is_shown))

    def _end(self, _name: str) -> None:
        node, is_shown = self._open.pop()
        if not node.content:
            node = self._empty.setdefault((node.tag, node.at, *node.attrib.items()), node)
        if is_shown:
            parent, _ = self._open[-1]
            parent.content.append(node)
            parent.children.append(node)

    def _word(self, words: str) -> None:
        node, _ = self._open[-1]
        if node.tag == "text" or not words.isspace():
            node.content.append(words)

    def _shows(self, inks: str | None, at: int | None) -> bool:
        """Return whether an element with such an `ink` is there in the ink at hand."""
        if inks is None or self._ink in (named := inks.split()):
            return True
        if named and set(named) <= set(INKS):
            return False
        if (at, inks) not in self._was_misread:
            self._was_misread.add((at, inks))
            self.misread[at] = inks
        return True


def _spelt(name: str) -> str:
    """Return a name with its namespace in braces."""
    return f"{{{name}" if "}" in name else name


def _mistake(text: str, stop: int) -> Malformed | None:
    """Return what a person would say is wrong where the parser stopped; all before it is well-formed."""
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
    """Return where a character of a text stands, both counted from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def offset_of(text: str, line: int, column: int) -> int:
    """Return the character of a text that stands at a line and a column, both counted from 1."""
    start = 0
    for newline in islice(_NEWLINE.finditer(text), line - 1):
        start = newline.end()
    return start + column - 1


def mark_before(text: str, offset: int) -> re.Match[str] | None:
    """Return the last `at` mark before a place of a text; its first group is the number."""
    return next(iter(deque(_MARK.finditer(text, 0, offset), maxlen=1)), None)


def mark_of(written: str) -> int | None:
    """Return the number of a mark; None for none, and for what a template wrote there itself."""
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 10 else None
