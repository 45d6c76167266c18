"""An address as somebody wrote it -> the host, and which of its machines may be asked.

A name can stand for a machine in your own network (a router, a printer, this computer), and a stranger may have chosen
it for that. So a name is looked up once, every address that comes back has to be public, and the connection is made to
one of those very addresses: no second look-up can lead elsewhere.
"""

from __future__ import annotations

import ipaddress
import queue
import re
import socket
import threading
import time
from collections.abc import Callable
from urllib.parse import quote, urljoin, urlsplit

from msgspec import Struct

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


class NotFetched(Exception):
    """A file that cannot be had from an address: the words of a problem."""

    def __init__(self, code: str, what: str, fix: str) -> None:
        super().__init__(what)
        self.code = code
        self.what = what
        self.fix = fix


class Address(Struct, frozen=True):
    """An `https` address, taken apart."""

    host: str
    port: int
    target: str  # the path and what is asked, as a request has them

    @property
    def authority(self) -> str:
        """The host and, where it is not the usual one, the port."""
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
    """Return whether a number is a machine's on the public internet, also where an older number is inside of it."""
    address = ipaddress.ip_address(number.partition("%")[0])
    if any(address in network for network in _OF_IPV4):
        address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _SPECIAL_4)
    return address in _GLOBAL_6 and not any(address in network for network in _SPECIAL_6)


def checked_numbers(address: Address, deadline: float, resolve: Resolve, *, allow_private: bool) -> list[str]:
    """Return the numbers of an address's host, each of them allowed.

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
    """Return the numbers of a host, as the system finds them. Raises `OSError`."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def _within(look_up: Callable[[], list[str]], host: str, deadline: float) -> list[str]:
    """Return what a look-up finds until a moment: the system's own may wait for long, and cannot be stopped."""
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
