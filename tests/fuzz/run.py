"""Fuzzes one door, or all of them one after the other, guided by coverage (atheris, which is libFuzzer for Python).

    .venv/bin/python tests/fuzz/run.py yaml --seconds 120
    .venv/bin/python tests/fuzz/run.py all --runs 2000          # as many inputs for each door, always the same ones

What was found new goes to `.fuzz/<door>` (not in version control) and is the start of the next run. An input that
breaks its door is made as small as it can be and kept in `tests/fuzz/crashes/<door>`: give it a name that says what
it is, mend the door, and from then on the tests replay it.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import os
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import NoReturn

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CORPUS, CRASHES, GROWN = HERE / "corpus", HERE / "crashes", ROOT / ".fuzz"
INPUT_SECONDS = 20
MEGABYTES = 2000
LONGEST = {"game": 6000, "sheet": 6000, "archive": 4000, "picture": 1000, "markup": 500}  # bytes; else 2000
_DONE = re.compile(r"#(\d+)\s+DONE\s+cov: (\d+) ft: \d+ corp: (\d+)")


def load_targets() -> dict[str, Callable[[bytes], None]]:
    """Return the doors' functions, with the program's own code instrumented (which takes some seconds)."""
    import atheris

    gc.disable()
    with atheris.instrument_imports(include=["duckpress"]):
        from targets import TARGETS
    gc.freeze()  # what is loaded stays, and would be walked again and again in every fork
    gc.enable()
    gc.set_threshold(100_000, 10, 10)
    return TARGETS


def fuzz(door: str, target: Callable[[bytes], None], chosen: argparse.Namespace, grown: Path) -> list[Path]:
    """Fuzz a door in a fork of this process, tell how far it came, and return the new files of inputs that broke it.

    `grown` takes the inputs that reach new places.
    """
    crashes = chosen.crashes / door
    for folder in (crashes, grown):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(crashes.iterdir())
    words = [str(grown), *(str(folder / door) for folder in (CORPUS, CRASHES) if (folder / door).is_dir())]
    words += ["-seed=1", f"-timeout={INPUT_SECONDS}", f"-rss_limit_mb={MEGABYTES}"]
    words += [f"-max_len={LONGEST.get(door, 2000)}", f"-artifact_prefix={crashes}/"]
    words += [f"-runs={chosen.runs}"] if chosen.runs else []
    words += [f"-max_total_time={chosen.seconds or 60}"] if chosen.seconds or not chosen.runs else []
    dictionary = HERE / "dictionaries" / f"{door}.dict"
    words += [f"-dict={dictionary}"] if dictionary.is_file() else []
    with TemporaryFile() as log:
        child = os.fork()
        if child == 0:
            os.dup2(log.fileno(), 2)
            os.dup2(log.fileno(), 1)
            _fuzz_here(target, crashes, words)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        log.seek(0)
        told = log.read().decode(errors="replace")
    broke = sorted(set(crashes.iterdir()) - before)
    done = _DONE.search(told)
    if broke or done is None:
        sys.stderr.write(told[-6000:])
    if done is None and not broke:
        raise RuntimeError(f"{door}: the fuzzer stopped with {status}")
    runs, reached, kept = done.groups() if done else (0, 0, 0)
    lines = [f"{door}: {runs} inputs, {reached} places reached, {kept} kept, {len(broke)} broke it"]
    sys.stdout.write("\n    ".join([*lines, *map(os.path.relpath, broke)]) + "\n")
    sys.stdout.flush()
    if not any(crashes.iterdir()):
        crashes.rmdir()
    return broke


def _fuzz_here(target: Callable[[bytes], None], crashes: Path, arguments: list[str]) -> NoReturn:
    """Fuzz until the process ends; what breaks the door is written down once for each place, and fuzzing goes on."""
    import atheris

    seen: set[str] = set()

    def watched(data: bytes) -> None:
        try:
            target(data)
        except Exception as error:
            where = signature(error)
            if where not in seen:
                seen.add(where)
                name = f"{hashlib.sha256(where.encode()).hexdigest()[:8]}.bin"
                traceback.print_exc()
                (crashes / name).write_bytes(smallest(data, target, where))

    try:
        atheris.Setup([sys.argv[0], *arguments], watched)
        atheris.Fuzz()
    finally:
        sys.stderr.flush()
        os._exit(1)  # libFuzzer ends the process itself; whoever comes here did not get that far


def signature(error: Exception) -> str:
    """Return what tells one bug from another: the kind of exception, and the innermost lines of it."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "duckpress" in frame.filename or "fuzz" in frame.filename]
    return f"{type(error).__name__} " + " ".join(f"{Path(one.filename).name}:{one.lineno}" for one in ours[-2:])


def smallest(data: bytes, target: Callable[[bytes], None], where: str, tries: int = 400) -> bytes:
    """Return a smaller input that breaks the same line: pieces are left out, large ones first."""

    def still(candidate: bytes) -> bool:
        try:
            target(candidate)
        except Exception as error:
            return signature(error) == where
        return False

    size = max(len(data) // 2, 1)
    while size and tries > 0:
        at = 0
        while at < len(data) and tries > 0:
            tries -= 1
            candidate = data[:at] + data[at + size :]
            if still(candidate):
                data = candidate
            else:
                at += size
        size //= 2
    return data


def main() -> int:
    """Fuzz as the arguments say; gives 1 where a door broke."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("door")
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--crashes", type=Path, default=CRASHES, help="where inputs that break a door are kept")
    chosen = parser.parse_args()
    doors = sorted(folder.name for folder in CORPUS.iterdir()) if chosen.door == "all" else [chosen.door]
    targets, is_broken = load_targets(), False
    for door in doors:
        with TemporaryDirectory() as dropped:
            grown = Path(dropped) if chosen.runs and not chosen.seconds else GROWN / door
            is_broken = bool(fuzz(door, targets[door], chosen, grown)) or is_broken
    return int(is_broken)


if __name__ == "__main__":
    sys.exit(main())
