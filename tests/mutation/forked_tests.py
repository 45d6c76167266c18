"""A plugin of pytest: runs the tests that reach a mutant, in a fork that has the mutant switched on, for each of many.

Tests are collected once. A first fork runs all of them and notes which lines each test runs and how long it takes. Then
every mutant has a fork of its own: the tests that found faults of the same function go first, then those that found
others, then the quickest, until one fails. `run.py` writes the mutants to a file and reads what became of each from a
pipe.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import shutil
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import _lru_cache_wrapper, partial
from itertools import accumulate
from pathlib import Path
from select import select
from tempfile import mkdtemp
from typing import Any, NoReturn

import pytest
from _pytest.runner import runtestprotocol
from coverage import Coverage
from mutmut.mutation import trampoline

MUTANTS, ANSWERS, JOBS = "DUCKPRESS_MUTANTS", "DUCKPRESS_ANSWERS", "DUCKPRESS_JOBS"
"""The variables that hold the file of mutants, the number of the pipe, and how many mutants are tried at once."""

_MEMORY = 4 << 30
_SLOWER, _SECONDS = 5, 2.0  # a test of a mutant may take so many times as long, and so many seconds of the processor
_AT_MOST = 8.0  # seconds of tests for one mutant, as they are recorded: the slowest are not run


_Reaching = dict[str, dict[int, set[int]]]
"""File -> line -> the numbers of the tests that run it."""


class _Fork:
    """A child process that has a folder for temporary files of its own, and says something through a pipe."""

    def __init__(self, session: pytest.Session, work: Callable[[], object]) -> None:
        # What a test builds once a run (`shared.once`) lies there: a mutant's must not be another one's.
        self.folder = Path(mkdtemp(dir=os.environ["TMPDIR"]))
        self.source, sink = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            session.config._tmp_path_factory._basetemp = self.folder  # type: ignore[attr-defined]
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            self._work_and_end(work, sink)
        os.close(sink)

    @staticmethod
    def _work_and_end(work: Callable[[], object], sink: int) -> NoReturn:
        with os.fdopen(sink, "wb") as pipe:
            try:
                said = work()
            except BaseException:
                said = traceback.format_exc()
            pickle.dump(said, pipe)
        os._exit(0)

    def answer(self) -> Any:
        """Return what the work gave; None where the process was ended before it had. Raises `RuntimeError`."""
        with os.fdopen(self.source, "rb") as pipe:
            said = pipe.read()
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        shutil.rmtree(self.folder, ignore_errors=True)
        given = pickle.loads(said) if said else None
        if isinstance(given, str):
            raise RuntimeError(given)
        return given


def _is_failed(items: Sequence[pytest.Item], at: int) -> bool:
    following = items[at + 1] if at + 1 < len(items) else None
    return any(report.failed for report in runtestprotocol(items[at], log=False, nextitem=following))


def _recorded(session: pytest.Session, files: Sequence[str]) -> tuple[_Reaching, list[float], list[str]]:
    """Return which tests run each line of the files, the seconds that each test takes, and the tests that fail."""
    coverage = Coverage(data_file=None, include=files, config_file=False)
    seconds: list[float] = []
    failed: list[str] = []
    coverage.start()
    for at, item in enumerate(session.items):
        _forget_results()
        coverage.switch_context(str(at))
        start = time.process_time()
        if _is_failed(session.items, at):
            failed.append(item.nodeid)
        seconds.append(time.process_time() - start)
    coverage.stop()
    data = coverage.get_data()
    reaching = {
        file: {line: {int(at) for at in tests if at} for line, tests in data.contexts_by_lineno(file).items()}
        for file in data.measured_files()
    }
    return reaching, seconds, failed


def _forget_results() -> None:
    """Empty the caches of the program's functions, so that every test is seen to run what it needs."""
    for name, module in list(sys.modules.items()):
        if name.startswith("duckpress."):
            for function in list(vars(module).values()):
                if isinstance(function, _lru_cache_wrapper):
                    function.cache_clear()


def _killer(session: pytest.Session, mutant: str, order: Sequence[int], seconds: Sequence[float]) -> int:
    """Return the number of the first test that fails with a mutant; -1 where none does."""
    trampoline.set_mutant_under_test(mutant)
    signal.alarm(60 + int(_SLOWER * 2 * sum(seconds[at] for at in order)))
    items = [session.items[at] for at in order]
    for place, at in enumerate(order):
        signal.setitimer(signal.ITIMER_PROF, _SECONDS + _SLOWER * seconds[at])
        if _is_failed(items, place):
            return at
    return -1


def _order(tests: Iterable[int], killers: Sequence[Counter[int]], seconds: Sequence[float]) -> list[int]:
    """Return tests in the order in which they are run: those that killed most here, or at all, then the quickest."""
    order = sorted(tests, key=lambda at: (*(-counts[at] for counts in killers), seconds[at]))
    starts = accumulate((seconds[at] for at in order), initial=0.0)
    return [at for at, start in zip(order, starts, strict=False) if start < _AT_MOST]


def _verdicts(session: pytest.Session, mutants: Mapping[str, tuple[str, list[int]]]) -> Iterator[tuple[str, str]]:
    files = sorted({file for file, _ in mutants.values()})
    reaching, seconds, failed = _Fork(session, partial(_recorded, session, files)).answer()
    if failed:
        yield "", f"these tests fail without any fault: {' '.join(failed)}"
        return
    killers: defaultdict[str, Counter[int]] = defaultdict(Counter)
    running: list[tuple[str, _Fork]] = []

    def finished() -> tuple[str, str]:
        first = select([fork.source for _, fork in running], [], [])[0][0]
        mutant, fork = running.pop([fork.source for _, fork in running].index(first))
        killer = fork.answer()
        if killer == -1:
            return mutant, "survived"
        if killer is None:
            return mutant, "timeout"
        for place in (mutant.partition("__mutmut_")[0], ""):
            killers[place][killer] += 1
        return mutant, "killed"

    for mutant, (file, lines) in mutants.items():
        function = mutant.partition("__mutmut_")[0]
        tests = set[int]().union(*(reaching.get(file, {}).get(line, ()) for line in lines))
        if not tests:
            yield mutant, "no tests"
            continue
        order = _order(tests, (killers[function], killers[""]), seconds)
        running.append((mutant, _Fork(session, partial(_killer, session, mutant, order, seconds))))
        if len(running) == int(os.environ[JOBS]):
            yield finished()
    while running:
        yield finished()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Try all mutants instead of running the tests once."""
    with os.fdopen(int(os.environ[ANSWERS]), "w", encoding="utf-8") as pipe:
        for mutant, verdict in _verdicts(session, json.loads(Path(os.environ[MUTANTS]).read_text("utf-8"))):
            print(mutant, verdict, sep="\t", file=pipe, flush=True)
    return True
