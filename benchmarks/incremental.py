"""What the cache and workers are worth: warm, one card changed, and two workers, each held against a cold build.

    python benchmarks/incremental.py                 2,000 synthetic cards and all games, five runs
    python benchmarks/incremental.py --runs 3 --cards 500

Every figure is a ratio to a cold build of the same run, as the programs take turns: CPU (user and system, workers
included) and wall. `watch` is measured in one process: from a saved card of a 200-card deck to the finished files.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from compare import ROOT, Run, run
from synthetic import make_workspace

BUILD = (sys.executable, "-m", "duckpress")


def clear(folder: Path) -> None:
    """Remove what builds leave."""
    for name in ("output", ".duckpress-cache"):
        shutil.rmtree(folder / name, ignore_errors=True)


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


def watched(count: int, saves: int) -> list[tuple[float, float]]:
    """Return wall and CPU seconds from each saved card to the finished files, in a process that watches."""
    from duckpress.files.workspace import Workspace, bundled_root
    from duckpress.press.frame_store import FrameStore
    from duckpress.press.request import Request
    from duckpress.press.watching import LOOK_S, SETTLE_S, Watcher
    from duckpress.store.cache import Cache

    gc.disable()  # as the command does
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_workspace(folder, count)
        workspace = Workspace(folder, bundled_root())
        store = FrameStore(Cache(folder / ".duckpress-cache", bytes(32)))
        watcher = Watcher(workspace, ("bench",), Request(papers=("a4",)), folder / "output", store)
        watcher.build("bench")
        for number in range(saves):
            change_a_card(folder / "content/bench/decks/cards.yaml", number)
            laid_out, began, cpu = store.laid_out, time.perf_counter(), time.process_time()
            assert watcher.changed() == ["bench"]
            watcher.build("bench")
            waiting = LOOK_S / 2 + 1.5 * SETTLE_S  # on average, until the change is seen and the file keeps still
            found.append((time.perf_counter() - began + waiting, time.process_time() - cpu))
            assert store.laid_out == laid_out + 1
    return found


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
    options = arguments.parse_args()
    print(f"\n{options.cards} synthetic cards:\n")
    show(measure_deck(options.cards, options.runs))
    print("\nAll games, A4 and Letter:\n")
    show(measure_games(max(1, options.runs // 2)))
    saves = watched(200, options.runs + 1)[1:]
    walls, cpus = ([one[index] for one in saves] for index in (0, 1))
    wall, cpu = statistics.median(walls), statistics.median(cpus)
    print(f"\nwatch, one of 200 cards saved: {wall:.2f} s wall, {cpu:.2f} s CPU")


if __name__ == "__main__":
    main()
