"""Two runs in one folder of outputs: the second one waits, and says so; a run that is dead is in nobody's way."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hostile_game import GOOD, lay_out
from mishaps import in_a_child, in_children, in_children_meanwhile, names_in, needs_fork, tree

from duckpress.cli.build import build_and_tell
from duckpress.cli.commands import main
from duckpress.cli.terminal import progress
from duckpress.core.problems import MachineError
from duckpress.files.memo import Memo
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.press.build_cache import BuildCache
from duckpress.press.request import Request
from duckpress.press.watching import builds
from duckpress.store import locked_outputs, scratch_folder, write_file, write_outputs
from duckpress.store.cache import Cache, cache_of
from duckpress.store.file_writing import aside, lock_file

pytestmark = needs_fork


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[int]:
    """Another process that holds the outputs of the game `g`: its number."""
    lay_out(tmp_path, GOOD)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with locked_outputs(tmp_path / "output" / "g"):
            os.write(writing, b"held")
            while True:
                time.sleep(60)
    try:
        assert os.read(reading, 4) == b"held"
        yield child
    finally:
        end(child)
        os.close(reading)
        os.close(writing)


def end(child: int) -> None:
    """Kill a process, unless it is dead and buried."""
    try:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    except (ProcessLookupError, ChildProcessError):
        pass


def run(root: Path, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["--workspace", str(root), *words])
    return done.exit_code, done.stderr


def test_the_second_run_waits_no_longer_than_it_may_and_who_only_reads_is_never_in_the_way(
    tmp_path: Path, holder: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duckpress.store.output_folder.PATIENCE_S", 0.1)
    for command in ("build g --paper a4", "build", "export g --to png", "export g --for tgc", "preview g", "bundle g"):
        status, said = run(tmp_path, *command.split())
        assert status == 3, command
        (line,) = said.splitlines()
        assert line.startswith(f"duckpress: another run of duckpress (process {holder}) is writing into ")
        assert "wait until it has, or choose another folder with --out" in line
        assert not (tmp_path / "output" / "g").exists()
    for command in ("check g", "list", "show teal", "table g", "stats g"):
        assert run(tmp_path, *command.split()) == (0, ""), command


def test_the_second_run_waits_and_says_so(tmp_path: Path, holder: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duckpress.store.output_folder._WORD_S", 0.0)
    folder, told = tmp_path / "output" / "g", list[str]()

    def tell(words: str) -> None:
        told.append(words)
        if len(told) == 3:
            end(holder)

    with locked_outputs(folder, tell=tell) as outputs:
        outputs.write({"a.pdf": b"written"})
    assert set(told) == {f"waiting for another run (process {holder}) that is writing into {folder}"}
    assert (folder / "a.pdf").read_bytes() == b"written"


def test_runs_of_all_kinds_go_side_by_side(tmp_path: Path) -> None:
    """A game that is watched is built meanwhile, too, with the cache that all of them read and write."""
    lay_out(tmp_path, GOOD)
    workspace, request = Workspace(tmp_path, bundled_root()), Request(papers=("a5",))
    frames = BuildCache(Memo(cache_of(workspace, tmp_path.with_name(f"{tmp_path.name}-settings")), "program"))
    watcher = builds(workspace, ("g",), request, tmp_path / "output", frames)
    commands = ("build g --paper a4 --no-cache", "export g --to png", "preview g", "bundle g")

    def begin(number: int) -> None:
        status, words = run(tmp_path, *commands[number].split())
        (tmp_path / f"said-{number}").write_text(words)
        os._exit(status)

    with in_children_meanwhile(begin, len(commands)) as are_at_work:
        while are_at_work():
            assert watcher.make("g").files
            watcher.rest()
    said = [line for number in range(len(commands)) for line in (tmp_path / f"said-{number}").read_text().splitlines()]
    assert [line for line in said if not line.startswith("g: ")] == []  # on a busy machine also what it is at
    folder = tmp_path / "output" / "g"
    files = {"g-all-a4.pdf", "g-all-a5.pdf", "manifest.json", "png", "preview"}
    assert files <= set(names_in(folder))
    assert names_in(tmp_path / "output") == ["g"]


def test_another_folder_or_another_game_is_free(tmp_path: Path, holder: int) -> None:
    assert run(tmp_path, "build", "g", "--paper", "a4", "--out", str(tmp_path / "elsewhere"))[0] == 0
    another = {path.replace("/g/", "/h/"): str(text).replace("theme: g", "theme: h") for path, text in GOOD.items()}
    lay_out(tmp_path, another)
    assert run(tmp_path, "build", "h", "--paper", "a4")[0] == 0


def test_children_of_a_killed_run_do_not_hold_its_folder(tmp_path: Path) -> None:
    """As the processes that lay out, which may take a moment longer to end."""
    lay_out(tmp_path, GOOD)
    reading, writing = os.pipe()

    def hold() -> None:
        with locked_outputs(tmp_path / "output" / "g"):
            child = os.fork()
            if child == 0:
                os.write(writing, str(os.getpid()).encode())
                time.sleep(60)
                os._exit(0)
            time.sleep(60)

    parent = os.fork()
    if parent == 0:
        hold()
    child = int(os.read(reading, 100))
    try:
        os.kill(parent, signal.SIGKILL)
        os.waitpid(parent, 0)
        assert run(tmp_path, "build", "g", "--paper", "a4")[0] == 0
    finally:
        os.kill(child, signal.SIGKILL)
        os.close(reading)
        os.close(writing)


def test_many_runs_at_once_leave_the_files_of_one(tmp_path: Path) -> None:
    folder = tmp_path / "out" / "g"

    def write(number: int) -> None:
        for _ in range(8):
            write_outputs(folder, {f"{name}.pdf": b"%d" % number * 5000 for name in "abc"})

    assert in_children(write) == [0, 0, 0, 0]
    assert len(set(tree(folder).values())) == 1
    assert names_in(tmp_path / "out") == ["g"]


def test_a_watch_waits_for_the_other_run(
    tmp_path: Path, holder: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("duckpress.store.output_folder._WORD_S", 0.0)
    monkeypatch.setattr("duckpress.cli.terminal.SILENCE_S", 0.0)
    monkeypatch.setattr("duckpress.store.output_folder.time.sleep", lambda _seconds: end(holder))
    workspace, frames = Workspace(tmp_path, bundled_root()), BuildCache(Memo(Cache(None, None)))
    watcher = builds(workspace, ("g",), Request(papers=("a4",)), tmp_path / "output", frames, progress)
    build_and_tell(watcher, "g")
    assert f"g: waiting for another run (process {holder})" in capsys.readouterr().err
    assert (tmp_path / "output" / "g" / "manifest.json").is_file()


def test_two_runs_that_write_one_file(tmp_path: Path) -> None:
    target = tmp_path / "card.png"
    target.write_bytes(b"old")

    def write() -> None:
        try:
            write_file(target, b"new")
        except MachineError as error:
            raise SystemExit(3 if "is just writing it; try again" in str(error) else 1) from error

    handle = lock_file(aside(target))
    assert in_a_child(write) == 3
    assert target.read_bytes() == b"old"
    os.close(handle)
    assert in_a_child(write) == 0
    assert target.read_bytes() == b"new"
    assert names_in(tmp_path) == ["card.png"]


def test_many_runs_make_one_key_and_share_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUCKPRESS_CACHE", str(tmp_path / "cache"))
    workspace = Workspace(tmp_path / "workspace")

    def use(number: int) -> None:
        cache = cache_of(workspace, tmp_path / "settings")
        for turn in range(20):
            cache.write(f"entry-{turn % 4}", json.dumps([turn % 4] * 3000).encode())
            body = cache.read(f"entry-{turn % 4}")
            assert body in (b"", json.dumps([turn % 4] * 3000).encode()), number

    assert in_children(use) == [0, 0, 0, 0]
    cache = cache_of(workspace, tmp_path / "settings")
    assert not cache.is_off
    cache.write("entry-0", b"last")
    assert cache.read("entry-0") == b"last"
    assert names_in(tmp_path / "settings") == ["cache.key"]
    assert not [name for name in names_in(tmp_path / "cache") if name.endswith("-new")]


def test_a_temporary_folder_of_a_killed_run_goes_with_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "duckpress-mine.txt").write_text("not of this program")

    def die() -> None:
        with scratch_folder() as folder:
            (folder / "half.pdf").write_bytes(b"half")
            os.kill(os.getpid(), signal.SIGKILL)

    assert in_a_child(die) == -signal.SIGKILL
    assert len(names_in(tmp_path)) == 3
    with scratch_folder() as one:
        assert names_in(tmp_path) == sorted([one.name, f"{one.name}.lock", "duckpress-mine.txt"])
        assert one.stat().st_mode & 0o077 == 0

        def beside() -> None:
            with scratch_folder():
                pass

        assert in_a_child(beside) == 0
        assert one.is_dir()  # its run is alive
    assert names_in(tmp_path) == ["duckpress-mine.txt"]
