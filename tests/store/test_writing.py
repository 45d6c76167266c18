"""What is written into a folder of outputs, and what is refused; `tests/lost` has what may go wrong on the way."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from duckpress.core.problems import MachineError
from duckpress.store import write_outputs

NEW_FILES = {"a.pdf": b"new", "duck/c.png": b"new", "manifest.json": b"new"}


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files by their paths, and folders, which end in `/`, with nothing in them."""
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        found[f"{name}/" if path.is_dir() else name] = b"" if path.is_dir() else path.read_bytes()
    return found


def test_what_is_written_is_never_removed_as_stale(tmp_path: Path) -> None:
    write_outputs(tmp_path, NEW_FILES, stale=["a.pdf", "never-there.pdf"])
    assert contents(tmp_path) == {**NEW_FILES, "duck/": b""}


def test_a_folder_in_the_way_is_named_and_kept(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").mkdir()
    (tmp_path / "a.pdf" / "mine.txt").write_bytes(b"kept")
    with pytest.raises(MachineError, match="there is a folder of that name"):
        write_outputs(tmp_path, NEW_FILES)
    assert contents(tmp_path) == {"a.pdf/": b"", "a.pdf/mine.txt": b"kept"}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write into read-only folders")
def test_a_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(MachineError, match="no permission"):
            write_outputs(tmp_path, NEW_FILES)
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("name", ["../a.pdf", "u/v/w/x/a", "/a.pdf", "x/", "x/.a", "", ".hidden"])
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(MachineError, match="cannot be the name of a file"):
        write_outputs(tmp_path / "game", {name: b"x"})
    assert contents(tmp_path) == {}


def test_an_inner_folder_goes_with_its_last_file(tmp_path: Path) -> None:
    write_outputs(tmp_path, {**NEW_FILES, "hen/b.png": b"old"})
    (tmp_path / "hen" / "mine.txt").write_bytes(b"mine")
    write_outputs(tmp_path, {"manifest.json": b"new"}, stale=["hen/b.png", "duck/c.png"])
    assert contents(tmp_path) == {"a.pdf": b"new", "manifest.json": b"new", "hen/": b"", "hen/mine.txt": b"mine"}


def test_an_inner_folder_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    for folder in ("elsewhere", "game"):
        (tmp_path / folder).mkdir()
    (tmp_path / "game" / "duck").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(MachineError, match="leads elsewhere"):
        write_outputs(tmp_path / "game", NEW_FILES)
    assert contents(tmp_path / "elsewhere") == {}


def test_sources_are_never_written_to(tmp_path: Path) -> None:
    content = tmp_path / "content"
    (content / "game").mkdir(parents=True)
    (tmp_path / "link").symlink_to(content)
    for folder in (content / "game", content, tmp_path / "link" / "game", tmp_path / "output" / ".." / "content"):
        with pytest.raises(MachineError, match="holds sources"):
            write_outputs(folder, NEW_FILES, protected=[content])
    assert list((content / "game").iterdir()) == []
    write_outputs(tmp_path / "output", NEW_FILES, protected=[content])
