"""What a browser asks for: the head of a request, read from a connection within bounds, and taken apart strictly.

A small part of HTTP/1.1 (RFC 9112) is enough for a page that is served on this computer alone: one request for each
connection, bodies of a declared length. The first line has to show a key: of a request without one nothing else is
read. Whatever is doubtful is refused: a header that stands twice, one that goes on in the next line, another way to say
how long a body is.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

MOST_HEAD = 16_384  # bytes: addresses here are short, and cookies of other pages on this computer come along
MOST_BODY = 16_384
PATIENCE_S = 10.0  # for the whole of a request, however slowly it comes

_LINE = re.compile(rb"([A-Z]{3,10}) (/[!-~]{0,4000}) HTTP/1\.[01]")
_HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}):([ -~\t\x80-\xff]*)")


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
    headers: Mapping[str, str] = {}
    body: bytes = b""


def read_request(line: socket.socket, check_first_line: Callable[[PageRequest], None]) -> PageRequest | None:
    """Return what comes through a connection; None where nothing does. Raises `Turned` and `OSError`.

    `check_first_line` is given a request of which that line alone is read, and raises `Turned` where it has no key.
    """
    until = time.monotonic() + PATIENCE_S
    data = _until(b"\r\n", b"", line, until)
    first = data.partition(b"\r\n")[0]
    if not data:
        return None
    asked = parsed_first_line(first)
    check_first_line(asked)
    data = _until(b"\r\n\r\n", data, line, until)
    if not data:
        return None
    head, _, body = data.partition(b"\r\n\r\n")
    asked = replace(asked, headers=parsed_headers(head[len(first) + 2 :]))
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
    return replace(asked, body=body[: int(written)])


def parsed_first_line(line: bytes) -> PageRequest:
    """Return what the first line of a request says. Raises `Turned`."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise Turned(400, "that is no request")
    path, _, query = match[2].decode().partition("?")
    return PageRequest(match[1].decode(), path, query)


def parsed_headers(lines: bytes) -> dict[str, str]:
    """Return headers by their names. Raises `Turned` for some that can be read in two ways."""
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
    """Return data with what comes behind it, until there is an end in it; nothing where the connection ends before."""
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
