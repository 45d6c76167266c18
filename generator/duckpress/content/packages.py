"""A zipped document (XLSX, ODS) -> the XML parts that are asked for, and nothing that can run away.

A zip can claim small sizes and hold gigabytes; its parts are therefore unpacked here with their bytes counted. Names
inside it are only ever compared, never used as paths.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

MAX_PART_BYTES = 60_000_000
MAX_PARTS = 2_000
MAX_ELEMENTS = 1_500_000
_CHUNK = 1 << 16


class BrokenPackageError(Exception):
    """Why a zipped document cannot be read, in the words of a problem."""


class Package:
    """The parts of one zipped document, by name."""

    def __init__(self, data: bytes) -> None:
        """Read the list of parts. Raises `BrokenPackageError`."""
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise BrokenPackageError("it is not a zipped document, whatever its name says") from error
        parts = self._zip.infolist()
        if len(parts) > MAX_PARTS:
            raise BrokenPackageError(f"it has {len(parts)} parts; {MAX_PARTS} are allowed")
        self._left = MAX_PART_BYTES
        self._names = {part.filename for part in parts}

    def __contains__(self, name: str) -> bool:
        """Tell whether there is a part of that name."""
        return name in self._names

    def xml(self, name: str) -> Element:
        """Give the root element of a part. Raises `BrokenPackageError`: missing, damaged, too large, with a DOCTYPE."""
        if name not in self._names:
            raise BrokenPackageError(f"its part {name!r} is missing")
        builder = _Builder(name)
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = builder.doctype
        parser.StartElementHandler = builder.start
        parser.EndElementHandler = builder.end
        parser.CharacterDataHandler = builder.data
        try:
            for chunk in self._chunks(name):
                parser.Parse(chunk, False)
            parser.Parse(b"", True)
        except (expat.ExpatError, ValueError, LookupError) as error:
            raise BrokenPackageError(f"its part {name!r} is not well-formed") from error
        return builder.close()

    def _chunks(self, name: str) -> Iterator[bytes]:
        try:
            with self._zip.open(name) as part:
                while chunk := part.read(_CHUNK):
                    self._left -= len(chunk)
                    if self._left < 0:
                        raise BrokenPackageError(f"unpacked it is larger than {MAX_PART_BYTES / 1e6:g} MB")
                    yield chunk
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError) as error:
            raise BrokenPackageError(f"its part {name!r} is damaged or encrypted") from error


class _Builder:
    """Builds a tree from the parser's calls; names are `{namespace}name`, as ElementTree writes them."""

    def __init__(self, part: str) -> None:
        self._part = part
        self._tree = TreeBuilder()
        self.data = self._tree.data
        self._count = 0

    def doctype(self, *_words: object) -> None:
        """Refuse the only way to entities."""
        raise BrokenPackageError(f"its part {self._part!r} has a DOCTYPE, which is not read")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise BrokenPackageError(f"its part {self._part!r} has more than {MAX_ELEMENTS} elements")
        self._tree.start(_bracketed(name), {_bracketed(key): value for key, value in attributes.items()})

    def end(self, name: str) -> None:
        self._tree.end(_bracketed(name))

    def close(self) -> Element:
        return self._tree.close()


def _bracketed(name: str) -> str:
    return f"{{{name}" if "}" in name else name
