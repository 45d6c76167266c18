"""Put small faults into copies of the program, build a game with each, and say which wrong paper passed the proof.

    python tests/proof/mutants/run.py [PACKAGE ...] [--list]

A fault is caught where the build prints nothing. It survives where the build ends well and a PDF differs from what the
sound program prints. Where all PDFs are the same it changes nothing on paper, and counts for neither.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PROGRAM = ROOT / "generator" / "duckpress"
MUST_ALL = ("impose", "cover", "render", "fonts", "core")
"""Packages of which every fault that changes the paper has to be caught by the proof."""


class Mutant(NamedTuple):
    """A fault: a text of one file of the program, what stands there instead, and what goes wrong then."""

    file: str
    old: str
    new: str
    what: str

    @property
    def package(self) -> str:
        """The package that it is in."""
        return self.file.partition("/")[0]

    def faulty(self) -> str:
        """Return the file with the fault in it. Raises `ValueError` where the text does not stand there once."""
        source = (PROGRAM / self.file).read_text(encoding="utf-8")
        if source.count(self.old) != 1:
            raise ValueError(f"{self.file} has {self.old!r} {source.count(self.old)} times, not once")
        return source.replace(self.old, self.new)


class Outcome(NamedTuple):
    """What came of a build: its exit status, what it said, and the hashes of its PDFs by their names."""

    status: int
    said: str
    pdfs: dict[str, str]


def mutants() -> list[Mutant]:
    """Return all faults, in the order of the file."""
    listed = yaml.safe_load((HERE / "mutants.yaml").read_text(encoding="utf-8"))
    return [
        Mutant(file, entry["old"], entry["new"], entry["what"]) for file, entries in listed.items() for entry in entries
    ]


def build(folder: Path, mutant: Mutant | None) -> Outcome:
    """Return what comes of a build of the game with a fault, or without any, made in a new folder beside `content/`."""
    shutil.copytree(PROGRAM, folder / "duckpress", ignore=shutil.ignore_patterns("__pycache__"))
    if mutant is not None:
        (folder / "duckpress" / mutant.file).write_text(mutant.faulty(), encoding="utf-8")
    shutil.copytree(HERE / "game", folder / "workspace" / "content" / "everything")
    environment = {**os.environ, "PYTHONPATH": str(folder), "DUCKPRESS_CACHE": "off"}
    command = [sys.executable, "-m", "duckpress", "--workspace", str(folder / "workspace"), "build", "--jobs", "1"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    pdfs = sorted((folder / "workspace" / "output").rglob("*.pdf"))
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in pdfs}
    return Outcome(done.returncode, done.stdout + done.stderr, hashes)


def verdict(sound: Outcome, outcome: Outcome) -> str:
    """Return what became of a fault: `caught`, `crashed`, `survived` or `same paper`."""
    if outcome.status:
        return "crashed" if "Traceback" in outcome.said else "caught"
    return "same paper" if outcome.pdfs == sound.pdfs else "survived"


def tried(chosen: Sequence[Mutant]) -> Iterator[tuple[Mutant, Outcome, str]]:
    """Yield each fault with what came of it, and the verdict."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("content", "layouts", "fonts"):  # what comes with the program lies beside the folder it is in
            shutil.copytree(ROOT / name, Path(scratch) / name)

        def run(number: int, mutant: Mutant | None) -> Outcome:
            folder = Path(scratch) / str(number)
            try:
                return build(folder, mutant)
            finally:
                shutil.rmtree(folder, ignore_errors=True)

        sound = run(0, None)
        if sound.status:
            sys.exit(f"the sound program does not build the game:\n{sound.said}")
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for mutant, outcome in zip(chosen, pool.map(run, range(1, len(chosen) + 1), chosen), strict=True):
                yield mutant, outcome, verdict(sound, outcome)


def main() -> None:
    """Try the faults of some packages, or of all, and print the survivors and the score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--list", action="store_true", help="say what came of each, not only of the survivors")
    asked = parser.parse_args()
    chosen = [mutant for mutant in mutants() if not asked.packages or mutant.package in asked.packages]
    counts: Counter[tuple[str, str]] = Counter()
    for mutant, outcome, word in tried(chosen):
        counts[mutant.package, word] += 1
        if asked.list or word in ("survived", "same paper"):
            print(f"{word:10} {mutant.file}: {mutant.what}", flush=True)  # noqa: T201
            if asked.list and outcome.status:
                print("           " + next(line for line in outcome.said.splitlines() if line))  # noqa: T201
    for package in sorted({mutant.package for mutant in chosen}):
        caught = counts[package, "caught"] + counts[package, "crashed"]
        print(f"{package:10} {caught} of {caught + counts[package, 'survived']} caught")  # noqa: T201
    sys.exit(any(counts[package, "survived"] for package in MUST_ALL))


if __name__ == "__main__":
    main()
