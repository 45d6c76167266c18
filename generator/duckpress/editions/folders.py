"""Shards -> folders: written by several processes, each shard whole or not at all; and which of them stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from duckpress.editions.shards import EditionJob, Shard, ShardMaker, ShardManifest, read_shard_manifest
from duckpress.pool import Done, Handle, ProcessPool, Work, jobs, use_jobs
from duckpress.pool.process_pool import can_fork
from duckpress.store import clear_up, locked_outputs, write_outputs
from duckpress.store.output_places import read_whole

MANIFEST = "manifest.json"
_NAME = re.compile("[0-9]+-[0-9]+")
_MOST_BYTES = 100_000_000  # of a manifest


def standing_shards(
    folder: Path, job: EditionJob, shards: Sequence[Shard]
) -> Iterator[tuple[Shard, ShardManifest | None]]:
    """Yield shards with their manifests where all their files lie there, made of the same; None where they do not."""
    for shard in shards:
        clear_up(folder / shard.folder)
        manifest = _manifest(folder / shard.folder)
        is_same = manifest is not None and manifest.made_of == shard.made_of(job)
        if manifest is None or not is_same or any(copy.has_failed for copy in manifest.copies):
            yield shard, None
        else:
            yield shard, manifest if _has_files(folder / shard.folder, manifest) else None


def printed_ids(folder: Path) -> dict[int, str]:
    """Return the ids of the copies of an edition that lies in a folder, by their numbers."""
    places = sorted(path for path in folder.glob("*-*") if _NAME.fullmatch(path.name))
    manifests = filter(None, map(_manifest, places))
    return {copy.number: copy.id for manifest in manifests for copy in manifest.copies if not copy.has_failed}


def _manifest(folder: Path) -> ShardManifest | None:
    with suppress(OSError):
        return read_shard_manifest(read_whole(folder / MANIFEST, _MOST_BYTES))
    return None


def _has_files(folder: Path, manifest: ShardManifest) -> bool:
    """Return whether files are there, as large as they were written: a shard is never there in part."""
    files = [file for copy in manifest.copies for file in copy.files]
    try:
        return all((folder / file.name).stat().st_size == file.bytes or file.bytes is None for file in files)
    except OSError:
        return False


def withdraw(folder: Path, name: str) -> None:
    """Remove a shard of an earlier edition: the files that its manifest lists, and the folder if nothing is left."""
    manifest = _manifest(folder / name) if _NAME.fullmatch(name) else None
    if manifest is not None:
        write_outputs(folder / name, {}, [*manifest.files, MANIFEST])
        with suppress(OSError):
            (folder / name).rmdir()


def print_shards(maker: ShardMaker, folder: Path, shards: Sequence[Shard]) -> Iterator[ShardManifest]:
    """Yield the manifests of shards as they are written, by as many processes as may work.

    A shard whose process is lost is made once more, here. Raises `MachineError`.
    """
    count = min(jobs(), len(shards))
    if count < 2 or not can_fork():
        yield from (write_shard(maker, folder, shard) for shard in shards)
        return

    def make(_given: None) -> Handle[int, ShardManifest]:
        use_jobs(1)  # each lays out in one closed worker of its own
        return lambda at, _note: write_shard(maker, folder, shards[at])

    with ProcessPool(Work(make, None, int, ShardManifest, is_trusted=True), count, method="fork") as pool:
        pool.add(range(len(shards)))
        pool.start()
        for event in pool.events():
            yield event.result if isinstance(event, Done) else write_shard(maker, folder, shards[event.task])


def write_shard(maker: ShardMaker, folder: Path, shard: Shard) -> ShardManifest:
    """Make a shard in its folder, and return its manifest."""
    with locked_outputs(folder / shard.folder) as target:
        names: list[str] = []

        def put(files: Mapping[str, bytes]) -> None:
            target.stage(files)
            names.extend(files)

        manifest = maker.make(shard, put)
        target.write({MANIFEST: manifest.written()}, _stale(target.folder, names), names)
        return manifest


def put_shard(folder: Path, manifest: ShardManifest, files: Mapping[str, bytes]) -> None:
    """Write a shard that was made elsewhere into its folder."""
    place = folder / manifest.folder
    write_outputs(place, {**files, MANIFEST: manifest.written()}, _stale(place, list(files)))


def _stale(folder: Path, names: Sequence[str]) -> list[str]:
    """Return the files of the shard that was there and that this one does not have."""
    before = _manifest(folder)
    return [name for name in (before.files if before is not None else ()) if name not in names]
