"""The one door to files: finds a path in the workspace or among the bundled files, and opens it safely.

A path is always written with `/` and as seen from the workspace (`content/<game>/game.yaml`). Every file a game names
is read here and nowhere else: it must lie inside the workspace (or the bundled files) after all links are followed,
be a regular file, and be no larger than its kind allows. Nothing here ever opens the network.

A folder may be changed while it is read, by whoever shares it. So a path is resolved first, and the result is then
opened folder by folder without following any link: what was swapped in between is not found, instead of being read.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from duckpress.core.limits import how_to_raise, limit, written
from duckpress.core.problems import MachineError, Mistake

ROOMS = ("content", "layouts", "fonts")
_ODD = re.compile("[\x00-\x1f\x7f-\x9f\\\\:\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class Refused(Mistake):
    """A file that cannot be read."""


class Workspace:
    """A folder with `content/`, then the bundled files; the workspace's own file wins.

    Bundled layouts and fonts are always there; the bundled games only where the folder has no `content/` of its own,
    so that a designer's workspace never builds games that are not in it.
    """

    def __init__(self, root: Path, bundled: Path | None = None) -> None:
        self.root = root
        own, *others = dict.fromkeys(Path(os.path.realpath(folder)) for folder in (root, bundled) if folder is not None)
        self.roots = (own, *others)  # the folder itself, and behind it the bundled files where there are any
        self._content_roots = (own,) if (own / "content").is_dir() else self.roots

    def read(self, path: str, limited_by: str = "text-file") -> bytes:
        """Return a file's bytes, no more than the limit of its kind allows.

        Raises `Refused`: `missing-file` where there is none; `outside-workspace` for absolute paths, `..` and links
        that lead out; `not-a-file` for folders, pipes and devices; `file-too-large`; `unreadable-file`.
        """
        _refuse_odd_names(path)
        for root in self._roots_of(path):
            try:
                real = Path(os.path.realpath(root / path))
                if not real.is_relative_to(root):
                    raise Refused("outside-workspace", f"{path!r} leads out of the workspace", "copy the file into it")
                with _only_regular(_open_inside(root, real), path) as file:
                    return _read_at_most(file, path, limited_by)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                reason = (error.strerror or "it cannot be opened").lower()
                raise Refused("unreadable-file", f"cannot read {path!r}: {reason}", "check the file") from error
        alike = self.alike(path)
        fix = "check the name and the folder" if alike is None else f"the file is called {alike!r}: write it like that"
        raise Refused("missing-file", f"there is no file {path!r}", fix)

    def alike(self, path: str) -> str | None:
        """Return the file whose name differs only in capitals or in the encoding of accents, or None.

        Some systems find a file by either name and others do not, so a game that has it wrong is broken elsewhere.
        """
        folder, _, wanted = path.rpartition("/")
        try:
            names = [file.rpartition("/")[2] for file in self.files(folder, "")]
        except Refused:
            return None
        folded = unicodedata.normalize("NFC", wanted).casefold()
        alike = (name for name in names if unicodedata.normalize("NFC", name).casefold() == folded and name != wanted)
        return next((f"{folder}/{name}" for name in alike), None)

    def read_all(self, path: str, limited_by: str = "text-file") -> list[bytes]:
        """Return the bytes of every file of that path, first the workspace's own, then the bundled one.

        For what is joined word by word instead of replaced. Raises `Refused` as `read` does, but for missing files.
        """
        contents = []
        for root in self._roots_of(path):
            if os.path.lexists(root / path):
                contents.append(Workspace(root).read(path, limited_by))
        return contents

    def has(self, path: str) -> bool:
        """Return whether anything exists at that path; `read` may still refuse its type or its content."""
        try:
            _refuse_odd_names(path)
        except Refused:
            return False
        return any(os.path.lexists(root / path) for root in self._roots_of(path))

    def files(self, folder: str, *suffixes: str) -> list[str]:
        """Return the paths of the files in a folder that end in one of the suffixes, sorted, bundled ones included.

        Pipes and broken links count as files: `read` says what is wrong with them. Raises `MachineError` for a folder
        with more entries than may be, or that may not be looked into.
        """
        return sorted(set(self._names(folder, suffixes, want_folders=False)))

    def folders(self, folder: str) -> list[str]:
        return sorted(set(self._names(folder, (), want_folders=True)))

    def add(self, answers: Mapping[str, str]) -> None:
        """Record the dependencies of another process: only `RecordingWorkspace` does."""

    @property
    def has_own_games(self) -> bool:
        return len(self._content_roots) == 1

    def games(self) -> list[str]:
        """Return the ids of the games: the folders of `content/` that hold a `game.yaml`.

        Also those that are meant as games and cannot be: reading them says what is wrong with their names or rights.
        """
        return [path.removeprefix("content/") for path in self.folders("content") if self._is_game(path)]

    def _is_game(self, folder: str) -> bool:
        file = f"{folder}/game.yaml"
        if self.has(file):
            return True
        places = [root / folder for root in self._content_roots if os.path.lexists(root / folder)]
        if any(not os.access(place, os.R_OK | os.X_OK) for place in places):
            return True
        is_there = any(os.path.lexists(place / name) for place in places for name in ("game.yaml", "game.yml"))
        return is_there or self.alike(file) is not None

    def _roots_of(self, path: str) -> tuple[Path, ...]:
        return self._content_roots if path.split("/", 1)[0] == "content" else self.roots

    def _names(self, folder: str, suffixes: tuple[str, ...], *, want_folders: bool) -> Iterator[str]:
        for root in self._roots_of(folder):
            for entry in _entries(root / folder, folder):
                if entry.name.startswith(".") or not (want_folders or entry.name.endswith(suffixes)):
                    continue
                if _is_folder(entry) == want_folders:
                    yield f"{folder}/{entry.name}"


def open_workspace(start: Path) -> Workspace:
    """Return the workspace of a folder: the nearest parent with a `content/`, else the folder itself, even empty."""
    root = next((folder for folder in (start, *start.parents) if (folder / "content").is_dir()), start)
    return Workspace(root, bundled_root())


def bundled_root() -> Path | None:
    """Return the folder with the bundled `content/`, `layouts/` and `fonts/`: in a wheel, or the source tree's top."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "bundled", package.parent.parent):
        if all((folder / name).is_dir() for name in ROOMS):
            return folder
    return None


def _refuse_odd_names(path: str) -> None:
    parts = path.split("/")
    if not path or path.startswith(("/", "~")) or any(part in ("", ".", "..") for part in parts) or _ODD.search(path):
        shown = path if len(path) <= 100 else path[:97] + "..."
        what = f"{shown!r} is not a plain path inside the workspace"
        raise Refused("outside-workspace", what, "write it as folder/file")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads in a circle
        return False


def _entries(place: Path, folder: str) -> Iterator[os.DirEntry[str]]:
    most = limit("folder-entries")
    try:
        with os.scandir(place) as entries:
            for number, entry in enumerate(entries):
                if number >= most:
                    what = f"{folder} holds more than {written(most)} files and folders"
                    raise MachineError(f"{what}; {how_to_raise('folder-entries')}")
                yield entry
    except PermissionError:
        fix = "give yourself the right to read it, or take it out of the workspace"
        raise MachineError(f"cannot look into {folder or place}: permission denied; {fix}") from None
    except OSError:
        return  # no such folder: it holds nothing for us


def read_plain_file(path: Path, limited_by: str) -> bytes:
    """Return the bytes of a file that the user named or that lies among the outputs; its type is checked.

    Raises `Refused`: `not-a-file` for pipes, devices and folders, which are never waited for, and `file-too-large`;
    `OSError` as opening and reading do.
    """
    with open_plain_file(path) as file:
        return _read_at_most(file, path.name, limited_by)


def read_named_table(root: Path, path: Path, limited_by: str = "sheet-file") -> bytes:
    """Return the bytes of a table that the user named, perhaps in a stranger's folder: no link leads out.

    Out of the workspace where the name is one inside of it, else out of the folder in which the file lies. Raises
    `Refused` (`outside-workspace`), and as `read_plain_file` does.
    """
    folder = path.absolute().parent
    plain, real = (folder, root.absolute()), (Path(os.path.realpath(folder)), Path(os.path.realpath(root)))
    is_own = any(Path(os.path.normpath(below)).is_relative_to(above) for below, above in (plain, real))
    around, file_path = real[is_own], Path(os.path.realpath(path))
    if not file_path.is_relative_to(around):
        what = f"{path.name!r} is a link that leads out of {'the workspace' if is_own else 'its folder'}"
        raise Refused("outside-workspace", what, "put a copy of the file there, or name the file that you mean")
    with _only_regular(_open_inside(around, file_path), path.name) as file:
        return _read_at_most(file, path.name, limited_by)


def open_plain_file(path: Path) -> BinaryIO:
    """Open a regular file for reading bytes. Raises `Refused` (`not-a-file`), and `OSError` as opening does."""
    return _only_regular(os.open(path, _FILE & ~getattr(os, "O_NOFOLLOW", 0)), str(path))


# O_NONBLOCK: opening a pipe nobody writes to would wait for ever.
_FILE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


def _only_regular(handle: int, path: str) -> BinaryIO:
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)  # `fdopen` would refuse a folder in other words
        raise Refused("not-a-file", f"{path!r} is not a regular file", "put a file there")
    return os.fdopen(handle, "rb")


def _read_at_most(file: BinaryIO, path: str, limited_by: str) -> bytes:
    most = limit(limited_by)
    data = file.read(most + 1)
    if len(data) > most:
        fix = f"make it smaller; {how_to_raise(limited_by)}"
        raise Refused("file-too-large", f"{path!r} is larger than {written(most)} bytes", fix)
    return data


def _open_inside(root: Path, real: Path) -> int:
    """Open a resolved path without following any link: a link swapped in since then is refused."""
    if os.open not in os.supports_dir_fd:  # Windows, where making links takes rights that strangers do not have
        handle = os.open(real, _FILE)
        if Path(os.path.realpath(real)) != real:
            os.close(handle)
            raise FileNotFoundError(real)
        return handle
    *folders, name = real.relative_to(root).parts or (".",)
    above = os.open(root, _FOLDER)
    try:
        for folder in folders:
            inner = os.open(folder, _FOLDER, dir_fd=above)
            os.close(above)
            above = inner
        return os.open(name, _FILE, dir_fd=above)
    finally:
        os.close(above)
