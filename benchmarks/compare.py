"""Times whole commands, cold, duckpress beside Typst, in one run: prints ratios, growth and memory.

    make bench                                  decks of 500 and 2,000 cards, seven runs of each
    python benchmarks/compare.py --runs 3 --cards 2000

Every run is a process of its own and the two programs take turns, so that a machine that slows down slows both. Times
are medians; what counts are the ratios. duckpress reads YAML, checks, lays out, prints and proves; Typst compiles the
same cards from JSON, with the same fonts, pictures and drawings.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from synthetic import make_workspace

ROOT = Path(__file__).resolve().parent.parent
TYPST = "import sys, typst; typst.compile('bench.typ', output='bench.pdf', font_paths=[sys.argv[1]])"
DUCKPRESS = ("-m", "duckpress", "build", "bench", "--piece", "cards", "--paper", "a4")


class Run(NamedTuple):
    """One process: wall and CPU time in seconds, and the most memory it held, in MB."""

    wall: float
    cpu: float
    memory: float


def run(command: list[str], folder: Path) -> Run:
    """Run a command to its end and give what it took."""
    # The byte code of both programs lies ready, as it does after any installation.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command} left with status {process.returncode}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def measure(commands: dict[str, list[str]], folder: Path, runs: int) -> dict[str, list[Run]]:
    """Give the runs of each command, taken in turns after one that does not count; the output is removed between."""
    found: dict[str, list[Run]] = {name: [] for name in commands}
    for number in range(runs + 1):
        for name, command in commands.items():
            for left in ("output", ".duckpress-cache"):
                shutil.rmtree(folder / left, ignore_errors=True)
            done = run(command, folder)
            if number:
                found[name].append(done)
    return found


def median(runs: list[Run], what: str) -> float:
    """Give the median of one figure."""
    return statistics.median(getattr(one, what) for one in runs)


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=7)
    arguments.add_argument("--cards", type=int, nargs="+", default=[500, 2000])
    options = arguments.parse_args()
    commands = {
        "duckpress": [sys.executable, *DUCKPRESS],
        "typst": [sys.executable, "-c", TYPST, str(ROOT / "fonts")],
        "python": [sys.executable, "-c", "pass"],
        "version": [sys.executable, "-m", "duckpress", "--version"],
    }
    walls: dict[int, float] = {}
    print("| cards | wall / Typst | CPU / Typst | MB | Typst's MB |")
    print("|---|---|---|---|---|")
    for count in options.cards:
        with tempfile.TemporaryDirectory() as scratch:
            make_workspace(Path(scratch), count)
            found = measure(commands, Path(scratch), options.runs)
        ours, theirs = found["duckpress"], found["typst"]
        pairs = [one.wall / other.wall for one, other in zip(ours, theirs, strict=True)]
        cpu = [one.cpu / other.cpu for one, other in zip(ours, theirs, strict=True)]
        walls[count] = median(ours, "wall")
        print(
            f"| {count} | {statistics.median(pairs):.2f} ({min(pairs):.2f}-{max(pairs):.2f}) "
            f"| {statistics.median(cpu):.2f} ({min(cpu):.2f}-{max(cpu):.2f}) "
            f"| {median(ours, 'memory'):.0f} | {median(theirs, 'memory'):.0f} |",
            flush=True,
        )
    if len(walls) > 1:
        least, most = min(walls), max(walls)
        print(f"\n{least} to {most} cards ({most / least:g} x): {walls[most] / walls[least]:.2f} x the time")
    bare = median(found["python"], "cpu")
    print(f"duckpress --version: {median(found['version'], 'cpu'):.3f} s of CPU (Python alone {bare:.3f} s)")


if __name__ == "__main__":
    main()
