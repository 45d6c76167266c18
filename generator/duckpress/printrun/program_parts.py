"""What decides the bytes that a program writes: itself, what comes with it, and the libraries that it is built on."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

import duckpress
from duckpress import __version__
from duckpress.files.workspace import bundled_root

_LIBRARIES = (
    "deflate",
    "jinja2",
    "msgspec",
    "pikepdf",
    "pillow",
    "pyphen",
    "reportlab",
    "resvg_py",
    "segno",
    "uharfbuzz",
)


def program_parts() -> dict[str, str]:
    """Return the parts of this program by what they are called, each with what tells it from another."""
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
    """Return words for the parts in which another program differs from this one; empty where it does not."""
    return ", ".join(_words(own, theirs))


def _words(own: Mapping[str, str], theirs: Mapping[str, str]) -> Iterator[str]:
    if own["program"] != theirs.get("program"):
        yield f"{theirs.get('program')} where {own['program']} is asked for"
        return
    for name, part in own.items():
        if theirs.get(name) != part:
            is_hash = len(part) > 40
            yield f"other {name}" if is_hash else f"{name} {theirs.get(name)} where {part} is asked for"


def _hash(folder: Path, pattern: str) -> str:
    whole = hashlib.sha256()
    for path in sorted(path for path in folder.rglob(pattern) if path.is_file() and "__pycache__" not in path.parts):
        whole.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
