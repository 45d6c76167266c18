"""A bundle from anywhere -> whether it is complete and unchanged; it is opened as an untrusted file.

Nothing of it is unpacked or run. Names and kinds of files are looked at before anything is read; sizes are measured as
it is decompressed, by the one door to archives. Where every file is what the lists say, the zip as a whole is held
against the one form that it can have, so that no byte of it can be another one unseen.
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from duckpress.core.problems import MachineError, Problem, Source, sorted_problems
from duckpress.files.archives import Archive, BadArchive, is_archive
from duckpress.files.workspace import Refused, open_plain_file
from duckpress.press.releases.release_files import SUFFIX, read_lock
from duckpress.store.stored_zip import ZippedFile, departs_at

FORMAT = 1
MANIFEST = "manifest.json"
SUMS = "SHA256SUMS"


def sums_of(digests: Mapping[str, str]) -> bytes:
    """Return the list of checksums of files by name, as `sha256sum -c` reads it."""
    return "".join(f"{digests[name]}  {name}\n" for name in sorted(digests)).encode()


_SUM = re.compile(r"([0-9a-f]{64})  (\S.*)")
_FIX = "fetch the bundle again, from where it came"


class BundleChecked(NamedTuple):
    """A bundle: its game and version, the number of its files, and its problems."""

    game: str
    version: str
    files: int
    problems: tuple[Problem, ...]


def check_bundle(path: Path) -> BundleChecked:
    """Check a bundle. Raises `MachineError` if the file cannot be read.

    Problems: `bad-bundle` for a file that is none, `unsafe-bundle` for names, sizes and kinds of files that no bundle
    has, `bundle-missing`, `bundle-changed` and `bundle-extra` for what is not as its lists say, `bundle-repacked` where
    all files are and the zip around them is not.
    """
    source = Source(str(path))
    try:
        file = open_plain_file(path)
    except (OSError, Refused) as error:
        why = error.what if isinstance(error, Refused) else (error.strerror or str(error)).lower()
        raise MachineError(f"cannot read {path}: {why}") from error
    with file:
        try:
            if not is_archive(file):
                raise BadArchive("this is no zip file")
            return _Checker(file, Archive(file, "archive-all"), path).check()
        except BadArchive as bad:
            code, fix = "unsafe-bundle" if bad.is_unsafe else "bad-bundle", f"{_FIX}; {bad.fix}" if bad.fix else _FIX
            return BundleChecked("", "", 0, (Problem(code, source, bad.what, fix),))


class _Checker:
    def __init__(self, file: IO[bytes], archive: Archive, path: Path) -> None:
        self._file, self._archive, self._path = file, archive, path
        self._problems: list[Problem] = []
        self._entries: dict[str, zipfile.ZipInfo] = {}
        self._digests: dict[str, tuple[str, int]] = {}

    def check(self) -> BundleChecked:
        """Return the result of the check."""
        top = self._open_entries()
        manifest: dict[str, Any] = {}
        if not self._problems:
            for name, entry in self._entries.items():
                digest, size = hashlib.sha256(), 0
                for data in self._archive.chunks(entry.filename, "archive-file"):
                    size += len(data)
                    digest.update(data)
                self._digests[name] = digest.hexdigest(), size
                if not self._archive.agrees(entry.filename):
                    self._say("bad-bundle", name, f"the zip says two things of {name}: other programs may fail on it")
            manifest = self._manifest()
            self._compare_sums()
            for name in self._entries:
                if name.endswith(SUFFIX) and (lock := self._read(name)) is not None:
                    self._problems += read_lock(lock, Source(f"{self._path}/{name}")).problems
            if manifest and top != f"{manifest['game']}-{manifest['version']}":
                what = f"the folder is called {top!r}, and the list speaks of {manifest['game']} {manifest['version']}"
                self._say("bundle-changed", top, what)
        # The zip against the one that its files make: dates, rights, order, and what stands around them.
        parts = [ZippedFile(entry.filename, entry.CRC, entry.file_size) for entry in self._entries.values()]
        at = None if self._problems else departs_at(self._file, parts)
        if at is not None:
            what = f"every file in it is as it was packed, but the zip around them is not, from byte {at + 1} on"
            fix = f"somebody packed it again, or it came through damaged: {_FIX}"
            self._problems.append(Problem("bundle-repacked", Source(str(self._path)), what, fix))
        problems = tuple(sorted_problems(dict.fromkeys(self._problems)))
        return BundleChecked(manifest.get("game", ""), manifest.get("version", ""), len(self._entries), problems)

    def _say(self, code: str, name: str, what: str) -> None:
        self._problems.append(Problem(code, Source(f"{self._path}/{name}" if name else str(self._path)), what, _FIX))

    def _open_entries(self) -> str:
        """Accept the files of the zip if all are valid in a bundle; return its one folder."""
        tops: set[str] = set()
        for info in self._archive.entries.values():
            if _is_folder(info):
                continue  # who packed the files of a bundle again has made it: nothing is in it
            fault = _fault(info)
            top, _, name = info.filename.partition("/")
            if fault is None and (not name or name in self._entries):
                fault = "stands in it twice" if name else "lies in no folder"
            if fault is not None:
                self._say("unsafe-bundle", "", f"{info.filename[:80]!r} {fault}")
                continue
            tops.add(top)
            self._entries[name] = info
        if len(tops) > 1:
            self._say("unsafe-bundle", "", f"its files lie in several folders: {', '.join(sorted(tops)[:4])[:80]}")
        return next(iter(tops), "")

    def _read(self, name: str) -> bytes | None:
        info = self._entries.get(name)
        if info is None:
            self._say("bundle-missing", name, f"{name} is missing")
            return None
        return self._archive.read(info.filename, "lock-file")

    def _manifest(self) -> dict[str, Any]:
        """Compare the files with the manifest; return the manifest."""
        data = self._read(MANIFEST)
        if data is None:
            return {}
        try:
            read = json.loads(data)
            if read["bundle"] != FORMAT or not isinstance(read["game"], str) or not isinstance(read["version"], str):
                raise ValueError
            listed = {str(entry["name"]): (str(entry["sha256"]), int(entry["bytes"])) for entry in read["files"]}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self._say("bad-bundle", MANIFEST, "this is no list of a bundle's files")
            return {}
        self._compare(listed, {MANIFEST, SUMS}, has_sizes=True)
        return dict(read)

    def _compare_sums(self) -> None:
        data = self._read(SUMS)
        if data is None:
            return
        listed: dict[str, tuple[str, int]] = {}
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            match = _SUM.fullmatch(line)
            if match is None:
                self._say("bad-bundle", SUMS, f"line {number} is no checksum")
                return
            listed[match[2]] = match[1], 0
        self._compare(listed, {SUMS}, has_sizes=False)
        if not self._problems and data != sums_of({name: self._digests[name][0] for name in listed}):
            self._say("bundle-changed", SUMS, f"{SUMS} is not written as it was packed")

    def _compare(self, listed: dict[str, tuple[str, int]], others: set[str], *, has_sizes: bool) -> None:
        for name, (digest, size) in listed.items():
            actual = self._digests.get(name)
            if actual is None:
                self._say("bundle-missing", name[:80], f"{name[:80]} is missing")
            elif actual[0] != digest or (has_sizes and actual[1] != size):
                self._say("bundle-changed", name, f"{name} is not as it was packed")
        for name in self._digests:
            if name not in listed and name not in others:
                self._say("bundle-extra", name, f"{name} was not in the bundle when it was packed")


def _is_folder(info: zipfile.ZipInfo) -> bool:
    """Return whether an entry is an empty folder with a valid name."""
    return info.is_dir() and info.file_size == 0 and _fault(zipfile.ZipInfo(info.filename.rstrip("/"))) is None


def _fault(info: zipfile.ZipInfo) -> str | None:
    """Return in words why a file does not belong in a bundle; None for a plain file with a plain name."""
    name = info.filename
    parts = name.split("/")
    kind = stat.S_IFMT(info.external_attr >> 16)
    is_odd = any(part in ("", ".", "..") for part in parts) or any(letter in name for letter in '\\:*?"<>|')
    if is_odd or not name.isprintable() or len(name) > 240:
        return "is no name of a file in a bundle"
    if info.is_dir() or kind not in (0, stat.S_IFREG):
        return "is no plain file"
    return None
