"""An `https` address -> the bytes at that address, within a size and a time, or why the download failed.

A name can stand for a machine in your own network (a router, a printer, this computer), and a stranger may have chosen
it for that. So a name is looked up once, every address that comes back has to be public, and the connection is made to
one of those very addresses: no second look-up can lead elsewhere. Redirects are followed a few times, and each is
looked at as if somebody had written it. Nothing is sent but the address and the program's name; no proxy, no cookie,
no compression.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable
from urllib.parse import quote, urljoin, urlsplit

from msgspec import Struct

from duckpress import __version__
from duckpress.core.limits import written
from duckpress.core.problems import Mistake

_LONGEST = 2_000  # letters of an address
_SAFE = "/?&=%:@!$'(*)+,;~-._[]"
_ODD = re.compile(r"[\x00-\x20\x7f-\x9f\\]")
# Python's own lists differ between its versions. Source: IANA's special-purpose address registries for IPv4 and IPv6,
# as of 2024-10-22, with multicast, what is deprecated, and what is global in name alone (192.0.0.0/24, 2001::/23).
_SPECIAL_4 = tuple(map(ipaddress.IPv4Network, (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    "168.63.129.16/32",  # of no registry: each machine at Azure reaches its own host there (Microsoft Learn)
)))  # fmt: skip
_GLOBAL_6 = ipaddress.IPv6Network("2000::/3")  # nothing else is handed out (RFC 4291, 2.4)
_SPECIAL_6 = tuple(
    map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"))
)
_OF_IPV4 = tuple(map(ipaddress.IPv6Network, ("::ffff:0:0/96", "64:ff9b::/96")))  # mapped; translated by NAT64

Resolve = Callable[[str, int], list[str]]
"""Returns the numbers of a host."""


class NotFetched(Mistake):
    """A download that failed."""


class Address(Struct, frozen=True):
    """An `https` address, taken apart."""

    host: str
    port: int
    target: str  # the path and what is asked, as a request has them

    @property
    def authority(self) -> str:
        """The host, and the port if it is not the default."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == 443 else f"{host}:{self.port}"

    def joined(self, location: str) -> Address:
        """Return the address that a redirect leads to from here. Raises `NotFetched` as `read_address` does."""
        try:
            there = urljoin(f"https://{self.authority}{self.target}", location)
        except ValueError:
            there = location
        return read_address(there, f"{self.host} leads to")


def read_address(text: str, who: str = "the address is") -> Address:
    """Return an address taken apart. Raises `NotFetched` (`address-refused`) for any but plain `https`."""
    shown = repr(text if len(text) <= 100 else text[:97] + "...")
    fix = "write it as https://host/path"
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").rstrip("."), parts.port or 443
        host = host if ":" in host else host.encode("idna").decode()
    except (ValueError, UnicodeError):
        raise NotFetched("address-refused", f"{who} {shown}, which is none", fix) from None
    if parts.scheme.lower() != "https":
        raise NotFetched("address-refused", f"{who} {shown}, not https: anybody on the way could change it", fix)
    if not host or len(text) > _LONGEST or _ODD.search(text):
        raise NotFetched("address-refused", f"{who} {shown}, which is none", fix)
    if "@" in parts.netloc:
        what = f"{who} one with a name or password, to {host}"
        raise NotFetched("address-refused", what, "a game's files are shared: use an address that needs none")
    target = quote(parts.path or "/", _SAFE) + (f"?{quote(parts.query, _SAFE)}" if parts.query else "")
    return Address(host, port, target)


def is_public(number: str) -> bool:
    """Return whether an IP address is public; one that contains an IPv4 address is judged by that one."""
    address = ipaddress.ip_address(number.partition("%")[0])
    if any(address in network for network in _OF_IPV4):
        address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _SPECIAL_4)
    return address in _GLOBAL_6 and not any(address in network for network in _SPECIAL_6)


def checked_numbers(address: Address, deadline: float, resolve: Resolve, *, allow_private: bool) -> list[str]:
    """Return the IP addresses of an address's host, after checking that each of them is allowed.

    Raises `NotFetched`: `not-fetched` where the host has none, `address-refused` where one of them is not public.
    """
    numbers = _within(lambda: resolve(address.host, address.port), address.host, deadline)
    private = next((number for number in numbers if not allow_private and not is_public(number)), None)
    if private is not None:
        who = private if private == address.host else f"{address.host} is {private}, which"
        what = f"{who} is no address on the public internet"
        fix = "if you know it and trust this game, allow it with --allow-private"
        raise NotFetched("address-refused", what, fix)
    return numbers


def looked_up(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host, from the system's resolver. Raises `OSError`."""
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


def _within(look_up: Callable[[], list[str]], host: str, deadline: float) -> list[str]:
    """Return the result of a look-up before the deadline: the system's own may hang, and cannot be stopped."""
    answers: queue.SimpleQueue[list[str] | OSError | UnicodeError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(look_up())
        except (OSError, UnicodeError) as error:
            answers.put(error)

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer = answers.get(timeout=max(0.0, deadline - time.monotonic()))
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(answer, Exception) or not answer:
        fix = "check the address, and that you are online"
        raise NotFetched("not-fetched", f"there is no host {host!r}, as far as this computer can find out", fix)
    return answer


_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 5  # a published sheet takes one
_PART = 65_536  # bytes
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;|\r?\n)")


class Downloaded(Struct, frozen=True):
    """The content at an address: its bytes, its type according to the server, and the host that sent it."""

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
    """Return the content at an address.

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
                    kind = answer.headers.get_content_type()
                    return Downloaded(_body(answer, address, most_bytes), kind, address.host)
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
    """Return a TLS connection to one of the IP addresses, checked against the host's name."""
    failed: OSError = TimeoutError()
    for number in numbers:
        try:
            line = socket.create_connection((number, address.port), _seconds_left(deadline))
        except OSError as error:
            failed = error
            continue
        try:
            line.settimeout(_seconds_left(deadline))
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


class _Answer(http.client.HTTPResponse):
    """A response with chunk sizes read strictly by RFC 9112: Python's own takes `-5`, `0x5` and `1_0` as well."""

    def _read_next_chunk_size(self) -> int:
        size = _CHUNK.match(self.fp.readline(_PART))
        if size is None:
            raise http.client.HTTPException
        return int(size[1], 16)


def _seconds_left(deadline: float) -> float:
    """Return the seconds until a deadline. Raises `TimeoutError` if it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


class _Timed(io.RawIOBase):
    """A connection with one deadline for all reads: a server that sends a byte a second gets no more time."""

    def __init__(self, line: socket.socket, deadline: float) -> None:
        super().__init__()
        self._line = line
        self._deadline = deadline

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self._line.settimeout(_seconds_left(self._deadline))
        return self._line.recv_into(buffer)
