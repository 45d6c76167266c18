"""What the takes of a step move: between which places, how many cards and which of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from duckpress.check.setup.rule_book import Book
from duckpress.check.setup_expressions import Stopped, unknown
from duckpress.core.problems import Problem
from duckpress.model.setup import ALL, EVEN, Each, PlaceKind, Rounds, Step, Take
from duckpress.playtest.formulas import Formulas
from duckpress.playtest.game_table import GameTable, Key, Rank, in_box
from duckpress.playtest.view import Fixed, View

_ANY = "any"
_MOST = 10**6
_RANGE = re.compile(r"([0-9]{1,6}) to ([0-9]{1,6})")
_TOGETHER = {Each.PLAYER, Each.TEAM}


class Transfer(NamedTuple):
    """Cards that go from one place to another."""

    origin: Key
    wanted: Callable[[], int | None]  # how many there should be; None for all that fit
    supply: Callable[[], int]  # how many there are that fit
    do: Callable[[int | None], bool]  # moves so many, and returns whether the game goes on


Transfers = Callable[[], list[Transfer]]
"""Gives the moves of a take as the table is now; `Fixed` where they are always the same."""


class TakeTransfers:
    """Prepares the moves of takes; counts what could not be supplied and what was reshuffled in a game."""

    def __init__(self, book: Book, rounds: Rounds, table: GameTable, formulas: Formulas) -> None:
        self._book, self._rounds, self._table, self._formulas = book, rounds, table, formulas
        self.shorts: Counter[str] = Counter()
        self.shuffled: Counter[str] = Counter()

    def of_take(self, step: Step, take: Take, view: View, *, is_round: bool) -> Transfers:
        """Return the moves of a take to the place of a view: one from each place that is meant. Raises `Stopped`."""
        if take.per is None:
            return self._from_each_origin(step, take, view, is_round=is_round)
        per, table, by_card = take.per, self._table, dict[int, Transfers]()
        if per not in table.places:
            what = f"no step forms {per!r}"
            raise Stopped(unknown("unknown-place", per, table.places, what).problem(take.source))

        def of_each_card() -> list[Transfer]:
            moves: list[Transfer] = []
            for card in [*table.cards(per, view)]:
                if card not in by_card:
                    seen = view._replace(drawn=card)
                    by_card[card] = self._from_each_origin(step, take, seen, is_round=is_round)
                moves += by_card[card]()
            return moves

        return of_each_card

    def _from_each_origin(self, step: Step, take: Take, view: View, *, is_round: bool) -> Transfers:
        table, name = self._table, self._origin(take, is_round=is_round)
        each = table.each[name]
        if each is Each.NOBODY or each is step.each:
            return Fixed([self._move(step, take, (name, table.instance(name, view)), view, is_round=is_round)])
        if step.each is not Each.NOBODY and {each, step.each} != _TOGETHER:
            what = f"{step.place!r} cannot take from {take.origin!r}, as others have such places"
            fix = "make them the same, or take from a place of all"
            raise Stopped(Problem("place-kind", take.source, what, fix))
        if step.each is Each.PLAYER:
            return Fixed([self._move(step, take, (name, table.teams[view.seat]), view, is_round=is_round)])
        moves = dict[int, Transfer]()

        def from_all() -> list[Transfer]:
            instances = table.instances(name)
            if step.each is Each.TEAM:
                instances = [seat for seat in instances if table.teams[seat] == view.team]
            for instance in instances:
                if instance not in moves:
                    seen = view.at(each, instance)
                    moves[instance] = self._move(step, take, (name, instance), seen, is_round=is_round)
            return [moves[instance] for instance in instances]

        return from_all if each is Each.NUMBER else Fixed(from_all())

    def _move(self, step: Step, take: Take, key: Key, view: View, *, is_round: bool) -> Transfer:
        table, formulas, place = self._table, self._formulas, step.place
        have, draw, put = table.list_at(key), table.draw, self._putting(step, view)
        fits = formulas.fitting(take.where, view) if take.where is not None else None
        same = fits.value if isinstance(fits, Fixed) else None  # the cards that fit, where they never change
        text = formulas.expression(take.amount).text
        span = self._span(text)
        amount = None if span is not None or text in (ALL, EVEN) else formulas.number(take.amount, view)
        spare_key = self._spare(take, key) if is_round else None
        ends_short, shorts, shuffled = is_round and bool(self._rounds.ends_short), self.shorts, self.shuffled
        ranks, is_chosen = self._ranks(take.pick), take.is_chosen or take.pick == _ANY

        def supply() -> int:
            fitting = same if same is not None or fits is None else fits()
            return len(have) if fitting is None else len([card for card in have if card in fitting])

        def wanted() -> int | None:
            if amount is not None:
                number: int = amount()
                return number
            if span is None or not have:
                return None
            low, high = span  # people take as many as they like
            return min(count := supply(), low + int(table.chance.random() * (min(high, count) - low + 1)))

        def do(number: int | None) -> bool:
            if number == 0 or (number is None and not have):
                return True
            fitting = same if same is not None or fits is None else fits()
            is_ordered = key in table.ordered
            cards = draw(key, number, fitting, ranks, is_chosen=is_chosen)
            is_short = number is not None and len(cards) < number
            if number is not None and is_short:
                if spare_key is not None and (fresh := draw(spare_key, None, None, None)):
                    shuffled[key[0]] += 1
                    table.put(key, fresh, is_shuffled=True)
                    cards += draw(key, number - len(cards), fitting, ranks, is_chosen=is_chosen)
                    is_short = len(cards) < number
                if is_short:
                    shorts[place] += 1
            if cards:
                put(cards, is_ordered)
            return not (is_short and ends_short)

        return Transfer(key, wanted, supply, do)

    def _putting(self, step: Step, view: View) -> Callable[[list[int], bool], None]:
        """Return what puts cards where a step wants them; the second argument says whether they have an order."""
        table, place, is_shuffled = self._table, step.place, step.is_shuffled
        if step.kind is PlaceKind.BOX:
            return lambda cards, _: table.put_back(place, cards)
        key = (place, table.instance(place, view))
        here = table.list_at(key)

        def put(cards: list[int], is_ordered: bool) -> None:
            if is_shuffled and key not in table.ordered:
                here.extend(cards)
                return
            if not is_shuffled and not is_ordered:
                table.chance.shuffle(cards)
            table.put(key, cards, is_shuffled=is_shuffled)

        return put

    def _spare(self, take: Take, key: Key) -> Key | None:
        """Return the place whose cards are shuffled into a place that runs dry."""
        spare = self._rounds.reshuffles.get(key[0])
        if spare is None:
            return None
        each = self._table.each[spare]
        if each not in (Each.NOBODY, self._table.each[key[0]]):
            what = f"{spare!r} cannot be reshuffled into {key[0]!r}, as others have such places"
            raise Stopped(Problem("place-kind", take.source, what, "make them the same, or one place of all"))
        return spare, 0 if each is Each.NOBODY else key[1]

    def _ranks(self, pick: str) -> list[Rank] | None:
        """Return the order in which cards are picked; None where any of them is."""
        word, _, name = pick.partition(" of ")
        return self._table.ranks(name, -1 if word == "highest" else 1) if name else None

    def _origin(self, take: Take, *, is_round: bool) -> str:
        """Return what the table calls that which is taken from: in a round a place stands before a deck of its name."""
        table, name = self._table, take.origin
        is_place = name in table.formed_places
        if table.is_deck(name) and not (is_place and is_round):
            return in_box(name)
        if not is_place:
            known = (*self._book.game.decks, *table.formed_places)
            what = f"there is no deck {name!r}, and no step forms it"
            raise Stopped(unknown("unknown-deck", name, known, what, says="there are").problem(take.source))
        return name

    def _span(self, text: str) -> tuple[int, int] | None:
        """Return between what people choose how many cards to take; None where they do not."""
        choice = _RANGE.fullmatch(text)
        return (int(choice[1]), int(choice[2])) if choice is not None else (0, _MOST) if text == _ANY else None
