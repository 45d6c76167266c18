"""SVG files -> drawings: read through one door, styled, transformed, in any look."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

LINK = "{http://www.w3.org/1999/xlink}href"


class SvgNode(Struct, eq=False):
    """An element: its SVG name (empty for a foreign one), its attributes, its content, and its place in the file."""

    tag: str
    attrib: dict[str, str]
    line: int
    column: int
    children: list[SvgNode] = []
    words: str = ""

    def every(self) -> Iterator[SvgNode]:
        """Yield this element and all its descendants, in the order of the file."""
        waiting = [self]
        while waiting:
            part = waiting.pop()
            yield part
            waiting += reversed(part.children)
