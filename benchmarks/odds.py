"""CPU of questions about odds, each in a process of its own, held against a fixed piece of work.

    python benchmarks/odds.py            three runs of each question, and what `duckpress --version` takes

What counts is the ratio to the loop of games.py. Leaves with status 1 where an exact question passes its limit.
"""

from __future__ import annotations

import argparse
import statistics
import sys

from games import LOOP, cpu_of

LIMIT_S = 0.5  # CPU of an exact question, the whole process
QUESTIONS = (
    ("duck-blind", "hand of 5 from play deck has >= 2 where card.rare", "4"),
    ("duck-blind", "hand of 5 from play deck has a pair of species", "4"),
    ("duck-blind", "2 hands of 5 from play deck each has a pair of species", "4"),
    ("ducks-in-a-row", "hand has most of suit >= 5", "6"),
    ("canardage", "line has most of colour >= 3", "6"),
    ("duck-pens", "roll of 3 die has a triple of face", "2"),
)


def main() -> int:
    """Measure and print; give the exit status."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--runs", type=int, default=3)
    runs = arguments.parse_args().runs
    program = [sys.executable, "-m", "duckpress"]
    loop = statistics.median(cpu_of([sys.executable, "-c", LOOP]) for _ in range(runs))
    start = statistics.median(cpu_of([*program, "--version"]) for _ in range(runs))
    print("| question | CPU / limit of 0.5 s | CPU / loop |\n|---|---|---|")
    slowest = 0.0
    for game, question, players in QUESTIONS:
        command = [*program, "odds", game, question, "--players", players]
        cpu = statistics.median(cpu_of(command) for _ in range(runs))
        slowest = max(slowest, cpu)
        print(f"| {game}: {question} | {cpu / LIMIT_S:.2f} | {cpu / loop:.2f} |")
    print(f"\nThe loop took {loop:.3f} s of CPU here, `duckpress --version` {start:.3f} s.")
    return int(slowest > LIMIT_S)


if __name__ == "__main__":
    raise SystemExit(main())
