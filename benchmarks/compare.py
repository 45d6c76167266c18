"""Times whole commands, cold, duckpress beside Typst, in one run: prints ratios, growth and memory.

    make bench                                  decks of 500 and 2,000 cards, nine runs of each
    python benchmarks/compare.py --runs 3 --cards 2000

Every run is a process of its own and the two programs take turns, so that a machine that slows down slows both. Times
are medians; what counts are the ratios. duckpress reads YAML, checks, lays out, prints and proves; Typst compiles the
same cards from JSON, with the same fonts, pictures and drawings. Both use all processors that there are: so both are
measured once more with one alone, and duckpress with `--jobs 1` against Typst with all. A deck of 54 cards
is held against importing the libraries that a build cannot do without, and doing nothing with them.
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
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from synthetic import make_workspace

ROOT = Path(__file__).resolve().parent.parent
TYPST = "import sys, typst; typst.compile('bench.typ', output='bench.pdf', font_paths=[sys.argv[1]])"
LIBRARIES = "import reportlab.pdfgen.canvas, jinja2, yaml, PIL, click, pikepdf, uharfbuzz"
DUCKPRESS = ("-m", "duckpress", "build", "bench", "--piece", "cards", "--paper", "a4")


class Run(NamedTuple):
    """One process: wall and CPU time in seconds, and the most memory it held, in MB."""

    wall: float
    cpu: float
    memory: float


def run(command: list[str], folder: Path, processors: frozenset[int] = frozenset()) -> Run:
    """Run a command to its end and give what it took; it may use these processors only, where any are named."""
    # The byte code of both programs lies ready, as it does after any installation.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    usual = os.sched_getaffinity(0) if processors else frozenset()
    if processors:
        os.sched_setaffinity(0, processors)  # what is started inherits it
    began = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    if processors:
        os.sched_setaffinity(0, usual)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command} left with status {process.returncode}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def measure(
    commands: Mapping[str, list[str]], folder: Path, runs: int, processors: Mapping[str, frozenset[int]]
) -> dict[str, list[Run]]:
    """Return the runs of each command, taken in turns after one that does not count; the output is removed between."""
    found: dict[str, list[Run]] = {name: [] for name in commands}
    for number in range(runs + 1):
        for name, command in commands.items():
            for left in ("output", ".duckpress-cache"):
                shutil.rmtree(folder / left, ignore_errors=True)
            done = run(command, folder, processors.get(name, frozenset()))
            if number:
                found[name].append(done)
    return found


def median(runs: list[Run], what: str) -> float:
    """Return the median of one figure."""
    return statistics.median(getattr(one, what) for one in runs)


def ratio(ours: list[Run], theirs: list[Run], what: str) -> str:
    """Return the median of the ratios of a figure pair by pair, with the least and the most."""
    pairs = [getattr(one, what) / getattr(other, what) for one, other in zip(ours, theirs, strict=True)]
    return f"{statistics.median(pairs):.2f} ({min(pairs):.2f}-{max(pairs):.2f})"


def measure_small(runs: int) -> None:
    """Print what 54 cards take, cold, against the libraries alone."""
    commands = {
        "build": [sys.executable, *DUCKPRESS],
        "libraries": [sys.executable, "-c", LIBRARIES],
        "check": [sys.executable, "-m", "duckpress", "check", "bench"],
    }
    with tempfile.TemporaryDirectory() as scratch:
        make_workspace(Path(scratch), 54)
        found = measure(commands, Path(scratch), runs, {})
    print("\n| 54 cards | wall / importing the libraries | CPU / importing the libraries |\n|---|---|---|")
    for name in ("build", "check"):
        ratios = [ratio(found[name], found["libraries"], what) for what in ("wall", "cpu")]
        print(f"| {name} | {' | '.join(ratios)} |")


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=9)
    arguments.add_argument("--cards", type=int, nargs="+", default=[500, 2000])
    options = arguments.parse_args()
    build = [sys.executable, *DUCKPRESS]
    typst = [sys.executable, "-c", TYPST, str(ROOT / "fonts")]
    commands = {
        "duckpress": build,
        "typst": typst,
        "duckpress --jobs 1": [*build, "--jobs", "1"],
        "python": [sys.executable, "-c", "pass"],
        "version": [sys.executable, "-m", "duckpress", "--version"],
    }
    processors: dict[str, frozenset[int]] = {}
    if hasattr(os, "sched_setaffinity"):
        commands |= {"duckpress on one": build, "typst on one": typst}
        processors = dict.fromkeys(("duckpress on one", "typst on one"), frozenset({min(os.sched_getaffinity(0))}))
    walls: dict[int, float] = {}
    others = []
    print("| cards | wall / Typst | CPU / Typst | MB | Typst's MB |")
    print("|---|---|---|---|---|")
    for count in options.cards:
        with tempfile.TemporaryDirectory() as scratch:
            make_workspace(Path(scratch), count)
            found = measure(commands, Path(scratch), options.runs, processors)
        ours, theirs = found["duckpress"], found["typst"]
        walls[count] = median(ours, "wall")
        print(
            f"| {count} | {ratio(ours, theirs, 'wall')} | {ratio(ours, theirs, 'cpu')} "
            f"| {median(ours, 'memory'):.0f} | {median(theirs, 'memory'):.0f} |",
            flush=True,
        )
        alone = ratio(found["duckpress on one"], found["typst on one"], "wall") if processors else "not measured"
        others.append(f"| {count} | {alone} | {ratio(found['duckpress --jobs 1'], theirs, 'wall')} |")
    print("\n| cards | wall / Typst, both on one processor | wall of --jobs 1 / Typst on all |")
    print("|---|---|---|", *others, sep="\n")
    if len(walls) > 1:
        least, most = min(walls), max(walls)
        print(f"\n{least} to {most} cards ({most / least:g} x): {walls[most] / walls[least]:.2f} x the time")
    measure_small(options.runs)
    bare = median(found["python"], "cpu")
    print(f"duckpress --version: {median(found['version'], 'cpu'):.3f} s of CPU (Python alone {bare:.3f} s)")


if __name__ == "__main__":
    main()
