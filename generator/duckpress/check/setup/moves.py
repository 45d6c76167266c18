"""The moves of a step: from where to where, which cards and how many; and a step run on any kind of table.

`run_step` deals and works out exact odds. The check runs all that may come of a step at once (`steps`), on counts, by
the very same moves.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Self, TypeVar

from msgspec.structs import replace

from duckpress.check.expressions import Stopped
from duckpress.check.setup.counting import SOME, CardKey
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.tabletop import Cards, Cell, Table, each_of
from duckpress.core.problems import Problem
from duckpress.model.setup import ALL, EVEN, Amount, Each, Expression, PlaceKind, Step, Take

_ONES_OWN = ("seat", "team", "nth", "drawn")
OF_EVERYBODY = ("total", "removed")  # functions of all the places of a name together
T = TypeVar("T", bound="MovableTable[Any]")


class Move(NamedTuple):
    """How many cards move (`keys` None: any cards), from which instance of a place to which of another."""

    origin: int
    keys: frozenset[CardKey] | None
    number: int
    to: int
    is_all: bool = False
    drawn: CardKey | None = None


class Transfer(NamedTuple):
    """A move of a step: of an entry of its `take`, or a removal (None)."""

    step: Step
    take: Take | None
    move: Move

    @property
    def origin(self) -> Cell:
        return self.take.origin if self.take is not None else self.step.place, self.move.origin

    @property
    def target(self) -> Cell | None:
        """The place that the cards move to; None if they return to their decks."""
        if self.take is None:
            return f"removed from {self.step.place}", self.move.to
        return None if self.step.kind is PlaceKind.BOX else (self.step.place, self.move.to)

    @property
    def number(self) -> int | None:
        """The number of cards; None: all there are."""
        return None if self.move.is_all else self.move.number


class MovableTable(Table[Cards]):
    """A table for running steps one at a time; a table with uncertain cards may split into several."""

    @abstractmethod
    def form(self, step: Step, instance: int) -> None:
        """Create a step's place, still without cards."""

    @abstractmethod
    def moved(self, transfer: Transfer) -> Iterable[Self]:
        """Return the possible tables after moving cards: this one, changed, or others. Raises `Stopped`."""

    def end_takes(self, step: Step, instance: int) -> None:
        """Finish the takes of a step at a place."""


def run_step(table: T, step: Step) -> list[T]:
    """Return the possible tables after a step. Raises `Stopped` if it cannot be run."""
    active = [instance for instance, _ in instances_of(scene_of(table), step)]
    places = active if step.kind is not PlaceKind.BOX else []
    for instance in places:
        table.form(step, instance)
    tables = [table]
    for take in step.takes if active else ():
        tables = [after for one in tables for after in _after_take(one, step, take, active)]
    for instance in places:
        for one in tables:
            one.end_takes(step, instance)
        if step.remove is not None:
            tables = [after for one in tables for after in _after_removal(one, step, instance, step.remove)]
    return tables


def scene_of(table: Table[Any]) -> Scene:
    return Scene(table.book, table.players, table.variant, table)


def _after_take(table: T, step: Step, take: Take, active: Sequence[int]) -> list[T]:
    """Return the possible tables after an entry of a step's `take`."""
    scene, tables = scene_of(table), [table]
    for move in moves_of(scene, step, take, active_instances(scene, step, active)):
        tables = [after for one in tables for after in one.moved(Transfer(step, take, move))]
    return tables


def _after_removal(table: T, step: Step, instance: int, amount: Amount) -> Iterable[T]:
    """Return the possible tables after a step's removal from a place."""
    number = scene_of(table).at(step.each, instance).number_or_all(amount)
    size = table.size(step.place, instance)
    move = Move(instance, None, size if number is None else number, instance, number is None)
    return table.moved(Transfer(step, None, move))


def instances_of(scene: Scene, step: Step) -> list[tuple[int, Scene]]:
    """Return the instances of a step's place for which its conditions are true, each with its view.

    Raises `Stopped`.
    """
    scene.book.at = step.source
    scene.book.spend(1)
    if step.only is not None and scene.players not in step.only:
        return []
    seen = [(number, scene.at(step.each, number)) for number in _all_instances(scene, step)]
    return [(number, at) for number, at in seen if step.when is None or at.value(step.when)]


def active_instances(scene: Scene, step: Step, active: Iterable[int]) -> list[tuple[int, Scene]]:
    """Return the instances that were active when a step began, each with its view."""
    return [(number, scene.at(step.each, number)) for number in active]


def _all_instances(scene: Scene, step: Step) -> list[int]:
    if step.each is Each.TEAM:
        return scene.teams()
    if step.each is Each.NUMBER and step.instances is not None:
        return list(range(1, scene.number(step.instances) + 1))
    return list(range(1, scene.players + 1)) if step.each is Each.PLAYER else [0]


def places_seen(book: Book, text: str) -> set[str]:
    """Return the places in an expression that depend on its view."""
    reading = book.reading(text)
    seen = {book.by_name[1].get(use.text, "") for use in reading.names}
    return seen | {call.origin.text for call in reading.calls if call.origin and call.function not in OF_EVERYBODY}


def views_of(scene: Scene, texts: Iterable[str]) -> list[Scene]:
    """Return a moment from all views that expressions depend on: each player, each team, each number.

    It is one, the moment itself, where they name no such place. Raises `Stopped`.
    """
    book = scene.book
    steps: dict[Each, Step] = {}
    for text in texts:
        named = places_seen(book, text)
        for step in book.steps(scene.variant) if named else ():
            if step.place in named and step.each is book.each_of_places(scene.variant)[step.place]:
                steps.setdefault(step.each, step)
    if Each.PLAYER in steps:
        steps.pop(Each.TEAM, None)  # who sees as a player sees as one of the team
    views = [scene]
    for each, step in steps.items():
        if each is not Each.NOBODY:
            views = [seen.at(each, number) for seen in views for number in _all_instances(seen, step)] or views
    return views


def is_personal(book: Book, variant: str | None, where: Expression | None) -> bool:
    """Return whether a condition may differ between players, teams or numbers."""
    if where is None:
        return False
    reading, (_, places, relations) = book.reading(where.text), book.by_name
    names = {use.text for use in reading.names}
    named = {places.get(name, "") for name in names} | {call.origin.text for call in reading.calls if call.origin}
    each = book.each_of_places(variant)
    return bool(names & {*_ONES_OWN, *relations}) or any(each.get(place) for place in named)


def moves_of(scene: Scene, step: Step, take: Take, places: list[tuple[int, Scene]]) -> list[Move]:
    """Return the moves of an entry of a step's `take`, computed before any card moves.

    From places that each player, team or number has, the amount is taken from each of those that are meant.
    Raises `Stopped`; `unclear-amount`, where 'all' of the same cards would go to several.
    """
    moves: list[Move] = []
    shares: dict[tuple[int, frozenset[CardKey] | None], int] = {}
    for to, at in places:
        for origin, seen in _origins(scene, step, take, to, at):
            for drawn in _cards_of_per(seen, take):
                here = seen if drawn is None else replace(seen, drawn=drawn)
                contents = scene.top.candidates(take.origin, origin)
                scene.book.spend(1 + len(contents) // 8)
                # Of a deck, all its cards: which of them are meant does not hang on what is left.
                is_deck = take.origin in scene.book.game.decks
                cards = scene.book.deck_part(take.origin, origin).copies if is_deck else contents
                keys = None if take.where is None else here.chosen(cards, take.where)
                if keys and is_deck and take.origin in scene.book.imagined:
                    # Those that were imagined for another player count are left out, unless some are added here.
                    known, extra = len(scene.book.game.decks[take.origin].cards), scene.top.extra
                    keys = frozenset(key for key in keys if key.position < known or (key.deck, key.position) in extra)
                text = here.expression(take.amount).text
                if text == ALL:
                    number = scene.top.most(take.origin, origin, keys)
                else:
                    number = scene.top.supply(take.origin, origin, keys) if text == EVEN else here.number(take.amount)
                if text == EVEN:
                    index = shares[origin, keys] = shares.get((origin, keys), -1) + 1
                    number = number // len(places) + (index < number % len(places))
                if (
                    text == ALL
                    and number
                    and any(move.is_all and (move.origin, move.keys) == (origin, keys) for move in moves)
                ):
                    what = "'all' of the same cards cannot go to each player"
                    fix = "say how many each player gets: left('...') // players, or share them out: even"
                    raise Stopped(scene.problem(Problem("unclear-amount", take.amount.source, what, fix)))
                moves.append(Move(origin, keys, number, to, text == ALL, drawn))
    return moves


def _cards_of_per(scene: Scene, take: Take) -> Iterator[CardKey | None]:
    """Yield each card at the place `per`, repeated by its number; None once if there is no `per`."""
    if take.per is None:
        yield None
        return
    for key, number in scene.top.lying(take.per, scene.instance(take.per)).items():
        for _ in range(number if key != SOME else 0):  # of cards put there to mend it nobody knows what they are
            yield key


def _origins(scene: Scene, step: Step, take: Take, to: int, at: Scene) -> Iterator[tuple[int, Scene]]:
    """Yield the instances of a take's origin to take cards from, each with its view."""
    each = each_of(scene.book, take.origin, scene.variant)
    if each is Each.NOBODY:
        yield 0, at
    elif each is step.each:
        yield to, at
    elif step.each is Each.PLAYER and each is Each.TEAM:
        yield scene.team_of(to), at
    elif step.each is Each.TEAM and each is Each.PLAYER:
        for seat in range(1, scene.players + 1):
            if scene.team_of(seat) == to:
                yield seat, at.at(each, seat)
    elif step.each is Each.NOBODY:
        for instance in scene.top.instances(take.origin):
            yield instance, at.at(each, instance)
    else:
        raise Stopped(None)  # the check of words tells that they do not fit
