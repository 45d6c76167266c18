"""What a copy has, made once more as docs/editions.md says how chance is made, without the program."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

import pytest

from bingo import FILES, copier_of
from duckpress.check.copy_games import copy_seed
from duckpress.model.game import Copy
from running import MakeWorkspace as Make

MOODS, BIRDS = ["brave", "calm", "bold"], ["duck", "teal", "coot"]


def fields(*words: object) -> bytes:
    return "".join(f"{word}\0" for word in words).encode()


def stream(*words: object) -> Callable[[int], int]:
    """Return what gives numbers below others, as docs/deals.md says."""

    def numbers() -> Iterator[int]:
        block = 0
        while True:
            digest = hashlib.sha256(fields("duckpress-deal-1", *words) + block.to_bytes(8, "big")).digest()
            yield from (int.from_bytes(digest[at : at + 8], "big") for at in (0, 8, 16, 24))
            block += 1

    every = numbers()
    return lambda limit: next(one for one in every if one < 2**64 - 2**64 % limit) % limit


def taken(cards: list[int], count: int, below: Callable[[int], int]) -> list[int]:
    for at in range(count):
        other = at + below(len(cards) - at)
        cards[at], cards[other] = cards[other], cards[at]
    return cards[:count]


@pytest.mark.parametrize("seed", ["seed", "another"])
@pytest.mark.parametrize(("id_", "attempt"), [("ann", 0), ("ann", 1), ("bob", 0)])
def test_cards_and_names_are_those_of_the_page(make_workspace: Make, seed: str, id_: str, attempt: int) -> None:
    copier, copy = copier_of(make_workspace(FILES), seed), Copy(id_, 1, 2, {})
    below = stream("edition", seed, "bingo", id_, attempt, "number")
    assert copier.dealt(copy, attempt) == {"number": taken([*range(6)], 2, below) + taken([*range(6, 12)], 3, below)}
    below = stream("edition", seed, "bingo", id_, attempt, "name team")
    assert copier.names(copy, attempt) == {"team": f"{MOODS[below(3)]} {BIRDS[below(3)]}"}


def test_a_part_takes_of_what_those_before_it_left(make_workspace: Make) -> None:
    """Of a card that is there twice, one that was taken leaves one."""
    deck = FILES["content/bingo/decks/number.yaml"].replace('n: "{{ n }}"}', 'n: "{{ n }}", copies: 2}')
    game = FILES["content/bingo/game.yaml"].replace('{where: "card.n <= 6", count: 2}', "12")
    files = {**FILES, "content/bingo/decks/number.yaml": deck, "content/bingo/game.yaml": game}
    copier = copier_of(make_workspace(files))
    for number in range(9):
        below = stream("edition", "seed", "bingo", str(number), 0, "number")
        first = taken([at // 2 for at in range(24)], 12, below)
        left = [at // 2 for at in range(12, 24)]
        for card in first:
            if card in left:
                left.remove(card)
        assert copier.dealt(Copy(str(number), 1, 1, {}), 0)["number"] == first + taken(left, min(3, len(left)), below)


def test_the_seed_of_a_deal_is_that_of_the_page() -> None:
    """Packets on tables are dealt by it, so it never changes."""
    said = hashlib.sha256(fields("duckpress-edition-1", "seed", "bingo", "ann")).hexdigest()[:20]
    assert copy_seed("seed", "bingo", "ann") == said
