"""What the copies of an edition cost: beside single builds, beside their bytes alone, from draw to draw, on workers.

    python benchmarks/editions.py                          all four, three runs of each but the long ones
    python benchmarks/editions.py --copies 200 --decks 1000 --runs 1
    python benchmarks/editions.py --only shared

`shared`: copies of 54 cards that all look alike, without and with a line that names them, against as many builds of
the same game (one build is measured, and counted so often) and against a process that writes just the same bytes,
file by file, each brought to the disk. `unique`: decks of 36 drawn from 200 cards: what a copy takes when there are
ten times as many, and the most memory of any process. `cluster`: the same decks on one worker of a Dask cluster on
this computer and on two, each bound to a core of its own. `paper`: from what was measured, what 100,000 copies take
on more cores, and what limits them then.

CPU is user and system time with all processes of a command. Wall time is what it is: let nothing else run.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from compare import Run, run
from incremental import BUILD, clear
from synthetic import SHARED, WORDS, make_workspace

SEED = "a winter evening"
CARDS, POOL, HAND = 54, 200, 36
MARKED = 'edition:\n  columns: {name: text}\n  marks: {name: "{{ row.name }}"}\n'
WAYS = (
    ("without marks", "", False),
    ("marked", MARKED, False),
    ("pictures of one colour, without marks", "", True),
    ("pictures of one colour, marked", MARKED, True),
)
DRAWN = f"edition:\n  deal: {{cards: {HAND}}}\n"
FLAT = (600, 400)
"""Pixels of pictures of one colour: without grain 10,000 copies fit on a disk, and what is written weighs little."""

WRITE = """
import os, sys
data = open(sys.argv[1], "rb").read()
for number in range(int(sys.argv[2])):
    with open(f"{sys.argv[3]}/{number}.pdf", "wb", 0) as file:
        file.write(data)
        os.fsync(file.fileno())
"""  # as an edition does

CORES = (1, 16, 256)
COPIES = 100_000
CORE_HOUR = 0.05  # dollars; what large clouds ask for a core that is not shared, in 2026, is 0.03 to 0.06
NETWORK_MB = 1_250.0  # a second: 10 Gbit
TASK_S = 0.004  # of the scheduler and of who asks, for a folder, without its bytes


class Parts(NamedTuple):
    """What many copies are reckoned from: seconds of CPU and MB of one, MB a second of the disk."""

    name: str
    cpu: float
    megabytes: float
    disk_mb: float
    start: float  # seconds of one copy alone
    shard: int = 100  # copies in a folder


def edition(folder: Path, count: int, *more: str) -> list[str]:
    """Return the command that prints so many copies, each for somebody with a name."""
    chance = random.Random(count)
    names = (" ".join(chance.choice(WORDS).capitalize() for _ in range(3)) for _ in range(count))
    (folder / "people.csv").write_text("id,name\n" + "".join(f"p{at},{name}\n" for at, name in enumerate(names)))
    return [*BUILD, "edition", "bench", "--for", "people.csv", "--seed", SEED, "--paper", "a4", *more]


def make_game(folder: Path, plan: str, cards: int = CARDS, *, is_flat: bool = False) -> None:
    """Write the game, with what its copies have for themselves."""
    make_workspace(folder, cards)
    game = folder / "content/bench"
    with (game / "game.yaml").open("a") as file:
        file.write(plan)
    for number in range(SHARED if is_flat else 0):
        Image.new("RGB", FLAT, (30 * number, 120, 90)).save(game / f"art/picture-{number}.png")


def a_pdf(folder: Path) -> Path:
    """Return a file of a copy."""
    return next((folder / "output/bench/edition").rglob("*.pdf"))


def spread(values: Sequence[float], digits: int = 1) -> str:
    """Return the median, with the least and the most."""
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def measure_shared(copies: int, runs: int) -> list[Parts]:
    """Print what copies that share all faces take, and return it."""
    print(f"\n| {copies} copies of {CARDS} cards | ms of CPU a copy | builds / edition, CPU | wall ", end="")
    print("| edition / its bytes written, CPU | wall | MB a copy | MB of memory |\n|---|---|---|---|---|---|---|---|")
    parts = []
    for name, plan, is_flat in WAYS:
        builds: list[Run] = []
        editions: list[Run] = []
        writes: list[Run] = []
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            make_game(folder, plan, is_flat=is_flat)
            for number in range(runs + 1):
                clear(folder)
                build = run([*BUILD, "build", "bench", "--paper", "a4"], folder)
                clear(folder)
                made = run(edition(folder, copies if number else 1), folder)
                file, written = folder / "copy.pdf", folder / "written"
                shutil.copy(a_pdf(folder), file)
                clear(folder)
                written.mkdir()
                wrote = run([sys.executable, "-c", WRITE, str(file), str(copies if number else 1), "written"], folder)
                shutil.rmtree(written)
                if number:
                    builds.append(build)
                    editions.append(made)
                    writes.append(wrote)
                else:
                    first = made
            megabytes = file.stat().st_size / 1e6
        each = [(made.cpu - first.cpu) / (copies - 1) for made in editions]
        cells = [spread([1000 * one for one in each])]
        for what in ("cpu", "wall"):
            pairs = zip(builds, editions, strict=True)
            cells.append(spread([copies * getattr(one, what) / getattr(made, what) for one, made in pairs], 0))
        for what in ("cpu", "wall"):
            pairs = zip(editions, writes, strict=True)
            cells.append(spread([getattr(made, what) / getattr(wrote, what) for made, wrote in pairs]))
        memory = max(made.memory for made in editions)
        print(f"| {name} | {' | '.join(cells)} | {megabytes:.1f} | {memory:.0f} |", flush=True)
        disk_mb = copies * megabytes / statistics.median(wrote.wall for wrote in writes)
        parts.append(Parts(f"{CARDS} cards, {name}", statistics.median(each), megabytes, disk_mb, first.wall))
    return parts


def measure_unique(decks: int, disk_mb: float) -> Parts:
    """Print what a deck of its own takes when there are few and many, and return it."""
    found = []
    counts = (1, decks // 10, decks)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_game(folder, DRAWN, POOL, is_flat=True)
        for count in counts:
            clear(folder)
            found.append(run(edition(folder, count), folder))
        megabytes = a_pdf(folder).stat().st_size / 1e6
    one, few, many = found
    each = [(made.cpu - one.cpu) / (count - 1) for made, count in ((few, counts[1]), (many, decks))]
    rest = (many.cpu - few.cpu) / (decks - counts[1])
    print(f"\n{decks} decks of {HAND} from {POOL} cards: {1000 * each[1]:.1f} ms of CPU a copy, ", end="")
    print(f"{megabytes:.2f} MB;", end="")
    print(f" those behind the first {counts[1]} take {rest / each[0]:.2f} times as much as these;", end="")
    print(f" the largest process {few.memory:.0f} MB with {counts[1]}, {many.memory:.0f} MB with {decks}", flush=True)
    return Parts(f"{HAND} of {POOL} cards", each[1], megabytes, disk_mb, one.wall)


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[str]:
    """Yield the address of a scheduler on this computer with workers, each on a core of its own."""
    places = folder / f"scheduler-{workers}.json"
    processes: list[subprocess.Popen[bytes]] = []

    def start(kind: str, *words: str, bound: Sequence[str] = ()) -> None:
        command = [*bound, sys.executable, "-m", f"distributed.cli.dask_{kind}", *words, "--host", "127.0.0.1"]
        quiet = subprocess.DEVNULL
        processes.append(subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=quiet))

    try:
        start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(places))
        while not places.exists():
            time.sleep(0.05)
        (address,) = re.findall(r"tcp://127.0.0.1:\d+", places.read_text())
        for core in sorted(os.sched_getaffinity(0))[:workers]:
            options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
            start("worker", address, *options, bound=("taskset", "-c", str(core)))
        wait = f"import sys, distributed; distributed.Client(sys.argv[1]).wait_for_workers({workers})"
        subprocess.run([sys.executable, "-c", wait, address], check=True)
        yield address
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()


def measure_cluster(copies: int, runs: int) -> None:
    """Print what two workers save against one."""
    ratios = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_game(folder, DRAWN, POOL, is_flat=True)
        for number in range(runs + 1):
            walls = []
            for workers in (1, 2):
                clear(folder)
                with cluster(folder, workers) as address:
                    more = ("--cluster", address, "--to", str(folder / "output"), "--shard", "25")
                    walls.append(run(edition(folder, copies if number else 25, *more), folder).wall)
                (folder / f"scheduler-{workers}.json").unlink()
            if number:
                ratios.append(walls[0] / walls[1])
    print(f"\nTwo workers, {copies} decks of {HAND}: {spread(ratios, 2)} times as fast as one, wall", flush=True)


def show_on_paper(parts: Sequence[Parts]) -> None:
    """Print what many copies would take on some numbers of cores, each figure reckoned from what was measured."""
    print(f"\n| {COPIES} copies on paper | cores | cores alone | one disk | network | scheduler | dollars |")
    print("|---|---|---|---|---|---|---|")
    for one in parts:
        gigabytes = COPIES * one.megabytes / 1000
        for cores in CORES:
            shards = COPIES / one.shard
            times = {
                "cores": one.start + -(-shards // cores) * one.shard * one.cpu,
                "disk": 1000 * gigabytes / one.disk_mb,
                "network": 1000 * gigabytes / NETWORK_MB if cores > CORES[0] else 0.0,
                "scheduler": shards * TASK_S if cores > CORES[0] else 0.0,
            }
            longest = max(times, key=lambda name: times[name])
            cells = [f"**{told(value)}**" if name == longest else told(value) for name, value in times.items()]
            # Cores that wait for a disk are paid for, too.
            dollars = cores * max(times.values()) / 3600 * CORE_HOUR
            print(f"| {one.name}, {gigabytes:.0f} GB | {cores} | {' | '.join(cells)} | {dollars:.2f} |")
    print(f"\nA core costs ${CORE_HOUR} an hour; the network takes {NETWORK_MB:.0f} MB a second", end="")
    print(f", the disk {parts[0].disk_mb:.0f} MB as measured, the scheduler {1000 * TASK_S:.0f} ms for a folder.")


def told(seconds: float) -> str:
    """Return a time as it is said."""
    if seconds < 90:
        return f"{seconds:.0f} s" if seconds else "-"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--copies", type=int, default=1000)
    arguments.add_argument("--decks", type=int, default=10_000)
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--only", choices=("shared", "unique", "cluster"))
    options = arguments.parse_args()
    parts = measure_shared(options.copies, options.runs) if options.only in (None, "shared") else []
    if options.only in (None, "unique"):
        parts.append(measure_unique(options.decks, parts[0].disk_mb if parts else NETWORK_MB))
    if options.only in (None, "cluster"):
        measure_cluster(options.decks // 5, options.runs)
    if options.only is None:
        show_on_paper(parts)


if __name__ == "__main__":
    main()
