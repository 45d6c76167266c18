"""Read by every Python that the harness starts: writes down who asks for the network or another program, and refuses.

An audit hook sees what a replaced function would miss: a socket made in C, a program started from a library. Workers
of `multiprocessing` talk over local sockets and start Python itself; those two are no way out and stay allowed.
"""

import os
import sys

_LOCAL = (-1, 0, 1)  # AF_UNSPEC as asked for by `socket()` without arguments is caught by what is done with it
_NETWORK = (
    "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr",
    "socket.getnameinfo", "socket.sendto", "socket.sendmsg", "urllib.Request", "http.client.connect",
    "ftplib.connect", "smtplib.connect", "poplib.connect", "imaplib.open",
)  # fmt: skip
_PROGRAMS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "pty.spawn")


def _is_own_worker(arguments: object) -> bool:
    """Return whether a program started is the worker (or the resource tracker) of `multiprocessing`."""
    words = [os.fsdecode(word) for word in arguments if isinstance(word, str | bytes)]
    return bool(words) and "python" in words[0].rsplit("/", 1)[-1] and "multiprocessing" in " ".join(words)


def _note(line: str) -> None:
    handle = os.open(os.environ["HARNESS_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(handle, line.replace("\n", " ").encode() + b"\n")
    os.close(handle)


def _watch(event: str, arguments: tuple) -> None:
    if event == "socket.__new__" and arguments[1] not in _LOCAL:
        _note(f"socket family {arguments[1]!r}")
        raise OSError("the harness has no network")
    if event in _NETWORK:
        if event in ("socket.connect", "socket.bind") and isinstance(arguments[1], str | bytes):
            return  # a local socket
        _note(f"socket {event} {arguments!r}")
        raise OSError("the harness has no network")
    if event in _PROGRAMS and not _is_own_worker(arguments[1] if len(arguments) > 1 else ()):
        _note(f"program {event} {arguments[:2]!r}")


sys.addaudithook(_watch)
