"""Every input kept for fuzzing goes through its door again, damaged ones too, and the fuzzer runs for a while."""

from __future__ import annotations

import importlib.util
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from paper_workspace import PaperWorkspace, parts_of
from targets import TARGETS, small_game

from duckpress.press.checking import check
from duckpress.press.reading import load

HERE = Path(__file__).resolve().parent
KEPT = sorted(path for folder in ("corpus", "crashes") for path in (HERE / folder).glob("*/*"))
SECONDS = 60  # an input takes milliseconds; this only keeps a door that hangs from hanging the tests
DAMAGED = {"game": 40, "template": 60}  # inputs; else 150
RUNS = 150


@contextmanager
def alarm(seconds: float = SECONDS) -> Iterator[None]:
    """Break off what hangs, where the system can; seconds are those that this process computes, not those that pass."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def late(*_: object) -> None:
        raise TimeoutError("the door hangs")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def test_every_door_has_inputs_and_every_input_a_door() -> None:
    assert {path.parent.name for path in KEPT} == set(TARGETS)
    assert {path.name for path in (HERE / "corpus").iterdir()} == set(TARGETS)


@pytest.mark.sweep(6)
@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.parent.name}-{path.parent.name}-{path.stem}")
def test_a_kept_input_goes_through(path: Path) -> None:
    with alarm():
        TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("door", sorted(TARGETS))
def test_damaged_inputs_go_through(door: str) -> None:
    """The same damage every time; it needs no fuzzer, and so runs everywhere."""
    chance = random.Random(door)
    seeds = [path.read_bytes() for path in KEPT if path.parent.name == door]
    for _ in range(DAMAGED.get(door, 150)):
        data = damaged(chance.choice(seeds), chance.choice(seeds), chance)
        try:
            with alarm():
                TARGETS[door](data)
        except Exception as error:
            error.add_note(f"the input was {data!r}")
            raise


def damaged(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Return an input with pieces or words left out, doubled, changed, exchanged, or taken from another."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        if chance.random() < 0.3:
            words = re.findall(rb"[\w.]+|[^\w\s]|\s+", out) or [b""]
            one, two = chance.randrange(len(words)), chance.randrange(len(words))
            words[one], words[two] = words[two], chance.choice((words[one], b"", b"999999999999", b"{{ x }}", b"\t"))
            out[:] = b"".join(words)
            continue
        at, length = chance.randrange(len(out) + 1), chance.choice((0, 1, 1, 2, 8, 40))
        from_other = chance.randrange(len(other) + 1)
        put = chance.choice(
            (b"", bytes([chance.randrange(256)]), out[at : at + length] * 2, other[from_other : from_other + 20])
        )
        out[at : at + length] = put
    return bytes(out)


@pytest.mark.soak
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not there: pip install '.[fuzz]'")
def test_the_fuzzer_finds_nothing_in_a_short_run(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, str(HERE / "run.py"), "all", "--runs", str(RUNS), "--crashes", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=500,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr[-4000:]
    doors = [line.split(":")[0] for line in ran.stdout.splitlines()]
    assert doors == sorted(TARGETS)
    assert all(f": {RUNS} inputs" in line for line in ran.stdout.splitlines()), ran.stdout


@pytest.mark.parametrize("name", ["good", "family", "board", "setup", "theme", "csv"])
def test_games_of_the_corpus_are_whole(name: str) -> None:
    """Fuzzing begins deep inside only where the games it begins with are good ones."""
    files = parts_of((HERE / "corpus" / "game" / f"{name}.txt").read_bytes())
    workspace = PaperWorkspace({**small_game(), **files})
    checked = check(workspace, load(workspace, "g"))
    assert not checked.has_errors, [str(problem) for problem in checked.problems]
