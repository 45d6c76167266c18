"""The folder of a game's outputs, locked by one run: sets of files appear in it all together, or not at all.

How, says `journal`. What a killed run left half done is undone, or completed, when the next one locks the folder.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from duckpress.core.interrupts import held, undisturbed
from duckpress.core.problems import MachineError
from duckpress.store.file_writing import Busy, flush_folder, lock_file, machine_error, write_all
from duckpress.store.journal import REPLACED, STAGED, Change, beside, note_process, read_journal, write_journal
from duckpress.store.output_places import make_folders, refuse_names, refuse_sources, remove

MANIFEST = "manifest.json"
_LOCK = "lock"  # the file beside a folder of outputs that a run locks while it works on it
PATIENCE_S = 300.0  # for which a run waits while another one holds the folder
_WORD_S = 1.0  # after which it says so
_LOOK_S = 0.05  # between two tries
_AT_ONCE = 64  # files kept open until they are on the disk: fewer, longer waits than one for each


def write_outputs(
    folder: Path, files: Mapping[str, bytes], stale: Collection[str] = (), protected: Sequence[Path] = ()
) -> None:
    """Write the files (name -> bytes) into a folder of outputs and remove the stale ones, all or nothing.

    For what is made in one go; who reads and writes locks the folder meanwhile, with `locked_outputs`.
    """
    with locked_outputs(folder, protected) as outputs:
        outputs.write(files, stale)


@contextlib.contextmanager
def locked_outputs(
    folder: Path,
    protected: Sequence[Path] = (),
    tell: Callable[[str], object] = lambda _words: None,
    *,
    patience_s: float | None = None,
) -> Iterator[OutputFolder]:
    """Yield the folder of a game's outputs, locked against other runs, after putting right what a killed run left.

    The folder need not be there, and is not made before something is written. It must neither lie in a protected folder
    (the sources) nor hold one. Where another run has locked it, it is waited for, `tell` being told so. Raises `Busy`
    where that takes too long (None: `PATIENCE_S`), and `MachineError`.
    """
    refuse_sources(folder, protected)
    real = os.path.realpath(folder)
    for sources in protected:
        if Path(os.path.realpath(sources)).is_relative_to(real):
            raise MachineError(f"{folder} holds {sources}, which holds sources: choose another folder for the output")
    with contextlib.ExitStack() as until_done:
        outputs = _taken(until_done, folder, tell, PATIENCE_S if patience_s is None else patience_s)
        outputs.recover()
        yield outputs


def clear_up(folder: Path) -> None:
    """Put right what a killed run left beside a folder of outputs, if anything, and if no other run is at work."""
    if os.path.lexists(beside(folder, _LOCK)):
        with contextlib.suppress(MachineError), locked_outputs(folder, patience_s=0.0):
            pass


def _taken(
    until_done: contextlib.ExitStack, folder: Path, tell: Callable[[str], object], patience_s: float
) -> OutputFolder:
    """Return the folder, locked until all is done, as soon as no other run has it."""
    began, has_waited = time.monotonic(), False
    while True:
        try:
            outputs = until_done.enter_context(held(lambda: _lock(folder), OutputFolder.release))
        except Busy as busy:
            waited_s, has_waited = time.monotonic() - began, True
            if waited_s >= patience_s:
                raise Busy(
                    f"another run of duckpress ({busy}) is writing into {folder}, and has not finished in "
                    f"{waited_s:.0f} seconds: wait until it has, or choose another folder with --out"
                ) from busy
            if waited_s >= _WORD_S:
                tell(f"waiting for another run ({busy}) that is writing into {folder}")
            time.sleep(_LOOK_S)
        else:
            outputs.has_waited = has_waited
            return outputs


def _lock(folder: Path) -> OutputFolder:
    try:
        if folder.is_symlink():
            what = "it is a link; move it away, or say with --out where it leads"
            raise MachineError(f"cannot write into {folder}: {what}")
        if os.path.lexists(folder) and not folder.is_dir():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        new_folders = make_folders(folder.parent)
        return OutputFolder(folder, lock_file(beside(folder, _LOCK)), new_folders)
    except OSError as error:
        raise machine_error("make the folder", folder, error) from error


class OutputFolder:
    """The folder of a game's outputs while it is locked; made by `locked_outputs`.

    Where it `has_waited` for another run, what was read before may be older than what that one wrote.
    """

    def __init__(self, folder: Path, handle: int, new_folders: Sequence[Path]) -> None:
        self.folder = folder
        self.has_waited = False
        self._handle = handle
        self._new_folders = new_folders  # that it lies in; they go where nothing was written
        self._beside = (beside(folder, STAGED), beside(folder, REPLACED))
        self._at: Path = folder  # what a message names

    def stage(self, files: Mapping[str, bytes]) -> None:
        """Put files beside the folder, for the next `write` to let them take their places; forked processes may, too.

        Raises `MachineError`.
        """
        refuse_names(self.folder, files)
        try:
            self._stage(files, list(files))
        except OSError as error:
            raise machine_error("write", self._at, error) from error

    def write(self, files: Mapping[str, bytes], stale: Collection[str] = (), staged: Collection[str] = ()) -> None:
        """Write the files (name -> bytes), and those staged before, and remove the stale ones, all or nothing.

        A name may have folders before it (`tgc/duck/teal.png`), which are made where they are missing, and removed with
        their last file. Raises `MachineError`, with the folder as it was before.
        """
        refuse_names(self.folder, (*files, *stale, *staged))
        names = sorted((*files, *staged), key=lambda name: (PurePosixPath(name).name == MANIFEST, name))
        gone = [name for name in sorted(set(stale) - set(names)) if os.path.lexists(self.folder / name)]
        if not names and not gone:
            return
        try:
            self._stage(files, [name for name in names if name in files])
            for inner in {(beside(self.folder, STAGED) / name).parent for name in names}:
                flush_folder(inner)
            with undisturbed():
                self._at = self.folder
                self._commit(Change(self.folder, tuple(names), tuple(gone)))
        except OSError as error:
            raise machine_error("write", self._at, error) from error
        finally:
            with undisturbed(), contextlib.suppress(OSError):
                self._settle()

    def recover(self) -> None:
        try:
            with undisturbed():
                self._settle()
        except OSError as error:
            raise machine_error("clean up", self.folder, error) from error

    def release(self) -> None:
        """Unlock the folder, whatever goes on; what cannot be cleaned up stays in the journal for the next run."""
        try:
            with contextlib.suppress(OSError):
                self._settle()
            if not any(map(os.path.lexists, self._beside)):
                with contextlib.suppress(OSError):
                    beside(self.folder, _LOCK).unlink()
        finally:
            os.close(self._handle)
            for parent in reversed(self._new_folders):
                with contextlib.suppress(OSError):
                    parent.rmdir()

    def _stage(self, files: Mapping[str, bytes], names: Sequence[str]) -> None:
        staged = beside(self.folder, STAGED)
        staged.mkdir(exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        for start in range(0, len(names), _AT_ONCE):
            some, handles = names[start : start + _AT_ONCE], []
            try:
                for inner in {name.rpartition("/")[0] for name in some}:
                    self._at = self.folder / inner
                    (staged / inner).mkdir(parents=True, exist_ok=True)
                for name in some:
                    self._at = self.folder / name
                    handles.append(os.open(f"{staged}/{name}", flags, 0o666))
                    write_all(handles[-1], files[name])
                for handle in handles:
                    os.fsync(handle)
            finally:
                for handle in handles:
                    os.close(handle)

    def _commit(self, change: Change) -> None:
        """Let everything take its place, so that the next step to settle it has nothing to undo."""
        if os.path.lexists(self.folder):
            write_journal(self._handle, change)
            flush_folder(self.folder.parent)
            change.apply()
        else:
            beside(self.folder, STAGED).replace(self.folder)
        flush_folder(self.folder.parent)

    def _settle(self) -> None:
        """Finish or undo what stands in the journal, and remove the folders beside. Raises `OSError`."""
        change = read_journal(self._handle, self.folder)
        is_undone = change is not None and not change.is_committed
        if change is not None and is_undone:
            change.undo(os.fstat(self._handle).st_mtime_ns)
        elif change is not None:
            change.drop_empty(change.gone)
        os.ftruncate(self._handle, 0)
        if is_undone:
            os.fsync(self._handle)  # before the staged files go, or what is neither staged nor new would count as new
        for place in self._beside:
            remove(place)
        note_process(self._handle)
