"""The cache's folder: whatever stands in it, the output is the same; whatever cannot be done with it, nothing fails."""

from __future__ import annotations

import functools
import os
import stat
import threading
from collections.abc import Callable
from copy import deepcopy
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import msgpack

from duckpress.core.frame import Group, Outline, Paint, Picture, PlacedDrawing, Text, read_items, written_items
from duckpress.core.geometry import Size
from duckpress.files.memo import Memo, Pack
from duckpress.files.workspace import Workspace
from duckpress.layout.faces.face_cache import KnownFaces
from duckpress.press.build_cache import BuildCache
from duckpress.store.cache import Cache, cache_of
from kinds import FILES, KEY, KINDS, MakeWorkspace, cache_in, folder_of, lay_out, reworded
from path_texts import path_of
from profiles import examples


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(FILES)


def entry_of(workspace: Workspace) -> Path:
    (path,) = folder_of(workspace).glob("faces-*")
    return path


def laid_out_with(workspace: Workspace, key: bytes = KEY) -> tuple[dict[str, str], int]:
    store = BuildCache(Memo(cache_in(workspace, key), "program"))
    return lay_out(workspace, store)[0], store.laid_out


@given(data=st.data())
@examples(20)
def test_no_damage_ever_passes(data: st.DataObject, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache", KEY)
    cache.write("faces", b'["key", "some faces"]\n' * 3)
    path = tmp_path / "cache/faces"
    whole = bytearray(path.read_bytes())
    kind = data.draw(st.sampled_from(["flip", "cut", "add", "swap"]))
    at = data.draw(st.integers(0, len(whole) - 1))
    if kind == "flip":
        whole[at] ^= 1 << data.draw(st.integers(0, 7))
    elif kind == "cut":
        del whole[at:]
    elif kind == "add":
        whole[at:at] = data.draw(st.binary(min_size=1, max_size=20))
    else:
        whole[at:] = reversed(whole[at:])
    is_same = bytes(whole) == path.read_bytes()
    path.write_bytes(whole)
    assert is_same or cache.read("faces") == b""


def reword(path: Path) -> None:
    """Change the words of a face: the seal tells, and behind it the hash of the frame."""
    path.write_bytes(reworded(path.read_bytes()))


def in_its_place(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("change", [None, reword, in_its_place])
def test_what_is_not_as_this_person_sealed_it_is_laid_out_again(
    change: Callable[[Path], None] | None, workspace: Workspace
) -> None:
    before, _ = laid_out_with(workspace, KEY if change is not None else b"another person's key" * 2)
    if change is not None:
        change(entry_of(workspace))
    assert laid_out_with(workspace) == (before, len(KINDS))


def test_an_entry_under_another_name_is_none(workspace: Workspace) -> None:
    laid_out_with(workspace)
    path = entry_of(workspace)
    cache = cache_in(workspace)
    path.rename(path.with_name("faces-other"))
    assert cache.read("faces-other") == b""


@given(data=st.data())
@examples(20)
def test_what_a_worker_answers_that_is_no_face_is_not_kept(data: st.DataObject) -> None:
    """A template may have taken it over; what is kept under the seal is read without another look."""
    from duckpress.core.sizes import Format
    from duckpress.layout.faces.face_cache import KnownEntry, NewFaces

    size = Format("card", Size(63.0, 88.0))
    items = (
        Outline(path_of("0 0 1 1 re"), Paint("#ffffff", dash_mm=(0.5, 1.0))),
        Text(1.5, 2.0, 3.0, "F", "#000000", "<01>", "a", 2.5),
    )
    written = bytearray(written_items(items))
    written[data.draw(st.integers(0, len(written) - 1))] = data.draw(st.integers(0, 255))
    pack = Pack()
    known = KnownFaces(pack)
    known.take(NewFaces([], [KnownEntry("a key", (), "its hash", {}, [], bytes(written))]), 1)
    found = known.face("a key", size)
    assert (found is None) == (pack.get(b"a key") is None)
    for face in (found, KnownFaces(Pack(pack.news())).face("a key", size)):
        assert (face is None) == (found is None)
        assert face is None or read_items(written_items(face.frame.items)) == face.frame.items


PAINT = ["#000000", None, 0.1, 1.0, 1.0, [0.5, 1], 0, 0, False]
MATRIX = [1.0, 0.0, 0.0, 1.0, 5.0, 6]
ROWS = {
    "text": ["text", 1.5, 2, 3.0, "F", "#000000", "<01>", "a", 2.5],
    "outline": ["outline", ["mcr", [0.5, 1, 1, 2, 3, 4, 5, 6, 0, 0, 1, 1], False], PAINT],
    "placed": ["placed", "key", MATRIX],
    "picture": ["picture", "key", 1.0, 2.0, 3.0, 4],
    "group": ["group", [["placed", "key", MATRIX]], MATRIX, ["", [], False], 0.5, []],
}


def test_rows_are_the_items_that_they_were_written_from() -> None:
    items = read_items(msgpack.encode(list(ROWS.values())))
    assert [type(item) for item in items] == [Text, Outline, PlacedDrawing, Picture, Group]
    assert msgpack.decode(written_items(items)) == list(ROWS.values())
    assert read_items(written_items(items)) == items


@pytest.mark.parametrize("name", ROWS)
def test_no_field_is_of_another_kind(name: str) -> None:
    """Every field of a row, and of the rows in it, made something else: it is no item, or still what it was."""
    for path, odd in product(places_in(ROWS[name]), (None, True, "word", 3, 2.5, [], [1], {}, b"", [[]])):
        row = deepcopy(ROWS[name])
        *above, last = path
        inner = functools.reduce(lambda found, at: found[at], above, row)
        is_same = type(inner[last]) is type(odd) or {type(inner[last]), type(odd)} <= {int, float}
        is_same |= {type(inner[last]), type(odd)} == {str, type(None)} and inner[-1] is False and last < 2
        inner[last] = odd
        if not is_same:
            with pytest.raises(ValueError, match=r"."):
                read_items(msgpack.encode([row]))


def places_in(row: object) -> list[tuple[int, ...]]:
    """Return the way to every field."""
    if not isinstance(row, list):
        return []
    return [(at, *rest) for at, field in enumerate(row) for rest in ((), *places_in(field))]


def test_rows_that_are_no_items_are_refused() -> None:
    rows: list[list[object]]
    longer = [[*row, 1.0] for row in ROWS.values()]
    short: list[list[object]] = [["text"], ["group"], ["placed", "key"], ["outline", "d", [1, 2]]]
    for rows in ([[1, 2, 3]], [[]], [PAINT], [3], *([one] for one in (*short, *longer))):
        with pytest.raises(ValueError, match=r"."):
            read_items(msgpack.encode(rows))


def test_the_oldest_go_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache", KEY, most_bytes=3500)
    for number in range(3):
        cache.write(f"entry-{number}", bytes(1000))
        os.utime(tmp_path / f"cache/entry-{number}", (number, number))
    cache.touch("entry-0")
    cache.write("entry-3", bytes(1000))
    assert [bool(cache.read(f"entry-{number}")) for number in range(4)] == [True, False, True, True]


def test_a_file_in_the_folders_place_is_no_error(workspace: Workspace) -> None:
    folder_of(workspace).write_text("not a folder")
    before = lay_out(workspace)[0]
    for _ in range(2):
        assert laid_out_with(workspace) == (before, len(KINDS))


def test_runs_at_the_same_time_do_not_disturb_each_other(workspace: Workspace) -> None:
    before = lay_out(workspace)[0]
    found: list[dict[str, str]] = []
    runs = [threading.Thread(target=lambda: found.append(laid_out_with(workspace)[0])) for _ in range(2)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert found == [before] * 2
    assert laid_out_with(workspace) == (before, 0)
    assert not list(folder_of(workspace).glob("*.new"))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a person's settings, which there is not yet; nothing says that there is no cache."""
    monkeypatch.delenv("DUCKPRESS_CACHE")
    return tmp_path.with_name(f"{tmp_path.name}-settings")


def test_the_key_lies_with_the_settings_and_is_made_once(workspace: Workspace, home: Path) -> None:
    cache_of(workspace, home).write("entry", b"bytes")
    assert cache_of(workspace, home).read("entry") == b"bytes"
    assert cache_of(workspace, home.with_name(f"{home.name}-of-another")).read("entry") == b""
    (key,) = home.iterdir()
    assert len(key.read_bytes()) == 32
    if os.name == "posix":
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert not any("key" in path.name for path in folder_of(workspace).iterdir())
    key.write_bytes(b"too short")
    assert cache_of(workspace, home).read("entry") == b""
    cache_of(workspace, home).write("entry", b"bytes")
    assert cache_of(workspace, home).read("entry") == b"bytes"


def test_settings_that_cannot_be_written_are_no_error(workspace: Workspace, home: Path) -> None:
    home.write_text("a file")
    assert cache_of(workspace, home).is_off


def test_settings_in_the_workspace_are_not_this_persons(
    workspace: Workspace, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a workspace for a home folder, a key and a cache sealed with it may both be a stranger's."""
    monkeypatch.setenv("DUCKPRESS_CACHE", str(tmp_path / "elsewhere"))
    (tmp_path / "link").symlink_to(workspace.root)
    for own in (workspace.root, workspace.root / ".config/duckpress", tmp_path / "link/.config"):
        assert cache_of(workspace, own).is_off
    assert not (workspace.root / ".config").exists()
    cache_of(workspace, home).write("entry", b"bytes")
    assert (tmp_path / "elsewhere/entry").is_file()
    assert not folder_of(workspace).exists()
    monkeypatch.setenv("DUCKPRESS_CACHE", "off")
    assert cache_of(workspace, home).is_off
