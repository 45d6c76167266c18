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

PLACES_IN_A_FILE = 15
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


def entries_of(data: bytes) -> tuple[list[zipfile.ZipInfo], int]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.infolist(), archive.start_dir


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


@pytest.mark.sweep(2)
@pytest.mark.parametrize("step", [7, 1])
def test_every_byte_around_the_files_counts(whole: bytes, codes: Callable[[bytes], set[str]], step: int) -> None:
    assert not codes(whole)
    entries, start = entries_of(whole)
    assert len(entries) == 13
    places = [one.header_offset + at for one in entries for at in range(30 + len(one.filename))]
    places += range(start, len(whole))
    unseen = []
    for at in places[::step]:
        bit = 1 << at % 8
        if not codes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :]):
            unseen.append(at)
    assert not unseen


def test_every_file_counts_wherever_a_byte_of_it_is_another(whole: bytes, codes: Callable[[bytes], set[str]]) -> None:
    chosen = random.Random(7)
    for one in entries_of(whole)[0]:
        first = one.header_offset + 30 + len(one.filename)
        inside = {0, one.file_size - 1} | {chosen.randrange(one.file_size) for _ in range(PLACES_IN_A_FILE)}
        for at in sorted(first + place for place in inside):
            bit = 1 << chosen.randrange(8)
            assert codes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :]), (one.filename, at - first)


def again(
    data: bytes, kind: int = zipfile.ZIP_STORED, *, comment: bytes = b"", is_turned: bool = False,
    has_dates: bool = False, of_file: bytes = b"",
) -> bytes:  # fmt: skip
    """Return the same files packed by another program, which may keep their dates and rights."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as held, zipfile.ZipFile(made, "w", kind) as archive:
        entries = held.infolist()
        if not has_dates:
            archive.mkdir(TOP)
        for number, one in enumerate(reversed(entries) if is_turned else entries):
            one.comment = of_file if number == 3 else b""
            archive.writestr(one if has_dates else one.filename, held.read(one.filename))
        archive.comment = comment
    return made.getvalue()


PACKED_AGAIN: dict[str, Callable[[bytes], bytes]] = {
    "more": lambda data: data + b"\0",
    "before": lambda data: b"#!/bin/sh\n" + data,
    "twice": lambda data: data + data,
    "a comment": lambda data: again(data, comment=b"hello", has_dates=True),
    "a comment of a file": lambda data: again(data, of_file=b"hello", has_dates=True),
    "another order": lambda data: again(data, is_turned=True, has_dates=True),
    "another program": again,
    "deflated": lambda data: again(data, zipfile.ZIP_DEFLATED),
}


@pytest.mark.parametrize("way", PACKED_AGAIN)
def test_nothing_stands_around_it_and_nobody_packed_it_again(
    whole: bytes, codes: Callable[[bytes], set[str]], way: str
) -> None:
    assert codes(PACKED_AGAIN[way](whole)) & {"bundle-repacked", "unsafe-bundle", "bad-bundle"}


def test_a_bundle_packed_again_is_told_from_a_changed_one(whole: bytes, codes: Callable[[bytes], set[str]]) -> None:
    assert codes(again(whole, zipfile.ZIP_DEFLATED)) == {"bundle-repacked"}
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
