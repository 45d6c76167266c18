"""The valid places for outputs, never among sources nor through a game's link; and checks of existing outputs."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import stat
import unicodedata
from collections.abc import Iterable, Sequence
from io import BufferedReader
from pathlib import Path, PurePosixPath

from duckpress.core.problems import MachineError

OUTPUT = "output"  # the folder of a workspace that outputs go to, unless another is asked for
_SOURCES = ("content", "layouts", "fonts")
_MOST_PARTS = 4  # of a name: a folder of a kind of outputs, two folders in it, the file
_MOST_LETTERS = 255  # of a part, in bytes: what file systems take
_DEVICES = frozenset(("con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(1, 10))))
# Source: Microsoft, "Naming Files, Paths, and Namespaces": these name devices there, whatever suffix they have.
PLAIN = 0  # how a file is opened that may be anything: without O_NONBLOCK a pipe would be waited for
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    PLAIN |= getattr(os, _name, 0)
_MOST_BYTES = 1_000_000_000  # far more than was ever written: what is larger was not written here


def sources_of(root: Path) -> list[Path]:
    """Return the folders of a workspace with its sources: no output ever goes into them."""
    return [root / name for name in _SOURCES]


def outputs_of(root: Path, out: Path | None) -> Path:
    """Return the folder for all outputs: the chosen one, or the workspace's `output/`.

    Who names a folder knows where it is. But a workspace may come from a stranger, so its own `output/` has to lie in
    it: raises `MachineError` where it is a link that leads out.
    """
    if out is not None:
        return out
    folder = root / OUTPUT
    real = os.path.realpath(folder)
    if not Path(real).is_relative_to(os.path.realpath(root)):
        raise MachineError(f"{folder} leads out of the workspace, to {real}: if you mean that folder, say --out {real}")
    return folder


def refuse_sources(folder: Path, protected: Sequence[Path]) -> None:
    """Raise `MachineError` if a folder lies in a protected one."""
    real = Path(os.path.realpath(folder))
    for sources in protected:
        if real.is_relative_to(os.path.realpath(sources)):
            raise MachineError(f"{folder} lies in {sources}, which holds sources: choose another folder for the output")


def refuse_names(folder: Path, names: Iterable[str]) -> None:
    """Raise `MachineError` for a name that is invalid on some system, leads elsewhere, or is a twin."""
    seen: dict[str, str] = {}
    folders: set[str] = set()
    for name in names:
        if not is_plain_name(name):
            raise MachineError(f"{name!r} cannot be the name of a file: rename the game or the piece")
        twin = seen.setdefault(unicodedata.normalize("NFC", name).casefold(), name)
        if twin != name:
            raise MachineError(
                f"{twin!r} and {name!r} are one file on many disks: rename one of the pieces or cards they are made of"
            )
        inner = name.rpartition("/")[0]
        if inner not in folders:
            folders.add(inner)
            _refuse_folders(folder, name, inner)
        place = os.path.join(folder, name)  # noqa: PTH118 (there may be thousands)
        if os.path.isdir(place) and not os.path.islink(place):  # noqa: PTH112, PTH114
            raise MachineError(f"cannot write {folder / name}: there is a folder of that name; move it away")


def _refuse_folders(folder: Path, name: str, inner: str) -> None:
    """Raise `MachineError` if a folder in a file's path leads elsewhere or is no folder."""
    place = folder
    for part in filter(None, inner.split("/")):
        place /= part
        if place.is_symlink():
            raise MachineError(f"cannot write {folder / name}: {part!r} leads elsewhere; move it away")
        if os.path.lexists(place) and not place.is_dir():
            raise MachineError(f"cannot write {folder / name}: {part!r} is a file, not a folder; move it away")


def is_plain_name(name: str) -> bool:
    """Return whether a name, with `/` between its parts, stays inside its folder and is valid on every system."""
    parts = name.split("/")
    return len(parts) <= _MOST_PARTS and all(map(_is_plain_part, parts))


def _is_plain_part(part: str) -> bool:
    return (
        part != ""
        and part.isprintable()
        and not part.startswith(".")
        and part[-1] not in ". "
        and not any(letter in part for letter in '\\:*?"<>|')
        and part.partition(".")[0].rstrip().casefold() not in _DEVICES
        and len(part.encode("utf-8", "surrogateescape")) <= _MOST_LETTERS
    )


def make_folders(folder: Path) -> list[Path]:
    """Create a folder with its parents, and return the new ones, the outermost first."""
    missing = []
    place = folder
    while not place.is_dir() and place != place.parent:
        missing.append(place)
        place = place.parent
    new_folders = []
    for place in reversed(missing):
        with contextlib.suppress(FileExistsError):
            place.mkdir()
            new_folders.append(place)
    if not folder.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    return new_folders


def remove(place: Path) -> None:
    """Remove a folder with its content; of a link only the link."""
    if place.is_symlink() or (place.exists() and not place.is_dir()):
        place.unlink()
    elif place.exists():
        shutil.rmtree(place)


def read_whole(path: Path, most: int = 64_000_000) -> bytes:
    """Return a file's bytes; raises `OSError` for links, pipes, folders, and files of more than `most` bytes."""
    with _opened(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, "it is too large to have been written by duckpress", str(path))
    return data


def is_as_written(folder: Path, name: str, sha256: str) -> bool:
    """Return whether a file named in a manifest exists in its folder with this hash.

    A name that leads elsewhere was not written here; what it points at is none of our business.
    """
    if not is_plain_name(name):
        return False
    if any((folder / inner).is_symlink() for inner in PurePosixPath(name).parents[:-1]):
        return False
    try:
        with _opened(folder / name) as file:
            is_ours = os.fstat(file.fileno()).st_size <= _MOST_BYTES
            return is_ours and hashlib.file_digest(file, "sha256").hexdigest() == sha256
    except OSError:
        return False


def _opened(path: Path) -> BufferedReader:
    handle = os.open(path, os.O_RDONLY | PLAIN)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)  # `fdopen` would not close a folder
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return os.fdopen(handle, "rb")
