"""Starts the program for the harness: as a shell does, or out of a process that waits with its modules imported."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

HERE = Path(__file__).resolve().parent
AFRESH = ("-P", "-m", "duckpress")
LAUNCHER = HERE / "launcher.py"
SEARCHED = os.pathsep.join((str(HERE / "site"), str(HERE.parents[1] / "generator")))
"""Where modules are looked for: one of `site` writes down who asks for the network or another program."""


class Start(NamedTuple):
    """What to run, where, with what, into which files, and for how long and in how much memory it may."""

    folder: Path
    arguments: Sequence[str]
    environment: Mapping[str, str]
    out: Path
    err: Path
    seconds: float
    megabytes: int


def started_afresh(start: Start, result: Path, python: Sequence[str]) -> dict[str, Any]:
    """Start Python, with these arguments before those of the program; gives what the launcher tells."""
    command = [sys.executable, "-I", "-S", str(LAUNCHER), str(result), str(start.seconds), str(start.megabytes)]
    command += [sys.executable, *python, *start.arguments]
    with start.out.open("wb") as out, start.err.open("wb") as err:
        subprocess.run(
            command, cwd=start.folder, env=start.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            check=True,
        )  # fmt: skip
    told: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    return told


_waiting: list[subprocess.Popen[str]] = []


def started_out_of_waiting(start: Start) -> dict[str, Any]:
    """Let the process that waits become the program in a fork of it; gives what the launcher tells."""
    if not _waiting:
        environment = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": SEARCHED, "LC_ALL": "C.UTF-8"}
        command = [sys.executable, "-P", str(LAUNCHER), "--waiting"]
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


_begun: set[str] = set()


def is_first_of_its_file() -> bool:
    """Return whether no test of the file that is running has started the program before, in this process."""
    file = os.environ.get("PYTEST_CURRENT_TEST", "").partition("::")[0]
    is_first = file not in _begun
    _begun.add(file)
    return is_first
