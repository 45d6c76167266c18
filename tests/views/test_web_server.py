"""The server of a live page, attacked over real sockets: who gets in, what is served, and what it costs to try."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from duckpress.views.live import web_server
from duckpress.views.live.gate import BadEditor, Editor, PrintAction, read_editor
from duckpress.views.live.web_server import MOST_CONNECTIONS, MOST_LISTENERS, ServedFiles, WebServer
from running import write_files

KEY = "key-of-the-terminal"
OPEN = f"/?key={KEY}".encode()
pytestmark = pytest.mark.usefixtures("loopback")


class Said(NamedTuple):
    """An answer: its status, its headers in small letters, and its body."""

    status: int
    headers: dict[str, str]
    body: bytes


class Served:
    """A server with a few files, and a browser that was let in."""

    def __init__(self, root: Path, editor: Editor) -> None:
        self.files = ServedFiles()
        self.files.put({"index.html": b"<p>page", "data/cards.js": b"cards", "pictures/a1.jpg": b"\xff\xd8"})
        files = ["pond-a4.pdf", "pond-a4-pt-BR.pdf", "pond-link.pdf", "pond-gone.pdf"]
        told = {"folder": str(root / "output"), "files": files}
        say = f"import sys, json; print(json.dumps({{'said': sys.argv[1:], 'games': [{told!r}]}}))"
        printing = PrintAction(["python3", "-c", say], str(root))
        self.server = WebServer(0, KEY, self.files, root, editor, printing)
        self.port = self.server.server_address[1]
        self.host = f"127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def raw(self, data: bytes, patience: float = 5) -> bytes:
        """Return all that is answered to some bytes."""
        with socket.create_connection(("127.0.0.1", self.port), patience) as line:
            line.sendall(data)
            return b"".join(iter(partial(line.recv, 65_536), b""))

    def ask(self, path: str, method: str = "GET", body: bytes = b"", **headers: str | None) -> Said:
        """Return the answer to a request; a header of None is left out."""
        sent = {"Host": self.host, **{name.replace("_", "-"): value for name, value in headers.items()}}
        sent |= {"Content-Length": str(len(body))} if body else {}
        named = (f"{name}: {value}" for name, value in sent.items() if value is not None)
        lines = [f"{method} {path} HTTP/1.1", *named]
        return taken_apart(self.raw(("\r\n".join(lines) + "\r\n\r\n").encode() + body))

    def enter(self) -> tuple[str, str]:
        """Return the cookie and the folder of a browser that brings the key."""
        said = self.ask(f"/?key={KEY}")
        assert said.status == 303
        return said.headers["set-cookie"].partition(";")[0], said.headers["location"]

    def post(self, name: str, about: Any, **headers: str | None) -> Said:
        """Return the answer to what the page's own script asks by POST; `headers` replace its own."""
        cookie, room = self.enter()
        own = {"Cookie": cookie, "Origin": f"http://{self.host}", "Duckpress_Key": self.server.gate.page_key}
        own["Content_Type"] = "application/json"
        return self.ask(f"{room}{name}", "POST", json.dumps(about).encode(), **{**own, **headers})


def taken_apart(answer: bytes) -> Said:
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    pairs = (line.partition(": ") for line in lines)
    return Said(int(status.split()[1]), {name.lower(): value for name, _, value in pairs}, body)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    pdfs = {f"own/output/pond-{name}.pdf": b"%PDF-" for name in ("a4", "a4-pt-BR", "b5")}
    own = {"own/content/pond/game.yaml": "title: Pond\n", "own/content/pond/-x.yaml": "odd", "own/secret.txt": "secret"}
    root = write_files(tmp_path, {**own, **pdfs, "outside.yaml": "secret"}) / "own"
    for link in ("content/pond/link.yaml", "output/pond-link.pdf"):
        (root / link).symlink_to(tmp_path / "outside.yaml")
    return root


@pytest.fixture
def served(workspace: Path) -> Iterator[Served]:
    one = Served(workspace, Editor(address="vscode://file{file}:{line}:{column}"))
    yield one
    one.server.shutdown()
    one.server.server_close()


def test_the_key_is_exchanged_for_a_cookie_that_opens_the_page(served: Served) -> None:
    said = served.ask(f"/?key={KEY}")
    assert said.status == 303
    assert re.fullmatch(
        r"duckpress-\d+=[\w-]{32}; HttpOnly; SameSite=Strict; Path=(/[\w-]{16}/)", said.headers["set-cookie"]
    )
    cookie, room = served.enter()
    page = served.ask(room, Cookie=f"other=1; {cookie}")
    assert (page.status, page.body, page.headers["content-type"]) == (200, b"<p>page", "text/html; charset=utf-8")
    assert served.ask(f"{room}data/cards.js?7", Cookie=cookie).body == b"cards"


def test_the_address_that_a_browser_is_started_with_opens_the_page_once(served: Served) -> None:
    path = "/" + served.server.gate.ticket_address.partition("/?")[2].join(["?", ""])
    assert [served.ask(path).status for _ in range(2)] == [303, 403]


def test_every_answer_is_strict(served: Served) -> None:
    cookie, room = served.enter()
    strict = {"x-content-type-options": "nosniff", "cache-control": "no-store", "referrer-policy": "no-referrer"}
    pages = (served.ask(room, Cookie=cookie), served.ask(room, Host="x"))
    for said in (*pages, served.ask("/"), served.ask(f"/?key={KEY}")):
        policy = said.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'")
        assert ("frame-ancestors 'none'" in policy, "unsafe" in policy) == (True, False)
        assert strict.items() <= said.headers.items()
        assert "access-control-allow-origin" not in said.headers


def test_another_site_and_a_name_that_points_here_are_refused_even_with_the_key(served: Served) -> None:
    cookie, room = served.enter()
    for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200)):
        assert served.ask(room, Cookie=cookie, Sec_Fetch_Site=site).status == status, site
    ours = (f"{name}:{served.port}" for name in ("evil.example", "[::1]", "0.0.0.0"))
    for host in ("evil.example", "127.0.0.1", "127.0.0.1:1", *ours, "", None):
        assert served.ask(f"/?key={KEY}", Host=host).status == 421, host
        assert served.ask(room, Host=host, Cookie=cookie).status == 421, host


def test_without_the_right_key_or_cookie_nothing_is_there(served: Served) -> None:
    for query in ("", "?key=", "?key=wrong", f"?key={KEY}x", f"?key={KEY}&key={KEY}", f"?x={KEY}", "?key"):
        assert served.ask(f"/{query}").status == 403, query
    cookie, room = served.enter()
    name = cookie.partition("=")[0]
    for wrong in (None, "", f"{name}=", f"{cookie}x", f"x{cookie}", f"{name}=1; {cookie}", cookie.partition("=")[2]):
        for path in (room, "/index.html", f"{room}data/cards.js", f"{room}events", f"{room}live.js", "/nowhere/"):
            assert served.ask(path, Cookie=wrong).status == 403
    assert served.ask("/index.html", Cookie=cookie).status == 403, "the cookie holds for the folder alone"


@pytest.mark.parametrize(
    "name",
    [
        "../secret.txt", "..%2fsecret.txt", "/etc/passwd", "content/pond/game.yaml", "data/../index.html",
        "data%2fcards.js", "data//cards.js", "index.html/", "index.html%00.js", "pictures/", "INDEX.HTML",
        "a" * 300 + ".js", "open?at=content/pond/game.yaml", "print",
    ],
)  # fmt: skip
def test_names_are_no_paths_and_get_never_acts(served: Served, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "MADE_WITHIN_S", 0.1)
    cookie, room = served.enter()
    assert served.ask(f"{room}{name}", Cookie=cookie).status == 404


def test_what_is_not_there_is_asked_for_and_what_does_not_exist_is_told(served: Served) -> None:
    cookie, room = served.enter()
    answers: list[Said] = []
    asking = [
        threading.Thread(target=lambda name=name: answers.append(served.ask(f"{room}{name}", Cookie=cookie)))
        for name in ("pictures/b2.jpg", "pictures/none.jpg")
    ]
    for one in asking:
        one.start()
    wanted: set[str] = set()
    while len(wanted) < 2:
        wanted |= set(served.files.wanted(1))
    assert wanted == {"pictures/b2.jpg", "pictures/none.jpg"}
    served.files.put({"pictures/b2.jpg": b"b2", "pictures/none.jpg": None})
    for one in asking:
        one.join(5)
    assert sorted((one.status, one.body[:2]) for one in answers) == [(200, b"b2"), (404, b"th")]
    assert served.files.wanted(0) == []


BAD_REQUESTS: dict[str, tuple[bytes, int]] = {
    "no request": (b"hello\r\n\r\n", 400),
    "another version": (b"GET / HTTP/2.0\r\nHost: {host}\r\n\r\n", 400),
    "an address of a proxy": (b"GET http://{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n", 400),
    "a long address": (b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\nHost: {host}\r\n\r\n", 400),
    "two hosts": (b"GET {open} HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n", 400),
    "a header in two lines": (b"GET {open} HTTP/1.1\r\nHost: {host}\r\n more\r\n\r\n", 400),
    "a space before the colon": (b"GET {open} HTTP/1.1\r\nHost : {host}\r\n\r\n", 400),
    "huge headers": (b"GET {open} HTTP/1.1\r\n" + b"X: " + b"x" * 100_000 + b"\r\n\r\n", 431),
    "headers without end": (b"GET {open} HTTP/1.1\r\n" + b"X: x\r\n" * 20_000, 431),
    "chunks": (b"POST {open} HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    "a negative length": (b"POST {open} HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n", 400),
    "a huge body": (b"POST {open} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999\r\n\r\n", 413),
    "a body that is read": (b"GET {open} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\n\r\nhello", 400),
    "HEAD": (b"HEAD {open} HTTP/1.1\r\nHost: {host}\r\nRange: bytes=0-1\r\n\r\n", 405),
}


@pytest.mark.parametrize("name", BAD_REQUESTS)
def test_doubtful_requests_are_refused_and_without_key_by_their_first_line(served: Served, name: str) -> None:
    """The end of the head is never waited for: whoever has no key is refused as soon as the first line is there."""
    data, status = BAD_REQUESTS[name]
    data = data.replace(b"{host}", served.host.encode())
    assert taken_apart(served.raw(data.replace(b"{open}", OPEN))).status == status
    first = data.replace(b"{open}", b"/").partition(b"\r\n")[0]
    assert taken_apart(served.raw(first + b"\r\n")).status == (403 if b"{open}" in data else 400)


@pytest.mark.parametrize("value", [b" \t" * 7_000, b"x" + b"\t " * 7_000])
def test_a_head_made_to_hurt_costs_nobody_anything(served: Served, value: bytes) -> None:
    """Blanks before a byte that no header may have took a minute, in which nobody else was answered."""
    began = time.process_time()
    assert taken_apart(served.raw(b"GET %b HTTP/1.1\r\nX:%b\x01\r\n\r\n" % (OPEN, value))).status == 400
    assert time.process_time() - began < 1


def test_a_slow_client_is_sent_away_and_holds_up_nobody(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "PATIENCE_S", 0.3)
    with socket.create_connection(("127.0.0.1", served.port), 5) as slow:
        slow.sendall(b"GET %b HTTP/1.1\r\n" % OPEN)
        assert served.ask("/").status == 403
        began = time.monotonic()
        assert taken_apart(b"".join(iter(partial(slow.recv, 1000), b""))).status == 408
        assert time.monotonic() - began < 2


REFUSED = (ConnectionError, IndexError, ValueError)


def test_connections_beyond_the_most_are_closed(served: Served) -> None:
    lines = [socket.create_connection(("127.0.0.1", served.port), 5) for _ in range(MOST_CONNECTIONS)]
    time.sleep(0.1)
    with pytest.raises(REFUSED):
        served.ask("/")
    for line in lines:
        line.close()
    until = time.monotonic() + 5
    status = 0
    while status != 403:
        assert time.monotonic() < until, "no room was made"
        with contextlib.suppress(REFUSED):
            status = served.ask("/").status


def test_listeners_get_the_newest_news_and_there_are_only_so_many(served: Served) -> None:
    cookie, room = served.enter()
    head = f"GET {room}events HTTP/1.1\r\nHost: {served.host}\r\nCookie: {cookie}\r\n\r\n".encode()
    served.files.put({}, news=b"old")
    served.files.put({}, news=b"1")
    lines = []
    for _ in range(MOST_LISTENERS):
        line = socket.create_connection(("127.0.0.1", served.port), 5)
        line.sendall(head)
        lines.append(line)
    for line in lines:
        assert heard(line, b"data: 1\n\n")
    assert served.ask(f"{room}events", Cookie=cookie).status == 503
    served.files.put({}, news=b"2")
    for line in lines:
        assert heard(line, b"data: 2\n\n")
        line.close()


def heard(line: socket.socket, wanted: bytes) -> bool:
    said = b""
    while wanted not in said and (part := line.recv(4096)):
        said += part
    return wanted in said


def test_what_acts_needs_origin_key_and_cookie(served: Served) -> None:
    place = {"at": "content/pond/game.yaml:1:1"}
    assert served.post("open", place).status == 200
    for name, values in {
        "Origin": (None, "null", "http://evil.example", "http://localhost:1"), "Duckpress_Key": (None, "wrong"),
        "Cookie": (None,), "Sec_Fetch_Site": ("cross-site",),
    }.items():  # fmt: skip
        for value in values:
            assert served.post("open", place, **{name: value}).status == 403, (name, value)


def test_what_acts_takes_json_alone(served: Served) -> None:
    assert served.post("open", {}, Content_Type="text/plain").status == 415
    assert served.post("open", ["a list"]).status == 400
    cookie, room = served.enter()
    own = {"Cookie": cookie, "Origin": f"http://{served.host}", "Content_Type": "application/json"}
    deep = (b'{"a":' * 3_000, b"[" * 16_000, b'{"a":' * 1_500 + b"1" + b"}" * 1_500)
    for body in (*deep, b'{"a": "\xff"}', b'{"a', b""):
        said = served.ask(f"{room}open", "POST", body, Duckpress_Key=served.server.gate.page_key, **own)
        assert (said.status, said.body) == (400, b"that is no JSON object"), body[:20]
    assert served.post("elsewhere", {}).status == 404
    assert served.post("open", {"at": 3}).status == 400


NO_PLACES = (
    "../outside.yaml:1:1", "/etc/passwd:1:1", "content/pond/link.yaml:1:1", "content/pond/-x.yaml", "secret.txt:1",
    "content/pond", "content/pond/none.yaml:2:1", "content/pond/game.yaml:x", "content/pond/game.yaml:1:1\n", "",
)  # fmt: skip


def test_only_plain_files_of_the_workspace_are_opened_and_only_their_place_is_told(
    served: Served, workspace: Path
) -> None:
    for place in NO_PLACES:
        assert served.post("open", {"at": place}).status == 400, place
    told = json.loads(served.post("open", {"at": "content/pond/game.yaml:3:7"}).body)
    assert told == {"address": f"vscode://file{workspace.resolve().as_posix()}/content/pond/game.yaml:3:7"}


def test_the_editor_gets_a_list_of_arguments_and_no_shell(workspace: Path, tmp_path: Path) -> None:
    odd = workspace / "content/pond/a b; touch x $(touch y) {line}.yaml"
    odd.write_text("title: odd\n")
    log = tmp_path / "log"
    script = f"import sys, pathlib; pathlib.Path({str(log)!r}).write_text(repr(sys.argv[1:]))"
    editor = read_editor(f'python3 -c "{script}" --goto {{file}}:{{line}}:{{column}} {{line}}', workspace)
    editor.open(workspace, f"content/pond/{odd.name}:4")
    until = time.monotonic() + 10
    while not log.exists() or not log.read_text():
        assert time.monotonic() < until
        time.sleep(0.02)
    assert log.read_text() == repr(["--goto", f"{odd.resolve()}:4:1", "4"])


def test_what_is_no_editor_is_refused(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = workspace / "content/run"
    run.write_text("#!/bin/sh\n")
    run.chmod(0o755)
    monkeypatch.chdir(workspace.parent)
    addresses = ("http://x/{file}", "javascript://{file}", "vscode://file")
    for words in ("none-such-program {file}", *addresses, "'open", "own/content/run", "", " "):
        with pytest.raises(BadEditor):
            read_editor(words, workspace)


def test_only_files_that_the_page_has_printed_are_served(served: Served) -> None:
    cookie, room = served.enter()
    assert served.ask(f"{room}printed/pond-a4.pdf", Cookie=cookie).status == 404
    assert served.post("print", {}).status == 200
    said = served.ask(f"{room}printed/pond-a4.pdf", Cookie=cookie)
    assert (said.status, said.body, said.headers["content-type"]) == (200, b"%PDF-", "application/pdf")
    assert served.ask(f"{room}printed/pond-a4-pt-BR.pdf", Cookie=cookie).status == 200
    assert served.ask(f"{room}printed/pond-a4.pdf").status == 403
    for name in ("pond-b5.pdf", "pond-link.pdf", "pond-gone.pdf", "../secret.txt", "..%2fsecret.txt", "", "pond-a4"):
        assert served.ask(f"{room}printed/{name}", Cookie=cookie).status == 404, name


def test_what_is_printed_is_chosen_by_words_that_cannot_be_options(served: Served, workspace: Path) -> None:
    told = json.loads(served.post("print", {"piece": ["cards", "--out=/"], "paper": ["a4"], "gang": True}).body)
    assert told["said"] == [f"--out={workspace}", "--piece=cards,--out=/", "--paper=a4", "--gang", "--format=json"]
    odd = ({"piece": []}, {"paper": "a4"}, {"ink": 3}, {"lang": "a\nb"}, {"gang": "x"})
    for wrong in ({"out": "/"}, {"force": True}, *odd):
        assert served.post("print", wrong).status == 400, wrong
