"""What a browser asks for: the head of a request, read from a connection within bounds, and taken apart strictly.

A small part of HTTP/1.1 (RFC 9112) is enough for a page that is served on this computer alone: one request for each
connection, bodies of a declared length. Whatever is doubtful is refused: a header that stands twice, one that goes on
in the next line, another way to say how long a body is.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Mapping

from msgspec import Struct

MOST_HEAD = 16_384  # bytes: addresses here are short, and cookies of other pages on this computer come along
MOST_BODY = 16_384
PATIENCE_S = 10.0  # for the whole of a request, however slowly it comes

_LINE = re.compile(rb"([A-Z]{3,10}) (/[!-~]{0,4000}) HTTP/1\.[01]")
_HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}):[ \t]*([ -~\t\x80-\xff]*?)[ \t]*")


class Turned(Exception):
    """A request that is not answered as asked: the status, and words for a person."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


class PageRequest(Struct, frozen=True):
    """A request: `path` begins with a slash and is not decoded; names of `headers` are in small letters."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes = b""


def read_request(line: socket.socket) -> PageRequest | None:
    """Return what comes through a connection; None where nothing does. Raises `Turned` and `OSError`."""
    until = time.monotonic() + PATIENCE_S
    data = b""
    while (end := data.find(b"\r\n\r\n")) < 0:
        if len(data) > MOST_HEAD:
            raise Turned(431, "the head of the request is too long")
        part = _part(line, until)
        if not part:
            return None
        data += part
    if end > MOST_HEAD:
        raise Turned(431, "the head of the request is too long")
    asked, body = parsed_head(data[:end]), data[end + 4 :]
    if "transfer-encoding" in asked.headers:
        raise Turned(400, "say how long the body is")
    written = asked.headers.get("content-length", "0")
    if not re.fullmatch("[0-9]{1,9}", written) or (asked.method != "POST" and int(written)):
        raise Turned(400, "that is no length of a body")
    if int(written) > MOST_BODY:
        raise Turned(413, "the body of the request is too long")
    while len(body) < int(written):
        part = _part(line, until)
        if not part:
            return None
        body += part
    return PageRequest(asked.method, asked.path, asked.query, asked.headers, body[: int(written)])


def parsed_head(head: bytes) -> PageRequest:
    """Return a head as a request. Raises `Turned` for one that can be read in two ways."""
    first, *lines = head.split(b"\r\n")
    match = _LINE.fullmatch(first)
    if match is None:
        raise Turned(400, "that is no request")
    headers: dict[str, str] = {}
    for line in lines:
        header = _HEADER.fullmatch(line)
        if header is None:
            raise Turned(400, "a header cannot be read")
        name = header[1].decode().lower()
        if name in headers:
            raise Turned(400, f"the header {name} stands twice")
        headers[name] = header[2].decode("latin-1")
    path, _, query = match[2].decode().partition("?")
    return PageRequest(match[1].decode(), path, query, headers)


def _part(line: socket.socket, until: float) -> bytes:
    left_s = until - time.monotonic()
    if left_s <= 0:
        raise Turned(408, "the request took too long")
    line.settimeout(left_s)
    try:
        return line.recv(MOST_HEAD)
    except TimeoutError:
        raise Turned(408, "the request took too long") from None
