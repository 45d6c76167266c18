"""Addresses: https only, no names or passwords; whose number is public; a name is looked up once."""

from __future__ import annotations

import re
import time

import pytest

from duckpress.files.download import Address, NotFetched, checked_numbers, is_public, read_address


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
