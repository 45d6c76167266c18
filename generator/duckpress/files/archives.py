"""The one reader of zip files: bundles, testers' reports, spreadsheets. Nothing in them is unpacked to a disk or run.

A zip can claim small sizes and hold gigabytes, list a million files in a megabyte, or lay its files over one another so
that they unpack to more than any of them says. So its list of contents is measured before it is read, files must not
overlap, and what is unpacked is counted as it comes. Names inside are compared and shown, never used as paths.
Source of the sizes: APPNOTE.TXT 6.3.10 (PKWARE), sections 4.3.7 to 4.3.16.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from duckpress.core.limits import how_to_raise, limit, written

FILES = "archive-files"
_CHUNK = 1 << 18
_END = b"PK\x05\x06"
_LOCAL = b"PK\x03\x04"
_SIZES_FOLLOW, _UTF8 = 0x8, 0x800  # flags of a file: its sizes stand behind it, its name is in UTF-8
_END_BYTES = 22
_LARGE_END = b"PK\x06\x07"  # before the end of a zip in the larger format, for more than 65,535 files or 4 GB
_LARGE_END_BYTES = 20
_MOST_COMMENT = 1 << 16
_LOCAL_BYTES = 30  # of the record before each file, without its name
_ENTRY_BYTES = 600  # that a file may take in the list of contents: a record of 46, a name, and what packers add
# What zipfile cannot unpack (a method, a password) is a `NotImplementedError` or a plain `RuntimeError`, its parent.
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError, ValueError, struct.error)


class BadArchive(Exception):
    """Why a zip is refused, in the words of a problem; `is_unsafe` tells malice (or a limit) from damage."""

    def __init__(self, what: str, fix: str = "", *, is_unsafe: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix
        self.is_unsafe = is_unsafe


def is_archive(file: IO[bytes]) -> bool:
    """Return whether an open file is a zip, wherever in it the zip begins."""
    try:
        return _end_of(file) is not None
    except OSError:
        return False


class Archive:
    """The files in an open zip, by name; `total` names the limit of their unpacked size together."""

    def __init__(self, file: IO[bytes], total: str) -> None:
        """Read the list of contents. Raises `BadArchive`."""
        self._file = file
        self._total = total
        self._left = limit(total)
        try:
            end = _end_of(file)
            if end is None:
                raise BadArchive("this is no zip file")
            count, size = struct.unpack("<HL", end[10:16])
            if size > limit(FILES) * _ENTRY_BYTES:  # longer than so many files need, before it is read as a whole
                raise _too_many(f"{count} or more")
            self._zip = zipfile.ZipFile(file)
        except _BROKEN as error:
            raise BadArchive(f"the zip cannot be read: {str(error)[:80]}") from error
        entries = self._zip.infolist()
        if len(entries) > limit(FILES):
            raise _too_many(f"{len(entries)}")
        self.entries: dict[str, zipfile.ZipInfo] = {}
        for entry in entries:
            if fault := "stands in it twice" if entry.filename in self.entries else _fault(entry):
                raise BadArchive(f"{entry.filename[:80]!r} {fault}", is_unsafe=True)
            self.entries[entry.filename] = entry
        end_of_last = 0
        for entry in sorted(entries, key=lambda entry: entry.header_offset):
            if entry.header_offset < end_of_last:
                raise BadArchive(f"{entry.filename[:80]!r} lies over another file", is_unsafe=True)
            end_of_last = entry.header_offset + _LOCAL_BYTES + entry.compress_size

    def chunks(self, name: str, limited_by: str) -> Iterator[bytes]:
        """Yield a file piece by piece. Raises `BadArchive`: damaged, larger than declared, or above its limit."""
        entry = self.entries[name]
        most, size = limit(limited_by), 0
        try:
            with self._zip.open(entry) as part:
                while data := part.read(_CHUNK):
                    size += len(data)
                    self._left -= len(data)
                    if size > entry.file_size:
                        raise BadArchive(f"{name[:80]!r} is larger than it says", is_unsafe=True)
                    for over, which in ((size > most, limited_by), (self._left < 0, self._total)):
                        if over:
                            what = f"unpacked, {name[:80]!r} comes to more than {written(limit(which))} bytes"
                            raise BadArchive(what, how_to_raise(which), is_unsafe=True)
                    yield data
        except _BROKEN as error:
            raise BadArchive(f"{name[:80]!r} is damaged: {str(error)[:80]}") from error

    def read(self, name: str, limited_by: str) -> bytes:
        """Return a file's bytes. Raises `BadArchive` as `chunks` does."""
        return b"".join(self.chunks(name, limited_by))

    def agrees(self, name: str) -> bool:
        """Return whether a file's local header agrees with its entry in the list of contents.

        Programs that unpack a zip as it comes go by that record alone: what the two disagree on is not the same file
        to everybody. Sizes that were not known yet when the record was written are left out.
        """
        entry = self.entries[name]
        try:
            self._file.seek(entry.header_offset)
            record = struct.unpack("<4s5H3L2H", self._file.read(_LOCAL_BYTES))
            said = self._file.read(record[9])
        except _BROKEN:
            return False
        flags = record[2]
        listed = (entry.CRC, entry.compress_size, entry.file_size)
        is_later = flags & _SIZES_FOLLOW and record[6:9] == (0, 0, 0)
        return (
            (record[0], flags, record[3]) == (_LOCAL, entry.flag_bits, entry.compress_type)
            and (is_later or record[6:9] == listed)
            and said == entry.orig_filename.encode("utf-8" if flags & _UTF8 else "cp437", "replace")
        )


def _end_of(file: IO[bytes]) -> bytes | None:
    """Return the end record of a zip; None without such a record. Raises `BadArchive` for ZIP64."""
    length = file.seek(0, 2)
    file.seek(max(0, length - _END_BYTES - _MOST_COMMENT - _LARGE_END_BYTES))
    tail = file.read(_END_BYTES + _MOST_COMMENT + _LARGE_END_BYTES)
    # As `zipfile` looks for it: at the very end, where there is no comment, and else the last one there is.
    plain = len(tail) - _END_BYTES
    at = plain if tail[plain : plain + 4] == _END and tail.endswith(b"\0\0") else tail.rfind(_END)
    if at < 0 or len(tail) < at + _END_BYTES:
        return None
    if tail[max(0, at - _LARGE_END_BYTES) : at].startswith(_LARGE_END):
        raise BadArchive("it is a zip of the format for more than 65,535 files or 4 GB", is_unsafe=True)
    return tail[at : at + _END_BYTES]


def _fault(entry: zipfile.ZipInfo) -> str | None:
    if entry.flag_bits & 0x1:
        return "is locked with a password"
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is packed in a way that is not read"  # others unpack without any measure
    return None


def _too_many(count: str) -> BadArchive:
    what = f"it lists {count} files; {written(limit(FILES))} are allowed"
    return BadArchive(what, how_to_raise(FILES), is_unsafe=True)
