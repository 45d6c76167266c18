"""The cache of a workspace: results of earlier builds, sealed, in a folder that may be deleted at any time.

An entry is used only if it bears the seal of this person's own key, which lies with the person's settings and never in
a workspace. So an entry that was damaged, cut off, renamed, or written by anybody else (in a shared folder, in an
archive that was unpacked) is as good as none. The seal is an HMAC with SHA-256 over the entry's name and its bytes;
what is sealed is JSON, which is data and nothing else.

Nothing here ever fails a build: a cache that cannot be read or written is no cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import sys
from pathlib import Path

import duckpress
from duckpress.core.limits import limit
from duckpress.core.limits import settings as limits_set
from duckpress.files.workspace import Workspace
from duckpress.store.file_writing import Busy, locked_file, write_all
from duckpress.store.output_places import read_whole

FOLDER = ".duckpress-cache"
KEY_FILE = "cache.key"
VARIABLE = "DUCKPRESS_CACHE"  # of the environment: another folder for the cache, or `off`
_MAGIC = b"duckpress cache 1\n"
_SEAL_BYTES = 32
_NEW = ".duckpress-new"
_TAG_FILE = "CACHEDIR.TAG"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by duckpress; may be deleted at any time.\n"


class Cache:
    """A folder of sealed entries by name; with a folder or key of None it is off: always empty."""

    def __init__(self, folder: Path | None, key: bytes | None, most_bytes: int | None = None) -> None:
        self._folder = folder if key is not None else None
        self._key = key or b""
        self._most_bytes = limit("cache-all") if most_bytes is None else most_bytes

    @property
    def is_off(self) -> bool:
        return self._folder is None

    def read(self, name: str) -> bytes:
        """Return an entry as it was written; empty if there is none with a valid seal."""
        if self._folder is None:
            return b""
        try:
            data = read_whole(self._folder / name, limit("cache-entry"))
        except OSError:
            return b""
        start = len(_MAGIC) + _SEAL_BYTES
        seal, body = data[len(_MAGIC) : start], data[start:]
        if not data.startswith(_MAGIC) or not hmac.compare_digest(seal, self._seal(name, body)):
            return b""
        return body

    def write(self, name: str, body: bytes) -> None:
        """Write an entry atomically: a build that reads at the same time sees the old entry or the new one."""
        if self._folder is None or len(_MAGIC) + _SEAL_BYTES + len(body) > limit("cache-entry"):
            return
        path = self._folder / (name + _NEW)
        with contextlib.suppress(OSError, Busy):  # where another build is writing this entry, it is as good
            self._make_folder()
            with locked_file(path) as handle:
                os.ftruncate(handle, 0)
                write_all(handle, _MAGIC + self._seal(name, body))
                write_all(handle, body)
                path.replace(self._folder / name)
            self._drop_oldest()

    def touch(self, name: str) -> None:
        """Mark an entry as used now, so that older entries are dropped first."""
        if self._folder is not None:
            with contextlib.suppress(OSError):
                os.utime(self._folder / name)

    def _seal(self, name: str, body: bytes) -> bytes:
        seal = hmac.new(self._key, name.encode() + b"\0", hashlib.sha256)
        seal.update(body)
        return seal.digest()

    def _make_folder(self) -> None:
        assert self._folder is not None
        if not os.path.lexists(self._folder / _TAG_FILE):
            self._folder.mkdir(parents=True, exist_ok=True)
            for name, text in ((".gitignore", "*\n"), (_TAG_FILE, _TAG)):
                # Only where there is none: a folder that came with a game may hold links of these names.
                with contextlib.suppress(FileExistsError), (self._folder / name).open("x", encoding="utf-8") as file:
                    file.write(text)

    def _drop_oldest(self) -> None:
        """Remove leftovers of killed builds, and the oldest entries above the size limit."""
        assert self._folder is not None
        entries = []
        for entry in list(os.scandir(self._folder)):
            with contextlib.suppress(OSError, Busy):
                about = entry.stat(follow_symlinks=False)
                if not entry.is_file(follow_symlinks=False):
                    continue
                if entry.name.endswith(_NEW):
                    with locked_file(Path(entry.path)):
                        pass  # that removes it
                else:
                    entries.append((about.st_mtime_ns, about.st_size, entry.path))
        left = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if left <= self._most_bytes:
                return
            with contextlib.suppress(OSError):
                with Path(path).open("rb") as file:
                    is_entry = file.read(len(_MAGIC)) == _MAGIC
                if is_entry:  # the folder may be one that holds other things, too
                    Path(path).unlink()
                    left -= size


def cache_of(workspace: Workspace, settings: Path) -> Cache:
    """Return the cache of a workspace, sealed with the key in the user's settings folder, created if missing.

    Where those settings lie in the workspace itself, the key may have come with it, and there is no cache.
    """
    setting = os.environ.get(VARIABLE, "")
    if setting == "off" or settings.resolve().is_relative_to(workspace.roots[0]):
        return Cache(None, None)
    folder = Path(setting) if setting else workspace.root / FOLDER
    if not setting and folder.is_symlink():
        return Cache(None, None)  # it may have come with the workspace, to have other folders written into
    return Cache(folder, _own_key(settings))


def _own_key(settings: Path) -> bytes | None:
    """Return the user's key; None if there is none and none can be stored."""
    path, aside = settings / KEY_FILE, settings / (KEY_FILE + _NEW)
    key = _key_in(path)
    if key is not None or not settings.is_absolute():  # a relative one: nobody knows where this person's home is
        return key
    try:
        settings.mkdir(parents=True, exist_ok=True)
        with locked_file(aside, 0o600) as handle:
            key = _key_in(path)  # of two runs that make one at the same time, both take the one that is there
            if key is None:
                os.ftruncate(handle, 0)
                write_all(handle, os.urandom(_SEAL_BYTES))
                aside.replace(path)
                key = _key_in(path)
    except (OSError, Busy):
        return None
    return key


def _key_in(path: Path) -> bytes | None:
    try:
        key = path.read_bytes()
    except OSError:
        return None
    return key if len(key) == _SEAL_BYTES else None


def program_identity() -> str:
    """Return the hash of everything that determines the program's results: modules, Python, libraries, limits."""
    identity = hashlib.sha256(f"{sys.version} {sys.platform} {sorted(limits_set().items())}".encode())
    package = Path(duckpress.__file__).resolve().parent
    paths: list[str] = []
    for inner, folders, names in os.walk(package):
        folders[:] = [name for name in folders if name not in ("__pycache__", "bundled")]
        paths += [os.path.join(inner, name) for name in names if name.endswith(".py")]  # noqa: PTH118 (many of them)
    for path in sorted(paths):
        identity.update(path.encode())
        identity.update(Path(path).read_bytes())
    for folder in sys.path:
        with contextlib.suppress(OSError):
            packages = (entry.name for entry in os.scandir(folder or "."))
            identity.update("\n".join(sorted(name for name in packages if name.endswith(".dist-info"))).encode())
    return identity.hexdigest()
