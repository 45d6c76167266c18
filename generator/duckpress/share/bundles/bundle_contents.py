"""What goes into a bundle, as values: the printed files, the update packs, and all of its files by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field

from duckpress.releases.changes import Changes

FORMAT = 1
MANIFEST = "manifest.json"
SUMS = "SHA256SUMS"
FORM = "feedback"
"""The id of the piece that testers fill in; it gets a file of its own."""


class PrintedFile(NamedTuple):
    """A PDF of a bundle: its name in it, what it shows and how, and how much paper it takes."""

    name: str
    piece: str
    paper: str
    backs: str
    ink: str
    language: str
    pages: int
    sheets: int


class PackedUpdate(Struct, frozen=True):
    """An update pack in a bundle: its folder, and how the cards are printed that it is for."""

    folder: str
    language: str
    backs: str
    ink: str


class Contents(Struct):
    """What goes into a bundle: files by name, and what is known of the PDFs and of the update packs."""

    files: dict[str, bytes] = field(default_factory=dict)
    printed: list[PrintedFile] = field(default_factory=list)
    cards: list[dict[str, Any]] = field(default_factory=list)
    changes: Changes | None = None
    updates: list[PackedUpdate] = field(default_factory=list)
    lock: str = ""


def sums_of(digests: Mapping[str, str]) -> bytes:
    """Return the list of checksums of files by name, as `sha256sum -c` reads it."""
    return "".join(f"{digests[name]}  {name}\n" for name in sorted(digests)).encode()
