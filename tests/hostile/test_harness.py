"""The harness itself sees what it has to see; and every input of the list in docs/security.md has a test."""

from __future__ import annotations

import re
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
    "socket in C": "import _socket; _socket.socket(2, 1)",
    "name": "import socket; socket.getaddrinfo('localhost', 80)",
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


ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = re.findall(r"(?m)^\| (\d+) \| .+ \| (.+) \| (`test_.+`) \|$", PAGE)


def test_every_number_has_a_test() -> None:
    assert [int(number) for number, *_ in ROWS] == list(range(1, 38))
    known = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    for number, happens, files in ROWS:
        for name in re.findall("`([a-z_]+[.]py)`", files):
            (path,) = (ROOT / "tests").glob(f"*/{name}")
            assert re.search(rf'["_]{int(number):02}[-_]', path.read_text(encoding="utf-8")), (number, name)
        for code in re.findall(r"`([a-z]+(?:-[a-z0-9]+)+)`", happens):
            assert code in known, (number, code)


def test_the_page_names_every_door_that_is_fuzzed() -> None:
    page = PAGE.partition("<!-- fuzzed: begin -->")[2].partition("<!-- fuzzed: end -->")[0]
    doors = {path.name for path in (ROOT / "tests" / "fuzz" / "corpus").iterdir()}
    assert doors == set(re.findall(r"(?m)^\| ([a-z]+) \| [0-9,]+ \|", page))
