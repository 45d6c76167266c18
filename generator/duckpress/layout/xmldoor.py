"""The one door for the XML of faces: text -> element tree, or why not. (`svgdoor` is the one for SVG files.)

A DOCTYPE is refused, so there are no entities to expand and nothing to fetch. How many elements there can be is known
from the text (`facexml` counts), before any of them is made.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from msgspec import Struct

from duckpress.limits import how_to_raise, limit

MARK = "_at"  # no name of a layout's own: `templates` writes it into every tag
_MARK = re.compile(rf' {MARK}="(\d+)"', re.ASCII)
_DECLARATION = re.compile(r"\s*<\?xml\s[^>]*\?>")
_FORBIDDEN = re.compile(r"<!DOCTYPE|<!ENTITY")


class Malformed(Struct, frozen=True):
    """Why a text is not the XML wanted: the words of a problem, where (line and column of the text), and the fix."""

    what: str
    line: int = 1
    column: int = 1
    fix: str = ""


def read_xml(text: str) -> Element | Malformed:
    """Give the root element of a text."""
    forbidden = _FORBIDDEN.search(text)
    if forbidden is not None:
        line, column = line_and_column(text, forbidden.start())
        return Malformed("it has a DOCTYPE, which is not read", line, column, "take the DOCTYPE away")
    if text.startswith("<?xml") or text[:100].lstrip().startswith("<?xml"):
        # The text is decoded already; an encoding named in the declaration would be applied a second time.
        text = _DECLARATION.sub(lambda match: "\n" * match[0].count("\n"), text, count=1)
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        line, column = error.position
        return Malformed(str(error).partition(": line")[0], line, column + 1)
    except (ValueError, OverflowError) as error:
        return Malformed(str(error)[:100])


def too_many_elements() -> Malformed:
    """Give the words for a face of more elements than one may have."""
    what = f"it has more than {limit('face-elements')} elements"
    return Malformed(what, fix=f"draw less; {how_to_raise('face-elements')}")


def find_excess(root: Element) -> Malformed | None:
    """Give what is too much about a tree (its depth or its number of elements), or nothing."""
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
    """Give where a character of a text stands, both counted from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def mark_before(text: str, line: int, column: int) -> int | None:
    """Give the number of the last `at` mark before a place of a text."""
    end = 0
    for _ in range(line - 1):
        end = text.find("\n", end) + 1
    found = None
    for match in _MARK.finditer(text, 0, end + column):
        found = int(match[1])
    return found


def mark_of(written: str) -> int | None:
    """Give the number of a mark; None for none, and for what a template wrote there itself."""
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 10 else None
