"""The journal of a change to a folder: which files take their places, which go, and how that is undone.

New files are staged in a folder beside, `.duckpress-<name>.new`, and brought to the disk; then the journal is. Only
then do files change: each one that is replaced or goes is renamed into another folder beside, `.old`, and each staged
one into its place. The last of these renames, the manifest's, is the commit: as long as its file is staged, everything
can be put back; once it is not, everything is in its place.

The journal lies beside the folder and may have come from a stranger with it: it is only believed where it can be one of
ours, no name in it leads out of the folder, and nothing is done through links.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

import msgspec

from duckpress.store.file_writing import flush_folder, write_all
from duckpress.store.output_places import is_plain_name

# Folders beside a folder: of files to be written into it, and of those no longer in it until the change is committed.
STAGED, REPLACED = "new", "old"
_MOST_BYTES = 8_000_000
_MOST_NAMES = 200_000
_Names = Annotated[tuple[str, ...], msgspec.Meta(max_length=_MOST_NAMES)]


class _JournalEntry(msgspec.Struct, frozen=True):
    """The journal as it is written, JSON in the locked file; without a change only the process is noted."""

    process: int
    names: _Names
    gone: _Names
    state: Literal["renaming"] = "renaming"  # 0.1.0 wrote others, too, which need nothing but that leftovers go


class Change(msgspec.Struct, frozen=True):
    """A change to a folder: the files that are written, in order, and those that go, all named as seen from it."""

    folder: Path
    names: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def is_committed(self) -> bool:
        """Whether every file is in its place: the last one staged, or the empty folder for staged ones, is gone."""
        return not os.path.lexists(beside(self.folder, STAGED) / (self.names[-1] if self.names else ""))

    def apply(self) -> None:
        """Let every file take its place, onto the disk. Raises `OSError` with some of it done, which can be undone."""
        staged, replaced = beside(self.folder, STAGED), beside(self.folder, REPLACED)
        replaced.mkdir()
        for name in self.gone:
            _move(self.folder / name, replaced / name)
        for name in self.names[:-1]:
            if os.path.lexists(self.folder / name):
                _move(self.folder / name, replaced / name)
            _move(staged / name, self.folder / name)
        self._flush((*self.names[:-1], *self.gone))
        if self.names:  # it replaces the old one in one step, and that is the commit
            _move(staged / self.names[-1], self.folder / self.names[-1])
            flush_folder((self.folder / self.names[-1]).parent)
        else:
            staged.rmdir()

    def undo(self, since_ns: int) -> None:
        """Put everything back; what somebody has changed since a time stays. Raises `OSError`; may be done again."""
        staged, replaced = beside(self.folder, STAGED), beside(self.folder, REPLACED)
        for name in self.names:
            if not os.path.lexists(staged / name) and _is_unchanged(self.folder / name, since_ns):
                _put_back(name, self.folder, staged)
        for name in (*self.names, *self.gone):
            if os.path.lexists(replaced / name) and not os.path.lexists(self.folder / name):
                _put_back(name, replaced, self.folder)
        self._flush((*self.names, *self.gone))
        self.drop_empty(self.names)

    def _flush(self, names: Sequence[str]) -> None:
        for place in (self.folder, beside(self.folder, REPLACED)):
            for inner in {(place / name).parent for name in names}:
                flush_folder(inner)

    def drop_empty(self, names: Sequence[str]) -> None:
        """Remove the folders of files that have gone, where nothing else is in them."""
        for name in names:
            if "/" in name and not _leads_elsewhere(self.folder, name):
                with contextlib.suppress(OSError):  # there is something in it
                    for inner in PurePosixPath(name).parents[:-1]:
                        (self.folder / inner).rmdir()


def beside(folder: Path, kind: str) -> Path:
    """Return the name of what is kept beside a folder while it is changed."""
    return folder.parent / f".duckpress-{folder.name}.{kind}"


def write_journal(handle: int, change: Change) -> None:
    """Write a change into an open file, onto the disk. Raises `OSError`."""
    data = msgspec.json.encode(_JournalEntry(os.getpid(), change.names, change.gone))
    if len(data) > _MOST_BYTES or max(len(change.names), len(change.gone)) > _MOST_NAMES:
        raise OSError(errno.E2BIG, os.strerror(errno.E2BIG))
    _write_over(handle, data)
    os.fsync(handle)


def note_process(handle: int) -> None:
    """Write no more than the number of this process into an open file, for the message of a run that waits for it."""
    _write_over(handle, msgspec.json.encode({"process": os.getpid()}))


def read_journal(handle: int, folder: Path) -> Change | None:
    """Return the change to a folder that a run noted in an open file; None where it is none that we wrote."""
    os.lseek(handle, 0, os.SEEK_SET)
    data = b""
    while len(data) <= _MOST_BYTES and (more := os.read(handle, 1_000_000)):
        data += more
    try:
        entry = msgspec.json.decode(data, type=_JournalEntry)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if not all(map(is_plain_name, (*entry.names, *entry.gone))):
        return None
    return Change(folder, entry.names, entry.gone)


def _write_over(handle: int, data: bytes) -> None:
    os.ftruncate(handle, 0)
    os.lseek(handle, 0, os.SEEK_SET)
    write_all(handle, data)


def _move(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    path.replace(to)


def _put_back(name: str, folder: Path, to: Path) -> None:
    if not _leads_elsewhere(folder, name) and not _leads_elsewhere(to, name):
        _move(folder / name, to / name)


def _is_unchanged(path: Path, since_ns: int) -> bool:
    """Return whether a file is there and nobody has written it since; staged files are older than their journal."""
    try:
        about = os.lstat(path)
    except OSError:
        return False
    return not stat.S_ISDIR(about.st_mode) and about.st_mtime_ns <= since_ns


def _leads_elsewhere(folder: Path, name: str) -> bool:
    return any((folder / inner).is_symlink() for inner in PurePosixPath(name).parents)
