"""Put small faults into copies of the program, build a game with each, and say which wrong paper passed the proof.

    python tests/proof/mutants/run.py [PACKAGE or FILE ...] [--list] [--write] [--warm]

`tests/oracle` watches the build and looks at faces and pages as they are laid out; the proof looks at the file. A fault
is caught where the build prints nothing; where it does so with a traceback, it is also counted as a crash. It survives
where the build ends well and a PDF differs from what the sound program prints. Where all PDFs are the same it changes
nothing on paper: a fault for another list. `--write` puts the score and the survivors into docs/security.md.

With `--warm` each fault is met by what the sound program has kept, which takes the faulty one for itself: what it takes
from there is the same paper, and all else is proven against it.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
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
PAGE = ROOT / "docs" / "security.md"
MUST_ALL = ("impose", "cover", "render", "fonts", "core")
"""Packages of which every fault that changes the paper has to be caught by the proof; two thirds of all others."""
PLAIN = ("--paper", "a4")
"""Options of a plain build: what goes wrong on one paper goes wrong on the other."""


class Mutant(NamedTuple):
    """A fault: a text of one file of the program, what stands there instead, and what goes wrong then.

    `options` are those of the build in which it shows, beside `PLAIN`.
    """

    file: str
    old: str
    new: str
    what: str
    options: tuple[str, ...] = ()

    @property
    def package(self) -> str:
        """The package that it is in."""
        return self.file.partition("/")[0]

    def faulty(self) -> str:
        """Return the file with the fault in it.

        Raises `ValueError` where the text does not stand there once, `SyntaxError` where no program is left.
        """
        source = (PROGRAM / self.file).read_text(encoding="utf-8")
        if source.count(self.old) != 1:
            raise ValueError(f"{self.file} has {self.old!r} {source.count(self.old)} times, not once")
        faulty = source.replace(self.old, self.new)
        compile(faulty, self.file, "exec")
        return faulty


class Outcome(NamedTuple):
    """What came of a build: its exit status, what it said, and the hashes of its PDFs by their names."""

    status: int
    said: str
    pdfs: dict[str, str]


def mutants() -> list[Mutant]:
    """Return all faults, in the order of the file."""
    listed = yaml.safe_load((HERE / "mutants.yaml").read_text(encoding="utf-8"))
    return [
        Mutant(file, entry["old"], entry["new"], entry["what"], tuple(entry.get("with", ())))
        for file, entries in listed.items()
        for entry in entries
    ]


def build(
    folder: Path,
    options: Sequence[str],
    mutant: Mutant | None = None,
    program: Path = PROGRAM,
    kept: Path | None = None,
) -> Outcome:
    """Return what comes of a build of the game with a fault, or without any, made in a new folder beside `content/`.

    `program` is what is copied: one that has run before need not be compiled again. `kept` is a folder with what builds
    leave for later ones, and with the key to it.
    """
    shutil.copytree(program, folder / "duckpress")
    cache = "off"
    if kept is not None:
        cache = str(folder / "cache")
        shutil.copytree(kept / "cache", cache)
        identity = folder / "duckpress" / "store" / "cache.py"
        head, start, rest = identity.read_text(encoding="utf-8").partition("def program_identity() -> str:\n")
        identity.write_text(f"{head}{start}    return 'any'\n{rest}", encoding="utf-8")
    if mutant is not None:
        (folder / "duckpress" / mutant.file).write_text(mutant.faulty(), encoding="utf-8")
    shutil.copytree(HERE / "game", folder / "workspace" / "content" / "everything")
    path = os.pathsep.join(map(str, (folder, ROOT / "tests")))
    environment = {**os.environ, "PYTHONPATH": path, "DUCKPRESS_CACHE": cache}
    if kept is not None:
        environment["XDG_CONFIG_HOME"] = str(kept)
    command = [sys.executable, "-m", "oracle", "--workspace", str(folder / "workspace"), "build", "--jobs", "1"]
    done = subprocess.run(
        [*command, *PLAIN, *options], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    pdfs = sorted((folder / "workspace" / "output").rglob("*.pdf"))
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in pdfs}
    if kept is not None and mutant is None:
        shutil.copytree(cache, kept / "cache", dirs_exist_ok=True)
    return Outcome(done.returncode, done.stdout + done.stderr, hashes)


def verdict(sound: Outcome, outcome: Outcome) -> str:
    """Return what became of a fault: `caught`, `crashed`, `survived` or `same paper`."""
    if outcome.status:
        return "crashed" if "Traceback" in outcome.said else "caught"
    return "same paper" if outcome.pdfs == sound.pdfs else "survived"


def tried(chosen: Sequence[Mutant], *, is_warm: bool = False) -> Iterator[tuple[Mutant, Outcome, str]]:
    """Yield each fault with what came of it, and the verdict."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("content", "layouts", "fonts"):  # what comes with the program lies beside the folder it is in
            shutil.copytree(ROOT / name, Path(scratch) / name)
        kept = Path(scratch) / "kept" if is_warm else None
        if kept is not None:
            (kept / "cache").mkdir(parents=True)
        sound: dict[tuple[str, ...], Outcome] = {}
        for options in sorted({mutant.options for mutant in chosen}):
            outcome = sound[options] = build(Path(scratch) / " ".join(("sound", *options)), options, kept=kept)
            if outcome.status:
                sys.exit(f"the sound program does not build the game with {options}:\n{outcome.said}")
        program = next(Path(scratch).glob("sound*")) / "duckpress"

        def run(number: int, mutant: Mutant) -> Outcome:
            folder = Path(scratch) / str(number)
            try:
                return build(folder, mutant.options, mutant, program, kept)
            finally:
                shutil.rmtree(folder, ignore_errors=True)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for mutant, outcome in zip(chosen, pool.map(run, range(len(chosen)), chosen), strict=True):
                yield mutant, outcome, verdict(sound[mutant.options], outcome)


def table(counts: Counter[tuple[str, str]]) -> list[str]:
    """Return the score as a table in Markdown: of each package its faults, and what became of them."""
    rows = ["| package | faults | caught | of them by a crash | survived |", "|---|---|---|---|---|"]
    packages = sorted({package for package, _ in counts})
    for name, some in (*((package, [package]) for package in packages), ("all", packages)):
        caught, crashed, survived, same = (
            sum(counts[package, word] for package in some) for word in ("caught", "crashed", "survived", "same paper")
        )
        rows.append(f"| {name} | {caught + crashed + survived + same} | {caught + crashed} | {crashed} | {survived} |")
    return rows


def written(page: str, counts: Counter[tuple[str, str]], survivors: Sequence[Mutant]) -> str:
    """Return a page of the documentation with the score and the survivors between its marks."""
    lines = [*table(counts), "", *([f"- `{one.file}`: {one.what}" for one in survivors] or ["None survives."])]
    return re.sub(r"(?s)(?<=<!-- mutants: begin -->\n).*?(?=<!-- mutants: end -->)", "\n".join((*lines, "")), page)


def main() -> None:
    """Try the faults of some packages, or of all, and print the survivors and the score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--list", action="store_true", help="say what came of each, not only of the survivors")
    parser.add_argument("--write", action="store_true", help="write score and survivors of all into docs/security.md")
    parser.add_argument("--warm", action="store_true", help="meet each fault with what the sound program has kept")
    asked = parser.parse_args()
    if asked.write and (asked.packages or asked.warm):
        parser.error("--write is for all packages, and for builds that know nothing")
    chosen = [mutant for mutant in mutants() if mutant.file.startswith(tuple(asked.packages) or "")]
    counts: Counter[tuple[str, str]] = Counter()
    survivors: list[Mutant] = []
    for mutant, outcome, word in tried(chosen, is_warm=asked.warm):
        counts[mutant.package, word] += 1
        survivors += [mutant] if word == "survived" else []
        if asked.list or word not in ("caught", *(["same paper"] if asked.warm else [])):
            print(f"{word:10} {mutant.file}: {mutant.what}", flush=True)  # noqa: T201
            lines = outcome.said.strip().splitlines() if outcome.status else []
            if word == "crashed" or (asked.list and lines):
                print("           " + (lines[-1] if word == "crashed" else lines[0]))  # noqa: T201
    print("\n".join(table(counts)))  # noqa: T201
    if asked.write:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), counts, survivors), encoding="utf-8")
    others = [mutant.package for mutant in chosen if mutant.package not in MUST_ALL]
    survived = Counter(mutant.package for mutant in survivors)
    is_well = not any(survived[package] for package in MUST_ALL)
    is_well &= 3 * sum(survived[package] for package in {*others}) <= len(others)
    sys.exit(not is_well or (not asked.warm and any(word == "same paper" for _, word in counts)))


if __name__ == "__main__":
    main()
