"""Downloads from a server of our own, within a size and a time; addresses, and whose numbers are public."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from duckpress.files.download import Address, Downloaded, NotFetched, checked_numbers, download, is_public, read_address
from local_server import Answer, NoTls, page, serving

pytestmark = pytest.mark.usefixtures("loopback")

Send = Callable[[bytes], None]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n"


def fetched(answer: Answer, path: str = "/x.csv", seconds: float = 3, most: int = 1000, **more: Any) -> Downloaded:
    """Return what is fetched from a server that answers so; private addresses are allowed unless a test says."""
    with serving(answer) as port:
        more = {"allow_private": True, "resolve": lambda *_: ["127.0.0.1"], "tls": NoTls(), **more}
        return download(f"https://sheets.example:{port}{path}", most, seconds, **more)


def refused(answer: Answer, **more: Any) -> NotFetched:
    with pytest.raises(NotFetched) as error:
        fetched(answer, **more)
    return error.value


def always(data: bytes) -> Answer:
    return lambda _, send: send(data)


def test_a_file_is_fetched_with_its_kind() -> None:
    asked: list[str] = []

    def answer(path: str, send: Send) -> None:
        asked.append(path)
        send(page(b"id,name\n", "text/csv; charset=utf-8"))

    assert fetched(answer, "/pub?output=csv") == Downloaded(b"id,name\n", "text/csv", "sheets.example")
    assert asked == ["/pub?output=csv"]


def chunked(*sizes: str) -> bytes:
    """Return an answer of chunks of five bytes, each with its size as it is written."""
    chunks = "".join(f"{size}\r\nid,na\r\n" for size in sizes)
    return HEAD + f"Transfer-Encoding: chunked\r\n\r\n{chunks}0\r\n\r\n".encode()


LENGTHS = ("-5", "1e5", "9" * 5_000, "5, 5", "\u0665")  # none of them is a length


@pytest.mark.parametrize(
    "data",
    [
        HEAD + b"\r\nid,na", *map(chunked, ("5", "5;a=b", "5\t;x", "05")),
        *(HEAD + f"Content-Length: {length}\r\n\r\nid,na".encode() for length in LENGTHS),
    ],
)  # fmt: skip
def test_it_may_come_in_chunks_or_to_the_end_of_the_line(data: bytes) -> None:
    assert fetched(always(data)).data == b"id,na"
    assert fetched(always(chunked("5", "5"))).data == b"id,naid,na"
    assert len(fetched(always(page(b"x" * 1000))).data) == 1000, "as much as may be"


def test_redirects_are_followed_within_https() -> None:
    def answer(path: str, send: Send) -> None:
        send(page(b"id\n") if path == "/there" else page(b"", "x/y", "Location: /there", status="307 Temporary"))

    assert fetched(answer).data == b"id\n"


def test_private_addresses_are_not_asked_not_even_once() -> None:
    asked: list[str] = []
    error = refused(lambda path, _: asked.append(path), allow_private=False)
    assert (error.code, asked) == ("address-refused", [])
    assert "sheets.example is 127.0.0.1" in error.what
    assert "--allow-private" in error.fix


def test_a_redirect_to_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A public server leads on to a router: the first name is public here, and its line leads to our server."""
    places = {"sheets.example": ["8.8.8.8"], "router.example": ["192.168.1.1"]}
    with serving(always(page(b"", "x/y", "Location: https://router.example/", status="302 Found"))) as port:
        asked: list[Any] = []
        connect = socket.create_connection

        def local(place: tuple[str, int], seconds: float) -> socket.socket:
            asked.append(place)
            return connect(("127.0.0.1", port), seconds)

        monkeypatch.setattr(socket, "create_connection", local)
        with pytest.raises(NotFetched, match=r"router\.example is 192\.168\.1\.1"):
            download("https://sheets.example/", 100, 3, tls=NoTls(), resolve=lambda host, _: places[host])  # type: ignore[arg-type]
    assert asked == [("8.8.8.8", 443)]


def test_a_name_that_changes_its_number_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: the second answer would be private, and nobody asks for it: the line goes to the checked one."""
    answers = iter([["8.8.8.8"], ["127.0.0.1"]])
    asked: list[Any] = []

    def refuse(place: tuple[str, int], _: float) -> socket.socket:
        asked.append(place)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(socket, "create_connection", refuse)
    with pytest.raises(NotFetched, match="cannot be asked: connection refused"):
        download("https://sheets.example/", 100, 3, tls=NoTls(), resolve=lambda *_: next(answers))  # type: ignore[arg-type]
    assert asked == [("8.8.8.8", 443)]


def endless(head: bytes, part: bytes, pause: float = 0) -> Answer:
    """Send until nobody listens any more."""

    def answer(_: str, send: Send) -> None:
        send(head)
        while True:
            send(part)
            time.sleep(pause)

    return answer


@pytest.mark.parametrize("head", [HEAD + b"Content-Length: 999\r\n\r\n", HEAD + b"X-Slow: ", b""])
def test_a_slow_answer_takes_no_longer_than_may_be(head: bytes) -> None:
    """A letter now and then, in the body, in the head or before anything, gives no more time."""
    began = time.monotonic()
    assert refused(endless(head, b"x", 0.02), seconds=0.2).what == "sheets.example took more than 0.2 seconds"
    assert time.monotonic() - began < 2.5


@pytest.mark.parametrize(
    "answer",
    [
        endless(HEAD + b"\r\n", b"x" * 5000),
        endless(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"5\r\nabcde\r\n"),
        always(HEAD + b"Content-Length: 2000\r\n\r\n"),
        always(page(b"x" * 1001)),
    ],
    ids=["no end", "no last chunk", "said to be large", "one more"],
)
def test_what_is_too_large_is_not_read_to_its_end(answer: Answer) -> None:
    assert refused(answer).what == "what sheets.example sends is larger than 1k bytes"


@pytest.mark.parametrize(
    "data",
    [
        HEAD + b"Content-Length: 20\r\n\r\nid,name",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n9\r\nid,",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X-Many: 1\r\n" * 200 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 70_000 + b"\r\n\r\n",
        b"",
    ],
)
def test_half_an_answer_is_none(data: bytes) -> None:
    assert "sheets.example" in refused(always(data)).what


SIZES = ["-5", "0x5", "1_0", " 5", "", "5 5", "\u0665", "8000000000000000", "f" * 60_000, "0" * 70_000 + "5"]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: repr(size[:20]))
def test_a_chunk_of_a_strange_size_is_no_answer(size: str) -> None:
    """`-5` was a traceback; the other signs that Python takes for numbers are none in HTTP."""
    error = refused(always(chunked("5", size)))
    assert (error.code, error.what) == ("not-fetched", "sheets.example gives no proper answer, or breaks off")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (page(b"id\n", status="404 Not Found"), "nothing"),
        (page(b"id\n", status="401 No"), "password"),
        (page(b"id\n", status="500 Oh"), "500"),
        (page(b"\x1f\x8b", "text/csv", "Content-Encoding: gzip"), "compressed"),
        (page(b"", "x/y", "Location: /on", status="301 Moved"), "sheets.example leads on and on, 5 times so far"),
    ],
)
def test_what_is_no_file_is_told(answer: bytes, words: str) -> None:
    assert words in refused(always(answer)).what


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate of the server")
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=sheets.example"
    more = ["-addext", "subjectAltName=DNS:sheets.example", "-keyout", str(path), "-out", f"{path}.crt"]
    subprocess.run(["openssl", *words.split(), *more], check=True, capture_output=True)
    path.write_bytes(path.read_bytes() + Path(f"{path}.crt").read_bytes())
    return path


def over_tls(certificate: Path, host: str, trusted: ssl.SSLContext | None, data: bytes) -> Downloaded:
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate)
    with serving(always(data), served) as port:
        here: Callable[[str, int], list[str]] = lambda *_: ["127.0.0.1"]  # noqa: E731
        return download(f"https://{host}:{port}/", 100, 3, allow_private=True, tls=trusted, resolve=here)


def test_a_server_proves_who_it_is(certificate: Path) -> None:
    trusted = ssl.create_default_context(cafile=certificate)
    assert over_tls(certificate, "sheets.example", trusted, page(b"id\n")).data == b"id\n"
    with pytest.raises(NotFetched, match=r"does not prove that it is other\.example"):
        over_tls(certificate, "other.example", trusted, page(b"id\n"))
    with pytest.raises(NotFetched, match=r"does not prove that it is sheets\.example"):
        over_tls(certificate, "sheets.example", None, page(b"id\n"))


def test_a_line_that_is_cut_is_no_end(certificate: Path) -> None:
    """Without a length only the end of the line tells that all came: one that is just cut does not."""
    trusted = ssl.create_default_context(cafile=certificate)
    with pytest.raises(NotFetched):
        over_tls(certificate, "sheets.example", trusted, HEAD + b"\r\nid,name\n")


def test_an_address_is_taken_apart_as_a_request_has_it() -> None:
    assert read_address("https://Docs.Example.org/a/b?c=é#part") == Address("docs.example.org", 443, "/a/b?c=%C3%A9")
    assert read_address("https://xn--mnchen-3ya.example") == read_address("https://münchen.example")
    assert read_address("https://[2001:db8::1]:8443/x").authority == "[2001:db8::1]:8443"
    assert read_address("https://a.example/100%25") == Address("a.example", 443, "/100%25")


def test_a_redirect_is_read_as_an_address_from_where_it_stands() -> None:
    here = read_address("https://a.example/x/y?z")
    assert here.joined("other") == Address("a.example", 443, "/x/other")
    assert here.joined("//b.example/") == Address("b.example", 443, "/")
    for location, what in (
        ("http://b.example/", "a.example leads to 'http://b.example/', not https"),
        ("https://me:secret@b.example/", "a name or password"), ("https://[", "which is none"),
    ):  # fmt: skip
        with pytest.raises(NotFetched, match=re.escape(what)) as refused:
            here.joined(location)
        assert refused.value.code == "address-refused"


@pytest.mark.parametrize(
    "text",
    [
        "http://a.example/", "ftp://a.example/", "file:///etc/passwd", "a.example/x", "", "https://", "https:///x",
        "https://me:secret@a.example/", "https://a.example:99999/", "https://a.example/a b", "https://a.example\\@b/",
        "https://a.example/\r\nHost: b", "https://" + "a" * 70 + ".example/", "https://a.example/" + "x" * 3000,
        "https://[::1/", "javascript:alert(1)",
    ],
)  # fmt: skip
def test_what_is_no_plain_https_address_is_refused(text: str) -> None:
    with pytest.raises(NotFetched) as refused:
        read_address(text)
    assert refused.value.code == "address-refused"
    assert "secret" not in refused.value.what
    assert len(refused.value.what) < 250


PRIVATE = (
    # The first and the last of networks, and numbers inside of others.
    "0.0.0.0", "0.255.255.255", "10.1.2.3", "100.64.0.0", "100.127.255.255", "127.0.0.1", "169.254.169.254",
    "172.16.0.0", "172.31.255.255", "192.0.0.192", "192.0.2.255", "192.31.196.1", "192.52.193.1", "192.88.99.1",
    "192.168.1.1", "192.175.48.1", "198.19.255.255", "198.51.100.1", "203.0.113.9", "224.0.0.1", "255.255.255.255",
    "168.63.129.16", "::1", "::", "fe80::1%eth0", "fdff::1", "ff02::1", "::127.0.0.1", "::8.8.8.8", "1::1",
    "::ffff:127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::168.63.129.16", "64:ff9b:1::7f00:1",
    "2001::1", "2001:1ff:ffff::", "2001:db8::1", "2002:808:808::", "2620:4f:8000::1", "3fff:fff::1", "4000::1",
)  # fmt: skip
PUBLIC = (
    "8.8.8.8", "142.250.1.1", "2a00:1450:4001::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "1.0.0.0", "9.255.255.255",
    "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "198.20.0.0",
    "223.255.255.255", "168.63.129.17", "2001:200::1", "2001:db9::1", "2003::1", "3fff:1000::1", "2600::",
)  # fmt: skip


def test_which_numbers_are_public() -> None:
    assert [number for number in PRIVATE if is_public(number)] == []
    assert [number for number in PUBLIC if not is_public(number)] == []


HOST = Address("sheets.example", 443, "/")


def numbers(*found: str, allow_private: bool = False) -> list[str]:
    return checked_numbers(HOST, time.monotonic() + 5, lambda *_: list(found), allow_private=allow_private)


def test_every_number_of_a_host_has_to_be_public() -> None:
    assert numbers("8.8.8.8", "2a00:1450:4001::1") == ["8.8.8.8", "2a00:1450:4001::1"]
    with pytest.raises(NotFetched, match=r"sheets\.example is 10\.0\.0\.1, which is no address on the public"):
        numbers("8.8.8.8", "10.0.0.1")
    assert numbers("8.8.8.8", "10.0.0.1", allow_private=True) == ["8.8.8.8", "10.0.0.1"]


def test_a_host_that_nobody_knows_and_a_look_up_that_takes_for_ever_are_told() -> None:
    def unknown(*_: object) -> list[str]:
        raise OSError

    for resolve in (unknown, lambda *_: []):
        with pytest.raises(NotFetched, match="there is no host"):
            checked_numbers(HOST, time.monotonic() + 5, resolve, allow_private=False)

    def slow(*_: object) -> list[str]:
        time.sleep(1)
        return []

    began = time.monotonic()
    with pytest.raises(TimeoutError):
        checked_numbers(HOST, began + 0.05, slow, allow_private=False)
    assert time.monotonic() - began < 0.5
