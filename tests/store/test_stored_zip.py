"""A bundle is one row of bytes: a single other byte, anywhere in it, and it is not whole."""

from __future__ import annotations

import hashlib
import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import duckpress.store.stored_zip as storedzip
from duckpress.core.problems import MachineError
from duckpress.share.bundle_check import check_bundle
from duckpress.store.stored_zip import ZippedFile, departs_at, zip_bytes
from held_pond import Pond, pond_files

TOP = "pond-0.2"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a bundle with an update pack in it."""
    pond = Pond(tmp_path_factory.mktemp("pond"), pond_files("bundle: {papers: [a5]}\n"))
    pond.done("release", "pond")
    pond.edit("game.yaml", ("0.1", "0.2"))
    pond.edit("decks/duck.yaml", ("One.", "Three."))
    pond.done("bundle", "pond")
    return (pond.output / f"{TOP}.zip").read_bytes()


@pytest.fixture
def codes(tmp_path: Path) -> Callable[[bytes], set[str]]:
    """Return what a check says of a bundle of such bytes."""
    file = tmp_path / "held.zip"

    def checked(data: bytes) -> set[str]:
        file.write_bytes(data)
        return {problem.code for problem in check_bundle(file).problems if problem.level == "error"}

    return checked


def test_a_zip_of_files_is_what_other_programs_make_of_them() -> None:
    files = {"top/b": b"two", "top/a": bytes(3000), "top/é.txt": b"", "a": b"one"}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            archive.writestr(entry, files[name])
    assert zip_bytes(files) == made.getvalue()


def test_what_no_common_zip_can_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"top/a": bytes(100), "top/b": bytes(100)}
    size = len(zip_bytes(files))
    monkeypatch.setattr(storedzip, "_MOST_BYTES", size - 22)
    with pytest.raises(MachineError, match="is larger than a zip can be"):
        zip_bytes(files)
    monkeypatch.setattr(storedzip, "_MOST_BYTES", size)
    monkeypatch.setattr(storedzip, "_MOST_FILES", 2)
    with pytest.raises(MachineError, match="is larger than a zip can be"):
        zip_bytes(files)


def test_where_a_zip_departs_is_told_to_the_byte() -> None:
    data = zip_bytes({"top/a": b"one", "top/b": b"two"})
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = [ZippedFile(one.filename, one.CRC, one.file_size) for one in archive.infolist()]
    assert departs_at(io.BytesIO(data), parts[::-1]) is None
    assert departs_at(io.BytesIO(data + b"\0"), parts) == len(data)
    assert departs_at(io.BytesIO(data[:-1]), parts) == len(data) - 1
    contents = {*range(30 + 5, 38), *range(38 + 30 + 5, 76)}
    for at in range(len(data)):
        told = departs_at(io.BytesIO(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]), parts)
        assert told == ((35 if at < 38 else 73) if at in contents else at)


def test_every_byte_counts(whole: bytes, codes: Callable[[bytes], set[str]]) -> None:
    """Those around the files are tried one by one above."""
    assert not codes(whole)
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        entries, start = archive.infolist(), archive.start_dir
    assert len(entries) == 13
    first = [one.header_offset + 30 + len(one.filename) for one in entries]
    last = [at + one.file_size - 1 for at, one in zip(first, entries, strict=True)]
    chosen = random.Random(7).sample(range(len(whole)), 100)
    for at in (*first, *last, *range(start, len(whole), 31), *chosen):
        assert codes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :]), at


def again(data: bytes, kind: int = zipfile.ZIP_STORED) -> bytes:
    """Return the same files packed by another program."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as held, zipfile.ZipFile(made, "w", kind) as archive:
        for one in held.infolist():
            archive.writestr(one.filename, held.read(one.filename))
    return made.getvalue()


def test_a_bundle_packed_again_is_told_from_a_changed_one(whole: bytes, codes: Callable[[bytes], set[str]]) -> None:
    for data in (again(whole), again(whole, zipfile.ZIP_DEFLATED)):
        assert codes(data) == {"bundle-repacked"}
    for data in (whole + b"\0", b"#!/bin/sh\n" + whole, whole + whole):
        assert codes(data) & {"bundle-repacked", "unsafe-bundle", "bad-bundle"}
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    readme = f"{TOP}/README.txt"
    assert codes(zip_bytes(files | {readme: files[readme] + b" "})) == {"bundle-changed"}


def test_lists_are_held_to_their_form_too(whole: bytes, codes: Callable[[bytes], set[str]]) -> None:
    """Checksums that say the same in another way, and with them everything that could follow from that."""
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    sums, manifest = f"{TOP}/SHA256SUMS", f"{TOP}/manifest.json"
    lines = files[sums].decode().splitlines(keepends=True)
    for other in ("".join(reversed(lines)), "".join(lines).replace("\n", "\r\n"), "".join([*lines, lines[0]])):
        assert codes(zip_bytes(files | {sums: other.encode()})) == {"bundle-changed"}
    loose = json.dumps(json.loads(files[manifest])).encode()
    assert codes(zip_bytes(files | {manifest: loose})) == {"bundle-changed"}
    old, new = (hashlib.sha256(data).hexdigest() for data in (files[manifest], loose))
    followed = files[sums].replace(old.encode(), new.encode())
    # Who writes every list anew has made a bundle of their own, which says what it is.
    assert not codes(zip_bytes(files | {manifest: loose, sums: followed}))
