"""The harness itself sees what it has to see: it would be worth nothing if it passed everything."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import assert_refused, needs_posix, run_command
from hostile_game import game

BAD = game(game="title: [\n")


@needs_posix
@pytest.mark.parametrize("as_process", [False, True])
def test_a_refusal_is_seen(tmp_path: Path, as_process: bool) -> None:
    assert_refused(tmp_path, BAD, code="yaml-syntax", at="content/g/game.yaml:2", as_process=as_process)
    with pytest.raises(AssertionError):
        assert_refused(tmp_path, BAD, code="yaml-syntax", at="content/g/game.yaml:7")
    with pytest.raises(AssertionError):
        assert_refused(tmp_path, {}, code="yaml-syntax", at="content/g/game.yaml:2")


PROGRAMS = {
    "socket": "import socket; socket.create_connection(('127.0.0.1', 9), 1)",
    "socket in C": "import _socket; _socket.socket(2, 1)",
    "name": "import socket; socket.getaddrinfo('localhost', 80)",
    "address": "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/x')",
}


@needs_posix
@pytest.mark.parametrize("case", PROGRAMS)
def test_the_network_is_refused_and_seen(tmp_path: Path, case: str) -> None:
    ran = run_command(tmp_path, python=("-c", PROGRAMS[case]), form=None)
    assert ran.status == 1
    assert "no network" in ran.err
    assert ran.sockets


@needs_posix
def test_limits_hold(tmp_path: Path) -> None:
    memory = run_command(tmp_path, python=("-c", "x = b'x' * 500_000_000"), form=None, megabytes=300)
    assert (memory.status, "MemoryError" in memory.err) == (1, True)
    late = run_command(tmp_path, python=("-c", "import time; time.sleep(60)"), form=None, seconds=0.3)
    assert late.status is None
    left = "import os, time; os.fork() or time.sleep(60)"
    assert run_command(tmp_path, python=("-c", left), form=None).survivors
    program = run_command(tmp_path, python=("-c", "import os; os.system('true'); open('x', 'w')"), form=None)
    assert (len(program.programs), program.written) == (1, ["x"])
    large = run_command(tmp_path, python=("-c", "x = b'x' * 100_000_000"), form=None)
    assert 100 < large.megabytes < 150
