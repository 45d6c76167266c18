"""Shards made by the workers of an existing Dask cluster: pure tasks, a few of them in flight.

The game goes to each worker once, as its files, also to workers that come later. A task is a shard, and depends on
nothing but that and the game: a worker that is lost costs time, as what it was at, and what nobody has fetched from it,
is made again. Each thread of a worker has a process of its own beside it, which has no threads and so may lay out in
closed workers, as everywhere. Whoever reaches a cluster runs what they like there: it is as trusted as the person who
names it.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from distributed import Client, as_completed, get_worker
from distributed.diagnostics.plugin import WorkerPlugin
from msgspec import Struct

from duckpress.core.limits import settings, use
from duckpress.core.problems import MachineError
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.pool import Done, Handle, ProcessPool, Work, use_jobs
from duckpress.share.editions.inputs import differing_parts, program_parts, unpacked
from duckpress.share.editions.shards import (
    MANIFEST,
    EditionJob,
    Shard,
    ShardMaker,
    ShardManifest,
    stale_files,
    write_shard,
)
from duckpress.store import write_outputs

AHEAD = 2
"""Shards in flight for each thread of the cluster: the next one is there when one is done."""

_RETRIES = 3
_CONNECT_S = "20s"
_encode = msgspec.msgpack.encode


class ShardWork(Struct, frozen=True):
    """The data of a worker process: the edition, the folder with the files of its game, and the limits.

    `into` is the folder of the edition where it writes the shards itself; empty: it hands them back.
    """

    job: EditionJob
    workspace: str
    limits: dict[str, int]
    into: str = ""


class MadeShard(NamedTuple):
    """A finished shard: its manifest and its files (none if they are written already)."""

    manifest: ShardManifest
    files: dict[str, bytes]


class EditionPlugin(WorkerPlugin):
    """The state of a cluster worker: the game in its own folder, and free processes."""

    def __init__(self, name: str, work: ShardWork, files: Mapping[str, bytes], parts: Mapping[str, str]) -> None:
        self.name = name
        self._work, self._files, self._parts = _encode(work), dict(files), dict(parts)

    def setup(self, worker: Any) -> None:
        self._folder = Path(worker.local_directory) / self.name
        shutil.rmtree(self._folder, ignore_errors=True)
        unpacked(self._files, self._folder)
        work = msgspec.msgpack.decode(self._work, type=ShardWork)
        self._ready = msgspec.structs.replace(work, workspace=str(self._folder))
        self._free: list[ProcessPool[Shard, MadeShard]] = []
        self._lock = threading.Lock()
        self._wrong = differing_parts(self._parts, program_parts())

    def teardown(self, worker: Any) -> None:  # noqa: ARG002
        for process in self._free:
            process.__exit__()
        shutil.rmtree(self._folder, ignore_errors=True)

    def make(self, shard: Shard) -> MadeShard:
        """Return a shard made by a free process, or by a new one."""
        if self._wrong:
            raise MachineError(f"this worker has {self._wrong}")
        with self._lock:
            process = self._free.pop() if self._free else shard_process(self._ready)
        try:
            finished = make_in(process, shard)
        except BaseException:
            process.__exit__()
            raise
        with self._lock:
            self._free.append(process)
        return finished


def shard_process(work: ShardWork) -> ProcessPool[Shard, MadeShard]:
    return ProcessPool(Work(_shard_handle, work, Shard, MadeShard, is_trusted=True), 1, method="spawn")


def make_in(process: ProcessPool[Shard, MadeShard], shard: Shard) -> MadeShard:
    """Return a shard made by a process. Raises `MachineError` if the process is lost, else its own errors."""
    process.add([shard])
    (event,) = process.events()
    if not isinstance(event, Done):
        raise MachineError(f"the process that made {shard.folder} is gone: {event.words or event.why}")
    return event.result


def _shard_handle(work: ShardWork) -> Handle[Shard, MadeShard]:
    """Return the function that makes shards, in a process of its own."""
    use(work.limits)
    use_jobs(1)
    maker = ShardMaker(Workspace(Path(work.workspace), bundled_root()), work.job)

    def make(shard: Shard, _note: object) -> MadeShard:
        if work.into:
            return MadeShard(write_shard(maker, Path(work.into), shard), {})
        files: dict[str, bytes] = {}
        return MadeShard(maker.make(shard, files.update), files)

    return make


def make_shard(plugin: str, shard: bytes) -> bytes:
    """Return a finished shard as bytes: the task of a cluster worker."""
    return _encode(get_worker().plugins[plugin].make(msgspec.msgpack.decode(shard, type=Shard)))


def print_on_cluster(
    address: str, job: EditionJob, files: Mapping[str, bytes], folder: Path, shards: Sequence[Shard], *, is_shared: bool
) -> Iterator[ShardManifest]:
    """Yield the manifests of shards written to the folder; if it `is_shared`, workers write there themselves.

    Raises `MachineError` where the cluster cannot be reached, has no workers, or its workers are not as this program.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # a worker that is lost is nothing to be told of
    try:
        connected = Client(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise MachineError(f"cannot reach the cluster at {address}: {error or 'nobody answers'}") from None
    with connected as client:
        parts = program_parts()
        _refuse_others(client, parts)
        name = f"duckpress-{job.identity[:16]}"
        work = ShardWork(job, "", dict(settings()), str(folder.resolve()) if is_shared else "")
        client.register_plugin(EditionPlugin(name, work, files, parts))
        try:
            for manifest, made in _finished_shards(client, name, shards):
                if not is_shared:
                    place, written = folder / manifest.folder, {**made, MANIFEST: manifest.written()}
                    write_outputs(place, written, stale_files(place, list(made)))
                yield manifest
        finally:
            client.unregister_worker_plugin(name)


def _refuse_others(client: Client, parts: Mapping[str, str]) -> None:
    """Raise `MachineError` if there are no workers, or if some would make different bytes."""
    parts_of: dict[str, dict[str, str]] = client.run(_probe())
    if not parts_of:
        raise MachineError("the cluster has no workers: start some with `dask worker`")
    wrong = {worker: differing_parts(parts, theirs) for worker, theirs in parts_of.items()}
    differing = [f"{worker} has {words}" for worker, words in sorted(wrong.items()) if words]
    if differing:
        what = "; ".join(differing)
        raise MachineError(f"workers of the cluster are not as this program: {what}; install the same there")


def _probe() -> Callable[[], dict[str, str]]:
    """Return the function that returns the parts of a worker's program; it must not need the program itself."""

    def probe() -> dict[str, str]:
        try:
            from duckpress.share.editions.inputs import program_parts
        except ImportError as error:
            return {"program": f"none ({error})"}
        return program_parts()

    return probe


def _finished_shards(client: Client, plugin: str, shards: Sequence[Shard]) -> Iterator[MadeShard]:
    """Yield shards in order of completion, a bounded number of them in flight."""
    threads = sum(client.nthreads().values())
    left = iter(shards)

    def submitted(shard: Shard) -> Any:
        return client.submit(make_shard, plugin, _encode(shard), pure=False, retries=_RETRIES)

    flying = as_completed(map(submitted, islice(left, max(1, AHEAD * threads))), loop=client.loop)
    for future in flying:
        try:
            finished = msgspec.msgpack.decode(future.result(), type=MadeShard)
        except Exception as error:
            raise MachineError(f"the cluster could not make a shard: {error}") from error
        future.release()
        for shard in islice(left, 1):
            flying.add(submitted(shard))
        yield finished
