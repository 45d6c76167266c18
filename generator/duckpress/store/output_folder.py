"""The folder of a game's outputs, locked by one run: sets of files are replaced all together, or not at all.

New files are staged in a folder beside, `.duckpress-<name>.new`, and brought to the disk; then the journal is. Only
then do files change: each one that is replaced or goes is renamed into another folder beside, `.old`, and each staged
one into its place. The last of these renames, the manifest's, is the commit: as long as its file is staged, everything
can be put back; once it is not, everything is in its place.

The journal lies beside the folder and may have come from a stranger with it: it is only believed where it can be one of
ours, no name in it leads out of the folder, and nothing is done through links.

What a killed run left half done is undone, or completed, when the next one locks the folder.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

import msgspec

from duckpress.core.interrupts import held, undisturbed
from duckpress.core.problems import MachineError
from duckpress.store.file_writing import Busy, flush_folder, lock_file, machine_error, write_all
from duckpress.store.output_places import is_plain_name, make_folders, refuse_names, refuse_sources, remove

MANIFEST = "manifest.json"
_LOCK = "lock"  # the file beside a folder of outputs that a run locks while it works on it
PATIENCE_S = 300.0  # for which a run waits while another one holds the folder
_WORD_S = 1.0  # after which it says so
_LOOK_S = 0.05  # between two tries
# Folders beside a folder: of files to be written into it, and of those no longer in it until the change is committed.
STAGED, REPLACED = "new", "old"
_MOST_BYTES = 8_000_000
_MOST_NAMES = 200_000
_Names = Annotated[tuple[str, ...], msgspec.Meta(max_length=_MOST_NAMES)]
_AT_ONCE = 64  # files kept open until they are on the disk: fewer, longer waits than one for each


def write_outputs(folder: Path, files: Mapping[str, bytes], stale: Collection[str] = ()) -> None:
    """Write the files (name -> bytes) into an output folder and remove the stale ones, all or nothing.

    For what is made in one go; who reads and writes locks the folder meanwhile, with `locked_outputs`.
    """
    with locked_outputs(folder) as outputs:
        outputs.write(files, stale)


@contextlib.contextmanager
def locked_outputs(
    folder: Path,
    protected: Sequence[Path] = (),
    tell: Callable[[str], object] = lambda _words: None,
    *,
    patience_s: float | None = None,
) -> Iterator[OutputFolder]:
    """Yield the folder of a game's outputs, locked against other runs, after cleaning up after a killed run.

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
        outputs = _wait_for_lock(until_done, folder, tell, PATIENCE_S if patience_s is None else patience_s)
        outputs.recover()
        yield outputs


def clear_up(folder: Path) -> None:
    """Clean up after a killed run beside an output folder, unless another run is at work."""
    if os.path.lexists(beside(folder, _LOCK)):
        with contextlib.suppress(MachineError), locked_outputs(folder, patience_s=0.0):
            pass


def _wait_for_lock(
    until_done: contextlib.ExitStack, folder: Path, tell: Callable[[str], object], patience_s: float
) -> OutputFolder:
    """Return the folder, locked until `until_done` is closed, as soon as no other run has it."""
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


class _Change(msgspec.Struct, frozen=True):
    """The journal, JSON in the locked file: the written files, in order, and the removed ones, relative to the folder.

    Without a change it names only the process.
    """

    process: int
    names: _Names
    gone: _Names
    state: Literal["renaming"] = "renaming"  # 0.1.0 wrote others, too, which need nothing but that leftovers go


def beside(folder: Path, kind: str) -> Path:
    """Return the name of a temporary folder or file beside a folder."""
    return folder.parent / f".duckpress-{folder.name}.{kind}"


def _move(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    path.replace(to)


def _put_back(name: str, folder: Path, to: Path) -> None:
    if not _leads_elsewhere(folder, name) and not _leads_elsewhere(to, name):
        _move(folder / name, to / name)


def _is_unchanged(path: Path, since_ns: int) -> bool:
    """Return whether a file exists and was not written since; staged files are older than their journal."""
    try:
        about = os.lstat(path)
    except OSError:
        return False
    return not stat.S_ISDIR(about.st_mode) and about.st_mtime_ns <= since_ns


def _leads_elsewhere(folder: Path, name: str) -> bool:
    return any((folder / inner).is_symlink() for inner in PurePosixPath(name).parents)


class OutputFolder:
    """The locked folder of a game's outputs; made by `locked_outputs`.

    Where it `has_waited` for another run, what was read before may be older than what that one wrote.
    """

    def __init__(self, folder: Path, handle: int, new_folders: Sequence[Path]) -> None:
        self.folder = folder
        self.has_waited = False
        self._handle = handle
        self._new_folders = new_folders  # that it lies in; they go where nothing was written
        self._staged, self._replaced = beside(folder, STAGED), beside(folder, REPLACED)
        self._at: Path = folder  # what a message names

    def stage(self, files: Mapping[str, bytes]) -> None:
        """Stage files beside the folder, for the next `write`; forked processes may do so, too.

        Raises `MachineError`.
        """
        refuse_names(self.folder, files)
        try:
            self._stage(files, list(files))
        except OSError as error:
            raise machine_error("write", self._at, error) from error

    def write(self, files: Mapping[str, bytes], stale: Collection[str] = (), staged: Collection[str] = ()) -> None:
        """Write the files (name -> bytes), and the staged ones, and remove the stale ones, all or nothing.

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
            for inner in {(self._staged / name).parent for name in names}:
                flush_folder(inner)
            with undisturbed():
                self._at = self.folder
                self._commit(_Change(os.getpid(), tuple(names), tuple(gone)))
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
        """Unlock the folder, also after errors; leftovers stay in the journal for the next run."""
        try:
            with contextlib.suppress(OSError):
                self._settle()
            if not any(map(os.path.lexists, (self._staged, self._replaced))):
                with contextlib.suppress(OSError):
                    beside(self.folder, _LOCK).unlink()
        finally:
            os.close(self._handle)
            for parent in reversed(self._new_folders):
                with contextlib.suppress(OSError):
                    parent.rmdir()

    def _stage(self, files: Mapping[str, bytes], names: Sequence[str]) -> None:
        self._staged.mkdir(exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        for start in range(0, len(names), _AT_ONCE):
            some, handles = names[start : start + _AT_ONCE], []
            try:
                for inner in {name.rpartition("/")[0] for name in some}:
                    self._at = self.folder / inner
                    (self._staged / inner).mkdir(parents=True, exist_ok=True)
                for name in some:
                    self._at = self.folder / name
                    handles.append(os.open(f"{self._staged}/{name}", flags, 0o666))
                    write_all(handles[-1], files[name])
                for handle in handles:
                    os.fsync(handle)
            finally:
                for handle in handles:
                    os.close(handle)

    def _commit(self, change: _Change) -> None:
        """Note the change, and move everything into its place, so that `_settle` has nothing to undo."""
        if os.path.lexists(self.folder):
            data = msgspec.json.encode(change)
            if len(data) > _MOST_BYTES or max(len(change.names), len(change.gone)) > _MOST_NAMES:
                raise OSError(errno.E2BIG, os.strerror(errno.E2BIG))
            self._write_journal(data)
            os.fsync(self._handle)
            flush_folder(self.folder.parent)
            self._apply(change)
        else:
            self._staged.replace(self.folder)
        flush_folder(self.folder.parent)

    def _settle(self) -> None:
        """Finish or undo the change in the journal, and remove the temporary folders. Raises `OSError`."""
        change = self._read_journal()
        # The last staged file is gone, or the empty staging folder: every file is in its place.
        last = change.names[-1] if change is not None and change.names else ""
        is_undone = change is not None and os.path.lexists(self._staged / last)
        if change is not None and is_undone:
            self._undo(change, os.fstat(self._handle).st_mtime_ns)
        elif change is not None:
            self._drop_empty(change.gone)
        os.ftruncate(self._handle, 0)
        if is_undone:
            os.fsync(self._handle)  # before the staged files go, or what is neither staged nor new would count as new
        remove(self._staged)
        remove(self._replaced)
        self._write_journal(msgspec.json.encode({"process": os.getpid()}))  # for the message of a waiting run

    def _write_journal(self, data: bytes) -> None:
        os.ftruncate(self._handle, 0)
        os.lseek(self._handle, 0, os.SEEK_SET)
        write_all(self._handle, data)

    def _read_journal(self) -> _Change | None:
        """Return the change in the journal; None if it is no valid one."""
        os.lseek(self._handle, 0, os.SEEK_SET)
        data = b""
        while len(data) <= _MOST_BYTES and (more := os.read(self._handle, 1_000_000)):
            data += more
        try:
            change = msgspec.json.decode(data, type=_Change)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None
        return change if all(map(is_plain_name, (*change.names, *change.gone))) else None

    def _apply(self, change: _Change) -> None:
        """Move every staged file into its place, onto the disk. Raises `OSError` half-way, which `_undo` reverts."""
        self._replaced.mkdir()
        for name in change.gone:
            _move(self.folder / name, self._replaced / name)
        for name in change.names[:-1]:
            if os.path.lexists(self.folder / name):
                _move(self.folder / name, self._replaced / name)
            _move(self._staged / name, self.folder / name)
        self._flush((*change.names[:-1], *change.gone))
        if change.names:  # it replaces the old one in one step, and that is the commit
            last = change.names[-1]
            _move(self._staged / last, self.folder / last)
            flush_folder((self.folder / last).parent)
        else:
            self._staged.rmdir()

    def _undo(self, change: _Change, since_ns: int) -> None:
        """Put everything back, except files changed since a time. Raises `OSError`; may be repeated."""
        for name in change.names:
            if not os.path.lexists(self._staged / name) and _is_unchanged(self.folder / name, since_ns):
                _put_back(name, self.folder, self._staged)
        for name in (*change.names, *change.gone):
            if os.path.lexists(self._replaced / name) and not os.path.lexists(self.folder / name):
                _put_back(name, self._replaced, self.folder)
        self._flush((*change.names, *change.gone))
        self._drop_empty(change.names)

    def _flush(self, names: Sequence[str]) -> None:
        for inner in {(place / name).parent for place in (self.folder, self._replaced) for name in names}:
            flush_folder(inner)

    def _drop_empty(self, names: Sequence[str]) -> None:
        """Remove the folders of removed files, if they are empty."""
        for name in names:
            if "/" in name and not _leads_elsewhere(self.folder, name):
                with contextlib.suppress(OSError):  # there is something in it
                    for inner in PurePosixPath(name).parents[:-1]:
                        (self.folder / inner).rmdir()
