"""The page served to browsers of this computer: the files that there are, news as they come, and the two that act.

Nothing asked for is ever a path: a name is looked up among names. GET changes nothing. Connections, listeners, bytes
and seconds have bounds; whoever breaks off in the midst of an answer is forgotten.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import socketserver
import threading
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from duckpress.files.workspace import Refused
from duckpress.live.editor import BadEditor
from duckpress.live.gate import HEADERS, Gate
from duckpress.live.page_request import PageRequest, Turned, read_request
from duckpress.live.print_action import BadChoice
from duckpress.live.served_files import ServedFiles, TooMany

LOOPBACK = "127.0.0.1"
MOST_CONNECTIONS = 48
MADE_WITHIN_S = 60.0  # what has to be made first: all cards of a large game are laid out before the page begins
_SEND_S = 20.0
_PING_S = 15.0  # so that a listener who is gone is noticed
EVENTS = "events"
KEYED = "live.js"  # the script that is told the key for what acts
PRINTED = "printed/"
_NAME = re.compile(r"[a-z0-9][a-zA-Z0-9_-]*(?:[./][a-z0-9][a-zA-Z0-9_-]*)*")  # capitals: `pond-cards-a4-pt-BR.pdf`
_QUERY = re.compile(r"[!-~]{0,2000}")
_KINDS = {"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
          "json": "application/json", "jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml",
          "pdf": "application/pdf"}  # fmt: skip
_REASONS = {200: "OK", 303: "See Other", 400: "Bad Request", 403: "Forbidden", 404: "Not Found",
            405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
            415: "Unsupported Media Type", 421: "Misdirected Request", 431: "Request Header Fields Too Large",
            503: "Service Unavailable"}  # fmt: skip

Act = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Does what a page has asked for by POST, and returns what it is told."""

Printed = Callable[[str], bytes | None]
"""Returns a file that the page has had printed, by its name."""


class WebServer(socketserver.ThreadingMixIn, socketserver.TCPServer):
    """Serves files on a port of this computer (0: any that is free), to those that its gate lets in."""

    daemon_threads = True
    allow_reuse_address = os.name == "posix"  # elsewhere it would let another program have the same port
    request_queue_size = 64

    def __init__(
        self, port: int, key: str, files: ServedFiles, acts: Mapping[str, Act], printed: Printed, *,
        opens: bool = False,
    ) -> None:  # fmt: skip
        super().__init__((LOOPBACK, port), _Visit)
        self.gate = Gate(self.server_address[1], key)
        self.files = files
        self.acts = acts
        self.printed = printed
        self.opens = opens  # places in an editor
        self._places = threading.BoundedSemaphore(MOST_CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own, where there is room for another."""
        if not self._places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and make room."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Forget whoever broke off; a mistake of the program is no news for a stranger either."""


class _Visit(socketserver.BaseRequestHandler):
    """One connection with one request."""

    server: WebServer
    request: socket.socket

    def handle(self) -> None:
        """Read the request, and answer it."""
        with contextlib.suppress(OSError):
            try:
                asked = read_request(self.request, self.server.gate.check_first_line)
                if asked is not None:
                    self._answer(asked)
            except Turned as turned:
                self._say(turned.status, turned.words.encode(), "text/plain; charset=utf-8")
                self._drain()

    def _answer(self, asked: PageRequest) -> None:
        name = self.server.gate.admit(asked)
        if not name:
            self._say(303, b"", "text/plain", self.server.gate.entrance())
        elif asked.method == "POST":
            self._act(name, asked.body)
        elif name == EVENTS:
            self._tell_news()
        else:
            self._serve(name, asked.query)

    def _serve(self, name: str, query: str) -> None:
        kind = _KINDS.get(name.rpartition(".")[2])
        if not _NAME.fullmatch(name) or len(name) > 200 or kind is None or not _QUERY.fullmatch(query):
            raise Turned(404, "there is nothing of that name")
        if name.startswith(PRINTED):
            data = self.server.printed(name.removeprefix(PRINTED))
        else:
            data = self._made(f"{name}?{query}" if kind == _KINDS["json"] else name)
        if data is None:
            raise Turned(404, "there is nothing of that name")
        if name == KEYED:
            about = {"key": self.server.gate.page_key, "opens": self.server.opens}
            data = b"const duckpressServer = %s;\n" % msgspec.json.encode(about) + data
        self._say(200, data, kind)

    def _made(self, name: str) -> bytes | None:
        try:
            return self.server.files.get(name, MADE_WITHIN_S)
        except (TooMany, TimeoutError):
            raise Turned(503, "that takes too long, or is too much at once") from None

    def _act(self, name: str, body: bytes) -> None:
        act = self.server.acts.get(name)
        if act is None:
            raise Turned(404, "there is nothing of that name")
        try:
            told = act(msgspec.json.decode(body, type=dict[str, Any]))
        except (msgspec.MsgspecError, UnicodeError, RecursionError):  # what is too deep raises no error of msgspec
            raise Turned(400, "that is no JSON object") from None
        except (BadChoice, BadEditor, Refused) as error:
            raise Turned(400, str(error)) from None
        except BlockingIOError:
            raise Turned(409, "it is at work already") from None
        self._say(200, msgspec.json.encode(told), _KINDS["json"])

    def _tell_news(self) -> None:
        files = self.server.files
        try:
            files.listen()
        except TooMany:
            raise Turned(503, "too many pages listen already") from None
        try:
            self._send(_head(200, {"Content-Type": "text/event-stream"}))
            seen = 0
            while True:
                seen, news = files.news(seen, _PING_S)
                self._send(b"data: " + news + b"\n\n" if news else b": still here\n\n")
        finally:
            files.stop_listening()

    def _say(self, status: int, body: bytes, kind: str, more: Mapping[str, str] | None = None) -> None:
        about = {"Content-Type": kind, "Content-Length": str(len(body)), **(more or {})}
        self._send(_head(status, about) + body)

    def _send(self, data: bytes) -> None:
        self.request.settimeout(_SEND_S)
        self.request.sendall(data)

    def _drain(self) -> None:
        """Take in what is still being sent, a little: else the system takes back the answer before it is read."""
        self.request.shutdown(socket.SHUT_WR)
        self.request.settimeout(0.5)
        for _ in range(16):
            if not self.request.recv(65_536):
                break


def _head(status: int, about: Mapping[str, str]) -> bytes:
    lines = [
        f"HTTP/1.1 {status} {_REASONS[status]}",
        *(f"{key}: {value}" for key, value in {**HEADERS, **about}.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
