"""The process that serves browsers: its work, and its start and messages from the session.

The two send each other records in MessagePack, in turns. The session speaks first: what it has made. The other answers
with the names that browsers ask for and that are not there, at once or as soon as there are any. So the session needs
no thread, can fork workers, and waits for browsers and files alike.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from pathlib import Path
from typing import IO, TypeVar, cast

import msgspec
from msgspec import Struct

from duckpress.core.problems import MachineError
from duckpress.pool.messages import received, send, written
from duckpress.pool.starting import started_python
from duckpress.views.live.gate import Editor, PrintAction
from duckpress.views.live.web_server import ServedFiles, WebServer

ENDED = "the process that serves the page has ended"


class Begin(Struct, frozen=True):
    """What to serve, and how: the first message. `build` is the command that prints, as arguments."""

    port: int
    key: str
    root: str
    out: str
    editor: tuple[str, ...]
    editor_address: str
    build: tuple[str, ...]
    opens_browser: bool


class Begun(Struct, frozen=True):
    """The server's port; `failed` says why there is none."""

    port: int = 0
    failed: str = ""


class Stocked(Struct, frozen=True):
    """New files (None: there is no such file), outdated names, and news for all pages."""

    files: dict[str, bytes | None] = {}
    gone: list[str] = []
    news: bytes = b""
    wait_s: float = 0.0


class WantedNames(Struct, frozen=True):
    """Names requested by browsers, the oldest first."""

    names: list[str]


_KILL = int(getattr(signal, "SIGKILL", signal.SIGTERM))
_Said = TypeVar("_Said")


class PageProcess:
    """Starts while this process imports the layout modules; `begun` waits until it serves."""

    def __init__(self, begin: Begin) -> None:
        self._process = started_python(
            f"from duckpress.pool.starting import end_with_parent; end_with_parent({_KILL}); "
            "from duckpress.views.live.web_process import serve_session; serve_session()"
        )
        self._input = cast(IO[bytes], self._process.stdin).fileno()
        self._messages = received(cast(IO[bytes], self._process.stdout).fileno())
        self._say(begin)

    def begun(self, wanted: int) -> int:
        """Return the port of the server. Raises `MachineError` if the wanted port is taken or forbidden."""
        begun = self._hear(Begun)
        if begun.failed:
            raise MachineError(f"cannot serve the page at port {wanted}: {begun.failed.lower()}; name another --port")
        return begun.port

    def exchange(self, stocked: Stocked) -> list[str]:
        """Send new files, and return the names browsers wait for. Raises `MachineError` if the process ended."""
        self._say(stocked)
        return self._hear(WantedNames).names

    def close(self) -> None:
        """End it at once."""
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


def serve_session() -> None:
    """Serve until the session ends."""
    source, said = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):  # whatever a browser or an editor says as it starts must not come between
        os.dup2(nothing, number)
    messages = received(source)
    begin = msgspec.msgpack.decode(next(messages), type=Begin)
    files = ServedFiles()
    editor = Editor(begin.editor, begin.editor_address)
    printing = PrintAction(begin.build, begin.out)
    try:
        server = WebServer(begin.port, begin.key, files, Path(begin.root), editor, printing)
    except OSError as error:
        send(said, written(Begun(failed=error.strerror or str(error))))
        return
    send(said, written(Begun(server.server_address[1])))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    if begin.opens_browser:
        threading.Thread(target=_open_browser, args=(server.gate.ticket_address,), daemon=True).start()
    decode = msgspec.msgpack.Decoder(Stocked).decode
    with contextlib.suppress(BrokenPipeError):  # the session may end while it is told what browsers want
        for message in messages:
            stocked = decode(message)
            files.put(stocked.files, stocked.gone, stocked.news)
            send(said, written(WantedNames(files.wanted(stocked.wait_s))))
    os._exit(0)  # threads that wait for browsers are not waited for


def _open_browser(address: str) -> None:
    """Open a page in the user's browser, if there is one with a window."""
    import webbrowser

    if sys.platform == "linux" and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
        return  # there would be nothing but a browser in letters, in the midst of this terminal
    webbrowser.open(address)
