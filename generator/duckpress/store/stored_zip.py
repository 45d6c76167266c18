"""The one form of all zips: the same files give the same bytes, and every byte follows from the files.

Files are stored as they are, sorted by name, each with the same date and rights, nothing before, between or behind
them. PDFs and pictures are compressed already, and compressing again would differ between machines. Since nothing in
such a zip is free, a bundle that somebody holds can be compared with what it has to be, byte by byte (`departs_at`).
Source: APPNOTE.TXT 6.3.10 (PKWARE), sections 4.3.7 (record before a file), 4.3.12 (list) and 4.3.16 (end).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, NamedTuple

from duckpress.core.problems import MachineError

_VERSION = 20  # that is needed to unpack: 2.0
_UNIX = 3  # the system whose rights `_RIGHTS` are
_RIGHTS = 0o100644 << 16  # a plain file, to be read by everybody
_UTF8 = 0x800  # the flag that says that a name is in UTF-8
_STORED = 0
_TIME, _DATE = 0, 0x21  # 1 January 1980, the earliest that a zip can say
_MOST_FILES, _MOST_BYTES = 0xFFFF, 0xFFFFFFFF  # beyond begins a larger format, which few programs open
_CHUNK = 1 << 18


class ZippedFile(NamedTuple):
    """A file in a zip: its name with all folders, the CRC-32 of its content, and its size in bytes."""

    name: str
    crc: int
    size: int


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of files by name. Raises `MachineError` above the limits of the common format."""
    parts = [ZippedFile(name, zlib.crc32(data), len(data)) for name, data in sorted(files.items())]
    around = sum(len(_record(part)) + 46 + len(part.name.encode()) for part in parts)  # the bytes besides the content
    if len(parts) >= _MOST_FILES or around + sum(map(len, files.values())) >= _MOST_BYTES:
        raise MachineError("this is larger than a zip can be (4 GB): take fewer papers, inks, languages or pieces")
    data: list[bytes] = []
    for part in parts:
        data += [_record(part), files[part.name]]
    return b"".join([*data, *_list(parts)])


def departs_at(file: IO[bytes], parts: Sequence[ZippedFile]) -> int | None:
    """Return the first byte (from 0) at which an open file differs from the zip of such files, or None."""
    file.seek(0)
    at = 0
    ordered = sorted(parts)
    for part in ordered:
        wanted = _record(part)
        if (differs := _differs(wanted, file.read(len(wanted)))) is not None:
            return at + differs
        at += len(wanted)
        crc, left = 0, part.size
        while left and (data := file.read(min(left, _CHUNK))):
            crc, left = zlib.crc32(data, crc), left - len(data)
        if left or crc != part.crc:
            return at
        at += part.size
    for wanted in _list(ordered):
        if (differs := _differs(wanted, file.read(len(wanted)))) is not None:
            return at + differs
        at += len(wanted)
    return at if file.read(1) else None


def _differs(wanted: bytes, actual: bytes) -> int | None:
    if wanted == actual:
        return None
    pairs = enumerate(zip(wanted, actual, strict=False))
    return next((at for at, (byte, other) in pairs if byte != other), len(actual))


def _name(part: ZippedFile) -> tuple[bytes, int]:
    """Return a name as bytes, and the flags for its encoding."""
    return part.name.encode(), 0 if part.name.isascii() else _UTF8


def _record(part: ZippedFile) -> bytes:
    """Return the local header of a file."""
    name, flags = _name(part)
    kind = (_VERSION, flags, _STORED, _TIME, _DATE)
    return struct.pack("<4s5H3L2H", b"PK\3\4", *kind, part.crc, part.size, part.size, len(name), 0) + name


def _list(parts: Sequence[ZippedFile]) -> Iterator[bytes]:
    """Yield the end of a zip: an entry for each file, and the end record."""
    at = size = 0
    for part in parts:
        name, flags = _name(part)
        kind = (_VERSION, _UNIX, _VERSION, flags, _STORED, _TIME, _DATE)
        sizes = (part.crc, part.size, part.size, len(name), 0, 0, 0, 0)
        entry = struct.pack("<4s2B5H3L5H2L", b"PK\1\2", *kind, *sizes, _RIGHTS, at) + name
        yield entry
        size += len(entry)
        at += len(_record(part)) + part.size
    yield struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, len(parts), len(parts), size, at, 0)
