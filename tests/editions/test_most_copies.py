"""How many copies there can be, held against counting them all."""

from __future__ import annotations

from itertools import combinations

import pytest

from duckpress.check.editions.card_pools import PartPool, Pools
from duckpress.core.problems import Source
from duckpress.editions.draws import DecksApart, most_copies
from duckpress.model.game import DrawnPart


def pools(cards: str, count: int) -> Pools:
    """Return a pool with a card for each letter; equal letters are copies of one card."""
    letters = sorted(set(cards))
    numbers = tuple(letters.index(letter) for letter in sorted(cards))
    return Pools({"deck": (PartPool(DrawnPart(count, None, Source("game.yaml")), numbers),)})


@pytest.mark.parametrize(("cards", "count"), [("abcde", 2), ("aabbc", 3), ("aaab", 2), ("abc", 3), ("aabbccdd", 4)])
def test_different_decks_are_counted(cards: str, count: int) -> None:
    every = {tuple(sorted(hand)) for hand in combinations(sorted(cards), count)}
    assert most_copies(pools(cards, count), 1) == len(every)


def largest(cards: str, count: int, apart: int) -> int:
    """Return how many decks can be that differ so much, by trying all sets of them."""
    hands = [frozenset(hand) for hand in combinations(cards, count)]

    def most(chosen: int, left: list[frozenset[str]]) -> int:
        best = chosen
        for at, hand in enumerate(left):
            if chosen + len(left) - at <= best:
                break
            best = max(best, most(chosen + 1, [one for one in left[at + 1 :] if len(hand - one) >= apart]))
        return best

    return most(0, hands)


@pytest.mark.parametrize(
    ("cards", "count", "apart"), [("abcdef", 3, 2), ("abcdef", 2, 2), ("abcde", 3, 3), ("abcdefg", 3, 2)]
)
def test_no_more_decks_are_that_far_apart_than_the_bound(cards: str, count: int, apart: int) -> None:
    assert largest(cards, count, apart) <= most_copies(pools(cards, count), apart)


def test_the_bound_is_met_by_the_fano_plane() -> None:
    assert most_copies(pools("abcdefg", 3), 2) == 7 == largest("abcdefg", 3, 2)


def test_decks_cannot_differ_in_more_cards_than_they_have() -> None:
    assert most_copies(pools("abcdef", 2), 3) == 1


@pytest.mark.parametrize("apart", [1, 2, 3, 4])
def test_decks_that_are_too_near_are_found_as_by_comparing_all(apart: int) -> None:
    pool = pools("aabbccddee", 4)
    decks = DecksApart(pool, apart)
    taken: list[list[int]] = []
    for number in range(300):
        hand = pool.draw("seed", "game", str(number), 0)["deck"]
        is_near = any(
            sum(max(0, hand.count(card) - other.count(card)) for card in set(hand)) < apart for other in taken
        )
        assert decks.add({"deck": hand}) is not is_near
        if not is_near:
            taken.append(list(hand))
    assert 1 <= len(taken) < 300
