"""Files take their names one after the other, where folders cannot be exchanged: can be undone at any moment."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct


class Change(Struct, frozen=True):
    """What changes in a folder: the files that are written, in order, and those that go."""

    names: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def every(self) -> tuple[str, ...]:
        """All files that change."""
        return (*self.names, *self.gone)

    def inside(self, part: str) -> Change:
        """Give the change as seen from a folder in the folder."""
        if not part:
            return self

        def cut(names: Sequence[str]) -> tuple[str, ...]:
            return tuple(name.removeprefix(f"{part}/") for name in names if name.startswith(f"{part}/"))

        return Change(cut(self.names), cut(self.gone))

    def fresh(self, folder: Path) -> list[str]:
        """Give the names that nothing has in a folder yet."""
        return [name for name in self.names if not os.path.lexists(folder / name)]


def rename_all(change: Change, folder: Path, new: Path, old: Path) -> None:
    """Rename files from the new folder into their places; what they replace, and what goes, is kept in the old one.

    On an error it puts everything back and raises `OSError`.
    """
    fresh = change.fresh(folder)
    try:
        old.mkdir()
        for name in change.gone:
            (old / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).rename(old / name)
        for name in change.names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            if os.path.lexists(folder / name):
                (old / name).parent.mkdir(parents=True, exist_ok=True)
                _keep(folder / name, old / name)
            (new / name).replace(folder / name)
    except BaseException:
        undo(change, fresh, folder, new, old)
        raise
    for name in change.gone:
        drop_empty((folder / name).parent, folder)


def undo(change: Change, fresh: Sequence[str], folder: Path, new: Path, old: Path) -> None:
    """Put back what was in the folder, as far as it has been changed."""
    for name in change.every:
        if not _leads_elsewhere(folder, name) and not _leads_elsewhere(old, name) and os.path.lexists(old / name):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (old / name).replace(folder / name)
    for name in fresh:
        if name in change.names and not _leads_elsewhere(folder, name) and not os.path.lexists(new / name):
            with contextlib.suppress(FileNotFoundError):
                (folder / name).unlink()
        drop_empty((folder / name).parent, folder)


def drop_empty(inner: Path, folder: Path) -> None:
    """Remove folders that nothing is in, up to a folder that stays."""
    while inner != folder and folder in inner.parents:
        try:
            inner.rmdir()
        except OSError:
            return
        inner = inner.parent


def _keep(path: Path, kept: Path) -> None:
    """Keep a file under a second name, so that its own is never without one; where there are no links, it is moved."""
    try:
        os.link(path, kept, follow_symlinks=False)
    except (OSError, NotImplementedError):
        path.rename(kept)


def _leads_elsewhere(folder: Path, name: str) -> bool:
    return any((folder / inner).is_symlink() for inner in PurePosixPath(name).parents)
