"""The releases of a game that its workspace holds: lock files in `content/<game>/releases/`."""

from __future__ import annotations

from duckpress.core.problems import Problem, Source
from duckpress.files.workspace import Refused, Workspace
from duckpress.releases import Lock, read_lock

FOLDER = "releases"
SUFFIX = ".lock"


def releases_of(workspace: Workspace, game_id: str) -> dict[str, str]:
    """Return the lock files of a game by version, the oldest first."""
    paths = workspace.files(f"content/{game_id}/{FOLDER}", SUFFIX)
    found = {path.rpartition("/")[2].removesuffix(SUFFIX): path for path in paths}
    return dict(sorted(found.items(), key=lambda item: _in_order(item[0])))


def path_of(game_id: str, version: str) -> str:
    """Return the lock file of a release, as seen from the workspace."""
    return f"content/{game_id}/{FOLDER}/{version}{SUFFIX}"


def _in_order(version: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in version.split("."))


def newest_release(workspace: Workspace, game_id: str, problems: list[Problem]) -> Lock | None:
    """Return the newest release of a game, or None where there is none (or it cannot be read: a problem says why)."""
    releases = releases_of(workspace, game_id)
    return read_release(workspace, next(reversed(releases.values())), problems) if releases else None


def read_release(workspace: Workspace, path: str, problems: list[Problem]) -> Lock | None:
    """Return the release of a lock file, or None after reporting why it cannot be read or that it is another's."""
    source = Source(path)
    try:
        data = workspace.read(path, "lock-file")
    except Refused as refused:
        problems.append(refused.problem(source))
        return None
    lock = read_lock(data, source, problems)
    if lock is not None and path != path_of(lock.game, lock.version):
        what = f"this is the lock of {lock.game[:40]} {lock.version[:40]}, not of the game and version of its place"
        fix = "take it back from version control; what somebody else holds is named with --since, wherever it lies"
        problems.append(Problem("bad-lock", source, what, fix))
        return None
    return lock
