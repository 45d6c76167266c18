"""An `https` address -> the bytes that lie there, within a size and a time, or why they cannot be had.

Redirects are followed a few times, and each is looked at as if somebody had written it. Nothing is sent but the address
and the program's name; no proxy, no cookie, no compression.
"""

from __future__ import annotations

import http.client
import io
import re
import socket
import ssl
import time

from msgspec import Struct

from duckpress import __version__
from duckpress.core.limits import written
from duckpress.network.addresses import Address, NotFetched, Resolve, checked_numbers, looked_up, read_address

_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 5  # a published sheet takes one
_PART = 65_536  # bytes
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;|\r?\n)")


class Downloaded(Struct, frozen=True):
    """What lies at an address: its bytes, what the server says they are, and the host that they came from."""

    data: bytes
    kind: str
    host: str


def download(
    url: str,
    most_bytes: int,
    seconds: float,
    *,
    allow_private: bool = False,
    tls: ssl.SSLContext | None = None,
    resolve: Resolve = looked_up,
) -> Downloaded:
    """Return what lies at an address.

    Raises `NotFetched`: `address-refused` for an address, or one that it leads to, that is not `https`, or not public
    unless that is allowed; `not-fetched` for whatever goes wrong on the way, takes too long or is too large.
    """
    deadline = time.monotonic() + seconds
    address = read_address(url)
    context = tls or ssl.create_default_context()
    fix = "check the address in a browser, and try again"
    try:
        for _ in range(_MOST_REDIRECTS + 1):
            numbers = checked_numbers(address, deadline, resolve, allow_private=allow_private)
            with _connected(address, numbers, deadline, context) as line:
                answer = _ask(line, address, deadline)
                if answer.status not in _REDIRECTS:
                    return Downloaded(_body(answer, address, most_bytes), _kind(answer), address.host)
                address = address.joined(answer.headers.get("Location", ""))
        raise NotFetched("not-fetched", f"{address.host} leads on and on, {_MOST_REDIRECTS} times so far", fix)
    except TimeoutError:
        what = f"{address.host} took more than {seconds:g} seconds"
        raise NotFetched("not-fetched", what, "try again later") from None
    except ssl.SSLCertVerificationError as error:
        what = f"{address.host} does not prove that it is {address.host}: {error.verify_message}"
        raise NotFetched("not-fetched", what, "check the address; somebody on the way may have changed it") from None
    except (http.client.HTTPException, ValueError):
        raise NotFetched("not-fetched", f"{address.host} gives no proper answer, or breaks off", fix) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise NotFetched("not-fetched", f"{address.host} cannot be asked: {reason}", fix) from None


def _connected(address: Address, numbers: list[str], deadline: float, context: ssl.SSLContext) -> socket.socket:
    """Return a connection to one of the numbers, sealed for the host's name."""
    failed: OSError = TimeoutError()
    for number in numbers:
        try:
            line = socket.create_connection((number, address.port), _left(deadline))
        except OSError as error:
            failed = error
            continue
        try:
            line.settimeout(_left(deadline))
            # A line that is cut counts as cut, not as the end of what was sent.
            return context.wrap_socket(line, server_hostname=address.host, suppress_ragged_eofs=False)
        except BaseException:
            line.close()
            raise
    raise failed


def _ask(line: socket.socket, address: Address, deadline: float) -> http.client.HTTPResponse:
    lines = [
        f"GET {address.target} HTTP/1.1",
        f"Host: {address.authority}",
        f"User-Agent: duckpress/{__version__}",
        "Accept: text/csv, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, */*;q=0.5",
        "Accept-Encoding: identity",
        "Connection: close",
    ]
    line.sendall("\r\n".join([*lines, "", ""]).encode("ascii"))
    answer = _Answer(_Timed(line, deadline), method="GET")  # type: ignore[arg-type]
    answer.begin()
    return answer


def _body(answer: http.client.HTTPResponse, address: Address, most_bytes: int) -> bytes:
    if answer.status != http.client.OK:
        reasons = {401: ", as it wants a password", 403: ", as nobody may read it", 404: ", as there is nothing"}
        what = f"{address.host} answers {answer.status}{reasons.get(answer.status, '')}"
        fix = "check in a browser where you are not signed in that the address shows the table"
        raise NotFetched("not-fetched", what, fix)
    if answer.headers.get("Content-Encoding", "identity").lower() != "identity":
        what = f"{address.host} sends it compressed, which was not asked for"
        raise NotFetched("not-fetched", what, "use another address of the table")
    data = bytearray()
    while len(data) <= most_bytes and (answer.length is None or answer.length <= most_bytes):
        part = answer.read(_PART)
        if not part:
            if answer.length:
                raise http.client.IncompleteRead(bytes(data), answer.length)
            return bytes(data)
        data += part
    what = f"what {address.host} sends is larger than {written(most_bytes)} bytes"
    raise NotFetched("not-fetched", what, "publish only the sheet with the cards, as CSV")


def _kind(answer: http.client.HTTPResponse) -> str:
    return answer.headers.get_content_type()


class _Answer(http.client.HTTPResponse):
    """An answer whose chunks say their sizes as RFC 9112 has them: Python's own takes `-5`, `0x5` and `1_0` as well."""

    def _read_next_chunk_size(self) -> int:
        size = _CHUNK.match(self.fp.readline(_PART))
        if size is None:
            raise http.client.HTTPException
        return int(size[1], 16)


def _left(deadline: float) -> float:
    """Return the seconds until a moment. Raises `TimeoutError` where it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


class _Timed(io.RawIOBase):
    """A connection to read from until a moment: whoever sends a letter a second does not get more time by it."""

    def __init__(self, line: socket.socket, deadline: float) -> None:
        super().__init__()
        self._line = line
        self._deadline = deadline

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return this for reading, as a socket does."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read what has come."""
        self._line.settimeout(_left(self._deadline))
        return self._line.recv_into(buffer)
