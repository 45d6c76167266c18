"""The releases of a game that its workspace holds: lock files in `content/<game>/releases/`."""

from __future__ import annotations

from duckpress.problems import Problem, Source
from duckpress.releases import Lock, read_lock
from duckpress.workspace import Refused, Workspace

FOLDER = "releases"
SUFFIX = ".lock"


def releases_of(workspace: Workspace, game_id: str) -> dict[str, str]:
    """Give the lock files of a game by version, the oldest first."""
    paths = workspace.files(f"content/{game_id}/{FOLDER}", SUFFIX)
    found = {path.rpartition("/")[2].removesuffix(SUFFIX): path for path in paths}
    return dict(sorted(found.items(), key=lambda item: _in_order(item[0])))


def _in_order(version: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in version.split("."))


def newest_release(workspace: Workspace, game_id: str, problems: list[Problem]) -> Lock | None:
    """Give the newest release of a game, or None where there is none (or it cannot be read: a problem says why)."""
    releases = releases_of(workspace, game_id)
    return read_release(workspace, next(reversed(releases.values())), problems) if releases else None


def read_release(workspace: Workspace, path: str, problems: list[Problem]) -> Lock | None:
    """Give the release of a lock file, or None after reporting why it cannot be read."""
    source = Source(path)
    try:
        data = workspace.read(path, "lock-file")
    except Refused as refused:
        problems.append(refused.problem(source))
        return None
    return read_lock(data, source, problems)
