"""CPU of checks: of a bundled game that has not changed, and of every combination of six modules at 2 to 6 players.

    python benchmarks/checks.py            three runs of each, and what `duckpress --version` takes

Seconds are CPU beyond `duckpress --version`; what counts is the ratio to the limit. Leaves with status 1 above it.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import sys
import tempfile
from pathlib import Path

from compare import ROOT, run

PROGRAM = [sys.executable, "-m", "duckpress"]
GAMES = ("blind-mans-draft", "canardage", "duck-blind", "duck-pens", "ducks-in-a-row")
UNCHANGED_S = 0.25
COMBINATIONS_S = 2.0
MODULES = """
modules:
  m1: {setup: [{row: m1, take: {crop: 1}}], expect: [{that: m1, is: 1}]}
  m2: {setup: [{row: m2, each: player, take: {draw pile: 1}}]}
  m3: {setup: [{pile: m3, take: {draw pile: players}}]}
  m4: {setup: [{row: m4, take: {weather: {2: 1, 3-6: 1}}}]}
  m5: {setup: [{aside: m5, take: {draw pile: {where: "card.deck == 'weather'", count: 1}}}]}
  m6: {setup: [{row: m6, take: {draw pile: {where: "card.deck == 'crop'", count: 2}}}]}
"""


def cpu_of(command: list[str], folder: Path, runs: int) -> float:
    """Return the CPU of a command in seconds, the median of some runs after one that does not count."""
    return statistics.median([run(command, folder).cpu_s for _ in range(runs + 1)][1:])


def main() -> int:
    """Measure and print; give the exit status."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--runs", type=int, default=3)
    runs = arguments.parse_args().runs
    ratios: dict[str, float] = {}
    start = cpu_of([*PROGRAM, "--version"], ROOT, runs)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["DUCKPRESS_CACHE"] = f"{scratch}/cache"
        for game in GAMES:
            seconds = cpu_of([*PROGRAM, "check", game], ROOT, runs) - start
            ratios[f"{game}, unchanged"] = seconds / UNCHANGED_S
        run([*PROGRAM, "--workspace", scratch, "new", "bench"], ROOT)
        setup = Path(scratch, "content/bench/setup.yaml")
        setup.write_text(setup.read_text() + MODULES)
        game_yaml = setup.with_name("game.yaml")
        game_yaml.write_text(re.sub("players: 2-4", "players: 2-6", game_yaml.read_text()))
        seconds = cpu_of([*PROGRAM, "--workspace", scratch, "table", "bench"], ROOT, runs) - start
        ratios["64 combinations, 2-6 players: the whole process"] = seconds / COMBINATIONS_S
    print("| check | CPU / limit |\n|---|---|")
    for name, ratio in ratios.items():
        print(f"| {name} | {ratio:.2f} |")
    return int(max(ratios.values()) > 1)


if __name__ == "__main__":
    raise SystemExit(main())
