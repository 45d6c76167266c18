"""The one door for XML, from layouts and from SVG art: text -> element tree, or why not.

A DOCTYPE is refused, so there are no entities to expand and nothing to fetch.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

MAX_ELEMENTS = 20_000
MAX_DEPTH = 60

MARK = "_at"  # no name of a layout's own: `templates` writes it into every tag
_MARK = re.compile(rf' {MARK}="(\d+)"')
_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")


class Malformed(NamedTuple):
    """Why a text is not the XML wanted: the words of a problem, and where (line and column of the text, from 1)."""

    what: str
    line: int = 1
    column: int = 1


def read_xml(text: str) -> Element | Malformed:
    """Give the root element of a text."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        return Malformed("it has a DOCTYPE, which is not read")
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


def find_excess(root: Element, max_elements: int = MAX_ELEMENTS, max_depth: int = MAX_DEPTH) -> str:
    """Give what is too much about a tree (its depth or its number of elements), or nothing."""
    level = [root]
    count = depth = 0
    while level:
        count += len(level)
        depth += 1
        if count > max_elements:
            return f"it has more than {max_elements} elements"
        if depth > max_depth:
            return f"its elements are nested more than {max_depth} deep"
        level = [child for element in level for child in element]
    return ""


def mark_before(text: str, line: int, column: int) -> int | None:
    """Give the number of the last `at` mark before a place of a text."""
    end = 0
    for _ in range(line - 1):
        end = text.find("\n", end) + 1
    found = None
    for match in _MARK.finditer(text, 0, end + column):
        found = int(match[1])
    return found
