"""Sees who asks for the network or starts a program, also from C, by an audit hook; its own workers may go on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

_NETWORK = (
    "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr",
    "socket.getnameinfo", "socket.sendto", "socket.sendmsg", "urllib.Request", "http.client.connect",
    "ftplib.connect", "smtplib.connect", "poplib.connect", "imaplib.open",
)  # fmt: skip
_PROGRAMS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "pty.spawn")


class Watch(NamedTuple):
    """What was asked for while watching."""

    sockets: list[str]
    programs: list[str]


_watching: list[Watch] = []
_is_hooked: list[bool] = []


def asked_for(event: str, arguments: tuple[Any, ...]) -> str:
    """Return what an audited event asks for, empty if that is allowed."""
    if event == "socket.__new__" and arguments[1] not in (-1, 0, 1):
        return f"socket family {arguments[1]!r}"
    if event in _NETWORK and not (event in ("socket.connect", "socket.bind") and isinstance(arguments[1], str | bytes)):
        return f"socket {event} {arguments!r}"
    if event in _PROGRAMS and not _is_own_worker(arguments[1] if len(arguments) > 1 else ()):
        return f"program {event} {arguments[:2]!r}"
    return ""


def _is_own_worker(arguments: Any) -> bool:
    words = [os.fsdecode(word) for word in arguments if isinstance(word, str | bytes)]
    return bool(words) and "python" in words[0].rsplit("/", 1)[-1] and "multiprocessing" in " ".join(words)


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _watching and (line := asked_for(event, arguments)):
        if line.startswith("program"):
            _watching[-1].programs.append(line)
        else:
            _watching[-1].sockets.append(line)
            raise OSError("there is no network while watching")


@contextmanager
def network_watch() -> Iterator[Watch]:
    """Refuse the network and write down programs started, for as long as the block runs."""
    if not _is_hooked:
        sys.addaudithook(_hook)
        _is_hooked.append(True)
    watch = Watch([], [])
    _watching.append(watch)
    try:
        yield watch
    finally:
        _watching.remove(watch)
