"""Prints the figures of docs/security.md: runs the hostile tests and the replay of the fuzzing's inputs, and adds up.

.venv/bin/python tests/hostile/figures.py            # prints
.venv/bin/python tests/hostile/figures.py --write    # puts them into docs/security.md
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from harness import FIGURES
from hostile_list import ROOT, counts, table_of_the_list

PAGE = ROOT / "docs" / "security.md"


def collected() -> Path:
    """Run the tests; give the file of what each run took."""
    path = Path(mkdtemp()) / "figures"
    words = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "-m", "", "tests/hostile", "tests/lost"]
    ran = subprocess.run(words, cwd=ROOT, env={**os.environ, FIGURES: str(path)}, check=False)
    if ran.returncode:
        raise SystemExit("the tests fail: there is nothing to print")
    return path


def measured(path: Path) -> list[str]:
    """Return the lines that one run of the tests gives: costs, and faults injected."""
    noted = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    faults: Counter[str] = Counter()
    for one in noted:
        if one["kind"] == "fault":
            faults[re.split(r" (?:at|from) an? ", one["what"])[0]] += one["count"]
    processes = [one for one in noted if one["kind"] == "process" and "test_harness" not in one["test"]]
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


def put(page: str, name: str, text: str) -> str:
    """Return a page with a part of it, between two comments, replaced."""
    begin, end = f"<!-- {name}: begin -->\n", f"\n<!-- {name}: end -->"
    before, rest = page.split(begin)
    return f"{before}{begin}{text}{end}{rest.split(end)[1]}"


def main() -> None:
    """Print the tables, or put them into the page; with `--counts` only what needs no run of the tests."""
    parts = {"counts": counts(), "list": table_of_the_list()}
    if "--counts" not in sys.argv:
        given = [word for word in sys.argv[1:] if not word.startswith("--")]
        path = Path(given[0]) if given else collected()
        costs = ["| | |", "|---|---|", *measured(path)]
        costs += ["", f"Measured with Python {platform.python_version()} on {platform.system()}, two cores."]
        parts["costs"] = "\n".join(costs)
    if "--write" in sys.argv:
        page = PAGE.read_text(encoding="utf-8")
        for name, text in parts.items():
            page = put(page, name, text)
        PAGE.write_text(page, encoding="utf-8")
    else:
        sys.stdout.write("\n\n".join(parts.values()) + "\n")


if __name__ == "__main__":
    main()
