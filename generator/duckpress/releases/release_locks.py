"""The releases of a game that its workspace holds: lock files in `content/<game>/releases/`."""

from __future__ import annotations

from duckpress.core.problems import Problem, Source
from duckpress.files.workspace import Refused, Workspace
from duckpress.releases import LockRead, read_lock

FOLDER = "releases"
SUFFIX = ".lock"


def releases_of(workspace: Workspace, game_id: str) -> dict[str, str]:
    """Return the lock files of a game by version, the oldest first."""
    paths = workspace.files(f"content/{game_id}/{FOLDER}", SUFFIX)
    by_version = {path.rpartition("/")[2].removesuffix(SUFFIX): path for path in paths}
    return dict(sorted(by_version.items(), key=lambda item: _in_order(item[0])))


def path_of(game_id: str, version: str) -> str:
    """Return the lock file of a release, as seen from the workspace."""
    return f"content/{game_id}/{FOLDER}/{version}{SUFFIX}"


def _in_order(version: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in version.split("."))


def newest_release(workspace: Workspace, game_id: str) -> LockRead:
    """Return the newest release of a game, if there is one."""
    releases = releases_of(workspace, game_id)
    return read_release(workspace, next(reversed(releases.values()))) if releases else LockRead(None)


def read_release(workspace: Workspace, path: str) -> LockRead:
    """Return the release of a lock file. Problems: why it cannot be read, or that it is another's."""
    source = Source(path)
    try:
        data = workspace.read(path, "lock-file")
    except Refused as refused:
        return LockRead(None, (refused.problem(source),))
    lock, problems = read_lock(data, source)
    if lock is not None and path != path_of(lock.game, lock.version):
        what = f"this is the lock of {lock.game[:40]} {lock.version[:40]}, not of the game and version of its place"
        fix = "take it back from version control; what somebody else holds is named with --since, wherever it lies"
        return LockRead(None, (Problem("bad-lock", source, what, fix),))
    return LockRead(lock, problems)
