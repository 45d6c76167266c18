"""The steps of a setup and of a round, compiled once into actions that every simulated game repeats."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import NamedTuple

from duckpress.chance.formulas import Formulas
from duckpress.chance.game_table import Fixed, GameTable, Ids, Key, Rank, View, in_box
from duckpress.check.expressions import Stopped, unknown
from duckpress.check.setup.rule_book import Book
from duckpress.core.problems import Problem
from duckpress.model.setup import ALL, EVEN, Each, PlaceKind, Rounds, Step, Take

_ANY = "any"
_ANY_CARD = Fixed(None)
_MOST = 10**6
_RANGE = re.compile(r"([0-9]{1,6}) to ([0-9]{1,6})")
_TOGETHER = {Each.PLAYER, Each.TEAM}


class Transfer(NamedTuple):
    """Cards that move from one place to another."""

    origin: Key
    wanted: Callable[[], int | None]  # how many there should be; None for all that fit
    supply: Callable[[], int]  # how many there are that fit
    do: Callable[[int | None], bool]  # moves so many, and returns whether the game goes on
    action: Callable[[], bool]  # does it with as many as are wanted


Transfers = Callable[[], list[Transfer]]
"""Gives the moves of a take as the table is now; `Fixed` where they are always the same."""


Action = Callable[[], bool]
"""Does a part of a step; returns whether the game goes on."""


class CompiledSteps:
    """Compiles steps and the moves of their takes; counts a game's shortages and reshuffles."""

    def __init__(self, book: Book, rounds: Rounds, way: str | None, table: GameTable, formulas: Formulas) -> None:
        self._book, self._rounds, self._table, self._formulas = book, rounds, table, formulas
        steps = (*book.steps(way), *rounds.steps)
        self._stacked = {step.place for step in steps if not step.is_shuffled}  # where cards may lie in order
        self._of_rounds = set(map(id, rounds.steps))
        fitting = (step for step in steps if step.only is None or formulas.players in step.only)
        self._rooms = {step.place: step for step in fitting if step.slots is not None}
        self.shorts: Counter[str] = Counter()
        self.shuffled: Counter[str] = Counter()
        self.done: set[int] = set()  # by id: steps whose condition has held since somebody looked

    def _is_round(self, step: Step) -> bool:
        """Return whether a step belongs to the rounds, not to the setup."""
        return id(step) in self._of_rounds

    def _of_take(self, step: Step, take: Take, view: View) -> Transfers:
        """Return a function that lists the moves of cards of a `take` to the view's place. Raises `Stopped`."""
        if take.per is None:
            return self._from_each_origin(step, take, view)
        per, table = take.per, self._table
        if per not in table.places:
            what = f"no step forms {per!r}"
            raise Stopped(unknown("unknown-place", per, table.places, what).problem(take.source))
        of_card = cache(lambda card: self._from_each_origin(step, take, view._replace(drawn=card)))
        return lambda: [move for card in [*table.cards(per, view)] for move in of_card(card)()]

    def _from_each_origin(self, step: Step, take: Take, view: View) -> Transfers:
        table, name = self._table, self.origin(step, take)
        each = table.each[name]
        if each is Each.NOBODY or each is step.each:
            return Fixed([self._move(step, take, (name, table.instance(name, view)), view)])
        if step.each is not Each.NOBODY and {each, step.each} != _TOGETHER:
            what = f"{step.place!r} cannot take from {take.origin!r}, as others have such places"
            fix = "make them the same, or take from a place of all"
            raise Stopped(Problem("place-kind", take.source, what, fix))
        if step.each is Each.PLAYER:
            return Fixed([self._move(step, take, (name, table.teams[view.seat]), view)])
        move_from = cache(lambda instance: self._move(step, take, (name, instance), view.at(each, instance)))

        def from_all() -> list[Transfer]:
            instances = table.instances(name)
            if step.each is Each.TEAM:
                instances = [seat for seat in instances if table.teams[seat] == view.team]
            return list(map(move_from, instances))

        return from_all if each is Each.NUMBER else Fixed(from_all())

    def _move(self, step: Step, take: Take, key: Key, view: View) -> Transfer:
        table, formulas = self._table, self._formulas
        have = table.list_at(key)
        fits = formulas.fitting(take.where, view) if take.where is not None else _ANY_CARD
        text = formulas.expression(take.amount).text
        span = self._span(text)
        amount = formulas.number(take.amount, view) if span is None and text not in (ALL, EVEN) else Fixed(None)

        def supply() -> int:
            fitting = fits()
            return len(have) if fitting is None else len([card for card in have if card in fitting])

        do = self._doing(step, take, key, view, fits)
        wanted = amount if span is None else self._chosen_number(have, supply, *span)
        return Transfer(key, wanted, supply, do, (lambda: do(wanted())))

    def _chosen_number(
        self, have: list[int], supply: Callable[[], int], low: int, high: int
    ) -> Callable[[], int | None]:
        """Return a function that draws how many cards people choose to take, between two bounds."""
        random = self._table.chance.random

        def wanted() -> int | None:
            if not have:
                return None
            count = supply()
            number = low + int(random() * ((high if high < count else count) - low + 1))
            return number if number < count else count

        return wanted

    def _doing(
        self, step: Step, take: Take, key: Key, view: View, fits: Callable[[], Ids | None]
    ) -> Callable[[int | None], bool]:
        """Return a function that moves so many cards (None: all that fit), and returns whether the game goes on."""
        table, place, put = self._table, step.place, self._putting(step, view)
        have, draw, ordered = table.list_at(key), table.draw, table.ordered
        is_round = self._is_round(step)
        spare_key = self._spare(take, key) if is_round else None
        ends_short, shorts, shuffled = is_round and bool(self._rounds.ends_short), self.shorts, self.shuffled
        ranks, is_chosen = self._ranks(take), take.is_chosen or take.pick == _ANY

        def do(number: int | None) -> bool:
            if not number and (number == 0 or not have):
                return True
            fitting, is_ordered = fits(), key in ordered
            cards = draw(key, number, fitting, ranks, is_chosen)
            is_short = number is not None and len(cards) < number
            if number is not None and is_short:
                if spare_key is not None and (fresh := draw(spare_key, None, None, None)):
                    shuffled[key[0]] += 1
                    table.put(key, fresh, is_shuffled=True)
                    cards += draw(key, number - len(cards), fitting, ranks, is_chosen)
                    is_short = len(cards) < number
                if is_short:
                    shorts[place] += 1
            if cards:
                put(cards, is_ordered)
            return not (is_short and ends_short)

        return do

    def _putting(self, step: Step, view: View) -> Callable[[list[int], bool], None]:
        """Return a function that puts cards at a step's place; its second argument says whether they are in order."""
        table, place, is_shuffled = self._table, step.place, step.is_shuffled
        if step.kind is PlaceKind.BOX:
            return lambda cards, _: table.put_back(place, cards)
        key = (place, table.instance(place, view))
        here, ordered = table.list_at(key), table.ordered
        if is_shuffled and place not in self._stacked:
            return lambda cards, _: here.extend(cards)

        def put(cards: list[int], is_ordered: bool) -> None:
            if is_shuffled and key not in ordered:
                here.extend(cards)
                return
            if not is_shuffled and not is_ordered:
                table.chance.shuffle(cards)
            table.put(key, cards, is_shuffled=is_shuffled)

        return put

    def _spare(self, take: Take, key: Key) -> Key | None:
        """Return the place whose cards are shuffled into an empty place, or None."""
        spare = self._rounds.reshuffles.get(key[0])
        if spare is None:
            return None
        each = self._table.each[spare]
        if each not in (Each.NOBODY, self._table.each[key[0]]):
            what = f"{spare!r} cannot be reshuffled into {key[0]!r}, as others have such places"
            raise Stopped(Problem("place-kind", take.source, what, "make them the same, or one place of all"))
        return spare, 0 if each is Each.NOBODY else key[1]

    def _ranks(self, take: Take) -> list[Rank] | None:
        """Return the rank of each card by which cards are picked; None if the order does not matter."""
        word, _, name = take.pick.partition(" of ")
        if name and name not in self._table.fields:
            what = f"no card has a field {name!r}"
            raise Stopped(unknown("unknown-field", name, self._table.fields, what).problem(take.source))
        return self._table.ranks(name, -1 if word == "highest" else 1) if name else None

    def origin(self, step: Step, take: Take) -> str:
        """Return the table's name of a take's origin: in a round a place wins over a deck of the same name."""
        table, name = self._table, take.origin
        is_place = name in table.formed_places
        if table.is_deck(name) and not (is_place and self._is_round(step)):
            return in_box(name)
        if not is_place:
            known = (*self._book.game.decks, *table.formed_places)
            what = f"there is no deck {name!r}, and no step forms it"
            raise Stopped(unknown("unknown-deck", name, known, what, says="there are").problem(take.source))
        return name

    def _span(self, text: str) -> tuple[int, int] | None:
        """Return the bounds of the number that people choose; None for a fixed number."""
        choice = _RANGE.fullmatch(text)
        return (int(choice[1]), int(choice[2])) if choice is not None else (0, _MOST) if text == _ANY else None

    def of_round(self, step: Step) -> list[Action]:
        """Return the actions of a step of a round: each place takes its cards before the next one computes its amount.

        Only what is shared out evenly is worked out before any card moves, as in a setup.
        """
        self._refuse_all_for_several(step)
        if any(self._text(take) == EVEN for take in step.takes):
            return [self.at_once(step)]
        views = self._views(step)
        if isinstance(views, Fixed):
            return [action for view in views.value for action in self._of_view(step, view)]
        actions = cache(partial(self._of_view, step))
        return [lambda: all(action() for view in views() for action in actions(view))]

    def _of_view(self, step: Step, view: View) -> list[Action]:
        """Return the actions of a round's step at one place: a single action if the step has a condition."""
        parts: list[Action] = []
        for take in step.takes:
            moves = self._of_take(step, take, view)
            parts += [move.action for move in moves.value] if isinstance(moves, Fixed) else [partial(_do_all, moves)]
        parts += self._finish(step, view)
        if step.when is None:
            return parts
        # A step that is nobody's happens where anybody has what its condition asks for, as `until` does.
        formulas = self._formulas
        when = formulas.value(step.when, view) if step.each is not Each.NOBODY else formulas.of_anybody(step.when)
        done, this = self.done, id(step)

        def do() -> bool:
            if when():
                done.add(this)
                for part in parts:
                    if not part():
                        return False
            return True

        return [do]

    def at_once(self, step: Step) -> Action:
        """Return the action of a setup's step: it computes all amounts of a take before any card moves."""
        views, finish = self._views(step), cache(partial(self._finish, step))
        transfers = cache(lambda at, view: self._of_take(step, step.takes[at], view))

        def do() -> bool:
            places = [view for view in views() if step.when is None or self._formulas.value(step.when, view)()]
            self.done.update([id(step)] if places else [])
            for at, take in enumerate(step.takes):
                pending: list[tuple[Transfer, int | None]] = []
                shared: Counter[Key] = Counter()
                for view in places:
                    for move in transfers(at, view)():
                        number = move.wanted()
                        if self._text(take) == EVEN:
                            share, rest = divmod(move.supply(), len(places))
                            number = share + (shared[move.origin] < rest)
                            shared[move.origin] += 1
                        pending.append((move, number))
                for move, number in pending:
                    if not move.do(number):
                        return False
            for view in places:
                for action in finish(view):
                    action()
            return True

        return do

    def _views(self, step: Step) -> Callable[[], Sequence[View]]:
        """Return a function that gives the step's places as views; `Fixed` if they never change."""
        table, place = self._table, step.place
        if step.each is not Each.NUMBER or step.instances is None:
            return Fixed([View().at(step.each, instance) for instance in table.instances(place)])
        number = self._formulas.number(step.instances)

        def numbered() -> Sequence[View]:
            count = number()
            table.form(place, count)
            return [View(nth=nth) for nth in range(1, count + 1)]

        return numbered

    def _finish(self, step: Step, view: View) -> list[Action]:
        """Return the actions that end a step: removing cards, and the check for too many cards at its place."""
        table, formulas, actions = self._table, self._formulas, list[Action]()
        key = (step.place, table.instance(step.place, view))
        if step.remove is not None:
            is_all = formulas.expression(step.remove).text == ALL
            number = Fixed(None) if is_all else formulas.number(step.remove, view)

            def remove() -> bool:
                wanted = number()
                if table.remove(key, wanted) < (wanted or 0):
                    self.shorts[step.place] += 1
                return True

            actions.append(remove)
        slots = self._rooms[step.place].slots if self._is_round(step) and step.place in self._rooms else None
        if slots is not None:
            room, here = formulas.number(slots, view), table.list_at(key)

            def compare() -> bool:
                if (over := len(here) - room()) > 0:
                    what = f"in round {table.round} {step.place!r} has {len(here)} cards and room for {room()}"
                    fix = f"take {over} fewer, or give it more slots"
                    problem = Problem("no-room", step.source, what, fix, players=formulas.players)
                    raise Stopped(problem)
                return True

            actions.append(compare)
        return actions

    def _refuse_all_for_several(self, step: Step) -> None:
        """Raise `Stopped`, `unclear-amount`, if several places would each take all of the same cards."""
        for take in step.takes if step.each is not Each.NOBODY and step.when is None else ():
            origin = self._table.each.get(take.origin, Each.NOBODY)
            is_own = origin is step.each or (step.each is Each.TEAM and origin is Each.PLAYER)
            is_same = take.where is None or self._formulas.is_common(take.where.text)
            if self._text(take) == ALL and not is_own and is_same and take.per is None:
                what = "'all' of the same cards cannot go to each player"
                fix = "say how many each player gets: left('...') // players, or share them out: even"
                raise Stopped(Problem("unclear-amount", take.amount.source, what, fix))

    def _text(self, take: Take) -> str:
        return self._formulas.expression(take.amount).text


def _do_all(moves: Transfers) -> bool:
    return all(move.action() for move in moves())
