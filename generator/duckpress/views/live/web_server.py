"""The page served to browsers of this computer: the available files, news as they come, and two actions.

A small part of HTTP/1.1 (RFC 9112) is enough: one request for each connection, bodies of a declared length. The first
line has to show a key: of a request without one nothing else is read. Whatever is doubtful is refused: a header that
stands twice, one that goes on in the next line, another way to say how long a body is.

Nothing asked for is ever a path: a name is looked up among names. GET changes nothing. Connections, listeners, bytes
and seconds have bounds; whoever breaks off in the midst of an answer is forgotten.

Names that are asked for and not there wait for the session to make them. Pictures are kept up to a number of bytes,
those first that were asked for last; whatever else is there is small. News are one state, not a row of messages:
whoever was away, or reads slowly, gets the newest, and nothing piles up.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from duckpress.files.workspace import Refused
from duckpress.views.live.gate import HEADERS, BadChoice, BadEditor, Editor, Gate, PageRequest, PrintAction, Turned

MOST_HEAD = 16_384  # bytes: addresses here are short, and cookies of other pages on this computer come along
MOST_BODY = 16_384
PATIENCE_S = 10.0  # for the whole of a request, however slowly it comes

_LINE = re.compile(rb"([A-Z]{3,10}) (/[!-~]{0,4000}) HTTP/1\.[01]")
_HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}):([ -~\t\x80-\xff]*)")


def read_request(line: socket.socket, check_first_line: Callable[[PageRequest], None]) -> PageRequest | None:
    """Return the request of a connection; None if nothing is sent. Raises `Turned` and `OSError`.

    `check_first_line` is given a request of which that line alone is read, and raises `Turned` where it has no key.
    """
    until = time.monotonic() + PATIENCE_S
    data = _until(b"\r\n", b"", line, until)
    first = data.partition(b"\r\n")[0]
    if not data:
        return None
    request = parsed_first_line(first)
    check_first_line(request)
    data = _until(b"\r\n\r\n", data, line, until)
    if not data:
        return None
    head, _, body = data.partition(b"\r\n\r\n")
    request = replace(request, headers=parsed_headers(head[len(first) + 2 :]))
    if "transfer-encoding" in request.headers:
        raise Turned(400, "say how long the body is")
    written = request.headers.get("content-length", "0")
    if not re.fullmatch("[0-9]{1,9}", written) or (request.method != "POST" and int(written)):
        raise Turned(400, "that is no length of a body")
    if int(written) > MOST_BODY:
        raise Turned(413, "the body of the request is too long")
    while len(body) < int(written):
        part = _part(line, until)
        if not part:
            return None
        body += part
    return replace(request, body=body[: int(written)])


def parsed_first_line(line: bytes) -> PageRequest:
    """Return the request in a first line. Raises `Turned`."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise Turned(400, "that is no request")
    path, _, query = match[2].decode().partition("?")
    return PageRequest(match[1].decode(), path, query)


def parsed_headers(lines: bytes) -> dict[str, str]:
    """Return headers by their names. Raises `Turned` for ambiguous headers."""
    headers: dict[str, str] = {}
    for line in lines.split(b"\r\n") if lines else ():
        header = _HEADER.fullmatch(line)
        if header is None:
            raise Turned(400, "a header cannot be read")
        name = header[1].decode().lower()
        if name in headers:
            raise Turned(400, f"the header {name} stands twice")
        headers[name] = header[2].strip(b" \t").decode("latin-1")
    return headers


def _until(end: bytes, data: bytes, line: socket.socket, until: float) -> bytes:
    """Read on until the data hold `end`, and return them; nothing if the connection ends before."""
    while (at := data.find(end)) < 0 and len(data) <= MOST_HEAD:
        part = _part(line, until)
        if not part:
            return b""
        data += part
    if not 0 <= at <= MOST_HEAD:
        raise Turned(431, "the head of the request is too long")
    return data


def _part(line: socket.socket, until: float) -> bytes:
    left_s = until - time.monotonic()
    if left_s <= 0:
        raise Turned(408, "the request took too long")
    line.settimeout(left_s)
    try:
        return line.recv(MOST_HEAD)
    except TimeoutError:
        raise Turned(408, "the request took too long") from None


LOOPBACK = "127.0.0.1"
MOST_CONNECTIONS = 48
MADE_WITHIN_S = 60.0  # what has to be made first: all cards of a large game are laid out before the page begins
_SEND_S = 20.0
_PING_S = 15.0  # so that a listener who is gone is noticed
EVENTS = "events"
KEYED = "live.js"  # the script that is told the key for what acts
PRINTED = "printed/"
_NAME = re.compile(r"[a-z0-9][a-zA-Z0-9_-]*(?:[./][a-z0-9][a-zA-Z0-9_-]*)*")  # capitals: `pond-cards-a4-pt-BR.pdf`
_NOTHING = "there is nothing of that name"
_QUERY = re.compile(r"[!-~]{0,2000}")
_KINDS = {"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
          "json": "application/json", "jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml",
          "pdf": "application/pdf"}  # fmt: skip


class WebServer(socketserver.ThreadingMixIn, socketserver.TCPServer):
    """Serves files on a port of this computer (0: any free one), to the clients that its gate admits.

    They can open a place of a file below `root`, and print.
    """

    daemon_threads = True
    allow_reuse_address = os.name == "posix"  # elsewhere it would let another program have the same port
    request_queue_size = 64

    def __init__(
        self, port: int, key: str, files: ServedFiles, root: Path, editor: Editor, printing: PrintAction
    ) -> None:
        super().__init__((LOOPBACK, port), _Visit)
        self.gate = Gate(self.server_address[1], key)
        self.files = files
        self.root = root
        self.editor = editor
        self.printing = printing
        self._places = threading.BoundedSemaphore(MOST_CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a new thread, if there are not too many."""
        if not self._places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore broken connections; bugs are not reported to strangers either."""


class _Visit(socketserver.BaseRequestHandler):
    """One connection with one request."""

    server: WebServer
    request: socket.socket

    def handle(self) -> None:
        with contextlib.suppress(OSError):
            try:
                request = read_request(self.request, self.server.gate.check_first_line)
                if request is not None:
                    self._answer(request)
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
            raise Turned(404, _NOTHING)
        if name.startswith(PRINTED):
            data = self.server.printing.printed(name.removeprefix(PRINTED))
        else:
            try:
                data = self.server.files.get(f"{name}?{query}" if kind == _KINDS["json"] else name, MADE_WITHIN_S)
            except (TooMany, TimeoutError):
                raise Turned(503, "that takes too long, or is too much at once") from None
        if data is None:
            raise Turned(404, _NOTHING)
        if name == KEYED:
            about = {"key": self.server.gate.page_key, "opens": self.server.editor.is_named}
            data = b"const duckpressServer = %s;\n" % msgspec.json.encode(about) + data
        self._say(200, data, kind)

    def _act(self, name: str, body: bytes) -> None:
        if name not in ("open", "print"):
            raise Turned(404, _NOTHING)
        try:
            request = msgspec.json.decode(body, type=dict[str, Any])
            answer = self.server.printing.print(request) if name == "print" else self._open(request.get("at"))
        except (msgspec.MsgspecError, UnicodeError, RecursionError):  # what is too deep raises no error of msgspec
            raise Turned(400, "that is no JSON object") from None
        except (BadChoice, BadEditor, Refused) as error:
            raise Turned(400, str(error)) from None
        except BlockingIOError:
            raise Turned(409, "it is at work already") from None
        self._say(200, msgspec.json.encode(answer), _KINDS["json"])

    def _open(self, place: object) -> dict[str, Any]:
        if not isinstance(place, str):
            raise BadChoice("say which place to open")
        return {"address": self.server.editor.open(self.server.root, place)}

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
        """Read a little of the browser's remaining data: else the system may drop the answer before it is read."""
        self.request.shutdown(socket.SHUT_WR)
        self.request.settimeout(0.5)
        for _ in range(16):
            if not self.request.recv(65_536):
                break


def _head(status: int, about: Mapping[str, str]) -> bytes:
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        *(f"{key}: {value}" for key, value in {**HEADERS, **about}.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


PICTURES = "pictures/"
_MOST_PICTURES = 96_000_000  # bytes
_MOST_WANTED = 256  # names that wait at once
MOST_LISTENERS = 16


class TooMany(Exception):
    """Too many requests at once."""


class ServedFiles:
    """Files by name. A file that is `None` was requested, and does not exist."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._files: dict[str, bytes | None] = {}
        self._picture_bytes = 0
        self._wanted: dict[str, None] = {}
        self._listeners = 0
        self._news = b""
        self._number = 0

    def put(self, files: Mapping[str, bytes | None], gone: Iterable[str] = (), news: bytes = b"") -> None:
        """Add files and news, and drop outdated files."""
        with self._changed:
            for name in gone:
                self._drop(name)
            for name, data in files.items():
                self._drop(name)
                self._files[name] = data
                self._wanted.pop(name, None)
                self._picture_bytes += _picture_size(name, data)
            while self._picture_bytes > _MOST_PICTURES:
                self._drop(next(name for name in self._files if name.startswith(PICTURES)))
            if news:
                self._news = news
                self._number += 1
            self._changed.notify_all()

    def get(self, name: str, seconds: float) -> bytes | None:
        """Return a file once it is made, None if there is no such file. Raises `TooMany` and `TimeoutError`."""
        until = time.monotonic() + seconds
        with self._changed:
            while name not in self._files:
                if name not in self._wanted and len(self._wanted) >= _MOST_WANTED:
                    raise TooMany
                self._wanted[name] = None
                self._changed.notify_all()
                if not self._changed.wait(until - time.monotonic()):
                    self._wanted.pop(name, None)
                    raise TimeoutError
            data = self._files[name]
            if data is None:
                del self._files[name]  # names that do not exist are not piled up
            elif name.startswith(PICTURES):
                self._files[name] = self._files.pop(name)
            return data

    def wanted(self, seconds: float) -> list[str]:
        """Return the requested names without files, as soon as there are any, or after some time."""
        with self._changed:
            if not self._wanted:
                self._changed.wait(seconds)
            return list(self._wanted)

    def listen(self) -> None:
        """Begin to listen to news. Raises `TooMany`."""
        with self._changed:
            if self._listeners >= MOST_LISTENERS:
                raise TooMany
            self._listeners += 1

    def stop_listening(self) -> None:
        with self._changed:
            self._listeners -= 1

    def news(self, seen: int, seconds: float) -> tuple[int, bytes]:
        """Return the newest news and their number, as soon as they are newer than `seen`; after some time none."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._number > seen, seconds):
                return seen, b""
            return self._number, self._news

    def _drop(self, name: str) -> None:
        self._picture_bytes -= _picture_size(name, self._files.pop(name, None))


def _picture_size(name: str, data: bytes | None) -> int:
    return len(data) if data is not None and name.startswith(PICTURES) else 0
