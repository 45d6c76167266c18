"""A server on this computer that answers as a test says, byte by byte, and what stands in for TLS before it."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

Answer = Callable[[str, Callable[[bytes], None]], None]
"""Is given what was asked for (`/path`) and what sends bytes."""


class NoTls:
    """Stands for a TLS context: the connection stays as it is."""

    def wrap_socket(self, line: socket.socket, **_: Any) -> socket.socket:
        """Return the connection itself."""
        return line


@contextmanager
def serving(answer: Answer, tls: ssl.SSLContext | None = None) -> Iterator[int]:
    """Serve on 127.0.0.1 while the block runs, each asker in turn, and yield the port."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(5)
    is_over = threading.Event()

    def serve() -> None:
        while not is_over.is_set():
            with suppress(OSError):
                line, _ = listener.accept()
                with line:
                    line.settimeout(5)
                    asked = tls.wrap_socket(line, server_side=True) if tls else line
                    head = b""
                    while b"\r\n\r\n" not in head:
                        head += asked.recv(65_536) or b"\r\n\r\n"
                    answer(head.split(b" ")[1].decode(), asked.sendall)
                    if tls:
                        asked.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        is_over.set()
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(5)


def page(body: bytes, kind: str = "text/csv", *more: str, status: str = "200 OK") -> bytes:
    """Return an answer with its length."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *more, "", ""]
    return "\r\n".join(lines).encode() + body
