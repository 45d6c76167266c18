"""CPU of building every bundled game for A4 and Letter on one core, held against a limit and a fixed piece of work.

    python benchmarks/games.py                  three runs, all games together and each game by itself
    python benchmarks/games.py --runs 1 --whole

Every run is a process of its own, cold, bound to one core; its CPU is user and system time together. A machine that is
slow or shared makes seconds mean little, so a fixed loop of pure Python takes turns with the builds, and what counts is
the ratio to it. Leaves with status 1 where a build fails or the limit is passed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 20.0  # CPU in which all games have to be built, A4 and Letter, on one core
# What the program does most of: cut words, look them up, add floats, join text.
LOOP = """
widths = {}
total = 0.0
for turn in range(4000):
    words = [f"word{turn % 97}-{number}" for number in range(60)]
    for word in words:
        width = widths.get(word)
        if width is None:
            width = widths[word] = sum(map(ord, word)) / 1000
        total += width
    line = " ".join(words)
    total += len(line.split())
"""


def cpu_of(command: Sequence[str]) -> float:
    """Run a command on one core and give its CPU in seconds; leaves where the command fails."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as said, tempfile.TemporaryDirectory() as cache:
        environment["DUCKPRESS_CACHE"] = cache  # an empty one every time: cold
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=said, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            said.seek(0)
            sys.stdout.write(said.read().decode(errors="replace"))
            raise SystemExit(f"{' '.join(command)} left with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def build_of(games: Sequence[str], out: str) -> list[str]:
    """Return the command that builds games for A4 and Letter."""
    return [sys.executable, "-m", "duckpress", "build", *games, "--paper", "a4,letter", "--out", out]


def main() -> int:
    """Measure and print; give the exit status."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--whole", action="store_true", help="all games together only")
    options = arguments.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    names = sorted(path.parent.name for path in (ROOT / "content").glob("*/game.yaml"))
    works: dict[str, tuple[str, ...]] = {"all games": ()}
    if not options.whole:
        works |= {name: (name,) for name in names}
    found: dict[str, list[float]] = {name: [] for name in works}
    loops = []
    for _ in range(options.runs):
        for name, games in works.items():
            loops.append(cpu_of([sys.executable, "-c", LOOP]))
            with tempfile.TemporaryDirectory() as out:
                found[name].append(cpu_of(build_of(games, out)))
    loop = statistics.median(loops)
    print(f"| what | CPU / limit of {LIMIT_S:g} s | CPU / loop | runs apart by |")
    print("|---|---|---|---|")
    for name, runs in found.items():
        cpu = statistics.median(runs)
        print(f"| {name} | {cpu / LIMIT_S:.2f} | {cpu / loop:.1f} | {(max(runs) - min(runs)) / cpu:.0%} |")
    print(f"\nThe loop took {loop:.3f} s of CPU here ({min(loops):.3f} to {max(loops):.3f}).")
    return int(statistics.median(found["all games"]) > LIMIT_S)


if __name__ == "__main__":
    raise SystemExit(main())
