"""Work in parts gives the same whoever does it; a child that dies, or a process that may not fork, changes nothing."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module

import pytest

from duckpress.pool import process_pool
from duckpress.pool.parallel import in_parts, shares, started_parts
from duckpress.pool.process_pool import can_fork
from forking import child_does

pytestmark = [pytest.mark.forks, pytest.mark.skipif(not can_fork(), reason="this process may not fork")]


def no_child_is_left() -> bool:
    """Return whether all children were waited for."""
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


@pytest.mark.parametrize(("jobs", "count"), [(1, 7), (2, 0), (2, 1), (5, 7), (2, 300), (12, 7)])
def test_results_come_in_order_however_many_work(jobs: int, count: int) -> None:
    here = os.getpid()
    made = in_parts(lambda number: (number, str(number), os.getpid()), count, jobs)
    assert [(number, text) for number, text, _ in made] == [(at, str(at)) for at in range(count)]
    assert jobs > 1 or {process for *_, process in made} == {here}
    assert no_child_is_left()


def test_the_parts_are_shared_between_processes() -> None:
    workers = child_does(5)(lambda _number: os.getpid(), 9, 2)
    assert workers.count(os.getpid()) <= 4
    assert len(set(workers[:5]) - {os.getpid()}) == 1


def test_with_a_thread_everything_stays_in_this_process() -> None:
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    try:
        assert set(in_parts(lambda _number: os.getpid(), 9, 4)) == {os.getpid()}
    finally:
        end.set()
        thread.join()


@pytest.mark.parametrize(
    "die", [lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: os._exit(0), lambda: os._exit(3)]
)
def test_what_a_dead_child_had_taken_is_done_here(die: Callable[[], object]) -> None:
    here = os.getpid()

    def work(number: int) -> tuple[int, bool]:
        if number == 3 and os.getpid() != here:
            die()
        return number, os.getpid() == here

    assert child_does(4)(work, 9, 2) == [(number, True) for number in range(9)]
    assert no_child_is_left()


def test_a_result_that_cannot_be_sent_is_made_here() -> None:
    made = child_does(3)(lambda number: lambda: number, 3, 2)
    assert [one() for one in made] == [0, 1, 2]


@pytest.mark.parametrize("is_here", [False, True])
def test_what_a_part_raises_is_raised_here_and_ends_the_children(is_here: bool) -> None:
    here = os.getpid()

    def work(number: int) -> int:
        if is_here and os.getpid() != here:
            signal.pause()
        if is_here or number == 2:
            raise LookupError
        return number

    with pytest.raises(LookupError):
        (in_parts if is_here else child_does(3))(work, 5, 2)
    assert no_child_is_left()


def test_a_single_part_is_done_by_a_child_while_this_process_does_something_else() -> None:
    assert child_does(1)(lambda _number: os.getpid(), 1, 2) != [os.getpid()]
    assert in_parts(lambda _number: os.getpid(), 1, 2) == [os.getpid()], "there is nothing else to do"
    assert no_child_is_left()


def test_modules_are_imported_until_the_last_child_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    hear, tell = os.pipe()
    imported: list[int] = []

    def import_next() -> bool:
        imported.append(len(imported))
        if len(imported) == 3:
            os.write(tell, b"..")
            time.sleep(0.5)  # long enough for both to end
        return len(imported) < 500

    monkeypatch.setattr(process_pool, "import_next", import_next)
    with started_parts(lambda _number: os.read(hear, 1), 2, 3) as results:
        time.sleep(0.2)  # they have taken their parts
        assert results() == [b".", b"."]
    assert imported[:3] == [0, 1, 2]
    assert len(imported) < 500
    imported.clear()
    assert in_parts(lambda number: number, 3, 1) == [0, 1, 2]
    assert imported == [], "nobody was waited for"
    assert no_child_is_left()


@pytest.mark.parametrize("module", process_pool.NEEDED_LATER)
def test_modules_are_imported_that_come_after_one_that_is_there(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        process_pool, "NEEDED_LATER", {module: process_pool.NEEDED_LATER[module], "duckpress.none": ("none",)}
    )
    import_module(module)
    while process_pool.import_next():
        pass
    assert set(process_pool.NEEDED_LATER[module]) <= sys.modules.keys()


def test_work_that_was_begun_is_ended_whether_or_not_anybody_wants_it() -> None:
    with started_parts(lambda number: number, 4, 3) as results:
        assert results() == [0, 1, 2, 3]
    with started_parts(lambda _number: signal.pause(), 4, 3):
        pass
    assert no_child_is_left()


def test_without_another_process_everything_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)
    assert in_parts(lambda number: number, 5, 3) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("count", "parts"), [(0, 3), (1, 50), (9, 10), (11, 10), (11, 3)])
def test_shares_cover_everything_evenly(count: int, parts: int) -> None:
    found = shares(count, parts)
    assert [at for one in found for at in one] == list(range(count))
    assert len(found) == min(parts, count)
    assert max(map(len, found), default=1) - min(map(len, found), default=1) <= 1
