"""Decks drawn from pools: which cards a copy has, from the seed of the edition and the copy's own id, and nothing else.

So a copy has the same cards wherever its row stands and whatever rows there are beside it. The stream of chance is
that of deals (`check.deals.chance`); its fields are `edition`, the seed, the game's id, the copy's id, which draw it
is (0, 1, ...: one that does not do is thrown away) and the deck. For each part in turn cards are taken as Fisher and
Yates shuffle: the k-th card is that at a random place from the k-th on, and the two change places.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from duckpress.check.dealing import Chance
from duckpress.content.game.families import TextFiller
from duckpress.core.problems import Problem, ProblemList, Read
from duckpress.model import Card, Deck, Game, Value
from duckpress.model.game import DrawnPart
from duckpress.model.setup import as_name

Dealt = Mapping[str, Sequence[int]]
"""By deck the numbers of the cards drawn, in the order of drawing; one of several copies may be there several times."""

_SEED_LETTERS = 20


class PartPool(Struct, frozen=True):
    """The cards of a deck that may be drawn, by their numbers and as often as there are copies, and how many are."""

    part: DrawnPart
    cards: tuple[int, ...]


class Pools(Struct, frozen=True):
    """What is drawn from, by decks."""

    decks: Mapping[str, tuple[PartPool, ...]]

    def draw(self, seed: str, game_id: str, copy_id: str, attempt: int) -> Dealt:
        """Return the cards of a copy, fewer than are asked for where there are not so many."""
        return {
            deck: _drawn(parts, Chance("edition", seed, game_id, copy_id, attempt, deck))
            for deck, parts in self.decks.items()
        }

    def is_complete(self, dealt: Dealt) -> bool:
        """Return whether as many cards were drawn as asked for: what a part draws may be what a later one needs."""
        return all(len(dealt[deck]) == sum(one.part.count for one in parts) for deck, parts in self.decks.items())


def _drawn(parts: Sequence[PartPool], chance: Chance) -> list[int]:
    drawn: list[int] = []
    for part in parts:
        left = _without(part.cards, drawn) if drawn else list(part.cards)
        for at in range(min(part.part.count, len(left))):
            other = at + chance.below(len(left) - at)
            left[at], left[other] = left[other], left[at]
        drawn += left[: part.part.count]
    return drawn


def _without(cards: Sequence[int], gone: Sequence[int]) -> list[int]:
    """Return cards less those that are gone, one for one."""
    counts, left = Counter(gone), []
    for card in cards:
        if counts[card]:
            counts[card] -= 1
        else:
            left.append(card)
    return left


def pools_of(game: Game) -> Read[Pools]:
    """Return what the decks of a game's copies are drawn from.

    Problems: those of a condition (`bad-expression`, `unknown-name`); `pool-too-small` where a part asks for more cards
    than there are.
    """
    problems = ProblemList()
    plan = game.edition
    decks: dict[str, tuple[PartPool, ...]] = {}
    for id_, parts in plan.draws.items() if plan is not None else ():
        if id_ not in game.decks:
            continue  # the check of the plan tells
        deck, pools = game.decks[id_], []
        for part in parts:
            pool = PartPool(part, problems.take(_fitting(game, deck, part)))
            pools.append(pool)
            if len(pool.cards) < part.count and not problems:
                problems.append(_too_few(deck, pool))
        decks[id_] = tuple(pools)
        asked, there = sum(part.count for part in parts), len(every_card(pools))
        if asked > there and not problems:
            what = f"each copy has {asked} cards of deck {id_!r}, and no more than {there} can be drawn"
            problems.add("pool-too-small", parts[0].source, what, "draw fewer, or add cards")
    return Read(Pools(decks), problems)


def every_card(pools: Sequence[PartPool]) -> list[int]:
    """Return all cards that any part may draw, each as often as there are copies."""
    most = Counter[int]()
    for pool in pools:
        most |= Counter(pool.cards)
    return list(most.elements())


def _too_few(deck: Deck, pool: PartPool) -> Problem:
    part, there = pool.part, len(pool.cards)
    for_which = f" for which {part.where.text!r} is true" if part.where is not None else ""
    what = f"each copy has {part.count} cards of deck {deck.id!r}{for_which}, and there are {there}"
    lacking = part.count - there
    fix = f"draw at most {there}, or add {lacking} card{'s' * (lacking > 1)}" if there else "correct it, or add cards"
    return Problem("pool-too-small", part.source, what, fix)


def _fitting(game: Game, deck: Deck, part: DrawnPart) -> Read[tuple[int, ...]]:
    """Return the numbers of the cards that a part may draw, as often as there are copies."""
    every = [at for at, card in enumerate(deck.cards) for _ in range(card.copies)]
    if part.where is None:
        return Read(tuple(every))
    fits = set[int]()
    filler = TextFiller()
    condition = filler.compile_condition(part.where.text, part.where.source, part.where.inset)
    if isinstance(condition, Problem):
        return Read(tuple(every), [condition])
    for at, card in enumerate(deck.cards):
        holds = filler.holds(condition, {"facts": game.facts, "lists": game.lists, "card": card_record(card)})
        if isinstance(holds, Problem):
            return Read(tuple(every), [holds])
        if holds:
            fits.add(at)
    return Read(tuple(at for at in every if at in fits))


def card_record(card: Card) -> dict[str, Value]:
    """Return a card as expressions know it."""
    return {**card.values, "id": card.id, "copies": card.copies}


def drawn_names(game: Game, seed: str, copy_id: str, attempt: int) -> dict[str, str]:
    """Return the names that chance makes for a copy, by what they are called: a word of each list, spaces between."""
    plan = game.edition
    names = {}
    for name, lists in plan.names.items() if plan is not None else ():
        chance = Chance("edition", seed, game.id, copy_id, attempt, f"name {name}")
        words = [_words(game, one) for one in lists]
        names[as_name(name)] = " ".join(one[chance.below(len(one))] for one in words if one)
    return names


def _words(game: Game, name: str) -> list[str]:
    return [str(record.get("name", record["id"])) for record in game.lists.get(name, {}).values()]


def names_there_are(game: Game, name: str) -> int:
    """Return how many different names chance can make, if no two of its words are joined alike."""
    plan = game.edition
    count = 1
    for one in plan.names[name] if plan is not None else ():
        count *= len(set(_words(game, one)))
    return count


def copy_seed(seed: str, game_id: str, copy_id: str) -> str:
    """Return the seed of a copy's own deal: nobody finds that of the edition, or of another copy, from it."""
    return _hash("duckpress-edition-1", seed, game_id, copy_id).hex()[:_SEED_LETTERS]


def _hash(*fields: str) -> bytes:
    return hashlib.sha256("".join(f"{field}\0" for field in fields).encode("utf-8", "surrogatepass")).digest()
