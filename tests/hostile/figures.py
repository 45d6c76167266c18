"""Prints the figures of docs/security.md: runs the hostile tests and the replay of the fuzzing's inputs, and adds up.

    .venv/bin/python tests/hostile/figures.py            # prints
    .venv/bin/python tests/hostile/figures.py --write    # puts them into docs/security.md
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harness import FIGURES
from hostile_list import LIST, ROOT, ids_of_tests, kept_inputs, new_tests, those_of_the_list

PAGE = ROOT / "docs" / "security.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


def counted() -> list[str]:
    """Give the lines that a test holds to what is there."""
    of_list = those_of_the_list()
    corpus, crashes = kept_inputs()
    return [
        f"| Tests of hostile inputs and of lost work | {len(ids_of_tests())} |",
        f"| of these: for the {len(LIST)} inputs of the list | {sum(map(len, of_list.values()))} |",
        f"| of these: for inputs thought of since | {len(new_tests())} |",
        f"| Inputs kept for fuzzing | {corpus} |",
        f"| Inputs that once broke a door | {crashes} |",
    ]


def measured() -> list[str]:
    """Give the lines that one run of the tests gives: costs, and faults injected."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "figures"
        words = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "tests/hostile"]
        ran = subprocess.run(words, cwd=ROOT, env={**os.environ, FIGURES: str(path)}, check=False)
        if ran.returncode:
            raise SystemExit("the tests fail: there is nothing to print")
        noted = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    faults: Counter[str] = Counter()
    for one in noted:
        if one["kind"] == "fault":
            faults[one["what"]] += one["count"]
    processes = [one for one in noted if one["kind"] == "process"]
    here = [one for one in noted if one["kind"] == "here"]
    longest, largest = max(processes, key=lambda one: one["seconds"]), max(processes, key=lambda one: one["megabytes"])
    lines = [
        f"| Runs of the program as a process, under limits | {len(processes)} |",
        f"| Runs of its command line inside the tests | {len(here)} |",
        f"| Longest run | {longest['seconds']:.1f} s ({_test(longest)}) |",
        f"| Highest memory of a run | {largest['megabytes']:.0f} MB ({_test(largest)}) |",
        f"| Faults injected while writing | {sum(faults.values())} |",
    ]
    return lines + [f"| of these: {what} | {count} |" for what, count in sorted(faults.items())]


def _test(noted: dict[str, Any]) -> str:
    return f"`{noted['test'].rpartition('/')[2]}`"


def main() -> None:
    """Print the table, or put it into the page."""
    python = platform.python_version()
    lines = ["| What | How many |", "|---|---|", *counted(), *measured()]
    lines += ["", f"Measured with Python {python} on {platform.system()}, two cores."]
    table = "\n".join(lines)
    if sys.argv[1:] == ["--write"]:
        page = PAGE.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}", encoding="utf-8")
    else:
        sys.stdout.write(f"{table}\n")


if __name__ == "__main__":
    main()
