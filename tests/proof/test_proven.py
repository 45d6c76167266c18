"""What was proven is remembered, also on disk: what is used stays, what nobody asks for any more goes."""

from __future__ import annotations

from duckpress.files.memo import Pack
from duckpress.proof.proven import Proven, digest_of

DIGESTS = [digest_of("thing", number) for number in range(60_000)]


def test_parts_do_not_run_into_each_other() -> None:
    assert digest_of(b"ab", b"c") != digest_of(b"a", b"bc")
    assert digest_of("a") != digest_of(b"a")
    assert digest_of(b"a", "b") == digest_of(b"a", "b")
    assert {len(digest) for digest in DIGESTS} == {16}


def test_what_is_proven_is_known_in_the_next_run() -> None:
    pack = Pack()
    first = Proven(pack)
    assert not first.holds(DIGESTS[0])
    first.add(*DIGESTS[:3])
    second = Proven(Pack(pack.news()))
    assert [second.holds(digest) for digest in DIGESTS[:4]] == [True, True, True, False]


def test_a_branch_goes_on_by_itself() -> None:
    proven = Proven()
    proven.add(DIGESTS[0])
    branch = proven.branch()
    branch.add(DIGESTS[1])
    assert branch.holds(DIGESTS[0])
    assert not proven.holds(DIGESTS[1])
