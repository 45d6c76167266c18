"""Exact odds: in how many ways hands of cards, or dice, meet a condition, in whole numbers and fractions.

A question gives every card a value for each comparison: whether it counts, its field, its number. Cards of the same
values are counted together, kind after kind: so many of them in each hand. Dice that are alike are counted together,
too, face after face: so many of them show it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct

from duckpress.chance.pools import Layers, NotExact, PoolTable
from duckpress.chance.question import COMPARISONS, Comparison, Condition, Figure, Joined, Question
from duckpress.check.setup.counting import CardKey

Values = tuple[Any, ...]  # of a card, one for each comparison; None where a card has none
Counted = tuple[Any, ...]  # what was counted so far, one for each comparison
MOST_HANDS = 2
MOST_DICE = 1_000
_MOST_WORK = 400_000  # ways looked at: about half a second


class Figures(Struct, frozen=True):
    """The comparisons of a question, and the field by whose values cards are counted in groups."""

    condition: Condition
    comparisons: tuple[Comparison, ...]
    field: str

    @staticmethod
    def of(question: Question) -> Figures:
        comparisons = tuple(question.comparisons())
        return Figures(
            question.condition, comparisons, next((one.field for one in comparisons if _is_of_sets(one)), "")
        )

    @property
    def nothing(self) -> Counted:
        return tuple((0, 0) if self._is_in_order(one) else () if _is_of_sets(one) else 0 for one in self.comparisons)

    def order(self, values: Values) -> str:
        """Return a sort key that groups cards by their value of the field."""
        pairs = zip(self.comparisons, values, strict=True)
        return next((repr(value) for one, value in pairs if self._is_in_order(one)), "")

    def add(self, counted: Counted, values: Values, number: int) -> Counted:
        """Return the counts after adding `number` cards with such values."""
        return tuple(map(lambda one, had, value: self._added(one, had, value, number),
                         self.comparisons, counted, values)) if number else counted  # fmt: skip

    def turn(self, counted: Counted) -> Counted:
        """Return the counts after the last card with one value of the field."""
        return tuple(
            had if not self._is_in_order(one) else (max(had) if one.figure is Figure.MOST else sum(had), 0)
            for one, had in zip(self.comparisons, counted, strict=True)
        )

    def holds(self, counted: Counted) -> bool:
        """Return whether the condition is true of the final counts."""
        figures = {}
        for one, had in zip(self.comparisons, self.turn(counted), strict=True):
            if self._is_in_order(one):
                had = had[0]
            elif _is_of_sets(one):
                had = max((count for _, count in had), default=0) if one.figure is Figure.MOST else len(had)
            figures[id(one)] = had
        return self._is_true(self.condition, figures)

    def holds_of(self, cards: Iterable[Values]) -> bool:
        """Return whether the condition is true of some cards, in any order."""
        counted, last = self.nothing, None
        numbers = Counter(cards)
        orders = {values: self.order(values) if self.field else "" for values in numbers}
        for values in sorted(numbers, key=orders.__getitem__) if self.field else numbers:
            if last is not None and orders[values] != last:
                counted = self.turn(counted)
            last = orders[values]
            counted = self.add(counted, values, numbers[values])
        return self.holds(counted)

    def _is_in_order(self, one: Comparison) -> bool:
        return _is_of_sets(one) and one.field == self.field

    def _added(self, one: Comparison, had: Any, value: Any, number: int) -> Any:
        most = max(int(one.number) + 1, 1)  # more of them are all the same to a comparison
        if one.figure is Figure.COUNT:
            return min(had + number, most) if value else had
        if value is None:
            return had
        if one.figure is Figure.SUM:
            return had + number * value
        if one.figure is Figure.MOST and had and had[0] == most:
            return had
        if one.field == self.field:
            return (had[0], 1 if one.figure is Figure.DISTINCT else min(had[1] + number, most))
        counts = dict(had)
        counts[repr(value)] = 1 if one.figure is Figure.DISTINCT else counts.get(repr(value), 0) + number
        return tuple(sorted(counts.items()))

    def _is_true(self, condition: Condition, figures: Mapping[int, Any]) -> bool:
        if isinstance(condition, Joined):
            parts = (self._is_true(part, figures) for part in condition.parts)
            return not next(parts) if condition.word == "not" else (all if condition.word == "and" else any)(parts)
        number = Fraction(str(condition.number))
        return COMPARISONS[condition.compare](figures[id(condition)], number)  # type: ignore[arg-type]


def _is_of_sets(one: Comparison) -> bool:
    return one.figure in (Figure.MOST, Figure.DISTINCT)


Shares = dict[int, tuple[int, ...]]  # pool -> how many of its slots each hand has
Used = tuple[tuple[int, ...], ...]  # of each pool, or kind of dice, how many each hand has so far
Die = tuple[Values, ...]  # what each of its faces is to a question
Share = tuple[tuple[int, ...], int]  # how many each hand may have more, and in how many ways


def hands_from(layers: Layers, sizes: Sequence[int]) -> Iterator[tuple[Fraction, Shares]]:
    """Yield the possible slots of hands drawn one after the other from the top of a place, with the probabilities."""
    ways: list[tuple[Fraction, Shares]] = [(Fraction(1), {})]
    left = list(sizes)
    for layer in layers:
        here, wants = sum(layer.values()), []
        for hand, size in enumerate(left):
            wants.append(min(size, here))
            here -= wants[-1]
            left[hand] -= wants[-1]
        ways = [(weight * more, _joined(shares, dealt)) for weight, shares in ways
                for more, dealt in _distributions(layer, tuple(wants))]  # fmt: skip
    yield from ways


def chance_of(
    table: PoolTable,
    shares: Shares,
    figures: Figures,
    values: Callable[[CardKey], Values],
    is_met: Callable[[list[bool]], bool],
) -> Fraction:
    """Return the probability that hands with such slots meet the condition. Raises `NotExact`."""
    known = {pool: _kinds_of(table, pool, values) for pool in table.pools}
    counting = {
        pool
        for pool, kinds in known.items()
        if kinds and any(figures.add(figures.nothing, kind, 1) != figures.nothing for kind in kinds)
    }
    leaves: dict[tuple[tuple[int, tuple[int, ...]], ...], Fraction] = {}
    for weight, own in _split_pools(table, known, shares):
        key = tuple(sorted((pool, counts) for pool, counts in own.items() if any(counts) and pool in counting))
        leaves[key] = leaves.get(key, Fraction(0)) + weight
    pools = sorted({pool for key in leaves for pool, _ in key})
    hands = len(next(iter(shares.values()), (0,)))
    most = [
        [max((dict(key).get(pool, (0,) * hands)[hand] for key in leaves), default=0) for hand in range(hands)]
        for pool in pools
    ]
    kinds: dict[tuple[str, int, Values], int] = {}
    for place, pool in enumerate(pools):
        for kind, copies in (known[pool] or {}).items():
            kinds[figures.order(kind), place, kind] = copies
    shares_of = cache(lambda copies, room: tuple(_shares(copies, room)))

    def of_cards(place: int, copies: int, used: Used) -> Iterable[Share]:
        return shares_of(copies, tuple(map(int.__sub__, most[place], used[place])))

    met = _ways_by_use(_counted(kinds, len(most), figures, hands, of_cards), figures, is_met)
    chance = Fraction(0)
    for key, weight in leaves.items():
        used = tuple(dict(key).get(pool, (0,) * hands) for pool in pools)
        every = math.prod(_choices(table.pools[pool].size, counts) for pool, counts in zip(pools, used, strict=True))
        chance += weight * Fraction(met.get(used, 0), every)
    return chance


def _kinds_of(table: PoolTable, number: int, values: Callable[[CardKey], Values]) -> dict[Values, int] | None:
    """Return the number of cards of each kind in a pool; None if its slots may hold several kinds."""
    pool, kinds = table.pools[number], dict[Values, int]()
    for key, copies in pool.cards.items():
        kinds[values(key)] = kinds.get(values(key), 0) + copies
    for member, count in pool.slots.items():
        of = _kinds_of(table, member, values)
        if of is None or len(of) != 1:
            return None
        kind = next(iter(of))
        kinds[kind] = kinds.get(kind, 0) + count
    return kinds


def _ways_by_use(
    ways: Mapping[tuple[tuple[Counted, ...], Used], int], figures: Figures, is_met: Callable[[list[bool]], bool]
) -> dict[Used, int]:
    """Return how many of the ways meet the condition, by the number of cards from each pool."""
    met: dict[Used, int] = {}
    for (counted, used), number in ways.items():
        if is_met([figures.holds(one) for one in counted]):
            met[used] = met.get(used, 0) + number
    return met


def _counted(
    kinds: Mapping[tuple[str, int, Values], int], pools: int, figures: Figures, hands: int,
    shares_of: Callable[[int, int, Used], Iterable[Share]],
) -> dict[tuple[tuple[Counted, ...], Used], int]:  # fmt: skip
    """Return in how many ways hands with so many cards of each pool reach each result of counting.

    `shares_of` gives for a pool and so many alike cards of it how many of them each hand may have besides what it has.
    Raises `NotExact`.
    """
    none = ((figures.nothing,) * hands, ((0,) * hands,) * pools)
    ways, last, work = {none: 1}, "", 0
    for (order, place, kind), copies in sorted(kinds.items(), key=lambda item: item[0][:2]):
        if order != last:
            turned: dict[tuple[tuple[Counted, ...], Used], int] = {}
            for (counted, used), number in ways.items():
                state = (tuple(figures.turn(one) for one in counted), used)
                turned[state] = turned.get(state, 0) + number
            ways, last = turned, order
        after: dict[tuple[tuple[Counted, ...], Used], int] = {}
        add = cache(lambda counted, share, kind=kind: figures.add(counted, kind, share))
        for (counted, used), number in ways.items():
            for shares, choices in shares_of(place, copies, used):
                work += 1
                more = tuple(map(int.__add__, used[place], shares))
                now = tuple(map(add, counted, shares))
                state = (now, (*used[:place], more, *used[place + 1 :]))
                after[state] = after.get(state, 0) + number * choices
            if work > _MOST_WORK:
                raise NotExact
        ways = after
    return ways


def _shares(copies: int, room: Sequence[int]) -> Iterator[Share]:
    """Yield each distribution of alike cards to hands with limited room, and its number of ways."""
    if not room:
        yield (), 1
        return
    for number in range(min(copies, room[0]) + 1):
        for rest, ways in _shares(copies - number, room[1:]):
            yield (number, *rest), ways * math.comb(copies, number)


def _choices(size: int, counts: Iterable[int]) -> int:
    """Return in how many ways hands of the sizes `counts` can be taken from `size` cards."""
    ways = 1
    for count in counts:
        ways, size = ways * math.comb(size, count), size - count
    return ways


def _distributions(slots: Mapping[int, int], wants: tuple[int, ...]) -> Iterator[tuple[Fraction, Shares]]:
    """Yield how many slots of each pool come to each hand, in every possible way, with its probability."""
    every = _choices(sum(slots.values()), wants)

    def shared(pools: list[tuple[int, int]], left: tuple[int, ...]) -> Iterator[tuple[int, Shares]]:
        if not pools:
            if not any(left):
                yield 1, {}
            return
        (pool, count), rest = pools[0], pools[1:]
        if sum(left) > count + sum(size for _, size in rest):
            return
        for shares, ways in _shares(count, left):
            for more, others in shared(rest, tuple(had - share for had, share in zip(left, shares, strict=True))):
                yield ways * more, {pool: shares, **others}

    for ways, shares in shared(list(slots.items()), wants):
        yield Fraction(ways, every), shares


def _split_pools(
    table: PoolTable, known: Mapping[int, Mapping[Values, int] | None], shares: Shares
) -> Iterator[tuple[Fraction, Shares]]:
    """Yield the slots of hands with mixed pools split into their members, with the probabilities."""
    mixed = next((pool for pool, counts in shares.items() if known[pool] is None and any(counts)), None)
    if mixed is None:
        yield Fraction(1), shares
        return
    rest = {pool: counts for pool, counts in shares.items() if pool != mixed}
    for weight, dealt in _distributions(table.pools[mixed].slots, shares[mixed]):
        for more, leaves in _split_pools(table, known, _joined(rest, dealt)):
            yield weight * more, leaves


def _joined(shares: Shares, more: Shares) -> Shares:
    together = dict(shares)
    for pool, counts in more.items():
        had = together.get(pool, (0,) * len(counts))
        together[pool] = tuple(map(int.__add__, had, counts))
    return together


@lru_cache(maxsize=16)  # it is the same at every player count
def chance_of_roll(dice: tuple[Die, ...], number: int, figures: Figures) -> Fraction:
    """Return the probability that a roll of dice, drawn at random, meets the condition. Raises `NotExact`.

    Dice that are all alike may be more than there are: they are rolled again.
    """
    if len(set(dice)) == 1:
        dice = (dice[0],) * number
    return (_rolled_by_face if figures.field else _rolled_by_die)(dice, number, figures)


def _rolled_by_face(dice: Sequence[Die], number: int, figures: Figures) -> Fraction:
    """Return the probability of a roll, computed face by face: how many dice of each kind show it."""
    numbers = Counter(dice)
    kinds: dict[tuple[str, int, Values], int] = {}
    for place, die in enumerate(numbers):
        for shown, times in Counter(die).items():
            kinds[figures.order(shown), place, shown] = times
    have = list(numbers.values())

    @cache
    def of_dice(place: int, times: int, used: Used) -> list[Share]:
        room = have[place] - used[place][0]
        most = min(room, number - sum(count for (count,) in used))
        return [((count,), math.comb(room, count) * times**count) for count in range(most + 1)]

    chance = Fraction(0)
    for used, ways in _ways_by_use(_counted(kinds, len(have), figures, 1, of_dice), figures, all).items():
        if sum(count for (count,) in used) == number:
            chance += Fraction(ways, math.prod(len(die) ** count for die, (count,) in zip(numbers, used, strict=True)))
    return chance / math.comb(len(dice), number)


def _rolled_by_die(dice: Sequence[Die], number: int, figures: Figures) -> Fraction:
    """Return the probability of a roll, computed die by die: each adds to the counts by itself."""
    every, work = math.lcm(*map(len, dice)), 0
    ways: dict[tuple[int, Counted], int] = {(0, figures.nothing): 1}
    for at, die in enumerate(dice):
        after: dict[tuple[int, Counted], int] = {}
        shown = {values: times * every // len(die) for values, times in Counter(die).items()}
        work += len(ways) * (len(shown) + 1)
        if work > _MOST_WORK:
            raise NotExact
        for (rolled, counted), had in ways.items():
            if rolled + len(dice) - at > number:  # there are enough without this one
                after[rolled, counted] = after.get((rolled, counted), 0) + had
            for values, times in shown.items() if rolled < number else ():
                state = rolled + 1, figures.add(counted, values, 1)
                after[state] = after.get(state, 0) + had * times
        ways = after
    met = sum(had for (_, counted), had in ways.items() if figures.holds(counted))
    return Fraction(met, math.comb(len(dice), number) * every**number)
