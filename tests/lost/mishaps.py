"""Mishaps for tests: the n-th call to the system fails, or is the last thing that the process does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")

MEMORY = Path("/dev/shm")
CALLS = ("open", "write", "fsync", "ftruncate", "mkdir", "rmdir", "rename", "replace", "link", "unlink", "scandir")
GROWING = ("open", "write", "fsync", "mkdir", "link", "rename", "replace")
"""Calls that take room on the disk."""


class Mishap:
    """Counts calls, and lets the n-th one go wrong: `code` is the error it gives; None is SIGKILL, 0 Ctrl-C."""

    def __init__(self, number: int, code: int | None, *, is_lasting: bool = False, of: Collection[str] = CALLS) -> None:
        self.number = number
        self.code = code
        self.is_lasting = is_lasting
        self.of = of
        self.count = 0

    @property
    def happened(self) -> bool:
        """Whether there were that many calls."""
        return self.count >= self.number

    def wrap(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that does what the real one does until its time has come."""

        def call(*args: Any, **named: Any) -> Any:
            self.count += 1
            is_due = self.count == self.number or (self.is_lasting and self.count > self.number)
            if is_due and self.code == 0:
                signal.raise_signal(signal.SIGINT)
            if not is_due or name not in self.of or self.code == 0:
                if name == "fsync":
                    return None  # nobody pulls the plug here, and waiting for the disk takes long
                return real(*args, **named)
            if name == "write" and len(args[1]) > 1:
                real(args[0], bytes(args[1])[: len(args[1]) // 2])  # half of it has been written
            if self.code is None:
                os.kill(os.getpid(), signal.SIGKILL)
            place = args[0] if args and isinstance(args[0], (str, Path)) else None
            raise OSError(self.code, os.strerror(self.code or 0), *([str(place)] if place else []))

        return call


@contextmanager
def calls_going_wrong(mishap: Mishap) -> Iterator[None]:
    """Let calls to the system go wrong within."""
    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, mishap.wrap(name, getattr(os, name)))
        yield


def in_a_child(action: Callable[[], None]) -> int:
    """Run something in a process of its own; gives its exit status, negative where a signal ended it."""
    child = os.fork()
    if child == 0:
        status = 99
        try:
            action()
            status = 0
        except SystemExit as leaving:
            status = leaving.code if isinstance(leaving.code, int) else 98
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(ended)


def in_children(action: Callable[[int], None], count: int = 4) -> list[int]:
    """Run something in so many processes at the same time; gives their exit statuses."""
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in begun(action, count)]


def begun(action: Callable[[int], None], count: int) -> list[int]:
    """Begin something in so many processes, and return their numbers."""
    children = []
    for number in range(count):
        child = os.fork()
        if child == 0:
            try:
                action(number)
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    return children


@contextmanager
def in_children_meanwhile(action: Callable[[int], None], count: int) -> Iterator[Callable[[], bool]]:
    """Run something in so many processes beside the block, which may ask whether one is at work; all must succeed."""
    children, statuses = begun(action, count), list[int]()

    def are_at_work(how: int = os.WNOHANG) -> bool:
        for child in tuple(children):
            ended, status = os.waitpid(child, how)
            if ended:
                children.remove(child)
                statuses.append(os.waitstatus_to_exitcode(status))
        return bool(children)

    yield are_at_work
    are_at_work(0)
    assert statuses == [0] * count


def in_a_fresh_process(module: str, function: str, *given: object) -> None:
    """Call a function of a module of these tests in a small process, which is forked much faster than pytest's."""
    here = Path(__file__).resolve().parent
    places = [str(path) for path in (here, here.parent / "kit", here.parent / "hostile", here.parents[1] / "generator")]
    code = f"import sys; sys.path[:0] = {places!r}; import {module}; {module}.{function}(*{given!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def tree(folder: Path) -> dict[str, bytes]:
    """Return everything in a folder: files with their bytes, folders (ending in `/`), links (`-> ...`)."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}".encode()
        elif path.is_dir():
            found[f"{name}/"] = b""
        else:
            found[name] = path.read_bytes()
    return found


def names_in(folder: Path) -> list[str]:
    """Return the names of what is in a folder, sorted."""
    return sorted(path.name for path in folder.iterdir())
