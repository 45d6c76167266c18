"""Question -> odds at a player count and in a variant: exact if possible, else from many simulated setups.

What even simulated tables of `pools` do not do (places of teams and numbers, `per`, choices) is dealt on the tables of
playouts, of which no round is played.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from msgspec import Struct

from duckpress.chance.exact import MOST_DICE, MOST_HANDS, Die, Figures, Values, chance_of, chance_of_roll, hands_from
from duckpress.chance.game_table import in_box
from duckpress.chance.playing import Player
from duckpress.chance.pools import NotExact, PoolTable, RandomTable, lay_out, transfers_to
from duckpress.chance.question import (
    FACE,
    Comparison,
    Figure,
    LooksAt,
    Question,
    faces_of,
    named_face,
    number_of,
    values_of,
)
from duckpress.check.expressions import Stopped
from duckpress.check.setup.counting import CardKey
from duckpress.check.setup.moves import Transfer, scene_of
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.tabletop import Cell, Table, Tabletop
from duckpress.core.problems import Problem
from duckpress.expressions.parsing import ExpressionError
from duckpress.model.setup import Amount, Rounds

RUNS = 10_000
_Z = 1.959963984540054  # of the normal distribution, for 95 %


class Odds(Struct, frozen=True):
    """A probability; from a simulation, with its 95 % interval."""

    question: str
    players: int
    variant: str | None
    probability: Fraction
    method: str  # `exact` or `simulated`
    runs: int
    low: Fraction
    high: Fraction


def odds_of(
    book: Book, question: Question, players: int, variant: str | None, *, runs: int = RUNS, seed: str = ""
) -> Odds | Problem:
    """Return the odds of a checked question; a problem if its setup cannot be computed."""
    asking = _Asking(book, question, players, variant)
    try:
        try:
            chance = asking.exact()
            return Odds(question.text, players, variant, chance, "exact", 0, chance, chance)
        except (NotExact, Stopped) as other:
            if isinstance(other, Stopped) and other.problem is not None:
                raise
            numbers = f"{seed}/{players}/{variant}/{question.text}"
        try:
            hits = asking.simulated(runs, random.Random(numbers))
        except (NotExact, Stopped) as other:
            if isinstance(other, Stopped) and other.problem is not None:
                raise
            hits = asking.dealt(runs, random.Random(numbers))
    except Stopped as stopped:
        if stopped.problem is not None:
            return stopped.problem._replace(game=book.game.id)
        what, fix = "the setup cannot be computed, so there are no odds", "correct what `duckpress check` says"
    except ExpressionError as error:
        what, fix = error.what, error.fix
    else:
        low, high = wilson(hits, runs)
        return Odds(question.text, players, variant, Fraction(hits, runs), "simulated", runs, low, high)
    problem = Problem("bad-question", book.setup.source, what, fix, players=players, variant=variant, game=book.game.id)
    return problem.headed


def wilson(met: int, runs: int) -> tuple[Fraction, Fraction]:
    """Return the 95 % interval of an observed share. Source: E. B. Wilson, JASA 22 (1927), 209-212."""
    share, square = met / runs, _Z * _Z
    middle = share + square / (2 * runs)
    half = _Z * math.sqrt(share * (1 - share) / runs + square / (4 * runs * runs))
    low, high = ((middle + sign * half) / (1 + square / runs) for sign in (-1, 1))
    return Fraction(max(0.0, low)) if met else Fraction(0), Fraction(min(1.0, high)) if met < runs else Fraction(1)


class _Asking(Struct):
    """A question at one player count and in one variant."""

    book: Book
    question: Question
    players: int
    variant: str | None
    plan: list[Transfer] | None = None

    def exact(self) -> Fraction:
        """Return the probability. Raises `NotExact`."""
        question, figures = self.question, Figures.of(self.question)
        if question.draw is LooksAt.ROLL:
            return chance_of_roll(*self._dice(), figures)
        tables = lay_out(PoolTable(self.book, self.players, self.variant))
        self.plan = transfers_to(tables[0].transfers, (question.place,)) if len(tables) == 1 else None
        chance = Fraction(0)
        for table in tables:
            scene = scene_of(table)
            values = self._values(scene)
            cells = self._cells(table)
            if question.draw is LooksAt.HANDS:
                sizes = self._sizes(scene.number(self._amount), table.count(cells[0]))
                if len(sizes) > MOST_HANDS:
                    raise NotExact
                ways = list(hands_from(table.layers(cells[0]), sizes))
            else:
                if len(cells) > MOST_HANDS:
                    raise NotExact
                slots = [Counter[int]() for _ in cells]
                for held, cell in zip(slots, cells, strict=True):
                    for layer in table.layers(cell):
                        held.update(layer)
                pools = dict.fromkeys(pool for held in slots for pool in held)
                ways = [(Fraction(1), {pool: tuple(held[pool] for held in slots) for pool in pools})]
            for weight, shares in ways:
                chance += table.weight * weight * chance_of(table, shares, figures, values, self._is_met)
        return chance

    def simulated(self, runs: int, chance: random.Random) -> int:
        """Return how many of `runs` simulated setups, or rolls, meet the question's condition."""
        figures, hits = Figures.of(self.question), 0
        if self.question.draw is LooksAt.ROLL:
            dice, number = self._dice()
            for _ in range(runs):
                self.book.spend(1 + number // 16)
                rolled = chance.sample(dice, number) if number <= len(dice) else dice[:1] * number
                hits += figures.holds_of(map(chance.choice, rolled))
            return hits
        values: Callable[[CardKey], Values] | None = None
        for _ in range(runs):
            table = RandomTable(self.book, self.players, self.variant, random=chance)
            if self.plan is not None:
                for transfer in self.plan:
                    table.moved(transfer)
            else:
                lay_out(table)
            scene = scene_of(table)
            if values is None or self.plan is None:
                values = self._values(scene)
            cells = self._cells(table)
            hands = [table.cards(*cell) for cell in cells]
            if self.question.draw is LooksAt.HANDS:
                sizes, cards = self._sizes(scene.number(self._amount), len(hands[0])), hands[0]
                starts = [sum(sizes[:at]) for at in range(len(sizes))]
                hands = [cards[start : start + size] for start, size in zip(starts, sizes, strict=True)]
            hits += self._is_met([figures.holds_of(map(values, hand)) for hand in hands])
        return hits

    def dealt(self, runs: int, chance: random.Random) -> int:
        """Return how many of `runs` setups with all kinds of steps meet the question's condition. Raises `Stopped`."""
        book, question, comparisons = self.book, self.question, tuple(self.question.comparisons())
        player = Player(book, Rounds((), None, {}, False, {}, {}, book.setup.source), self.players, self.variant)
        formulas, figures, hits = player.formulas, Figures.of(question), 0
        fitting = [formulas.fitting(one.where) if one.where is not None else None for one in comparisons]
        size = formulas.number(self._amount) if question.size is not None else None
        # Where not everybody has such a place, those with cards are meant.
        is_for_some = any(step.place == question.place and step.when is not None for step in book.steps(self.variant))
        for _ in range(runs):
            book.calculator.budget.begin()
            table = player.set_up(str(chance.getrandbits(64)))
            name = in_box(question.place) if table.is_deck(question.place) else question.place
            keys = [(name, instance) for instance in table.instances(name)] or [(name, 0)]
            keys = self._counted_cells([key for key in keys if table.list_at(key)] or keys if is_for_some else keys)
            hands = [table.list_at(key) for key in keys]
            if size is not None:
                hands = [table.draw(keys[0], number, None, None) for number in self._sizes(size(), len(hands[0]))]
            means = [fits() if fits is not None else () for fits in fitting]
            hits += self._is_met([
                figures.holds_of(
                    tuple(_values_of(comparisons, [card in fits for fits in means], table.data[card].get))
                    for card in hand
                )
                for hand in hands
            ])  # fmt: skip
        return hits

    def _is_met(self, hands: list[bool]) -> bool:
        return any(hands) if self.question.of == "some" else all(hands)

    def _cells(self, table: Table[Any]) -> list[Cell]:
        """Return the places that the question counts; if each player has such a deck, the first player's."""
        name = self.question.place
        of_deck = self.book.game.decks.get(name)
        if of_deck is not None:
            return [(name, 1 if of_deck.is_per_player else 0)]
        return self._counted_cells([(name, instance) for instance in table.instances(name)] or [(name, 0)])

    def _counted_cells(self, cells: list[Cell]) -> list[Cell]:
        """Return the places to count: all of them if the question says `each` or `some`, else the first one."""
        return cells if self.question.of and self.question.draw is LooksAt.PLACE else cells[:1]

    @property
    def _amount(self) -> Amount:
        size = self.question.size
        assert size is not None
        return Amount({None: size}, size.source)

    def _sizes(self, size: int, there: int) -> tuple[int, ...]:
        if size * self.question.hands > there:
            cards = f"{there} card{'s' * (there != 1)}"
            what = f"{self.question.place!r} has {cards}, and {size * self.question.hands} are drawn"
            fix = "ask for fewer cards, or say 'only:' for which player counts it is asked"
            raise Stopped(self._problem(what, fix))
        return (size,) * self.question.hands

    def _problem(self, what: str, fix: str) -> Problem:
        at = self._amount.source
        return Problem("bad-question", at, what, fix, players=self.players, variant=self.variant).headed

    def _dice(self) -> tuple[tuple[Die, ...], int]:
        """Return the deck's dice, each with its faces as the question counts them, and the number of dice to roll."""
        deck, dice = self.book.game.decks[self.question.place], list[Die]()
        scene = scene_of(Tabletop(self.book, self.players, self.variant))
        wheres = [one.where for one in self.question.comparisons()]
        named = [None if where is None else named_face(deck, where.text) for where in wheres]
        known = {face: tuple(self._of_face(scene, face, value, named)) for face, value in values_of(deck).items()}
        for position, card in enumerate(deck.cards):
            die = sorted((known[face] for face in faces_of(deck, position)), key=repr)
            dice += [tuple(die)] * (card.copies if die else 0)
        number = scene.number(self._amount)
        if number > MOST_DICE:
            raise Stopped(self._problem(f"{number} dice are rolled; {MOST_DICE} are the most", "roll fewer"))
        if not dice or (number > len(dice) and len(set(dice)) > 1):
            raise Stopped(self._problem(f"{deck.id!r} has {len(dice)} dice, and {number} are rolled", "roll fewer"))
        return tuple(dice), number

    def _of_face(self, scene: Scene, face: str, value: object, named: Sequence[str | None]) -> Iterator[object]:
        for one, name in zip(self.question.comparisons(), named, strict=True):
            if one.where is None:
                yield _number(face, FACE) if one.figure is Figure.SUM else face
            elif name is not None:
                yield face == name
            else:
                yield bool(scene.value(one.where, {FACE: value, "card": {FACE: value}}))

    def _values(self, scene: Scene) -> Callable[[CardKey], Values]:
        """Return a cached function that gives a card's values."""
        book, comparisons = self.book, tuple(self.question.comparisons())

        @cache
        def chosen(deck: str, seat: int) -> list[Collection[CardKey]]:
            whole = book.deck_part(deck, seat).copies
            return [() if one.where is None else scene.chosen(whole, one.where) for one in comparisons]

        @cache
        def values(key: CardKey) -> Values:
            means = [key in part for part in chosen(key.deck, key.seat)]
            return tuple(_values_of(comparisons, means, book.card(key).values.get))

        return values


def _values_of(
    comparisons: Sequence[Comparison], means: Sequence[bool], get: Callable[[str], object]
) -> Iterator[object]:
    for one, is_meant in zip(comparisons, means, strict=True):
        if one.figure is Figure.COUNT:
            yield is_meant
        elif one.figure is Figure.SUM:
            yield None if get(one.field) is None else _number(get(one.field), one.field)
        else:
            yield get(one.field)


def _number(value: object, field: str) -> Fraction | int:
    """Return a number. Raises `ExpressionError`: `bad-question`."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    number = Fraction(str(value)) if is_number else number_of(str(value))
    if number is None:
        what = f"{field!r} holds {str(value)[:60]!r}, which cannot be summed up"
        raise ExpressionError("bad-question", what, "count cards with '>= 1 where ...' instead")
    return int(number) if number.denominator == 1 else number
