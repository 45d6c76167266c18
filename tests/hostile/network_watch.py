"""Sees in this process who asks for the network or starts a program; an audit hook stays for good, so there is one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

_NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "urllib.Request")
_PROGRAMS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.startfile")


@dataclass
class Watch:
    """What was asked for while watching."""

    sockets: list[str] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)


_watching: list[Watch] = []
_is_hooked: list[bool] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watching:
        return
    if event == "socket.__new__" and arguments[1] not in (-1, 0, 1):
        _watching[-1].sockets.append(f"socket family {arguments[1]!r}")
        raise OSError("there is no network while watching")
    if event in _NETWORK and not (event == "socket.connect" and isinstance(arguments[1], str | bytes)):
        _watching[-1].sockets.append(f"socket {event} {arguments!r}")
        raise OSError("there is no network while watching")
    if event in _PROGRAMS and "multiprocessing" not in repr(arguments):
        _watching[-1].programs.append(f"program {event} {arguments[:2]!r}")


@contextmanager
def network_watch() -> Iterator[Watch]:
    """Refuse the network and write down programs started, for as long as the block runs."""
    if not _is_hooked:
        sys.addaudithook(_hook)
        _is_hooked.append(True)
    watch = Watch()
    _watching.append(watch)
    try:
        yield watch
    finally:
        _watching.remove(watch)
