"""The process that serves browsers, as the session sees it: started, told what there is, asked what is wanted."""

from __future__ import annotations

import signal
import subprocess
from typing import IO, TypeVar, cast

import msgspec

from duckpress.core.problems import MachineError
from duckpress.live.exchange import ENDED, Begin, Begun, Stocked, WantedNames
from duckpress.pool.messages import received, send, written
from duckpress.pool.spawned import own_python

_KILL = int(getattr(signal, "SIGKILL", signal.SIGTERM))
_Said = TypeVar("_Said")


class PageProcess:
    """Starts while this process imports what lays games out; `begun` waits until it serves."""

    def __init__(self, begin: Begin) -> None:
        windows = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        self._process = subprocess.Popen(
            own_python(
                f"from duckpress.pool.spawned import end_with_parent; end_with_parent({_KILL}); "
                "from duckpress.live.web_process import serve_session; serve_session()"
            ),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, creationflags=windows,
            process_group=0,  # Ctrl-C is for the session; this one ends with it
        )  # fmt: skip
        self._input = cast(IO[bytes], self._process.stdin).fileno()
        self._messages = received(cast(IO[bytes], self._process.stdout).fileno())
        self._say(begin)

    def begun(self, wanted: int) -> int:
        """Return the port that it serves. Raises `MachineError` where the port that was wanted cannot be had."""
        begun = self._hear(Begun)
        if begun.failed:
            raise MachineError(f"cannot serve the page at port {wanted}: {begun.failed.lower()}; name another --port")
        return begun.port

    def exchange(self, stocked: Stocked) -> list[str]:
        """Say what was made, and return what is asked for. Raises `MachineError` where the process has ended."""
        self._say(stocked)
        return self._hear(WantedNames).names

    def close(self) -> None:
        """End it, whatever it is at."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            cast(IO[bytes], pipe).close()
        self._process.wait()

    def _say(self, record: object) -> None:
        try:
            send(self._input, written(record))
        except OSError:
            raise MachineError(ENDED) from None

    def _hear(self, kind: type[_Said]) -> _Said:
        message = next(self._messages, None)
        if message is None:
            raise MachineError(ENDED)
        return msgspec.msgpack.decode(message, type=kind)
