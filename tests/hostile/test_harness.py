"""The harness itself sees what it has to see: it would be worth nothing if it passed everything."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import AFRESH, assert_prints, assert_refused, assert_sound, needs_posix, run_command, run_here
from hostile_game import GOOD, game
from starting import is_first_of_its_file

BAD = game(game="title: [\n")


@needs_posix
def test_the_good_game_is_good(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    for jobs in ("1", "2"):
        ran = run_command(tmp_path, "build", "g", "--paper", "a4", "--jobs", jobs, "--out", jobs, files=GOOD)
        assert_sound(ran, status=0)
        assert not ran.problems
        assert ran.written == [f"{jobs}/g/g-all-a4.pdf", f"{jobs}/g/g-cards-a4.pdf", f"{jobs}/g/manifest.json"]
        assert 20 < ran.megabytes < 500
    assert not assert_prints(tmp_path / "here", {}).problems


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


@pytest.mark.sweep(3)
@needs_posix
@pytest.mark.parametrize("words", [("check", "g"), ("build", "g", "--paper", "a4", "--out", "x"), ("nope",)])
def test_the_process_that_waits_is_the_same_program(tmp_path: Path, words: tuple[str, ...]) -> None:
    is_first_of_its_file()
    files = BAD if "check" in words else GOOD
    waiting = run_command(tmp_path / "a", *words, files=files, form=None)
    afresh = run_command(tmp_path / "b", *words, files=files, form=None, python=AFRESH)
    assert (waiting.status, waiting.written) == (afresh.status, afresh.written)
    assert waiting.out.replace(str(tmp_path / "a"), "") == afresh.out.replace(str(tmp_path / "b"), "")
    assert waiting.err == afresh.err.replace("python -m duckpress", "duckpress")


@needs_posix
def test_limits_hold_and_the_watch_watches_there_too(tmp_path: Path) -> None:
    is_first_of_its_file()
    for micros in (1, 20, 50, 100, 200, 500, 1000):  # about the moment at which its process gets a group of its own
        assert run_command(tmp_path, "check", "g", files=GOOD, seconds=micros / 1e6).status is None
    little = run_command(tmp_path, "check", "g", megabytes=100)
    assert "layout-too-large" in little.codes() or "memory" in little.err, little
    asked = run_command(tmp_path, "changes", "g", "--since", "v1", form=None)
    assert asked.programs
    assert "git" in asked.programs[0]


def test_a_command_in_this_process_sees_the_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    from duckpress.cli import report

    monkeypatch.setattr(report, "print_json", lambda *_, **__: socket.getaddrinfo("localhost", 80))
    ran = run_here(tmp_path, "check", "g", files=GOOD)
    assert (ran.status, "no network" in ran.err) == (3, True)
