"""A game as its files are now, to be printed from for hours, or elsewhere: what is edited meanwhile is in no copy."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from duckpress.files.workspace import ROOMS, Refused, Workspace, bundled_root

_LIMIT = "art-file"  # of the largest kind; who reads a file of another kind holds it to its own


def game_files(workspace: Workspace, game_id: str) -> dict[str, bytes]:
    """Return the files of a game's folder, and the layouts and fonts of its workspace; those that are bundled stay out.

    What may not be read is left out: who checked the game has told of it.
    """
    own = Workspace(workspace.roots[0])
    files: dict[str, bytes] = {}
    for folder in (f"content/{game_id}", *ROOMS[1:]):
        for path in _below(own, folder):
            with suppress(Refused):
                files[path] = own.read(path, _LIMIT)
    return files


def _below(workspace: Workspace, folder: str) -> Iterator[str]:
    yield from workspace.files(folder, "")
    for inner in workspace.folders(folder):
        yield from _below(workspace, inner)


def key_of(files: Mapping[str, bytes]) -> str:
    """Return the hash of files with their names."""
    whole = hashlib.sha256()
    for path, data in sorted(files.items()):
        whole.update(f"{path}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
        whole.update(data)
    return whole.hexdigest()


def unpacked(files: Mapping[str, bytes], folder: Path) -> Workspace:
    """Write files below an empty folder, and return it as a workspace, with the bundled files behind it."""
    for path, data in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return Workspace(folder, bundled_root())
