"""300 drawings that nobody here made, one on each card, built cold: wall time on two cores against 10 seconds.

    python benchmarks/drawings.py FOLDER           three runs; FOLDER holds SVG files, as of Debian's openclipart

Without a folder those that Debian packages install are looked for. Drawings that do not print are left out before.
Leaves with status 1 above the limit.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

from compare import ROOT, run

sys.path.insert(0, str(ROOT / "tests" / "kit"))
from gallery import PICTURE, REFUSED, drawings_in, fates, game_of

COUNT, CORES, LIMIT_S = 300, 2, 10.0
INSTALLED = (Path("/usr/share/openclipart"), Path("/usr/share/inkscape"), Path("/usr/share/icons"))
PROGRAM = [sys.executable, "-m", "duckpress"]


def main() -> int:
    """Measure and print; give the exit status."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("folder", type=Path, nargs="?", default=next(filter(Path.is_dir, INSTALLED), None))
    arguments.add_argument("--runs", type=int, default=3)
    asked = arguments.parse_args()
    found = drawings_in(asked.folder, COUNT + COUNT // 20) if asked.folder is not None else []
    kinds = dict(zip(found, fates(found, PROGRAM), strict=True)) if found else {}
    drawings = [drawing for drawing in found if kinds[drawing][0] != REFUSED][:COUNT]
    if len(drawings) < COUNT:
        print(f"skipped: {len(drawings)} drawings that print, and {COUNT} are wanted: name a folder that has them")
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["DUCKPRESS_CACHE"] = str(Path(scratch, "cache"))
        game_of(drawings, Path(scratch, "games"))
        command = [*PROGRAM, "--workspace", str(Path(scratch, "games")), "build", "gallery", "--paper", "a4"]
        cores = frozenset(sorted(os.sched_getaffinity(0))[:CORES])
        taken = [run([*command, "--no-cache"], ROOT, cores) for _ in range(asked.runs + 1)][1:]
    wall, cpu = (statistics.median(values) for values in ([one.wall for one in taken], [one.cpu for one in taken]))
    pictures = sum(kinds[drawing][0] == PICTURE for drawing in drawings)
    print(f"{COUNT} drawings, {pictures} of them as pictures: wall / limit {wall / LIMIT_S:.2f}, CPU {cpu:.1f} s")
    return int(wall > LIMIT_S)


if __name__ == "__main__":
    raise SystemExit(main())
