"""The folder of a game's outputs, held by one run: sets of files appear in it all together, or not at all.

Files are written into a folder beside it and brought to the disk. Then that folder gets everything else that the
outputs' folder holds, as second names of the same files, and the two exchange their names: one step of the system.
Where it has no such step, files take their names one after the other (`renaming`), and a next run puts back what a
killed one left between. What a run is doing stands in the file that it holds, beside the folder, for the next run.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from duckpress.core.interrupts import held, undisturbed
from duckpress.core.problems import MachineError
from duckpress.store.exchanging import exchange
from duckpress.store.faults import machine_error
from duckpress.store.holding import Busy, flush_folder, take, write_all
from duckpress.store.mirroring import empty_out, follow, mirror
from duckpress.store.output_places import make_folders, refuse_names, refuse_sources, remove
from duckpress.store.records import RENAMING, STAGING, SWAPPING, read_record
from duckpress.store.renaming import Change, drop_empty, rename_all, undo

LAST = "manifest.json"
_AT_ONCE = 64  # files kept open until they are on the disk: fewer, longer waits than one for each


def write_outputs(
    folder: Path, files: Mapping[str, bytes], stale: Collection[str] = (), protected: Sequence[Path] = ()
) -> None:
    """Write the files (name -> bytes) into a folder of outputs and remove the stale ones, all or nothing.

    For what is made in one go; who reads and writes holds the folder meanwhile, with `held_outputs`.
    """
    with held_outputs(folder, protected) as outputs:
        outputs.write(files, stale)


@contextlib.contextmanager
def held_outputs(folder: Path, protected: Sequence[Path] = ()) -> Iterator[Outputs]:
    """Hold the folder of a game's outputs against other runs, and put right what a killed run left.

    The folder need not be there, and is not made before something is written. It must neither lie in a protected folder
    (the sources) nor hold one. Raises `Busy` where another run holds it, and `MachineError`.
    """
    refuse_sources(folder, protected)
    real = os.path.realpath(folder)
    for room in protected:
        if Path(os.path.realpath(room)).is_relative_to(real):
            raise MachineError(f"{folder} holds {room}, which holds sources: choose another folder for the output")
    with held(lambda: _take(folder), Outputs.release) as outputs:
        outputs.recover()
        yield outputs


def clear_up(folder: Path) -> None:
    """Put right what a killed run left beside a folder of outputs, if anything, and if no other run is at work."""
    if os.path.lexists(_lock(folder)):
        with contextlib.suppress(MachineError), held_outputs(folder):
            pass


def _take(folder: Path) -> Outputs:
    try:
        if folder.is_symlink():
            what = "it is a link; move it away, or say with --out where it leads"
            raise MachineError(f"cannot write into {folder}: {what}")
        if os.path.lexists(folder) and not folder.is_dir():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        made = make_folders(folder.parent)
        return Outputs(folder, take(_lock(folder)), made)
    except Busy as busy:
        raise Busy(
            f"another run of duckpress ({busy}) is writing into {folder}: "
            "wait until it has finished, or choose another folder with --out"
        ) from busy
    except OSError as error:
        raise machine_error("make the folder", folder, error) from error


class Outputs:
    """The folder of a game's outputs while it is held; made by `held_outputs`."""

    def __init__(self, folder: Path, handle: int, made: Sequence[Path]) -> None:
        self.folder = folder
        self._handle = handle
        self._made = made  # folders that were not there before, and go where nothing was written
        self._new = _beside(folder, "new")
        self._old = _beside(folder, "old")
        self._at: Path = folder  # what a message names

    def write(self, files: Mapping[str, bytes], stale: Collection[str] = ()) -> None:
        """Write the files (name -> bytes) and remove the stale ones, all or nothing.

        A name may have folders before it (`tgc/duck/teal.png`), which are made where they are missing, and removed with
        their last file. Raises `MachineError`, with the folder as it was before.
        """
        refuse_names(self.folder, (*files, *stale))
        names = sorted(files, key=lambda name: (PurePosixPath(name).name == LAST, name))
        gone = [name for name in sorted(set(stale) - set(files)) if os.path.lexists(self.folder / name)]
        if not names and not gone:
            return
        try:
            self._record(STAGING)
            self._stage(files, names)
            with undisturbed():
                self._at = self.folder
                self._commit(Change(tuple(names), tuple(gone)))
        except OSError as error:
            raise machine_error("write", self._at, error) from error
        finally:
            with undisturbed(), contextlib.suppress(OSError):
                self._clear()

    def recover(self) -> None:
        """Put right what a killed run left beside the folder, and in it."""
        try:
            with undisturbed():
                self._clear()
                self._record(STAGING)
        except OSError as error:
            raise machine_error("clean up", self.folder, error) from error

    def release(self) -> None:
        """Let go of the folder, whatever goes on; what cannot be cleaned up stays on record for the next run."""
        try:
            with contextlib.suppress(OSError):
                self._clear()
            if not os.path.lexists(self._new) and not os.path.lexists(self._old):
                with contextlib.suppress(OSError):
                    _lock(self.folder).unlink()
        finally:
            os.close(self._handle)
            for parent in reversed(self._made):
                with contextlib.suppress(OSError):
                    parent.rmdir()

    def _stage(self, files: Mapping[str, bytes], names: Sequence[str]) -> None:
        """Write files into the folder beside, and wait until they are on the disk."""
        self._new.mkdir()
        for start in range(0, len(names), _AT_ONCE):
            handles = []
            try:
                for name in names[start : start + _AT_ONCE]:
                    self._at = self.folder / name
                    place = self._new / name
                    place.parent.mkdir(parents=True, exist_ok=True)
                    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
                    handles.append(os.open(place, flags, 0o666))
                    write_all(handles[-1], files[name])
                for handle in handles:
                    os.fsync(handle)
            finally:
                for handle in handles:
                    os.close(handle)
        for place in {self._new / name for name in names}:
            flush_folder(place.parent)

    def _commit(self, change: Change) -> None:
        """Let everything take its place, in one step where there is one."""
        part = self._part(change)
        target, staged = self.folder / part, self._new / part
        if target.is_dir() and not os.access(target, os.W_OK | os.X_OK):  # exchanging it would not need its consent
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if not os.path.lexists(target) and staged.exists():
            staged.rename(target)
        elif len(change.names) == 1 and not change.gone and staged.exists():
            (self._new / change.names[0]).replace(self.folder / change.names[0])
        elif not self._swap(change, part):
            self._record(RENAMING, names=change.names, gone=change.gone, fresh=change.fresh(self.folder))
            rename_all(change, self.folder, self._new, self._old)
            os.ftruncate(self._handle, 0)  # done: from here on there is nothing to undo, and this takes no room
            for place in {self.folder / name for name in change.every}:
                flush_folder(place.parent)
        flush_folder(target.parent)

    def _part(self, change: Change) -> str:
        """Give the innermost folder that everything changed lies in and that has somewhere to be."""
        part = PurePosixPath(os.path.commonpath([str(PurePosixPath(name).parent) for name in change.every]))
        while part.parts and not (self.folder / part).parent.is_dir():
            part = part.parent
        return "" if str(part) == "." else str(part)

    def _swap(self, change: Change, part: str) -> bool:
        """Exchange the folder with the one beside; False where the system cannot, with nothing changed."""
        target, staged = self.folder / part, self._new / part
        inner = change.inside(part)
        try:
            staged.mkdir(parents=True, exist_ok=True)
            mirror(target, staged, frozenset(inner.every))
            for name in inner.gone:
                drop_empty((staged / name).parent, staged)
            self._record(SWAPPING, names=change.names, gone=change.gone, part=part)
            exchange(staged, target)
        except OSError:
            self._record(STAGING)
            return False
        # It is done; what follows gives the folder back its identity, for who stands in it or watches it.
        with contextlib.suppress(OSError):
            follow(target, staged, inner)
            exchange(staged, target)
        return True

    def _clear(self) -> None:
        """Remove the folders beside, after putting back or saving what is in them and nowhere else."""
        has_new, has_old = os.path.lexists(self._new), os.path.lexists(self._old)
        if not has_new and not has_old:
            return
        record = read_record(self._handle)
        change = Change(tuple(record.get("names", ())), tuple(record.get("gone", ())))
        if record["state"] == RENAMING:
            undo(change, record["fresh"], self.folder, self._new, self._old)
        elif record["state"] == SWAPPING:
            part = record["part"]
            empty_out(self._new / part, self.folder / part, frozenset(change.inside(part).every))
        for place in (self._new, self._old):
            remove(place)
        self._record(STAGING)

    def _record(self, state: str, **more: Any) -> None:
        """Note in the held file what is going on."""
        data = json.dumps({"process": os.getpid(), "state": state, **more}).encode()
        if state == RENAMING:  # this one has to be whole on the disk: everything else can be found out without it
            os.ftruncate(self._handle, 0)
        os.lseek(self._handle, 0, os.SEEK_SET)
        write_all(self._handle, data)
        os.ftruncate(self._handle, len(data))
        if state == RENAMING:
            os.fsync(self._handle)


def _beside(folder: Path, kind: str) -> Path:
    return folder.parent / f".duckpress-{folder.name}.{kind}"


def _lock(folder: Path) -> Path:
    return _beside(folder, "lock")
