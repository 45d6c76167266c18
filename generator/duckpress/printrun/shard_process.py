"""A process that makes shards for another one, which may have threads: it has none, so it lays out in closed workers.

Both sides speak in records, each behind its length, through the input and the output of the process. What it works with
comes first, then shard after shard; it ends when nothing more can come.
"""

from __future__ import annotations

import gc
import os
import subprocess
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import IO, cast

import msgspec
from msgspec import Struct

from duckpress.core.limits import use
from duckpress.core.problems import MachineError
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.pool import use_jobs
from duckpress.pool.messages import received, send
from duckpress.pool.spawned import own_python
from duckpress.printrun.shard_folders import write_shard
from duckpress.printrun.shards import EditionJob, Shard, ShardMaker, ShardManifest


class ShardWork(Struct, frozen=True):
    """What a process works with: the edition, the folder with the files of its game, and the limits that hold.

    `into` is the folder of the edition where it writes the shards itself; empty: it hands them back.
    """

    job: EditionJob
    workspace: str
    limits: dict[str, int]
    into: str = ""


class MadeShard(Struct, frozen=True):
    """A shard that was made: its manifest and its files (none where they were written); or why it was not."""

    manifest: ShardManifest | None = None
    files: dict[str, bytes] = {}
    failure: str = ""


_encode = msgspec.msgpack.Encoder().encode
_read_made = msgspec.msgpack.Decoder(MadeShard).decode


class ShardProcess:
    """Such a process, as the one sees it that it works for."""

    def __init__(self, work: ShardWork) -> None:
        command = own_python("from duckpress.printrun.shard_process import main; main()")
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self._tasks, answers = (cast(IO[bytes], pipe) for pipe in (self._process.stdin, self._process.stdout))
        self._answers = received(answers.fileno())
        send(self._tasks.fileno(), _encode(work))

    def make(self, shard: Shard) -> MadeShard:
        """Return a shard made. Raises `MachineError` where the process is gone, or the machine refuses something."""
        try:
            send(self._tasks.fileno(), _encode(shard))
            made = _read_made(next(self._answers))
        except (OSError, StopIteration, msgspec.MsgspecError) as error:
            self.end()
            raise MachineError(f"the process that made {shard.folder} is gone") from error
        if made.failure:
            raise MachineError(made.failure)
        return made

    def end(self) -> None:
        """Let it end at once."""
        self._process.kill()
        self._process.communicate()


def main() -> None:
    """Be the process."""
    gc.disable()
    tasks, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    coming = received(tasks)
    work = msgspec.msgpack.decode(next(coming), type=ShardWork)
    use(work.limits)
    use_jobs(1)
    maker: ShardMaker | None = None
    read = msgspec.msgpack.Decoder(Shard).decode
    for task in coming:
        try:
            maker = maker or ShardMaker(Workspace(Path(work.workspace), bundled_root()), work.job)
            made = _made(maker, read(task), work.into)
        except (MachineError, OSError, MemoryError) as error:
            made = MadeShard(failure=str(error) or type(error).__name__)
        except Exception:
            made = MadeShard(failure=traceback.format_exc())
        send(answers, _encode(made))


def _made(maker: ShardMaker, shard: Shard, into: str) -> MadeShard:
    if into:
        return MadeShard(write_shard(maker, Path(into), shard))
    files: dict[str, bytes] = {}

    def put(made: Mapping[str, bytes]) -> None:
        files.update(made)

    return MadeShard(maker.make(shard, put), files)
