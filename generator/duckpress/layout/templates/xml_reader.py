"""The XML of faces read: text -> element tree, or why not. `art.svg.svg_file` reads SVG files.

A DOCTYPE is refused, so there are no entities to expand and nothing to fetch. How many elements there can be is known
from the text (`face_xml` counts), before any of them is made.
"""

from __future__ import annotations

import re
from itertools import islice
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from msgspec import Struct

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


class Malformed(Struct, frozen=True):
    """Why a text is not the XML wanted: the words of a problem, where (an offset in the text), and the fix.

    `closes` is the name of a closing tag, where one is what is wrong: it has no mark of its own.
    """

    what: str
    offset: int = 0
    fix: str = ""
    closes: str = ""


def read_xml(text: str) -> Element | Malformed:
    """Return the root element of a text."""
    forbidden = _FORBIDDEN.search(text)
    if forbidden is not None:
        return Malformed("it has a DOCTYPE, which is not read", forbidden.start(), "take the DOCTYPE away")
    if text.startswith("<?xml") or text[:100].lstrip().startswith("<?xml"):
        # The text is decoded already; an encoding named in the declaration would be applied a second time.
        text = _DECLARATION.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text, count=1)
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        line, column = error.position
        stop = offset_of(text, line, column + 1)
        return _mistake(text, stop) or Malformed(str(error).partition(": line")[0], stop)
    except (ValueError, OverflowError) as error:
        return Malformed(str(error)[:100])


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
    if closing is not None and all(closing[1] != one[2] for one in opened):
        near = nearest(closing[1], [one[2] for one in opened[-1:]])
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


def too_many_elements() -> Malformed:
    """Return the words for a face of more elements than one may have."""
    what = f"it has more than {limit('face-elements')} elements"
    return Malformed(what, fix=f"draw less; {how_to_raise('face-elements')}")


def find_excess(root: Element) -> Malformed | None:
    """Return what is too much about a tree (its depth or its number of elements), or nothing."""
    level = [root]
    count = depth = 0
    most_elements, most_deep = limit("face-elements"), limit("face-depth")
    while level:
        count += len(level)
        depth += 1
        if count > most_elements:
            return too_many_elements()
        if depth > most_deep:
            what = f"its elements are nested more than {most_deep} deep"
            return Malformed(what, fix=f"flatten the layout; {how_to_raise('face-depth')}")
        level = [child for element in level for child in element]
    return None


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
    found = None
    for match in _MARK.finditer(text, 0, offset):
        found = match
    return found


def mark_of(written: str) -> int | None:
    """Return the number of a mark; None for none, and for what a template wrote there itself."""
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 10 else None
