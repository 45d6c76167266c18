"""A deck read from a designer's workbook, beside the same from YAML; and what the report of 2,000 problems takes.

    python benchmarks/tables.py            seven runs of each, by turns

1,200 cards of the synthetic deck stand in the second sheet of a workbook of 40 columns, below a title, under names of
their own. What counts are the ratios: of whole commands, a check and a build, cold, to those from YAML; and of the CPU
and memory of the report alone to their limits, with 2,000 cards whose texts do not fit. Leaves with status 1 above one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import openpyxl

from compare import ROOT, measure, ratio
from synthetic import LAYOUT, make_cards, make_workspace

CARDS, COLUMNS, PROBLEMS = 1200, 40, 2000
MOST, MOST_S, MOST_MB = 1.3, 0.2, 50.0
PROGRAM = [sys.executable, "-m", "duckpress"]
COMMANDS = {
    "check": ["check", "bench", "--no-cache"],
    "build": ["build", "bench", "--paper", "a4", "--no-cache"],
}
TABLE = "table: {file: cards.xlsx, sheet: Cards, header: 3, columns: {%s}, id: Number, ignore: [%s]}\n"
# What a report takes: the program runs as it does, with a clock around what prints problems.
WATCHED = """
import resource, sys, time
from duckpress.cli import report
took = {"cpu": 0.0, "mb": 0.0}
def watched(function):
    def call(*arguments, **named):
        began, held = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            return function(*arguments, **named)
        finally:
            took["cpu"] += time.process_time() - began
            took["mb"] += (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held) / 1024
            with open(sys.argv[1], "w") as file:
                file.write(repr(took["cpu"]) + " " + repr(took["mb"]))
    return call
for name in ("print_problems", "print_json", "tally"):
    setattr(report, name, watched(getattr(report, name)))
from duckpress.cli.commands import main
main(sys.argv[2:], standalone_mode=False)
"""


def workbook(folder: Path, count: int) -> None:
    """Write the cards of the synthetic deck as a workbook, and let its deck read that."""
    game = folder / "content" / "bench"
    chance = random.Random(40)
    cards = make_cards(count)
    fields = [name for name in cards[0] if name != "id"]
    notes = [f"Note {number}" for number in range(1, COLUMNS - len(fields))]
    book = openpyxl.Workbook(write_only=True)
    book.create_sheet("Read me").append(["What this is"])
    sheet = book.create_sheet("Cards")
    for row in (["All cards"], [], ["Number", *(f"The {name}" for name in fields), *notes]):
        sheet.append(row)
    for card in cards:
        others = [chance.choice((chance.randint(0, 99), "to be tried", "balanced", None)) for _ in notes]
        sheet.append([*card.values(), *others])
    book.save(game / "cards.xlsx")
    head = (game / "decks" / "cards.yaml").read_text(encoding="utf-8").partition("cards:\n")[0]
    columns = ", ".join(f"{name}: The {name}" for name in fields)
    (game / "decks" / "cards.yaml").write_text(head + TABLE % (columns, ", ".join(notes)), encoding="utf-8")


def reported(folder: Path, form: str, scratch: Path, runs: int) -> tuple[float, float]:
    """Return the CPU in seconds and the memory in MB that the report of a check takes, medians of some runs."""
    out, figures = scratch / "took", []
    command = [sys.executable, "-c", WATCHED, str(out), "--workspace", str(folder), "check", "bench", "--no-cache"]
    for _ in range(runs):
        subprocess.run([*command, "--format", form], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
        figures.append([float(figure) for figure in out.read_text(encoding="utf-8").split()])
    return statistics.median(cpu for cpu, _ in figures), statistics.median(mb for _, mb in figures)


def main() -> int:
    """Measure and print; give the exit status."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--runs", type=int, default=7)
    runs = arguments.parse_args().runs
    os.environ["DUCKPRESS_CACHE"] = "off"
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        folders = {kind: scratch / kind for kind in ("yaml", "xlsx", "full")}
        for folder in folders.values():
            make_workspace(folder, PROBLEMS if folder.name == "full" else CARDS)
        workbook(folders["xlsx"], CARDS)
        print("| 1,200 cards | wall, XLSX / YAML | CPU, XLSX / YAML |\n|---|---|---|")
        for title, words in COMMANDS.items():
            commands = {kind: [*PROGRAM, "--workspace", str(folders[kind]), *words] for kind in ("xlsx", "yaml")}
            found = measure(commands, ROOT, runs, {})
            ratios = [ratio(found["xlsx"], found["yaml"], what) for what in ("wall", "cpu")]
            print(f"| {title} | {ratios[0]} | {ratios[1]} |")
            worst = max(worst, float(ratios[0].split()[0]) / MOST)
        layout = folders["full"] / "content" / "bench" / "layouts" / "card.xml"
        layout.write_text(LAYOUT.replace('height="28" style="body"', 'height="5" style="body"'), encoding="utf-8")
        words = [*PROGRAM, "--workspace", str(folders["full"]), *COMMANDS["check"], "--format", "json"]
        told = json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=False).stdout)["problems"]
        if len(told) < PROBLEMS:
            raise SystemExit(f"there are {len(told)} problems, not {PROBLEMS}")
        print(f"\n| report of {len(told)} problems | CPU / limit | memory / limit |\n|---|---|---|")
        for form in ("text", "json"):
            cpu, memory = reported(folders["full"], form, scratch, runs)
            print(f"| {form} | {cpu / MOST_S:.2f} | {memory / MOST_MB:.2f} |")
            worst = max(worst, cpu / MOST_S, memory / MOST_MB)
    return int(worst > 1)


if __name__ == "__main__":
    sys.exit(main())
