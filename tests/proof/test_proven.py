"""What was proven is remembered, also on disk: what is used stays, what nobody asks for any more goes."""

from __future__ import annotations

from duckpress.proof.proven import Proven, digest_of

DIGESTS = [digest_of("thing", number) for number in range(60_000)]


def test_parts_do_not_run_into_each_other() -> None:
    assert digest_of(b"ab", b"c") != digest_of(b"a", b"bc")
    assert digest_of("a") != digest_of(b"a")
    assert digest_of(b"a", "b") == digest_of(b"a", "b")
    assert {len(digest) for digest in DIGESTS} == {16}


def test_what_is_proven_is_known_in_the_next_run() -> None:
    first = Proven(b"")
    assert not first.holds(DIGESTS[0])
    first.add(*DIGESTS[:3])
    second = Proven(first.news())
    assert [second.holds(digest) for digest in DIGESTS[:4]] == [True, True, True, False]
    assert second.news() == b"", "nothing is new"
    second.add(DIGESTS[4])
    assert len(second.news()) == 4 * 16
    assert second.news() == b"", "it was just told"


def test_damaged_bytes_count_for_nothing() -> None:
    assert not Proven(b"?" * 37).holds(DIGESTS[0])
    proven = Proven()
    proven.add(DIGESTS[0])
    assert Proven(proven.news() + b"more").holds(DIGESTS[0])


def test_a_branch_goes_on_by_itself() -> None:
    proven = Proven(b"")
    proven.add(DIGESTS[0])
    branch = proven.branch()
    branch.add(DIGESTS[1])
    assert branch.holds(DIGESTS[0])
    assert not proven.holds(DIGESTS[1])


def test_what_was_not_used_for_long_goes_first() -> None:
    proven = Proven(b"")
    proven.add(*DIGESTS[:20_000])
    proven.begin()
    assert all(map(proven.holds, DIGESTS[19_000:20_000]))
    proven.begin()
    assert not proven.holds(DIGESTS[0])
    assert all(map(proven.holds, DIGESTS[19_000:20_000]))
    assert proven.holds(DIGESTS[18_999])
