"""What is written into a folder of outputs, and what is refused; `tests/lost` has what may go wrong on the way."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from duckpress.core.problems import MachineError
from duckpress.store import write_outputs

OLD_FILES = {"a.pdf": b"old a", "b.pdf": b"old b", "manifest.json": b"old manifest"}
NEW_FILES = {"a.pdf": b"new a", "c.pdf": b"new c", "manifest.json": b"new manifest"}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_files_are_written_and_stale_ones_removed(tmp_path: Path) -> None:
    folder = tmp_path / "output" / "game"
    write_outputs(folder, OLD_FILES)
    assert contents(folder) == OLD_FILES
    write_outputs(folder, NEW_FILES, stale=["b.pdf", "never-there.pdf"])
    assert contents(folder) == NEW_FILES


def test_what_is_written_is_never_removed_as_stale(tmp_path: Path) -> None:
    write_outputs(tmp_path, OLD_FILES, stale=["a.pdf"])
    assert contents(tmp_path) == OLD_FILES


@pytest.mark.parametrize("name", ["a.pdf", "manifest.json"])
def test_a_folder_in_the_way_is_named_and_kept(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "mine.txt").write_text("kept")
    with pytest.raises(MachineError, match="there is a folder of that name"):
        write_outputs(tmp_path, NEW_FILES)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name / "mine.txt").read_text() == "kept"


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "output").write_text("a file")
    for folder in (tmp_path / "output", tmp_path / "output" / "game"):
        with pytest.raises(MachineError, match="cannot make the folder"):
            write_outputs(folder, NEW_FILES)
    assert (tmp_path / "output").read_text() == "a file"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write into read-only folders")
def test_a_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(MachineError, match="no permission"):
            write_outputs(tmp_path, NEW_FILES)
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize(
    "name",
    ["../a.pdf", "u/v/w/x/a", "/a.pdf", "x/", "x/.a", "", ".hidden", "a:b.pdf", "a\n.pdf", "CON.pdf", "a.", "aux/a"],
)
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(MachineError, match="cannot be the name of a file"):
        write_outputs(tmp_path / "game", {name: b"x"})
    assert not (tmp_path / "game").exists()


INNER_OLD = {"duck/a.png": b"old", "hen/b.png": b"old", "manifest.json": b"old"}
INNER_NEW = {"duck/a.png": b"new", "teal/c.png": b"new", "manifest.json": b"new"}


def inner_contents(folder: Path) -> dict[str, bytes]:
    """Return the files by their paths, and folders, which end in `/`, with nothing in them."""
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        found[f"{name}/" if path.is_dir() else name] = b"" if path.is_dir() else path.read_bytes()
    return found


def test_a_name_may_have_one_folder_before_it(tmp_path: Path) -> None:
    write_outputs(tmp_path, INNER_OLD)
    assert inner_contents(tmp_path) == {**INNER_OLD, "duck/": b"", "hen/": b""}
    (tmp_path / "hen" / "mine.txt").write_bytes(b"mine")
    write_outputs(tmp_path, INNER_NEW, stale=["hen/b.png"])
    assert inner_contents(tmp_path) == {**INNER_NEW, "duck/": b"", "teal/": b"", "hen/": b"", "hen/mine.txt": b"mine"}
    write_outputs(tmp_path, {"manifest.json": b"new"}, stale=["duck/a.png", "teal/c.png"])
    assert set(inner_contents(tmp_path)) == {"manifest.json", "hen/", "hen/mine.txt"}


def test_an_inner_folder_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "duck").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(MachineError, match="leads elsewhere"):
        write_outputs(tmp_path / "game", INNER_NEW)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_sources_are_never_written_to(tmp_path: Path) -> None:
    content = tmp_path / "content"
    (content / "game").mkdir(parents=True)
    (tmp_path / "link").symlink_to(content)
    for folder in (content / "game", content, tmp_path / "link" / "game", tmp_path / "output" / ".." / "content"):
        with pytest.raises(MachineError, match="holds sources"):
            write_outputs(folder, NEW_FILES, protected=[content])
    assert list((content / "game").iterdir()) == []
    write_outputs(tmp_path / "output", NEW_FILES, protected=[content])


def test_a_link_in_the_way_is_replaced_and_what_it_points_at_is_kept(tmp_path: Path) -> None:
    source = tmp_path / "source.pdf"
    source.write_bytes(b"a source")
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "a.pdf").symlink_to(source)
    write_outputs(folder, NEW_FILES)
    assert source.read_bytes() == b"a source"
    assert contents(folder) == NEW_FILES
