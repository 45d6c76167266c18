"""Runs that are stopped at random moments: by Ctrl-C, by SIGTERM, by a reader of their output that goes away.

`make soak` tries 125 moments of each command, or more; the same in every run: `DUCKPRESS_SEED=0` takes new ones.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from hostile_game import GOOD, lay_out
from mishaps import tree

GENERATOR = Path(__file__).resolve().parents[2] / "generator"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes that are left as Linux tells them")

COMMANDS = {
    "build": ("build", "g", "--jobs", "2"),
    "check": ("check", "g"),
    "export": ("export", "g", "--to", "png"),
    "bundle": ("bundle", "g"),
}
ENDINGS = {
    "Ctrl-C": -signal.SIGINT,  # sent to all processes, as by a terminal
    "SIGINT": -signal.SIGINT,  # sent to the program alone
    "SIGTERM": -signal.SIGTERM,
    "no stdout": 141,
    "no stderr": 141,
}
"""What happens to a run, and its status then; 0 where that came too late, or nothing was written any more."""

# As pip's script does; says when it has begun: before its first line Python itself answers Ctrl-C.
PROGRAM = """
import os, sys
from duckpress.__main__ import main
sys.addaudithook(lambda event, about: event == "import" and about[0] == "duckpress.cli" and os.write({begun}, b"."))
sys.argv[0] = "duckpress"
sys.exit(main())
"""


class Ended(NamedTuple):
    """How a run ended: status, what it said, how long it ran from its first line, and whether it was over before."""

    status: int
    err: str
    took_s: float
    is_late: bool


class Place:
    """A workspace of two versions of a game, and what a command makes of both."""

    def __init__(self, root: Path, command: tuple[str, ...]) -> None:
        self._root, self._command = root, command
        lay_out(root, GOOD)
        self._face = root / "content/g/layouts/face.xml"
        self._versions = [self._face.read_text(), self._face.read_text().replace('y="45"', 'y="47"')]
        self._wanted: list[dict[str, bytes]] = []
        for number in (0, 1):  # the first run may write what Python keeps of modules, the last one tells the time
            whole = self.run(number)
            assert (whole.status, whole.err) == (0, "")
            self._wanted.append(tree(root / "output"))
            self.whole_s = whole.took_s
        assert command[0] == "check" or self._wanted[0] != self._wanted[1]

    def stop(self, number: int, ending: str, after_s: float) -> tuple[Ended, list[str]]:
        """Stop a run at a moment; gives how it ended, and what is wrong with that."""
        before, wanted = tree(self._root / "output"), self._wanted[number % 2]
        ended = self.run(number, ending, after_s)
        wrong = [] if ended.status in (0, ENDINGS[ending]) else [f"status {ended.status}"]
        if ended.err not in ("", "duckpress: stopped\n"):
            wrong.append(f"it said {ended.err!r}")
        after = tree(self._root / "output")
        left = {name for name in after if "/.duckpress" in f"/{name}"}
        left |= {f"tmp/{path.name}" for path in (self._root / "tmp").iterdir()}
        left |= {path.name for name in ("cache", "home") for path in (self._root / name).rglob("*.new")}
        if left:
            wrong.append(f"left: {left}")
        if {name: data for name, data in after.items() if name not in left} not in (
            [wanted] if ended.status == 0 else [before, wanted]
        ):
            wrong.append("neither the old files nor the new ones")
        if wrong:
            shutil.rmtree(self._root / "output", ignore_errors=True)
        return ended, wrong

    def run(self, number: int, ending: str = "", after_s: float = 0.0) -> Ended:
        """Run the command on one of the versions, and let something happen to it so long after its first line."""
        root = self._root
        self._face.write_text(self._versions[number % 2])
        for name in ("home", "cache", "tmp"):
            shutil.rmtree(root / name, ignore_errors=True)
            (root / name).mkdir()
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(GENERATOR), "LC_ALL": "C.UTF-8"}
        environment |= {"HOME": str(root / "home"), "TMPDIR": str(root / "tmp"), "DUCKPRESS_CACHE": str(root / "cache")}
        begun, begins = os.pipe()
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM.format(begun=begins), *self._command],
            cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[begins],
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 (`&` has it ignored)
        )  # fmt: skip
        os.close(begins)
        try:
            assert os.read(begun, 1) == b"."
            began = time.monotonic()
            is_late = bool(ending) and is_over(process.pid, after_s)
            if ending:
                happen(process, ending)
            _, err = process.communicate(timeout=60)
            took_s = time.monotonic() - began
            return Ended(process.returncode, (err or b"").decode(), took_s, is_late)
        finally:
            os.close(begun)
            wait_for_all(process.pid)


def is_over(pid: int, seconds: float) -> bool:
    """Wait so long, and tell whether a process ended meanwhile."""
    handle = os.pidfd_open(pid)
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)


def happen(process: subprocess.Popen[bytes], ending: str) -> None:
    """Let it happen to a run."""
    if ending == "no stdout" and process.stdout is not None:
        process.stdout.close()
    elif ending == "no stderr" and process.stderr is not None:
        process.stderr.close()
    elif ending == "Ctrl-C":
        os.killpg(process.pid, signal.SIGINT)
    else:
        os.kill(process.pid, -ENDINGS[ending])


def wait_for_all(group: int) -> None:
    """Wait until no process of a group is left; one that has ended, and that nobody asked about yet, is none."""
    with contextlib.suppress(ProcessLookupError):
        for _ in range(2_000):
            os.killpg(group, 0)
            if not any(is_at_work_in(group, about) for about in Path("/proc").glob("[0-9]*/stat")):
                return
            time.sleep(0.005)
        os.killpg(group, signal.SIGKILL)
        raise AssertionError("a process is left")


def is_at_work_in(group: int, about: Path) -> bool:
    """Return whether a process (`/proc/<number>/stat`) belongs to a group and has not ended."""
    try:
        state, _, its_group = about.read_text().rpartition(")")[2].split()[:3]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return int(its_group) == group and state not in "ZX"


def look(name: str, root: Path, moments: Iterable[int]) -> float:
    """Stop a command at random moments, fail where anything is wrong, and give the share of those that stopped it."""
    seed = int(os.environ.get("DUCKPRESS_SEED", "1")) or random.SystemRandom().randrange(1, 1 << 32)
    chances, place = random.Random(seed), Place(root, COMMANDS[name])
    share, ends, wrong = 1.0, Counter[str](), []
    for number in moments:
        ending = chances.choice(list(ENDINGS))
        # A quarter of them are in the first tenth of a second, where modules are imported and nothing is held yet.
        most_s = place.whole_s * share if chances.random() < 0.75 else 0.1
        moment_s = chances.uniform(0.0, most_s)
        ended, faults = place.stop(number, ending, moment_s)
        share = share * 0.95 if ended.is_late else min(1.0, share * 1.02)  # a machine that was busy may be idle now
        ends["late" if ended.is_late or ended.status == 0 else "stopped"] += 1
        wrong += [f"{name}, {ending} after {moment_s:.3f} s: {fault}" for fault in faults]
    assert not wrong, "\n".join([f"DUCKPRESS_SEED={seed}", *wrong])
    return ends["stopped"] / ends.total()


def test_x_stopped_at_some_moments(quick_disk: Path) -> None:
    look("build", quick_disk, range(2))


@pytest.mark.soak
@pytest.mark.parametrize("name", list(COMMANDS))
def test_stopped_at_many_moments(quick_disk: Path, name: str) -> None:
    """At 125 moments of each command, or at more of them, for `DUCKPRESS_SOAK_SECONDS` in all commands together."""
    until = time.monotonic() + float(os.environ.get("DUCKPRESS_SOAK_SECONDS", "0")) / len(COMMANDS)
    moments = itertools.takewhile(lambda number: number < 125 or time.monotonic() < until, itertools.count())
    assert look(name, quick_disk, moments) > 1 / 4
