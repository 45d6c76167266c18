"""Runs duckpress on hostile files as a stranger would run it, under limits, and says what it did.

`run_command` runs the real program as a process: no network, a cap on memory, killed after 20 seconds. Asked for, it
is started as a shell does; else a process waits that has imported it already. `run_here` runs the same command line in
this process, which takes a tenth of the time and measures no memory. `assert_refused` expects of either what is
expected of every hostile input: one clear error at the line that is wrong, and nothing else.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from hostile_game import GOOD, Files, lay_out
from network_watch import network_watch

from running import run

MEGABYTES = 2000
SECONDS = 20.0
needs_posix = pytest.mark.skipif(os.name != "posix", reason="limits are set with POSIX calls")


HERE = Path(__file__).resolve().parent
AFRESH = ("-P", "-m", "duckpress")
LAUNCHER = HERE / "launcher.py"
SEARCHED = os.pathsep.join(map(str, (HERE / "site", HERE, HERE.parents[1] / "generator")))
"""Where modules are looked for: one of `site` writes down who asks for the network or another program."""


class Start(NamedTuple):
    """What to run, where, with what, how long and in how much memory; `python` are the words of an interpreter."""

    folder: Path
    arguments: Sequence[str]
    environment: Mapping[str, str]
    out: Path
    err: Path
    seconds: float
    megabytes: int
    python: Sequence[str]


_waiting: list[subprocess.Popen[str]] = []


def started(start: Start) -> dict[str, Any]:
    """Let the process that waits start a Python, or a fork of it become the program; gives what the launcher tells."""
    if not _waiting:
        environment = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": SEARCHED, "LC_ALL": "C.UTF-8"}
        command = [sys.executable, "-P", str(LAUNCHER)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        _waiting.append(subprocess.Popen(command, env={**environment, "HARNESS_LOG": os.devnull}, **pipes))
        atexit.register(_end)
    (process,) = _waiting
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(start._asdict(), default=str) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        _end()  # the next test gets another one: this failure is only its own
        pytest.fail(f"the process that waits for work is gone: {process.returncode}")
    told: dict[str, Any] = json.loads(line)
    return told


def _end() -> None:
    for process in _waiting:
        process.communicate()
    _waiting.clear()


@dataclass(frozen=True)
class Ran:
    """What a run did: its status (None: killed for time), words, problems, cost, and the files that came or changed."""

    status: int | None
    out: str
    err: str
    problems: list[dict[str, Any]]
    megabytes: float
    written: list[str]
    sockets: list[str] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)
    survivors: bool = False

    def codes(self, level: str = "error") -> list[str]:
        return [problem["code"] for problem in self.problems if problem["level"] == level]


def run_command(
    folder: Path,
    *arguments: str,
    files: Files | None = None,
    form: str | None = "json",
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
    environment: Mapping[str, str] | None = None,
    python: Sequence[str] | None = None,
) -> Ran:
    """Run `duckpress ARGUMENTS` in a folder (after writing `files` there), as a process under limits.

    `megabytes` caps the address space of each process (0: no cap). A home folder and a folder for temporary files of
    its own lie beside the folder; what is left in the latter counts as written. With `python`, the arguments of the
    interpreter, it is started as a shell does in any case.
    """
    lay_out(folder, files or {})
    with TemporaryDirectory(prefix="harness-") as place:
        log, home, scratch = (Path(place) / name for name in ("log", "home", "tmp"))
        home.mkdir()
        scratch.mkdir()
        before = _files_in(folder)
        words = [*arguments, *(("--format", form) if form else ())]
        given = {
            "PATH": os.environ.get("PATH", ""),
            "PYTHONPATH": SEARCHED,
            "HARNESS_LOG": str(log),
            "HOME": str(home),
            "TMPDIR": str(scratch),
            "DUCKPRESS_CACHE": "off",
            "LC_ALL": "C.UTF-8",
            **(environment or {}),
        }
        out, err = Path(place) / "out", Path(place) / "err"
        out.touch()
        err.touch()
        if python is None:
            python = AFRESH if any(name.startswith("PYTHON") for name in environment or ()) else ()
        told = started(Start(folder, words, given, out, err, seconds, megabytes, python))
        said, complaints = (path.read_bytes().decode(errors="replace") for path in (out, err))
        noted = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
        after = _files_in(folder)
        written = sorted(path for path, stamp in after.items() if before.get(path) != stamp)
        written += sorted(f"temporary/{path}" for path in _files_in(scratch))
    return Ran(
        told["status"],
        said,
        complaints,
        _problems_in(said),
        told["megabytes"],
        written,
        [line for line in noted if line.startswith("socket")],
        [line for line in noted if line.startswith("program")],
        told["survivors"],
    )


def run_here(folder: Path, *arguments: str, files: Files | None = None, form: str | None = "json") -> Ran:
    """Run a command line in this process; a traceback is raised, as a test wants it."""
    lay_out(folder, files or {})
    before = _files_in(folder)
    words = [*arguments, *(("--format", form) if form else ())]
    with network_watch() as watch:
        told = run(folder, *words, DUCKPRESS_CACHE="off")
    after = _files_in(folder)
    written = sorted(path for path, stamp in after.items() if before.get(path) != stamp)
    return Ran(
        told.exit_code,
        told.stdout,
        told.stderr,
        _problems_in(told.stdout),
        0,
        written,
        watch.sockets,
        # A worker of its own is started as a program where this process has threads, as under pytest-xdist.
        [program for program in watch.programs if "duckpress.pool.worker_loop" not in program],
    )


def assert_refused(
    folder: Path,
    files: Files,
    *,
    code: str,
    at: str,
    command: Sequence[str] = ("check", "g"),
    says: str = "",
    others: Sequence[str] = (),
    status: int = 1,
    as_process: bool = False,
    **how: Any,
) -> Ran:
    """Expect one clear error: its code once, at `file` or `file:line`, with `says` in its words, and no other error.

    `others` are codes of errors that may stand beside it. `files` are laid over the good game `g`. Nothing may be
    written, no network asked for, no program started, and there is no traceback. `as_process` runs the real program
    (each class of input once), else it runs in this process. Gives what ran, for more.
    """
    ran = (run_command if as_process else run_here)(folder, *command, files={**GOOD, **files}, **how)
    assert_sound(ran, status=status)
    assert not ran.written, ran.written
    found = [problem for problem in ran.problems if problem["code"] == code]
    assert len(found) == 1, (code, ran.problems)
    assert not (rest := set(ran.codes()) - {code, *others}), (rest, ran.problems)
    problem = found[0]
    assert status == 0 or problem["level"] == "error", problem
    place = f"{problem['file']}:{problem['line']}" if ":" in at else problem["file"]
    assert place == at, problem
    assert problem["what"], problem
    assert problem["fix"] or status == 0, problem
    assert says in f"{problem['what']}\n{problem['fix']}", problem
    return ran


def assert_prints(folder: Path, files: Files, *, as_process: bool = False, **how: Any) -> Ran:
    """Expect that the game `g` with these files prints all the same: harmless, or made harmless."""
    ran = (run_command if as_process else run_here)(
        folder, "build", "g", "--paper", "a4", files={**GOOD, **files}, **how
    )
    assert_sound(ran, status=0)
    assert any(path.endswith(".pdf") for path in ran.written), ran
    return ran


def assert_sound(ran: Ran, *, status: int) -> None:
    """Expect the status, no traceback, no network, no other program, and nobody left running."""
    assert ran.status is not None, "killed for time"
    assert ran.status == status, (ran.status, ran.out[-2000:], ran.err[-2000:])
    for words in (ran.out, ran.err):
        assert "Traceback" not in words, words[-2000:]
    assert not ran.sockets, ran.sockets
    assert not ran.programs, ran.programs
    assert not ran.survivors, "a process was left running"


def _problems_in(words: str) -> list[dict[str, Any]]:
    try:
        told = json.loads(words)
    except ValueError:
        return []
    found = told.get("problems", []) if isinstance(told, dict) else []
    return found if isinstance(found, list) else []


def _files_in(folder: Path) -> dict[str, tuple[int, int]]:
    """Return what lies in a folder and below, not through links: path -> size and time of change."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = Path(where) / name
            stat = path.lstat()
            found[path.relative_to(folder).as_posix()] = (stat.st_size, stat.st_mtime_ns)
    return found
