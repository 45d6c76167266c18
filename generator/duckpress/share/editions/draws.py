"""The draw of each copy: the first whose deck passes the check of the game, and is not too similar to another.

All of it is known before anything is printed. Copies are compared in an order that follows from the seed and their ids,
not from their rows, so that a row that is added or moved changes no other copy; only where two copies come too near to
each other one of them is drawn again."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from duckpress.check import check_game
from duckpress.check.all_findings import findings_of_game, rules_key
from duckpress.check.copy_games import CopyGames, Dealt, Pools, copy_seed, drawn_names, every_card, names_there_are
from duckpress.core.problems import Level, Problem, ProblemList, Read, has_errors
from duckpress.files.memo import key_of
from duckpress.model import Game
from duckpress.model.game import Copy
from duckpress.pool.parallel import in_parts, jobs, shares

TRIES = 100
"""Draws that are tried for one copy; where so many fail, the constraints leave next to nothing."""

_COPIES_A_PART = 50
_NOBODY = Copy("sample", 1, 1, {})


class CopyDraw(NamedTuple):
    """The draw of a copy: for its decks, and for its names, counted from 0."""

    decks: int = 0
    names: int = 0


class Copier(Struct, frozen=True):
    """Makes the games of the copies of one edition, from its seed."""

    games: CopyGames
    pools: Pools
    seed: str
    findings: dict[str, Sequence[Problem]] = field(default_factory=dict)  # of the last game whose rules were checked

    def game(self, copy: Copy, draw: CopyDraw) -> Read[Game]:
        """Return the game of a copy for one of its draws. Problems: those of its fields."""
        return self.games.game_of(copy, self.dealt(copy, draw.decks), self.names(copy, draw.names))

    def name(self, copy: Copy, draw: CopyDraw) -> Read[str]:
        """Return the name on the sheets of a copy. Problems: those of its expressions."""
        return self.games.name_of(copy, self.dealt(copy, draw.decks), self.names(copy, draw.names))

    def dealt(self, copy: Copy, attempt: int) -> Dealt:
        return self.pools.draw(self.seed, self.games.game.id, copy.id, attempt)

    def names(self, copy: Copy, attempt: int) -> dict[str, str]:
        return drawn_names(self.games.game, self.seed, copy.id, attempt)

    def sample(self, dealt: Dealt | None = None) -> Game:
        """Return the game of a sample copy, with the game's own fields; by default its cards are drawn."""
        dealt = self.pools.draw(self.seed, self.games.game.id, _NOBODY.id, 0) if dealt is None else dealt
        return replace(self.games, texts={}).game_of(_NOBODY, dealt, {}).value

    def every_card(self, copies: Sequence[Copy], draws: Sequence[CopyDraw]) -> list[dict[str, list[int]]]:
        """Return all drawn cards once: in one deal the cards that a copy has once, then twice, ..."""
        cards: dict[int, dict[str, set[int]]] = {}
        for copy, draw in zip(copies, draws, strict=True):
            for deck, numbers in self.dealt(copy, draw.decks).items():
                for number, count in Counter(numbers).items():
                    decks = cards.setdefault(count, {id_: set() for id_ in self.pools.decks})
                    decks[deck].add(number)
        return [
            {deck: sorted(numbers) * count for deck, numbers in decks.items()} for count, decks in sorted(cards.items())
        ]

    def first_sound(self, copy: Copy, attempt: int = 0) -> tuple[int, list[Problem]]:
        """Return the first draw from `attempt` on whose game passes its check, and the reasons if none does."""
        first: list[Problem] = []
        for number in range(attempt, attempt + TRIES):
            if not self.pools.is_complete(self.dealt(copy, number)):
                continue
            game, problems = self.game(copy, CopyDraw(number))
            if has_errors(problems):
                return number, list(problems)  # another draw would not mend a field
            errors = [one for one in self._check(game) if one.level is Level.ERROR]
            if not errors:
                return number, []
            first = first or errors
            if not self.pools.decks:
                return number, errors
        return attempt, [self._none_sound(copy, first), *first]

    def _none_sound(self, copy: Copy, first: Sequence[Problem]) -> Problem:
        plan = self.games.game.edition
        assert plan is not None
        what = f"copy {copy.id!r}: none of {TRIES} decks that were drawn passes the check"
        what += "; the first one fails as follows" if first else ": parts of 'deal' leave too few for those behind them"
        return Problem("pool-too-small", plan.at("draws"), what, "draw other cards, or correct what is expected")

    def _check(self, game: Game) -> Sequence[Problem]:
        if self.pools.decks:
            return check_game(game)
        of_game = findings_of_game(game)
        key = key_of(rules_key(game), of_game)
        if key not in self.findings:
            self.findings.clear()
            self.findings[key] = check_game(game, of_game=of_game)
        return self.findings[key]


def planned(copier: Copier, copies: Sequence[Copy]) -> Read[list[CopyDraw]]:
    """Return the draw of each copy, in the order of the copies.

    Problems: `pool-too-small` where there are fewer decks or names than copies, so far apart, or where chance finds
    none; those of the fields and of the check of a copy.
    """
    problems = ProblemList(_impossible(copier, len(copies)))
    if problems:
        return Read([], problems)
    parts = shares(len(copies), -(-len(copies) // _COPIES_A_PART))
    work = in_parts(lambda at: [copier.first_sound(copies[one]) for one in parts[at]], len(parts), jobs())
    found = [one for part in work for one in part]
    problems += _merged_problems([wrong for _, wrong in found if wrong])
    if problems:
        return Read([], list(dict.fromkeys(problems)))
    keys = [copy_seed(copier.seed, copier.games.game.id, copy.id) for copy in copies]
    order = sorted(range(len(copies)), key=keys.__getitem__)
    decks = problems.take(_decks_apart(copier, copies, order, [number for number, _ in found]))
    names = problems.take(_own_names(copier, copies, order))
    return Read(list(map(CopyDraw, decks, names)), problems)


def _merged_problems(wrong: Sequence[list[Problem]]) -> list[Problem]:
    """Return problems of copies; if decks cannot be found, only the first one's, with the number of copies."""
    without = [problems for problems in wrong if problems[0].code == "pool-too-small"]
    merged = [problem for problems in wrong if problems[0].code != "pool-too-small" for problem in problems]
    if without:
        first, *rest = without[0]
        others = f"{len(without)} copies find no deck; " if len(without) > 1 else ""
        merged += [first._replace(what=f"{others}{first.what}"), *rest]
    return merged


_FEWER_DECKS = "print fewer, draw from more cards, or let them be nearer ('apart')"
_FEWER_NAMES = "print fewer, or add words to the lists"


def _impossible(copier: Copier, count: int) -> list[Problem]:
    """Return why so many copies cannot differ enough, if counting shows it."""
    game, plan = copier.games.game, copier.games.game.edition
    problems: list[Problem] = []
    if plan is None:
        return problems
    most = most_copies(copier.pools, plan.apart)
    if plan.apart and count > most:
        what = f"{count} copies are asked for, and at most {most} can differ in {_cards(plan.apart)}"
        problems.append(Problem("pool-too-small", plan.at("apart"), what, _FEWER_DECKS))
    for name in plan.names:
        most = names_there_are(game, name)
        if count > most:
            what = f"{count} copies are asked for, and the lists make {most} different names for {name!r}"
            problems.append(Problem("pool-too-small", plan.at("names"), what, _FEWER_NAMES))
    return problems


def _decks_apart(copier: Copier, copies: Sequence[Copy], order: Sequence[int], draws: list[int]) -> Read[list[int]]:
    """Return the draws of decks; a deck too similar to an earlier one is drawn again."""
    plan = copier.games.game.edition
    decks = DecksApart(copier.pools, plan.apart if plan is not None else 0)
    draws = list(draws)
    for at in order:
        copy = copies[at]
        for _ in range(TRIES):
            if decks.add(copier.dealt(copy, draws[at])):
                break
            draws[at], problems = copier.first_sound(copy, draws[at] + 1)
            if problems:
                return Read(draws, problems)
        else:
            assert plan is not None
            what = f"copy {copy.id!r} of {len(copies)}: none of {TRIES} draws is far enough from all other copies"
            if plan.apart:
                most = most_copies(copier.pools, plan.apart)
                what += f"; there are at most {most} that differ in {_cards(plan.apart)}"
            return Read(draws, [Problem("pool-too-small", plan.at("apart"), what, _FEWER_DECKS)])
    return Read(draws)


def _own_names(copier: Copier, copies: Sequence[Copy], order: Sequence[int]) -> Read[list[int]]:
    """Return the draws of names; a name of an earlier copy is drawn again."""
    draws = [0] * len(copies)
    taken: set[tuple[str, str]] = set()
    for at in order:
        copy = copies[at]
        for number in range(TRIES):
            names = set(copier.names(copy, number).items())
            if not names & taken:
                draws[at] = number
                taken |= names
                break
        else:
            plan = copier.games.game.edition
            assert plan is not None
            what = f"copy {copy.id!r} of {len(copies)}: none of {TRIES} names made for it is free"
            return Read(draws, [Problem("pool-too-small", plan.at("names"), what, _FEWER_NAMES)])
    return Read(draws)


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"


_MOST_COUNTED = 10**30
"""Far more copies than anybody prints: what is above it need not be told apart."""


class DecksApart:
    """The decks of copies as bit sets: a card with k drawn copies is its first k bits.

    Two decks of n cards that differ in fewer than d differ on at most 2d - 2 cards of the pool, counted in both. So of
    2d - 1 groups into which the pool is parted there is one on which they are equal: only decks that are equal on a
    group are compared. With d = 1 that is one group, and a look into a table.
    """

    def __init__(self, pools: Pools, apart: int) -> None:
        self._apart = apart
        self._places: dict[tuple[str, int], int] = {}
        place = 0
        for deck, parts in pools.decks.items():
            for card, copies in Counter(every_card(parts)).items():
                self._places[deck, card] = place
                place += copies
        count = 2 * apart - 1
        self._groups = [sum(1 << bit for bit in range(at, place, count)) for at in range(count)]
        self._seen: list[dict[int, list[int]]] = [{} for _ in self._groups]

    def add(self, dealt: Dealt) -> bool:
        """Add a deck, unless it is too similar to an earlier one; return whether it was added."""
        if not self._apart:
            return True
        bits = self._bits(dealt)
        near: set[int] = set()
        for group, seen in zip(self._groups, self._seen, strict=True):
            near.update(seen.get(bits & group, ()))
        if any((bits & ~other).bit_count() < self._apart for other in near):
            return False
        for group, seen in zip(self._groups, self._seen, strict=True):
            seen.setdefault(bits & group, []).append(bits)
        return True

    def _bits(self, dealt: Dealt) -> int:
        bits = 0
        for deck, numbers in dealt.items():
            for card, copies in Counter(numbers).items():
                bits |= ((1 << copies) - 1) << self._places[deck, card]
        return bits


def most_copies(pools: Pools, apart: int) -> int:
    """Return the highest number of copies of which any two differ in `apart` cards; with 0 or 1, in any card.

    For whole decks of different cards this is exact with `apart` 1. Where several parts may draw the same cards, or
    cards have copies, it is a bound. For more cards: two decks of n cards that differ in d have at most n - d in
    common, so no set of n - d + 1 cards is in both, and each deck uses up C(n, n - d + 1) of those there are.
    Source: the packing bound of Johnson and Schönheim in its simplest form.
    """
    most = 1
    for parts in pools.decks.values():
        most = min(_MOST_COUNTED, most * math.prod(_hands(part.cards, part.part.count) for part in parts))
    cards = sum(len(every_card(parts)) for parts in pools.decks.values())
    drawn = sum(part.part.count for parts in pools.decks.values() for part in parts)
    if 1 < apart <= drawn:
        common = drawn - apart + 1
        most = min(most, math.comb(cards, common) // math.comb(drawn, common))
    elif apart > drawn:
        most = min(most, 1)
    return min(most, _MOST_COUNTED)


def _hands(cards: Sequence[int], count: int) -> int:
    """Return the number of different hands of so many cards; cards with one number are alike.

    It is a coefficient of the product of 1 + x + ... + x^c over all cards, c their copies.
    """
    copies = Counter(cards)
    if max(copies.values(), default=1) == 1:
        return math.comb(len(copies), count)
    ways = [1] + [0] * count
    for most in copies.values():
        for size in range(count, 0, -1):
            ways[size] += sum(ways[max(0, size - most) : size])
    return ways[count]
