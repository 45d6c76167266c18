"""Access control of a page served on this computer: who may connect, and what the page may do.

Any page of the internet, and any program of this computer, can send requests to it. So an address with a key that
nobody can guess opens it, once for each browser: the key is exchanged for a cookie that no script can read and that no
other site makes the browser send. The cookie holds for a folder whose name is as hard to guess: browsers send cookies
to every port of a computer, and another server on it would be asked for its own folders only. A `Host` that is not
ours is a name that somebody lets point here (DNS rebinding). What acts also needs a key that only the page's own
script has, and an `Origin` that is the page itself.

Sources: Jupyter Server (`check_host`, token), CVE-2025-24010 (Vite), OWASP's notes on cross-site requests.

A page can open a place of a file in the designer's own editor, and print. The editor is what the designer names on the
command line: a program with its arguments, or an address such as `vscode://file{file}:{line}:{column}`, which the page
follows. The program gets a list of arguments, no shell ever reads them. The page says `file:line:column` and nothing
else; only plain files of the workspace itself are opened.

Printing is the usual build, in a process of its own. The page chooses by words that the command line knows; each goes
to the program as one argument (`--paper=a4`), so that no value can pass for an option. What else a page may say is
refused. The files that were made can be looked at, by the names that the build told, until the next ones are made.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import shutil
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

from msgspec import Struct

from duckpress.files.workspace import ROOMS, Refused, Workspace
from duckpress.store import read_whole

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
    """A refused request: the status, and words for a person."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


class PageRequest(Struct, frozen=True):
    """A request: `path` begins with a slash and is not decoded; names of `headers` are in lower case."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str] = {}
    body: bytes = b""


class Gate:
    """The keys of one run; `page_key` is required for actions."""

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
        """Raise `Turned` for a request whose first line has neither the key nor the secret folder name.

        Before anything else is read: what it costs to read a request is not spent on a stranger.
        """
        folder = f"/{self._room}/"
        if not _same(asked.path[: len(folder)], folder) and not (asked.path == "/" and self._key_in(asked.query)):
            raise Turned(403, _NO_KEY)

    def admit(self, asked: PageRequest) -> str:
        """Return the name of the requested file; empty for a request with the key. Raises `Turned`."""
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
        """Return the headers that give a browser access."""
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
        """Return the key, or the ticket, in a query, or empty."""
        try:
            (given,) = parse_qs(query, strict_parsing=True, max_num_fields=1)["key"]
        except (ValueError, KeyError):
            return ""
        return next((key for key in (self._key, self._ticket) if key and _same(given, key)), "")


def _cookie(cookies: str, name: str) -> str:
    """Return a cookie by its name; empty if there is none, or more than one."""
    own = [one for one in map(str.strip, cookies.split(";")) if one.startswith(f"{name}=")]
    return own[0] if len(own) == 1 else ""


def _same(given: str, key: str) -> bool:
    return secrets.compare_digest(given.encode(), key.encode())


_ADDRESS = re.compile("[a-z][a-z0-9+.-]*://")
_PLACE = re.compile("([^:]+)(?::([0-9]{1,9}))?(?::([0-9]{1,9}))?")
_PROGRAMS_OF_PAGES = ("http", "https", "javascript", "data", "file", "blob", "about", "view-source", "ws", "wss")
_FILE = "{file}"


class BadEditor(Exception):
    """An invalid way to open files: the words say why."""


class Editor:
    """How to open a file: by a `command` with arguments, or by an `address` that the page follows."""

    def __init__(self, command: Sequence[str] = (), address: str = "") -> None:
        self.command = tuple(command)
        self.address = address

    @property
    def is_named(self) -> bool:
        return bool(self.command or self.address)

    def open(self, root: Path, place: str) -> str:
        """Open a place; return the address that the page must follow, or empty.

        Raises `Refused` for a place that is not in a file of the workspace, and `BadEditor`.
        """
        if not self.is_named:
            raise BadEditor("no editor is named: start with --editor")
        file, line, column = place_in(root, place)
        if self.address:
            return _filled(self.address, quote(file.as_posix()), line, column)
        arguments = [_filled(argument, str(file), line, column) for argument in self.command]
        try:
            editor = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise BadEditor(f"{arguments[0]} cannot be started: {error.strerror}") from error
        threading.Thread(target=editor.wait, daemon=True).start()  # an editor may be open all evening
        return ""


def read_editor(words: str, root: Path) -> Editor:
    """Return the editor from its words on the command line. Raises `BadEditor`."""
    scheme = _ADDRESS.match(words)
    if scheme is not None:
        if scheme[0].removesuffix("://") in _PROGRAMS_OF_PAGES:
            raise BadEditor(f"{scheme[0]} opens a page, not an editor")
        if _FILE not in words:
            raise BadEditor("the address has to say {file}")
        return Editor(address=words)
    try:
        program, *arguments = shlex.split(words, posix=os.name == "posix") or [""]
    except ValueError as error:
        raise BadEditor(f"that is no command: {error}") from error
    found = shutil.which(program)
    if found is None:
        raise BadEditor(f"there is no program {program!r}")
    found = str(Path(found).absolute())
    if any(Path(place).is_relative_to(os.path.realpath(root)) for place in (found, os.path.realpath(found))):
        raise BadEditor(f"{program!r} lies in the workspace: files of a game are not run")
    if not any(_FILE in argument for argument in arguments):
        arguments.append(_FILE)
    return Editor((found, *arguments))


def place_in(root: Path, place: str) -> tuple[Path, str, str]:
    """Return file, line and column of a place in a file of the workspace. Raises `Refused`."""
    match = _PLACE.fullmatch(place)
    if match is None:
        raise Refused("outside-workspace", f"{place!r} is no place in a file", "say file:line:column")
    name = match[1]
    parts = name.split("/")
    Workspace(root).read(name, "art-file")  # the door for files: it looks whether it is a plain one, and inside
    real = Path(os.path.realpath(root / name))
    is_own = real == Path(os.path.realpath(root), name) and parts[0] in ROOMS
    if not is_own or any(part.startswith("-") for part in parts):
        raise Refused("outside-workspace", f"{name!r} is no plain file of the workspace", "open it yourself")
    return real, match[2] or "1", match[3] or "1"


def _filled(words: str, file: str, line: str, column: str) -> str:
    values = {_FILE: file, "{line}": line, "{column}": column}
    return re.sub(r"\{(?:file|line|column)\}", lambda match: values[match[0]], words)


_LISTS = ("piece", "paper")
_WORDS = ("backs", "turn", "gaps", "cut", "ink", "lang", "printer", "sleeve", "finish")
_SWITCHES = ("gang", "cover")
_MOST_WORDS = 60  # values in a list
_LONGEST = 200  # letters
_MOST_BYTES = 512_000_000  # of a file that is looked at


class BadChoice(Exception):
    """An invalid choice of the page."""


class PrintAction:
    """Runs builds for the page, one at a time; `command` is the program with the workspace and the game."""

    def __init__(self, command: Sequence[str], out: str) -> None:
        self._command = tuple(command)
        self._out = out
        self._at_work = threading.Lock()
        self._printed: dict[str, Path] = {}

    def print(self, choices: Mapping[str, Any]) -> dict[str, Any]:
        """Return a build's JSON output and exit status. Raises `BadChoice`, and `BlockingIOError` if one is running."""
        arguments = chosen_arguments(choices)
        if not self._at_work.acquire(blocking=False):
            raise BlockingIOError
        try:
            done = subprocess.run(
                [*self._command, f"--out={self._out}", *arguments, "--format=json"],
                stdin=subprocess.DEVNULL, capture_output=True, check=False,
            )  # fmt: skip
        finally:
            self._at_work.release()
        words = done.stderr.decode("utf-8", "replace").strip()
        try:
            report = json.loads(done.stdout)
        except ValueError:
            return {"status": done.returncode, "said": words, "games": [], "problems": []}
        folders = [(Path(game["folder"]), game["files"]) for game in report.get("games", [])]
        self._printed = {name: folder / name for folder, names in folders for name in names}
        return {"status": done.returncode, "said": words, **report}

    def printed(self, name: str) -> bytes | None:
        """Return a file of the last build, or None if it has none of that name, or no longer."""
        try:
            return read_whole(self._printed[name], _MOST_BYTES)
        except (KeyError, OSError):
            return None


def chosen_arguments(choices: Mapping[str, Any]) -> list[str]:
    """Return the choices of a page as arguments. Raises `BadChoice`."""
    arguments = []
    for name, value in choices.items():
        if name in _SWITCHES and isinstance(value, bool):
            arguments += [f"--{name}"] if value else []
        elif name in _LISTS and isinstance(value, list) and 0 < len(value) <= _MOST_WORDS:
            arguments.append(f"--{name}={','.join(_word(name, one) for one in value)}")
        elif name in _WORDS:
            arguments.append(f"--{name}={_word(name, value)}")
        else:
            raise BadChoice(f"{name!r} cannot be chosen like that")
    return arguments


def _word(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST or not value.isprintable():
        raise BadChoice(f"that is no {name}")
    return value
