"""The generator of chance: pinned to numbers that its documentation gives, computed here a second time."""

from __future__ import annotations

import hashlib
from collections import Counter

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


def test_a_seed_is_the_same_however_its_accents_are_written() -> None:
    assert Chance("é").below(1 << 60) == Chance("e\u0301").below(1 << 60)


def test_the_fields_of_a_key_do_not_run_together() -> None:
    assert Chance("1", "12").below(1 << 60) != Chance("11", "2").below(1 << 60)


def test_every_number_is_as_likely() -> None:
    chance = Chance("even")
    counts = Counter(chance.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    # Five standard deviations of 1000 in 6000; the numbers are always the same, so this never fails by chance.
    assert all(abs(count - 1000) < 5 * (6000 * 5 / 36) ** 0.5 for count in counts.values())


def test_every_order_of_three_is_as_likely() -> None:
    chance = Chance("orders")
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(3000):
        items = [1, 2, 3]
        chance.shuffle(items)
        counts[tuple(items)] += 1
    assert len(counts) == 6
    assert all(abs(count - 500) < 5 * (3000 * 5 / 36) ** 0.5 for count in counts.values())


def test_numbers_beyond_the_largest_multiple_are_thrown_away() -> None:
    limit = (1 << 63) + 1  # a little more than half of all numbers are below it
    chance = Chance("rejected")
    expected = [number for number in words(b"duckpress-deal-1\0rejected\0", 40) if number < limit]
    assert [chance.below(limit) for _ in range(10)] == expected[:10]


def test_a_number_that_is_the_largest_multiple_itself_is_thrown_away() -> None:
    first, second = words(b"duckpress-deal-1\0at the edge\0", 2)
    assert second < first
    assert first > 1 << 63  # so that the largest multiple of this limit is the limit
    assert Chance("at the edge").below(first) == second


def test_half_a_letter_in_a_seed_is_written_as_it_is() -> None:
    assert Chance("\udc80").below(1 << 64) == words(b"duckpress-deal-1\0\xed\xb2\x80\0", 1)[0]
