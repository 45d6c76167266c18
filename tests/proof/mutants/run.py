"""Put small faults into copies of the program, print a game with each, and say who caught the wrong paper.

    python tests/proof/mutants/run.py [PACKAGE or FILE ...] [--list] [--write]

A fault is caught by the proof where a plain command prints nothing: `build`, or what the fault names (`run`). Where
that prints other files than the sound program does, `tests/oracle` watches the same command and looks at faces and
pages as they are laid out; where it lets them pass, too, the test that the fault names (`test`) is run against the
faulty program. What passes all three survives. Where all files are the same, the fault changes nothing on paper: one
for another list. `--write` puts the score and the survivors into docs/security.md.
"""

from __future__ import annotations

import argparse
import compileall
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
MOST_SURVIVE = 0.02
"""Of all faults that change the paper."""
PLAIN = ("build", "--jobs", "1", "--paper", "a4")
"""A plain build: what goes wrong on one paper goes wrong on the other."""
GAMES = {"everything": HERE / "game", **{folder.name: folder for folder in (HERE / "games").glob("*")}}
PROOF, ORACLE, TEST, SURVIVED, SAME = WORDS = ("proof", "oracle", "test", "survived", "same paper")


class Mutant(NamedTuple):
    """A fault: a text of one file of the program, what stands there instead, and what goes wrong then.

    `command` prints the `game` in which it shows. `test` fails with it, where neither proof nor oracle object.
    """

    file: str
    old: str
    new: str
    what: str
    command: tuple[str, ...] = PLAIN
    game: str = "everything"
    test: str = ""

    @property
    def package(self) -> str:
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
    """What came of a command: its exit status, what it said, and the hashes of what it printed by their names."""

    status: int
    said: str
    files: dict[str, str]

    @property
    def is_crash(self) -> bool:
        return self.status != 0 and "Traceback" in self.said


class Tried(NamedTuple):
    """A fault, one of `WORDS`, and what came of the last command that was run with it."""

    mutant: Mutant
    word: str
    outcome: Outcome


def mutants() -> list[Mutant]:
    """Return all faults, in the order of the file."""
    listed = yaml.safe_load((HERE / "mutants.yaml").read_text(encoding="utf-8"))
    return [
        Mutant(
            file, one["old"], one["new"], one["what"], tuple(map(str, one.get("run", (*PLAIN, *one.get("with", ()))))),
            one.get("game", "everything"), one.get("test", ""),
        )
        for file, entries in listed.items()
        for one in entries
    ]  # fmt: skip


class Bench:
    """Where faults are tried: a compiled copy of the program, whose files all faulty ones have in common."""

    def __init__(self, scratch: Path) -> None:
        self._scratch, self._program = scratch, scratch / "program" / "duckpress"
        for name in ("content", "layouts", "fonts"):  # what comes with the program lies beside the folder it is in
            shutil.copytree(ROOT / name, scratch / name)
        shutil.copytree(PROGRAM, self._program, ignore=shutil.ignore_patterns("__pycache__"))
        compileall.compile_dir(self._program, quiet=1)
        self._sound: dict[tuple[str, tuple[str, ...]], Outcome] = {}

    def prepare(self, chosen: Sequence[Mutant]) -> None:
        """Print with the sound program whatever faults are shown in."""
        for game, command in sorted({(mutant.game, mutant.command) for mutant in chosen}):
            outcome = self._run(self._scratch / f"sound-{len(self._sound)}", game, command)
            if outcome.status:
                sys.exit(f"the sound program does not print {game!r} with {command}:\n{outcome.said}")
            self._sound[game, command] = outcome
        for test in sorted({mutant.test for mutant in chosen} - {""}):
            if (status := self._tested(self._program.parent, test)) != 0:
                sys.exit(f"the sound program fails {test}: {status}")

    def tried(self, number: int, mutant: Mutant) -> Tried:
        """Return what becomes of a fault."""
        plain, watched = (self._scratch / f"{number}-{how}" for how in ("plain", "watched"))
        sound = self._sound[mutant.game, mutant.command]
        try:
            outcome = self._run(plain, mutant.game, mutant.command, mutant)
            if outcome.status or outcome.files == sound.files:
                return Tried(mutant, PROOF if outcome.status else SAME, outcome)
            outcome = self._run(watched, mutant.game, mutant.command, mutant, is_watched=True)
            if outcome.status:
                return Tried(mutant, ORACLE, outcome)
            is_caught = mutant.test and self._tested(watched, mutant.test) == 1
            return Tried(mutant, TEST if is_caught else SURVIVED, outcome)
        finally:
            for folder in (plain, watched):
                shutil.rmtree(folder, ignore_errors=True)

    def _run(
        self, folder: Path, game: str, command: Sequence[str], mutant: Mutant | None = None, *, is_watched: bool = False
    ) -> Outcome:
        """Return what comes of a command with a fault, or without any, in a new folder beside `content/`."""
        shutil.copytree(self._program, folder / "duckpress", copy_function=os.link)
        if mutant is not None:
            file = folder / "duckpress" / mutant.file
            file.unlink()  # which other folders have, too
            file.write_text(mutant.faulty(), encoding="utf-8")
        workspace = folder / "workspace"
        shutil.copytree(GAMES[game], workspace / "content" / game)
        shutil.copytree(HERE / "settings", folder / "settings" / "duckpress")
        path = os.pathsep.join(map(str, (folder, ROOT / "tests") if is_watched else (folder,)))
        environment = _environment(path) | {"DUCKPRESS_CACHE": "off", "XDG_CONFIG_HOME": str(folder / "settings")}
        run = [sys.executable, "-m", "oracle" if is_watched else "duckpress", "--workspace", str(workspace), *command]
        done = _done(run, environment, workspace, 300)
        printed = [path for path in (workspace / "output").rglob("*") if path.is_file() and path.suffix != ".json"]
        hashes = (hashlib.sha256(path.read_bytes()).hexdigest() for path in printed)
        files = dict(zip((str(path.relative_to(workspace)) for path in printed), hashes, strict=True))
        return Outcome(done.returncode, done.stdout + done.stderr, files)

    def _tested(self, folder: Path, test: str) -> int:
        """Return the exit status of a test of the program in a folder."""
        command = [sys.executable, "-m", "pytest", "-x", "-p", "no:xdist", "-p", "no:cacheprovider", "-m", "", test]
        done = _done(command, _environment(str(folder)), ROOT, 600)
        if done.returncode not in (0, 1):
            sys.exit(f"{test} cannot be run:\n{done.stdout}{done.stderr}")
        return done.returncode


def _done(
    command: Sequence[str], environment: dict[str, str], folder: Path, seconds: int
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False
    )


def _environment(path: str) -> dict[str, str]:
    """Return the environment of a program that keeps what is compiled of it, and finds modules in a path first."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {
        "PYTHONPATH": path
    }


def tried(chosen: Sequence[Mutant]) -> Iterator[Tried]:
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(Path(scratch))
        bench.prepare(chosen)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            yield from pool.map(bench.tried, range(len(chosen)), chosen)


def score_of(found: Sequence[Tried]) -> list[str]:
    """Return the score as a table in Markdown: of each package its faults, and what became of them."""
    rows = ["| package | faults | caught by the proof | by the oracle or a test | survived |", "|---|---|---|---|---|"]
    packages = sorted({one.mutant.package for one in found})
    for name, some in (*((package, [package]) for package in packages), ("all", packages)):
        counts = Counter(one.word for one in found if one.mutant.package in some)
        others = counts[ORACLE] + counts[TEST]
        rows.append(f"| {name} | {sum(counts.values())} | {counts[PROOF]} | {others} | {counts[SURVIVED]} |")
    return rows


def written(page: str, found: Sequence[Tried]) -> str:
    """Return a page of the documentation with the score and the survivors between its marks."""
    survivors = [f"- `{one.mutant.file}`: {one.mutant.what}" for one in found if one.word == SURVIVED]
    lines = [*score_of(found), "", *(survivors or ["None survives."]), ""]
    return re.sub(r"(?s)(?<=<!-- mutants: begin -->\n).*?(?=<!-- mutants: end -->)", "\n".join(lines), page)


def main() -> None:
    """Try the faults of some packages, or of all, and print the survivors and the score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--list", action="store_true", help="say what came of each, not only of the survivors")
    parser.add_argument("--write", action="store_true", help="write score and survivors of all into docs/security.md")
    asked = parser.parse_args()
    if asked.write and asked.packages:
        parser.error("--write is for all packages")
    chosen = [mutant for mutant in mutants() if mutant.file.startswith(tuple(asked.packages) or "")]
    found = list[Tried]()
    for one in tried(chosen):
        found.append(one)
        if asked.list or one.outcome.is_crash or one.word in (SURVIVED, SAME):
            word = f"{one.word}{', crash' if one.outcome.is_crash else ''}"
            print(f"{word:14} {one.mutant.file}: {one.mutant.what}", flush=True)  # noqa: T201
            lines = one.outcome.said.strip().splitlines() if one.outcome.status else []
            lines = (
                lines[-1:] if one.outcome.is_crash else [line for line in lines if "error[" in line][:1] or lines[:1]
            )
            print("".join(f"{'':15}{line}\n" for line in lines), end="", flush=True)  # noqa: T201
    print("\n".join(score_of(found)))  # noqa: T201
    if asked.write:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    words = Counter(one.word for one in found)
    sys.exit(words[SURVIVED] > MOST_SURVIVE * (len(found) - words[SAME]) or words[SAME] > 0)


if __name__ == "__main__":
    main()
