"""A build's files and cards -> the folder of outputs: merged with what earlier builds left there, in one step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from duckpress.export.manifest import (
    CardFacts,
    Edition,
    FileFacts,
    Manifest,
    build_manifest,
    digest,
    manifest_bytes,
    read_manifest,
)
from duckpress.export.writing import LAST, folder_of_outputs, replace_files
from duckpress.problems import MachineError


class Output(NamedTuple):
    """A finished file: what it is, and its bytes."""

    facts: FileFacts
    data: bytes


def publish(
    folder: Path,
    edition: Edition,
    outputs: Sequence[Output],
    cards: Sequence[CardFacts],
    protected: Sequence[Path] = (),
) -> Manifest:
    """Write a build's files and the manifest into a folder, all or nothing, and give the manifest.

    Other files of the old manifest stay while they hold and are removed otherwise; the package says when. `protected`
    folders (the sources) are never written to. Raises `MachineError`, with the folder as it was before.
    """
    with folder_of_outputs(folder, protected):
        old = _written_before(folder)
        manifest = build_manifest(edition, outputs, cards, old)
        kept = {entry["name"] for entry in manifest["files"]}
        stale = [entry["name"] for entry in old["files"] if entry["name"] not in kept] if old is not None else []
        files = {output.facts.name: output.data for output in outputs}
        replace_files(folder, {**files, LAST: manifest_bytes(manifest)}, stale)
    return manifest


def _written_before(folder: Path) -> Manifest | None:
    """Give the old manifest without the files that are gone or were changed by someone since."""
    path = folder / LAST
    if not path.exists():
        return None
    try:
        manifest = read_manifest(path.read_bytes())
    except OSError as error:
        raise MachineError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    if manifest is None:
        raise MachineError(f"{path} was not written by duckpress: move it away, or choose another folder with --out")
    manifest["files"] = [entry for entry in manifest["files"] if _is_as_written(folder, entry["name"], entry["sha256"])]
    return manifest


def _is_as_written(folder: Path, name: str, sha256: str) -> bool:
    # A name with a folder in it was not written here; what it points at is none of our business.
    path = folder / name
    if Path(name).name != name or path.is_symlink() or not path.is_file():
        return False
    try:
        return digest(path.read_bytes()) == sha256
    except OSError:
        return False
