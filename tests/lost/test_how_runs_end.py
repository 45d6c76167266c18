"""However a run ends, it leaves the old outputs or the new ones, says one thing, and gives the status for it."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hostile_game import GOOD, lay_out
from mishaps import in_a_child, names_in, needs_fork, tree

from duckpress.cli import run_to_the_end
from duckpress.cli.commands import main
from duckpress.store import write_outputs
from running import run as run_here

resource = pytest.importorskip("resource")  # not on Windows
GENERATOR = Path(__file__).resolve().parents[2] / "generator"
BUILD = ("build", "g", "--paper", "a4")

# Stops where the last file is about to be staged, and says so, until a file appears.
WAITING = """
import sys, time
from pathlib import Path
from duckpress.cli import run
def stop(event, about):
    if event == "open" and str(about[0]).endswith(".duckpress-g.new/manifest.json"):
        Path("stopped").touch()
        while not Path("go").exists():
            time.sleep(0.002)
sys.addaudithook(stop)
sys.argv = ["duckpress", *sys.argv[1:]]
run()
"""


def start(root: Path, *words: str, python: Sequence[str] = ("-m", "duckpress"), **how: Any) -> subprocess.Popen[bytes]:
    lay_out(root, GOOD)
    (root / "home").mkdir(exist_ok=True)
    given = {"PATH": os.environ["PATH"], "PYTHONPATH": str(GENERATOR), "HOME": str(root / "home"), "LC_ALL": "C.UTF-8"}
    given |= {"DUCKPRESS_CACHE": "off", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONSAFEPATH": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, *python, *words], cwd=root, env=given, **{**pipes, **how})


def forked(root: Path, *words: str, before: Callable[[], object] = dict) -> tuple[int, str]:
    """Run the program in a fork of this process, which has imported it; gives its status and what it says of errors."""
    said = root.with_name(f"{root.name}-said")

    def program() -> None:
        os.chdir(root)
        os.environ["DUCKPRESS_CACHE"] = "off"
        with said.open("w") as sys.stderr:
            before()
            status = run_to_the_end(lambda: main(words, prog_name="duckpress", standalone_mode=False))
        raise SystemExit(status)

    return in_a_child(program), said.read_text()


def one_line(words: str) -> str:
    (line,) = words.splitlines()
    assert line.startswith("duckpress: ")
    return line


@pytest.mark.sweep(6)
@needs_fork
@pytest.mark.parametrize("is_ignored", [False, True])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"], ids="35-{}".format)
def test_a_run_that_is_stopped_or_that_is_to_ignore_it(tmp_path: Path, name: str, is_ignored: bool) -> None:
    """It goes on where it is to ignore a signal, as under nohup, and in the background of a script."""
    number, answer = signal.Signals[name], signal.SIG_IGN if is_ignored else signal.SIG_DFL
    process = start(tmp_path, *BUILD, python=("-c", WAITING), preexec_fn=lambda: signal.signal(number, answer))
    while not (tmp_path / "stopped").exists():
        assert process.poll() is None
        time.sleep(0.005)
    assert (tmp_path / "output" / ".duckpress-g.new").is_dir()
    process.send_signal(number)
    if is_ignored:
        (tmp_path / "go").touch()
    _, err = process.communicate(timeout=60)
    if is_ignored:
        assert process.returncode == 0
        assert (tmp_path / "output" / "g" / "manifest.json").is_file()
        return
    assert process.returncode == -number  # a shell says 128 and the number, and ends its loop
    assert one_line(err.decode().lstrip("\n")) == "duckpress: stopped"
    assert not (tmp_path / "output").exists()


@pytest.mark.sweep(4)
@needs_fork
@pytest.mark.parametrize(
    ("words", "stream", "left"),
    [(BUILD, "stdout", ["output"]), (("--version",), "stdout", []), (("list",), "stdout", []),
     (("check", "h"), "stderr", []), (("build", "g", "--out", "content/g/game.yaml"), "stderr", [])],
    ids=["x-build", "version", "list", "unknown-game", "no-folder"],
)  # fmt: skip
def test_nobody_reads_a_stream(tmp_path: Path, words: tuple[str, ...], stream: str, left: list[str]) -> None:
    """`duckpress build | head -0`: everything is built, and nobody is told."""
    reading, writing = os.pipe()
    os.close(reading)
    process = start(tmp_path, *words, **{stream: writing})
    os.close(writing)
    assert process.communicate(timeout=60) == ((None, b"") if stream == "stdout" else (b"", None))
    assert process.returncode == 141
    assert names_in(tmp_path) == ["content", "home", *left]
    assert not left or (tmp_path / "output" / "g" / "manifest.json").is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_x_what_is_said_goes_to_a_full_disk(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        process = start(tmp_path, "check", "g", stdout=full.fileno())
        _, err = process.communicate(timeout=60)
        assert process.returncode == 3
        assert "the disk is full" in one_line(err.decode())
        process = start(tmp_path, "check", "h", stdout=full.fileno(), stderr=full.fileno())
        assert process.wait(timeout=60) == 2


@needs_fork
def test_x_streams_that_are_closed(tmp_path: Path) -> None:
    def close() -> None:
        for handle in (0, 1, 2):
            os.close(handle)

    process = start(tmp_path, *BUILD, preexec_fn=close)
    assert b"Traceback" not in b"".join(process.communicate(timeout=60))
    assert process.returncode == 0
    assert (tmp_path / "output" / "g" / "g-cards-a4.pdf").read_bytes().startswith(b"%PDF")


@needs_fork
def test_35_files_may_not_grow_so_large(tmp_path: Path) -> None:
    """As with a share of the disk that is nearly used up (SIGXFSZ)."""
    (tmp_path / "output" / "g").mkdir(parents=True)
    (tmp_path / "output" / "g" / "notes.txt").write_text("mine")
    lay_out(tmp_path, GOOD)
    status, err = forked(
        tmp_path, *BUILD, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.RLIM_INFINITY))
    )
    assert status == 3
    assert "larger than files may be here" in one_line(err)
    assert tree(tmp_path / "output") == {"g/": b"", "g/notes.txt": b"mine"}


@needs_fork
def test_35_a_disk_that_is_full(tmp_path: Path) -> None:
    """A real one, of 64 kB, where this person may make one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if made.returncode != 0:
        pytest.skip("no right to mount a disk")
    try:
        lay_out(tmp_path, GOOD)
        assert here(tmp_path, *BUILD, "--out", str(disk)) == (0, "")
        # The small game fits: fill the rest, and change it.
        (disk / "filled").write_bytes(b"x" * (int(os.statvfs(disk).f_bavail) * os.statvfs(disk).f_frsize - 8192))
        before = tree(disk)
        face = tmp_path / "content/g/layouts/face.xml"
        face.write_text(face.read_text().replace('x="5"', 'x="6"'))
        status, err = forked(tmp_path, *BUILD, "--out", str(disk))
        assert status == 3, err
        assert "the disk is full; free some space" in one_line(err)
        assert tree(disk) == before
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def give_up_rights() -> None:
    """Give up the rights of root, and stay who it is. Source: capset(2), version 3 of its header, no capability."""
    if os.geteuid() == 0:
        import ctypes

        assert ctypes.CDLL(None).capset(struct.pack("Ii", 0x20080522, 0), bytes(24)) == 0


@pytest.mark.sweep(2)
@needs_fork
@pytest.mark.skipif(sys.platform != "linux" and os.geteuid() == 0, reason="nothing is read-only for root")
@pytest.mark.parametrize("where", ["output/g", "workspace"], ids="35-read-only-{}".format)
def test_folders_that_are_read_only(tmp_path: Path, where: str) -> None:
    root = tmp_path / "workspace"
    lay_out(root, GOOD)
    if where != "workspace":
        (root / "output" / "g").mkdir(parents=True)
        (root / "output" / "g" / "manifest.pdf").write_text("old")
    closed = root if where == "workspace" else root / where
    closed.chmod(0o555)
    before = tree(root)

    status, said = forked(root, *BUILD, before=give_up_rights)
    closed.chmod(0o755)
    assert status == 3, said
    assert "no permission; choose another folder with --out" in one_line(said)
    assert tree(root) == before


def test_x_somebody_without_a_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/dev/null/home")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    status, err = here(tmp_path, "printer", "add", "office", "--scale", "99")
    assert status == 3
    assert "a part of the path is a file" in one_line(err)


def test_x_nobody_knows_where_home_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a person that the system has no entry of: `~` then stands for itself."""
    monkeypatch.setenv("DUCKPRESS_CACHE", "")
    monkeypatch.setattr("duckpress.cli.options.settings_folder", lambda: Path("~/.config/duckpress"))
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path, GOOD)
    assert here(tmp_path, *BUILD) == (0, "")
    assert names_in(tmp_path) == ["content", "output"]
    status, err = here(tmp_path, "printer", "add", "office", "--scale", "99")
    assert status == 3
    assert "set HOME" in one_line(err)
    assert names_in(tmp_path) == ["content", "output"]


def here(root: Path, *words: str) -> tuple[int, str]:
    """Run a command in this process; gives its status and what it says of errors."""
    done = run_here(root, *words)
    return done.exit_code, done.stderr


def test_x_no_room_for_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found in ...")

    lay_out(tmp_path, GOOD)
    monkeypatch.setattr("tempfile.gettempdir", none)
    status, err = here(tmp_path, "bundle", "g")
    assert status == 3
    assert "let TMPDIR name one" in one_line(err)
    assert names_in(tmp_path) == ["content"]


@needs_fork
@pytest.mark.parametrize(("mask", "mode"), [(0o077, 0o600), (0o022, 0o644), (0o002, 0o664)], ids="x-umask-{}".format)
def test_files_have_the_modes_that_this_person_wants(tmp_path: Path, mask: int, mode: int) -> None:
    def write() -> None:
        os.umask(mask)
        write_outputs(tmp_path / "out" / "g", {"a.pdf": b"a", "packet/b.pdf": b"b", "manifest.json": b"c"})

    for _ in range(2):  # made, and replaced
        assert in_a_child(write) == 0
        for path in (tmp_path / "out" / "g").rglob("*"):
            assert path.stat().st_mode & 0o777 == (0o777 & ~mask if path.is_dir() else mode)
        assert (tmp_path / "out" / "g").stat().st_mode & 0o777 == 0o777 & ~mask


@pytest.mark.skipif(os.name != "posix", reason="other systems have other limits")
def test_x_a_long_way_down(tmp_path: Path) -> None:
    """A folder whose path is nearly as long as a path may be, and ones that are longer."""
    lay_out(tmp_path, GOOD)
    deep = tmp_path.joinpath(*["d" * 200] * 18)
    assert here(tmp_path, *BUILD, "--out", str(deep)) == (0, "")
    assert (deep / "g" / "manifest.json").is_file()
    for longer in (tmp_path.joinpath(*["d" * 200] * 30), tmp_path / ("d" * 300)):
        status, err = here(tmp_path, *BUILD, "--out", str(longer))
        assert status == 3
        assert "the name is too long" in one_line(err)
    assert names_in(tmp_path) == ["content", "d" * 200]


def test_x_clocks_that_are_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path, GOOD)
    found = []
    for seconds in (0.0, 4e9, 1e9):  # the last one is set back
        monkeypatch.setattr("time.time", lambda now=seconds: now)
        assert here(tmp_path, *BUILD) == (0, "")
        for path in tree(tmp_path / "output"):
            os.utime(tmp_path / "output" / path, (seconds, seconds))
        found.append(tree(tmp_path / "output"))
    assert found[0] == found[1] == found[2]


@needs_fork
def test_x_the_folder_it_was_started_in_is_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()

    def leave() -> None:
        os.chdir(gone)
        gone.rmdir()

    process = start(tmp_path, "list", preexec_fn=leave)
    one_line(process.communicate(timeout=60)[1].decode())
    assert process.returncode == 3


INTERRUPTED = """
import os, sys
at, way, seen = int(sys.argv.pop(1)), sys.argv.pop(1), -1

def interrupt(event, about):
    global seen
    if event == "import" and (seen >= 0 or about[0] == "duckpress"):
        seen += 1
        if seen == at:
            os.kill(os.getpid(), 2)

sys.addaudithook(interrupt)
if way == "module":
    from runpy import _run_module_as_main
    _run_module_as_main("duckpress")
else:
    from duckpress.__main__ import main
    main()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("way", ["script", "module"])
def test_ctrl_c_prints_nothing_of_python_from_the_first_import_on(tmp_path: Path, way: str) -> None:
    """3 of 84 early ones printed a traceback; here it comes as some of a hundred modules are imported."""
    ends = set()
    for at in (1, 3, 17, 115):
        process = subprocess.run(
            [sys.executable, "-c", INTERRUPTED, str(at), way, "list"], cwd=tmp_path, capture_output=True, check=False,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        assert process.returncode == -signal.SIGINT, (at, process.stderr)
        assert process.stdout == b""
        ends.add(process.stderr)
    assert ends == {b"", b"duckpress: stopped\n"}  # before, and behind the line that handles all signals
