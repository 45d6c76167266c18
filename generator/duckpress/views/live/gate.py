"""Who is let in to a page that is served on this computer, and from where.

Any page of the internet, and any program of this computer, can send requests to it. So an address with a key that
nobody can guess opens it, once for each browser: the key is exchanged for a cookie that no script can read and that no
other site makes the browser send. The cookie holds for a folder whose name is as hard to guess: browsers send cookies
to every port of a computer, and another server on it would be asked for its own folders only. A `Host` that is not
ours is a name that somebody lets point here (DNS rebinding). What acts also needs a key that only the page's own
script has, and an `Origin` that is the page itself.

Sources: Jupyter Server (`check_host`, token), CVE-2025-24010 (Vite), OWASP's notes on cross-site requests.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from urllib.parse import parse_qs

from msgspec import Struct

SAME_SITE = ("none", "same-origin")  # typed, opened by another program, or asked by the page itself
_NO_KEY = "open the address with the key that duckpress shows in the terminal"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Connection": "close",
}
"""What every answer says, whatever it is."""


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


class Gate:
    """The keys of one run; `page_key` is for what acts."""

    def __init__(self, port: int, key: str) -> None:
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self._key = key
        self._ticket = secrets.token_urlsafe(24)
        self._room = secrets.token_urlsafe(12)
        self._cookie = f"duckpress-{port}={secrets.token_urlsafe(24)}"
        self.page_key = secrets.token_urlsafe(24)
        self.ticket_address = f"http://{self._hosts[0]}/?key={self._ticket}"
        """Opens the page once: other people of this computer may see what a browser is started with."""

    def check_first_line(self, asked: PageRequest) -> None:
        """Raise `Turned` for a request whose first line has neither the key nor the folder's name, as hard to guess.

        Before anything else is read: what it costs to read a request is not spent on a stranger.
        """
        folder = f"/{self._room}/"
        if not _same(asked.path[: len(folder)], folder) and not (asked.path == "/" and self._key_in(asked.query)):
            raise Turned(403, _NO_KEY)

    def admit(self, asked: PageRequest) -> str:
        """Return the name of the requested file; empty where the browser brings the key. Raises `Turned`."""
        headers = asked.headers
        if headers.get("host") not in self._hosts:
            raise Turned(421, "this is not the computer that was asked for")
        if headers.get("sec-fetch-site", "none") not in SAME_SITE:
            raise Turned(403, "another site has asked for this")
        if asked.method not in ("GET", "POST"):
            raise Turned(405, "only GET and POST")
        if asked.method == "GET" and asked.path == "/" and (given := self._key_in(asked.query)):
            self._ticket = "" if given == self._ticket else self._ticket  # used up
            return ""
        if not _same(_cookie(headers.get("cookie", ""), self._cookie.partition("=")[0]), self._cookie):
            raise Turned(403, _NO_KEY)
        if not asked.path.startswith(f"/{self._room}/"):
            raise Turned(404, "there is nothing of that name")
        if asked.method == "POST":
            self._check_act(asked)
        return asked.path.removeprefix(f"/{self._room}/") or "index.html"

    def entrance(self) -> dict[str, str]:
        """Return the headers that let a browser in."""
        return {
            "Location": f"/{self._room}/",
            "Set-Cookie": f"{self._cookie}; HttpOnly; SameSite=Strict; Path=/{self._room}/",
        }

    def _check_act(self, asked: PageRequest) -> None:
        headers = asked.headers
        if headers.get("origin") != f"http://{headers['host']}":
            raise Turned(403, "another site has asked for this")
        if not _same(headers.get("duckpress-key", ""), self.page_key):
            raise Turned(403, "the key of the page is missing")
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise Turned(415, "send JSON")

    def _key_in(self, query: str) -> str:
        """Return the key, or the ticket, that a query has; empty where it has neither."""
        try:
            (given,) = parse_qs(query, strict_parsing=True, max_num_fields=1)["key"]
        except (ValueError, KeyError):
            return ""
        return next((key for key in (self._key, self._ticket) if key and _same(given, key)), "")


def _cookie(cookies: str, name: str) -> str:
    """Return a cookie with its name; empty where there is none, or more than one."""
    own = [one for one in map(str.strip, cookies.split(";")) if one.startswith(f"{name}=")]
    return own[0] if len(own) == 1 else ""


def _same(given: str, key: str) -> bool:
    return secrets.compare_digest(given.encode(), key.encode())
