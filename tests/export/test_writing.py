"""Files appear all together or not at all, whatever goes wrong on the way."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from duckpress.export import write_outputs
from duckpress.export.writing import BEGUN, NEW, OLD
from duckpress.problems import MachineError

OLD_FILES = {"a.pdf": b"old a", "b.pdf": b"old b", "manifest.json": b"old manifest"}
NEW_FILES = {"a.pdf": b"new a", "c.pdf": b"new c", "manifest.json": b"new manifest"}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def failing(real: Callable[..., object], after: int, code: int) -> Callable[..., object]:
    """Give a function that works so many times and then fails once."""
    calls = 0

    def run(*args: object, **named: object) -> object:
        nonlocal calls
        calls += 1
        if calls == after + 1:
            raise OSError(code, os.strerror(code))
        return real(*args, **named)

    return run


def test_files_are_written_and_stale_ones_removed(tmp_path: Path) -> None:
    folder = tmp_path / "output" / "game"
    write_outputs(folder, OLD_FILES)
    assert contents(folder) == OLD_FILES
    write_outputs(folder, NEW_FILES, stale=["b.pdf", "never-there.pdf"])
    assert contents(folder) == NEW_FILES


def test_what_is_written_is_never_removed_as_stale(tmp_path: Path) -> None:
    write_outputs(tmp_path, OLD_FILES, stale=["a.pdf"])
    assert contents(tmp_path) == OLD_FILES


@pytest.mark.parametrize("after", range(4))
@pytest.mark.parametrize(("name", "code"), [("fsync", errno.ENOSPC), ("replace", errno.EACCES)])
def test_an_error_leaves_the_old_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int, name: str, code: int
) -> None:
    write_outputs(tmp_path, OLD_FILES)
    owner: object = os if name == "fsync" else Path
    monkeypatch.setattr(owner, name, failing(getattr(owner, name), after, code))
    with pytest.raises(MachineError) as caught:
        write_outputs(tmp_path, NEW_FILES, stale=["b.pdf"])
    assert contents(tmp_path) == OLD_FILES
    assert ("the disk is full" if code == errno.ENOSPC else "no permission") in str(caught.value)


def test_an_error_in_the_first_run_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "replace", failing(Path.replace, 2, errno.EIO))
    with pytest.raises(MachineError, match=r"cannot write .*c\.pdf"):
        write_outputs(tmp_path, NEW_FILES)
    assert contents(tmp_path) == {}


def test_an_interrupt_leaves_the_old_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_outputs(tmp_path, OLD_FILES)
    real = Path.replace

    def interrupted(path: Path, target: Path) -> Path:
        if target.name == "c.pdf":
            raise KeyboardInterrupt
        return real(path, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_outputs(tmp_path, NEW_FILES, stale=["b.pdf"])
    assert contents(tmp_path) == OLD_FILES


def test_a_file_system_without_links_is_written_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", failing(os.link, 0, errno.EPERM))
    write_outputs(tmp_path, OLD_FILES)
    write_outputs(tmp_path, NEW_FILES, stale=["b.pdf"])
    assert contents(tmp_path) == NEW_FILES


def test_traces_of_a_killed_run_are_cleaned(tmp_path: Path) -> None:
    write_outputs(tmp_path, OLD_FILES)
    # Killed while writing: nothing had taken its name yet.
    (tmp_path / f"{NEW}a.pdf").write_bytes(b"half of a n")
    (tmp_path / f"{OLD}b.pdf").write_bytes(b"old b")
    write_outputs(tmp_path, {})
    assert contents(tmp_path) == OLD_FILES


def test_a_run_killed_among_its_renames_is_undone(tmp_path: Path) -> None:
    write_outputs(tmp_path, OLD_FILES)
    for name, data in OLD_FILES.items():
        (tmp_path / f"{OLD}{name}").write_bytes(data)
    (tmp_path / BEGUN).write_text("c.pdf")
    (tmp_path / "a.pdf").write_bytes(b"new a")
    (tmp_path / "b.pdf").unlink()
    (tmp_path / "c.pdf").write_bytes(b"new c")
    (tmp_path / f"{NEW}manifest.json").write_bytes(b"new manifest")
    write_outputs(tmp_path, {})
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
    "name", ["../a.pdf", "x/y/a.pdf", "/a.pdf", "x/", "x/.a", "", ".hidden", "a:b.pdf", "a\n.pdf", "x~~a.pdf"]
)
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(MachineError, match="cannot be the name of a file"):
        write_outputs(tmp_path / "game", {name: b"x"})
    assert contents(tmp_path / "game") == {}


INNER_OLD = {"duck/a.png": b"old", "hen/b.png": b"old", "manifest.json": b"old"}
INNER_NEW = {"duck/a.png": b"new", "teal/c.png": b"new", "manifest.json": b"new"}


def inner_contents(folder: Path) -> dict[str, bytes]:
    """Give the files by their paths, and folders, which end in `/`, with nothing in them."""
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


@pytest.mark.parametrize("after", range(4))
@pytest.mark.parametrize(("name", "code"), [("fsync", errno.ENOSPC), ("replace", errno.EACCES)])
def test_an_error_leaves_the_old_files_in_inner_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int, name: str, code: int
) -> None:
    write_outputs(tmp_path, INNER_OLD)
    before = inner_contents(tmp_path)
    where = os if name == "fsync" else Path
    with monkeypatch.context() as patch:
        patch.setattr(where, name, failing(getattr(where, name), after, code))
        with pytest.raises(MachineError):
            write_outputs(tmp_path, INNER_NEW, stale=["hen/b.png"])
    assert inner_contents(tmp_path) == before


def test_what_others_hold_in_an_inner_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "png").mkdir()
    (tmp_path / "png" / (NEW + "a.png")).write_bytes(b"another run at work")
    write_outputs(tmp_path, NEW_FILES)
    assert (tmp_path / "png" / (NEW + "a.png")).is_file()


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


RUN_FOR_EVER = """
import itertools, sys
from pathlib import Path
from duckpress.export import write_outputs
folder = Path(sys.argv[1])
for number in itertools.count(int(sys.argv[2])):
    write = {f"{name}.pdf": f"{number} ".encode() * 20_000 for name in "abcd"}
    write["manifest.json"] = str(number).encode()
    odd = f"odd-{number}.pdf"
    write_outputs(folder, {**write, odd: b"x"}, stale=[f"odd-{number - 1}.pdf"])
    print(number, flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_runs_killed_at_any_moment_leave_whole_files_and_the_next_one_a_whole_set(tmp_path: Path) -> None:
    moments = random.Random(20)
    first = 0
    for _ in range(20):
        process = subprocess.Popen(
            [sys.executable, "-c", RUN_FOR_EVER, str(tmp_path), str(first)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(moments.random() * 0.03)
        process.kill()
        process.communicate()
        for name in "abcd":
            numbers = (tmp_path / f"{name}.pdf").read_text().split()
            assert len(numbers) == 20_000
            assert len(set(numbers)) == 1
        write_outputs(tmp_path, {})
        found = contents(tmp_path)
        number = found["manifest.json"].decode()
        assert {found[f"{name}.pdf"].split()[0].decode() for name in "abcd"} == {number}
        assert sorted(found) == ["a.pdf", "b.pdf", "c.pdf", "d.pdf", "manifest.json", f"odd-{number}.pdf"]
        first = int(number) + 1


def test_two_runs_in_one_folder_do_not_mix(tmp_path: Path) -> None:
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", RUN_FOR_EVER, str(tmp_path), str(start)], stdout=subprocess.PIPE, text=True
        )
        for start in (0, 1_000_000)
    ]
    try:
        for run in runs:
            assert run.stdout is not None
            for _ in range(5):
                assert run.stdout.readline(), "a run broke off"
    finally:
        for run in runs:
            run.kill()
            run.communicate()
    write_outputs(tmp_path, {})
    found = contents(tmp_path)
    assert {found[f"{name}.pdf"].split()[0] for name in "abcd"} == {found["manifest.json"]}
