"""A set of files in a folder of outputs: whatever call to the system fails or is the last one, it is old or new."""

from __future__ import annotations

import errno
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from harness import note_fault
from mishaps import (
    GROWING,
    MEMORY,
    Mishap,
    calls_going_wrong,
    in_a_child,
    in_a_fresh_process,
    names_in,
    needs_fork,
    the_exchange,
    tree,
    without_exchange,
    without_links,
)

from duckpress.core.interrupts import handle_signals
from duckpress.core.problems import MachineError
from duckpress.store import held_outputs, write_outputs
from shared import once

OLD = {"a.pdf": b"old a", "b.pdf": b"old b", "packet/seat-1.pdf": b"old 1", "manifest.json": b"old list"}
NEW = {"a.pdf": b"new a", "c.pdf": b"new c", "packet/seat-2.pdf": b"new 2", "manifest.json": b"new list"}
STALE = ("b.pdf", "packet/seat-1.pdf", "never-there.pdf")
OTHERS = {"notes.txt": b"mine", "png/": b"", "png/duck/": b"", "png/duck/teal.png": b"a picture", "packet/": b""}
BEFORE = OLD | OTHERS
AFTER = NEW | OTHERS


def without_both(patch: pytest.MonkeyPatch) -> None:
    without_exchange(patch)
    without_links(patch)


Prepare = Callable[[pytest.MonkeyPatch], None]
WAYS: dict[str, Prepare] = {
    "exchanged": lambda _patch: None,
    "renamed": without_exchange,
    "without-links": without_both,
}
if sys.platform != "linux":
    del WAYS["exchanged"]


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    WAYS[request.param](monkeypatch)
    return str(request.param)


def prepared(out: Path) -> Path:
    folder = out / "game"
    write_outputs(folder, OLD)
    (folder / "notes.txt").write_bytes(b"mine")
    (folder / "png" / "duck").mkdir(parents=True)
    (folder / "png" / "duck" / "teal.png").write_bytes(b"a picture")
    assert tree(folder) == BEFORE
    return folder


def write_new(folder: Path) -> None:
    write_outputs(folder, NEW, STALE)


def reset(out: Path, folder: Path) -> None:
    """Put everything back as it was, without any of the code that is tried."""
    import shutil

    for path in out.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for name, data in BEFORE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(exist_ok=True) if name.endswith("/") else path.write_bytes(data)


@pytest.fixture(scope="module")
def killed(run_folder: Path) -> Path:
    """A folder with what came of everything here that is killed: `<name>-<way>`, empty where all was well."""
    return once(run_folder, "killed", let_be_killed)


def let_be_killed(results: Path) -> Path:
    with tempfile.TemporaryDirectory(prefix="duckpress-test-", dir=MEMORY if MEMORY.is_dir() else None) as place:
        in_a_fresh_process("test_set_of_files", "be_killed", place, str(results))
    return results


def be_killed(place: str, results: str) -> None:
    """Do what is killed again and again, one after the other in one small process; each writes down what it found."""
    tried = [(function, way) for function in (be_killed_at_every_call, be_killed_while_cleaning) for way in WAYS]
    for function, way in [*tried, (be_killed_at_random_moments, "as_it_is")]:
        name = f"{function.__name__}-{way}"
        disk = Path(place) / name
        disk.mkdir()
        with pytest.MonkeyPatch.context() as patch:
            if way in WAYS:
                WAYS[way](patch)
            try:
                function(disk, way)
                found = ""
            except BaseException:
                found = traceback.format_exc()
        (Path(results) / name).write_text(found)


@needs_fork
@pytest.mark.parametrize("way", WAYS)
def test_killed_at_every_call_it_is_old_or_new(killed: Path, way: str) -> None:
    assert (killed / f"be_killed_at_every_call-{way}").read_text() == ""


def be_killed_at_every_call(quick_disk: Path, way: str) -> None:
    folder = prepared(quick_disk)
    seen = set()
    for number in range(1, 1000):
        reset(quick_disk, folder)
        mishap = Mishap(number, None)

        def run(mishap: Mishap = mishap) -> None:
            with calls_going_wrong(mishap):
                write_new(folder)

        ended = in_a_child(run)
        found = tree(folder)
        if ended == 0:
            assert found == AFTER
            break
        assert ended == -signal.SIGKILL
        if way == "exchanged":  # at once; elsewhere, when the next run begins
            assert found in (BEFORE, AFTER), number
        else:
            for name, data in found.items():
                assert data in (BEFORE.get(name), AFTER.get(name)), (number, name)
        with held_outputs(folder):
            found = tree(folder)
            assert found in (BEFORE, AFTER), number
        assert names_in(quick_disk) == ["game"], number
        seen.add("new" if found == AFTER else "old")
    else:
        pytest.fail("it never came to an end")
    assert number > 40
    note_fault(f"kill -9 at a call, files {way}", number - 1)
    assert seen == {"old", "new"}


@needs_fork
@pytest.mark.parametrize("way", WAYS)
def test_killed_while_the_next_run_cleans_up_the_one_after_it_does(killed: Path, way: str) -> None:
    assert (killed / f"be_killed_while_cleaning-{way}").read_text() == ""


def be_killed_while_cleaning(quick_disk: Path, way: str) -> None:
    folder = prepared(quick_disk)
    moments = random.Random(6)

    def write(mishap: Mishap) -> None:
        with calls_going_wrong(mishap):
            write_new(folder)

    def clean(mishap: Mishap) -> None:
        with calls_going_wrong(mishap), held_outputs(folder):
            pass

    for _ in range(10):
        reset(quick_disk, folder)
        in_a_child(lambda: write(Mishap(moments.randint(10, 70), None)))
        for _ in range(3):
            in_a_child(lambda: clean(Mishap(moments.randint(1, 12), None)))
        with held_outputs(folder):
            assert tree(folder) in (BEFORE, AFTER)
        assert names_in(quick_disk) == ["game"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_when_any_call_fails_once_it_is_old_or_new(quick_disk: Path, way: str, code: int) -> None:
    folder = prepared(quick_disk)
    said = set()
    for number in range(1, 1000):
        reset(quick_disk, folder)
        mishap = Mishap(number, code)
        try:
            with calls_going_wrong(mishap):
                write_new(folder)
        except MachineError as error:
            assert tree(folder) == BEFORE, number
            said.add(str(error))
        else:
            assert tree(folder) == AFTER, number
        with held_outputs(folder):
            pass
        assert names_in(quick_disk) == ["game"], number
        if not mishap.happened:
            break
    else:
        pytest.fail("it never came to an end")
    assert said
    note_fault(f"{os.strerror(code)} at a call, files {way}", number - 1)
    assert all(str(quick_disk) in message and "\n" not in message for message in said)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_when_nothing_more_can_be_written_it_is_old(quick_disk: Path, way: str, code: int) -> None:
    folder = prepared(quick_disk)
    said: set[str] = set()
    of = ("open", "write", "fsync", "mkdir", "link") if code != errno.EROFS else (*GROWING, "unlink", "rmdir")
    for number in range(1, 1000, 3):
        reset(quick_disk, folder)
        mishap = Mishap(number, code, is_lasting=True, of=of)
        is_written = False
        try:
            with calls_going_wrong(mishap):
                write_new(folder)
            is_written = True
        except MachineError as error:
            said.add(str(error))
        with held_outputs(folder):
            assert tree(folder) in (AFTER,) if is_written else (BEFORE, AFTER), number
        assert names_in(quick_disk) == ["game"], number
        if not mishap.happened:
            break
    else:
        pytest.fail("it never came to an end")
    note_fault(f"{os.strerror(code)} from a call on, files {way}", number - 1)
    advice = ("the disk is full", "share of the disk", "read-only")
    assert all(any(words in message for words in advice) for message in said)


@needs_fork
def test_an_interrupt_at_any_call_leaves_old_or_new_and_nothing_else(quick_disk: Path, way: str) -> None:
    folder = prepared(quick_disk)
    seen = set()
    for number in range(1, 200):
        reset(quick_disk, folder)
        ended = in_a_child(lambda number=number: write_interrupted(folder, number))  # type: ignore[misc]
        if ended == 0:
            break
        assert ended == -signal.SIGINT
        seen.add("new" if tree(folder) == AFTER else "old")
        assert tree(folder) in (BEFORE, AFTER), number
        assert names_in(quick_disk) == ["game"], number
    else:
        pytest.fail("it never came to an end")
    assert seen == {"old", "new"}


def write_interrupted(folder: Path, number: int) -> None:
    """Write as the program does, which handles signals, with Ctrl-C at a call."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever started these tests may have it ignored
    handle_signals()
    with calls_going_wrong(Interrupt(number)):
        write_new(folder)


class Interrupt(Mishap):
    """Ctrl-C at the n-th call."""

    def __init__(self, number: int) -> None:
        super().__init__(number, None)

    def wrap(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            self.count += 1
            if self.count == self.number:
                signal.raise_signal(signal.SIGINT)
            return real(*args, **named)

        return call


@pytest.mark.skipif(sys.platform != "linux", reason="folders are exchanged on Linux only")
def test_the_folder_stays_the_one_it_was(quick_disk: Path) -> None:
    """For the shell that stands in it, and for programs that watch it."""
    folder = prepared(quick_disk)
    folder.chmod(0o750)
    before = folder.stat()
    picture = (folder / "png/duck/teal.png").stat()
    write_new(folder)
    after = folder.stat()
    assert (before.st_ino, before.st_mode) == (after.st_ino, after.st_mode)
    assert picture.st_ino == (folder / "png/duck/teal.png").stat().st_ino
    assert (folder / "png/duck/teal.png").stat().st_nlink == 1
    assert tree(folder) == AFTER


@pytest.mark.skipif(sys.platform != "linux", reason="folders are exchanged on Linux only")
def test_what_others_put_there_meanwhile_is_kept(quick_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = prepared(quick_disk)
    real, number = the_exchange(), 0

    def meanwhile(one: Path, other: Path) -> None:
        nonlocal number
        number += 1
        (folder / f"early-{number}.txt").write_text("put there before")
        real(one, other)
        (folder / f"late-{number}.txt").write_text("put there after")

    monkeypatch.setattr("duckpress.store.writing.exchange", meanwhile)
    write_new(folder)
    told = {f"{when}-{which}.txt" for when in ("early", "late") for which in (1, 2)}
    assert set(tree(folder)) == set(AFTER) | told
    assert names_in(quick_disk) == ["game"]


def test_too_much_beside_the_outputs_takes_the_other_way(quick_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duckpress.store.mirroring.MOST_ENTRIES", 3)
    folder = prepared(quick_disk)
    write_new(folder)
    assert tree(folder) == AFTER
    assert names_in(quick_disk) == ["game"]


@needs_fork
def test_runs_killed_at_a_hundred_random_moments(killed: Path) -> None:
    assert (killed / "be_killed_at_random_moments-as_it_is").read_text() == ""


def be_killed_at_random_moments(quick_disk: Path, way: str) -> None:
    """By the clock, in the midst of whatever the system is doing: large files, written again and again."""
    folder = quick_disk / "game"
    moments = random.Random(35)

    def files(number: int) -> dict[str, bytes]:
        whole = {f"{name}.pdf": f"{number} ".encode() * 20_000 for name in "abcd"}
        return {**whole, "manifest.json": str(number).encode(), f"odd-{number % 2}.pdf": b"x"}

    def run_for_ever(first: int) -> None:
        for number in range(first, first + 100_000):
            write_outputs(folder, files(number), [f"odd-{1 - number % 2}.pdf"])

    write_outputs(folder, files(0))
    first = 1
    most_s = 0.015  # a busy machine gives a process its turn later: where nothing came of one, the next has longer
    for _ in range(100):
        child = os.fork()
        if child == 0:
            try:
                run_for_ever(first)
            finally:
                os._exit(1)
        time.sleep(moments.random() * most_s)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if sys.platform != "linux":
            with held_outputs(folder):
                pass
        found = tree(folder)
        number = int(found["manifest.json"])
        assert found == files(number)
        most_s = min(most_s * 1.2, 0.5) if number < first else max(most_s / 1.2, 0.015)
        first = number + 1
    assert first > 2
    note_fault("kill -9 at a random moment of writing", 100)
    with held_outputs(folder):
        pass
    assert names_in(quick_disk) == ["game"]
