"""Put small faults into what counts and deals, one at a time, and see which the tests let pass: `make mutation`.

    python tests/mutation/run.py [check/dealing.py expressions ...] [--every N]

The faults are mutmut's: a sign, a comparison, a number, an argument left out, a value that is None. Not tried are words
for people (texts with a space in them), functions with a decorator, and what stands outside of functions. All is done
in a copy of the project, in a temporary folder. A mutant that survives is printed, unless it stands in survivors.yaml,
where each that was looked at has its reason; the score counts it as survived all the same. The status is 1 where one
is new, or a file's score is below 85 %.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import NamedTuple

import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAM = Path("generator", "duckpress")
FILES = (
    *(f"check/setup/{name}.py" for name in (
        "card_classes", "counting", "moves", "rule_book", "runs", "scene", "shortages", "steps", "steps_run",
        "tabletop",
    )),
    "check/dealing.py", "check/expectations.py",
    "content/game/families.py", "content/game/fields.py", "content/tables", "expressions",
)  # fmt: skip
"""What is tried where nothing is chosen: files of the program, or folders."""

TESTS = {
    "check": (
        "tests/check/test_deal*.py", "tests/check/test_lost_cards.py",
        "tests/check/test_setup_*.py", "tests/check/test_shortages.py", "tests/check/test_whole_deals.py",
    ),
    "content": ("tests/content", "tests/hostile/test_hostile_expressions.py", "tests/hostile/test_hostile_tables.py"),
    "expressions": (
        "tests/expressions", "tests/check/test_expression_sandbox.py",
        "tests/hostile/test_hostile_expressions.py", "tests/layout/rulebook/test_filling.py",
    ),
    "share": ("tests/share/editions",),
}  # fmt: skip
"""The tests that are to find the faults of a package: the quick ones of what it is for."""

WANTED = 85
"""The score in percent that each file has to have."""


class Mutant(NamedTuple):
    """A fault: the file, and the lines that it changes, as they were and as they are, without their indents."""

    file: str
    old: str
    new: str

    def shown(self) -> str:
        """Return the change as lines of a diff."""
        old, new = (indent(lines, f"    {mark} ") for lines, mark in ((self.old, "-"), (self.new, "+")))
        return f"{old}\n{new}"


def chosen_files(words: Iterable[str]) -> list[str]:
    """Return the files that are meant by names of files or folders of the program. Raises `SystemExit`."""
    files: list[str] = []
    for word in words:
        path = ROOT / PROGRAM / word
        found = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        if not path.exists():
            sys.exit(f"the program has no {word}")
        files += [one.relative_to(ROOT / PROGRAM).as_posix() for one in found]
    return files


def put_in(copy: Path, file: str) -> dict[str, tuple[Mutant, list[int]]]:
    """Put all mutants of a file into a copy of the project, switched off.

    Return them by their names, each with lines of the changed file, one of which a test runs that can see the fault.
    """
    from libcst import SimpleString
    from mutmut.mutation import file_mutation, mutators

    def mutated_string(node: SimpleString) -> Iterable[SimpleString]:
        is_for_people = isinstance(node, SimpleString) and " " in node.value
        return () if is_for_people else mutators.operator_string(node)  # type: ignore[return-value]

    file_mutation.mutation_operators = [
        (kind, mutated_string if operator is mutators.operator_string else operator)
        for kind, operator in mutators.mutation_operators
    ]
    path = copy / PROGRAM / file
    mutated = file_mutation.mutate_file_contents(file, path.read_text("utf-8"))
    path.write_text(mutated.code, "utf-8")
    lines = [line.strip() for line in mutated.code.splitlines()]
    reached_by = statements(mutated.code)
    module = ".".join(("duckpress", *Path(file).with_suffix("").parts))

    def body(function: str) -> tuple[int, list[str]]:
        span = mutated.line_span_by_function_name[function]
        return span.start, [line.replace(function, "") for line in lines[span.start - 1 : span.end]]

    mutants = {}
    for name in mutated.mutant_names:
        start, old = body(name.rpartition("_")[0] + "_orig")
        new = body(name)[1]
        opcodes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        changes = [change for kind, *change in opcodes if kind != "equal"]
        was = "\n".join(line for first, last, _, _ in changes for line in old[first:last])
        becomes = "\n".join(line for _, _, first, last in changes for line in new[first:last])
        changed = {start + at for first, last, _, _ in changes for at in range(first, max(last, first + 1))}
        around = sorted({line for at in changed for line in reached_by.get(at, (at,))})
        mutants[f"{module}.{name}"] = Mutant(file, was, becomes), around
    return mutants


def statements(code: str) -> dict[int, range]:
    """Return for each line the lines of the innermost statement that it is of, or of its head where it has a body."""
    lines: dict[int, range] = {}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.stmt):
            has_head = hasattr(node, "body") and not isinstance(node, ast.FunctionDef | ast.ClassDef)
            whole = range(node.lineno, node.body[0].lineno if has_head else (node.end_lineno or node.lineno) + 1)
            lines |= dict.fromkeys(whole, whole)
    return lines


def tried(
    copy: Path, mutants: Mapping[str, tuple[Mutant, list[int]]], tests: Iterable[str]
) -> Iterator[tuple[Mutant, str, str]]:
    """Yield each mutant with its function and what became of it: `killed`, `timeout`, `survived` or `no tests`.

    Raises `SystemExit` where the tests do not pass without any fault.
    """
    names, temporary = copy / "mutants.json", copy / "tmp"
    places = {name: (str(copy / PROGRAM / mutant.file), lines) for name, (mutant, lines) in mutants.items()}
    names.write_text(json.dumps(places), "utf-8")
    temporary.mkdir(exist_ok=True)
    source, sink = os.pipe()
    environment = {**os.environ, "DUCKPRESS_MUTANTS": str(names), "DUCKPRESS_ANSWERS": str(sink)}
    environment |= {"DUCKPRESS_JOBS": str(os.cpu_count()), "TMPDIR": str(temporary)}
    environment["PYTHONPATH"] = f"{copy / 'generator'}:{HERE}"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "forked_tests"]
    command += [str(path) for pattern in tests for path in sorted(copy.glob(pattern))]
    with (copy / "said.txt").open("w+", encoding="utf-8") as said:
        process = subprocess.Popen(command, cwd=copy, env=environment, pass_fds=[sink], stdout=said, stderr=said)
        os.close(sink)
        with os.fdopen(source, encoding="utf-8") as pipe:
            for line in pipe:
                name, _, verdict = line.rstrip("\n").partition("\t")
                if not name:
                    sys.exit(verdict)
                yield mutants[name][0], name.rpartition(".")[2].partition("__mutmut_")[0], verdict
        if process.wait():
            said.seek(0)
            sys.exit(said.read())


def looked_at() -> set[Mutant]:
    """Return the survivors that somebody looked at; the file says of each why it may live."""
    listed = yaml.safe_load((HERE / "survivors.yaml").read_text("utf-8")) or {}
    return {
        Mutant(file, old, new) for file, reasons in listed.items() for lines in reasons.values() for old, new in lines
    }


def say(line: str) -> None:
    """Print a line at once: a run takes minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(words: Sequence[str], *, every: int) -> int:
    """Try the mutants of files, or every n-th; print the new survivors and the score of each file."""
    os.chdir(ROOT)  # mutmut looks for its settings here
    start = time.monotonic()
    files, known = chosen_files(words or FILES), looked_at()
    counts: Counter[tuple[str, str]] = Counter()
    is_bad = False
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "output", "dist", "build"))
        for package, tests in TESTS.items():
            of_package = [file for file in files if file.startswith(f"{package}/")]
            mutants = {name: mutant for file in of_package for name, mutant in put_in(copy, file).items()}
            mutants = {name: mutants[name] for name in list(mutants)[::every]}
            for mutant, function, verdict in tried(copy, mutants, tests) if mutants else ():
                counts[mutant.file, verdict] += 1
                if verdict not in ("killed", "timeout") and mutant not in known:
                    is_bad = True
                    say(f"{mutant.file}: {function}: {verdict}\n{mutant.shown()}\n")
    for file in files:
        killed, survived = counts[file, "killed"] + counts[file, "timeout"], counts[file, "survived"]
        total = killed + survived + counts[file, "no tests"]
        if total:
            is_bad = is_bad or 100 * killed < WANTED * total
            rest = f"{survived} survived, {total - killed - survived} without tests"
            say(f"{file:36} {100 * killed / total:5.1f} %  {killed} of {total} killed, {rest}")
    say(f"{sum(counts.values())} mutants in {time.monotonic() - start:.0f} s")
    return int(is_bad)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--every", type=int, default=1, help="try every n-th mutant only, for a first look")
    asked = parser.parse_args()
    sys.exit(main(asked.files, every=asked.every))
