"""The generator of chance: pinned to numbers that its documentation gives, computed here a second time."""

from __future__ import annotations

import hashlib

from duckpress.check.dealing import ALGORITHM, Chance

GOLDEN_NUMBERS = [37, 30, 76, 20, 25, 50, 40, 86, 0, 16, 94, 40]
GOLDEN_ORDER = [3, 6, 7, 10, 1, 4, 9, 5, 2, 8]


def words(key: bytes, count: int) -> list[int]:
    """Return the 64-bit numbers of a stream, as docs/deals.md says."""
    found: list[int] = []
    block = 0
    while len(found) < count:
        digest = hashlib.sha256(key + block.to_bytes(8, "big")).hexdigest()
        found += [int(digest[at : at + 16], 16) for at in range(0, 64, 16)]
        block += 1
    return found[:count]


def test_the_numbers_are_those_of_the_description() -> None:
    key = b"duckpress-deal-1\0candle\0a-game\x0010\0\0seats\0"
    chance = Chance("candle", "a-game", 10, "", "seats")
    assert [chance.below(1 << 64) for _ in range(9)] == words(key, 9)


def test_the_numbers_never_change() -> None:
    chance = Chance("candle", "a-game", 10, "", "seats")
    assert ALGORITHM == "duckpress-deal-2"
    assert [chance.below(100) for _ in range(12)] == GOLDEN_NUMBERS
    order = list(range(1, 11))
    Chance("candle", "a-game", 10, "", "seats").shuffle(order)
    assert order == GOLDEN_ORDER


def test_a_key_is_its_fields_apart_and_in_one_form() -> None:
    assert Chance("é").below(1 << 60) == Chance("e\u0301").below(1 << 60)
    assert Chance("1", "12").below(1 << 60) != Chance("11", "2").below(1 << 60)
    assert Chance("\udc80").below(1 << 64) == words(b"duckpress-deal-1\0\xed\xb2\x80\0", 1)[0]  # half a letter


def test_numbers_beyond_the_largest_multiple_are_thrown_away() -> None:
    limit = (1 << 63) + 1  # a little more than half of all numbers are below it
    chance = Chance("rejected")
    expected = [number for number in words(b"duckpress-deal-1\0rejected\0", 40) if number < limit]
    assert [chance.below(limit) for _ in range(10)] == expected[:10]
    # So is the largest multiple itself.
    first, second = words(b"duckpress-deal-1\0at the edge\0", 2)
    assert second < first
    assert first > 1 << 63  # so that the largest multiple of this limit is the limit
    assert Chance("at the edge").below(first) == second
