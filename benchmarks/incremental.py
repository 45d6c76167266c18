"""What one change costs: nothing or one card changed, each held against a cold build; watched, against Typst.

    python benchmarks/incremental.py                 2,000 synthetic cards and all games, five runs
    python benchmarks/incremental.py --runs 3 --cards 500
    python benchmarks/incremental.py --growth        decks of 2,500, 5,000 and 10,000 cards: time and memory

Every figure is a ratio to a cold build of the same run, as the programs take turns: CPU (user and system, workers
included) and wall. `watch` is measured in one process: from a saved card to the finished and proven file, against what
Typst, which also goes on, takes for the same change.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from compare import ROOT, Run, run
from duckpress.files.memo import Memo
from synthetic import make_workspace

BUILD = (sys.executable, "-m", "duckpress")
_PAUSE_S = 1.0  # nobody saves as soon as the last file is finished
TYPST = """
import os, sys, time, typst
compiler = typst.Compiler("bench.typ", font_paths=[sys.argv[1]])
for _ in sys.stdin:
    began, used = time.perf_counter(), sum(os.times()[:2])
    compiler.compile(output="bench.pdf")
    print(time.perf_counter() - began, sum(os.times()[:2]) - used, flush=True)
"""  # a process that goes on, as `typst watch` does: each line has it compile what has changed

SAVES = {
    "blind-mans-draft": ("doubling.yaml", "effect: Doubles ", "effect: Now doubles "),
    "canardage": ("action.yaml", "text: Faites ", "text: Faites bien "),
    "duck-blind": ("action.yaml", "text: Besides ", "text: And besides "),
    "duck-pens": ("automa.yaml", "shape: i, point: H2", "shape: i, point: I2"),
    "ducks-in-a-row": ("jokers.yaml", "The Joker in line", "The Joker in pencil"),
}
"""One word of one card of each game: its file, and what becomes of what."""


def clear(folder: Path) -> None:
    """Remove what builds leave."""
    for name in ("output", ".duckpress-cache"):
        shutil.rmtree(folder / name, ignore_errors=True)


class Saved(NamedTuple):
    """Seconds of wall and CPU from a saved card to its file, ours and Typst's."""

    wall: float
    cpu: float
    typst_wall: float
    typst_cpu: float


def change_in_json(cards: Path, number: int) -> None:
    """Give the card in the middle of Typst's deck the same cost."""
    deck = json.loads(cards.read_text())
    deck[len(deck) // 2]["cost"] = 100 + number
    cards.write_text(json.dumps(deck))


def change_a_card(deck: Path, number: int) -> None:
    """Give the card in the middle of a deck another cost."""
    text = deck.read_text()
    costs = list(re.finditer(r"(?m)^  cost: \d+$", text))
    middle = costs[len(costs) // 2]
    deck.write_text(f"{text[: middle.start()]}  cost: {100 + number}{text[middle.end() :]}")


def measure_deck(count: int, runs: int) -> dict[str, list[Run]]:
    """Return the runs of each kind of build of a synthetic deck."""
    found: dict[str, list[Run]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_workspace(folder, count)
        command = [*BUILD, "build", "bench", "--piece", "cards", "--paper", "a4"]
        for number in range(runs + 1):
            kinds: dict[str, Run] = {}
            clear(folder)
            kinds["without a cache"] = run([*command, "--no-cache"], folder)
            clear(folder)
            kinds["cold"] = run(command, folder)
            kinds["nothing changed"] = run(command, folder)
            kinds["check, the first"] = run([*BUILD, "check", "bench"], folder)
            kinds["check, nothing changed"] = run([*BUILD, "check", "bench"], folder)
            change_a_card(folder / "content/bench/decks/cards.yaml", number)
            kinds["one card changed"] = run(command, folder)
            clear(folder)
            kinds["cold, --jobs 1"] = run([*command, "--jobs", "1"], folder)
            for name, one in kinds.items():
                if number:
                    found.setdefault(name, []).append(one)
    return found


def measure_games(runs: int) -> dict[str, list[Run]]:
    """Return the runs of building all games, cold and with nothing changed."""
    found: dict[str, list[Run]] = {"cold": [], "nothing changed": []}
    for number in range(runs + 1):
        with tempfile.TemporaryDirectory() as scratch:
            os.environ["DUCKPRESS_CACHE"] = f"{scratch}/cache"
            for name in found:
                one = run([*BUILD, "build", "--out", f"{scratch}/out"], ROOT)
                if number:
                    found[name].append(one)
            del os.environ["DUCKPRESS_CACHE"]
    return found


def measure_saves(runs: int) -> dict[str, list[float]]:
    """Return for each game what a build in a new process takes after one word of one card: CPU beside its own cold."""
    found: dict[str, list[float]] = {}
    for game, (file, old, new) in SAVES.items():
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            for name in ("content", "layouts", "fonts"):
                shutil.copytree(ROOT / name, folder / name)
            path = folder / "content" / game / "decks" / file
            for number in range(runs + 1):
                text = path.read_text()
                clear(folder)
                cold = run([*BUILD, "build", game], folder)
                path.write_text(text.replace(old, new, 1))
                saved = run([*BUILD, "build", game], folder)
                path.write_text(text)
                if number:
                    found.setdefault(game, []).append(saved.cpu / cold.cpu)
    return found


def compile_again(typst: subprocess.Popen[str]) -> tuple[float, float]:
    """Have Typst compile what has changed; return its seconds of wall and CPU."""
    assert typst.stdin is not None
    assert typst.stdout is not None
    typst.stdin.write("\n")
    typst.stdin.flush()
    wall, cpu = map(float, typst.stdout.readline().split())
    return wall, cpu


def watched(count: int, saves: int) -> list[Saved]:
    """Return what each saved card took until its file was finished, in a process that watches, and Typst beside it."""
    from duckpress.files.workspace import Workspace, bundled_root
    from duckpress.press.build_cache import BuildCache
    from duckpress.press.request import Request
    from duckpress.press.watching import LOOK_S, SETTLE_S, builds
    from duckpress.store.cache import Cache

    gc.disable()  # as the command does
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_workspace(folder, count)
        workspace = Workspace(folder, bundled_root())
        store = BuildCache(Memo(Cache(folder / ".duckpress-cache", bytes(32))))
        request = Request(papers=("a4",), pieces=("cards",))
        watcher = builds(workspace, ("bench",), request, folder / "output", store)
        watcher.make("bench")
        command = [sys.executable, "-c", TYPST, str(ROOT / "fonts")]
        theirs = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        compile_again(theirs)
        for number in range(saves):
            change_a_card(folder / "content/bench/decks/cards.yaml", number)
            change_in_json(folder / "cards.json", number)
            laid_out, began, used = store.laid_out, time.perf_counter(), os.times()
            assert watcher.changed() == ["bench"]
            assert watcher.make("bench").files
            # On average, until the change is seen and the file keeps still.
            wall = time.perf_counter() - began + LOOK_S / 2 + 1.5 * SETTLE_S
            cpu = sum(os.times()[:4]) - sum(used[:4])
            assert store.laid_out == laid_out + 1
            watcher.rest()  # as `watch` does now that nobody waits: what later programs may take over is written
            time.sleep(_PAUSE_S)
            found.append(Saved(wall, cpu, *compile_again(theirs)))
        theirs.communicate()
    return found


def measure_growth(counts: Sequence[int]) -> None:
    """Print how time and memory of a build grow with its cards, cold and with one changed."""
    print("| cards | CPU a card / that of the first | cold, MB | one card changed / cold, CPU | MB |")
    print("|---|---|---|---|---|")
    first = 0.0
    for count in counts:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            make_workspace(folder, count)
            command = [*BUILD, "--limit", "deck-cards=20000", "--limit", "game-cards=20000"]
            command += ["build", "bench", "--piece", "cards", "--paper", "a4"]
            cold = run(command, folder)
            change_a_card(folder / "content/bench/decks/cards.yaml", 1)
            warm = run(command, folder)
        first = first or cold.cpu / count
        a_card = f"{cold.cpu / count / first:.2f} | {cold.memory:.0f}"
        print(f"| {count} | {a_card} | {warm.cpu / cold.cpu:.2f} | {warm.memory:.0f} |", flush=True)


def show(found: dict[str, list[Run]]) -> None:
    """Print each kind of build as a ratio to the cold one."""
    print("| build | CPU / cold | wall / cold |\n|---|---|---|")
    for name, runs in found.items():
        ratios = []
        for what in ("cpu", "wall"):
            pairs = [getattr(one, what) / getattr(cold, what) for one, cold in zip(runs, found["cold"], strict=True)]
            ratios.append(f"{statistics.median(pairs):.2f} ({min(pairs):.2f}-{max(pairs):.2f})")
        print(f"| {name} | {' | '.join(ratios)} |", flush=True)


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--cards", type=int, default=2000)
    arguments.add_argument("--growth", action="store_true")
    options = arguments.parse_args()
    if options.growth:
        measure_growth((2_500, 5_000, 10_000))
        return
    print(f"\n{options.cards} synthetic cards:\n")
    show(measure_deck(options.cards, options.runs))
    print("\nAll games, A4 and Letter:\n")
    show(measure_games(max(1, options.runs // 2)))
    print("\nOne word of one card saved, a new process:\n\n| game | CPU / own cold |\n|---|---|")
    for game, ratios in measure_saves(max(1, options.runs // 2)).items():
        print(f"| {game} | {statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f}) |", flush=True)
    saves = watched(options.cards, options.runs + 1)[1:]
    for what, ours, theirs in (("wall", "wall", "typst_wall"), ("CPU", "cpu", "typst_cpu")):
        ratios = [getattr(one, ours) / getattr(one, theirs) for one in saves]
        spread = f"{statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})"
        print(f"\nwatch, one of {options.cards} cards saved: {what} / that of Typst for the same change: {spread}")


if __name__ == "__main__":
    main()
