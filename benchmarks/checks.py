"""CPU of checks: of a bundled game that has not changed, and of every combination of six modules at 2 to 6 players.

    python benchmarks/checks.py            three runs of each, and what `duckpress --version` takes

Seconds are CPU beyond `duckpress --version`; what counts is the ratio to the limit. Leaves with status 1 above it.
"""

from __future__ import annotations

import argparse
import os
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
  m1: {setup: [{row: m1, take: {weather: 1}}], expect: [{that: m1, is: 1}]}
  m2: {setup: [{row: m2, each: player, take: {draw pile: 1}}]}
  m3: {setup: [{pile: m3, take: {draw pile: players // 2}}]}
  m4: {setup: [{row: m4, take: {weather: {2: 1, 3-6: 1}}}]}
  m5: {setup: [{aside: m5, take: {draw pile: 1}}]}
  m6: {setup: [{row: m6, take: {hand: 1}}]}
"""
CHANGES = {
    "game.yaml": {"players: 2-4": "players: 2-6", "hand size: 4": "hand size: 2"},
    "setup.yaml": {"weather: players": "weather: 2", "2 * players": "0"},
}


def cpu_of(command: list[str], folder: Path, runs: int) -> float:
    """Return the CPU of a command in seconds, the median of some runs after one that does not count."""
    return statistics.median([run(command, folder).cpu for _ in range(runs + 1)][1:])


def replace(path: Path, old: str, new: str) -> None:
    """Replace what stands in a file."""
    text = path.read_text(encoding="utf-8")
    if old not in text:
        raise SystemExit(f"{path.name} has no {old!r} any more")
    path.write_text(text.replace(old, new), encoding="utf-8")


def main() -> int:
    """Measure and print; give the exit status."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--runs", type=int, default=3)
    runs = arguments.parse_args().runs
    ratios: dict[str, float] = {}
    start = cpu_of([*PROGRAM, "--version"], ROOT, runs)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["DUCKPRESS_CACHE"] = str(Path(scratch, "cache"))
        for game in GAMES:
            seconds = cpu_of([*PROGRAM, "check", game], ROOT, runs) - start
            ratios[f"{game}, unchanged"] = seconds / UNCHANGED_S
        inside = [*PROGRAM, "--workspace", str(Path(scratch, "games"))]
        Path(scratch, "games").mkdir()
        run([*inside, "new", "bench"], ROOT)
        folder = Path(scratch, "games/content/bench")
        for name, changes in CHANGES.items():
            for old, new in changes.items():
                replace(folder / name, old, new)
        without = cpu_of([*inside, "check", "bench", "--no-cache"], ROOT, runs)
        replace(folder / "setup.yaml", "\nexpect:", f"{MODULES}\nexpect:")
        seconds = cpu_of([*inside, "check", "bench", "--no-cache"], ROOT, runs) - without
        ratios["64 combinations at 2-6 players, beyond the basic game"] = seconds / COMBINATIONS_S
    print("| check | CPU / limit |\n|---|---|")
    for name, ratio in ratios.items():
        print(f"| {name} | {ratio:.2f} |")
    return int(max(ratios.values()) > 1)


if __name__ == "__main__":
    raise SystemExit(main())
