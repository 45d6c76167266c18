"""A set of files in a folder of outputs: whatever call to the system fails or is the last one, it is old or new."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import signal
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hostile_game import lay_out
from mishaps import (
    CALLS,
    GROWING,
    Mishap,
    calls_going_wrong,
    in_a_child,
    in_a_fresh_process,
    names_in,
    needs_fork,
    tree,
)

from duckpress.core.interrupts import handle_signals
from duckpress.core.problems import MachineError
from duckpress.store import locked_outputs, write_outputs

OLD = {"a.pdf": b"old a", "b.pdf": b"old b", "packet/seat-1.pdf": b"old 1", "manifest.json": b"old list"}
NEW = {"a.pdf": b"new a", "c.pdf": b"new c", "packet/seat-2.pdf": b"new 2", "manifest.json": b"new list"}
STALE = ("b.pdf", "packet/seat-1.pdf", "never-there.pdf")
OTHERS = {"notes.txt": b"mine", "png/": b"", "png/duck/": b"", "png/duck/teal.png": b"a picture", "packet/": b""}
BEFORE = OLD | OTHERS
AFTER = NEW | OTHERS


class Kind(NamedTuple):
    """A kind of change: what is written and what goes, the folder before and after, the least number of calls."""

    files: Mapping[str, bytes]
    stale: tuple[str, ...]
    before: Mapping[str, bytes]
    after: Mapping[str, bytes]
    least_calls: int


KINDS = {
    "many": Kind(NEW, STALE, BEFORE, AFTER, 40),
    "first": Kind(NEW, (), {}, {**NEW, "packet/": b""}, 20),
    "one": Kind({"a.pdf": b"new a"}, (), BEFORE, {**BEFORE, "a.pdf": b"new a"}, 15),
    "gone": Kind({}, STALE, BEFORE, {name: BEFORE[name] for name in BEFORE if name not in (*STALE, "packet/")}, 15),
    "inner": Kind({"png/hen/hen.png": b"a hen", "png/list.json": b"[]"}, ("png/duck/teal.png",), BEFORE,
                  {**{name: BEFORE[name] for name in BEFORE if "duck" not in name}, "png/hen/": b"",
                   "png/hen/hen.png": b"a hen", "png/list.json": b"[]"}, 20),
}  # fmt: skip


def prepared(out: Path) -> Path:
    folder = out / "game"
    write_outputs(folder, OLD)
    lay_out(folder, {"notes.txt": b"mine", "png/duck/teal.png": b"a picture"})
    assert tree(folder) == BEFORE
    return folder


def write_new(folder: Path) -> None:
    write_outputs(folder, NEW, STALE)


def reset(out: Path, folder: Path, before: Mapping[str, bytes] = BEFORE) -> None:
    """Put everything back as it was, without any of the code that is tried."""
    for path in out.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for name, data in before.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(exist_ok=True) if name.endswith("/") else path.write_bytes(data)


def each_call(out: Path, folder: Path, before: Mapping[str, bytes] = BEFORE, *, step: int = 1) -> Iterator[int]:
    """Yield the numbers of calls, with everything as it was before each, until one is too high for the loop."""
    for number in range(1, 1000, step):
        reset(out, folder, before)
        yield number
    pytest.fail("it never came to an end")


def found_in(folder: Path) -> dict[str, bytes]:
    return tree(folder) if folder.is_dir() else {}


@pytest.mark.sweep(5)
@needs_fork
@pytest.mark.parametrize("kind", KINDS)
def test_killed_at_every_call_it_is_old_or_new(quick_disk: Path, kind: str) -> None:
    in_a_fresh_process("test_set_of_files", "be_killed_at_every_call", str(quick_disk), kind)


def be_killed_at_every_call(place: str, kind: str) -> None:
    files, stale, before, after, least_calls = KINDS[kind]
    quick_disk, folder = Path(place), Path(place) / "game"
    seen = set()
    for number in each_call(quick_disk, folder, before):
        mishap = Mishap(number, None)

        def run(mishap: Mishap = mishap) -> None:
            with calls_going_wrong(mishap):
                write_outputs(folder, files, stale)

        ended = in_a_child(run)
        if ended == 0:
            assert found_in(folder) == after
            break
        assert ended == -signal.SIGKILL
        check_killed(folder, KINDS[kind], number)
        with locked_outputs(folder):
            found = found_in(folder)
            assert found in (before, after), number
        assert names_in(quick_disk) == (["game"] if found else []), number
        seen.add("new" if found == after else "old")
    assert number > least_calls
    assert seen == {"old", "new"}


def check_killed(folder: Path, kind: Kind, number: int) -> None:
    """Look at what a kill has left, before the next run: whole files, and nothing done to those of others."""
    found = found_in(folder)
    others = {name: data for name, data in OTHERS.items() if not name.startswith(("packet", "png"))}
    missing = [name for name in kind.before if name in kind.after and name not in found]
    assert len([name for name in missing if not name.endswith("/")]) <= 1, (number, missing)
    if kind.before:
        assert "manifest.json" in found, number
        assert found.items() >= others.items(), number
    for name, data in found.items():
        assert name.endswith("/") or data in (kind.before.get(name), kind.after.get(name)), (number, name)


def killed_writing(folder: Path, number: int) -> None:
    with calls_going_wrong(Mishap(number, None)):
        write_new(folder)


def killed_cleaning(folder: Path, number: int) -> None:
    with calls_going_wrong(Mishap(number, None)), locked_outputs(folder):
        pass


def be_killed_while_cleaning(place: str) -> None:
    """Killed at every second call; what is left is cleaned up by a run that is killed at each of its calls in turn."""
    quick_disk = Path(place)
    folder = prepared(quick_disk)
    for moment in range(1, 1000, 2):
        for number in range(1, 200):
            reset(quick_disk, folder)
            if in_a_child(lambda: killed_writing(folder, moment)) == 0:  # noqa: B023
                assert moment > KINDS["many"].least_calls
                return
            is_clean = in_a_child(lambda: killed_cleaning(folder, number)) == 0  # noqa: B023
            with locked_outputs(folder):
                assert tree(folder) in (BEFORE, AFTER), (moment, number)
            assert names_in(quick_disk) == ["game"]
            if is_clean:
                break
        assert number > 3


def be_killed_and_changed(place: str) -> None:
    quick_disk = Path(place)
    folder = prepared(quick_disk)
    mine = {"a.pdf": b"my own a", "c.pdf": b"my own c", "manifest.json": b"my own list", "new.txt": b"my own"}
    for number in each_call(quick_disk, folder):
        if in_a_child(lambda: killed_writing(folder, number)) == 0:  # noqa: B023
            break
        for name, data in mine.items():
            (folder / name).write_bytes(data)
            later_ns = time.time_ns() + 10**9
            os.utime(folder / name, ns=(later_ns, later_ns))
        with locked_outputs(folder):
            found = tree(folder)
        assert found.items() >= (mine | OTHERS).items(), number
        assert set(found) - set(mine | OTHERS) <= {"b.pdf", "packet/seat-1.pdf", "packet/seat-2.pdf"}
        assert names_in(quick_disk) == ["game"]


@pytest.mark.parametrize("state", ["renaming", "swapping"])
def test_what_a_killed_run_of_the_first_edition_left_is_put_right(tmp_path: Path, state: str) -> None:
    """Version 0.1.0 kept replaced files under second names, and could exchange whole folders."""
    folder = prepared(tmp_path)
    new, old = tmp_path / ".duckpress-game.new", tmp_path / ".duckpress-game.old"
    names, gone, fresh = sorted(NEW), list(STALE[:2]), ["c.pdf", "packet/seat-2.pdf"]
    record = {"process": 1, "state": state, "names": names, "gone": gone, "fresh": fresh, "part": ""}
    (tmp_path / ".duckpress-game.lock").write_text(json.dumps(record))
    lay_out(new, NEW)
    if state == "renaming":  # it was killed between the two steps for c.pdf
        for name in (*gone, "a.pdf"):
            (old / name).parent.mkdir(parents=True, exist_ok=True)
            os.link(folder / name, old / name)
        for name in gone:
            (folder / name).unlink()
        (new / "a.pdf").replace(folder / "a.pdf")
        earlier_ns = (tmp_path / ".duckpress-game.lock").stat().st_mtime_ns - 10**9
        os.utime(folder / "a.pdf", ns=(earlier_ns, earlier_ns))
    with locked_outputs(folder):
        assert tree(folder) == BEFORE
    assert names_in(tmp_path) == ["game"]


WRITING = ("open", "write", "fsync", "mkdir", "link")


@pytest.mark.parametrize(
    ("code", "lasting"),
    [(errno.ENOSPC, ()), (errno.EIO, ()), (errno.ENOSPC, WRITING), (errno.EROFS, (*GROWING, "unlink", "rmdir"))],
)
def test_when_a_call_fails_or_all_from_there_on_it_is_old_or_new(
    quick_disk: Path, code: int, lasting: tuple[str, ...]
) -> None:
    folder = prepared(quick_disk)
    said: set[str] = set()
    for number in each_call(quick_disk, folder):
        mishap = Mishap(number, code, is_lasting=bool(lasting), of=lasting or CALLS)
        expected = AFTER
        try:
            with calls_going_wrong(mishap):
                write_new(folder)
        except MachineError as error:
            expected = BEFORE
            said.add(str(error))
        assert lasting or tree(folder) == expected, number
        with locked_outputs(folder):
            assert tree(folder) in (AFTER, expected), number
        assert names_in(quick_disk) == ["game"], number
        if not mishap.happened:
            break
    assert said
    assert all(str(quick_disk) in message and "\n" not in message for message in said)
    advice = ("the disk is full", "share of the disk", "read-only") if lasting else ("",)
    assert all(any(words in message for words in advice) for message in said)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("step", [5, 1])
@needs_fork
def test_an_interrupt_at_any_call_leaves_old_or_new_and_nothing_else(quick_disk: Path, step: int) -> None:
    folder = prepared(quick_disk)
    seen = set()
    for number in each_call(quick_disk, folder, step=step):
        ended = in_a_child(lambda number=number: write_interrupted(folder, number))  # type: ignore[misc]
        if ended == 0:
            break
        assert ended == -signal.SIGINT
        seen.add("new" if tree(folder) == AFTER else "old")
        assert tree(folder) in (BEFORE, AFTER), number
        assert names_in(quick_disk) == ["game"], number
    assert seen == {"old", "new"}


def write_interrupted(folder: Path, number: int) -> None:
    """Write as the program does, which handles signals, with Ctrl-C at a call."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever started these tests may have it ignored
    handle_signals()
    with calls_going_wrong(Mishap(number, 0)):
        write_new(folder)


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
    assert all(path.stat().st_nlink == 1 for path in folder.rglob("*") if path.is_file())
    assert tree(folder) == AFTER


def test_what_others_put_there_meanwhile_is_kept(quick_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = prepared(quick_disk)
    real, number = os.replace, 0

    def meanwhile(path: Path, to: Path) -> None:
        nonlocal number
        number += 1
        (folder / f"early-{number}.txt").write_text("put there before")
        real(path, to)
        (folder / f"late-{number}.txt").write_text("put there after")

    monkeypatch.setattr(os, "replace", meanwhile)
    write_new(folder)
    assert number == 7  # a.pdf takes two, and the manifest one
    told = {f"{when}-{which}.txt" for when in ("early", "late") for which in range(1, 8)}
    assert set(tree(folder)) == set(AFTER) | told
    assert names_in(quick_disk) == ["game"]


def test_files_need_no_second_names(quick_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a stick, which has none."""

    def refuse(*args: Any, **named: Any) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    folder = prepared(quick_disk)
    for name in ("link", "symlink"):
        monkeypatch.setattr(os, name, refuse)
    write_new(folder)
    assert tree(folder) == AFTER
    assert names_in(quick_disk) == ["game"]


@pytest.mark.soak
@needs_fork
@pytest.mark.parametrize("way", ["while_cleaning", "and_changed", "at_random_moments"])
def test_runs_killed_in_other_ways(quick_disk: Path, way: str) -> None:
    in_a_fresh_process("test_set_of_files", f"be_killed_{way}", str(quick_disk))


def be_killed_at_random_moments(place: str) -> None:
    """By the clock, in the midst of whatever the system is doing: large files, written again and again."""
    quick_disk, folder = Path(place), Path(place) / "game"
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
        with locked_outputs(folder):
            pass
        found = tree(folder)
        number = int(found["manifest.json"])
        assert found == files(number)
        most_s = min(most_s * 1.2, 0.5) if number < first else max(most_s / 1.2, 0.015)
        first = number + 1
    assert first > 2
    with locked_outputs(folder):
        pass
    assert names_in(quick_disk) == ["game"]
