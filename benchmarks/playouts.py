"""CPU of 10,000 playouts of Duck Blind, held against a fixed piece of work.

    python benchmarks/playouts.py            three runs at 2, 4 and 6 players, and what `duckpress --version` takes

What counts is the ratio to the loop of games.py. The limit is 5 s on two cores: 10 s of CPU, which two processes share.
Leaves with status 1 where a player count passes it.
"""

from __future__ import annotations

import argparse
import statistics
import sys

from games import LOOP, cpu_of

LIMIT_S = 2 * 5.0


def main() -> int:
    """Measure and print; give the exit status."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--players", type=int, nargs="+", default=[2, 4, 6])
    options = arguments.parse_args()
    program = [sys.executable, "-m", "duckpress"]
    loop = statistics.median(cpu_of([sys.executable, "-c", LOOP]) for _ in range(options.runs))
    start = statistics.median(cpu_of([*program, "--version"]) for _ in range(options.runs))
    print("| players | CPU / limit of 10 s | CPU / loop |\n|---|---|---|")
    slowest = 0.0
    for players in options.players:
        command = [*program, "playtest", "duck-blind", "--runs", "10000", "--players", str(players), "--jobs", "2"]
        cpu = statistics.median(cpu_of(command) for _ in range(options.runs))
        slowest = max(slowest, cpu)
        print(f"| {players} | {cpu / LIMIT_S:.2f} | {cpu / loop:.2f} |")
    print(f"\nThe loop took {loop:.3f} s of CPU here, `duckpress --version` {start:.3f} s.")
    return int(slowest > LIMIT_S)


if __name__ == "__main__":
    raise SystemExit(main())
