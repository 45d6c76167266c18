"""A zipped document (XLSX, ODS) -> the XML parts that are asked for, and nothing that can run away.

The zip is read through the one door to archives. Its XML is read without DOCTYPE, so there are no entities to expand
and nothing outside to fetch; elements are counted, and how deep they lie in one another.
"""

from __future__ import annotations

import io
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from duckpress.content.tables.cells import TableRoom
from duckpress.core.limits import how_to_raise, limit, written
from duckpress.files.archives import Archive, BadArchive

# The attributes that `xlsx` and `ods` ask for; what is kept of all others would be most of a part.
_READ = {
    *("Id", "Target", "date1904", "formatCode", "id", "name", "numFmtId", "r", "s", "state", "t"),
    *("boolean-value", "c", "formula", "number-columns-repeated", "number-rows-repeated", "value", "value-type"),
}
_DEEPEST = 100  # elements in each other; spreadsheets have a dozen, and what reads them goes down with them


class Package:
    """The parts of one zipped document, by name."""

    def __init__(self, data: bytes, room: TableRoom) -> None:
        """Read the list of parts. Raises `BadArchive`."""
        self._room = room
        self._archive = Archive(io.BytesIO(data), "sheet-file")

    def __contains__(self, name: str) -> bool:
        """Return whether there is a part of that name."""
        return name in self._archive.entries

    def xml(self, name: str, most: int | None = None) -> Element:
        """Return the root element of a part, which may have `most` elements, else as many as are left.

        Raises `BadArchive`: missing, damaged, too large, with a DOCTYPE.
        """
        if name not in self:
            raise BadArchive(f"its part {name[:80]!r} is missing")
        data = self._archive.read(name, "sheet-file")
        self._room.bytes -= len(data)
        if self._room.bytes < 0:
            what = f"unpacked, the spreadsheets of the game come to more than {written(limit('sheet-file'))} bytes"
            raise BadArchive(what, how_to_raise("sheet-file"))
        builder = _TreeBuilder(name, self._room, most)
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = builder.doctype
        parser.StartElementHandler = builder.start
        parser.EndElementHandler = builder.end
        parser.CharacterDataHandler = builder.data
        try:
            # At once: older versions of expat read a long name again with every chunk that does not end it.
            parser.Parse(data, True)
        except (expat.ExpatError, ValueError, LookupError) as error:
            raise BadArchive(f"its part {name[:80]!r} is not well-formed") from error
        return builder.tree.close()


class _TreeBuilder:
    """Builds a tree from the parser's calls; names are `{namespace}name`, as ElementTree writes them."""

    def __init__(self, part: str, room: TableRoom, most: int | None) -> None:
        self._part = part
        self._least_left = -1 if most is None else room.elements - most
        self.tree = TreeBuilder()
        self.data = self.tree.data
        self._room = room
        self._depth = 0
        self._known: dict[str, str] = {}  # by the names of attributes: what they are called, nothing if not read

    def doctype(self, *_words: object) -> None:
        """Refuse the only way to entities."""
        raise BadArchive(f"its part {self._part!r} has a DOCTYPE, which is not read")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._room.elements -= 1
        self._depth += 1
        if self._room.elements < 0:
            what = f"the spreadsheets of the game have more than {written(limit('sheet-elements'))} elements"
            raise BadArchive(what, how_to_raise("sheet-elements"))
        if self._room.elements < self._least_left:
            raise BadArchive(f"its part {self._part!r} has more elements than a spreadsheet can need")
        if self._depth > _DEEPEST:
            raise BadArchive(f"its part {self._part!r} has elements more than {_DEEPEST} deep in each other")
        known = self._known
        read = {}
        for key, value in attributes.items():
            kept = known.get(key)
            if kept is None:
                kept = known[key] = _bracketed(key) if key.rpartition("}")[2] in _READ else ""
            if kept:
                read[kept] = value
        self.tree.start(_bracketed(name), read)

    def end(self, name: str) -> None:
        self._depth -= 1
        self.tree.end(_bracketed(name))


def _bracketed(name: str) -> str:
    return f"{{{name}" if "}" in name else name
