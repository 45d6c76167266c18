"""A build's files and cards -> the folder of outputs: merged with what earlier builds left there, in one step."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from duckpress.core.problems import MachineError
from duckpress.store.keeping import build_manifest
from duckpress.store.manifest import CardFacts, Edition, FileFacts, Manifest, manifest_bytes, read_manifest
from duckpress.store.output_reader import is_as_written, read_whole
from duckpress.store.writing import LAST, Outputs, held_outputs


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

    For what is made in one go: see `publish_into`.
    """
    with held_outputs(folder, protected) as held:
        return publish_into(held, edition, outputs, cards)


def publish_into(
    held: Outputs,
    edition: Edition,
    outputs: Sequence[Output],
    cards: Sequence[CardFacts],
    run: str = "",
    beside: Mapping[str, bytes] | None = None,
    stale_beside: Collection[str] = (),
) -> Manifest:
    """Write a build's files and the manifest into a folder that is held, all or nothing, and give the manifest.

    Other files of the old manifest stay while they hold and are removed otherwise; the package says when. Files of a
    `run` of their own go into a folder of that name. What is written `beside` them, such as a packet, is named as seen
    from the folder held. Raises `MachineError`, with the folder as it was before.
    """
    before = f"{run}/" if run else ""
    old = _written_before(held.folder / run)
    manifest = build_manifest(edition, outputs, cards, old)
    kept = {entry["name"] for entry in manifest["files"]}
    stale = [before + entry["name"] for entry in old["files"] if entry["name"] not in kept] if old is not None else []
    files = {before + output.facts.name: output.data for output in outputs}
    held.write({**(beside or {}), **files, before + LAST: manifest_bytes(manifest)}, [*stale, *stale_beside])
    return manifest


def _written_before(folder: Path) -> Manifest | None:
    """Give the old manifest without the files that are gone or were changed by someone since."""
    path = folder / LAST
    if not os.path.lexists(path):
        return None
    try:
        manifest = read_manifest(read_whole(path))
    except OSError as error:
        raise MachineError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    if manifest is None:
        raise MachineError(f"{path} was not written by duckpress: move it away, or choose another folder with --out")
    manifest["files"] = [entry for entry in manifest["files"] if _is_ours(folder, entry["name"], entry["sha256"])]
    return manifest


def _is_ours(folder: Path, name: object, sha256: object) -> bool:
    # What is in a folder of the folder has a list of its own.
    is_said = isinstance(name, str) and isinstance(sha256, str) and "/" not in name
    return is_said and is_as_written(folder, str(name), str(sha256))
