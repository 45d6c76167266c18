"""The dependencies of copies' files: a game's current files, and the program with its fonts and libraries.

An edition is printed for hours, or elsewhere: what is edited meanwhile is in no copy.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import duckpress
from duckpress import __version__
from duckpress.files.workspace import ROOMS, Refused, Workspace, bundled_root

_LIBRARIES = (
    "deflate", "jinja2", "msgspec", "pikepdf", "pillow", "pyphen", "reportlab", "resvg_py", "segno", "uharfbuzz",
)  # fmt: skip
_LIMIT = "art-file"  # of the largest kind; who reads a file of another kind holds it to its own


def game_files(workspace: Workspace, game_id: str) -> dict[str, bytes]:
    """Return the files of a game's folder, and its workspace's layouts and fonts, without bundled files.

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
    """Write files below an empty folder, and return it as a workspace, followed by the bundled files."""
    for path, data in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return Workspace(folder, bundled_root())


def program_parts() -> dict[str, str]:
    """Return the parts of this program by name, each with its version or hash."""
    package, bundled = Path(duckpress.__file__).resolve().parent, bundled_root()
    parts = {
        "program": f"duckpress {__version__}",
        "modules": _hash(package, "*.py"),
        "Python": f"{sys.version_info[0]}.{sys.version_info[1]}",
    }
    for room in ("layouts", "fonts"):
        parts[room] = "none" if bundled is None else _hash(bundled / room, "*")
    return parts | {name: metadata.version(name) for name in _LIBRARIES}


def differing_parts(own: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """Return words for the parts in which another program differs from this one; empty if there are none."""
    if own["program"] != theirs.get("program"):
        return f"{theirs.get('program')} where {own['program']} is asked for"
    parts = [(name, part) for name, part in own.items() if theirs.get(name) != part]
    return ", ".join(
        f"other {name}" if len(part) > 40 else f"{name} {theirs.get(name)} where {part} is asked for"  # 40: a hash
        for name, part in parts
    )


def _hash(folder: Path, pattern: str) -> str:
    whole = hashlib.sha256()
    for path in sorted(path for path in folder.rglob(pattern) if path.is_file() and "__pycache__" not in path.parts):
        whole.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
