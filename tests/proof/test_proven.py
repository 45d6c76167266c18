"""What is proven is known by a hash of all its parts."""

from __future__ import annotations

from duckpress.proof.file_proof import digest_of

DIGESTS = [digest_of("thing", number) for number in range(60_000)]


def test_parts_do_not_run_into_each_other() -> None:
    assert digest_of(b"ab", b"c") != digest_of(b"a", b"bc")
    assert digest_of("a") != digest_of(b"a")
    assert digest_of(b"a", "b") == digest_of(b"a", "b")
    assert {len(digest) for digest in DIGESTS} == {16}
